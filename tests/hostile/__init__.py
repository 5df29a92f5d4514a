"""Tests of an engine and a running server with whatever is meant to hurt them."""
