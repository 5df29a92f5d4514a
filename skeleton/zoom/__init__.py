"""Finds the exact source of a name: targets, the table of symbols, neighbours, and the text that is served."""
