"""Makes blocks of steps: the cheapest block of a file that shows what they ask for, and parts of the step after them.

Where the whole skeleton or the whole file costs no more than what was asked for, it is shown instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.show.edits import EditedSelection
from allocator.show.elision import Selection
from allocator.show.excerpts import LINES, LINES_OF_FILE
from allocator.show.framing import most_within
from allocator.spend.steps import ASKED_BY_NAME, LEVEL_OF, Kind
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.show.excerpts import Excerpts
    from allocator.show.framing import Framer, Portion
    from allocator.show.views import FileViews
    from allocator.spend.steps import Step

NEARLY = 1.15
"""A whole file is counted where its tokens are no more than this much above those of what was chosen of it."""

MARK = 8
"""Tokens that a mark takes at the most: with one definition more, which needs no mark, some of them may be cheaper than all."""

FAR = 3
"""A text of more tokens than so many limits is not counted in its frame."""

AS_THEY_ARE: Mapping[int, int] = MappingProxyType({})
"""No longer excerpts than were chosen."""

_LEVELS = (CompressionLevel.SKELETON, CompressionLevel.SKELETON_PLUS, CompressionLevel.FULL)


class Choice(msgspec.Struct):
    """The parts of one file that some steps ask for.

    Attributes:
        level: the level that is shown whole; None while it is not.
        begun: the level of which a beginning is shown, and the tokens that this may cost; None if none is.
        shown, raised: the definitions chosen.
        edits: the stretches that changed, by their places.
        excerpts: the definitions of which an excerpt is shown.
        passages: whether one of the file is, which has none.
        documented: those that are shown with the docs above them.
    """

    level: CompressionLevel | None = None
    begun: tuple[CompressionLevel, int] | None = None
    shown: set[int] = msgspec.field(default_factory=set[int])
    raised: set[int] = msgspec.field(default_factory=set[int])
    edits: set[int] = msgspec.field(default_factory=set[int])
    excerpts: set[int] = msgspec.field(default_factory=set[int])
    passages: bool = False
    documented: set[int] = msgspec.field(default_factory=set[int])

    def selection(self, file: FileViews, excerpts: Excerpts, longer: Mapping[int, int] = AS_THEY_ARE) -> Selection:
        """Returns the parts chosen of the file, where it is not shown in full.

        Args:
            file: the file.
            excerpts: those of its definitions.
            longer: definitions of which an excerpt of so many lines is shown, whatever was chosen.
        """
        lines = {place: excerpts.lines(place) for place in self.excerpts - self.raised - longer.keys()}
        lines |= {place: excerpts.lines(place, most) for place, most in longer.items()}
        parts = tuple((place, lines[place]) for place in sorted(lines) if lines[place])
        edits = [file.edits[place] for place in self.edits]
        constants = file.left_out(self.shown)
        shown, raised = None if self.level is not None else frozenset(self.shown), frozenset(self.raised)
        bare = frozenset(self.raised - self.documented if excerpts.has_query and shown is not None else ())
        if self.passages and not edits and (passages := excerpts.of_file()):
            return _excerpt(file, passages, shown)
        if not edits:
            return Selection(
                shown=shown,
                raised=raised,
                bare=bare,
                excerpts=parts,
                brief=shown is not None,
                constants=constants,
            )
        return EditedSelection(
            shown=shown,
            raised=raised,
            bare=bare,
            excerpts=parts,
            constants=constants,
            exact=frozenset(line for edit in edits for line in edit.lines),
            gaps=frozenset(line for edit in edits for line in edit.gaps),
        )


def _excerpt(file: FileViews, lines: Sequence[int], shown: frozenset[int] | None) -> EditedSelection:
    """Selects lines of a file without definitions, and counts what is below the last of them where its outline does not."""
    below = sum(bool(line.strip()) for line in file.lines[lines[-1] :]) if lines and shown is not None else 0
    cut = (lines[-1], below) if below else (0, 0)
    return EditedSelection(shown=shown, exact=frozenset(lines), cut=cut, is_excerpt=True)


def choice_of(steps: Sequence[Step]) -> Choice:
    """Adds steps up."""
    choice = Choice()
    for step in steps:
        if step.kind is Kind.SIGNATURE:
            choice.shown.add(step.place)
        elif step.kind is Kind.BODY:
            choice.shown.add(step.place)
            choice.raised.add(step.place)
            if step.rank == ASKED_BY_NAME:
                choice.documented.add(step.place)
        elif step.kind is Kind.DOC:
            choice.documented.add(step.place)
        elif step.kind is Kind.EXCERPT and step.place < 0:
            choice.passages = True
        elif step.kind is Kind.EXCERPT:
            choice.excerpts.add(step.place)
        elif step.kind is Kind.LINES:
            choice.edits.add(step.place)
        elif step.limit:
            choice.begun = LEVEL_OF[step.kind], step.limit
        else:
            level = LEVEL_OF[step.kind]
            choice.level = level if choice.level is None or level.depth < choice.level.depth else choice.level
    return choice


class FileBlock:
    """A file that can be shown step by step.

    Args:
        file: the file.
        framer: frames and counts.
        levels: the levels that it may be shown at.
        excerpts: the excerpts of its definitions.
    """

    def __init__(self, file: FileViews, framer: Framer, levels: Sequence[CompressionLevel], excerpts: Excerpts) -> None:
        self._file = file
        self._excerpts = excerpts
        self._framer = framer
        self._levels = levels

    def portion(self, steps: Sequence[Step]) -> Portion:
        """The cheapest block that shows what some steps ask for."""
        file, choice = self._file, choice_of(steps)
        if choice.level is None and choice.begun is not None and not choice.shown:
            return self._beginning(*choice.begun)
        selection, level = self._selection(choice), choice.level or CompressionLevel.SKELETON
        if level is CompressionLevel.FULL:
            return self._at(level)
        chosen = self._at(level) if selection == Selection() else self._framer.selected(file, level, selection)
        if file.known is not None:
            return chosen
        if selection.shown is not None and file.facts.tokens[2] <= NEARLY * chosen.cost:
            whole = self._framer.selected(file, level, replace(selection, shown=None))
            dearer = whole.cost - chosen.cost
            chosen = whole if dearer <= 0 or (dearer <= MARK and self._was_whole(steps)) else chosen
        return self._no_dearer(chosen, level, any_skeleton=selection == Selection())

    def _was_whole(self, steps: Sequence[Step]) -> bool:
        """Tells whether the steps before the last show the whole skeleton: more steps show no less."""
        return len(steps) > 1 and not self.portion(steps[:-1]).elided

    def part(self, step: Step, steps: Sequence[Step], room: int) -> Portion | None:
        """The most of a step, over those before it, that `room` tokens hold; None if nothing of it fits."""
        file, choice = self._file, choice_of(steps)
        shown = self.portion(steps) if steps else None
        if shown is not None and not shown.elided and choice.level is None and choice.begun is None:
            choice.level = shown.level  # all of it stands where that costs no more than some of it
        if choice.level is CompressionLevel.FULL:
            return None
        if step.kind is Kind.BODY:
            return self._part_of_body(step.place, choice, room)
        if step.kind in (Kind.SIGNATURE, Kind.DOC):
            return None
        if step.place < 0 and choice.edits and choice.level is None:
            return None  # the beginning of a level would stand in their place
        if step.kind is Kind.EXCERPT and step.place < 0:
            return self._longest_passages(choice, room, LINES_OF_FILE)
        if step.kind is Kind.EXCERPT:
            return self._longest_excerpt(step.place, choice, room, min(LINES, self._excerpts.most(step.place)))
        if step.kind is Kind.LINES:
            return self._part_of_edit(step.place, choice, room)
        if step.place < 0 and choice.passages and choice.level is None:
            # the beginning of a level would stand in their place
            return self._longest_passages(choice, room, len(file.lines))
        if choice.level is None and not choice.shown:
            level = choice.begun[0] if choice.begun else LEVEL_OF[step.kind]
            return self._longest(CompressionLevel.SKELETON if file.order and not choice.begun else level, room)
        if choice.level is None:
            return most_within(
                file.units(CompressionLevel.SKELETON).loose,
                room,
                lambda number: self._framer.selected(
                    file, CompressionLevel.SKELETON, replace(self._selection(choice), loose=number)
                ),
            )
        if LEVEL_OF[step.kind].depth >= choice.level.depth:
            return None
        if step.kind is Kind.TEXT and choice.passages:
            return self._longest_passages(choice, room, len(file.lines))
        return self._blended(LEVEL_OF[step.kind], self.portion(steps), choice, room)

    def _selection(self, choice: Choice, longer: Mapping[int, int] = AS_THEY_ARE) -> Selection:
        return choice.selection(self._file, self._excerpts, longer)

    def _longest_excerpt(self, place: int, choice: Choice, room: int, most: int) -> Portion | None:
        """The excerpt of a definition with as many lines of its body as fit, of those that a reader wants most."""
        level = choice.level or CompressionLevel.SKELETON
        return most_within(
            most,
            room,
            lambda number: self._framer.selected(self._file, level, self._selection(choice, {place: number})),
        )

    def _longest_passages(self, choice: Choice, room: int, most: int) -> Portion | None:
        """The excerpt of a file without definitions with as many lines as fit, of those that a reader wants most."""
        shown, level = None if choice.level is not None else frozenset[int](), choice.level or CompressionLevel.SKELETON
        return most_within(
            len(self._excerpts.of_file(most)),
            room,
            lambda number: self._framer.selected(
                self._file, level, _excerpt(self._file, self._excerpts.of_file(number), shown)
            ),
        )

    def _at(self, level: CompressionLevel) -> Portion:
        return self._framer.whole(self._file, level)

    def _no_dearer(self, chosen: Portion, level: CompressionLevel, *, any_skeleton: bool) -> Portion:
        """Returns the chosen portion, or a more detailed level that costs no more."""
        tokens = self._file.facts.tokens
        for better in _LEVELS:
            if better.depth >= level.depth or better not in self._levels or tokens[better.depth] < 0:
                continue
            if better is CompressionLevel.FULL:
                may_be = tokens[0] <= NEARLY * chosen.cost
            else:
                may_be = any_skeleton and tokens[better.depth] <= tokens[level.depth]
            if may_be:
                whole = self._at(better)
                chosen = whole if whole.cost <= chosen.cost else chosen
        return chosen

    def _beginning(self, level: CompressionLevel, limit: int) -> Portion:
        """As much of a level as a limit holds: all of it, some of its definitions, its first lines, or the least there is."""
        file = self._file
        is_far = file.facts.tokens[level.depth] > FAR * limit
        whole = None if is_far else self._no_dearer(self._at(level), level, any_skeleton=True)
        if whole is not None and whole.cost <= limit:
            return whole
        part = self._longest(level, limit) or self._least(level)
        if part is not None and (whole is None or part.cost < whole.cost):
            return part
        return whole or self._at(level)

    def _least(self, level: CompressionLevel) -> Portion | None:
        """The smallest part of a level that can be shown."""
        file = self._file
        if file.order:
            return self._framer.selected(file, level, Selection(shown=frozenset(file.order[:1])))
        return self._framer.floor(file, file.view(level))

    def _longest(self, level: CompressionLevel, room: int) -> Portion | None:
        """The most of a level that a room holds, from its first definitions or lines on."""
        file = self._file
        if file.order:
            return self._framer.widest_selection(file, level, file.order, room)
        return self._framer.longest_head(file, file.view(level), room)

    def _part_of_edit(self, place: int, choice: Choice, room: int) -> Portion | None:
        """As many lines of a stretch that changed as fit, from the first on, or in its order."""
        file = self._file
        edit = file.edits[place]
        chosen, lines = self._selection(choice), edit.order or sorted(edit.lines)
        before = chosen.exact if isinstance(chosen, EditedSelection) else frozenset[int]()
        gaps = chosen.gaps if isinstance(chosen, EditedSelection) else frozenset[int]()
        return most_within(
            len(lines),
            room,
            lambda number: self._framer.selected(
                file,
                CompressionLevel.SKELETON,
                EditedSelection(
                    shown=chosen.shown,
                    raised=chosen.raised,
                    bare=chosen.bare,
                    excerpts=chosen.excerpts,
                    constants=chosen.constants,
                    exact=before | frozenset(lines[:number]),
                    gaps=gaps,
                    cut=(lines[number - 1], len(lines) - number) if number else (0, 0),
                ),
            ),
        )

    def _part_of_body(self, place: int, choice: Choice, room: int) -> Portion | None:
        level = choice.level or CompressionLevel.SKELETON
        units = self._file.units_with(level, place)
        if place not in units.of:
            return None
        unit = units.units[units.of[place]]
        if unit.inside > len(unit.definitions):
            return None
        if most := self._excerpts.most(place):
            return self._longest_excerpt(place, choice, room, most)
        chosen = replace(self._selection(choice), partly=place)
        if unit.long_doc and self._excerpts.has_query and level is CompressionLevel.SKELETON:
            chosen = replace(chosen, bare=chosen.bare | {place})
        top = unit.source_code if place in chosen.bare else unit.source_first
        is_begun = place in choice.shown or choice.level is not None
        shown = self._file.last_line(level, place) if is_begun else 0  # what closes it, say: a part shows no less
        first = max(unit.source_head, shown) - top + 1
        more_lines = unit.source_last - top - first
        begun = most_within(
            more_lines,
            room,
            lambda number: self._framer.selected(self._file, level, replace(chosen, lines=first + number)),
        )
        return begun or (None if is_begun else self._signature(place, choice, room))

    def _signature(self, place: int, choice: Choice, room: int) -> Portion | None:
        """The signature of a definition of which no line of the body fits; None if that does not either."""
        shown = replace(choice, shown={*choice.shown, place})
        portion = self._framer.selected(self._file, CompressionLevel.SKELETON, self._selection(shown))
        return portion if portion.cost <= room else None

    def _blended(self, level: CompressionLevel, base: Portion, choice: Choice, room: int) -> Portion | None:
        """The first lines of a more detailed level over what is shown already."""
        if base.level is CompressionLevel.FULL:
            return None
        chosen = self._selection(choice)
        whole = level is CompressionLevel.FULL or not (chosen.raised or chosen.excerpts)
        detailed = (
            self._file.view(level)
            if whole
            else self._file.selected(level, Selection(raised=chosen.raised, excerpts=chosen.excerpts))
        )
        name = "FULL" if level is CompressionLevel.FULL else level.value
        return self._framer.widest_blend(base, detailed, name, room)
