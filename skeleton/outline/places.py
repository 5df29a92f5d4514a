"""Places in a source around the nodes of its tree: back and forth over white space, comments and separators."""

from __future__ import annotations

import re
from bisect import bisect_left

from skeleton.outline.captures import Captures

_BLANKS = re.compile(rb"[ \t\r\n\f]+").match
_CONDITION = re.compile(rb"[ \t]*#[ \t]*(?:if|el|endif)").match
_BLANK = frozenset(b" \t\r\n\f")
_APART = frozenset(b"\f")
_SEPARATORS = (b",", b";", b"}", b")", b"]")
_BACKSLASH = 0x5C
_CONTINUED = (b"\\\n", b"\\\r\n")


class Places:
    """One source, and what is known of it so far.

    Attributes (for the classes built on it):
        _source: the text that is shown.
        _parsed: the text that was parsed, of the same length.
        _captures: what the query found.
    """

    def __init__(self, source: bytes, parsed: bytes, captures: Captures) -> None:
        self._source = source
        self._parsed = parsed
        self._captures = captures

    def _ends_line(self, position: int) -> bool:
        """Tells whether a line break is all that separates what ends there from what follows."""
        after = self._after(position)
        return self._source.find(b"\n", position, after) >= 0 and self._source[after : after + 1] not in _SEPARATORS

    def _before(self, position: int, passed: frozenset[int] = _BLANK) -> int:
        """Back over white space and comments, and over what was blanked; with `_APART` only if it belongs to nothing."""
        parsed, source, ends = self._parsed, self._source, self._captures.comment_ends
        position = min(position, len(source))  # the line break that a grammar misses at the end of a file
        if position > 0 and position not in ends and parsed[position - 1] not in _BLANK:
            last = source[position - 1]
            if last not in _BLANK and last != _BACKSLASH:
                return position
        while True:
            while position > 0 and position not in ends:  # a comment ends with its backslash, if it has one there
                last = source[position - 1]
                is_blank = last in _BLANK or parsed[position - 1] in passed
                if not is_blank and (last != _BACKSLASH or not source.startswith(_CONTINUED, position - 1)):
                    break
                position -= 1
            start = ends.get(position)
            if start is None:
                return position
            position = start

    def _before_body(self, position: int, kind: str) -> int:
        """Back to the end of a signature: what was blanked behind it is a part of it, and in a macro one of the body.

        Behind a condition of a preprocessor it ends with the line: `#endif {` would be none.
        """
        source, end = self._source, self._before(position, _BLANK if kind == "macro" else _APART)
        line_break = source.find(b"\n", end, position)
        is_behind = line_break >= 0 and _CONDITION(source, source.rfind(b"\n", 0, end) + 1) is not None
        return line_break + 1 if is_behind else end

    def _after(self, position: int) -> int:
        """Forward over white space and comments."""
        comments, parsed = self._captures.comments, self._parsed
        while True:
            blanks = _BLANKS(parsed, position)
            position = blanks.end() if blanks else position
            end = comments.get(position)
            if end is None:
                return position
            position = end

    def _past(self, end: int) -> int:
        """Past what ends a statement and follows directly; the half of a sign is none."""
        mark = self._captures.terminator
        behind = end + len(mark)
        return behind if self._source.startswith(mark, end) and not self._source.startswith(mark, behind) else end

    def _past_end(self, end: int) -> int:
        """Past what ends a statement, on a line of its own or directly behind it."""
        ended = self._captures.ended(self._source, end)
        return ended.end() if ended else self._past(end)

    def _to_closer(self, end: int) -> int:
        """Up to the parenthesis that closes around a body, over a trailing comma and line breaks."""
        after = self._after(end)
        if self._source.startswith(b",", after):
            after = self._after(after + 1)
        return after if self._source.startswith(b")", after) else end

    def _past_separator(self, end: int) -> int:
        """Past a semicolon that follows directly, or the comma before the next member."""
        after = self._after(end)
        return after + 1 if self._source.startswith(b",", after) else self._past(end)

    def _holds_words(self, start: int, end: int) -> bool:
        """Tells whether words other than those that end a block stand there, outside comments."""
        starts = self._captures.comment_starts
        word = self._captures.word_after_body
        for at in starts[bisect_left(starts, start) : bisect_left(starts, end)]:
            if word(self._source, start, at):
                return True
            start = self._captures.comments[at]
        return word(self._source, start, end) is not None
