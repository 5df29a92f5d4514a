"""Limits a tenant within a minute: calls, seconds of work, and tokens that it is served.

Each is a vessel that holds a minute's worth and fills again steadily. A call is admitted while none is empty, and what it
took is taken out when it has ended; so the last one may take more than is left, and the next waits the longer.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

MINUTE: Final = 60.0


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a minute, for each process of a server; 0 for as much as one likes.

    Attributes:
        calls: of tools, and readings of resources.
        seconds: that these take, together.
        tokens: of what they return.
    """

    calls: float = 0
    seconds: float = 0
    tokens: float = 0


class Meter:
    """Measures what one tenant takes. It may be used by several threads.

    Args:
        limits: what it may take.
        clock: tells the time, in seconds.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = {name: most for name in limits.__struct_fields__ if (most := getattr(limits, name)) > 0}
        self._left = dict(self._most)
        self._clock = clock
        self._filled = clock()
        self._lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        """Tells whether there is no limit at all."""
        return not self._most

    def admit(self) -> str:
        """Takes a call in.

        Returns:
            "" where it may go on; else a sentence that says which limit is reached, and when to come again.
        """
        with self._lock:
            self._fill()
            for name, left in self._left.items():
                least = 1.0 if name == "calls" else 0.0
                if left < least or not left:
                    wait = max(1, math.ceil((least - left) * MINUTE / self._most[name]))
                    return f"This token may take {self._most[name]:g} {name} a minute, and has; call again in {wait} seconds."
            self._take("calls", 1)
            return ""

    def spend(self, *, seconds: float = 0.0, tokens: float = 0.0) -> None:
        """Notes what a call took."""
        with self._lock:
            self._fill()
            self._take("seconds", seconds)
            self._take("tokens", tokens)

    def _take(self, name: str, amount: float) -> None:
        if name in self._left:
            self._left[name] -= amount

    def _fill(self) -> None:
        now = self._clock()
        passed, self._filled = now - self._filled, now
        for name, most in self._most.items():
            self._left[name] = min(most, self._left[name] + most * passed / MINUTE)
