"""Finds the lines of a file that are said to people alone: docs and comments, definition by definition.

What is prose `skeleton.index.uses` says; of that a comment is what begins as one in the language, and a doc what stands
above a definition or is the text that its body begins with. A string is neither.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from skeleton.uses.sites import numbers_of

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from skeleton.index.records import Uses
    from skeleton.outline.definitions import Definition

_OPENS: Final = b" \t\r\n:{"
"""The characters between the signature of a definition and its body."""


class Remarks:
    """One file, asked which lines of its definitions are docs and comments.

    Args:
        source: the file as UTF-8.
        uses: what stands where in it.
        begins: how a comment begins in it; None where that is not known.
    """

    def __init__(self, source: bytes, uses: Uses, begins: re.Pattern[bytes] | None) -> None:
        self._source = source
        self._begins = begins
        ends = numbers_of(uses.prose)
        self._starts = ends[::2]
        self._ends = [*ends[1::2], len(source)]
        self._line_starts = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]

    def docs(self, one: Definition) -> frozenset[int]:
        """The lines of the doc of a definition, counted from 1: comments above it, and the text that its body begins with."""
        above = [at for at in self._between(one.start, one.signature) if self._stands_alone(at)]
        first = (at for at in self._between(one.body, one.end)[:1] if not self._before(one.body, at).strip(_OPENS))
        return self._lines([*above, *(at for at in first if self._stands_alone(at) and not self._is_comment(at))])

    def comments(self, one: Definition) -> frozenset[int]:
        """The lines of a definition that hold a comment and nothing else, counted likewise."""
        inside = self._between(one.start, one.end)
        return self._lines([at for at in inside if self._stands_alone(at) and self._is_comment(at)])

    def is_comment(self, line: str) -> bool:
        """Tells whether a line that may be of another version of the file is a comment."""
        return self._begins is not None and self._begins.match(line.strip().encode()) is not None

    def _between(self, start: int, end: int) -> range:
        """The stretches of prose that begin in a part of the source."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    def _before(self, start: int, at: int) -> bytes:
        return self._source[start : self._starts[at]]

    def _stands_alone(self, at: int) -> bool:
        """Tells whether nothing else stands on the lines of a stretch."""
        start, end = self._starts[at], self._ends[at]
        line_end = self._source.find(b"\n", end - self._source.endswith(b"\n", start, end))
        behind = self._source[end : line_end if line_end >= 0 else len(self._source)]
        return not self._source[self._line_starts[self._line(start) - 1] : start].strip() and not behind.strip()

    def _is_comment(self, at: int) -> bool:
        return self._begins is not None and self._begins.match(self._source, self._starts[at]) is not None

    def _lines(self, stretches: Sequence[int]) -> frozenset[int]:
        return frozenset(
            line
            for at in stretches
            for line in range(self._line(self._starts[at]), self._line(max(self._starts[at], self._last(at))) + 1)
        )

    def _last(self, at: int) -> int:
        """Returns the place of the last byte of a stretch that is no blank."""
        return self._starts[at] + len(self._source[self._starts[at] : self._ends[at]].rstrip()) - 1

    def _line(self, place: int) -> int:
        return bisect_right(self._line_starts, place)
