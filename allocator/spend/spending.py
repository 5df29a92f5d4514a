"""Turns steps into blocks, as many as a room holds, counted exactly.

There is one way from an order of steps to what is shown. The longest beginning of the list that fits is shown whole, and
what that leaves goes to the steps after it, in part where they do not fit; of a strict order to a part of the next step
alone, so that more room never shows less. What belongs to one thing makes one block; `Block` says how, so that a file and
whatever else has something to show are bought with the same budget.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import msgspec

from allocator.spend.order import prefix
from workspace.errors import BudgetTooSmallError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from allocator.spend.order import Order
    from allocator.spend.steps import Step

ENOUGH = 50
"""Nothing more is tried where no more is left than the room divided by this."""

LONGEST_LINE = 128
"""Tokens that a strict order may leave under small budgets: a line of what is told of the whole takes no more."""

NEARLY = 1.1
"""A step is tried whole where it is priced at no more than so many times what is left."""

TOO_MUCH = 20
"""The rest goes to more of what is shown only where it is above the budget divided by this: a larger budget may spend
it elsewhere, so it is done as seldom as the promise of 95 % allows."""

DEEPEST = 8
"""Tokens by which more steps may cost less than fewer: a mark that counts what is left out goes with the last of it."""

FURTHEST = 3
"""Steps after which that shows."""

MORE = 16
"""Steps are found out for the room divided by this at a time, when those that are known are not enough."""

GROWING = 16
"""Blocks that are shown, whose further steps are tried when those that come next do not fit."""


class Costing(Protocol):
    """Something framed, with its exact cost in tokens."""

    @property
    def cost(self) -> int:
        """Its tokens."""
        ...


_BLOCK = itemgetter(1)

_Shown = TypeVar("_Shown", bound=Costing, covariant=True)


class Block(Protocol[_Shown]):
    """A thing that can be shown, coarser or finer."""

    def portion(self, steps: Sequence[Step]) -> _Shown:
        """The cheapest that shows what its first so many steps ask for."""
        ...

    def part(self, step: Step, steps: Sequence[Step], room: int) -> _Shown | None:
        """The most of a further step, over those before it, that `room` tokens hold; None if nothing of it fits."""
        ...


_Kept = TypeVar("_Kept", bound=Costing)
_Made = TypeVar("_Made", bound=Costing, covariant=True)


class Blocks(Protocol[_Made]):
    """Blocks by their places; they may be made when they are asked for."""

    def __len__(self) -> int:
        """The number of steps."""
        ...

    def __getitem__(self, number: int, /) -> Block[_Made]:
        """The one at a place."""
        ...


class _Bought(msgspec.Struct, Generic[_Kept]):
    """The part of a block that is shown.

    Attributes:
        steps: those that are shown whole.
        portion: what they come to, and perhaps a part of one more.
        part_of: the step that is shown in part, if one is.
    """

    steps: list[Step]
    portion: _Kept
    part_of: Step | None = None


class Spending(Generic[_Kept]):
    """The blocks of one call, and the order in which they are bought.

    Args:
        blocks: by the places that steps name.
        order: the steps.
    """

    def __init__(self, blocks: Blocks[_Kept], order: Order) -> None:
        self._blocks = blocks
        self._order = order
        self._portions: dict[tuple[int, int], _Kept] = {}
        self._costs: dict[int, int] = {}

    def portions(self, room: int, *, for_detail: int = 0) -> list[_Kept | None]:
        """Buys as much as a room holds.

        Args:
            room: tokens that all blocks may cost together.
            for_detail: tokens besides, for more of the blocks that are shown and for no other block.

        Returns:
            For every block what is shown of it, or None.

        Raises:
            BudgetTooSmallError: what must be shown does not fit; its `minimum` is what that costs.
        """
        taken = self._taken(room)
        if taken < self._order.required:
            minimum = self.cost(self._order.required)
            raise BudgetTooSmallError(f"What must be shown needs {minimum} tokens; {room} are left.", minimum=minimum)
        bought = {number: _Bought(steps, self._portion(number, steps)) for number, steps in self._parted(taken).items()}
        spare = room - sum(one.portion.cost for one in bought.values())
        enough = self._enough(room + for_detail)
        tried: set[int] = set()
        if self._order.is_strict and taken < len(self._order.steps):
            step = self._order.steps[taken]
            tried.add(step.block)
            spare -= self._add(step, bought, spare)
        for step in self._following(taken, room):
            if spare <= enough or len(tried) == self._order.tries:
                break
            if step.block not in tried:  # what comes after a block's next step takes that one for granted
                tried.add(step.block)
                spare -= self._add(step, bought, spare)
        spare += for_detail
        too_much = enough if self._order.fills else max(enough, (room + for_detail) // TOO_MUCH)
        if self._order.in_parts and spare > too_much:
            if self._order.is_strict:
                self._grow_in_order(taken, bought, spare, too_much)
            else:
                self._grow(bought, spare, too_much)
        shown: list[_Kept | None] = [None] * len(self._blocks)
        for number, one in bought.items():
            shown[number] = one.portion
        return shown

    def _enough(self, tokens: int) -> int:
        """Tokens that may be left of so many; of a strict order what only dear steps leave, as others are in small steps."""
        if not self._order.in_parts:
            return 0
        if self._order.is_strict:
            return max(tokens // TOO_MUCH, min(LONGEST_LINE, tokens // 2))
        return tokens // ENOUGH

    def _grow(self, bought: dict[int, _Bought[_Kept]], spare: int, enough: int) -> None:
        """Spends what is left on more of what is shown: a new block may not fit where more of an old one does."""
        for number, one in sorted(bought.items(), key=lambda item: item[1].part_of is None)[:GROWING]:
            had = {(step.place, step.kind, step.limit) for step in one.steps}
            steps = self._order.steps_of(number) if one.part_of is None else (one.part_of,)
            for step in steps:
                if spare <= enough:
                    return
                if (step.place, step.kind, step.limit) not in had:
                    spare -= self._add(step, bought, spare)
                    if bought[number].part_of is not None:
                        break

    def _grow_in_order(self, taken: int, bought: dict[int, _Bought[_Kept]], spare: int, enough: int) -> None:
        """Spends what is left on the next steps of what is shown, as the order has them: a larger budget comes to them first."""
        had = {(number, step.place, step.kind) for number, one in bought.items() for step in one.steps}
        open_ones = {number for number, one in bought.items() if one.part_of is None}
        for step in self._order.steps[taken:]:
            if spare <= enough or not open_ones:
                return
            if step.block in open_ones and (step.block, step.place, step.kind) not in had:
                added = self._add(step, bought, spare)
                spare -= added
                if bought[step.block].part_of is not None or (not added and step.price > spare):
                    open_ones.discard(step.block)

    def _add(self, step: Step, bought: dict[int, _Bought[_Kept]], spare: int) -> int:
        """Adds a step, or a part of it, to what is shown of its block; gives the tokens that it takes."""
        block, current = self._blocks[step.block], bought.get(step.block)
        steps = current.steps if current else []
        spent = current.portion.cost if current else 0
        if step.price <= NEARLY * spare:
            whole = block.portion([*steps, step])
            if spent < whole.cost <= spent + spare:
                bought[step.block] = _Bought([*steps, step], whole)
                return whole.cost - spent
        part = block.part(step, steps, spent + spare) if self._order.in_parts else None
        if part is None or part.cost <= spent:
            return 0
        bought[step.block] = _Bought(steps, part, part_of=step)
        return part.cost - spent

    def _taken(self, room: int) -> int:
        """Returns how many steps fit: all that are known only where there are no others."""
        wanted = self._order.margin * room + 1
        while True:
            self._order.reach(wanted)
            taken = prefix(self._order.steps, self.cost, room)
            taken = self._furthest(taken, room) if self._order.is_strict else taken
            if self._order.is_all or taken < len(self._order.steps):
                return taken
            wanted += room / MORE + 1

    def _furthest(self, taken: int, room: int) -> int:
        """Returns the largest number of steps that fit, of those close to one that does: so more room never gives fewer."""
        number = taken + 1
        while number <= min(taken + FURTHEST, len(self._order.steps)):
            left = room - self.cost(number)
            if left < -DEEPEST:
                break
            taken = number if left >= 0 else taken
            number += 1
        return taken

    def _following(self, taken: int, room: int) -> Iterator[Step]:
        """The steps behind those that fit; they are found out as they are asked for."""
        wanted = self._order.margin * room + 1
        while True:
            steps = self._order.steps
            yield from steps[taken:]
            if self._order.is_all:
                return
            taken = len(steps)
            while len(self._order.steps) == taken and not self._order.is_all:
                wanted += room / MORE + 1
                self._order.reach(wanted)

    def cost(self, taken: int) -> int:
        """The tokens of the blocks of the first so many steps."""
        if taken not in self._costs:
            parted = self._parted(taken)
            self._order.bring(parted)
            self._costs[taken] = sum(self._portion(number, steps).cost for number, steps in parted.items())
        return self._costs[taken]

    def _parted(self, taken: int) -> dict[int, list[Step]]:
        """The first so many steps by their blocks."""
        parted: dict[int, list[Step]] = {}
        for number, steps in groupby(self._order.steps[:taken], key=_BLOCK):
            parted.setdefault(number, []).extend(steps)
        return parted

    def _portion(self, number: int, steps: list[Step]) -> _Kept:
        """Returns the portion of a block's first steps: their number identifies them, as orders only grow at their end."""
        key = number, len(steps)
        if key not in self._portions:
            self._portions[key] = self._blocks[number].portion(steps)
        return self._portions[key]
