"""Proves skeletons before anyone sees them, by reading them again."""
