"""Rules about names of files, asked before anyone reads them: how much a file matters, and whether it holds credentials."""
