"""The times of the page of a report."""
