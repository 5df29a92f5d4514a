"""What a running server makes of whatever is meant to hurt it."""
