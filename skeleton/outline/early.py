"""Finds the lines of bodies that end too early, where a grammar stumbles inside of them.

    jv number(double x) {
      jv j = {
    #ifdef FLAGS
        0,
    #endif
        1 };
      return j;
    }

To a grammar without a preprocessor this function may end with the initialiser, and its last lines are statements of the
file. What of them a level shows is shown as it is written, below a mark. Such lines stand deeper than the signature, and
behind them a bracket closes at its depth. Files without syntax errors are never looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from skeleton.languages.kinds import CALLABLE
from skeleton.outline.definitions import Outline, Span
from skeleton.outline.rows import Rows

_DIRECTIVE: Final = b"#"
_CLOSING: Final = b"}"
_OPENING: Final = re.compile(rb"\s*+\{")
_BETWEEN: Final = re.compile(rb"[A-Za-z_]\w*[ \t]*:(?![:=])|/[*/]")
"""A label or a comment, which stand in a body however deep they are."""


def left_over(outline: Outline, rows: Rows) -> Iterator[Span]:
    """Yields the lines behind each function that ended too early, or before its body, up to the bracket that closes it.

    Args:
        outline: that of a source with syntax errors.
        rows: the lines of the source.
    """
    others = [one.signature for one in outline.definitions if one.kind != "constant"]
    done = -1
    for one in outline.definitions:
        if one.kind not in CALLABLE or one.end <= done:
            continue
        done = one.end
        place = bisect_right(others, one.end)
        until = others[place] if place < len(others) else len(rows.source)
        end = _closed(rows, one.end, until, rows.of(one.signature).depth)
        if end > one.end:
            yield one.end, end


def unclosed(outline: Outline, rows: Rows) -> Iterator[Span]:
    """Yields the lines behind each function whose body was left before the bracket that closes it.

    That is the last one at its depth before the next function with a body.

    Args:
        outline: that of a source with syntax errors.
        rows: the lines of the source.
    """
    source = rows.source
    bodies = [one for one in outline.definitions if one.kind in CALLABLE and _OPENING.match(source, one.body, one.end)]
    for one, following in zip_longest(bodies, bodies[1:]):
        if source[one.end - 1 : one.end] == _CLOSING:
            continue
        row, deep, end = rows.behind(rows.of(one.end - 1)), rows.of(one.signature).depth, -1
        while row is not None and (following is None or row.start < following.signature):
            if row.depth == deep and source.startswith(_CLOSING, row.first):
                end = row.end
            row = rows.behind(row)
        if end >= 0:
            yield one.end, end


def _closed(rows: Rows, start: int, until: int, deep: int) -> int:
    """Returns the end of the line that closes a block of some depth behind lines that are deeper; -1 where none does."""
    is_deeper = False
    row = rows.behind(rows.of(start))
    while row is not None and row.start < until:
        line = rows.source[row.first : row.last]
        if line and not line.startswith(_DIRECTIVE):
            if row.depth <= deep and not (row.depth == deep and _BETWEEN.match(line)):
                return row.end if is_deeper and row.depth == deep and line.startswith(_CLOSING) else -1
            is_deeper = True
        row = rows.behind(row)
    return -1
