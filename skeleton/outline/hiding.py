"""Blanks out of a source what holds no definition, comments and what stands between quotes, before a sketch is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from skeleton.languages.sketches import END_OF_LINE, OF_WORD, hidden
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from skeleton.languages.sketches import SketchPatterns

_MATCHES_AT_ONCE: Final = 256
"""Matches between two looks at the token of the call."""

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
    parts: list[bytes] = []
    taken = at = 0
    are_comments: dict[int, bool] = {}
    endless: frozenset[int] = frozenset()
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
                if without != shown:
                    parts += (text[taken : match.start()], without)
                    taken = match.end()
                continue
            if kind in endless:
                continue
            (begin, end), opened = match.span(), match.end(group)
            ends_with = b"" if closing == OF_WORD else closing
            if end == len(text) and closing != END_OF_LINE and not text.endswith(ends_with, opened):
                endless, at = endless | {kind}, opened
                break
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
