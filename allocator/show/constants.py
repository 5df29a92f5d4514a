"""Skeletons with the constants that their level leaves out, each as the level above shows it.

Signatures alone leave constants out. One that a reader asks for by name is shown all the same, in its place among the
lines of the skeleton; those that nobody asked for are counted there, as all that a selection leaves out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from allocator.show.groups import groups_of
from skeleton.index.units import Unit, Units, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of a file at a level, and what they stand for.

    Attributes:
        lines: without their line breaks.
        numbers: the line of the source that each one comes from, counted from 1; 0 for a line that stands for others.
        units: of the same lines.
    """

    lines: Sequence[str]
    numbers: Sequence[int]
    units: Units


def with_constants(base: Drawn, above: Drawn) -> Drawn:
    """Puts what a level leaves out among its lines.

    Args:
        base: the level.
        above: the one above it, which shows all that the level does.
    """
    added = _left_out(base.units, above.units.units)
    if not added:
        return base
    within = (range(above.units.units[number].first, above.units.units[number].last + 1) for number in added)
    owned = {row for rows in within for row in rows}
    groups = groups_of(above.lines, above.units)
    owned |= {row for number in added for row in groups.get(number, ())} - _rows_shown(base, above)
    rows = [(number, 0, row) for row, number in _placed(base.numbers)]
    rows += [(number, 1, row) for row, number in _placed(above.numbers) if row in owned]
    rows.sort()
    moved: tuple[dict[int, int], dict[int, int]] = {}, {}
    for at, (_, source, row) in enumerate(rows):
        moved[source][row] = at
    both = base, above
    return Drawn(
        lines=[both[source].lines[row] for _, source, row in rows],
        numbers=[both[source].numbers[row] for _, source, row in rows],
        units=_with_added(base.units, above.units.units, added, moved, len(rows)),
    )


def _left_out(base: Units, above: Sequence[Unit]) -> dict[int, None]:
    """The units of the level above of which nothing is shown at the level, nor of what is inside them."""
    found: dict[int, None] = {}
    shown_inside: set[int] = set()
    for number in range(len(above) - 1, -1, -1):
        unit = above[number]
        if number in shown_inside or any(place in base.of for place in unit.definitions):
            shown_inside.add(unit.parent)
        else:
            found[number] = None
    return dict.fromkeys(sorted(found))


def _rows_shown(base: Drawn, above: Drawn) -> set[int]:
    """The rows of the level above whose lines the level shows as well."""
    shown = set(base.numbers)
    return {row for row, number in enumerate(above.numbers) if number in shown}


def _placed(numbers: Sequence[int]) -> Iterator[tuple[int, float]]:
    """Yields each row with its line in the source; a line that stands for others has that of the line behind it."""
    last: float = math.inf
    placed: list[tuple[int, float]] = []
    for row in range(len(numbers) - 1, -1, -1):
        last = numbers[row] or last
        placed.append((row, last))
    yield from reversed(placed)


def _with_added(
    base: Units,
    above: Sequence[Unit],
    added: Mapping[int, None],
    moved: tuple[Mapping[int, int], Mapping[int, int]],
    rows: int,
) -> Units:
    """The units of a level and those that were added, where their lines stand now."""
    parents = [unit.parent for unit in base.units]
    units = [_moved(unit, moved[0]) for unit in base.units]
    own = len(units)
    place = {number: len(units) + at for at, number in enumerate(added)}
    for number in added:
        units.append(_moved(above[number], moved[1]))
        parents.append(_parent(number, base, above, place))
        around = parents[-1]
        while around >= 0:
            units[around] = units[around]._replace(
                last=max(units[around].last, units[-1].last),
                inside=units[around].inside + (around < own) * len(units[-1].definitions),
            )
            around = parents[around]
    order = sorted(range(len(units)), key=lambda number: (units[number].first, -units[number].last, number))
    new = {old: number for number, old in enumerate(order)}
    return joined(tuple(units[old]._replace(parent=new.get(parents[old], -1)) for old in order), rows)


def _moved(unit: Unit, to: Mapping[int, int]) -> Unit:
    return unit._replace(first=to[unit.first], last=to[unit.last], signature=to[unit.signature], head=to[unit.head])


def _parent(number: int, base: Units, above: Sequence[Unit], place: Mapping[int, int]) -> int:
    """The unit around one that was added: one that was added too, or one of the level; -1 for none."""
    around = above[number].parent
    while around >= 0:
        if around in place:
            return place[around]
        for one in above[around].definitions:
            if one in base.of:
                return base.of[one]
        around = above[around].parent
    return -1
