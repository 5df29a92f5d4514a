"""The ends of definitions that the parser lost its way in: in the middle of a merge, or of being written.

A parser that stumbles ends a definition where it stumbled, and what follows looks like code of its own. People indent what
is inside, finished or not; so where the lines behind the end are indented deeper than the definition's own first line, they
still belong to it, up to the next line that is not. Marks of a merge stand at the margin and say nothing of depth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from skeleton.index.indexed import IndexedFile

_MERGE: Final = re.compile(rb"(?:<{7}|\|{7}|={7}|>{7})(?:[ \r]|$)")
_CLOSING: Final = (b"}", b")", b"]", b"end")
_TAB: Final = 8
"""Columns of a tab."""


def whole_end(file: IndexedFile, start: int, end: int) -> int:
    """Returns where a definition ends: further on where its file cannot be parsed whole, and goes on with lines inside it.

    Args:
        file: the file.
        start: the byte that the first line of the definition begins with.
        end: the byte behind what the parser took for it.
    """
    source = file.source
    own = _depth(source[source.rfind(b"\n", 0, start) + 1 : end])
    line_end = source.find(b"\n", end)
    at, last = (line_end if line_end >= 0 else len(source)), end
    if source[end:at].strip():
        return end  # something else stands on the same line
    while at < len(source):
        line_end = source.find(b"\n", at + 1)
        line = source[at + 1 : line_end if line_end >= 0 else len(source)]
        at += 1 + len(line)
        if not line.strip() or _MERGE.match(line):
            continue
        if _depth(line) <= own:
            closes = last > end and _depth(line) == own and line.strip().startswith(_CLOSING)
            last = at if closes else last
            break
        last = at
    if last == end or _is_closed(source[start:end]) or not file.facts.syntax_errors:
        return end
    return last


def _depth(line: bytes) -> int:
    """The columns before the first character of a line that is no blank."""
    blank = line[: len(line) - len(line.lstrip(b" \t"))]
    return len(blank.expandtabs(_TAB))


def _is_closed(text: bytes) -> bool:
    """Tells whether a definition ends with the last of its braces."""
    return text.rstrip().endswith(b"}") and text.count(b"{") == text.count(b"}")
