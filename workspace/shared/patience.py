"""Bounds how long one call may wait for the shared store, in all: a quarter of a second, whatever it asks for.

What a call has waited is noted in its token (`workspace.cancellation`). Where this process itself does not get the
processor, because it has much else to do, that is no wait for the store and does not count. What happens outside of any call has the whole
time for each thing that it asks for; there the breaker of the link sees to it that few are asked for in vain.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from workspace.cancellation import current_token, stop_if_cancelled

MOST_SECONDS: Final = 0.25
"""The time that one call waits for the store, in all."""

FOR_FACTS: Final = 0.2
"""The part of it for facts, which can be worked out as well; the rest is left for snapshots, which cannot."""

_SLICE_SECONDS: Final = 0.01


def patience(most: float = MOST_SECONDS) -> float:
    """Returns the seconds that this thread's call may still wait.

    Args:
        most: what it may wait in all for what it asks for now.
    """
    token = current_token()
    return most if token is None else max(0.0, most - token.waited)


def came(event: threading.Event, seconds: float) -> bool:
    """Waits for an event, and notes in this thread's call how long; tells whether it came.

    The wait is made of slices. What a slice takes beyond its length is the time that this thread did not get the
    processor or the interpreter; who waits on the other side for an answer is held up as long.

    Args:
        event: what is waited for.
        seconds: how long at the most.

    Raises:
        CallCancelledError: the call is not wanted any more.
    """
    token = current_token()
    left = seconds
    while left > 0:
        began = time.monotonic()
        length = min(_SLICE_SECONDS, left)
        has_come = event.wait(length)
        waited = min(length, time.monotonic() - began)
        left -= waited
        if token is not None:
            token.waited += waited
        if has_come:
            return True
        stop_if_cancelled()
    return event.is_set()
