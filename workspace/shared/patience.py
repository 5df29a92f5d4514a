"""Bounds how long one call may wait for the shared store, in all: a quarter of a second, whatever it asks for.

What a call has waited is noted in its token (`workspace.cancellation`). What happens outside of any call has the whole
time for each thing that it asks for; there the breaker of the link sees to it that few are asked for in vain.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from workspace.cancellation import current_token

if TYPE_CHECKING:
    from collections.abc import Generator

MOST_SECONDS: Final = 0.25
"""The time that one call waits for the store, in all."""

FOR_FACTS: Final = 0.2
"""The part of it for facts, which can be worked out as well; the rest is left for snapshots, which cannot."""


def patience(most: float = MOST_SECONDS) -> float:
    """Returns the seconds that this thread's call may still wait.

    Args:
        most: what it may wait in all for what it asks for now.
    """
    token = current_token()
    return most if token is None else max(0.0, most - token.waited)


@contextmanager
def waiting() -> Generator[None]:
    """Notes in this thread's call how long the block took."""
    token = current_token()
    began = time.monotonic()
    try:
        yield
    finally:
        if token is not None:
            token.waited += time.monotonic() - began
