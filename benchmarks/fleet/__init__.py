"""A fleet of servers over one store: what a new replica saves, what it costs, and what many clients do to it."""
