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
