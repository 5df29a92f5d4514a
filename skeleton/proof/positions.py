"""Maps positions of a source to positions of the text that was rendered of it.

A rendered text is stretches of the source, as they are written, and what was put in the place of the rest: in the gaps
between them. Inside a stretch a place is found by counting bytes; what begins or ends in a gap begins or ends with what
was put there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from skeleton.render.rendering import Rendered

_BLANKS = b" \t\r\n"
_SPACE = b" \t\r\n\f\v"


Gap = tuple[int, int, int, int]
"""A span of the source that did not stay as it is, and what stands there now: half-open spans of bytes."""


class Positions:
    """The places of one source in one text.

    Attributes:
        text: what was rendered.
        gaps: what did not stay, in order.
        replaced: what was put in the place of something, by where that starts in the source.
    """

    def __init__(self, source: bytes, rendered: Rendered) -> None:
        self.text = rendered.text
        self._lines = rendered.lines
        self._rows = [0, *accumulate([len(row) + 1 for row in rendered.text.split(b"\n")])]
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._joined: list[int] = []
        self.replaced: dict[int, bytes] = {}
        self._put: list[tuple[int, int]] = []
        """The inserted pieces: the place in the source that each stands for, and its place in the joined pieces."""
        self.gaps: list[Gap] = []
        self._gap_starts: list[int] = []
        end = shown = at = 0
        starts, ends, joined, put, replaced = self._starts, self._ends, self._joined, self._put, self.replaced
        for origin, text, verbatim in rendered.pieces:
            if verbatim:
                if origin > end or at > shown:
                    self._add_gap(end, origin, shown, at)
                starts.append(origin)
                joined.append(at)
                end = origin + len(text)
                ends.append(end)
                shown = at = at + len(text)
            else:
                replaced[origin] = text
                put.append((origin, at))
                at += len(text)
        if len(source) > end or at > shown:
            self._add_gap(end, len(source), shown, at)

    def _add_gap(self, start: int, end: int, shown: int, shown_end: int) -> None:
        self._gap_starts.append(start)
        first = self._shown(shown)
        self.gaps.append((start, end, first, self._shown(shown_end) if shown_end > shown else first))

    def _shown(self, joined: int) -> int:
        """The place in the text of a place in the joined pieces."""
        line = bisect_right(self._lines, joined) - 1
        if line < 0:
            return 0
        shown = self._rows[line] + joined - self._lines[line]
        if shown >= self._rows[line + 1]:
            return self._rows[line + 1] - 1
        return shown

    def verbatim(self, position: int) -> tuple[int, int]:
        """Returns the place of a byte in the text, and the end of its stretch of the source; (-1, -1) in a gap."""
        at = bisect_right(self._starts, position) - 1
        if at < 0 or position >= self._ends[at]:
            return -1, -1
        return self._shown(self._joined[at] + position - self._starts[at]), self._ends[at]

    def start(self, position: int) -> int:
        """Returns the start in the text of what starts at a position; that of the text after it, where it is gone."""
        shown, _ = self.verbatim(position)
        if shown >= 0:
            return shown
        _, end, _, shown_end = self.gaps[bisect_right(self._gap_starts, position) - 1]
        at = bisect_left(self._put, (position, 0))
        is_shown = at < len(self._put) and (self._put[at][0] < end or self._put[at][0] == position)
        shown = self._shown(self._put[at][1]) if is_shown else shown_end
        while shown < len(self.text) and self.text[shown] in _BLANKS:
            shown += 1
        return shown

    def before(self, position: int) -> int:
        """Returns the end in the text of what ends at a position, also where something was put in behind it."""
        if position not in self.replaced:
            return self.end(position)
        shown = self._shown(self._put[bisect_left(self._put, (position, 0))][1])
        while shown > 0 and self.text[shown - 1] in _BLANKS:
            shown -= 1
        return shown

    def end(self, position: int) -> int:
        """Returns the end in the text of what ends at a position."""
        at = bisect_left(self._starts, position) - 1
        if at >= 0 and position <= self._ends[at]:
            shown = self._shown(self._joined[at] + position - self._starts[at])
        else:
            shown = self.gaps[max(bisect_left(self._gap_starts, position) - 1, 0)][3]
        while shown > 0 and self.text[shown - 1] in _BLANKS:
            shown -= 1
        return shown


def is_made_of(source: bytes, rendered: Rendered) -> bool:
    """Tells whether a text is what its pieces make, white space apart, and those that are verbatim are in the source, in order."""
    end = 0
    for origin, text, verbatim in rendered.pieces:
        if verbatim:
            if origin < end or not source.startswith(text, origin):
                return False
            end = origin + len(text)
    joined = b"".join([text for _, text, _ in rendered.pieces])
    rows = rendered.text.split(b"\n")
    return (
        len(rows) == len(rendered.lines)
        and all(map(joined.startswith, rows, rendered.lines))
        and rendered.text.translate(None, _SPACE) == joined.translate(None, _SPACE)
    )
