"""The page of a report: one file that a browser opens, with nothing to fetch."""
