"""Well-kept libraries beside what we wrote ourselves."""
