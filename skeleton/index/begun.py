"""The work that workers begin with before a call asks for it: on files as they are read, and on those that will be shown."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from skeleton.index.ahead import Keyed
from skeleton.index.gathering import TOGETHER_BYTES, WINDOW_BYTES, Foreseen
from skeleton.index.mixture import main_languages
from skeleton.index.records import OF_SKETCH, Aspect, worked_out_with
from skeleton.index.work import task_of
from skeleton.index.workers import WORTH_STARTING_BYTES, Parsers
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.ahead import Ahead
    from skeleton.index.indexed import Entry, IndexedFile
    from skeleton.index.store import FactStore
    from workspace.files.scan import ScannedFile

BEGUN_FILES: Final = 4
"""Of what will be asked for a worker is sent so many files at a time, unless they are large: to take its answers and send it
more takes a moment of the process that is busy with the call."""


class Begun:
    """Has workers begin ahead, and ends that when the call comes to it. Threads may share it.

    Args:
        workers: what parses.
        cache: where facts are kept, and what is found goes.
        encoding: the vocabulary that tokens are counted in.
        redact: whether secrets are taken out of what is shown.
    """

    def __init__(self, workers: Parsers, cache: FactStore, encoding: str, *, redact: bool) -> None:
        self._workers = workers
        self._cache = cache
        self._encoding = encoding
        self._redact = redact
        self._aheads: list[Ahead[Any]] = []
        self._lock = threading.Lock()

    def reading(self, new: int, first: frozenset[Aspect], files: Sequence[ScannedFile]) -> Foreseen | None:
        """Makes workers ready, and has them begin with files as they are read, where it is known what is asked of them first.

        Args:
            new: bytes of what is new.
            first: what will be asked first; nothing where that is not known.
            files: of which files.

        Returns:
            What takes the files as they are read; None where no worker begins.
        """
        if not first:
            self._workers.prepare(new, self._encoding)
            return None
        ahead = self._workers.begin(new, self._encoding, self._keep_found, main_languages(files))
        if ahead is None:
            return None
        with self._lock:
            self._aheads.append(ahead)
        return Foreseen(self._cache, ahead, first, files, redact=self._redact)

    def foresee_levels(self, files: Sequence[ScannedFile], entries: Sequence[Entry | None]) -> None:
        """Makes ready to render files that are known and were never shown, if there are many: to rank all takes a while."""
        known = [(file, entry.key) for file, entry in zip(files, entries, strict=True) if entry is not None]
        held = self._cache.held(Aspect.WEIGHTS, [key for _, key in known])
        left = [file for file, key in known if key not in held]
        if sum(file.size for file in left) >= WORTH_STARTING_BYTES:
            self._workers.foresee(self._encoding, main_languages(left))

    def begin(self, files: Sequence[IndexedFile], aspect: Aspect) -> None:
        """Has idle workers begin with an aspect of some files, one by one, until the call asks for any.

        Args:
            files: those that it will come to; the likeliest first.
            aspect: what it will ask of them.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        if self._cache.may_be_elsewhere:
            return
        tasks = self._tasks(files, aspect)
        size = sum(len(one.task.raw) for one in tasks)
        ahead = self._workers.begin(size, self._encoding, self._keep_found)
        if ahead is None:
            return
        with self._lock:
            self._aheads.append(ahead)
        together, size = list[Keyed](), 0
        for one in tasks:
            together.append(one)
            size += len(one.task.raw)
            if size > TOGETHER_BYTES or len(together) >= BEGUN_FILES:
                ahead.add(together)
                together, size = [], 0
        ahead.add(together)
        ahead.close()

    def end(self, files: Sequence[IndexedFile], aspect: Aspect) -> None:
        """Ends what was begun ahead, before it is looked up what is known of some files; or has all of them worked out."""
        with self._lock:
            aheads, self._aheads = self._aheads, []
        for ahead in aheads:
            is_window = sum(file.basics.bytes for file in files) <= WINDOW_BYTES
            tasks = self._tasks(files, aspect) if is_window and aspect not in OF_SKETCH else ()
            ahead.finish(tasks, stop_if_cancelled) if tasks else ahead.end(stop_if_cancelled)

    def close(self) -> None:
        """Ends all that was begun."""
        for ahead in self._aheads:
            ahead.end()

    def _keep_found(self, found: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
        self._cache.write((kind, key, value) for key, aspects in found for kind, value in aspects.items())

    def _tasks(self, files: Sequence[IndexedFile], aspect: Aspect) -> list[Keyed]:
        """The tasks that give an aspect of those of some files of which it is not known, and all that comes with it."""
        known = self._cache.held(aspect, [file.key for file in files])
        return [
            Keyed(
                key,
                task_of(
                    file.as_read, sorted({aspect}.union(file.wanted & worked_out_with(aspect))), redact=self._redact
                ),
            )
            for key, file in {file.key: file for file in files}.items()
            if key not in known
        ]
