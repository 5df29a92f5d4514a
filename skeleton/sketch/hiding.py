"""Blanks out of a source what holds no definition, comments and what stands between quotes, before a sketch is made."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from skeleton.languages.sketches import END_OF_LINE, OF_WORD, hidden
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from skeleton.languages.sketches import SketchPatterns

_MATCHES_AT_ONCE: Final = 256
"""Matches between two looks at the token of the call."""

_MOST_BYTES: Final = 1 << 16
"""Bytes up to a word that ends what is hidden."""

_FIRST_WORD: Final = re.compile(rb"\n[ \t]*+(\w++)")
_NO_BRACKETS: Final = bytes.maketrans(b"(){}[];,=", b" " * 9)
_BLANKS: Final = bytes(byte if byte == 10 else 32 for byte in range(256))


def without_hidden(text: bytes, patterns: SketchPatterns, comments: dict[int, int]) -> bytes:
    """Returns a text with blanks for what holds no definition: all of a comment, and what stands between quotes.

    A text of several lines becomes one long line, as what it is the value of does not end before it.

    Args:
        text: the source.
        patterns: those of its language.
        comments: takes the beginnings of comments that end with a text, by their ends.
    """
    if not patterns.hides:
        return text
    taken = at = text.find(patterns.code)
    if at < 0:
        return text.translate(_BLANKS)
    parts = [text[:at].translate(_BLANKS)] if at else []
    are_comments: dict[int, bool] = {}
    endless: frozenset[int] = frozenset()
    lines: dict[bytes, list[int]] | None = None
    while at < len(text):
        hiding = hidden(patterns.hides, endless)
        for number, match in enumerate(hiding.pattern.finditer(text, at)):
            if not number % _MATCHES_AT_ONCE:
                stop_if_cancelled()
            group = match.lastindex or 0
            kind = hiding.kinds[group]
            closing = patterns.hides[kind][1]
            if not closing:
                shown = match[0]
                without = shown.translate(_NO_BRACKETS)
                if b"\n" in shown and not patterns.comments.match(shown):
                    without = shown[:1] + b" " * (len(shown) - 2) + shown[-1:]
                if without != shown:
                    if without.endswith(b" ") and not shown.endswith(b" ") and not patterns.comments.match(shown):
                        without = without[:-1] + b'"'  # what ends with the text ends here
                    parts += (text[taken : match.start()], without)
                    taken = match.end()
                continue
            if kind in endless:
                continue
            (begin, end), opened = match.span(), match.end(group)
            if closing == OF_WORD:
                lines = _lines_by_word(text) if lines is None else lines
                begins = lines.get(match[f"word{kind}"], [])
                number_of_line = bisect_left(begins, opened)
                if number_of_line == len(begins) or begins[number_of_line] > opened + _MOST_BYTES:
                    continue
                at = begins[number_of_line]
                parts += (text[taken:opened], b" " * (at - opened))
                taken = at
                break
            ends_with = closing
            if end == len(text) and closing != END_OF_LINE and not text.endswith(closing, opened):
                if closing != patterns.code:
                    endless, at = endless | {kind}, opened
                    break
                ends_with = b""
            if kind not in are_comments:
                are_comments[kind] = patterns.comments.match(text, begin) is not None
            if are_comments[kind]:
                parts += (text[taken:begin], match[0].translate(_BLANKS))
                taken = end
                if closing != END_OF_LINE:
                    comments[end] = begin
            else:
                parts += (text[taken:opened], b" " * (end - opened - len(ends_with)))
                taken = end - len(ends_with)
        else:
            break
    return b"".join((*parts, text[taken:])) if parts else text


def _lines_by_word(text: bytes) -> dict[bytes, list[int]]:
    """Returns where the words stand that lines begin with."""
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for match in _FIRST_WORD.finditer(text):
        found[match[1]].append(match.start(1))
    return found
