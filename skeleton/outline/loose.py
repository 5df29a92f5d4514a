"""Shows the text of syntax errors by whole lines, so that a mark can tell of each.

    for (int i = 0; i < 10; i++) {
        log_do_begin(first)
            count++;

Where a grammar stumbles over a body, it leaves a heap of words, statements and constants. The text of an error that is no
definition and no import is loose. A level keeps some of it (words that belong to nothing, short statements, constants)
and takes the rest away; what it keeps of a line is meant to be all of the line, or a mark could not say `as written`. So
a part that a level would drop or fold ends, in loose text, where its last whole line does. Files without syntax errors
have no loose text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate, chain
from typing import Final

import tree_sitter

from skeleton.levels import Role
from skeleton.outline.definitions import Definition, Part, Span
from skeleton.outline.found import Found
from skeleton.outline.rows import Row, Rows

_DIRECTIVE: Final = b"#"
_CLOSERS: Final = (b"}", b")", b"]")
_BLANKS: Final = b" \t\r\n\f\v"
_DEEPEST: Final = 200
"""Errors nested deeper than this are not looked for."""

_BY_LINES: Final = frozenset({Role.STATEMENTS, Role.CONSTANT, Role.COMMENT})
"""The roles of parts that take away whole lines of loose text alone."""

_SHOWN: Final = frozenset({Role.CONSTANT_VALUE, Role.FIELD_VALUE})
"""The roles of parts that take nothing of loose text away."""


class Loose:
    """The text of one error while its members are met, one after another.

    Args:
        rows: the lines of the file.
        span: of the error.
        is_at_top: it stands in no definition.
    """

    def __init__(self, rows: Rows, span: Span, *, is_at_top: bool) -> None:
        self._rows = rows
        self._at, self._end = span
        self._least = 0 if is_at_top else rows.of(self._at).depth
        self._spans: list[Span] = []

    def knows(self, start: int, end: int) -> None:
        """Notes text that is an import, or in which errors are looked for by themselves."""
        if start > self._at:
            self._spans.append((self._at, start))
        self._at = max(self._at, end)

    def meets(self, found: Found, start: int, end: int) -> None:
        """Notes a definition, unless it is a constant that holds an error or stands in a body that was not read."""
        is_sure = not found.outer.has_error and self._rows.of(found.start).depth <= self._least
        if is_sure or found.kind != "constant":
            self.knows(start, end)

    @property
    def spans(self) -> list[Span]:
        """The text between all that was noted."""
        return [*self._spans, (self._at, self._end)]


class LooseText:
    """The loose text of one source.

    Args:
        source: the text.
    """

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._met: dict[int, Loose] = {}
        self._kept: list[Span] = []

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self._source)

    def of(self, node: tree_sitter.Node, *, is_at_top: bool) -> Loose:
        """Returns what notes the text of an error, or of a scope in one, while its members are met."""
        loose = self._met[node.id] = Loose(self._rows, node.byte_range, is_at_top=is_at_top)
        return loose

    def add(self, span: Span) -> None:
        """Notes text that is kept with an error in it."""
        self._kept.append(span)

    def spans(self, root: tree_sitter.Node, comments: Mapping[int, int], starts: Sequence[int]) -> Iterator[Span]:
        """Yields the loose text, without white space and comments at the ends of a stretch.

        Args:
            root: that of the tree.
            comments: the end of each comment by its start.
            starts: those of the comments, in order.
        """
        source = self._source
        unmet = (node.byte_range for node in error_nodes(root, self._met.keys()))
        for start, end in chain(self._kept, unmet, *(one.spans for one in self._met.values())):
            span = _trimmed(start, min(end, len(source)), source, comments, starts)
            if span[0] < span[1]:
                yield span


def _trimmed(start: int, end: int, source: bytes, comments: Mapping[int, int], starts: Sequence[int]) -> Span:
    while start < end:
        if source[start] in _BLANKS:
            start += 1
        elif (behind := comments.get(start, -1)) > start:
            start = behind
        else:
            break
    while start < end:
        if source[end - 1] in _BLANKS:
            end -= 1
        elif (at := bisect_left(starts, end) - 1) >= 0 and starts[at] >= start and comments[starts[at]] >= end:
            end = starts[at]
        else:
            break
    return start, max(start, end)


def with_bodies(spans: Iterable[Span], definitions: Sequence[Definition], rows: Rows) -> list[Span]:
    """Returns loose text, in order, with the lines of bodies that were read as if they stood outside, up to a definition.

    An error may end in the midst of a body: what follows and stands deeper than where it begins is a part of it. What
    stands above a bracket that closes nothing, and deeper, is of a body whose beginning was not read.

    Args:
        spans: the loose text.
        definitions: by their signatures.
        rows: the lines of both.
    """
    others = [one for one in definitions if one.kind != "constant"]
    signatures = [one.signature for one in others]
    ends = sorted([*(one.body for one in others), *(one.end for one in others)])
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
            continue
        row = rows.of(start)
        place = bisect_left(signatures, end)
        until = signatures[place] if place < len(signatures) else len(rows.source)
        end = _deeper(rows, end, until, row.depth)
        if row.first == start and rows.source.startswith(_CLOSERS, start):
            known = bisect_right(ends, start) - 1
            start = _deeper_above(rows, row, max(ends[known] if known >= 0 else 0, joined[-1][1] if joined else 0))
        joined.append((start, end))
    return joined


def _deeper_above(rows: Rows, below: Row, least: int) -> int:
    """Returns the start of the lines above one that stand deeper, as far as a place; that of the line where none does."""
    start = below.first
    row = rows.before(below)
    while row is not None and row.start >= least:
        if _counts(row, rows.source):
            if row.depth <= below.depth:
                break
            start = row.first
        row = rows.before(row)
    return start


def _deeper(rows: Rows, end: int, until: int, deep: int) -> int:
    """Returns the end of the lines behind a place that stand deeper than a number of blanks; the place where none does."""
    row = rows.behind(rows.of(end))
    while row is not None and row.start < until:
        if _counts(row, rows.source):
            if row.depth <= deep:
                break
            end = row.end
        row = rows.behind(row)
    return end


def _counts(row: Row, source: bytes) -> bool:
    """Tells whether a line says how deep what it belongs to stands: blank ones and directives do not."""
    return row.first < row.end and not source.startswith(_DIRECTIVE, row.first)


def outside_signatures(spans: Sequence[Span], definitions: Sequence[Definition], rows: Rows) -> Iterator[Span]:
    """Yields spans without the lines of signatures, which are whole and proven, and of what stands above them.

    Args:
        spans: in order, none in another.
        definitions: by their signatures.
        rows: the lines of both.
    """
    start_of, end_of = rows.start_of, rows.end_of
    shown = sorted(
        [
            (start_of(min(start, signature)), end_of(max(signature, body - 1)))
            for kind, _, _, start, _, signature, body, _ in definitions
            if kind != "constant"
        ]
    )
    ends = list(accumulate((end for _, end in shown), max))
    for start, end in spans:
        at, first = bisect_right(ends, start), start
        while at < len(shown) and shown[at][0] < end:
            if shown[at][0] > first:
                yield first, shown[at][0]
            first = max(first, shown[at][1])
            at += 1
        if first < end:
            yield first, end


def by_lines(parts: Sequence[Part], spans: Sequence[Span], rows: Rows) -> Iterator[Part]:
    """Yields the parts, of which none takes away a piece of a line of loose text.

    Args:
        parts: of an outline.
        spans: the loose text, in order.
        rows: the lines of both.
    """
    ends = [end for _, end in spans]
    for part in parts:
        at = bisect_right(ends, part.start)
        if at == len(spans) or spans[at][0] > part.start:
            yield part
        elif part.role in _BY_LINES:
            start, end = _whole_lines(part.start, part.end, rows)
            if (start, end) == part[:2]:
                yield part
            elif start < end:
                yield part._replace(start=start, end=end, inner=())
        elif part.role not in _SHOWN:
            yield part


def _whole_lines(start: int, end: int, rows: Rows) -> Span:
    """Returns the whole lines of a span, from the first word to the last; an empty span where it holds none."""
    if rows.of(start).first < start:
        row = rows.behind(rows.of(start))
        while row is not None and row.first == row.end:
            row = rows.behind(row)
        start = end if row is None else row.first
    last = rows.of(max(start, end - 1))
    if last.last > end:
        while last.start > start and (last.last > end or last.first == last.end):
            last = rows.of(last.start - 1)
        end = last.last if last.last <= end else start
    return start, max(start, end)


def errors(root: tree_sitter.Node) -> Iterator[Span]:
    """Yields the errors of a tree, the outermost of each place."""
    return (node.byte_range for node in error_nodes(root))


def error_nodes(root: tree_sitter.Node, met: AbstractSet[int] = frozenset()) -> Iterator[tree_sitter.Node]:
    """Yields the nodes of the errors of a tree, the outermost of each place, but for those that were met by their ids."""
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        if (node.is_error or node.is_missing) and node.id not in met:
            yield node
        elif node.has_error and depth < _DEEPEST:
            todo.extend((child, depth + 1) for child in node.children if child.has_error or child.is_missing)
