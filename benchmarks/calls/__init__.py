"""How calls end: given up, late, or beside each other."""
