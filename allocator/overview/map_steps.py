"""The steps that a map is drawn in, and the lines among them that wait until they are a small part of it."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from allocator.spend.small_steps import SHARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class StepKind(StrEnum):
    """The kinds of things that a step adds to the map."""

    LINE = "line"
    FOLDER = "folder"
    FILE = "file"
    NAME = "name"


GOES_ON = "\x1f"
"""Begins a line before the map that goes on where the one above ends: a list is shown as far as there is room."""


class MapStep(NamedTuple):
    """One thing that the map can show: its rank (worth per token), tokens, about, what it is, and which."""

    rank: float
    price: float
    kind: StepKind
    at: int


LEAST_PRICE = 0.5
"""Tokens of a step, at the least."""

COUNTED = {StepKind.FILE: 2.5, StepKind.FOLDER: 3.0}
"""The kinds of things of which a folder counts those that it does not tell, with the tokens of the count, about."""


class Left:
    """The files and folders that folders do not tell of yet: what tells the first has the rest counted.

    Args:
        files, folders: how many there are in each folder, by its number.
    """

    def __init__(self, files: Mapping[int, int], folders: Mapping[int, int]) -> None:
        self._left = {StepKind.FILE: dict(files), StepKind.FOLDER: dict(folders)}
        self._begun: set[int] = set()

    def price(self, own: float, kind: StepKind, folder: int) -> float:
        """Returns the price of telling one more of that kind, with what the counts of its folder grow or shrink by.

        Args:
            own: the price of its line.
            kind: which it is.
            folder: the number of the folder that it lies in.
        """
        before = self._counts(folder) if folder in self._begun else 0.0
        self._begun.add(folder)
        self._left[kind][folder] -= 1
        return max(LEAST_PRICE, own + self._counts(folder) - before)

    def _counts(self, folder: int) -> float:
        return sum(price for kind, price in COUNTED.items() if self._left[kind].get(folder, 0) > 0)


def with_patience(steps: Sequence[MapStep], waits: Mapping[int, int]) -> list[MapStep]:
    """Has lines wait behind cheaper steps until they are a small part of all before them: those fill a small budget.

    Args:
        steps: in order.
        waits: the places of the lines that wait, each with its group: in a group the first waits before the others.
    """
    listed: list[MapStep] = []
    waiting = {group: deque[MapStep]() for group in waits.values()}
    spent = 0.0
    for step in steps:
        if step.kind is StepKind.LINE and step.at in waits:
            waiting[waits[step.at]].append(step)
        else:
            listed.append(step)
            spent += step.price
        for lines in waiting.values():
            while lines and lines[0].price * SHARE <= spent:
                line = lines.popleft()
                listed.append(line._replace(rank=step.rank))
                spent += line.price
    left = [line for lines in waiting.values() for line in lines]
    return listed + [line._replace(rank=min(line.rank, steps[-1].rank)) for line in left]
