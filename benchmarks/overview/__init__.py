"""The first look at a repository: a context without a question, beside the texts of others at as many tokens."""
