"""The files of a folder: which there are, what is in them, and the one place that writes a whole folder."""
