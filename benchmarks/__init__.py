"""Side-by-side measurements: each folder has scripts whose printed tables are the numbers that the documents quote."""
