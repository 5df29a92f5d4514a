"""What the name of a file says before anyone reads it: how much it matters, and whether it holds credentials."""
