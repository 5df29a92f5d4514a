"""The endings of calls: given up, late, or beside each other."""
