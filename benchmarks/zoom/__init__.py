"""Measures zoom: the share of definitions that it gives exactly, and its speed."""
