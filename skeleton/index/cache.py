"""The store of facts and stamps on disk, in one SQLite file; facts are found by the content that they come from.

One SQLite file (WAL) in the user's cache folder, shared by any number of processes. It holds two things:

    entries   (kind, key) -> value. The key digests everything that the value depends on, so a value is never wrong,
              only unused; a moved file or a switched branch finds what is there.
    stamps    (salt, path) -> stamp and key. What tells without reading a file which key its content has. The salt
              digests what keys depend on beside the content, so another version of the program starts anew.

A cache costs nobody a call. Whatever SQLite raises (the file is corrupt, locked, read-only, the disk is full) is noted
in `problem`, and the work goes on: what the disk does not take is held in memory, as much as fits (`Spare`). A file that
is no database is moved aside and begun again. Every value carries a checksum, so that a damaged one counts as missing.

What was not used for longest goes first when the file outgrows its limit; that happens by itself, beside the calls
(`skeleton.index.pruning`). A file that grows faster than it is pruned takes nothing more for a while.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import weakref
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from skeleton.index.pruning import FILLED, Pruner, remove_oldest, size_on_disk, used_bytes
from skeleton.index.spare import Spare
from workspace.cancellation import stop_if_cancelled
from workspace.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

SCHEMA: Final = 2
"""Of the tables below; another one is another file."""

LIMIT_BYTES: Final = 1 << 30
"""The most that the file may take, with what is not yet merged into it. A file that is that large takes nothing more."""

MEMORY_LIMIT_BYTES: Final = 256 << 20
"""The same for a store in memory."""

_BATCH_PART: Final = 16
_BATCH_BYTES: Final = 4 << 20
"""One transaction writes no more than this, and no more than a sixteenth of the limit: what is not yet merged into the
file counts as well, and others wait for a transaction to end."""

_PAGE_BYTES: Final = 4096
_MERGED_PAGES: Final = 4000
_MERGED_PART: Final = 32
"""Pages that wait to be merged into the file, at the most; for a small limit this part of it."""

_PATIENCE_SECONDS: Final = 1.0
_PRUNER_PATIENCE_SECONDS: Final = 0.25
"""The time that a call waits for a file that another process holds; and pruning, which may hold it while it waits for
those who read it, less long than those who wait for it."""

_REST_SECONDS: Final = 5.0
_CHUNK: Final = 500
_SECONDS_A_DAY: Final = 86_400
_SECONDS_AN_HOUR: Final = 3_600
_CHECKSUM_BYTES: Final = 4
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS entries (
    kind INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key)
);
CREATE INDEX IF NOT EXISTS entries_by_use ON entries (used);
CREATE TABLE IF NOT EXISTS stamps (
    salt BLOB NOT NULL, path BLOB NOT NULL, stamp BLOB NOT NULL, key BLOB NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (salt, path)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS uses (outcome TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
"""


class CacheStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a cache.

    Attributes:
        path: the file; None for one in memory.
        size: bytes on disk, with what is not yet merged into the file.
        entries: stored values.
        files: files whose content is known by their stamp.
        hits, misses: values asked for, by any process, that were and were not there.
        problem: why it does not work, or "".
    """

    path: Path | None
    size: int
    entries: int
    files: int
    hits: int
    misses: int
    problem: str


class Cache:
    """The store. Every method may be called from any thread, and none of them raises on what the disk does.

    Args:
        folder: where the file lies or is made; None for a store in memory, which ends with the process.
        limit_bytes: the file is kept under this size.
    """

    def __init__(self, folder: Path | None, *, limit_bytes: int = LIMIT_BYTES) -> None:
        self.path = None if folder is None else folder / f"index-{SCHEMA}.sqlite3"
        self.problem = ""
        """Tells why the last that was to be stored was not, or what was asked for could not be read; "" where all works."""
        self._limit_bytes = limit_bytes if folder is not None else min(limit_bytes, MEMORY_LIMIT_BYTES)
        self._pruner = (
            None
            if self.path is None
            else Pruner(self.path, limit_bytes, partial(self._connected, _PRUNER_PATIENCE_SECONDS))
        )
        self._spare = Spare()
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._ending: weakref.finalize[..., Cache] | None = None
        self._resting_until = 0.0
        self._hits = 0
        self._misses = 0

    @property
    def in_memory(self) -> bool:
        """Tells whether the store ends with the process."""
        return self.path is None

    @property
    def may_be_elsewhere(self) -> bool:
        """Tells whether others may have worked out what this machine has not."""
        return False

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values that are stored for some keys; what is missing or damaged is left out."""
        found: dict[bytes, bytes] = {}
        uses: dict[bytes, int] = {}
        with self._guarded() as connection:
            if connection is not None:
                for start in range(0, len(keys), _CHUNK):
                    stop_if_cancelled()
                    chunk = keys[start : start + _CHUNK]
                    marks = ",".join("?" * len(chunk))
                    rows = connection.execute(
                        f"SELECT key, value, used FROM entries WHERE kind = ? AND key IN ({marks})",
                        (kind, *chunk),
                    )
                    for key, value, used in rows:
                        if (content := _checked(value)) is not None:
                            found[key] = content
                            uses[key] = used
        self._touch(kind, uses)
        if len(found) < len(keys):
            found |= self._spare.find(kind, keys)
        self._hits += len(found)
        self._misses += len(keys) - len(found)
        return found

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value."""
        held: set[bytes] = {*self._spare.find(kind, keys)}
        with self._guarded() as connection:
            if connection is not None:
                for start in range(0, len(keys), _CHUNK):
                    stop_if_cancelled()
                    chunk = keys[start : start + _CHUNK]
                    marks = ",".join("?" * len(chunk))
                    rows = connection.execute(
                        f"SELECT key FROM entries WHERE kind = ? AND key IN ({marks})", (kind, *chunk)
                    )
                    held.update(key for (key,) in rows)
        return held

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Stores values, each with its kind and key; in memory, what the file does not take."""
        now = _now()
        largest = min(self._limit_bytes // _BATCH_PART, _BATCH_BYTES)
        for batch in _batches(entries, largest):
            if not self._take([(kind, key, _signed(value), now) for kind, key, value in batch], largest):
                self._spare.keep(batch)

    def _take(self, rows: Sequence[tuple[int, bytes, bytes, int]], largest: int) -> bool:
        """Stores rows in one transaction; tells whether they are in the file."""
        if self._pruner is not None and self._pruner.look() > self._limit_bytes:
            return False
        if len(rows) == 1 and len(rows[0][2]) > largest + _CHECKSUM_BYTES:
            return False
        taken = False
        with self._guarded() as connection:
            if connection is not None:
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
                taken = True
                self.problem = ""
                if self.path is None and used_bytes(connection) > self._limit_bytes:
                    while remove_oldest(connection, int(self._limit_bytes * FILLED)):
                        pass
        return taken

    def stamps(self, salt: bytes, folder: str) -> dict[str, tuple[bytes, bytes]]:
        """Returns stamp and key of every file that is known below a folder, by path."""
        prefix = os.path.join(folder, "")  # noqa: PTH118 - a path as the system writes it, with its end
        behind = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        with self._guarded() as connection:
            if connection is not None:
                rows = connection.execute(
                    "SELECT path, stamp, key FROM stamps WHERE salt = ? AND path >= ? AND path < ?",
                    (salt, _stored(prefix), _stored(behind)),
                )
                return {_given(path): (stamp, key) for path, stamp, key in rows}
        return {}

    def write_stamps(self, salt: bytes, stamps: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Stores stamp and key of files, by path."""
        now = _now()
        with self._guarded() as connection:
            if connection is not None and stamps:
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO stamps VALUES (?, ?, ?, ?, ?)",
                        [(salt, _stored(path), stamp, key, now) for path, (stamp, key) in stamps.items()],
                    )

    def forget_stamps(self, salt: bytes, paths: Iterable[str]) -> None:
        """Removes what is known of files that are gone."""
        rows = [(salt, _stored(path)) for path in paths]
        with self._guarded() as connection:
            if connection is not None and rows:
                with connection:
                    connection.executemany("DELETE FROM stamps WHERE salt = ? AND path = ?", rows)

    def prune(self, *, seconds: float = float("inf")) -> int:
        """Removes what was not used for longest, should the file be over its limit; returns the bytes removed.

        Args:
            seconds: about how long it may take; what is left over then is for the next time.
        """
        if self._pruner is None:
            return 0
        self._pruner.stop()
        try:
            return self._pruner.prune(seconds=seconds)
        except (sqlite3.Error, OSError) as error:
            with self._lock:
                self._note(error)
            return 0

    def clear(self) -> None:
        """Removes everything."""
        self._spare.clear()
        with self._guarded() as connection:
            if connection is not None:
                with connection:
                    connection.execute("DELETE FROM entries")
                    connection.execute("DELETE FROM stamps")
                    connection.execute("DELETE FROM uses")
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def statistics(self) -> CacheStatistics:
        """Returns what the cache holds now."""
        entries = files = 0
        uses = {"hits": self._hits, "misses": self._misses}
        with self._guarded() as connection:
            if connection is not None:
                for outcome, number in connection.execute("SELECT outcome, number FROM uses"):
                    uses[outcome] += number
                entries = connection.execute("SELECT COUNT(*) FROM entries").fetchone()[0]
                files = connection.execute("SELECT COUNT(*) FROM stamps").fetchone()[0]
        return CacheStatistics(
            path=self.path,
            size=0 if self.path is None else size_on_disk(self.path),
            entries=entries,
            files=files,
            hits=uses["hits"],
            misses=uses["misses"],
            problem=self.problem,
        )

    def close(self) -> None:
        """Gives the file back; a later call opens it again."""
        if self._pruner is not None:
            self._pruner.stop()
        uses = [("hits", self._hits), ("misses", self._misses)]
        with self._guarded() as connection:
            if connection is not None and any(number for _, number in uses):
                with connection:
                    connection.executemany(
                        "INSERT INTO uses VALUES (?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number",
                        uses,
                    )
                self._hits = self._misses = 0
        self._give_back()

    def _give_back(self) -> None:
        with self._lock:
            if self._ending is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._ending()
            self._connection = self._ending = None

    def _touch(self, kind: int, uses: Mapping[bytes, int]) -> None:
        """Has it noted which values are in use: once a day, and once an hour where room is short."""
        if self._pruner is None or not uses:
            return
        now = _now()
        long = _SECONDS_A_DAY
        if min(uses.values()) < now - _SECONDS_AN_HOUR and self._pruner.look() > self._limit_bytes // 2:
            long = _SECONDS_AN_HOUR
        if stale := [key for key, used in uses.items() if used < now - long]:
            self._pruner.touch(kind, stale, now)

    @contextlib.contextmanager
    def _guarded(self) -> Generator[sqlite3.Connection | None]:
        """The connection, or None; what SQLite raises ends the block and becomes the problem."""
        with self._lock:
            try:
                yield self._open()
            except (sqlite3.Error, OSError) as error:
                self._note(error)

    def _note(self, error: Exception) -> None:
        """Keeps the problem, and out of the way of a cache that would make every call wait."""
        self.problem = f"{type(error).__name__}: {error}"
        self._resting_until = time.monotonic() + _REST_SECONDS
        if _is_ruined(error):
            self._give_back()
            if self._moved_aside():
                self._resting_until = 0.0

    def _open(self) -> sqlite3.Connection | None:
        if time.monotonic() < self._resting_until:
            return None
        if self._connection is None:
            try:
                self._connection = self._connected()
                # Whoever forgets to close a cache leaves no open file behind; a process that ends takes it along.
                self._ending = weakref.finalize(self, self._connection.close)
                self._ending.atexit = False
            except (sqlite3.Error, OSError) as error:
                self._note(error)
        return self._connection

    def _connected(self, patience: float = _PATIENCE_SECONDS) -> sqlite3.Connection:
        if self.path is not None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = sqlite3.connect(
            ":memory:" if self.path is None else self.path,
            timeout=patience,
            isolation_level="IMMEDIATE",
            check_same_thread=False,
        )
        try:
            merged = max(1, min(_MERGED_PAGES, self._limit_bytes // _MERGED_PART // _PAGE_BYTES))
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file: before anything else is in it
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {merged}")
            connection.execute(f"PRAGMA journal_size_limit = {merged * _PAGE_BYTES}")
            connection.executescript(_TABLES)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _moved_aside(self) -> bool:
        """Takes a file that is no database out of the way; whether that worked."""
        if self.path is None:
            return False
        try:
            self.path.replace(self.path.with_suffix(".damaged"))
        except OSError:
            return False
        for ending in ("-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        return True


def cache_folder(named: str = "") -> Path | None:
    """Returns the folder of the cache: the one that is named, else the user's; None where `off` is named."""
    if named.strip().lower() in {"off", "0", "none"}:
        return None
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_cache_path

    return user_cache_path("fractal-context", appauthor=False)


def _is_ruined(error: Exception) -> bool:
    """Tells whether the file is no database (any more), rather than busy or out of reach."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)


def _signed(value: bytes) -> bytes:
    return zlib.crc32(value).to_bytes(_CHECKSUM_BYTES, "big") + value


def _checked(stored: object) -> bytes | None:
    if not isinstance(stored, bytes) or len(stored) < _CHECKSUM_BYTES:
        return None
    value = stored[_CHECKSUM_BYTES:]
    return value if zlib.crc32(value) == int.from_bytes(stored[:_CHECKSUM_BYTES], "big") else None


def _stored(path: str) -> bytes:
    # File names need not be text, and SQLite's texts are UTF-8: paths are stored as the bytes that they are.
    return os.fsencode(path)


def _given(path: bytes) -> str:
    return path_of(path)


def _now() -> int:
    return int(time.time())


def _batches(entries: Iterable[tuple[int, bytes, bytes]], largest: int) -> Generator[list[tuple[int, bytes, bytes]]]:
    """Parts entries into as many as one transaction may write; an entry that is larger comes alone."""
    batch: list[tuple[int, bytes, bytes]] = []
    size = 0
    for entry in entries:
        if batch and size + len(entry[2]) > largest:
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += len(entry[2])
    if batch:
        yield batch
