"""What the arguments that steer a context bring: focus and changed, on real repositories."""
