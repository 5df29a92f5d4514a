"""The ways to show one file: in full, as a skeleton, and in between.

A `View` is a run of lines with their true numbers. Full text and skeletons are views as they come. Where a whole
step up the levels is too much for a budget, part of a step is taken:

    head     the first lines of a view and a line `⋮ 34 more lines` that counts the rest.
    blend    the first lines of the more detailed of two views, up to some line of the source, then the less detailed
             one. The shape of the whole file stays visible.

A line is shown whole or not at all.
Of a file with definitions no head is shown: its imports would come first. Which definitions are left out, and which are
shown in full, is a `Selection` (`allocator.show.elision`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from allocator.remembered import Remembered
from allocator.show.constants import Drawn, with_constants
from allocator.show.edits import COUNTED, NOTHING_REMOVED, EditedSelection, gone, with_edits
from allocator.show.elision import NO_GROUPS, PART, SHOWN, Selection, select
from allocator.show.formats import MORE
from allocator.show.groups import groups_of
from allocator.show.told import told_by
from skeleton import CompressionLevel
from skeleton.index.units import Units, units_of
from skeleton.render.regions import is_mark
from workspace.lazy import lazy
from workspace.model import Problem, ProblemKind
from workspace.wording import number_of

if TYPE_CHECKING:
    from allocator.show.edits import Row
    from skeleton import Definition, Skeletons
    from skeleton.index.records import Basics, Facts
    from skeleton.index.weights import Weights
    from workspace.files.reading import SourceFile
    from workspace.names.tiers import Tier

SHORT_LINE = 80
"""Characters of a first line that the smallest head shows; of a longer one it only counts."""

CUT = "CUT"
"""The mark of a head."""

NONE_OF_NONE = f"{SHOWN}0/0"
"""The mark of a selection of a file without definitions, which says nothing."""

OPEN_END = "NO-EOL"
"""The mark of a full file whose last line has no line break."""


Count = Callable[[str | bytes], int]
"""Counts the tokens of a text."""


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a file that changed or that are spoken of, outside of definitions or in one that is shown only there.

    Attributes:
        lines: those of the source that are shown, by their numbers.
        gaps: the numbers of the lines before which others stood.
        order: the lines, in the order in which a part of them is shown; none for that of the source.
    """

    lines: frozenset[int]
    gaps: frozenset[int]
    order: tuple[int, ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a file, as they are shown.

    Attributes:
        lines: without their line breaks, and without a frame.
        numbers: the line of the source that each one comes from, counted from 1; 0 for a line that stands for others.
        marks: what a header says about them, without brackets.
        partial: whether it is a head or a blend.
        selection: which definitions are shown, where they are chosen.
        full: of a selection, the definitions whose every line is shown, by their places in the outline.
        signatures: of a selection, those that are shown otherwise.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    marks: tuple[str, ...] = ()
    partial: bool = False
    selection: Selection | None = None
    full: tuple[int, ...] = ()
    signatures: tuple[int, ...] = ()


def view_of(text: str, numbers: tuple[int, ...] | None = None, marks: tuple[str, ...] = ()) -> View:
    """Splits a text into lines, at line feeds alone."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return View(lines=tuple(lines), numbers=numbers or tuple(range(1, len(lines) + 1)), marks=marks)


def head(view: View, lines: int) -> View:
    """Shows the first lines of a view, and how many more there are; a mark is shown with a line that it tells of."""
    if lines and is_mark(view.lines[lines - 1], view.numbers[lines - 1]):
        lines += 1 if lines + 1 < len(view.lines) else -1
    more = _more(sum(map(bool, view.numbers[lines:])))
    return View(
        lines=(*view.lines[:lines], more), numbers=(*view.numbers[:lines], 0), marks=(*view.marks, CUT), partial=True
    )


def blend(base: View, detailed: View, lines: int, name: str) -> View:
    """Shows the first lines of the more detailed of two views, then what the other has of the rest of the source.

    Args:
        base: the less detailed view.
        detailed: the more detailed one.
        lines: the number of its lines that are shown.
        name: what the detailed view is called in the mark.
    """
    rows = _rows(detailed)
    shown = rows[:lines]
    while shown and not shown[-1][1]:
        shown.pop()  # a line that stands for others goes with what is behind it
    if not shown:
        return base
    until = shown[-1][1]
    marks, rest = _behind(base, until)
    if not any(COUNTED.match(line) for line, _ in marks):
        following = rest[0][1] if rest else math.inf
        if hidden := _left_out(rows[len(shown) :], following):
            shown.append((_more(hidden), 0))
    shown += (*marks, *rest)
    return View(
        lines=tuple(line for line, _ in shown),
        numbers=tuple(number for _, number in shown),
        marks=(f"{name}:1-{until}", *(mark for mark in base.marks if not mark.startswith((SHOWN, PART)))),
        partial=True,
    )


def with_removed(view: View, removed: Mapping[int, Sequence[str]]) -> View:
    """Shows the lines that are no longer there among those of a whole file.

    Args:
        view: the file.
        removed: the lines, by the number of the line that they stood before.
    """
    rows: list[Row] = []
    for line, number in (*_rows(view), ("", len(view.lines) + 1)):
        rows += [(gone(old), 0) for old in removed.get(number, ())]
        rows.append((line, number))
    rows.pop()
    return View(lines=tuple(line for line, _ in rows), numbers=tuple(number for _, number in rows), marks=view.marks)


def _rows(view: View) -> list[Row]:
    return list(zip(view.lines, view.numbers, strict=True))


def _behind(view: View, until: int) -> tuple[list[Row], list[Row]]:
    """The lines of a view that come from behind a line of the source, and the marks that still hold above the first.

    A mark that counts what is left out holds where the line above it is that line: else some of it is shown.
    """
    rows = _rows(view)
    first = next((at for at, (_, number) in enumerate(rows) if number > until), len(rows))
    above = first
    while above and not rows[above - 1][1]:
        above -= 1
    counts_hold = above > 0 and rows[above - 1][1] == until
    return [row for row in rows[above:first] if counts_hold or not COUNTED.match(row[0])], rows[first:]


def _left_out(rows: Sequence[Row], following: float) -> int:
    """Counts the lines of some rows above a line of the source, those too that a mark among them counts; 0 if all are empty."""
    count = 0
    is_said = False
    for line, number in rows:
        if number >= following:
            break
        counted = None if number else COUNTED.match(line)
        count += int(counted["count"]) if counted else number > 0
        is_said = is_said or bool(line.strip())
    return count if is_said else 0


def _more(count: int) -> str:
    return f"{MORE} {number_of(count, 'more line')}"


class KnownFile(Protocol):
    """A file of which all is known or can be found out, as `skeleton.index.code_index.IndexedFile`."""

    @property
    def path(self) -> str:
        """Relative to the folder of the call."""
        ...

    @property
    def address(self) -> str:
        """Relative to the root: what the reader is told."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier that its name puts it in."""
        ...

    @property
    def key(self) -> bytes:
        """Stands for its content and its name."""
        ...

    @property
    def basics(self) -> Basics:
        """The facts that show without parsing."""
        ...

    @property
    def reading(self) -> SourceFile:
        """The file as it may be shown."""
        ...

    @property
    def facts(self) -> Facts:
        """Its numbers and marks."""
        ...

    @property
    def skeletons(self) -> Skeletons:
        """Its levels."""
        ...

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """Its outline."""
        ...

    @property
    def weights(self) -> Weights:
        """The cost of its parts."""
        ...


KnownUnits = Remembered[tuple[bytes, CompressionLevel], Units]
"""The units of files, by their keys, at their levels."""

MOST_UNITS = 1000
"""The most of them that are held in memory."""

KnownBlocks = Remembered[tuple[object, ...], tuple[View, str, int]]
"""Views, framed and with their tokens, by all that decides on them."""

MOST_BLOCKS = 1000
"""The most of them that are held in memory."""

LARGEST_BLOCK = 1 << 13
"""Characters beyond which none is."""


class FileViews:
    """One file and the ways to show it; each is made when it is first asked for, and kept.

    Args:
        file: the file.
        known_units: what is known of the units of files from earlier calls.
        known_blocks: likewise the views that were framed.

    Attributes:
        notes: what a call says of the file, as marks of its header.
        known: the definitions that the reader has, by their places in the outline; None where he has nothing of it.
        removed: where it is told what changed, lines that are no longer there, by the number of the line that they stood
            before.
        edits: likewise, stretches of lines that came or went, by which steps name them.
    """

    notes: tuple[str, ...] = ()
    known: frozenset[int] | None = None
    removed: Mapping[int, Sequence[str]] = NOTHING_REMOVED
    edits: Sequence[Edit] = ()

    def __init__(
        self, file: KnownFile, known_units: KnownUnits | None = None, known_blocks: KnownBlocks | None = None
    ) -> None:
        self.file = file
        self._units = known_units or KnownUnits(MOST_UNITS)
        self.known_blocks = known_blocks or KnownBlocks(MOST_BLOCKS)
        self._known_groups: dict[tuple[CompressionLevel, bool], Mapping[int, Sequence[int]]] = {}
        self.path = file.path
        self.address = file.address
        self.tier = file.tier

    @property
    def source(self) -> SourceFile:
        """The file as it was read; raises FileChangedError where it is not that any more."""
        return self.file.reading

    @property
    def md5(self) -> str:
        """Of the bytes on disk, in hexadecimal digits."""
        return self.file.basics.md5

    @property
    def original_tokens(self) -> int:
        """Tokens of the whole text."""
        return self.facts.tokens[0]

    @property
    def language(self) -> str:
        """The name of what the file is written in; "" for plain text."""
        return self.facts.language

    @lazy
    def facts(self) -> Facts:
        """The file's numbers and marks."""
        return self.file.facts

    @lazy
    def skeletons(self) -> Skeletons:
        """The file at all its levels."""
        return self.file.skeletons

    @lazy
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions of the file's outline, those that a reader of L1 can see; none where it is not code."""
        return self.file.definitions

    @lazy
    def weights(self) -> Weights:
        """The cost of the file's parts, without frames."""
        return self.file.weights

    @lazy
    def told(self) -> frozenset[int]:
        """The definitions that the file's path names and that others stand in, by their places in the outline."""
        return told_by(self.address, self.weights.holders)

    @lazy
    def order(self) -> tuple[int, ...]:
        """The definitions that the file's last level shows, by their places in the outline, outer ones first."""
        units = self.units_of_skeleton
        depth = {place: len(units.around(unit)) for place, unit in units.of.items()}
        return tuple(sorted(depth, key=lambda place: (depth[place], place)))

    @lazy
    def lines(self) -> tuple[str, ...]:
        """The lines of the source, without their line breaks."""
        return view_of(self._text).lines

    @property
    def _text(self) -> str:
        return self.source.source.decode("utf-8", errors="replace")

    def units(self, level: CompressionLevel) -> Units:
        """Returns which lines of a level stand for which definitions."""
        place = self.file.key, level
        units = self._units.find(place)
        if units is None:
            units = units_of(self.source.source, self.definitions, self.skeletons.at(level))
            self._units.keep(place, units)
        return units

    def units_with(self, level: CompressionLevel, place: int) -> Units:
        """Returns the units of a level, with those of constants where it leaves a definition out."""
        is_left_out = level is CompressionLevel.SKELETON and self.left_out((place,))
        return self.units_with_constants if is_left_out else self.units(level)

    def last_line(self, level: CompressionLevel, place: int) -> int:
        """Returns the last line of the file that a level shows of a definition; 0 where it leaves it out."""
        units = self.units(level)
        if place not in units.of:
            return 0
        unit = units.units[units.of[place]]
        return max(self.view(level).numbers[unit.first : unit.last + 1], default=0)

    def left_out(self, places: Collection[int]) -> frozenset[int]:
        """Returns those of some definitions that signatures alone leave out and that can be shown with them."""
        left = set(places).difference(self.units_of_skeleton.of) if places else set[int]()
        return frozenset(left.intersection(self.units_with_constants.of)) if left else frozenset()

    @lazy
    def _with_constants(self) -> Drawn:
        base, above = (self._drawn(level) for level in (CompressionLevel.SKELETON, CompressionLevel.SKELETON_PLUS))
        return with_constants(base, above)

    def _drawn(self, level: CompressionLevel, *, has_constants: bool = False) -> Drawn:
        """The lines of a level, with the constants that it leaves out where they are wanted."""
        if has_constants:
            return self._with_constants
        view = self.view(level)
        return Drawn(lines=view.lines, numbers=view.numbers, units=self.units(level))

    def _groups(self, level: CompressionLevel, *, has_constants: bool) -> Mapping[int, Sequence[int]]:
        """The lines of a level that hold units, by the unit."""
        key = level, has_constants
        if key not in self._known_groups:
            drawn = self._drawn(level, has_constants=has_constants)
            self._known_groups[key] = groups_of(drawn.lines, drawn.units)
        return self._known_groups[key]

    @property
    def units_with_constants(self) -> Units:
        """The units of the last level, and of the constants that it leaves out."""
        return self._with_constants.units

    @property
    def units_of_skeleton(self) -> Units:
        """The units of the last level."""
        return self.units(CompressionLevel.SKELETON)

    def selected(self, level: CompressionLevel, selection: Selection) -> View:
        """The lines shown of a selection of the definitions at a level that the file has."""
        is_last = level is CompressionLevel.SKELETON
        constants = self.left_out({*selection.constants, *selection.raised, selection.partly} - {-1} if is_last else ())
        has_constants = bool(constants)
        drawn, chosen = self._drawn(level, has_constants=has_constants), selection
        if has_constants:
            shown = self.units(level).of if selection.shown is None else selection.shown
            loose = drawn.units.loose if selection.shown is None else selection.loose
            chosen = replace(selection, shown=frozenset({*shown, *constants}), loose=loose)
        groups = NO_GROUPS if chosen.shown is None else self._groups(level, has_constants=has_constants)
        selected = select(drawn.lines, drawn.numbers, drawn.units, self.lines, self.definitions, chosen, groups)
        lines, numbers = selected.lines, selected.numbers
        is_excerpt = isinstance(selection, EditedSelection) and selection.is_excerpt and selection.shown is not None
        if self.removed or isinstance(selection, EditedSelection):
            rows = list(zip(lines, numbers, strict=True))
            edited = with_edits(rows, self.lines, drawn.units, self.removed, selection)
            lines, numbers = tuple(line for line, _ in edited), tuple(number for _, number in edited)
        return View(
            lines=lines,
            numbers=numbers,
            marks=(
                *(mark for mark in selected.marks if mark != NONE_OF_NONE),
                *((PART,) if is_excerpt else ()),
                *self._doubts,
            ),
            selection=selection,
            full=selected.full,
            signatures=selected.signatures,
        )

    def view(self, level: CompressionLevel) -> View:
        """The lines shown at a level that the file has."""
        if level is CompressionLevel.FULL:
            text = self._text
            whole = view_of(text, marks=(OPEN_END,) if text and not text.endswith("\n") else ())
            return with_removed(whole, self.removed) if self.removed else whole
        skeleton = self.skeletons.at(level)
        return view_of(skeleton.text, skeleton.line_numbers, self._doubts)

    @property
    def _doubts(self) -> tuple[str, ...]:
        """The marks of a file of which not all was understood, where it is not shown whole."""
        said = {"SYNTAX-ERRORS": self.facts.syntax_errors, "UNPROVEN": bool(self.unproven)}
        return tuple(mark for mark, holds in said.items() if holds)

    @property
    def unproven(self) -> str:
        """The check that the first skeleton that was given up failed, or ""."""
        return self.facts.unproven[0] or self.facts.unproven[1]

    def problems(self, level: CompressionLevel) -> list[Problem]:
        """Returns the problems of the file as it is shown at a level: how it was parsed matters for skeletons alone."""
        if level is CompressionLevel.DROP:
            return []
        found: list[Problem] = []
        if secrets := self.facts.secrets:
            detail = number_of(secrets, "secret")
            found.append(Problem(path=self.address, kind=ProblemKind.REDACTED, detail=detail))
        if level is CompressionLevel.FULL:
            return found
        if self.unproven:
            found.append(Problem(path=self.address, kind=ProblemKind.UNPROVEN, detail=self.unproven))
        if self.facts.syntax_errors:
            found.append(Problem(path=self.address, kind=ProblemKind.SYNTAX_ERRORS))
        return found
