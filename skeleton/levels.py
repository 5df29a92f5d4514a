"""The level table: the treatment of each part of a file at each level.

The levels are those of the Fractal Protocol (section 2.1): L0 full, L1 skeleton+ (signatures, doc summaries,
constants), L2 skeleton (signatures), L3 drop. `RULES` is the whole policy: a part of a file has a `Role`, a level gives
each role a `Treatment`, and the renderer only looks it up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, IntEnum, StrEnum, auto
from types import MappingProxyType


class CompressionLevel(StrEnum):
    """The amount of a file that is shown; the value is the name that users see."""

    FULL = "L0"
    SKELETON_PLUS = "L1"
    SKELETON = "L2"
    DROP = "L3"

    @property
    def depth(self) -> int:
        """0 for the most detailed level, 3 for the least."""
        return _DEPTHS[self]


_DEPTHS = {level: depth for depth, level in enumerate(CompressionLevel)}


class Role(IntEnum):
    """The role of a part of a file."""

    SIGNATURE = auto()
    """A piece of a signature that is spread over several lines."""
    BODY = auto()
    """The body of a function or method."""
    DOC = auto()
    """A docstring or doc comment of a definition."""
    MODULE_DOC = auto()
    """The docstring or doc comment of the file."""
    COMMENT = auto()
    """Any other comment, a licence header included."""
    CONSTANT = auto()
    """A whole constant, with its attributes and doc comment."""
    CONSTANT_VALUE = auto()
    """The initialiser of a constant."""
    FIELD_VALUE = auto()
    """The initialiser of a field or enum member."""
    STATEMENTS = auto()
    """A run of statements that define nothing."""
    UNREAD = auto()
    """Text in the place of a definition that could not be read as one: the arguments of a macro."""


class Treatment(Enum):
    """The treatment of a part at a level."""

    KEEP = auto()
    """It stays as it is written."""
    DROP = auto()
    """It goes, with its line when nothing else stands there."""
    FOLD = auto()
    """A placeholder takes its place."""
    FOLD_LONG = auto()
    """A placeholder takes its place if it is longer than one line or than `LONG_VALUE` bytes."""
    FIRST_SENTENCE = auto()
    """The first sentence of its first paragraph stays, on one line."""
    ONE_LINE = auto()
    """It is joined on one line: white space folded, comments and the trailing comma dropped."""
    COUNT = auto()
    """A mark takes its place that tells how many lines it stands for."""


LONG_VALUE = 120
"""Bytes from which an initialiser on one line counts as long."""

_EMPTY = re.compile(rb"\s*(?:=\s*)?\{\s*\}\s*")
"""A body without anything in it."""

_FILLED = re.compile(rb"\s*(?:=\s*)?\{\s*[^\w\s{}][^\w{}]*\}")
"""A fold that says between braces that there is something, and no more."""


def in_place_of(body: bytes, fold: bytes) -> bytes:
    """Returns the text that a folded body leaves: empty braces where it is empty and its fold says that it is not.

    Args:
        body: as it is written, the white space before it included.
        fold: the text for any other body.
    """
    if not _FILLED.fullmatch(fold) or not _EMPTY.fullmatch(body):
        return fold
    return b" = {}" if b"=" in body else b" {}"


_SKELETON_PLUS = {
    Role.SIGNATURE: Treatment.KEEP,
    Role.BODY: Treatment.FOLD,
    Role.DOC: Treatment.FIRST_SENTENCE,
    Role.MODULE_DOC: Treatment.FIRST_SENTENCE,
    Role.COMMENT: Treatment.DROP,
    Role.CONSTANT: Treatment.KEEP,
    Role.CONSTANT_VALUE: Treatment.FOLD_LONG,
    Role.FIELD_VALUE: Treatment.FOLD_LONG,
    Role.STATEMENTS: Treatment.FOLD_LONG,
    Role.UNREAD: Treatment.COUNT,
}

_SKELETON = {
    Role.SIGNATURE: Treatment.ONE_LINE,
    Role.BODY: Treatment.FOLD,
    Role.DOC: Treatment.DROP,
    Role.MODULE_DOC: Treatment.DROP,
    Role.COMMENT: Treatment.DROP,
    Role.CONSTANT: Treatment.DROP,
    Role.CONSTANT_VALUE: Treatment.DROP,
    Role.FIELD_VALUE: Treatment.DROP,
    Role.STATEMENTS: Treatment.DROP,
    Role.UNREAD: Treatment.COUNT,
}

RULES: Mapping[CompressionLevel, Mapping[Role, Treatment]] = MappingProxyType(
    {
        CompressionLevel.SKELETON_PLUS: MappingProxyType(_SKELETON_PLUS),
        CompressionLevel.SKELETON: MappingProxyType(_SKELETON),
    }
)
"""The treatment of every role, by level. What has no role (imports, type declarations, frames of classes) is kept."""
