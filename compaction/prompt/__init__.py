"""Compresses prompts: a text becomes fewer tokens that say the same to a language model."""
