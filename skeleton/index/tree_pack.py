"""A tree pack: the facts of a whole git tree as one signed object, which is looked things up in as it lies.

    8 bytes   `MAGIC`
    32 bytes  HMAC-SHA-256 of the rest, with the key of who published it
    the rest  an SQLite file with one table: each value sealed (`workspace.shared.envelope`), deflated, under its kind and key

It is named by the tree and by the salt of what worked it out, so that another version of the product looks elsewhere.
Only what the packs of earlier trees do not hold is in it; `base` says where the rest is. A pack is refused whole where
its signature does not fit, and is not opened before that is known.

`contents` tells, for every file of the tree, which key the content has that git knows by a name. A file that git says is
still as it was checked out (`workspace.git.work_tree`) need not be read to be known.
"""

from __future__ import annotations

import contextlib
import hmac
import sqlite3
import threading
from hashlib import blake2b, sha256
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from skeleton.index.records import Aspect
from workspace.cancellation import stop_if_cancelled
from workspace.shared.envelope import opened, sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

MAGIC: Final = b"FCTREE2\n"
LONGEST_CHAIN: Final = 8
"""Packs that stand on one another; the next one stands alone."""

_SIGNATURE_BYTES: Final = 32
_PIECE: Final = 1 << 20
_CHUNK: Final = 500
_HEAD_KIND: Final = 250
_CONTENTS_KIND: Final = 251
_TABLE: Final = "CREATE TABLE facts (name BLOB PRIMARY KEY, value BLOB NOT NULL)"


class TreePackError(Exception):
    """A file is no tree pack, or was not signed with this key."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a pack: the tree that it is of, and the pack that it stands on.

    Attributes:
        tree: the name of the tree.
        base: the tree of the pack that it stands on; "" for none.
        depth: how many packs it stands on.
    """

    tree: str
    base: str = ""
    depth: int = 0


class Known(msgspec.Struct, frozen=True, array_like=True):
    """A content as the index knows it: its key, its bytes on disk, and its basics as they are stored."""

    key: bytes
    size: int
    basics: bytes


def secret_of(key: str) -> bytes:
    """Returns what packs are signed and sealed with, for a key of the settings."""
    return blake2b(key.encode(), digest_size=32, person=b"tree packs").digest()


class TreePack:
    """A pack that was verified once, open for reading. Threads may share it.

    Args:
        file: what `unpack` wrote.
        secret: as `secret_of` gives it.

    Raises:
        TreePackError: it cannot be read.
    """

    def __init__(self, file: Path, secret: bytes) -> None:
        self._secret = secret
        self._lock = threading.Lock()
        self._basics: dict[bytes, bytes] = {}
        try:
            self._connection = sqlite3.connect(
                f"{file.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise TreePackError("it cannot be opened") from error
        head = self.read(_HEAD_KIND, [b""]).get(b"")
        if head is None:
            self.close()
            raise TreePackError("it is damaged, or sealed with another key")
        self.head = msgspec.msgpack.decode(head, type=Head)

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values of some keys; what is missing or damaged is left out."""
        found: dict[bytes, bytes] = {}
        if kind == Aspect.BASICS:
            found = {key: self._basics[key] for key in keys if key in self._basics}
            keys = [key for key in keys if key not in found]
        for start in range(0, len(keys), _CHUNK):
            stop_if_cancelled()
            names = [_name(kind, key) for key in keys[start : start + _CHUNK]]
            for name, stored in self._rows("value", names):
                value = opened(name, stored, self._secret)
                if value is not None:
                    found[name[1:]] = value
        return found

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value."""
        held: set[bytes] = set()
        for start in range(0, len(keys), _CHUNK):
            stop_if_cancelled()
            names = [_name(kind, key) for key in keys[start : start + _CHUNK]]
            held.update(name[1:] for name, _ in self._rows("NULL", names))
        return held

    def contents(self) -> dict[bytes, Known]:
        """Returns what is known of the tree's contents, by their names in git with the names of their files behind.

        Their basics are asked for next, all of them: `read` has them at hand from now on.
        """
        stored = self.read(_CONTENTS_KIND, [b""]).get(b"")
        try:
            known = {} if stored is None else msgspec.msgpack.decode(stored, type=dict[bytes, Known])
        except msgspec.DecodeError:
            return {}
        self._basics = {content.key: content.basics for content in known.values()}
        return known

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    def _rows(self, column: str, names: Sequence[bytes]) -> list[tuple[bytes, object]]:
        marks = ",".join("?" * len(names))
        try:
            with self._lock:
                return self._connection.execute(
                    f"SELECT name, {column} FROM facts WHERE name IN ({marks})", names
                ).fetchall()
        except sqlite3.Error:
            return []  # a damaged page: its facts are worked out again


def write_pack(
    file: Path,
    secret: bytes,
    head: Head,
    contents: Mapping[bytes, Known],
    facts: Iterable[tuple[int, bytes, bytes]],
) -> None:
    """Writes a pack.

    Args:
        file: where; what is there is replaced. Beside it another file is written and removed.
        secret: signs and seals it.
        head: what it says of itself.
        contents: as `TreePack.contents` gives them.
        facts: kind, key and value of each.
    """
    bare = file.with_suffix(".bare")
    bare.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(bare)) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(_TABLE)
            with connection:
                connection.executemany("INSERT INTO facts VALUES (?, ?)", _sealed(secret, head, contents, facts))
        with bare.open("rb") as source, file.open("wb") as target:
            target.write(MAGIC + _signature(source, secret))
            source.seek(0)
            while piece := source.read(_PIECE):
                target.write(piece)
    finally:
        bare.unlink(missing_ok=True)


def unpack(file: Path, secret: bytes, place: Path) -> None:
    """Verifies a pack and writes what `TreePack` opens.

    Args:
        file: the pack.
        secret: of who published it.
        place: where it is written, whole or not at all.

    Raises:
        TreePackError: it is no pack, a byte of it was changed, or it was signed with another key.
        OSError: it cannot be read or written.
    """
    with file.open("rb") as source:
        if source.read(len(MAGIC)) != MAGIC:
            raise TreePackError("it is no tree pack of this version")
        signature = source.read(_SIGNATURE_BYTES)
        if not hmac.compare_digest(signature, _signature(source, secret)):
            raise TreePackError("its signature does not fit: it was changed, or signed with another key")
        source.seek(len(MAGIC) + _SIGNATURE_BYTES)
        made = place.with_suffix(".new")
        with made.open("wb") as target:
            while piece := source.read(_PIECE):
                target.write(piece)
    made.replace(place)


def _sealed(
    secret: bytes, head: Head, contents: Mapping[bytes, Known], facts: Iterable[tuple[int, bytes, bytes]]
) -> Iterator[tuple[bytes, bytes]]:
    of_all = ((_HEAD_KIND, b"", msgspec.msgpack.encode(head)), (_CONTENTS_KIND, b"", msgspec.msgpack.encode(contents)))
    for kind, key, value in chain(of_all, facts):
        yield _name(kind, key), sealed(_name(kind, key), value, secret)


def _signature(source: BinaryIO, secret: bytes) -> bytes:
    """Signs the rest of a file."""
    signing = hmac.new(secret, digestmod=sha256)
    while piece := source.read(_PIECE):
        signing.update(piece)
    return signing.digest()


def _name(kind: int, key: bytes) -> bytes:
    return bytes([kind]) + key
