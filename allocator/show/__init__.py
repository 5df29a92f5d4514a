"""Shows files: views of them, their frames in every format with their cost, and the summary beside them."""
