"""Makes the outline of a source from its syntax tree and its language's query: definitions and parts, as byte spans."""
