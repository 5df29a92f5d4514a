"""Compression of prompts: a text -> fewer tokens that say the same to a language model."""
