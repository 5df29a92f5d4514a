"""Text without a structure that could be outlined, logs above all: its first and its last lines.

The head tells what the text is, the tail how it ended. Doing it again changes nothing: a text is folded only if it has
more lines than its outline would have.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from skeleton.formats.lines import Line, Outliner, cut, marked_count, marker
from skeleton.levels import CompressionLevel


class _Ends(NamedTuple):
    head: int
    tail: int
    width: int


_ENDS = {
    CompressionLevel.SKELETON_PLUS: _Ends(head=16, tail=6, width=200),
    CompressionLevel.SKELETON: _Ends(head=5, tail=2, width=120),
}


def outliner(source: str) -> Outliner:
    """The first and last lines of a text (L1: 16 and 6, L2: 5 and 2), long ones cut, with the number of those between."""
    lines = enumerate(source.split("\n"), 1)
    return partial(_head_and_tail, [(number, text) for number, text in lines if text and not text.isspace()])


def _head_and_tail(lines: list[tuple[int, str]], level: CompressionLevel) -> list[Line]:
    ends = _ENDS[level]
    if len(lines) > ends.head + ends.tail + 1:
        folded = lines[ends.head : -ends.tail]
        count = sum([marked_count(text) if text.startswith("… ") else 1 for _, text in folded])
        fold = (folded[0][0], f"{marker(count, 'lines')} …")
        lines = [*lines[: ends.head], fold, *lines[-ends.tail :]]
    return [Line(number, cut(text.rstrip(), ends.width)) for number, text in lines]
