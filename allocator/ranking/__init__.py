"""Which files and definitions matter most: for a query, or at all.

`words` reads queries and takes identifiers apart, `corpus` turns the words of all files into arrays, `history` asks the
newest commits, `signals` says in numbers how a definition and a query belong together, `mix` makes one weight of them,
and `rank` is the face of it all.
"""

from allocator.ranking.corpus import Corpus, RankedFile, Reading
from allocator.ranking.history import NO_HISTORY, History
from allocator.ranking.rank import Ranking, Reason, rank

__all__ = ["NO_HISTORY", "Corpus", "History", "RankedFile", "Ranking", "Reading", "Reason", "rank"]
