"""Finds where a token may go across the border of two neighbouring texts.

A word of the expressions of `o200k_base` and `cl100k_base` goes on behind a line break with nothing but blanks that end
with another one, or with slashes that follow at once. So the tokens of texts of whole lines are those of all of them
together, but for the few lines around such a border.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BEGINS: Final = re.compile(rb"[ \t]++[!-~]|[!-.0-~]")
"""The beginning of a line that no word goes on into from the line before."""


def seams(texts: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yields the lines around every border that a token may go across: parts of two texts or more, in order.

    The tokens of each such list, joined, are to be counted for those of its parts.

    Args:
        texts: neighbours, each of them whole lines, with the line break at the end of each.
    """
    open_seam: list[bytes] = []
    for above, below in pairwise(texts):
        if _BEGINS.match(below):
            if open_seam:
                yield open_seam
            open_seam = []
            continue
        seam = open_seam or [above[_last_beginning(above) :]]
        end = _first_beginning(below)
        seam.append(below[:end])
        open_seam = seam if end == len(below) else []
        if not open_seam:
            yield seam
    if open_seam:
        yield open_seam


def _first_beginning(text: bytes) -> int:
    """Returns the place of the first line but one that no word goes on into; the end where there is none."""
    at = text.find(b"\n") + 1
    while at and not _BEGINS.match(text, at):
        at = text.find(b"\n", at) + 1
    return at or len(text)


def _last_beginning(text: bytes) -> int:
    """Returns the place of the last line that no word goes on into, or of the first line."""
    at = text.rfind(b"\n", 0, len(text) - 1) + 1
    while at and not _BEGINS.match(text, at):
        at = text.rfind(b"\n", 0, at - 1) + 1
    return at
