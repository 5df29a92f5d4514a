"""The local archive of what was compacted: one SQLite file, private to its user.

An entry is known by the hash of its content, so storing the same history twice keeps one copy and gives the same id,
and compaction stays deterministic. Entries are pruned when a new one is stored: first the old ones, then the oldest
until the rest fits; the one just stored always stays. Where replicas share a store, an entry goes there as well, and is
looked for there when this machine does not hold it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
import zlib
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from workspace.errors import InvalidArgumentError, PathNotFoundError

if TYPE_CHECKING:
    from collections.abc import Generator

MAX_AGE_SECONDS = 30 * 24 * 3600
MAX_BYTES = 256 * 1024 * 1024
_ID_LENGTH = 24
_SHELF = "archive"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS histories (
    id TEXT PRIMARY KEY, stored_at REAL NOT NULL, size INTEGER NOT NULL, content BLOB NOT NULL
) STRICT
"""


def default_archive_path() -> Path:
    """Returns the path of the archive unless settings say otherwise: in the user's state folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "fractal-context" / "histories.sqlite"


def archive_id(content: bytes) -> str:
    """The id a content is stored under: 24 hexadecimal digits."""
    return sha256(content).hexdigest()[:_ID_LENGTH]


class Elsewhere(Protocol):
    """A store that keeps entries for other replicas: `workspace.shared.store.SharedStore`. It raises on nothing."""

    def get(self, shelf: str, name: str) -> bytes | None:
        """Returns an entry, or None."""
        ...

    def put(self, shelf: str, name: str, content: bytes, *, seconds: int) -> None:
        """Keeps an entry for some seconds."""
        ...


class Archive:
    """Stores and gives back histories.

    Args:
        path: the SQLite file; its folder is made with mode 0700, the file with 0600.
        max_age_seconds: entries older than this are pruned.
        max_bytes: the stored (compressed) size that all entries together may take.
        elsewhere: where entries are kept for other replicas as well; None for nowhere.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_age_seconds: float = MAX_AGE_SECONDS,
        max_bytes: int = MAX_BYTES,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.path = path
        self._elsewhere = elsewhere
        self.max_age_seconds = max_age_seconds
        self.max_bytes = max_bytes

    def store(self, content: bytes, *, now: float | None = None) -> str:
        """Store a history and return its id.

        Raises:
            OSError: the folder or file cannot be made.
            sqlite3.Error: the file cannot be written.
        """
        name = archive_id(content)
        packed = zlib.compress(content, level=1)
        stored_at = time.time() if now is None else now
        with self._open() as database:
            database.execute(
                "INSERT INTO histories VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET stored_at = excluded.stored_at",
                (name, stored_at, len(packed), packed),
            )
            self._prune(database, keep=name, now=stored_at)
        if self._elsewhere is not None:
            self._elsewhere.put(_SHELF, name, content, seconds=int(self.max_age_seconds))
        return name

    def restore(self, name: str) -> bytes:
        """The content stored under an id, byte for byte.

        Raises:
            InvalidArgumentError: it is no id.
            PathNotFoundError: the archive holds no such entry (any more).
        """
        if len(name) != _ID_LENGTH or set(name) - set("0123456789abcdef"):
            raise InvalidArgumentError(
                f"{name[:80]!r} is no archive id: these have {_ID_LENGTH} hexadecimal digits, and stand in the first lines of a compacted history."
            )
        if self.path.is_file():
            with self._open() as database:
                row = database.execute("SELECT content FROM histories WHERE id = ?", (name,)).fetchone()
            if row is not None:
                return zlib.decompress(row[0])
        content = None if self._elsewhere is None else self._elsewhere.get(_SHELF, name)
        if content is not None and archive_id(content) == name:
            return content
        raise PathNotFoundError(f"The archive holds no history {name}; it may have been pruned by age or size.")

    def _prune(self, database: sqlite3.Connection, *, keep: str, now: float) -> None:
        database.execute("DELETE FROM histories WHERE stored_at < ? AND id != ?", (now - self.max_age_seconds, keep))
        rows = database.execute("SELECT id, size FROM histories ORDER BY id = ? DESC, stored_at DESC, id", (keep,))
        used = 0
        surplus: list[tuple[str]] = []
        for name, size in rows.fetchall():
            used += size
            if used > self.max_bytes and name != keep:
                surplus.append((name,))
        database.executemany("DELETE FROM histories WHERE id = ?", surplus)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        """A connection in a transaction that is committed when the block ends well."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self.path.chmod(0o600)
        with closing(sqlite3.connect(self.path, timeout=10)) as database, database:
            database.execute("PRAGMA secure_delete = ON")
            database.execute(_SCHEMA)
            yield database
