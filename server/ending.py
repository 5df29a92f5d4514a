"""Ends a server process with everything that it started.

An engine call works in a thread, and what it started (git, workers) in processes of their own. None of them knows that
the client is gone, and a thread in native code cannot be stopped at all. So a process that has finished its service
gives the calls that are still at work a moment to hear that they are given up and to clean up, then it ends hard, and
takes its descendants along.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import NoReturn

GRACE = 0.4
"""Seconds that calls may take to stop by themselves after the service has ended: the process has to be gone within one.
"""

_PROCESSES = Path("/proc")
_ENDING = threading.Lock()
_CALLS_CHANGE = threading.Condition()
_calls: list[int] = []
"""The threads of the calls that are at work."""

_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Windows has no such signal, and ends a process at once for any."""


@contextmanager
def at_work() -> Generator[None]:
    """Says of the thread, for as long as the context lasts, that it works on a call and may clean up at its end."""
    thread = threading.get_ident()
    with _CALLS_CHANGE:
        _calls.append(thread)
    try:
        yield
    finally:
        with _CALLS_CHANGE:
            _calls.remove(thread)
            _CALLS_CHANGE.notify_all()


def end_when_still(code: int) -> NoReturn:
    """Ends this process with an exit code and kills its descendants, as soon as no call is at work or `GRACE` is over."""
    with _CALLS_CHANGE:
        _CALLS_CHANGE.wait_for(lambda: not _calls, GRACE)
    end_now(code)


def end_after(seconds: float) -> None:
    """Ends this process and its descendants in so many seconds, unless it has ended by itself before."""
    reaper = threading.Timer(seconds, end_now)
    reaper.daemon = True
    reaper.start()


def end_now(code: int = 0) -> NoReturn:
    """Ends this process with an exit code and kills its descendants. Of several threads the first one does."""
    while not _ENDING.acquire(blocking=False):
        threading.Event().wait()
    for process in descendants(os.getpid()):
        try:
            os.kill(process, _KILL)
        except OSError:
            continue  # it ended first
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.flush()  # there may be none
    os._exit(code)


def descendants(process: int) -> list[int]:
    """Returns the children of a process, and theirs. Where the system does not list them: this process's workers."""
    if not _PROCESSES.is_dir():
        return [child.pid for child in multiprocessing.active_children() if child.pid is not None]
    found: list[int] = []
    for listing in _PROCESSES.glob(f"{process}/task/*/children"):
        try:
            children = [int(child) for child in listing.read_text(encoding="ascii").split()]
        except OSError:
            continue  # the thread or the process ended meanwhile
        for child in children:
            found += [child, *descendants(child)]
    return found
