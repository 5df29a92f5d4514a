"""Parts of a compiled query file: what takes the place of what is folded, what each pattern captures, what is blanked."""

from __future__ import annotations

import re

import msgspec


class Fold(msgspec.Struct, frozen=True, kw_only=True):
    """The text that takes the place of a folded body and of a dropped initialiser, for one pattern (UTF-8 bytes)."""

    plus: bytes
    skeleton: bytes
    value: bytes
    long_value: bytes


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The captures of one pattern of a query, worked out once when the query loads."""

    definition: str
    """The capture that is the definition, or "" where the pattern captures none."""
    parts: tuple[str, ...]
    """The other captures, but for `name`."""
    kind: str
    fold: int
    """Index into `Language.folds`."""
    inside: tuple[str, ...]
    """The parts that the pattern captures inside its definition."""
    each: str
    """The text that follows every part of the name; all names make one then."""
    is_only: bool
    """The names that other patterns give the same node are none."""
    has_words: bool
    """Every word of a name is a name of its own."""


class Blank(msgspec.Struct, frozen=True, kw_only=True):
    """Text that a grammar stumbles over, as a pattern."""

    pattern: re.Pattern[bytes]
    after_break: bool
    """The pattern starts with the line break before what it is about: a search for that is three times faster."""
    needs: tuple[bytes, ...]
    """Texts of which a source holds one if it holds a match; none: any source may."""
