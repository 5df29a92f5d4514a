"""One pass over the files of a scan: what is known is taken as it is, what is new is read, a window at a time.

Files of which it is known what will be asked first are handed to workers while others are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from skeleton.index.ahead import Keyed
from skeleton.index.indexed import Entry, IndexedFile, Source
from skeleton.index.known import Reading, trusted
from skeleton.index.records import Aspect, basics_of
from skeleton.index.work import task_of
from workspace.cancellation import still_wanted
from workspace.files.reading import SourceFile, read_file
from workspace.files.scan import ScannedFile
from workspace.model import Problem, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.ahead import Ahead
    from skeleton.index.known import KnownFiles
    from skeleton.index.store import FactStore
    from workspace.files.scan import Scan
    from workspace.roots import Roots

WINDOW_BYTES: Final = 32 << 20
"""Sources held in memory at one time, in bytes."""

WINDOW_FILES: Final = 4096

HELD_BYTES: Final = 64 << 20
"""Sources kept to the end of a call, because they may be shown, in bytes; others are read again if they are."""

TOGETHER_BYTES: Final = 1 << 16
TOGETHER_FILES: Final = 16
"""Bytes and files that a worker is sent at a time while others are read: few, as who asks for their results waits for what is
at work."""

Progress = Callable[[int, int, str], None]
"""Is told the steps done, the steps there are, and what is being done. What it raises ends the call."""


class Learner(Source, Protocol):
    """Gives files what a pass does not bring: `skeleton.index.code_index.CodeIndex`.

    Attributes:
        roots: the folders that may be read.
    """

    roots: Roots

    def key(self, read: SourceFile) -> bytes:
        """Returns what stands for a file's content."""
        ...


class Foreseen:
    """Hands files to workers, as they are read, of which it is known what will be asked first.

    Those that take a parser are left out: whether a language is worth loading for a worker shows when all are read.

    Args:
        cache: where facts are kept.
        ahead: takes the tasks.
        aspects: what will be asked.
        files: of which files; of those that a program wrote it is not.
        redact: whether secrets are taken out of what is shown.
    """

    def __init__(
        self,
        cache: FactStore,
        ahead: Ahead[Any],
        aspects: frozenset[Aspect],
        files: Sequence[ScannedFile],
        *,
        redact: bool,
    ) -> None:
        self._cache = cache
        self._redact = redact
        self._ahead = ahead
        self._aspects = sorted(aspects)
        self._files = {*map(id, files)}
        self._together: list[Reading] = []
        self._bytes = 0

    def add(self, one: Reading) -> None:
        """Takes a file that was read."""
        if id(one.scanned) in self._files and not one.basics.machine_made:
            self._together.append(one)
            self._bytes += one.basics.bytes
            if self._bytes > TOGETHER_BYTES or len(self._together) >= TOGETHER_FILES:
                self._send()

    def close(self) -> None:
        """Says that all are read."""
        self._send()
        self._ahead.close()

    def give_up(self) -> None:
        """Says that nobody wants any of it any more."""
        self._ahead.end()

    def _send(self) -> None:
        from skeleton.index.sketched import takes_parser  # where something is new alone

        known = self._cache.held(self._aspects[0], [one.key for one in self._together])
        self._ahead.add(
            [
                Keyed(one.key, task_of(one.file, self._aspects, redact=self._redact))
                for one in self._together
                if one.key not in known and not takes_parser(one.file.path, one.file.source)
            ]
        )
        self._together, self._bytes = [], 0


class Gathering:
    """One pass over the files of a scan.

    Args:
        index: gives the files what is looked up later.
        known: knows files, and is told what is read.
        found: the scan.
        wanted: what the call is going to ask for.
        foreseen: takes files that are read; None where nobody does.
        progress: is told of every file that is read; what it raises ends the pass.
    """

    def __init__(
        self,
        index: Learner,
        known: KnownFiles,
        found: Scan,
        wanted: frozenset[Aspect],
        foreseen: Foreseen | None,
        progress: Progress | None,
    ) -> None:
        self._index = index
        self._known = known
        self._found = found
        self._wanted = wanted
        self._foreseen = foreseen
        self._progress = progress
        self._slots: list[IndexedFile | None] = [None] * len(found.files)
        self._problems: list[Problem] = []
        self._lasting: list[tuple[ScannedFile, Problem]] = []
        """Those that stay as long as the file stays as it is."""
        self._window: list[tuple[int, Reading]] = []
        self._window_bytes = 0
        self._held_bytes = 0

    def run(self, known: Sequence[Entry | None]) -> tuple[list[IndexedFile], list[Problem]]:
        """Returns the files, and why others cannot be shown.

        Args:
            known: what is known of each file of the scan; None where it has to be read.
        """
        for number, (file, entry) in enumerate(still_wanted(zip(self._found.files, known, strict=True))):
            if entry is not None:
                self._slots[number] = IndexedFile(entry, file, self._index, wanted=self._wanted)
                continue
            if (problem := self._known.known_problem(file)) is not None:
                self._problems.append(problem)
                continue
            if self._progress is not None:
                self._progress(number, len(known), f"reading {file.path}")
            self._read(number, file)
        if self._foreseen is not None:
            self._foreseen.close()
        self._settle()
        self._known.note_problems(self._lasting)
        return [file for file in self._slots if file is not None], self._problems

    def _read(self, number: int, file: ScannedFile) -> None:
        now = time.time_ns()
        read = read_file(file, roots=self._index.roots)
        if isinstance(read, Problem):
            self._note(file, read)
            return
        stamp = trusted(read.stamp, now)
        one = Reading(file, read, stamp, self._index.key(read), basics_of(file.path, read.raw, read.source))
        if self._foreseen is not None:
            self._foreseen.add(one)
        self._window.append((number, one))
        self._window_bytes += len(read.raw)
        if self._window_bytes > WINDOW_BYTES or len(self._window) > WINDOW_FILES:
            self._settle()

    def _note(self, file: ScannedFile, problem: Problem) -> None:
        self._problems.append(problem)
        if problem.kind is not ProblemKind.UNREADABLE:  # rights may change without a new stamp of the file
            self._lasting.append((file, problem))

    def _settle(self) -> None:
        if not self._window:
            return
        readings = [reading for _, reading in self._window]
        entries = self._known.learn(readings)
        for (number, reading), entry in zip(self._window, entries, strict=True):
            held = reading.file if self._held_bytes < HELD_BYTES else None
            self._held_bytes += len(reading.file.raw)
            self._slots[number] = IndexedFile(entry, reading.scanned, self._index, held, self._wanted)
        self._window = []
        self._window_bytes = 0
