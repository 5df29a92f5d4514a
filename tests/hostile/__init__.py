"""What an engine and a running server make of whatever is meant to hurt them."""
