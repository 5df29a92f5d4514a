"""The breaker of the link: what fails is left alone for a while, and tried again by nobody's call.

Closed, it lets calls through. A failure opens it: from then on no call asks. A thread of its own tries the server after a
rest, and closes the breaker when it answers. Where it fails again soon after it came back, as a server does that answers
a short question and then hangs, the rest doubles. An outage is told once, with one warning; its end with one line of
information.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG: Final = logging.getLogger(__name__)

FIRST_REST: Final = 0.25
LONGEST_REST: Final = 30.0
"""Seconds between two tries."""

SOON: Final = 60.0
"""Seconds after its end within which another failure belongs to the same outage."""


class Breaker:
    """Says whether the server may be asked. Threads share it.

    Args:
        shown: the server's address as the log may name it, without a password.
        attempt: tries the server; raises where it does not answer.
    """

    def __init__(self, shown: str, attempt: Callable[[], None]) -> None:
        self.problem = ""
        self._shown = shown
        self._attempt = attempt
        self._closed = threading.Event()
        self._closed.set()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._rest = FIRST_REST
        self._came_back = -SOON

    @property
    def is_closed(self) -> bool:
        """Tells whether the server may be asked."""
        return self._closed.is_set()

    def failed(self, why: str) -> None:
        """Opens the breaker.

        Args:
            why: what went wrong, in words without a password.
        """
        with self._lock:
            if not self._closed.is_set() or self._ended.is_set():
                return
            self._closed.clear()
            self.problem = why
            is_same_outage = time.monotonic() - self._came_back < SOON
            self._rest = min(self._rest * 2, LONGEST_REST) if is_same_outage else FIRST_REST
            threading.Thread(target=self._try_again, name="shared-store-probe", daemon=True).start()
        if not is_same_outage:
            _LOG.warning(
                "The shared store %s is not used for now (%s): calls go on without it, and it is tried again by itself.",
                self._shown,
                why,
            )

    def wait_until_closed(self, seconds: float) -> bool:
        """Waits until the server may be asked again; tells whether that came true."""
        return self._closed.wait(seconds)

    def end(self) -> None:
        """Ends what tries the server."""
        self._ended.set()

    def _try_again(self) -> None:
        rest = self._rest
        while not self._ended.wait(rest):
            try:
                self._attempt()
            except Exception as error:  # noqa: BLE001 - whatever a server or a network does, it is tried again
                self.problem = told(error)
                rest = min(rest * 2, LONGEST_REST)
                continue
            with self._lock:
                self._came_back = time.monotonic()
                self.problem = ""
                self._closed.set()
            _LOG.info("The shared store %s answers again.", self._shown)
            return


def told(error: BaseException) -> str:
    """Names an error by its class alone: its text may repeat an address with its password."""
    return type(error).__name__
