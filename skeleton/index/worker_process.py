"""A worker as the process sees it that started it: where it runs, the pipes to it, and the twin that it may have."""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

import msgspec

from skeleton.index.sharing import loaded_for
from skeleton.index.starting import Distant, Started
from skeleton.index.worker import OUT_OF_MEMORY, Batch, Found, read_message, write_message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Death(Enum):
    """The causes of a worker's death."""

    CRASH = auto()
    TIME = auto()
    MEMORY = auto()


_DEATHS: Final[Mapping[int, Death]] = {OUT_OF_MEMORY: Death.MEMORY} | (
    {-signal.SIGPROF: Death.TIME} if hasattr(signal, "SIGPROF") else {}
)
"""By how the process ended; of such a file no other worker is asked."""


class WorkerProcess:
    """One process and the pipes to it.

    Args:
        process: where it runs, and the pipes.
        encoding: the vocabulary that it counts with.

    Attributes:
        twin: the process that it forked when it had loaded what levels take; None where there is none, or none yet.
        is_twin: whether it is one itself.
    """

    def __init__(self, process: Started, encoding: str, *, is_twin: bool = False) -> None:
        self.process, self._requests, self._replies, self._for_twin = process
        self._encoding = encoding
        self.languages: set[str] = set()
        self.twin: WorkerProcess | None = None
        self.is_twin = self.is_ready = self._is_started = is_twin
        self._loading: tuple[str, ...] | None = None
        self._starting = threading.Lock()

    @property
    def may_have_twin(self) -> bool:
        """Tells whether it has a twin, or can have one when it is asked to load."""
        return self.twin is not None or self._for_twin is not None

    @property
    def has_twin(self) -> bool:
        """Tells whether it has a twin, or will when it has loaded what it was asked to."""
        return self.twin is not None or (self._for_twin is not None and self._loading is not None)

    def load(self, languages: Sequence[str]) -> None:
        """Has it load languages, and all else that levels take, before anything that it is asked; it then has a twin."""
        with self._starting, suppress(OSError, ValueError):
            if self._for_twin is not None and self._loading is None:
                self._loading, self.is_ready = tuple(languages), False
                write_message(
                    self._requests, msgspec.msgpack.encode(Batch(self._encoding, (), languages=self._loading))
                )

    def wait_until_ready(self) -> None:
        """Waits until the process has loaded what it needs, or is gone; several threads may."""
        with self._starting:
            if self.is_ready:
                return
            with suppress(OSError, ValueError):  # the pipe broke, or `end` closed it; `ask` will tell
                if not self._is_started:
                    read_message(self._replies)
                if self._loading is not None:
                    self._note_twin(read_message(self._replies))
            self._is_started = self.is_ready = True

    def _note_twin(self, answer: bytes | None) -> None:
        """Takes the twin that it has by now."""
        pipes, self._for_twin = self._for_twin, None
        languages, self._loading = self._loading, None
        pid = 0 if answer is None else msgspec.msgpack.decode(answer, type=int)
        self.languages.update(languages or ())
        if pipes is None:
            return
        try:
            self.twin = WorkerProcess(Started(Distant(pid), *pipes), self._encoding, is_twin=True)
            self.twin.languages.update(languages or ())
        except OSError:  # there is none, or none that could be ended: it ends with its input
            for pipe in pipes:
                pipe.close()

    def ask(self, batch: Batch) -> Found:
        """Sends a batch and waits for the answers: fewer than there are tasks, if the process is gone."""
        self.wait_until_ready()
        found: Found = []
        self.languages.update(filter(None, map(loaded_for, batch.tasks)))
        try:
            write_message(self._requests, msgspec.msgpack.encode(batch))
            while len(found) < len(batch.tasks) and (answer := read_message(self._replies)) is not None:
                found.append(msgspec.msgpack.decode(answer, type=dict[int, bytes]))
        except (OSError, ValueError):  # the pipe broke, or `end` closed it
            pass
        return found

    def death(self) -> Death:
        """The cause of death of the process, which is gone."""
        return _DEATHS.get(self.process.wait(), Death.CRASH)

    def end(self) -> None:
        """Ends the process, and the twin with it."""
        if self.twin is not None:
            self.twin.process.kill()  # before this one is waited for: to end takes a moment
        self.process.kill()
        self.process.wait()
        for pipe in (self._requests, self._replies, *(self._for_twin or ())):
            with suppress(OSError):
                pipe.close()
        if self.twin is not None:
            self.twin.end()


def twins_of(hands: Sequence[WorkerProcess]) -> list[WorkerProcess]:
    """Returns the twins of some workers that live, when all have loaded what they need."""
    for hand in hands:
        hand.wait_until_ready()
    return [hand.twin for hand in hands if hand.twin is not None and hand.twin.process.poll() is None]


def end_all(idle: list[WorkerProcess]) -> None:
    """Ends some workers, and takes them off their list."""
    while idle:
        idle.pop().end()
