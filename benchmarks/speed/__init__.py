"""The times of whole calls, beside the floor and beside peers."""
