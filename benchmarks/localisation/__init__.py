"""Where an issue is solved: files and functions that our ranking puts first, beside published systems."""
