"""A shop in two files."""
