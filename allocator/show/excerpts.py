"""Excerpts: of a long definition the signature, and those lines of its body that a query is about.

Which lines those are is found out for a definition when it is to be shown, and once for a call: it depends on the query.
The doc at the beginning of a body is none of them: what it quotes would be taken for code.
Where two of the lines stand so close together that the mark between them would cost what it leaves out, that stands there.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Protocol

import msgspec

from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from allocator.show.views import FileViews

LINES = 10
"""Lines of a body that an excerpt shows, about."""

LINES_OF_FILE = 16
"""Lines of a file without definitions that an excerpt shows, about."""

LEAST_LINES = 30
"""Lines of a body of which no excerpt is made, for it is short."""

LONGEST = 1000
"""Characters of the longest line that an excerpt of a file shows."""

BRIDGED = 1
"""Lines between two that are shown, which stand there as well."""


class Passages(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of a body in the order in which a reader wants them.

    Attributes:
        order: their places in the body, from 0; lines that are empty are left out.
        telling: how many of them the query is about, the first ones.
        above: for each line of a file that of what it stands in, or -1; none where that is not known.
    """

    order: Sequence[int]
    telling: int
    above: Sequence[int] = ()

    def around(self, row: int) -> Iterator[int]:
        """The lines that a line stands in, the inner first: the headings above it, its keys."""
        while self.above and (row := self.above[row]) >= 0:
            yield row


class Finding(Protocol):
    """Puts lines in the order in which a reader wants them: `allocator.ranking.passages.PassageFinder`."""

    def __call__(self, body: Sequence[str], path: str = "") -> Passages:
        """Returns the order of the lines of a body, which stands in the file at a path."""
        ...


class Excerpts:
    """The excerpts of one file's definitions.

    Args:
        file: the file.
        passages: puts the lines of a body in order; None where no query is.
    """

    def __init__(self, file: FileViews, passages: Finding | None) -> None:
        self._file = file
        self._passages = passages
        self._known: dict[int, Passages | None] = {}
        self._of_file: Passages | None = None

    @property
    def has_query(self) -> bool:
        """True if the words of a query tell which lines of a body matter."""
        return self._passages is not None

    def most(self, place: int) -> int:
        """Tells how many lines of a definition's body can be told apart; 0 where none tells more than others.

        Args:
            place: its place in the outline.
        """
        found = self._found(place)
        return len(found.order) if found is not None else 0

    def lines(self, place: int, most: int | None = None) -> tuple[int, ...]:
        """The numbers of the lines of an excerpt, ascending; none where nothing of the body tells more than the rest.

        Args:
            place: the place of the definition in the outline.
            most: how many lines of its body are shown, about; as many as are worth it by default.
        """
        found = self._found(place)
        if found is None:
            return ()
        file = self._file
        units, source = file.units_of_skeleton, file.lines
        unit = units.units[units.of[place]]
        top = file.skeletons.skeleton.line_numbers[unit.head]
        shown = [
            *range(top if unit.source_first <= top <= unit.source_head else unit.source_first, unit.source_head + 1)
        ]
        end = min(unit.source_last, len(source)) + 1
        wanted = found.order[: min(found.telling, LINES) if most is None else most]
        return tuple(self._bridged(shown, sorted(unit.source_head + 1 + row for row in wanted), end))

    def _bridged(self, shown: list[int], wanted: Iterable[int], end: int) -> list[int]:
        """Adds lines to those that are shown, and what a mark between two of them would not be worth."""
        source = self._file.lines
        for number in (*wanted, end):
            between = range(shown[-1] + 1, number)
            said = [*islice((line for line in between if source[line - 1].strip()), BRIDGED + 1)]
            if len(said) <= BRIDGED and all(len(source[line - 1]) <= LONGEST for line in said):
                shown += between
            if number < end:
                shown.append(number)
        return shown

    def of_file(self, most: int = LINES_OF_FILE) -> tuple[int, ...]:
        """The numbers of the lines of an excerpt of the whole file, ascending; none where no line tells more than the rest.

        Args:
            most: how many lines are shown, about.
        """
        source = self._file.lines
        if self._passages is None or len(source) < LEAST_LINES:
            return ()
        found = self._of_file = self._of_file or self._passages(source, self._file.path)
        wanted: set[int] = set()
        for row in found.order[: found.telling]:
            if len(wanted) >= most:
                break
            wanted.update(one for one in (row, *found.around(row)) if len(source[one]) <= LONGEST)
        return tuple(self._bridged([0], (row + 1 for row in sorted(wanted)), len(source) + 1)[1:])

    def _found(self, place: int) -> Passages | None:
        if place not in self._known:
            self._known[place] = self._passages_of(place)
        return self._known[place]

    def _passages_of(self, place: int) -> Passages | None:
        units = self._file.units_of_skeleton
        if self._passages is None or place not in units.of:
            return None
        unit = units.units[units.of[place]]
        body = self._file.lines[unit.source_head : unit.source_last]
        if unit.inside > len(unit.definitions) or len(body) < LEAST_LINES:
            return None
        doc = max(0, self._end_of_doc(place) - unit.source_head)
        found = self._passages(body[doc:])
        return Passages(order=[doc + row for row in found.order], telling=found.telling) if found.telling else None

    def _end_of_doc(self, place: int) -> int:
        """The last line of the source that the doc at the beginning of a body takes; 0 where none stands there.

        A skeleton shows a sentence of it below the signature, and what stands for the rest of the body behind its end.
        """
        file, level = self._file, CompressionLevel.SKELETON_PLUS
        units, plus = file.units(level), file.skeletons.plus
        if plus.level is not level or place not in units.of:
            return 0
        unit, lines = units.units[units.of[place]], file.view(level).lines
        doc, behind = unit.head + 1, unit.head + 2
        if behind > unit.last or not _says(lines[doc]) or _says(lines[behind]):
            return 0
        return plus.line_numbers[behind]


def _says(line: str) -> bool:
    return any(map(str.isalnum, line))
