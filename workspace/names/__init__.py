"""Rules about names of files, applied before anyone reads them: the tier of a file, and whether it holds credentials."""
