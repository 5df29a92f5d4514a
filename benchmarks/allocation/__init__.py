"""The cost of allocating a budget over very many files."""
