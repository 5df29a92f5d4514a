"""Remembers what was handed out, so that the next result can leave out what the reader already has.

A `Handed` record says which files a set held, with what content, and which of them were shown. Its name is a digest of
all that, the `snapshot` of the result: the same result has the same name, wherever and whenever it is made. `since`
takes it to send only what changed; `cursor` takes it to go on with the files that were not shown yet. A record is found
for the root that it was kept for alone, so that no result tells of another root's files.

Records are kept in memory, the newest of them; a shelf keeps them on disk too, for other processes, and in the store that
replicas share.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from allocator.remembered import Remembered
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from allocator.show.views import FileViews

DIGITS = 12
"""Hexadecimal digits of a snapshot."""

REMEMBERED = 32
"""Records that are kept in memory."""

MOST_PARTS = 2000
"""Files whose parts are."""


class Handed(msgspec.Struct, frozen=True, kw_only=True):
    """The contents and definitions that one result, and those that it follows, gave to a reader.

    Attributes:
        contents: for every path of the set the MD5 of its bytes, or the reason why it was not read.
        shown: for every file shown so far its level, and digests of its definitions by `parts_of`.
    """

    contents: Mapping[str, str]
    shown: Mapping[str, tuple[str, tuple[str, ...]]] = msgspec.field(
        default_factory=dict[str, tuple[str, tuple[str, ...]]]
    )

    @property
    def name(self) -> str:
        """The snapshot: another content, or another thing shown, gives another one."""
        shown = sorted((path, level, *parts) for path, (level, parts) in self.shown.items())
        return _digest(json.dumps([digest_of(self.contents), shown]))


class Contents(dict[str, str]):
    """The contents of a set of files that calls share: nothing is added once it was asked for its digest."""

    @lazy
    def digest(self) -> str:
        """Its digest by `digest_of`."""
        return _digest_of(self)


def digest_of(contents: Mapping[str, str]) -> str:
    """Digests the paths and contents of a set of files.

    Args:
        contents: for each path the MD5 of its bytes, or the reason why it was not read.
    """
    return contents.digest if isinstance(contents, Contents) else _digest_of(contents)


def _digest_of(contents: Mapping[str, str]) -> str:
    return _digest("".join([f"{contents[path]} {path}\n" for path in sorted(contents)]))


def parts_of(file: FileViews) -> dict[int, str]:
    """Digests of a file's definitions by their places in the outline: of each the lines that belong to none inside it."""
    units = file.units_of_skeleton.units
    own: list[list[str]] = [[] for _ in units]
    owner = [-1] * (len(file.lines) + 1)
    for number, unit in enumerate(units):
        for line in range(unit.source_first, min(unit.source_last, len(file.lines)) + 1):
            owner[line] = number
    for line, number in enumerate(owner[1:]):
        if number >= 0 and file.lines[line].strip():
            own[number].append(file.lines[line])
    return {unit.definitions[0]: _digest("\n".join(lines)) for unit, lines in zip(units, own, strict=True)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest()[:DIGITS]


def _key(name: str, root: str) -> str:
    """The key that a record is kept under: its name is the same wherever it is made."""
    return _digest(f"{name} {root}")


class Keeper(Protocol):
    """Keeps records by name: `workspace.shelf.Shelf`, `workspace.shared.shelf.SharedShelf`."""

    def put(self, name: str, content: bytes) -> None:
        """Keeps a record; raises OSError where it cannot be kept on disk."""
        ...

    def get(self, name: str) -> bytes | None:
        """Returns a record; None if there is none of that name, or it is damaged."""
        ...


class Records:
    """The records of an engine. Safe to share between threads.

    Args:
        shelf: where they are kept for other processes as well; None for memory alone.
    """

    def __init__(self, shelf: Keeper | None = None) -> None:
        self._shelf = shelf
        self._recent: dict[str, Handed] = {}
        self._parts = Remembered[bytes, Mapping[int, str]](MOST_PARTS)
        self._lock = threading.Lock()

    def keep(self, record: Handed, root: str) -> str:
        """Keeps a record for a root and gives its name."""
        name = record.name
        key = _key(name, root)
        with self._lock:
            known = self._recent.pop(key, None) is not None
            self._recent[key] = record
            for oldest in list(self._recent)[:-REMEMBERED]:
                del self._recent[oldest]
        if self._shelf is not None and not known:
            try:
                self._shelf.put(key, json.dumps([record.contents, record.shown]).encode())
            except OSError as error:
                _warn("A snapshot could not be kept on disk (%s); it holds in this process.", error.strerror)
        return name

    def parts_of(self, file: FileViews) -> Mapping[int, str]:
        """`parts_of` the file, worked out once for each content."""
        parts = self._parts.find(file.file.key)
        if parts is None:
            parts = parts_of(file)
            self._parts.keep(file.file.key, parts)
        return parts

    def find(self, name: str, root: str) -> Handed | None:
        """Gives the record of a name; None if it is not known, or not any more, or was kept for another root."""
        key = _key(name, root)
        with self._lock:
            record = self._recent.get(key)
        if record is not None or self._shelf is None:
            return record
        content = self._shelf.get(key)
        return None if content is None else _read(content)


def _read(content: bytes) -> Handed | None:
    try:
        contents, shown = cast("tuple[dict[str, str], dict[str, tuple[str, Iterable[str]]]]", json.loads(content))
        return Handed(contents=contents, shown={path: (level, tuple(parts)) for path, (level, parts) in shown.items()})
    except (ValueError, TypeError, AttributeError):
        _warn("A snapshot on disk is damaged; it counts as unknown.")
        return None


def _warn(message: str, *values: object) -> None:
    import logging  # a call that has nothing to tell does without

    logging.getLogger(__name__).warning(message, *values)
