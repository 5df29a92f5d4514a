"""How long the page of a report takes."""
