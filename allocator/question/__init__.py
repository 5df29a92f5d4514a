"""Reads a call: what its question names, what its reader has, and what is handed out to him."""
