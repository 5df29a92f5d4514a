"""Takes a server into service and out of it without a call lost.

While it loads, and for some seconds before it ends, it says that it is not ready, and serves all the same.

A balancer asks `/ready` and sends no new clients where the answer is 503; `/health` says that the process lives. SIGTERM
begins this where `drain` says so, and a second one, or Ctrl-C, ends the server at once.
"""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, Final

import uvicorn
from starlette.responses import JSONResponse

from server.loading import is_loading

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from starlette.responses import Response

_IS_DRAINING: Final = threading.Event()
TOLD: Final = getattr(signal, "SIGUSR1", None)
"""The signal by which a worker is told that its server is not ready any more."""


def readiness() -> Response:
    """Returns the answer to `/ready`."""
    if _IS_DRAINING.is_set():
        return JSONResponse({"status": "draining"}, status_code=503)
    if is_loading():
        return JSONResponse({"status": "loading"}, status_code=503)
    return JSONResponse({"status": "ready"})


def drain_first(
    number: int, seconds: float, stop: Callable[[], None], *, tell: Callable[[], None] | None = None
) -> None:
    """Stops a server that got a signal: at once, or after some seconds in which it says that it is not ready.

    Args:
        number: the signal.
        seconds: how long it serves on.
        stop: stops it.
        tell: tells its workers, where it has any.
    """
    if number != signal.SIGTERM or not seconds or _IS_DRAINING.is_set():
        stop()
        return
    _IS_DRAINING.set()
    if tell is not None:
        tell()
    later = threading.Timer(seconds, stop)
    later.daemon = True
    later.start()


def listen_for_the_end() -> None:
    """Has a worker say that it is not ready once its server tells it."""
    if TOLD is not None:
        signal.signal(TOLD, _note)


def _note(number: int, frame: FrameType | None) -> None:
    del number, frame
    _IS_DRAINING.set()


class DrainingServer(uvicorn.Server):
    """A server that drains before it stops.

    Args:
        config: how it serves.
        seconds: how long it drains.
    """

    def __init__(self, config: uvicorn.Config, seconds: float) -> None:
        super().__init__(config)
        self._seconds = seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Takes a signal that ends the server."""
        drain_first(sig, self._seconds, lambda: super(DrainingServer, self).handle_exit(sig, frame))
