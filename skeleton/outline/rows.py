"""Answers where the lines of a text begin and end and how deep they stand, in steps that no text makes long."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple

_BLANKS: Final = b" \t\r\n\f\v"
_INDENTS: Final = b" \t"

RETURNS: Final = re.compile(rb"(\\?)\r\n")
"""The end of a line with a carriage return, and the backslash before it that makes the line go on."""


def line_starts(text: bytes) -> list[int]:
    """Returns where the lines of a text start; one more starts behind a line break at its end."""
    starts = list(accumulate([len(line) + 1 for line in text.split(b"\n")], initial=0))
    starts.pop()
    return starts


class Row(NamedTuple):
    """A line of a text.

    Attributes:
        start: its first byte.
        first: its first word, or its end where it has none.
        last: the end of its last word, or its start where it has none.
        end: its line break, or the end of the text.
        depth: the blanks and tabs that it begins with.
    """

    start: int
    first: int
    last: int
    end: int
    depth: int


class Rows:
    """The lines of a text.

    Args:
        source: the text.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = line_starts(source)
        self._known: dict[int, Row] = {}

    def of(self, at: int) -> Row:
        """Returns the line of a place."""
        place = bisect_right(self._starts, at) - 1
        row = self._known.get(place)
        if row is None:
            source, start = self.source, self._starts[place]
            end = self._starts[place + 1] - 1 if place + 1 < len(self._starts) else len(source)
            text = source[start:end]
            first = end - len(text.lstrip(_BLANKS))
            last = start + len(text.rstrip(_BLANKS))
            row = self._known[place] = Row(start, first, last, end, len(text) - len(text.lstrip(_INDENTS)))
        return row

    def start_of(self, at: int) -> int:
        """Returns the first byte of the line of a place."""
        return self.source.rfind(b"\n", 0, at) + 1

    def end_of(self, at: int) -> int:
        """Returns the line break behind a place, or the end of the text."""
        end = self.source.find(b"\n", at)
        return end if end >= 0 else len(self.source)

    def behind(self, row: Row) -> Row | None:
        """Returns the line behind a line; None behind the last."""
        return self.of(row.end + 1) if row.end < len(self.source) else None

    def before(self, row: Row) -> Row | None:
        """Returns the line before a line; None before the first."""
        return self.of(row.start - 1) if row.start else None


def without_returns(text: bytes) -> bytes:
    """Returns a text, as long as before, with a blank for each carriage return before a line break.

    Patterns that say where a line ends, or goes on, need not know of them then.
    """
    return RETURNS.sub(rb" \1\n", text) if b"\r\n" in text else text
