"""Understanding a call: what its question names, what its reader has, what is handed out to him."""
