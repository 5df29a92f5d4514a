"""The wishes of a reader whose query quotes what the code says: the lines that say it, each with those beside it."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from allocator.question.around import touched
from allocator.show.views import Edit
from allocator.spend.steps import Kind, Wish
from workspace.cancellation import still_wanted
from workspace.names.tiers import Tier, is_written_by_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    found = (next(filter(None, (_said(pattern, places, files) for pattern, places in ways)), ()) for ways in quotes)
    for number, line in islice(dict.fromkeys(chain.from_iterable(found)), MOST_OF_ALL):
        by_file.setdefault(number, set()).add(line)
    wishes: list[Wish] = []
    for number, said in by_file.items():
        file = files[number]
        around = dict.fromkeys(aim for line in sorted(said) for aim in touched(file, number, (line, line)))
        near = {one for line in said for one in (line - 1, line, line + 1) if 0 < one <= len(file.lines)}
        lines = frozenset(one for one in near if 0 < len(file.lines[one - 1].strip()) <= LONGEST_LINE)
        wishes += [Wish(number, aim.place, Kind.SIGNATURE) for aim in around if aim.place >= 0]
        wishes.append(Wish(number, len(file.edits), Kind.LINES, len(lines)))
        file.edits = [*file.edits, Edit(lines=lines, gaps=frozenset())]
    return wishes


def _said(pattern: str, places: Sequence[int], files: Sequence[FileViews]) -> list[tuple[int, int]]:
    """The lines of files that a pattern is found in, of source first; those of tests where there are no others."""
    says = re.compile(pattern)
    found = [
        (_ORDER[files[number].tier], number, line)
        for number in still_wanted(places)
        if is_written_by_hand(files[number].path) and not files[number].file.basics.machine_made
        for line, text in enumerate(files[number].lines, 1)
        if len(text) <= LONGEST_LINE and says.search(text)
    ]
    found.sort(key=lambda one: one[0])
    if sum(order == 0 for order, _, _ in found) > EVERYWHERE:
        return []
    others = [one for one in found if one[0] < _ORDER[Tier.TESTS]]
    return [(number, line) for _, number, line in (others or found)[:MOST_LINES]]
