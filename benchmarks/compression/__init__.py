"""Measurements of prompt compression."""
