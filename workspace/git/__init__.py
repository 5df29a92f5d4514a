"""Asks git about a folder: its files, the lines that a diff touches, its newest commits."""
