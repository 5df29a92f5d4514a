"""Recall: does the context show the functions that a real commit then changed?"""
