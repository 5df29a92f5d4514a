"""Questions as beginners ask them, with and without slips of the keys, and whether a context shows what answers them."""
