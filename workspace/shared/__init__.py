"""The store that the replicas of a fleet share, on a Redis or Valkey server; it costs nobody a call.

address    where the server is, as people write it, and as it may be told
patience   how long one call may wait for it, in all
link       the connections: work handed to threads, a breaker, and how it comes back by itself
envelope   a value as it lies there: compressed, with its length and a digest that binds it to its name
writing    what is written behind the calls
store      the store: values by digest, and records that must be there before the answer is
shelf      snapshots on it, with a folder of this machine in front
"""
