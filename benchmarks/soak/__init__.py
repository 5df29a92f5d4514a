"""A day's work in minutes: thousands of mixed calls to one server, with edits of its tree between them."""
