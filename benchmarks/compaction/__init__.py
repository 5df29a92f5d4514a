"""Measurements of compaction; every script prints what the documentation says of it."""
