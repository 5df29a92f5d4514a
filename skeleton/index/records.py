"""The records that are kept of a file, one for each aspect, and their encoding as MessagePack.

To read what is known takes none of the parser and its languages: a call that finds everything in the cache loads this
module, and not `skeleton.index.facts`, which works it out.

    BASICS     what shows without parsing
    FACTS      numbers and marks of the file as a whole
    LEVELS     the texts of both skeletons with their lines and definitions
    OUTLINE    the definitions that a reader can see, as spans of the source; what is shown goes by them
    WEIGHTS    what each level and each definition costs: enough to plan a budget
    TERMS      the words of each definition: what a ranking reads
    SYMBOLS    every definition, those inside bodies too: what zoom can name
    SURVEY     names and words of the file, without rendering: what an overview reads of all files
    SKETCH     the definitions that are found without a parser: what `TERMS` and `SURVEY` speak of
    OVERVIEW   what is important in a folder, by all of its files
    USES       where names are used, and where they only stand in comments and strings
    COUNT      the tokens of any text (`skeleton.index.counts`)
"""

from __future__ import annotations

import hashlib
from array import array
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from skeleton.levels import CompressionLevel
from skeleton.outline.definitions import Definition
from skeleton.render.texts import Skeleton, Skeletons
from workspace.names.tiers import is_machine_made, is_no_test

if TYPE_CHECKING:
    from collections.abc import Callable

_Record = TypeVar("_Record")


class Aspect(IntEnum):
    """Every kind of fact that is kept of a content, each loaded on its own; no number is ever given to another kind."""

    FACTS = 0
    LEVELS = 1
    OUTLINE = 2
    SYMBOLS = 3
    WEIGHTS = 4
    TERMS = 5
    BASICS = 6
    SURVEY = 7
    OVERVIEW = 8
    USES = 9
    SKETCH = 10
    COUNT = 100


OF_SKETCH: Final = frozenset({Aspect.SKETCH, Aspect.TERMS, Aspect.SURVEY})
"""The aspects that take no rendering and, where the language has patterns, no parser, so that they can be had of every file."""

OF_LEVELS: Final = frozenset({Aspect.FACTS, Aspect.LEVELS, Aspect.WEIGHTS})
"""The aspects that take rendering and proving the levels: they are worked out of those files that may be shown. The
outline comes with them."""

_TOGETHER: Final = (OF_SKETCH, OF_LEVELS | {Aspect.OUTLINE})
"""Groups of aspects that are worked out at once where a call wants more than one of them."""


def worked_out_with(aspect: Aspect) -> frozenset[Aspect]:
    """Returns the aspects that are worked out at once with one, where a call wants them."""
    return next((group for group in _TOGETHER if aspect in group), frozenset[Aspect]())


class Basics(NamedTuple):
    """The facts of a content that show without parsing.

    Attributes:
        md5: of the bytes on disk, in hexadecimal digits.
        machine_made: whether a program wrote the file, by its content.
        bytes: of the text as UTF-8.
        is_no_test: whether it is called as tests are, and is none by its content.
    """

    md5: str
    machine_made: bool
    bytes: int
    is_no_test: bool


class Facts(NamedTuple):
    """The numbers and marks of one content.

    Attributes:
        language: the name of the language or format; "" for plain text.
        lines: of the text at L0, L1 and L2.
        tokens: of the text at L0, L1 and L2, without any frame; -1 where a fold could not be proven.
        given: the levels really given for L1 and L2.
        unproven: what the first skeleton that was given up failed, or "".
        syntax_errors: the source does not parse cleanly.
        secrets: how many were taken out of the text.
    """

    language: str
    lines: tuple[int, int, int]
    tokens: tuple[int, int, int]
    given: tuple[str, str]
    unproven: tuple[str, str]
    syntax_errors: bool
    secrets: int


class LevelText(NamedTuple):
    """A skeleton as it is kept; `text` is None where it is that of the level above."""

    text: str | None
    line_numbers: tuple[int, ...]
    definitions: tuple[Definition, ...]


class LevelTexts(NamedTuple):
    """Both skeletons of a content."""

    plus: LevelText
    skeleton: LevelText


class Definitions(NamedTuple):
    """A list of definitions."""

    definitions: tuple[Definition, ...]


class Uses(NamedTuple):
    """The places of names and prose in a file: arrays of 32 bits in the machine's order (`array("I")`), ascending."""

    prose: bytes
    """The ends of stretches: code up to the first, then comments or strings up to the second, then code …"""
    calls: bytes
    """The beginnings of the names that are called."""
    imports: bytes
    """The beginning and the end of each import, one after the other."""


NO_USES: Final = Uses(array("I", [0]).tobytes(), b"", b"")
"""Of a file that is not code: from its first byte on it is prose."""


def basics_of(path: str, raw: bytes, source: bytes) -> Basics:
    """Returns the facts of a file that show without parsing it.

    Args:
        path: of the file.
        raw: the bytes on disk.
        source: the text as UTF-8.
    """
    return Basics(
        md5=hashlib.md5(raw, usedforsecurity=False).hexdigest(),
        machine_made=is_machine_made(source),
        bytes=len(source),
        is_no_test=is_no_test(path, source),
    )


def encoded(record: object) -> bytes:
    """Writes an aspect; `decoded` reads it."""
    return msgspec.msgpack.encode(record)


def decoded(value: bytes, record: type[_Record]) -> _Record:
    """Reads an aspect.

    Raises:
        msgspec.DecodeError: it is not of that form.
    """
    return msgspec.msgpack.decode(value, type=record)


def read_record(value: bytes | None, record: type[_Record]) -> _Record | None:
    """Reads an aspect as a cache gives it; None where there is none, or it is not of that form."""
    if value is None:
        return None
    try:
        return decoded(value, record)
    except msgspec.DecodeError:
        return None


def skeletons_of(facts: Facts, texts: LevelTexts, outline: Definitions, source: Callable[[], bytes]) -> Skeletons:
    """Puts the levels of a file together again from what was kept.

    Args:
        facts: the file's numbers and marks.
        texts: its skeletons.
        outline: its definitions.
        source: gives the text; only called where it is needed.
    """
    full = Skeleton(
        text=source().decode("utf-8", "replace"),
        level=CompressionLevel.FULL,
        line_numbers=tuple(range(1, facts.lines[0] + 1)),
        definitions=outline.definitions,
        syntax_errors=facts.syntax_errors,
        unproven="",
    )
    plus = _level(facts, 0, texts.plus, full)
    return Skeletons(full=full, plus=plus, skeleton=_level(facts, 1, texts.skeleton, plus), outline=None)


def _level(facts: Facts, at: int, kept: LevelText, above: Skeleton) -> Skeleton:
    return Skeleton(
        text=above.text if kept.text is None else kept.text,
        level=CompressionLevel(facts.given[at]),
        line_numbers=above.line_numbers if kept.text is None else kept.line_numbers,
        definitions=above.definitions if kept.text is None else kept.definitions,
        syntax_errors=facts.syntax_errors,
        unproven=facts.unproven[at],
    )
