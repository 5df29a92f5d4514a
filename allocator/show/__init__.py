"""Showing things: views of files, their frames in every format with what they cost, and the summary beside them."""
