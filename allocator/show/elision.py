"""Shows a skeleton with some of its definitions: what matters least is left out, what matters most is whole.

A `Selection` says which definitions of a file are wanted, and `select` shows them in the order of the source:

    shown    the definition's own lines at the skeleton's level, and the signatures of what it stands in
    excerpt  of a definition that is shown its signature and some lines of its body, exactly as they are, each run of
             others between them one line `⋮ 12 lines`, and `⋮ 40 more lines` behind the last
    raised   the exact lines of the source in the place of the skeleton's; where it is `bare`, without a long doc above it
    elided   nothing; each run of such definitions between two lines of the file that would otherwise look adjacent becomes
             one line `⋮ 34 definitions`

What belongs to no definition (imports, statements) is elided with them: a budget that cannot hold all definitions has
better uses; lines that hold definitions, as `type (`, stand with the first that is shown (`allocator.show.groups`). A
run without any definition is `⋮ 5 lines`, and a run of empty lines is nothing. In the header `[SHOWN:12/240]` says how
many of the definitions are there, `[FULL:Config.load]` which are there in full. A selection that is `terse` says `[PART]`
in the place of both.

A line that counts a run stands only where it separates: between two lines that stand in the file exactly as they are
shown, or where what opens and what closes a block would stand together as if it were empty. Above the first line of a block
and below its last there is nothing to keep apart; and a folded line, as `def load(self): ...`, is none of the file's, so
nobody takes what stands beside it for what follows it there. Where it would stand for one line that belongs to no
definition and is no longer than itself, as `public:` and `private`, that line stands there.

Conditions of a preprocessor between which nothing is shown are counted with what they hold (`allocator.show.conditions`).

A selection that is `brief` counts attributes that say nothing of what a definition is for (`allocator.show.attributes`)
with what is left out directly above them; where nothing is, they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from allocator.show.attributes import says_nothing
from allocator.show.conditions import without_bare_conditions
from allocator.show.formats import MORE
from workspace.wording import number_of

if TYPE_CHECKING:
    from skeleton import Definition
    from skeleton.index.units import Unit, Units

NO_GROUPS: Mapping[int, Sequence[int]] = MappingProxyType({})
"""Of a skeleton in which no lines hold definitions and belong to none."""

SHOWN = "SHOWN:"
"""The beginning of the mark that says how many definitions of the file are there."""

PART = "PART"
"""The mark that says under a small budget that some of them are."""

NAMED = 3
"""Names of definitions in full that a header lists; more are counted."""


TERMINATOR = 1
"""Bytes behind the signature of a definition that has nothing to fold, as a field and the type that a trait leaves open:
a header does not list it, for it is in full wherever it is shown."""

SHORT_LINE = 16
"""Characters of a line, without the space around it, that takes no more tokens than a mark that stands for it."""

UNLISTED = frozenset(",[]")
"""A name with one of these would not be told from the marks and names around it; it is counted, as what has none is."""


_CLOSED_BY: Mapping[str, str] = MappingProxyType({"{": "}", "(": ")", "[": "]"})
"""The bracket that closes one."""

_LEFT_OFF = re.compile(r"[ \t]*+(?:=(?!=)|,?[ \t]*(?://|/[*]|#|--|;))")
"""The beginning of what a level leaves off at the end of a line: a value, or a comment, in any language."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The definitions of a file that are shown, and how.

    Attributes:
        shown: the definitions to show, by their places in the outline; None for the whole skeleton.
        raised: the definitions to show in full, likewise.
        bare: those of them that are shown without the doc above them, where it is long.
        partly: a definition of which only the first lines of the source are shown, or -1.
        lines: how many those are; at least one.
        loose: how many of the lines that belong to no definition are shown where some definitions are not, from the
            first on.
        excerpts: definitions of which an excerpt is shown, where they are shown and not in full, each with the numbers of
            the lines of the source that it has: its signature and what else, ascending.
        brief: whether attributes that say nothing count as left out where something above them is.
        constants: definitions to show, by their places, that the level leaves out.
        told: those whose signatures are left out where they would stand there for the sake of a member alone.
        terse: whether the header says no more than that definitions are left out.
    """

    shown: frozenset[int] | None = None
    raised: frozenset[int] = frozenset()
    bare: frozenset[int] = frozenset()
    partly: int = -1
    lines: int = 0
    loose: int = 0
    excerpts: tuple[tuple[int, tuple[int, ...]], ...] = ()
    brief: bool = False
    constants: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    terse: bool = False


class Selected(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of a selection.

    Attributes:
        lines, numbers, marks: as those of a `View`.
        full: the definitions whose every line is shown, by their places in the outline.
        signatures: those that are shown otherwise.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    marks: tuple[str, ...]
    full: tuple[int, ...]
    signatures: tuple[int, ...]


def stands_as_shown(shown: str, line: str) -> bool:
    """Tells whether a shown line is that of the file, but for a value or a comment at its end.

    Args:
        shown: what is shown of the line.
        line: of the file.
    """
    shown, line = shown.rstrip(), line.rstrip()
    if line == shown:
        return True
    own = shown.rstrip(",;")
    return line.startswith(own) and _LEFT_OFF.match(line, len(own)) is not None


def select(
    lines: Sequence[str],
    numbers: Sequence[int],
    units: Units,
    source: Sequence[str],
    definitions: Sequence[Definition],
    selection: Selection,
    groups: Mapping[int, Sequence[int]] = NO_GROUPS,
) -> Selected:
    """Shows a selection of a skeleton's definitions.

    Args:
        lines: the skeleton.
        numbers: the line of the source that each one comes from, counted from 1.
        units: of the same skeleton.
        source: the lines of the file.
        definitions: of the outline of the file.
        selection: what to show.
        groups: the lines of the skeleton that hold units, by the unit.
    """
    return _Selecting(lines, numbers, units, source, definitions, selection, groups).selected()


def _is_short(line: str) -> bool:
    """Tells whether a line says something in no more tokens than the mark that would stand for it."""
    said = line.strip()
    return len(said) <= SHORT_LINE and said[:1].isalpha()


class _Selecting:
    """One pass over the lines of a skeleton."""

    def __init__(
        self,
        lines: Sequence[str],
        numbers: Sequence[int],
        units: Units,
        source: Sequence[str],
        definitions: Sequence[Definition],
        selection: Selection,
        groups: Mapping[int, Sequence[int]],
    ) -> None:
        self.skeleton = lines
        self.origins = numbers
        self.units = units
        self.source = source
        self.definitions = definitions
        self.selection = selection
        self.lines: list[str] = []
        self.numbers: list[int] = []
        self.run_definitions = 0
        self.run_lines = 0
        self.run_row = -1
        """The last line of the skeleton that was counted among them, or -1."""
        self.folded: set[int] = set()
        """The lines of the file that were put down as the skeleton has them."""
        self.marked = False
        """The last line put down is a mark above lines that could not be read."""
        self.loose_left = selection.loose
        self.raised = self._raised()
        self.whole, self.heads = self._wanted()
        held = () if selection.shown is None else (*self.whole, *self.heads, *self.raised)
        self.holding = {row for number in held for row in groups.get(number, ())}
        """The lines that hold what is shown, and belong to none."""
        self.of_groups = {row for rows in groups.values() for row in rows} if selection.loose else self.holding
        self.excerpts = {units.of[place]: chosen for place, chosen in selection.excerpts if place in units.of}

    def selected(self) -> Selected:
        """Goes through the skeleton's lines and puts down what is shown of them."""
        units = self.units.units
        row, until = 0, 0
        for _, end, owner in self.units.runs:
            if row >= end:  # a unit that was raised goes beyond its first run
                continue
            if owner in self.raised:
                until = self._raise(owner, until)
                row = units[owner].last + 1
            elif self._is_elided(owner) and (not self.holding or self.holding.isdisjoint(range(row, end))):
                starts_here = owner >= 0 and row <= units[owner].first < end
                self.run_definitions += len(units[owner].definitions) if starts_here else 0
                self._count(range(row, end))
                row = end
            elif owner in self.excerpts and owner in self.whole:
                self._pick_excerpt(owner)
                row = end
            else:
                self._pick(owner, row, end)
                row = end
        self._drop_bare_mark()
        if self.selection.shown is not None:
            self.lines, self.numbers = without_bare_conditions(self.lines, self.numbers, self.folded, self._is_exact)
        full = {place for number in self.raised for place in self._held(number) if not self._is_cut(number)}
        present = {place for number in (*self.whole, *self.heads) for place in units[number].definitions}
        if self.selection.lines:
            present |= {place for number in self.raised for place in self._held(number) if self._is_cut(number)}
        signatures = present - full
        self._mark_emptied(present | full)
        return Selected(
            lines=tuple(self.lines),
            numbers=tuple(self.numbers),
            marks=self._marks(len(present | full), full),
            full=tuple(sorted(full)),
            signatures=tuple(sorted(signatures)),
        )

    def _is_elided(self, owner: int) -> bool:
        """Tells whether no line of those that belong to a unit, or to none, is shown."""
        if self.selection.shown is None:
            return False
        return owner not in self.whole and owner not in self.heads and not (owner < 0 and self.loose_left)

    def _pick(self, owner: int, first: int, end: int) -> None:
        """Puts down those of some lines that are shown."""
        unit = self.units.units[owner] if owner >= 0 else None
        first = self._below_attributes(unit, first, end)
        for row in range(first, end):
            if self._is_shown(owner, row):
                if self.skeleton[row] or self.selection.shown is None:
                    self._put(self.skeleton[row], self.origins[row])
                    self.folded.add(self.origins[row])
                    self.marked = not self.origins[row]
            else:
                self._count((row,))

    def _pick_excerpt(self, number: int) -> None:
        """Puts down an excerpt of a unit: what a skeleton has above its signature and of its docs, and lines of the source."""
        unit, chosen = self.units.units[number], self.excerpts[number]
        rows = range(unit.first, unit.last + 1)
        first = next((row for row in rows if self.origins[row] >= chosen[0]), unit.first)
        self._pick(number, unit.first, first)
        behind = (row for row in rows if row > unit.head and self.origins[row] > chosen[0])
        docs = {self.origins[row]: self.skeleton[row] for row in behind if any(map(str.isalnum, self.skeleton[row]))}
        exact = set(chosen)
        last = chosen[0] - 1
        for line in sorted(exact | docs.keys()):
            if hidden := sum(bool(one.strip()) for one in self.source[last : line - 1]):
                self._append(f"{MORE} {number_of(hidden, 'line')}", 0)
            self._put(self.source[line - 1] if line in exact else docs[line], line)
            last = line
        self._put_more(min(unit.source_last, len(self.source)) - last)

    def _put_more(self, count: int) -> None:
        """Counts the lines behind the last that is shown of a definition."""
        if count > 0:
            self._append(f"{MORE} {number_of(count, 'more line')}", 0)

    def _below_attributes(self, unit: Unit | None, first: int, end: int) -> int:
        """Counts the attributes above a signature with what is left out above them; gives the row after those."""
        if unit is None or first != unit.first or not (self.run_definitions or self.run_lines):
            return first
        if self.selection.brief:
            while first < min(end, unit.head) and says_nothing(self.skeleton[first]):
                self.run_lines += 1
                first += 1
        return first

    def _count(self, rows: Iterable[int]) -> None:
        """Counts lines of the skeleton that are left out."""
        for row in rows:
            if self._is_of_file(row):
                self.run_lines += 1
                self.run_row = row

    def _is_of_file(self, row: int) -> bool:
        """Tells whether a line is one of the file, and not empty; marks are none."""
        return bool(self.skeleton[row]) and self.origins[row] > 0

    def _raised(self) -> set[int]:
        """The units shown in full that are in no other such unit."""
        wanted = {*self.selection.raised, self.selection.partly}
        raised = {self.units.of[place] for place in wanted if place in self.units.of}
        return {unit for unit in raised if raised.isdisjoint(self.units.around(unit))}

    def _wanted(self) -> tuple[set[int], set[int]]:
        """The units of which all own lines are shown, and those of which only the head is; without raised ones."""
        if self.selection.shown is None:
            inside = set(range(len(self.units.units)))
            return {unit for unit in inside if not self._in_raised(unit)}, set()
        whole = {self.units.of[place] for place in self.selection.shown if place in self.units.of}
        told = {self.units.of[place] for place in self.selection.told if place in self.units.of}
        heads = {around for unit in (*whole, *self.raised) for around in self.units.around(unit)} - whole - told
        return (
            {unit for unit in whole if not self._in_raised(unit)},
            {unit for unit in heads if not self._in_raised(unit)},
        )

    def _in_raised(self, unit: int) -> bool:
        return unit in self.raised or not self.raised.isdisjoint(self.units.around(unit))

    def _is_shown(self, owner: int, row: int) -> bool:
        if self.selection.shown is None or owner in self.whole or row in self.holding:
            return True
        if owner < 0 and self.loose_left and row not in self.of_groups:
            self.loose_left -= 1
            return True
        return owner in self.heads and self.units.units[owner].heads(row)

    def _is_cut(self, number: int) -> bool:
        place = self.selection.partly
        return place >= 0 and self.units.of.get(place) == number

    def _held(self, number: int) -> list[int]:
        """The definitions of a unit and of those inside it."""
        units = self.units.units
        held = list(units[number].definitions)
        for inner in range(number + 1, len(units)):
            if units[inner].first > units[number].last:
                break
            held += units[inner].definitions
        return held

    def _raise(self, number: int, until: int) -> int:
        """Puts the lines of the source down in the place of a unit; gives the last one."""
        unit = self.units.units[number]
        first = max(unit.source_first, until + 1)
        if unit.long_doc and not self.selection.bare.isdisjoint(unit.definitions):
            self.run_lines += sum(bool(line.strip()) for line in self.source[first - 1 : unit.source_code - 1])
            first = max(first, unit.source_code)
        end = last = min(unit.source_last, len(self.source))
        if self._is_cut(number):
            last = min(last, first - 1 + self.selection.lines)
        for line in range(first, last + 1):
            self._put(self.source[line - 1], line)
        if last < first:
            self.run_definitions += unit.inside
        else:
            self._put_more(end - last)
        return max(until, unit.source_last)

    def _put(self, line: str, number: int) -> None:
        """Puts a line down, behind a mark where it would look as if it followed the line above it in the file."""
        if self.run_definitions or self.run_lines:
            self._drop_bare_mark()
            if self._is_exact(line, number) and self.lines and self._is_exact(self.lines[-1], self.numbers[-1]):
                self._append(*self._separating())
            self.run_definitions = self.run_lines = 0
            self.run_row = -1
        self._append(line, number)

    def _separating(self) -> tuple[str, int]:
        """The line that stands where some are left out: the mark that counts them, or what is no longer than that."""
        if self.run_definitions:
            return f"{MORE} {number_of(self.run_definitions, 'definition')}", 0
        row = self.run_row
        if self.run_lines == 1 and row >= 0 and _is_short(self.skeleton[row]):
            self.folded.add(self.origins[row])
            return self.skeleton[row], self.origins[row]
        return f"{MORE} {number_of(self.run_lines, 'line')}", 0

    def _mark_emptied(self, told: AbstractSet[int]) -> None:
        """Puts a mark between what opens and what closes a block of which nothing is shown but there is something.

        Args:
            told: the definitions that are shown.
        """
        for at in range(len(self.lines) - 1, 0, -1):
            closing = _CLOSED_BY.get(self.lines[at - 1].rstrip()[-1:])
            if closing is not None and self.lines[at].lstrip().startswith(closing):
                first, last = self.numbers[at - 1], self.numbers[at]
                units, of = self.units.units, self.units.of
                hidden = sum(place not in told and first < units[of[place]].source_first <= last for place in of)
                if hidden:
                    self.lines.insert(at, f"{MORE} {number_of(hidden, 'definition')}")
                    self.numbers.insert(at, 0)

    def _append(self, line: str, number: int) -> None:
        self.marked = False
        self.lines.append(line)
        self.numbers.append(number)

    def _is_exact(self, line: str, number: int) -> bool:
        """Tells whether a line stands in the file as it is shown; a mark does not."""
        return 0 < number <= len(self.source) and stands_as_shown(line, self.source[number - 1])

    def _drop_bare_mark(self) -> None:
        """Takes a mark back of which no line is shown."""
        if self.marked:
            self.lines.pop()
            self.numbers.pop()
            self.marked = False

    def _marks(self, present: int, full: set[int]) -> tuple[str, ...]:
        if self.selection.terse:
            return (PART,) if self.selection.shown is not None and self.definitions else ()
        counted = (f"{SHOWN}{present}/{len(self.definitions)}",) if self.selection.shown is not None else ()
        complete = [number for number in sorted(self.raised) if not self._is_cut(number)]
        named = [self.units.units[number].definitions[0] for number in complete]
        named = [place for place in named if self.definitions[place].body + TERMINATOR < self.definitions[place].end]
        names = self._told_apart(named, full)
        if not names:
            return counted
        listed = [name for name, may_be_listed in names.items() if may_be_listed][:NAMED]
        more = (f"+{len(names) - len(listed)}",) if len(names) > len(listed) else ()
        return (*counted, f"FULL:{','.join((*listed, *more))}")

    def _told_apart(self, named: Sequence[int], full: set[int]) -> dict[str, bool]:
        """The names of some definitions, and whether each may be listed.

        A name has its number where others of the same name in the file are not shown in full.
        """
        paths = {self.definitions[place].path for place in named}
        same: dict[str, list[int]] = {path: [] for path in paths}
        for place, one in enumerate(self.definitions):
            if one.path in paths:
                same[one.path].append(place)
        names: dict[str, bool] = {}
        for place in named:
            one = self.definitions[place]
            others = same[one.path]
            name = one.path if full.issuperset(others) else f"{one.path}~{others.index(place) + 1}"
            names[name] = bool(one.name) and UNLISTED.isdisjoint(one.path)
        return names
