"""Finds the comments and attributes directly above a definition that belong to it, wherever the definition stands.

A skeleton shows what a reader sees of a file; its doc comments are found on the way from member to member
(`skeleton.outline.lead`). Whoever zooms wants a definition whole, those inside bodies too, and with all that is written above
it: attributes and doc comments in any order, a doc that is drawn as a box of one-line comments, and the plain comments
between them. A blank line ends it, and so does anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from skeleton.outline.captures import Captures

_BLANKS: Final = b" \t\r\n\f\v"


class Above:
    """The comments and attributes above the places of one source.

    Args:
        source: the text.
        captures: its comments and attributes.
        is_doc: tells whether the comment that starts at a place documents what follows.
    """

    def __init__(self, source: bytes, captures: Captures, is_doc: Callable[[int], bool]) -> None:
        self._source = source
        self._comments = captures.comments
        self._comment_ends = captures.comment_ends
        self._attributes = {end: start for start, end in captures.attributes}
        self._is_doc = is_doc

    def start_of(self, start: int) -> int:
        """Returns the beginning of the attributes and doc comments directly above a place, or the place itself."""
        first = at = start
        while True:
            end = self._end_above(at)
            breaks = self._source.count(b"\n", end, at)
            if end == 0 or breaks > 1:
                break
            if (attribute := self._attributes.get(end)) is not None:
                first = at = attribute
                continue
            comment = self._comment_ends.get(end)
            if comment is None:
                break
            if not self._opens_line(comment):
                attribute = self._attributes.get(self._end_above(comment))
                if attribute is None or self._source.find(b"\n", attribute, comment) >= 0 or breaks != 1:
                    break
                first = at = attribute
            elif not self._is_doc(comment):
                at = comment
            elif self._joins(comment, end, at):
                first = at = comment
            else:
                break
        # What opens a file may be about the file: there the walk over the members has the last word.
        return start if first < start and self._end_above(first) == 0 else first

    def _joins(self, comment: int, end: int, below: int) -> bool:
        """Tells whether a doc comment and what stands below it are about the same: two docs are only if both are lines."""
        if below not in self._comments or not self._is_doc(below):
            return True
        below_end = self._comments[below]
        if not self._source.endswith(b"*/", 0, end) and not self._source.endswith(b"*/", 0, below_end):
            return True
        return self._source.find(b"\n", comment, end) < 0 and self._source.find(b"\n", below, below_end) < 0

    def _end_above(self, at: int) -> int:
        source = self._source
        while at > 0 and source[at - 1] in _BLANKS:
            at -= 1
        return at

    def _opens_line(self, at: int) -> bool:
        source = self._source
        while at > 0 and source[at - 1] in b" \t":
            at -= 1
        return at == 0 or source[at - 1] in b"\r\n"
