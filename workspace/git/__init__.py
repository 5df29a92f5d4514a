"""What git knows of a folder: its files, what a diff touches, its newest commits."""
