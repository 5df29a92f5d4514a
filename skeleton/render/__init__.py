"""Renders an outline and its source as the text of a level."""
