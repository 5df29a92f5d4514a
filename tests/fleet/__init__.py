"""A fleet: replicas that share a store on a real server, and whatever can happen to it."""
