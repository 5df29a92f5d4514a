"""Recall: the share of the functions that a real commit changed which the context before it shows."""
