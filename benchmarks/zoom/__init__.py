"""Zoom, measured: is what it gives exactly the definition, and how soon is it there?"""
