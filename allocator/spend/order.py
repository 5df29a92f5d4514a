"""Orders of steps, and the longest beginning of one that a room holds.

An order is one list of everything that could be shown, what comes first first. It is known only as far as it was asked
for: to know a step takes looking at its file, and most budgets end long before most files.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from allocator.show.views import FileViews
    from allocator.spend.steps import Step

GUESSES = 8
"""Tries that follow the estimates before the search halves what is left."""

FAR = 4
"""A step priced at more than so many rooms ends the search: what it shows is not counted."""


class Order(Protocol):
    """Steps in the order in which they are to be bought.

    The steps known are always the beginning of all, whatever else is found out later.
    """

    @property
    def steps(self) -> Sequence[Step]:
        """The steps that are known."""
        ...

    @property
    def is_all(self) -> bool:
        """True if there are no others."""
        ...

    @property
    def required(self) -> int:
        """The number of first steps that must be shown; with fewer there is no answer."""
        ...

    @property
    def margin(self) -> float:
        """The prices up to which steps are to be known, for each token of a room: above 1 where they are rough."""
        ...

    @property
    def tries(self) -> int:
        """Blocks whose next step is tried with what the whole steps leave."""
        ...

    @property
    def in_parts(self) -> bool:
        """True if a step may be shown in part."""
        ...

    @property
    def is_strict(self) -> bool:
        """True if more room never shows less: nothing is shown but the longest beginning that fits, and a part of the next step.

        What stands further down is tried only where that leaves much: a line that is much dearer than was estimated.
        """
        ...

    @property
    def fills(self) -> bool:
        """True if what is left goes to more of what is shown, however little it is."""
        ...

    @property
    def without_level(self) -> Sequence[FileViews]:
        """Files that were looked at and have no level that may be shown."""
        ...

    def reach(self, tokens: float) -> None:
        """Finds out more steps, until their prices come to so many tokens or there are no more."""
        ...

    def bring(self, blocks: Iterable[int]) -> None:
        """Has at hand what it takes to show some blocks."""
        ...

    def steps_of(self, block: int) -> Sequence[Step]:
        """All steps of a block that was looked at, in their order, those not in `steps` too."""
        ...


class _Tried(NamedTuple):
    """A number of steps and their exact cost; 0 where it was not counted."""

    number: int
    cost: int


def prefix(steps: Sequence[Step], cost: Callable[[int], int], room: int) -> int:
    """Finds how many of the first steps fit, with few tries.

    Args:
        steps: in order.
        cost: the exact tokens of so many steps; the more, the larger, but for a few tokens.
        room: tokens that they may cost.

    Returns:
        A number whose cost fits while that of the next one does not; the number of all steps if all fit.
    """
    estimate = [0.0]
    beyond = len(steps) + 1
    for number, step in enumerate(steps, start=1):
        if step.price > FAR * room:
            beyond = number
            break
        estimate.append(estimate[-1] + step.price)
    below, above = _Tried(0, 0), _Tried(beyond, 0)
    moved = tries = 0
    while above.number - below.number > 1:
        guess = (below.number + above.number) // 2
        if tries < GUESSES:
            guess = _reach(estimate, _crossing(estimate, below, above, room)) + moved
        guess = min(max(guess, below.number + 1), above.number - 1)
        tries += 1
        spent = cost(guess)
        if spent <= room:
            below, moved = _Tried(guess, spent), max(1, 2 * moved)
        else:
            above, moved = _Tried(guess, spent), min(-1, 2 * moved)
    return below.number


def _crossing(estimate: Sequence[float], below: _Tried, above: _Tried, room: int) -> float:
    """Returns the estimate at which the cost comes to the room, between two numbers of steps."""
    first, left = estimate[below.number], room - below.cost
    if above.cost > room:
        return first + (estimate[above.number] - first) * left / (above.cost - below.cost)
    return first + left * (first / below.cost if below.cost else 1.0)


def _reach(estimate: Sequence[float], tokens: float) -> int:
    return bisect_right(estimate, tokens) - 1
