"""Detectors of secrets, side by side."""
