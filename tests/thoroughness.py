"""The share of what may be tried that is tried each time; all of it by `--long`."""

from __future__ import annotations

from hypothesis import settings

SEARCHING = "searching"
"""The profile of the tests by `--long`, loaded before any test is read (`tests/conftest.py`)."""

SHARE = 3
"""One of so many is tried each time."""


def is_thorough() -> bool:
    """Tells whether all is tried."""
    return settings.get_current_profile_name() == SEARCHING


def share_of(most: int) -> int:
    """The part of a size or a number that is tried each time; all of it by `--long`."""
    return most if is_thorough() else most // SHARE


def examples(most: int) -> settings:
    """The settings of a test that tries so many examples, a third of them each time.

    Args:
        most: the number by `--long`.
    """
    return settings(max_examples=share_of(most))
