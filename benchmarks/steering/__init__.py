"""Measures the arguments that steer a context, focus and changed, on real repositories."""
