"""What it costs to allocate a budget over very many files."""
