"""The page that shows what a budget bought: one file that a browser opens, with nothing to fetch."""
