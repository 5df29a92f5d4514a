"""Secrets inside texts: found by their shapes and by the names they are assigned to, and taken out."""
