"""Starts a worker: as a program of its own, or as a fork of this process.

A program of its own loads all that it needs first, for a tenth of a second and more; a fork has what this process has, at
once. But a process with threads cannot be forked safely, and one that holds what it was entrusted with should not be. So
forks are for a process that is there for one call and says so (`Workers`), while it has a single thread, on Linux.
Everywhere else, and in the place of a worker that died, a program is started.

A fork can have a twin: when it has loaded what levels take, it forks itself. The patterns of a language take up to a third of a
second to load; so they are loaded once, and the process that called need not load them at all.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from contextvars import Context
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast

from skeleton.index.worker import TWIN, first_task, main

try:
    import fcntl
except ImportError:  # Windows, where nothing is forked
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_THREADS: Final = Path("/proc/self/task")
_HOME: Final = str(Path(__file__).resolve().parents[2])
_STARTER: Final = """
import sys
from importlib.machinery import PathFinder
home = sys.argv[2]
class Own:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [home]) if name in ("skeleton", "workspace") else None
sys.meta_path.insert(0, Own)
sys.path[:] = sys.argv[3:]
from skeleton.index.worker import main
main(sys.argv[1])
"""
"""A worker finds these packages where its parent found them, and looks into no folder that it was started in."""


class Process(Protocol):
    """A process that was started, as `subprocess.Popen` is one."""

    @property
    def pid(self) -> int:
        """Its number."""
        ...

    def poll(self) -> int | None:
        """Its exit code, or the negative number of the signal that ended it; None while it runs."""
        ...

    def wait(self) -> int:
        """Waits for its end; returns what `poll` then does."""
        ...

    def kill(self) -> None:
        """Ends it at once, if it runs."""
        ...


class Started(NamedTuple):
    """A worker's process, and the pipes to it and from it; the same for the twin that it may have."""

    process: Process
    requests: BinaryIO
    replies: BinaryIO
    twin: tuple[BinaryIO, BinaryIO] | None = None


def can_fork() -> bool:
    """Tells whether a worker can be a fork of this process, now."""
    return sys.platform == "linux" and _has_one_thread()


def started(encoding: str, *, forks: bool, has_twin: bool = False, loads: bool = True) -> Started:
    """Starts a worker.

    Args:
        encoding: the vocabulary that it will count with.
        forks: whether it may be a fork of this process.
        has_twin: whether it has a twin then, as soon as it has loaded what levels take.
        loads: whether this process loads what every worker needs, before a fork: it is going to need it itself.

    Raises:
        OSError: the system gives no process.
    """
    if forks and can_fork():
        if loads:
            first_task(encoding)
        return _forked(encoding, has_twin=has_twin)
    process = subprocess.Popen(
        [sys.executable, "-P", "-S", "-c", _STARTER, encoding, _HOME, *filter(None, sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    return Started(process, cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout))


def _has_one_thread() -> bool:
    """Tells whether this process has no thread but this one, not even one of a library."""
    try:
        return sum(1 for _ in _THREADS.iterdir()) == 1 and threading.current_thread() is threading.main_thread()
    except OSError:
        return False


def _forked(encoding: str, *, has_twin: bool) -> Started:
    pipes = [os.pipe() for _ in range(4 if has_twin else 2)]
    theirs = [
        end for (asked, _), (_, answered) in zip(pipes[::2], pipes[1::2], strict=True) for end in (asked, answered)
    ]
    try:
        pid = os.fork()
    except OSError:
        for pipe in pipes:
            for end in pipe:
                os.close(end)
        raise
    if not pid:
        _serve_and_end(theirs, encoding)
    for end in theirs:
        os.close(end)
    ours = [
        (os.fdopen(requests, "wb"), os.fdopen(replies, "rb"))
        for (_, requests), (replies, _) in zip(pipes[::2], pipes[1::2], strict=True)
    ]
    return Started(_Fork(pid), *ours[0], ours[1] if has_twin else None)


def _serve_and_end(ends: Sequence[int], encoding: str) -> NoReturn:
    """Is a worker, in a process that was forked, and never comes back: what it has of the other's is left alone.

    Args:
        ends: of its pipes, to read from and to write to, and of its twin's, if it may have one.
        encoding: the vocabulary that it will count with.
    """
    code = 1
    try:
        assert fcntl is not None
        gc.freeze()  # nothing of it is taken apart: a file that is closed twice may be another one by then
        all_numbers = (0, 1, *TWIN)
        own = all_numbers[: len(ends)]
        apart = [
            fcntl.fcntl(end, fcntl.F_DUPFD, TWIN[-1] + 1) for end in ends
        ]  # none is a number that another one gets
        for number, end in zip(own, apart, strict=True):
            os.dup2(end, number)
        os.closerange(max(own[-1], 2) + 1, os.sysconf("SC_OPEN_MAX"))
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        alone = Context()  # a limit on the time of the other's call is none of this one's
        alone.run(main, encoding, has_twin=own == all_numbers)
    except SystemExit:
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it is, it must not reach the code that forked
        with suppress(BaseException):
            sys.excepthook(*cast("tuple[type[BaseException], BaseException, None]", sys.exc_info()))
            sys.stderr.flush()
    finally:
        os._exit(code)


class Distant:
    """A process that another one forked, of which it shows whether it runs, and not how it ended.

    Args:
        pid: its number, while it is sure to be its own.

    Raises:
        OSError: there is no process of that number, or the system gives nothing to hold one by (Linux before 5.3).
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        if not hasattr(os, "pidfd_open"):
            raise OSError("this Python cannot hold a process")
        self._hold = os.pidfd_open(pid)
        weakref.finalize(self, os.close, self._hold)

    def poll(self) -> int | None:
        """As of `Process`."""
        return -signal.SIGKILL if select.select([self._hold], [], [], 0)[0] else None

    def wait(self) -> int:
        """As of `Process`."""
        select.select([self._hold], [], [])
        return -signal.SIGKILL

    def kill(self) -> None:
        """As of `Process`."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._hold, signal.SIGKILL)


class _Fork:
    """A process that was forked.

    Args:
        pid: its number.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None
        self._waiting = threading.Lock()

    def poll(self) -> int | None:
        """As of `Process`."""
        if self._code is None and self._waiting.acquire(blocking=False):
            try:
                self._look(os.WNOHANG)
            finally:
                self._waiting.release()
        return self._code

    def wait(self) -> int:
        """As of `Process`."""
        with self._waiting:
            self._look(0)
        return self._code or 0

    def kill(self) -> None:
        """As of `Process`."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _look(self, options: int) -> None:
        if self._code is not None:
            return
        try:
            pid, status = os.waitpid(self.pid, options)
        except ChildProcessError:  # another waited for it
            self._code = 0
            return
        if pid:
            self._code = os.waitstatus_to_exitcode(status)
