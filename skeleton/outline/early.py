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

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from skeleton.languages.kinds import CALLABLE
from skeleton.outline.definitions import Outline, Span

_BLANKS: Final = b" \t"
_DIRECTIVE: Final = b"#"
_CLOSING: Final = b"}"


def left_over(outline: Outline, source: bytes) -> Iterator[Span]:
    """Yields the lines behind each function that ended too early, up to the bracket that closes it.

    Args:
        outline: that of a source with syntax errors.
        source: the text.
    """
    others = [one.signature for one in outline.definitions if one.kind != "constant"]
    done = -1
    for one in outline.definitions:
        if one.kind not in CALLABLE or one.body >= one.end or one.end <= done:
            continue
        done = one.end
        place = bisect_right(others, one.end)
        until = others[place] if place < len(others) else len(source)
        end = _closed(source, one.end, until, _depth(source, source.rfind(b"\n", 0, one.signature) + 1))
        if end > one.end:
            yield one.end, end


def _closed(source: bytes, start: int, until: int, deep: int) -> int:
    """Returns the end of the line that closes a block of some depth behind lines that are deeper; -1 where none does."""
    is_deeper = False
    at = source.find(b"\n", start, until) + 1
    while 0 < at < until:
        end = source.find(b"\n", at, until)
        end = end if end >= 0 else until
        line = source[at:end].strip()
        if line and not line.startswith(_DIRECTIVE):
            if (depth := _depth(source, at)) <= deep:
                return end if is_deeper and depth == deep and line.startswith(_CLOSING) else -1
            is_deeper = True
        at = end + 1
    return -1


def _depth(source: bytes, line: int) -> int:
    """Counts the blanks at the start of a line."""
    at = line
    while at < len(source) and source[at] in _BLANKS:
        at += 1
    return at - line
