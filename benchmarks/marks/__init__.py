"""Whether what a context says of itself is so, read from the served text alone."""
