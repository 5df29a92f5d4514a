"""The files of this machine whose content is known: a stamp that is known and can be trusted stands for it.

A stamp can be trusted when the file had been left alone for a while before it was read: a write within the clock's
grain, of the same size, would not show. Stamps from the future are not trusted either.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.index.indexed import Entry
from skeleton.index.records import Aspect, Basics, encoded, read_record
from workspace.git.revisions import is_in_revision, lasting
from workspace.model import Problem, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.store import FactStore, Origins, StampStore
    from workspace.files.reading import SourceFile
    from workspace.files.scan import Scan, ScannedFile, Stamp

SETTLED_NS: Final = 2_000_000_000
"""A file that was last touched less than this before it was read may be written again without a new stamp; two seconds
are the coarsest clock of a file system in use."""

_NO_TEXT: Final = b"no text".ljust(16, b"\0")
"""Stands in the place of a key for a file that is no text, of which nothing else is known."""

_STAMP = struct.Struct("<qqQq")


class Reading(NamedTuple):
    """A file that was read.

    Attributes:
        scanned: what the scan says of it.
        file: what the reader says of it.
        stamp: its stamp, if it can be trusted.
        key: what stands for its content.
        basics: what shows without parsing.
    """

    scanned: ScannedFile
    file: SourceFile
    stamp: Stamp | None
    key: bytes
    basics: Basics


class KnownFiles:
    """Knows which content files have. Threads may share it.

    Args:
        stamps: where it is kept between processes, for the files of this machine.
        cache: where it is kept what shows of a content without parsing.
        salt: what else all of that depends on.
        origins: knows the contents of files that were never read; None for nobody.
    """

    def __init__(self, stamps: StampStore, cache: FactStore, salt: bytes, origins: Origins | None) -> None:
        self._stamps = stamps
        self._cache = cache
        self._salt = salt
        self._origins = origins
        self._known: dict[str, Entry] = {}
        self._recalled: set[str] = set()
        self._spoiled: dict[str, tuple[Stamp, Problem]] = {}
        self._lock = threading.Lock()

    def is_settled(self, file: ScannedFile) -> bool:
        """Tells whether all is known of a file, for as long as its status stays what it is."""
        return self.entry(file) is not None or self.known_problem(file) is not None

    def forget(self, file: ScannedFile) -> None:
        """Forgets a file that turned out not to be what it was known as."""
        self._known.pop(_place(file), None)

    def learn(self, read: Sequence[Reading]) -> list[Entry]:
        """Returns what is known of files that were read, and keeps it."""
        basics = {one.key: one.basics for one in read}
        self._cache.write((int(Aspect.BASICS), key, encoded(known)) for key, known in basics.items())
        entries = [Entry(one.scanned.path, one.stamp, one.key, one.basics) for one in read]
        places = [_place(one.scanned) for one in read]
        self._known.update(zip(places, entries, strict=True))
        stamps = {
            place: (_packed(entry.stamp), entry.key)
            for place, entry in zip(places, entries, strict=True)
            if entry.stamp is not None
        }
        self._stamps.write_stamps(self._salt, stamps)
        return entries

    def note_problems(self, problems: Sequence[tuple[ScannedFile, Problem]]) -> None:
        """Remembers why files cannot be shown, as long as their status stays what it is; that one is no text is kept."""
        kept: dict[str, tuple[bytes, bytes]] = {}
        for file, problem in problems:
            if trusted(file.stamp, time.time_ns()) is not None:
                self._spoiled[_place(file)] = (file.stamp, problem)
                if problem == _no_text(file):
                    kept[_place(file)] = (_packed(file.stamp), _NO_TEXT)
        self._stamps.write_stamps(self._salt, kept)

    def known_problem(self, file: ScannedFile) -> Problem | None:
        """Returns the reason why a file cannot be shown, if it is known; None otherwise."""
        stamp, problem = self._spoiled.get(_place(file), (None, None))
        return problem if problem is not None and stamp == file.stamp and problem.path == file.address else None

    def entry(self, file: ScannedFile) -> Entry | None:
        """Returns what is known of a file, if its status is what it was; None otherwise."""
        entry = self._known.get(_place(file))
        return entry if entry is not None and entry.stamp == file.stamp and entry.path == file.path else None

    def recall(self, found: Scan) -> None:
        """Brings what the cache knows of a folder's files into memory; once for each folder."""
        folder = os.fspath(found.base)
        with self._lock:
            if folder in self._recalled or not found.files:
                return
            self._recalled.add(folder)
        stamps = self._stamps.stamps(self._salt, lasting(folder) if is_in_revision(folder) else folder)
        places = [_place(file) for file in found.files]
        keys = {
            place: (file, row[1])
            for place, file in zip(places, found.files, strict=True)
            if (row := stamps.get(place)) is not None and row[0] == _packed(file.stamp)
        }
        for place in [place for place, (_, key) in keys.items() if key == _NO_TEXT]:
            file, _ = keys.pop(place)
            self._spoiled[place] = (file.stamp, _no_text(file))
        told: dict[str, bytes] = {}
        if self._origins is not None and len(keys) < len(places):
            told = self._origins.keys(found, settled=time.time_ns() - SETTLED_NS)
        new = {
            at: (file, told[at])
            for at, file in zip(places, found.files, strict=True)
            if at in told and at not in keys and at not in self._spoiled
        }
        keys |= new
        values = self._cache.read(Aspect.BASICS, [*{key for _, key in keys.values()}])
        for place, (file, key) in keys.items():
            basics = read_record(values.get(key), Basics)
            if basics is not None:
                self._known[place] = Entry(file.path, file.stamp, key, basics)
        learnt = {place: (_packed(file.stamp), key) for place, (file, key) in new.items() if place in self._known}
        self._stamps.write_stamps(self._salt, learnt)
        gone = stamps.keys() - set(places)
        self._stamps.forget_stamps(self._salt, [path for path in gone if not os.path.lexists(path)])


def trusted(stamp: Stamp, now: int) -> Stamp | None:
    """Returns a stamp that can be trusted, as the file had been left alone for a while; None for another.

    Args:
        stamp: of a file.
        now: nanoseconds, by the clock, before the file was read.
    """
    return stamp if now - max(stamp.mtime_ns, stamp.ctime_ns) >= SETTLED_NS else None


def _place(file: ScannedFile) -> str:
    """Returns the place under which the facts of a file are kept; all commits of a repository share one."""
    place = os.fspath(file.absolute)
    return lasting(place) if is_in_revision(place) else place


def _no_text(file: ScannedFile) -> Problem:
    """Returns the problem of a file that is no text, as `read_file` tells it."""
    return Problem(path=file.address, kind=ProblemKind.BINARY, detail=f"{file.size} bytes")


def _packed(stamp: Stamp) -> bytes:
    return _STAMP.pack(stamp.mtime_ns, stamp.size, stamp.inode, stamp.ctime_ns)
