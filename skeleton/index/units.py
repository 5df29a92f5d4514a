"""Units: lines of a skeleton that are shown together, and the definitions that they stand for.

A budget is spent on definitions, and a reader is shown lines. A `Unit` joins the two: lines of a skeleton that are shown
or left out together, the definitions that they hold, and the lines of the source that they come from. Most units hold
one definition. Definitions that share a line, in the skeleton or in the source, share a unit; the first of them names
it. So do the definitions below a mark, `⋮ lines 3-9 as written`: those lines and their mark are shown together or not
at all. Units nest as definitions do, by their lines.

The lines of a unit that belong to no unit inside it are its own. Its head is what a reader needs to know where the
members stand: the signature without attributes above it, and the line that closes it.

Definitions are known by their place in the outline of the source, which is the same for every level. A definition that
a level leaves out (one inside a constant, at L2) has no unit there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from skeleton.outline.rows import line_starts
from skeleton.render.regions import runs_as_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from skeleton.outline.definitions import Definition
    from skeleton.render.texts import Skeleton


_BLANKS = b" \t\n\r\v\f"

LONG_DOC = 3
"""Lines above a definition that only tell of it from which on they may be left out where the rest of it stands."""


class Unit(NamedTuple):
    """Lines that are shown or left out together.

    Attributes:
        definitions: the definitions that it holds, by their places in the outline of the source; the first names it.
        parent: the place of the unit around it, or -1.
        first, last: its lines in the skeleton, counted from 0, those of the units inside included; `last` is its last.
        signature, head: its own first and last line of the signature, counted likewise, attributes above it left out.
        source_first, source_last: its lines in the source, counted from 1; `source_last` is its last.
        source_head: the last line of its signature in the source, counted likewise.
        source_code: the first line behind the doc above it, counted likewise; its first where it has none.
        inside: how many definitions it and the units inside hold.
    """

    definitions: tuple[int, ...]
    parent: int
    first: int
    last: int
    signature: int
    head: int
    source_first: int
    source_last: int
    source_head: int
    source_code: int
    inside: int

    @property
    def long_doc(self) -> int:
        """The lines of the doc above it, 0 where they are few."""
        lines = self.source_code - self.source_first
        return lines if lines >= LONG_DOC else 0

    def heads(self, row: int) -> bool:
        """Tells whether one of its own lines is shown when only a member is wanted: the signature, and what closes it."""
        return self.signature <= row <= self.head or row == self.last


class Run(NamedTuple):
    """Neighbouring lines of a text: the first, the one after the last, and the unit that they belong to, or -1."""

    first: int
    end: int
    owner: int


class Units(msgspec.Struct, frozen=True, kw_only=True):
    """The units of one skeleton.

    Attributes:
        units: by position, the outer before the inner.
        runs: all lines of the skeleton, as runs of those that belong to the same innermost unit, or to none.
        of: the unit of each definition that the skeleton shows, by the definition's place in the outline.
        loose: how many lines belong to no unit.
    """

    units: tuple[Unit, ...]
    runs: tuple[Run, ...]
    of: dict[int, int]
    loose: int

    def around(self, unit: int) -> list[int]:
        """The units around one, the innermost first."""
        found: list[int] = []
        while (unit := self.units[unit].parent) >= 0:
            found.append(unit)
        return found


def units_of(source: bytes, definitions: Sequence[Definition], skeleton: Skeleton) -> Units:
    """The units of a skeleton.

    Args:
        source: the file.
        definitions: those of its outline.
        skeleton: the file at some level; at L0 the lines of the source are those of the skeleton.
    """
    text = skeleton.text.encode("utf-8", "replace")
    rows, lines = line_starts(text), line_starts(source)
    written = [*runs_as_written(skeleton.text.split("\n"), skeleton.line_numbers)] if 0 in skeleton.line_numbers else []
    marks = [first for first, _ in written]
    units: list[_Open] = []
    around: list[int] = []
    for place, shown in zip(_places(definitions, skeleton.definitions), skeleton.definitions, strict=True):
        if place < 0:
            continue
        origin = definitions[place]
        unit = _Open(
            definitions=[place],
            first=_row(rows, shown.start),
            last=_row(rows, _last_byte(text, shown.start, shown.end)),
            signature=_row(rows, shown.signature),
            head=_row(rows, _last_byte(text, shown.signature, shown.body)),
            source_first=_row(lines, origin.start) + 1,
            source_last=_row(lines, _last_byte(source, origin.start, origin.end)) + 1,
            source_head=_row(lines, _last_byte(source, origin.signature, origin.body)) + 1,
        )
        own = skeleton.line_numbers[unit.first]
        if 0 < own < unit.source_first:  # without what is left out between them, the line above reads as a part of it
            unit.source_first = own
        unit.source_code = own if unit.source_first < own <= unit.source_head else unit.source_first
        run = bisect_right(marks, unit.first) - 1
        if run >= 0 and unit.first <= written[run][1]:
            unit.first, unit.last = written[run][0], max(unit.last, written[run][1])
            unit.signature, unit.head = unit.first, unit.last
            unit.source_first = min(unit.source_first, skeleton.line_numbers[unit.first + 1])
            unit.source_last = max(unit.source_last, skeleton.line_numbers[written[run][1]])
            unit.source_head = unit.source_last
            unit.source_code = unit.source_first
        while around and units[around[-1]].last < unit.first:
            around.pop()
        for outer in around:
            units[outer].last = max(units[outer].last, unit.last)
            units[outer].source_last = max(units[outer].source_last, unit.source_last)
        if around and _shares_a_line(unit, units[around[-1]], text[rows[unit.first] : shown.start]):
            units[around[-1]].definitions.append(place)
        else:
            unit.parent = around[-1] if around else -1
            units.append(unit)
            around.append(len(units) - 1)
    for unit in units if written else ():
        run = bisect_right(marks, unit.last) - 1
        if run >= 0 and unit.last < written[run][1]:
            unit.last = written[run][1]
            unit.source_last = max(unit.source_last, skeleton.line_numbers[unit.last])
    for unit in reversed(units):
        unit.inside += len(unit.definitions)
        if unit.parent >= 0:
            units[unit.parent].inside += unit.inside
    return joined(tuple(unit.closed() for unit in units), len(skeleton.line_numbers))


def joined(units: tuple[Unit, ...], lines: int) -> Units:
    """Puts units together, and tells which lines are whose.

    Args:
        units: by position, the outer before the inner.
        lines: how many lines the skeleton has.
    """
    runs = tuple(runs_of(((unit.first, unit.last + 1) for unit in units), lines))
    of = {place: number for number, unit in enumerate(units) for place in unit.definitions}
    return Units(units=units, runs=runs, of=of, loose=sum(run.end - run.first for run in runs if run.owner < 0))


def runs_in_source(units: Sequence[Unit], lines: int) -> Iterator[Run]:
    """Yields all lines of a source, counted from 0, as runs of those that belong to the same innermost unit, or to none.

    Args:
        units: of a skeleton of it, the outer before the inner.
        lines: how many lines it has.
    """
    return runs_of(((unit.source_first - 1, unit.source_last) for unit in units), lines)


def runs_of(spans: Iterable[tuple[int, int]], lines: int) -> Iterator[Run]:
    """Yields lines as runs of those of which the same span is the last that holds them.

    Args:
        spans: for every unit its first line, and the one after its last.
        lines: how many lines there are.
    """
    owners = [-1] * lines
    for number, (start, end) in enumerate(spans):
        owners[start:end] = [number] * (min(end, lines) - start)
    first = 0
    for owner, rows in groupby(owners):
        end = first + len(list(rows))
        yield Run(first, end, owner)
        first = end


class _Open(msgspec.Struct, kw_only=True):
    """A unit in the making."""

    definitions: list[int]
    first: int
    last: int
    signature: int
    head: int
    source_first: int
    source_last: int
    source_head: int
    source_code: int = 0
    parent: int = -1
    inside: int = 0

    def closed(self) -> Unit:
        return Unit(
            definitions=tuple(self.definitions),
            parent=self.parent,
            first=self.first,
            last=self.last,
            signature=self.signature,
            head=self.head,
            source_first=self.source_first,
            source_last=self.source_last,
            source_head=self.source_head,
            source_code=self.source_code,
            inside=self.inside,
        )


def _shares_a_line(unit: _Open, outer: _Open, before: bytes) -> bool:
    """Tells whether a unit cannot be told by lines alone from the one that is open.

    Args:
        unit: the unit.
        outer: the one that holds or precedes it.
        before: what stands before the unit on its first line.
    """
    if unit.first <= outer.head or unit.source_first <= outer.source_first:
        return True
    return unit.first == outer.last and bool(before) and not before.isspace()


def _places(definitions: Sequence[Definition], shown: Sequence[Definition]) -> list[int]:
    """The place in the outline of every definition that a skeleton shows: they come in the same order.

    Where lines are cut out of what is parsed, one of them may have opened what all below it stands in: then the skeleton
    knows these by less of their names than the outline does.
    """
    places: list[int] = []
    at = 0
    by_name: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(definitions):
        by_name.setdefault((one.kind, one.name), []).append(place)
    for one in shown:
        alike = by_name.get((one.kind, one.name), ())
        rest = range(bisect_left(alike, at), len(alike))
        same = next((alike[each] for each in rest if definitions[alike[each]].container == one.container), -1)
        if same < 0:
            same = next(
                (alike[each] for each in rest if _ends_with(definitions[alike[each]].container, one.container)), -1
            )
        places.append(same)
        at = max(at, same + 1)
    return places


def _ends_with(container: str, end: str) -> bool:
    return not end or container.endswith(f".{end}")


def _row(starts: Sequence[int], position: int) -> int:
    return bisect_right(starts, position) - 1


def _last_byte(text: bytes, start: int, end: int) -> int:
    """Returns the place of the last visible byte of a span."""
    while end > start + 1 and text[end - 1] in _BLANKS:
        end -= 1
    return max(start, end - 1)
