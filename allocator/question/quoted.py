"""The wishes of a reader whose query quotes what the code says: the lines that say it, each with those beside it."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from allocator.question.around import touched
from allocator.show.views import Edit
from allocator.spend.needs import OVER_LINES
from allocator.spend.steps import Kind, Wish
from skeleton.formats.above import above
from workspace.cancellation import still_wanted
from workspace.names.tiers import Tier, is_written_by_hand

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from allocator.show.views import FileViews

MOST_LINES = 8
"""Lines that are shown because one thing is quoted; where more say it, those of source before others."""

MOST_OF_ALL = 16
"""Lines that are shown because of all that a query quotes."""

EVERYWHERE = 16
"""Lines of source from which on they lead nowhere."""

LONGEST_LINE = 300
"""Characters of a line that is shown by itself; a longer one is data."""

_ORDER = {Tier.CORE: 0, Tier.CONFIG: 1, Tier.OTHER: 2, Tier.TESTS: 3}


def wishes_of_quotes(quotes: Sequence[Sequence[tuple[str, Sequence[int]]]], files: Sequence[FileViews]) -> list[Wish]:
    """Returns wishes for lines that say what a query quotes: of each the signature around it first.

    Args:
        quotes: for each the ways to say it, as patterns of lines with the places of the files that may hold them.
        files: those of the call; they get the lines as edits.
    """
    by_file: dict[int, set[int]] = {}
    found = (_first_said(ways, files) for ways in quotes)
    for number, line in islice(dict.fromkeys(chain.from_iterable(found)), MOST_OF_ALL):
        by_file.setdefault(number, set()).add(line)
    wishes: list[Wish] = []
    for number, said in by_file.items():
        file = files[number]
        around = dict.fromkeys(aim for line in sorted(said) for aim in touched(file, number, (line, line)))
        near = {one for line in said for one in (line - 1, line, line + 1) if 0 < one <= len(file.lines)}
        near |= _around(file, said)
        lines = frozenset(one for one in near if 0 < len(file.lines[one - 1].strip()) <= LONGEST_LINE)
        wishes += [Wish(number, aim.place, Kind.SIGNATURE) for aim in around if aim.place >= 0]
        wishes.append(Wish(number, len(file.edits), Kind.LINES, len(lines)))
        file.edits = [*file.edits, Edit(lines=lines, gaps=frozenset())]
    return wishes


def _first_said(ways: Sequence[tuple[str, Sequence[int]]], files: Sequence[FileViews]) -> list[tuple[int, int]]:
    """The lines that say a quote in the first way that is found, and all on which it goes on below.

    A translation has on one line what a page has on several.
    """
    over = [way for way in ways if way[0].startswith(OVER_LINES)]
    on_one = (_said(pattern, places, files) for pattern, places in ways if not pattern.startswith(OVER_LINES))
    lines = chain.from_iterable(_said(pattern, places, files) for pattern, places in over)
    return [*dict.fromkeys((*next(filter(None, on_one), ()), *lines))]


def _around(file: FileViews, lines: Collection[int]) -> set[int]:
    """The lines, from 1, that some of a text without definitions stand in: headings, and keys."""
    rows = above(file.path, file.lines) if not file.weights.unit else ()
    found: set[int] = set()
    for row in (line - 1 for line in lines if rows):
        while (row := rows[row]) >= 0 and row + 1 not in found:
            found.add(row + 1)
    return found


def _said(pattern: str, places: Sequence[int], files: Sequence[FileViews]) -> list[tuple[int, int]]:
    """The lines of files that a pattern is found in, of source first; those of tests where there are no others."""
    says = re.compile(pattern)
    lines_of = _over_lines if pattern.startswith(OVER_LINES) else _of_lines
    found = [
        (_ORDER[files[number].tier], number, line)
        for number in still_wanted(places)
        if is_written_by_hand(files[number].path) and not files[number].file.basics.machine_made
        for line in lines_of(says, files[number].lines)
    ]
    found.sort(key=lambda one: one[0])
    if sum(order == 0 for order, _, _ in found) > EVERYWHERE:
        return []
    others = [one for one in found if one[0] < _ORDER[Tier.TESTS]]
    return [(number, line) for _, number, line in (others or found)[:MOST_LINES]]


def _of_lines(says: re.Pattern[str], lines: Sequence[str]) -> list[int]:
    """The lines, from 1, that a pattern is found in."""
    return [line for line, text in enumerate(lines, 1) if len(text) <= LONGEST_LINE and says.search(text)]


def _over_lines(says: re.Pattern[str], lines: Sequence[str]) -> list[int]:
    """The lines, from 1, that what a pattern finds in all of a text stands on."""
    text = "\n".join(lines)
    found: list[int] = []
    line = end = 0
    for match in islice(says.finditer(text), MOST_LINES):
        line += text.count("\n", end, match.start())
        end = match.start()
        found += range(line + 1, line + 2 + match[0].count("\n"))
    return found
