"""Outline and source to the text of a level."""
