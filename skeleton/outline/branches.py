"""Conditions of a preprocessor that tear a block apart, read as if there were none.

    #ifdef __MVS__
        if (thread.id != 0) {
    #else
        if (thread != 0) {
    #endif
            join(thread);
        }

To a grammar without a preprocessor two blocks open here and one ends, so the rest of the file is a part of this function.
Where a branch opens another number of blocks than it closes, the directives are blanked, and the one behind it closes
what it opened, or opens what it closed: all branches stand behind each other, and what is in none of them goes on with
the last. Everything that the file defines is still there, at its place. Of such a condition a skeleton may show the first
directive without the others, so one that belongs to no other is blanked as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

_QUIET: Final = re.compile(
    rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\)*',
    re.DOTALL | re.MULTILINE,
)
"""Nodes whose brackets do not count: comments, texts, directives."""

_VISIBLE: Final = re.compile(rb"[^\r\n]")
_OPENS: Final = b"if"
_CLOSES: Final = b"endif"
_ONE_SIDE: Final = 2
"""The directives of a condition without `#else`."""


def untorn(text: bytes, conditions: re.Pattern[bytes]) -> bytes:
    """The text, as long as before, with conditions of one kind blanked: those that tear a block apart.

    Args:
        text: what is to be parsed.
        conditions: a directive, whole; its first group says which: `if…`, `endif`, or anything between the two.
    """
    changed: bytearray | None = None
    for condition in _conditions(text, conditions):
        if len(condition) == 1:
            changed = changed if changed is not None else bytearray(text)
            changed[condition[0].start() : condition[0].end()] = _blanked(condition[0][0], 0)
            continue
        depths = [_depth(text, one.end(), other.start()) for one, other in pairwise(condition)]
        if not any(depths) or len(condition) == _ONE_SIDE:
            continue
        changed = changed if changed is not None else bytearray(text)
        for directive, depth in zip(condition, (0, *depths[:-1], 0), strict=True):
            changed[directive.start() : directive.end()] = _blanked(directive[0], depth)
    return text if changed is None else bytes(changed)


def _conditions(text: bytes, conditions: re.Pattern[bytes]) -> Iterator[Sequence[re.Match[bytes]]]:
    """The directives of each condition, from the first to the last; one that belongs to no other stands alone."""
    around: list[list[re.Match[bytes]]] = []
    for directive in conditions.finditer(text):
        if directive[1].startswith(_OPENS):
            around.append([directive])
        elif not around:
            yield [directive]
        else:
            around[-1].append(directive)
            if directive[1] == _CLOSES:
                yield around.pop()
    yield from ([directives[0]] for directives in around)


def _depth(text: bytes, start: int, end: int) -> int:
    """Returns the blocks that a branch opens and does not close; negative where it closes more than it opens."""
    if text.count(b"{", start, end) == text.count(b"}", start, end):
        return 0
    code = _QUIET.sub(b"", text[start:end])
    return code.count(b"{") - code.count(b"}")


def _blanked(directive: bytes, depth: int) -> bytes:
    """A directive as blanks that end in what closes so many blocks, or opens so many."""
    brackets = (b"}" if depth > 0 else b"{") * abs(depth)
    blanks = _VISIBLE.sub(b" ", directive)
    last = len(blanks) - (blanks.rfind(b"\n") + 1)
    return blanks[: len(blanks) - len(brackets)] + brackets if len(brackets) <= last else blanks
