"""Calls recorded at one revision and compared with those of another."""
