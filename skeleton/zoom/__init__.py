"""From a name to its exact source: targets, the table of symbols, neighbours, and the text that is served."""
