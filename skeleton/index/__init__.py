"""Files in, facts out: worked out once by content, in worker processes where it pays, and kept in a store."""
