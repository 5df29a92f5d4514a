"""The command `view`: the page of a report on loopback, with answers of now."""
