"""Marks what changed in a file among what is shown of it: lines that came, wherever they are, and lines that went.

A line that is no longer there stands where it stood and begins with `⋮-`. The lines `⋮ 34 definitions` are told anew where
a line that came stands among them, so that they still count what is left out on either side.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING

from allocator.show.elision import Selection
from allocator.show.formats import MORE
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skeleton.index.units import Units

    Row = tuple[str, int]

NOTHING_REMOVED: Mapping[int, Sequence[str]] = MappingProxyType({})
"""Of a source of which it is not known what it was before, or does not matter."""

COUNTED = re.compile(rf"{MORE} (?P<count>\d+) (?:more )?(?:definition|line)s?$")
"""A line that counts what is left out."""


class EditedSelection(Selection, frozen=True, kw_only=True):
    """A selection, and stretches of the file that changed.

    Attributes:
        exact: lines of the source that are shown as they are, by their numbers from 1, whatever they belong to.
        gaps: where lines that are no longer there are shown, by the numbers of the lines that they stood before; beside
            lines of the source that are shown as they are they always stand.
        cut: a line of the source, and how many more of its stretch are not shown behind it; none where all are.
        is_excerpt: the lines are no change, but an excerpt of a file without definitions.
    """

    exact: frozenset[int] = frozenset()
    gaps: frozenset[int] = frozenset()
    cut: tuple[int, int] = (0, 0)
    is_excerpt: bool = False


def gone(line: str) -> str:
    """Writes a line that is no longer in the source."""
    return f"{MORE}- {line}".rstrip()


def with_edits(
    rows: Sequence[Row],
    source: Sequence[str],
    units: Units,
    removed: Mapping[int, Sequence[str]],
    selection: Selection,
) -> list[Row]:
    """Puts what changed among the lines that are shown of a file.

    Args:
        rows: the lines shown, each with its number in the source, or 0 where it stands for others.
        source: the lines of the file.
        units: which lines stand for which definitions.
        removed: lines that are no longer in the source, by the number of the line that they stood before.
        selection: what is shown.
    """
    exact = selection.exact if isinstance(selection, EditedSelection) else frozenset[int]()
    rows = _with_whole_signatures(rows, source, units, sorted(exact)) if exact else rows
    gaps = selection.gaps if isinstance(selection, EditedSelection) else frozenset[int]()
    cut_at, cut = selection.cut if isinstance(selection, EditedSelection) else (0, 0)
    present = {number for line, number in rows if number and number <= len(source) and line == source[number - 1]}
    wanted = deque(sorted({*exact, *gaps} - present))
    starts = sorted(units.units[unit].source_first for unit in units.of.values())
    told: set[int] = set()
    found: list[Row] = []
    last = 0

    def tell_removed(number: int) -> None:
        if number not in told:
            told.add(number)
            found.extend((gone(line), 0) for line in removed.get(number, ()))

    def tell_cut(number: int) -> None:
        if cut and number == cut_at:
            found.append((f"{MORE} {number_of(cut, 'more line')}", 0))

    def tell_hidden(until: int) -> None:
        definitions = max(0, bisect_left(starts, until) - bisect_right(starts, last))
        lines = sum(bool(line.strip()) for line in source[last : until - 1])
        count, what = (definitions, "definition") if definitions else (lines, "line")
        if count:
            found.append((f"{MORE} {number_of(count, what)}", 0))

    here_or_next = [*_next_shown(rows), len(source) + 2]
    for at, (line, number) in enumerate((*rows, ("", len(source) + 2))):
        following = here_or_next[at] or len(source) + 2
        is_split = False
        while wanted and wanted[0] < following:
            place = wanted.popleft()
            tell_hidden(place)
            tell_removed(place)
            last = max(last, place - 1)
            if place in exact and place <= len(source):
                found.append((source[place - 1], place))
                last = place
                if place + 1 not in exact:
                    tell_removed(place + 1)
                tell_cut(place)
            is_split = True
        if at == len(rows):
            break
        if not number:
            if is_split and COUNTED.match(line):
                tell_hidden(following)
            else:
                found.append((line, number))
            continue
        if is_split:
            tell_hidden(number)
        if number in exact and number <= len(source):
            line = source[number - 1]
        as_it_is = number <= len(source) and line == source[number - 1]
        if as_it_is or number in gaps:
            tell_removed(number)
        found.append((line, number))
        last = max(last, number)
        tell_cut(number)
        if as_it_is and here_or_next[at + 1] != number + 1:
            tell_removed(number + 1)
        if wanted and wanted[0] == number:
            wanted.popleft()
    return found


def _with_whole_signatures(rows: Sequence[Row], source: Sequence[str], units: Units, exact: Sequence[int]) -> list[Row]:
    """Shows signatures as they are written where lines of their bodies stand below: folded ones end there, `def load(): ...`."""
    innermost: dict[int, int] = {}
    for unit in units.units:
        within = exact[bisect_right(exact, unit.source_head) : bisect_right(exact, unit.source_last)]
        innermost |= dict.fromkeys(within, unit.source_head)
    heads = {*innermost.values()}
    ends = {
        number: unit.source_head
        for unit in units.units
        if unit.source_head in heads
        for number in range(unit.source_code, unit.source_head + 1)
    }
    found: list[Row] = []
    until = 0
    for line, number in rows:
        if 0 < number <= until:
            continue
        end = ends.get(number, 0)
        if end and line != source[number - 1]:
            found += ((source[at - 1], at) for at in range(number, end + 1))
            until = end
        else:
            found.append((line, number))
    return found


def _next_shown(rows: Sequence[Row]) -> list[int]:
    """For each line that is shown its number in the source, or where it stands for others that of the next that has one."""
    found: list[int] = []
    number = 0
    for _, own in reversed(rows):
        number = own or number
        found.append(number)
    return found[::-1]
