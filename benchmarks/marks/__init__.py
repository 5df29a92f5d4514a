"""A check of the marks of contexts, read from the served text alone."""
