"""Remembers what was handed out, so that the next result can leave out what the reader already has.

A `Handed` record says which files a set held, with what content, which of them were shown, and what was asked. Its name is
a digest of all that, the `snapshot` of the result: the same result has the same name, wherever and whenever it is made.
`since` takes it to send only what changed; `cursor` takes it to go on with the files that were not shown yet. A record is found
for the root that it was kept for alone, so that no result tells of another root's files.

Records are kept in memory, the newest of them; a shelf keeps them on disk too, for other processes, and in the store that
replicas share.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import msgspec

from allocator.question.question import Question
from allocator.remembered import Remembered
from allocator.show.elision import UNLISTED
from skeleton.index.units import runs_in_source
from skeleton.languages.kinds import USABLE
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from allocator.show.views import FileViews
    from skeleton import Definition

DIGITS = 12
"""Hexadecimal digits of a snapshot."""

REMEMBERED = 32
"""Records that are kept in memory."""

MOST_PARTS = 2000
"""Files whose parts are."""

MOST_LINES = 2000
"""Lines of a file outside of definitions up to which each has a digest of its own."""

LINE_DIGITS = 8
"""Hexadecimal digits of the digest of a line."""

MANY_LINES = "#"
"""Begins the digest of all lines outside of definitions where there are more than `MOST_LINES`."""

_FORM = "3"
"""The form of records: those of another are never found."""


class Parts(NamedTuple):
    """The parts of a file, each as a digest of its lines, empty ones left out.

    Attributes:
        definitions: of each definition, by its place in the outline, the lines that belong to none inside it.
        lines: the lines that belong to none, the digests one behind the other; of too many one of all, behind `MANY_LINES`.
    """

    definitions: Mapping[int, str]
    lines: str


class Given(NamedTuple):
    """The parts of a file as a reader was given it.

    Attributes:
        level: the level that it was shown at.
        definitions: the name and the digest of each definition, sorted; "" for a name that says nothing.
        lines: as `Parts` has them.
    """

    level: str
    definitions: tuple[tuple[str, str], ...] = ()
    lines: str = ""


class Handed(msgspec.Struct, frozen=True, kw_only=True):
    """The contents and definitions that one result, and those that it follows, gave to a reader.

    Attributes:
        contents: for every path of the set the MD5 of its bytes, or the reason why it was not read.
        shown: what was given of every file shown so far.
        due: files that changed since they were shown, and of which that was not told: there was no room for it.
        question: of the result, where it has a next page.
    """

    contents: Mapping[str, str]
    shown: Mapping[str, Given] = msgspec.field(default_factory=dict[str, Given])
    due: tuple[str, ...] = ()
    question: Question = Question()

    @property
    def name(self) -> str:
        """The snapshot: another content, another thing shown, or another question to go on with, gives another one."""
        shown = sorted((path, *given) for path, given in self.shown.items())
        asked = [_asked(self.question)] if self.question != Question() else []
        return _digest(json.dumps([digest_of(self.contents), shown, *([self.due] if self.due else ()), *asked]))


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


def parts_of(file: FileViews) -> Parts:
    """Gives the parts of a file."""
    units = file.units_of_skeleton.units
    own: list[list[str]] = [[] for _ in units]
    loose: list[str] = []
    for first, end, owner in runs_in_source(units, len(file.lines)):
        (own[owner] if owner >= 0 else loose).extend(filter(str.strip, file.lines[first:end]))
    found = {unit.definitions[0]: _digest("\n".join(lines)) for unit, lines in zip(units, own, strict=True)}
    if len(loose) > MOST_LINES:
        return Parts(found, MANY_LINES + _digest("\n".join(loose)))
    return Parts(found, "".join(_digest(line)[:LINE_DIGITS] for line in loose))


def loose_lines(file: FileViews) -> list[int]:
    """The numbers of a file's lines that belong to no definition and are not empty."""
    runs = runs_in_source(file.units_of_skeleton.units, len(file.lines))
    loose = (range(first, end) for first, end, owner in runs if owner < 0)
    return [row + 1 for rows in loose for row in rows if file.lines[row].strip()]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest()[:DIGITS]


def _key(name: str, root: str) -> str:
    """The key that a record is kept under: its name is the same wherever it is made."""
    return _digest(f"{_FORM} {name} {root}")


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
        self._parts = Remembered[bytes, Parts](MOST_PARTS)
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
                self._shelf.put(
                    key, json.dumps([record.contents, record.shown, record.due, _asked(record.question)]).encode()
                )
            except OSError as error:
                _warn(
                    "A snapshot could not be kept on disk (%s), so `since` and `cursor` take it in this process alone;"
                    " name a folder that can be written with --cache.",
                    error.strerror,
                )
        return name

    def given(self, file: FileViews, level: str) -> Given:
        """The parts of a file as a reader is given it at a level."""
        parts, definitions = self.parts_of(file), file.definitions
        # A file that could not be rendered in time counts as text: what was found of it before has no place in it then.
        held = (
            (_name_of(definitions[at]), digest) for at, digest in parts.definitions.items() if at < len(definitions)
        )
        return Given(level, tuple(sorted(held)), parts.lines)

    def parts_of(self, file: FileViews) -> Parts:
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


def _name_of(one: Definition) -> str:
    """The name path of a definition that can be used elsewhere, "" for any other."""
    return one.path if one.name and one.kind in USABLE and UNLISTED.isdisjoint(one.path) else ""


def _asked(question: Question) -> object:
    """A question as it is written down."""
    return msgspec.to_builtins(question)


def _read(content: bytes) -> Handed | None:
    try:
        contents, shown, due, asked = cast(
            "tuple[dict[str, str], dict[str, tuple[str, Iterable[tuple[str, str]], str]], list[str], object]",
            json.loads(content),
        )
        given = {
            path: Given(level, tuple((name, digest) for name, digest in held), lines)
            for path, (level, held, lines) in shown.items()
        }
        return Handed(contents=contents, shown=given, due=tuple(due), question=msgspec.convert(asked, Question))
    except (ValueError, TypeError, AttributeError):
        _warn("A snapshot on disk is damaged; it counts as unknown.")
        return None


def _warn(message: str, *values: object) -> None:
    import logging  # a call that has nothing to tell does without

    logging.getLogger(__name__).warning(message, *values)
