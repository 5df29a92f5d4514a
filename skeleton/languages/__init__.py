"""Languages: a query file each, and the module that reads them."""
