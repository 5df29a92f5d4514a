"""The files of a folder: listed, opened and read, and the one place that writes a whole folder."""
