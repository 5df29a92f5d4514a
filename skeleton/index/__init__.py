"""Facts of files: worked out once for each content, in worker processes where it pays, and kept in a store."""
