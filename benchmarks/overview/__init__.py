"""The first look at a repository: what a context without a question shows, beside what others show for as many tokens."""
