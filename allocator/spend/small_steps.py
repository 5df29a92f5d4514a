"""Steps in an order in which none is much dearer than what stands before it.

What a budget shows is the longest beginning of a list of steps that fits. Where a larger budget is never to show less, that
is all that it may show: whatever else fills the room would be taken back for the next step of the list. So a budget is
filled as far as steps are small. A line is shown whole or not at all, so what shows one waits until it costs no more than
a share of what comes before it, and what comes after it goes first. Which step stands where depends on no budget.
"""

from __future__ import annotations

import math
from collections import deque
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from allocator.spend.steps import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from allocator.spend.steps import Step

SHARE = 36
"""A step waits while it is dearer than what comes before it divided by this: so 97 % of a room are filled."""

LONGEST_WAIT = 4000
"""Tokens of steps that go before one that waits, at the most: where all are dear they keep their order."""

LEAST_WORTH = 10
"""A step that is worth more for a token than so many times what comes behind it does not wait for that."""

IN_LINES = frozenset((Kind.BODY, Kind.SKELETON, Kind.DOCS, Kind.TEXT))
"""Steps of which a part can be shown, line by line: they never wait."""


class _Waiting(NamedTuple):
    """A step that waits, and the tokens of the steps that came before it and with it."""

    since: float
    step: Step


class _Queue:
    """The steps that were listed, and those that wait; a step of a block waits behind the others of the block.

    Args:
        beside: the block of which no step waits.
    """

    def __init__(self, beside: int) -> None:
        self.listed: list[Step] = []
        self._beside = beside
        self._came = 0.0
        """Tokens of all steps so far."""
        self._spent = 0.0
        """Tokens of those that were listed."""
        self._waiting: dict[int, deque[_Waiting]] = {}
        self._cheapest: list[tuple[float, int]] = []
        """A heap of the prices of those that are first in their blocks; some entries are of such that were listed."""
        self._oldest: list[tuple[float, int]] = []
        """Likewise of how long they have waited."""
        self._until = math.inf, math.inf
        """Nothing that waits is listed before so many tokens were spent, or came."""

    def add(self, steps: Iterable[Step]) -> None:
        """Lists steps or has them wait; each time those that have waited long enough are listed."""
        for step in steps:
            while self._waiting and step.rank * LEAST_WORTH < self._first_rank():
                self._list_first(self._next(self._oldest, _since)[1])
            self._came += step.price
            if step.block in self._waiting:
                self._waiting[step.block].append(_Waiting(self._came, step))
            elif self._is_dear(step):
                self._wait(step.block, deque([_Waiting(self._came, step)]))
            else:
                self._list(step)
            if self._spent >= self._until[0] or self._came > self._until[1]:
                self._release()

    def end(self) -> None:
        """Lists all that wait, as they came."""
        left = [one for held in self._waiting.values() for one in held]
        self.listed += [one.step for one in sorted(left, key=_since)]

    def _is_dear(self, step: Step) -> bool:
        return step.block != self._beside and step.kind not in IN_LINES and step.price * SHARE > self._spent

    def _list(self, step: Step) -> None:
        self.listed.append(step)
        self._spent += step.price

    def _wait(self, block: int, held: deque[_Waiting]) -> None:
        self._waiting[block] = held
        step, since = held[0].step, held[0].since
        heappush(self._cheapest, (step.price, block))
        heappush(self._oldest, (since, block))
        spent, came = self._until
        self._until = min(spent, step.price * SHARE), min(came, since + LONGEST_WAIT)

    def _release(self) -> None:
        """Lists what is not dear any more, and what has waited longest."""
        self._until = math.inf, math.inf
        while self._waiting:
            price, block = self._next(self._cheapest, _price)
            since, oldest = self._next(self._oldest, _since)
            if price * SHARE > self._spent:
                if self._came <= since + LONGEST_WAIT:
                    self._until = price * SHARE, since + LONGEST_WAIT
                    return
                block = oldest
            self._list_first(block)

    def _first_rank(self) -> float:
        """Returns the rank of what has waited longest."""
        return self._waiting[self._next(self._oldest, _since)[1]][0].step.rank

    def _next(self, heap: list[tuple[float, int]], key: Callable[[_Waiting], float]) -> tuple[float, int]:
        """Gives the least of a heap that waits still."""
        while heap[0][1] not in self._waiting or key(self._waiting[heap[0][1]][0]) != heap[0][0]:
            heappop(heap)
        return heap[0]

    def _list_first(self, block: int) -> None:
        """Lists the first step of a block that waits, and those behind it that need not wait."""
        held = self._waiting.pop(block)
        self._list(held.popleft().step)
        while held and not self._is_dear(held[0].step):
            self._list(held.popleft().step)
        if held:
            self._wait(block, held)


def _price(one: _Waiting) -> float:
    return one.step.price


def _since(one: _Waiting) -> float:
    return one.since


def in_small_steps(steps: Iterable[Step], *, beside: int, is_all: bool) -> list[Step]:
    """Has what is dear wait until more stands before it.

    Args:
        steps: in order.
        beside: the block of which no step waits.
        is_all: whether there are no others.

    Returns:
        Those that come first, whatever steps are found out later; all of them where there are no others.
    """
    queue = _Queue(beside)
    queue.add(steps)
    if is_all:
        queue.end()
    return queue.listed
