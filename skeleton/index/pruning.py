"""Keeps the cache's file small: the entries that were not used for longest go, a little at a time, beside the calls.

Whoever writes looks at the size of the file, which is one look at its status; where it has outgrown its limit, a thread
with a connection of its own removes entries in transactions that last some milliseconds, gives the freed pages back to
the disk, and ends. Between two of them any other process gets its turn, so several may prune at once: each looks first
how much is left to remove. A process that is killed meanwhile leaves a file that is sound and a little smaller; one that
finds the file locked, the disk full or the folder read-only leaves it, and the next write tries again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

FULL: Final = 0.8
"""A file that takes more than this part of its limit is pruned."""

FILLED: Final = 0.6
"""The part of the limit that a pruned file may take."""

MERGED: Final = 1 / 16
"""The part of the limit that may wait to be merged into the file, while it is pruned."""

_STEP: Final = 1 / 64
"""About the part of the limit that one transaction removes or gives back: the pages that it moves have to be merged."""

_ROWS: Final = 64
_PAGES: Final = 128
"""The most entries that one transaction removes, and the most pages that it gives back: others wait for it to end."""

_PAUSE_SECONDS: Final = 0.01
"""Between two transactions; who waits for the file asks again after one or two milliseconds at first."""

_LEFT_OVER_SECONDS: Final = 86_400
"""Files of other versions, and damaged ones, are removed when they have been left alone for so long."""

_OLDEST: Final = f"SELECT kind, key, used, LENGTH(value) FROM entries ORDER BY used LIMIT {_ROWS}"


class Pruner:
    """Keeps one file under its limit, and notes which entries are in use.

    Args:
        path: the file.
        limit_bytes: with what is not yet merged into it, it should take no more than this.
        connect: opens it.
    """

    def __init__(self, path: Path, limit_bytes: int, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._limit_bytes = limit_bytes
        self._connect = connect
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._touched: list[tuple[int, int, bytes]] = []
        self._has_swept = False

    def look(self) -> int:
        """Returns the size of the file in bytes; sees to it that it is pruned where that is too much."""
        size = size_on_disk(self._path)
        if size > self._limit_bytes * FULL or not self._has_swept:
            self._start()
        return size

    def touch(self, kind: int, keys: Sequence[bytes], now: int) -> None:
        """Has it noted, soon, that entries are in use."""
        with self._lock:
            self._touched += [(now, kind, key) for key in keys]
        self._start()

    def prune(self, *, seconds: float = float("inf")) -> int:
        """Removes what was not used for longest where the file is too large; returns the bytes removed.

        Args:
            seconds: about how long it may take; what is left over then is for the next time.

        Raises:
            sqlite3.Error, OSError: the file cannot be written now.
        """
        before = size_on_disk(self._path)
        if before <= self._limit_bytes * FULL:
            return 0
        until = time.monotonic() + seconds
        with contextlib.closing(self._connect()) as connection:
            self._remove(connection, until)
            self._give_back(connection, until)
        return max(0, before - size_on_disk(self._path))

    def stop(self) -> None:
        """Ends what is under way; returns when it has ended."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            self._stopping.set()
            thread.join()
            self._stopping.clear()
        with contextlib.suppress(sqlite3.Error, OSError):
            self._note_touched()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="cache-pruner", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(sqlite3.Error, OSError):
            if not self._has_swept:
                self._has_swept = True
                self._sweep()
            self._note_touched()
            self.prune()

    def _goes_on(self, connection: sqlite3.Connection, until: float) -> bool:
        """Merges what pruning itself has written, waits for the others' turn, and tells whether there is time left."""
        waiting = _size(waiting_beside(self._path)) / self._limit_bytes
        if waiting > MERGED:
            _merge(connection, at_once=waiting > 2 * MERGED)
        self._stopping.wait(_PAUSE_SECONDS)
        return not self._stopping.is_set() and time.monotonic() < until

    def _remove(self, connection: sqlite3.Connection, until: float) -> None:
        last = -1
        while removed := remove_oldest(connection, int(self._limit_bytes * FILLED)):
            last = max(last, removed)
            if not self._goes_on(connection, until):
                break
        with connection:
            connection.execute("DELETE FROM stamps WHERE used <= ?", (last,))

    def _give_back(self, connection: sqlite3.Connection, until: float) -> None:
        """Gives free pages back to the disk, and merges what is not yet in the file."""
        pages = max(1, min(_PAGES, int(self._limit_bytes * _STEP) // _number(connection, "page_size")))
        while _number(connection, "freelist_count"):
            connection.executescript(f"PRAGMA incremental_vacuum({pages});")  # `execute` would stop after one page
            if not self._goes_on(connection, until):
                break
        _merge(connection, at_once=True)

    def _note_touched(self) -> None:
        with self._lock:
            touched, self._touched = self._touched, []
        if not touched:
            return
        with contextlib.closing(self._connect()) as connection:
            for start in range(0, len(touched), _ROWS):
                with connection:
                    connection.executemany(
                        "UPDATE entries SET used = ? WHERE kind = ? AND key = ?", touched[start : start + _ROWS]
                    )
                self._stopping.wait(_PAUSE_SECONDS)

    def _sweep(self) -> None:
        """Removes what other versions, and damage, have left beside the file."""
        for place in self._path.parent.glob("index-*"):
            is_ours = place.name.startswith(self._path.name)
            if not is_ours and time.time() - place.stat().st_mtime > _LEFT_OVER_SECONDS:
                place.unlink(missing_ok=True)


def size_on_disk(path: Path) -> int:
    """Returns the bytes of a database, and of what is not yet merged into it."""
    return _size(path) + _size(waiting_beside(path))


def waiting_beside(path: Path) -> Path:
    """Returns where lies what is not yet merged into a database."""
    return path.with_name(f"{path.name}-wal")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _merge(connection: sqlite3.Connection, *, at_once: bool) -> None:
    """Merges into the file what waits beside it: as much as is in nobody's way, then the rest `at_once`."""
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    if at_once:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def remove_oldest(connection: sqlite3.Connection, most_bytes: int) -> int:
    """Removes some of what was not used for longest from a store that takes too much, in one transaction.

    Args:
        connection: the store's.
        most_bytes: what the store may take.

    Returns:
        When the last of the removed entries was used, in seconds; 0 where nothing is to be removed.
    """
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        excess = used_bytes(connection) - most_bytes
        if excess <= 0:
            return 0
        excess = min(excess, most_bytes * _STEP)
        oldest = connection.execute(_OLDEST).fetchall()
        while len(oldest) > 1 and sum(row[3] for row in oldest[:-1]) >= excess:
            oldest.pop()
        if not oldest:
            connection.execute("DELETE FROM stamps")
            return 0
        connection.executemany("DELETE FROM entries WHERE kind = ? AND key = ?", [row[:2] for row in oldest])
        return max(1, oldest[-1][2])


def used_bytes(connection: sqlite3.Connection) -> int:
    """Returns the bytes of the pages of a store that hold something."""
    pages = _number(connection, "page_count") - _number(connection, "freelist_count")
    return pages * _number(connection, "page_size")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
