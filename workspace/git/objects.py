"""Reads contents of a repository, one by one, from a git that stays: `git cat-file --batch`.

To start git for each file would cost more than to read it. So a process is asked again and again, and a few wait for the
next question; one that was ended, or had to be, is replaced. An object that is missing, and one that is damaged, which
ends the process, cost themselves alone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING, Final

from workspace.cancellation import stop_if_cancelled
from workspace.git.running import GIT_SECONDS, MOST_BYTES, Git, kill

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_LOOK_SECONDS: Final = 0.05
_PIECE: Final = 1 << 16
_LAST_SECONDS: Final = 1.0
_MOST_IDLE: Final = 8
"""Processes that wait for the next question, of all repositories together."""


class UnreadableObjectError(Exception):
    """An object cannot be read; the text says why, as a clause."""


class Objects:
    """The contents that one repository keeps. It may be used by several threads.

    Args:
        git: in the repository.
        key: stands for the repository, and for how contents are converted.
        converts: whether contents are given as a checkout writes them: ends of lines, encodings and the like as the
            attributes in git's index say.
        settings: configuration of git for this.
        keeps: what has to be there as long as git is at work.
    """

    def __init__(
        self,
        git: Git,
        key: Hashable,
        *,
        converts: bool = False,
        settings: Sequence[tuple[str, str]] = (),
        keeps: object = None,
    ) -> None:
        self._git = git
        self._key = key
        self._converts = converts
        self._settings = settings
        self._keeps = keeps

    def read(self, name: str, path: str = "") -> bytes:
        """Returns the content of an object.

        Args:
            name: its hash.
            path: which file's it is, from the top of the repository on; it decides how it is converted.

        Raises:
            UnreadableObjectError: it is missing, damaged, or git cannot say.
        """
        stop_if_cancelled()
        for is_last in (False, True):
            waiting = _IDLE.take(self._key)
            talk = waiting or self._begin()
            try:
                found = talk.ask(name, os.fsencode(path) if self._converts else b"")
            except _EndedError as error:
                talk.end()
                if waiting is None or is_last:  # one that had waited may have been ended by anybody
                    raise UnreadableObjectError("its object in the repository is damaged") from error
            except UnreadableObjectError:
                _IDLE.give(self._key, talk)
                raise
            except BaseException:  # what it still says would be taken for the next answer
                talk.end()
                raise
            else:
                _IDLE.give(self._key, talk)
                return found
        raise AssertionError("the last try returns or raises")

    def _begin(self) -> _Talk:
        words = ("cat-file", "--batch", "--filters") if self._converts else ("cat-file", "--batch")
        try:
            command, folder, environment = self._git.command(words, self._settings)
            return _Talk(command, folder, environment, self._keeps)
        except OSError as error:
            raise UnreadableObjectError(f"git could not be started ({error.strerror})") from error


class _EndedError(Exception):
    """Git ended instead of answering."""


class _Talk:
    """One process of git, and what it says."""

    def __init__(self, command: Sequence[str], folder: str, environment: dict[str, str], keeps: object) -> None:
        self._keeps = keeps
        self._parent = os.getpid()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(target=_hear, args=(self._process.stdout, self._pieces), daemon=True).start()

    def ask(self, name: str, path: bytes) -> bytes:
        """Returns the content of one object.

        Raises:
            UnreadableObjectError: it is missing, or no file.
            _EndedError: git ended, or took too long.
        """
        until = time.monotonic() + GIT_SECONDS
        # What is converted has another size than the one told, so what comes behind it is asked for as well.
        end = f"end-{os.urandom(16).hex()}".encode() if path else b""
        line = name.encode() + b" " + path + b"\n" + end + b"\n" if path else name.encode() + b"\n"
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise _EndedError from error
        told = bytearray()
        while (stop := told.find(b"\n")) < 0:
            told += self._heard(until)
        head = bytes(told[:stop]).split(b" ")
        mark = b"\n" + end + b" missing\n" if path else b""
        if len(head) != 3 or not head[2].isdigit():
            self._rest(told, mark, stop + 1, until)
            raise UnreadableObjectError("its object is missing from the repository")
        self._rest(told, mark, stop + 1 if path else stop + 2 + int(head[2]), until)
        return bytes(told[stop + 1 : -max(1, len(mark))])

    def _rest(self, told: bytearray, mark: bytes, size: int, until: float) -> None:
        """Hears out the answer: up to a mark, or where there is none to a size."""
        while len(told) < size or (mark and not told.endswith(mark)):
            told += self._heard(until)
            if len(told) > MOST_BYTES:
                raise _EndedError

    def _heard(self, until: float) -> bytes:
        while True:
            stop_if_cancelled()
            with contextlib.suppress(queue.Empty):
                piece = self._pieces.get(timeout=_LOOK_SECONDS)
                if not piece:
                    raise _EndedError
                return piece
            if time.monotonic() > until:
                raise _EndedError

    def end(self) -> None:
        """Ends the process, and waits until it is gone; one that another process has begun is left to that."""
        if os.getpid() != self._parent:
            return
        kill(self._process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_SECONDS)
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()


class _Idle:
    """The processes that wait; those that have waited longest are ended first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Hashable, int, _Talk]] = []
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> _Talk | None:
        with self._lock:
            for number in reversed(range(len(self._waiting))):
                if self._waiting[number][:2] == (key, os.getpid()):
                    return self._waiting.pop(number)[2]
        return None

    def give(self, key: Hashable, talk: _Talk) -> None:
        with self._lock:
            self._waiting.append((key, os.getpid(), talk))
            ended = self._waiting[:-_MOST_IDLE]
            del self._waiting[:-_MOST_IDLE]
        for _, _, one in ended:
            one.end()

    def end(self) -> None:
        with self._lock:
            ended, self._waiting = self._waiting, []
        for _, _, one in ended:
            one.end()


def _hear(pipe: IO[bytes], pieces: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError), pipe:
        while piece := os.read(pipe.fileno(), _PIECE):
            pieces.put(piece)
    pieces.put(b"")


_IDLE: Final = _Idle()
atexit.register(_IDLE.end)
