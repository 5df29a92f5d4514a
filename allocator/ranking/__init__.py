"""Ranks files and definitions by how much they matter: for a query, or at all.

`words` reads queries and takes identifiers apart, `corpus` turns the words of all files into arrays, `history` asks the
newest commits, `signals` says in numbers how a definition and a query belong together, `mix` makes one weight of them,
and `rank` is the face of it all.
"""
