"""Makes Python's collector look less often for cycles among objects that nobody holds."""

from __future__ import annotations

import gc
from typing import Final

YOUNG: Final = 10_000
"""Objects that are made before the new ones are looked at; Python's own 700 is meant for small programs."""


def collect_less_often() -> None:
    """Has the process look for cycles less often, for as long as it lives.

    A call over many files makes hundreds of thousands of objects that go by themselves, without any cycle. Looking at
    them all again and again takes a quarter of such a call.
    """
    _, older, oldest = gc.get_threshold()
    gc.set_threshold(YOUNG, older, oldest)
