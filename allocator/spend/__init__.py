"""Spends a budget: steps that each show a little more, orders of them, and as many as a budget holds."""
