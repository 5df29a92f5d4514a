"""The first look at a folder: what is important in it, where to begin, and a map that any budget can hold.

`importance` puts all definitions in one order, `landmarks` says where to begin and how things hang together, `about`
what the project says of itself, `treemap` draws the map step by step, and `portrait` joins them and keeps what it
found for the next call.
"""
