"""A real server whose engine misbehaves in the way that its first argument names: run as a program by tests."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn

from allocator import ContextEngine
from server import ending
from server.__main__ import main
from workspace.cancellation import CallCancelledError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator import ContextResult

real_get_context = ContextEngine.get_context

LONG_GRACE = 20.0
"""Seconds for an engine that stops when it is told to: on a machine with much to do it may take a while to hear it."""


class PanicError(BaseException):
    """The exception of native extensions that panic: no `Exception`."""


def noisy(engine: ContextEngine, path: str, **arguments: Any) -> ContextResult:
    """Writes to standard output in every way there is."""
    print("a stray print")  # noqa: T201 - the point of it
    os.write(1, b"bytes on descriptor 1\n")
    subprocess.run([sys.executable, "-c", "print('a child that prints')"], check=True)
    print("left in the buffer", end="")  # noqa: T201 - as above
    return real_get_context(engine, path, **arguments)


def crashing(engine: ContextEngine, path: str, **arguments: Any) -> ContextResult:
    """Fails with a message that must not be passed on."""
    raise KeyError("/etc/outside/the/roots")


def panicking(engine: ContextEngine, path: str, **arguments: Any) -> ContextResult:
    """Fails as native code does."""
    raise PanicError("/etc/outside/the/roots")


def endless(
    engine: ContextEngine, path: str, *, progress: Callable[[int, int, str], None], **arguments: Any
) -> ContextResult:
    """Works until it is told to stop."""
    pause = threading.Event()
    done = 0
    try:
        while True:
            progress(done, 0, "working")
            done += 1
            pause.wait(0.05)
    except CallCancelledError:
        sys.stderr.write("the engine has stopped\n")
        sys.stderr.flush()
        raise


def deaf(engine: ContextEngine, path: str, *, progress: Callable[[int, int, str], None], **arguments: Any) -> None:
    """Reports once and then works on without ever looking up."""
    progress(1, 2, "working")
    threading.Event().wait()


def pause() -> None:
    """Works on for good, whoever is gone."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Event().wait()


def breeding(engine: ContextEngine, path: str, **arguments: Any) -> None:
    """Starts processes that end by themselves at no time, and is deaf as well."""
    worker = multiprocessing.get_context("spawn").Process(target=pause)
    worker.start()
    child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    sys.stderr.write(f"children: {worker.pid} {child.pid}\n")
    sys.stderr.flush()
    threading.Event().wait()


def serve(arguments: Sequence[str]) -> NoReturn:
    """Serves with an engine that misbehaves as the first argument says, until the service ends."""
    mischief = {mischief.__name__: mischief for mischief in (noisy, crashing, panicking, endless, deaf, breeding)}
    ContextEngine.get_context = mischief[arguments[0]]  # pyright: ignore[reportAttributeAccessIssue] - on purpose
    if arguments[0] == endless.__name__:
        ending.GRACE = LONG_GRACE
    sys.argv[1:] = ["serve", *arguments[1:]]
    main()


if __name__ == "__main__":
    serve(sys.argv[1:])
