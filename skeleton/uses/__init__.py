"""The places where code uses a name, and whose definition it uses there."""
