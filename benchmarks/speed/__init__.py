"""How long whole calls take, beside the floor and beside peers."""
