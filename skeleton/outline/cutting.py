"""Cuts the text that a grammar stumbles over out of what it reads.

One macro that looks like nothing that a grammar knows can make it take the rest of a class for a signature. What stands
around such a place is blanked and the source is read anew; what was cut out is shown as it is written, below a mark, and
everything else is read as if it were not there. A cut begins where a line begins a definition (`; begins:` in a query
file) and ends with the line that closes it, no deeper than it began. It is kept where nothing else is lost by it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from skeleton.outline.definitions import Definition, Outline, Span

_CLOSES: Final = re.compile(rb"^[ \t]*(?:[})\]]|end\b)[^\n]*", re.MULTILINE)
_BLANK_LINE: Final = re.compile(rb"\n\r?\n")
_VISIBLE: Final = re.compile(rb"[^\r\n]")
_BLANKS: Final = b" \t\r\n\f"
_COUNTED: Final = b" \t"


def without(parsed: bytes, spans: Sequence[Span]) -> bytes:
    """Returns the text that is parsed with form feeds, which belong to nothing, in the place of some spans."""
    pieces: list[bytes] = []
    done = 0
    for start, end in spans:
        pieces += parsed[done:start], _VISIBLE.sub(b"\f", parsed[start:end])
        done = end
    return b"".join((*pieces, parsed[done:]))


def merged(spans: Sequence[Span], source: bytes) -> tuple[Span, ...]:
    """Returns spans of whole lines in order; those with nothing but blank lines between them are one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and not source[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def is_too_much(cut: Sequence[Span], source: bytes) -> bool:
    """Tells whether so much is cut out of a source that little is left to read."""
    return sum(end - start for start, end in cut) > len(source) // 2


class Lines(NamedTuple):
    """The lines of a source that begin definitions."""

    source: bytes
    begins: tuple[Span, ...]
    """The start and the end of each match, by position."""

    def around(self, at: int) -> Span:
        """Returns the lines from the one that begins what stands at a place to the one that ends it."""
        place = bisect_right(self.begins, (self.line_end(at), len(self.source))) - 1
        start = self.begins[place][0] if place >= 0 else self.line_start(at)
        return self._from(start, place + 1, at)

    def wider(self, span: Span) -> Span:
        """Returns a span with what begins before it and what begins behind it."""
        start, end = span
        before = bisect_right(self.begins, (start, 0)) - 1
        first = self.begins[before][0] if before >= 0 else 0
        behind = bisect_right(self.begins, (end, 0))
        if behind >= len(self.begins):
            return first, len(self.source)
        return first, max(end, self._from(self.begins[behind][0], behind + 1, self.begins[behind][0])[1])

    def with_cut(self, cut: Sequence[Span], at: int) -> tuple[Span, ...]:
        """Returns cuts with one more around a place; where one is there or next to it, that one grows."""
        spans = list(cut)
        for place, (start, end) in enumerate(spans):
            if start <= at <= end or not self.source[min(end, at) : max(end, at)].strip():
                spans[place] = self.wider((start, end))
                return merged(spans, self.source)
        return merged([*spans, self.around(at)], self.source)

    def _from(self, start: int, following: int, at: int) -> Span:
        """Returns the lines from a line to the one that ends what begins there, at or behind a place."""
        source, deep = self.source, self.depth(start)
        others = (self.begins[place][0] for place in range(following, len(self.begins)))
        limit = next((other for other in others if other > at and self.depth(other) <= deep), len(source))
        for closing in _CLOSES.finditer(source, self.line_start(max(at, start)), limit):
            if self.depth(closing.start()) <= deep:
                return start, min(closing.end() + 1, len(source))
        blank = _BLANK_LINE.search(source, max(at, start), limit)
        end = blank.start() + 1 if blank else limit
        return start, max(self._before(end), self.line_end(at) + 1)

    def _before(self, at: int) -> int:
        """Returns the start of the line behind the last one before a place that is not blank."""
        while at > 0 and self.source[at - 1 : at] in (b" ", b"\t", b"\r", b"\n", b"\f"):
            at -= 1
        return min(self.line_end(at) + 1, len(self.source))

    def depth(self, at: int) -> int:
        """Counts the blanks before the first word at or behind the start of a line."""
        source, size = self.source, len(self.source)
        while at < size and source[at] in _BLANKS:
            at += 1
        first = last = source.rfind(b"\n", 0, at) + 1
        while last < size and source[last] in _COUNTED:
            last += 1
        return last - first

    def line_start(self, at: int) -> int:
        """Returns the start of the line of a place."""
        return self.source.rfind(b"\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Returns the end of the line of a place."""
        end = self.source.find(b"\n", at)
        return end if end >= 0 else len(self.source)


def loses(before: Outline, after: Outline, spans: Sequence[Span], swallowed: frozenset[int] = frozenset()) -> bool:
    """Tells whether a definition that stands in no cut is gone, but for one that swallowed others.

    Args:
        before: the outline without the cut.
        after: that with it.
        spans: what is cut out.
        swallowed: where the names stand of those that swallowed others.
    """
    kept = {(one.name, one.name_start) for one in after.definitions}
    return any(
        (one.name, one.name_start) not in kept and one.name_start not in swallowed and one.kind != "constant"
        for one in _outside(spans, before)
    )


def adds(before: Outline, after: Outline, spans: Sequence[Span]) -> bool:
    """Tells whether a definition stands in no cut that is not there without it; arguments are those of `loses`."""
    known = {(one.name, one.name_start) for one in before.definitions}
    return any((one.name, one.name_start) not in known for one in _outside(spans, after))


def _outside(spans: Sequence[Span], outline: Outline) -> Iterator[Definition]:
    """Yields the definitions whose names stand in none of some spans, which are in order."""
    starts = [start for start, _ in spans]
    for one in outline.definitions:
        place = bisect_right(starts, one.name_start) - 1
        if place < 0 or one.name_start >= spans[place][1]:
            yield one


class Stumble(NamedTuple):
    """A place where a grammar took more, or less, for one thing than it is."""

    at: int
    """The byte that it stumbled at."""
    name: int = -1
    """The start of the name of the definition that swallowed others; -1 for none."""


def swallowing(
    lines: Lines, errors: Sequence[Span], definitions: Sequence[Definition], tried: frozenset[int]
) -> Iterator[Stumble]:
    """Yields the definitions whose signature holds an error and lines that begin others, each by its first error.

    Args:
        lines: the lines that begin definitions.
        errors: where errors are, by position, none inside another.
        definitions: by their signatures.
        tried: where the grammar stumbled before.
    """
    starts = [start for start, _ in lines.begins]
    for one in definitions:
        place = bisect_right(starts, lines.line_end(one.signature))
        if one.kind == "constant" or place == len(starts) or starts[place] >= one.body:
            continue
        for error, _ in errors[max(0, bisect_right(errors, (one.signature, 0)) - 1) :]:
            if error >= one.body:
                break
            if error >= one.signature and error not in tried:
                yield Stumble(error, one.name_start)
                break
