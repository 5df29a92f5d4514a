"""One file -> its symbols, its folds, its levels."""
