"""Finds where issues are solved: files and functions that our ranking puts first, beside published systems."""
