"""Sketches: the definitions of files, found line by line with the patterns of their languages, without a parser."""
