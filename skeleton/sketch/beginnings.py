"""The beginnings of the definitions of a sketch: with the comments and attributes directly above them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.sketches import Blocks, SketchPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_ABOVE: Final = 400
"""Lines above a definition that may belong to it."""

_CODE: Final = re.compile(rb"\n[ \t]*+(?=\S)")
_CLOSES: Final = re.compile(rb"\n[ \t]*+([)\]}])")
_ENDS: Final = re.compile(rb"\n[ \t]++()(?=[^\n]*[)\]}][ \t]*\Z)")


class Beginnings:
    """The beginnings of the definitions of one file.

    Args:
        source: the file, with one line break more in front.
        text: the same without what is hidden.
        patterns: those of its language.
        comments: the beginnings of comments that end with a text, by their ends.
    """

    def __init__(self, source: bytes, text: bytes, patterns: SketchPatterns, comments: Mapping[int, int]) -> None:
        self._source = source
        self._text = text
        self._patterns = patterns
        self._comments = comments

    def of(self, line: int, width: int, since: int) -> int:
        """Returns where a definition begins with the comments and attributes directly above its line.

        Args:
            line: the line break before it.
            width: bytes that its line is indented by.
            since: the end of the last definition or of its head: nothing before it stands above this one.
        """
        source, above = self._source, self._patterns.above
        is_indented = self._patterns.blocks is Blocks.INDENTED
        higher = line
        for _ in range(_MOST_ABOVE):
            if higher <= since:
                break
            before = self._text.rfind(b"\n", 0, higher)
            text = source[before + 1 : higher]
            if not text or text.isspace():
                break
            joins = above.match(text) is not None
            opening = self._comments.get(before + 1 + len(text.rstrip()), -1)
            if opening >= since:
                before = source.rfind(b"\n", 0, opening)
                joins = above.match(source, opening) is not None
                if source[before + 1 : opening].strip():
                    break
            elif is_indented and not joins and len(text) - len(text.lstrip()) > width:
                pass  # it goes on with what stands above it
            elif not joins and not self._patterns.comments.match(text.lstrip()):
                before = self._opened_above(higher, since)
                if before < 0:
                    break
                joins = True
            higher = before
            line = higher if joins else line
        begins = line + 1
        while source[begins : begins + 1] in (b" ", b"\t"):
            begins += 1
        return begins

    def _opened_above(self, line: int, since: int) -> int:
        """Returns the line break before an attribute of several lines, whose last begins with the bracket that closes it.

        Args:
            line: the line break after its last line.
            since: as of `of`.

        Returns:
            less than 0 where that is none.
        """
        source = self._source
        last = source.rfind(b"\n", 0, line)
        closes = _CLOSES.match(source, last) or _ENDS.match(source, last, line)
        if closes is None:
            return -1
        before = closes.start()
        for _ in range(_MOST_ABOVE):
            before = source.rfind(b"\n", since, before)
            if before < 0:
                return -1
            first = _CODE.match(source, before)
            if first is not None and len(first[0]) < len(closes[0]):
                return before if self._patterns.above.match(source, before + 1) else -1
        return -1
