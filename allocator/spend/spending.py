"""Steps become blocks: which of them a room holds, counted exactly.

`allocator.spend.steps` puts all steps in one order. Here the first so many are turned into blocks and counted until no more
fit, and the next one is shown in part. Every block is the cheapest that shows what the steps ask for: where the whole
skeleton or the whole file costs no more than a choice of its definitions, it is shown instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.show.elision import Selection
from allocator.show.framing import largest
from allocator.spend.steps import LEVEL_OF, Kind, Step, prefix
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator.show.framing import Framer, Portion
    from allocator.show.views import FileViews
    from allocator.spend.by_worth import Supply

ENOUGH = 25
"""Where more than the room divided by this is left, steps after the next one are tried too."""

TRIES = 24
"""Steps that are tried for that."""

MORE = 1.5
"""Steps are looked up until they are priced at so many times what is to be spent: prices are estimates."""

NEARLY = 1.15
"""A whole file is counted where its tokens are no more than this much above those of what was chosen of it."""


class State(msgspec.Struct):
    """What some steps make of one file.

    Attributes:
        level: the level that is shown whole; None while single definitions are chosen.
        shown, raised: the definitions chosen.
    """

    level: CompressionLevel | None = None
    shown: set[int] = msgspec.field(default_factory=set[int])
    raised: set[int] = msgspec.field(default_factory=set[int])

    def take(self, step: Step) -> None:
        """Adds a step."""
        if step.kind is Kind.SIGNATURE:
            self.shown.add(step.place)
        elif step.kind is Kind.BODY:
            self.shown.add(step.place)
            self.raised.add(step.place)
        else:
            level = LEVEL_OF[step.kind]
            self.level = level if self.level is None or level.depth < self.level.depth else self.level

    @property
    def selection(self) -> Selection:
        """What is chosen of the file, where it is not shown in full."""
        return Selection(shown=None if self.level is not None else frozenset(self.shown), raised=frozenset(self.raised))

    @property
    def key(self) -> tuple[CompressionLevel | None, Selection]:
        """What tells this state from others of the same file."""
        return self.level, self.selection


class Spending:
    """The steps of one call, and the blocks that they come to.

    Args:
        files: the files, by the places that the steps name.
        supply: the steps, in order.
        framer: frames and counts.
        max_level: no file is shown in more detail than this.
    """

    def __init__(self, files: Sequence[FileViews], supply: Supply, framer: Framer, max_level: CompressionLevel) -> None:
        self.files = files
        self.supply = supply
        self.framer = framer
        self.may_be_full = max_level is CompressionLevel.FULL
        self._portions: dict[tuple[int, CompressionLevel | None, Selection], Portion] = {}
        self._costs: dict[int, int] = {}

    def portions(self, room: int) -> tuple[list[Portion | None], int]:
        """Shows as many steps as a room holds.

        Args:
            room: tokens that all blocks may cost together.

        Returns:
            A portion or None for every file, and the number of steps that are shown whole.
        """
        taken = self._taken(room)
        states = self._states(taken)
        shown: list[Portion | None] = [None] * len(self.files)
        for number, state in states.items():
            shown[number] = self.portion(number, state)
        spare = room - sum(portion.cost for portion in shown if portion)
        tried: set[int] = set()
        for step in self.supply.steps[taken:]:
            if step.file in tried:
                continue
            if len(tried) == TRIES:
                break
            tried.add(step.file)  # what comes after a file's next step takes that one for granted
            current = shown[step.file]
            spent = current.cost if current else 0
            grown = self._part(step, states.get(step.file, State()), spent + spare)
            if grown is not None and grown.cost > spent:
                shown[step.file] = grown
                spare -= grown.cost - spent
            if spare * ENOUGH <= room:
                break
        return shown, taken

    def _taken(self, room: int) -> int:
        """How many steps fit, when enough of those that come after them are known as well."""
        wanted = MORE * room + 1
        while True:
            self.supply.reach(wanted)
            taken = prefix(self.supply.steps, self.cost, room)
            if self.supply.is_all or len({step.file for step in self.supply.steps[taken:]}) >= TRIES:
                return taken
            wanted *= 2

    def cost(self, taken: int) -> int:
        """The tokens of the blocks of the first so many steps."""
        if taken not in self._costs:
            states = self._states(taken)
            self.supply.bring_texts(states)
            self._costs[taken] = sum(self.portion(number, state).cost for number, state in states.items())
        return self._costs[taken]

    def _states(self, taken: int) -> dict[int, State]:
        states: dict[int, State] = {}
        for step in self.supply.steps[:taken]:
            states.setdefault(step.file, State()).take(step)
        return states

    def portion(self, number: int, state: State) -> Portion:
        """The cheapest block that shows what a state asks for."""
        key = (number, *state.key)
        if key not in self._portions:
            self._portions[key] = self._cheapest(self.files[number], state)
        return self._portions[key]

    def _cheapest(self, file: FileViews, state: State) -> Portion:
        if state.level is CompressionLevel.FULL:
            return self.framer.portion(file, state.level, file.view(state.level))
        selection, level = state.selection, state.level or CompressionLevel.SKELETON
        chosen = (
            self.framer.portion(file, level, file.view(level))
            if selection == Selection()
            else self.framer.selected(file, level, selection)
        )
        weights = file.weights
        if file.known is not None:
            return chosen
        if selection.shown is not None and weights.tokens[2] <= NEARLY * chosen.cost:
            whole = self.framer.selected(file, level, replace(selection, shown=None))
            chosen = whole if whole.cost <= chosen.cost else chosen
        if self.may_be_full and weights.tokens[0] <= NEARLY * chosen.cost:
            full = self.framer.portion(file, CompressionLevel.FULL, file.view(CompressionLevel.FULL))
            chosen = full if full.cost <= chosen.cost else chosen
        return chosen

    def _part(self, step: Step, state: State, room: int) -> Portion | None:
        """The most of a step, over a state of its file, that a room holds; None if nothing of it fits."""
        file = self.files[step.file]
        if step.kind is Kind.BODY:
            return self._part_of_body(file, step.place, state, room)
        if step.kind is Kind.SIGNATURE:
            chosen = replace(state.selection, partly=step.place)
            return None if state.level else self._widest(file, chosen, room, 0)
        if state.level is None and file.order and not state.shown:
            return self.framer.widest_selection(
                file, CompressionLevel.SKELETON, file.order, room, may_raise=False, part_of_a_line=True
            )
        if state.level is None and file.order:
            return self._most(
                file.units(CompressionLevel.SKELETON).loose,
                room,
                lambda number: self.framer.selected(
                    file, CompressionLevel.SKELETON, replace(state.selection, loose=number)
                ),
            )
        return self._part_of_level(file, LEVEL_OF[step.kind], state, room)

    def _part_of_body(self, file: FileViews, place: int, state: State, room: int) -> Portion | None:
        level = state.level or CompressionLevel.SKELETON
        units = file.units(level)
        unit = units.units[units.of[place]]
        if unit.inside > len(unit.definitions):
            return None
        first = units.signature_lines(place)
        chosen = replace(state.selection, partly=place, lines=first)
        return self._widest(file, chosen, room, unit.source_last - unit.source_first - first, level)

    def _widest(
        self,
        file: FileViews,
        chosen: Selection,
        room: int,
        more_lines: int,
        level: CompressionLevel = CompressionLevel.SKELETON,
    ) -> Portion | None:
        """As many lines and characters of the definition that is shown in part as fit."""
        best: list[Portion] = []

        def fits(selection: Selection) -> bool:
            portion = self.framer.selected(file, level, selection)
            if portion.cost <= room:
                best.append(portion)
            return portion.cost <= room

        if chosen.lines:
            if not fits(chosen):
                return None
            lines = largest(more_lines, lambda number: fits(replace(chosen, lines=chosen.lines + number)))
            chosen = replace(chosen, lines=chosen.lines + lines)
        line = file.next_line(level, chosen)
        largest(len(line) - 1, lambda number: fits(replace(chosen, characters=number)))
        return best[-1] if best else None

    def _part_of_level(self, file: FileViews, level: CompressionLevel, state: State, room: int) -> Portion | None:
        if state.level is None:
            return self.framer.longest_head(file, file.view(level), room, part_of_a_line=True)
        base = self.portion_of(file, state)
        if base.level is CompressionLevel.FULL:
            return None
        raised = Selection(raised=frozenset(state.raised))
        whole = level is CompressionLevel.FULL or not state.raised
        detailed = file.view(level) if whole else file.selected(level, raised)
        name = "FULL" if level is CompressionLevel.FULL else level.value
        return self.framer.widest_blend(base, detailed, name, room, part_of_a_line=True)

    def portion_of(self, file: FileViews, state: State) -> Portion:
        """The block of a state of a file, counted anew."""
        return self._cheapest(file, state)

    @staticmethod
    def _most(limit: int, room: int, made: Callable[[int], Portion]) -> Portion | None:
        best: list[Portion] = []

        def fits(number: int) -> bool:
            portion = made(number)
            if portion.cost <= room:
                best.append(portion)
            return portion.cost <= room

        largest(limit, fits)
        return best[-1] if best else None
