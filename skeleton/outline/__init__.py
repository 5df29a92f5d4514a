"""Source to outline: parsed, its nodes told apart by the query, walked; definitions and parts as byte spans."""
