"""The steps that a map is drawn in, their prices and ranks, and what waits until it is a small part of all before it."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.folders import MOST_ALIKE
from allocator.spend.small_steps import LEAST_WORTH
from workspace.names.tiers import folder_of_step

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence


SHARE = 42
"""A step waits while it is dearer than what comes before it divided by this: as both are estimates but for lines, more than
for 97 % of a room."""

LEAST_BUDGET = 400
"""Tokens of a map from which on folders, files and names wait, too, unless they are worth so much more for a token than what
comes behind as `LEAST_WORTH` says: no budget that is to be filled shows fewer."""

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]{1,3}|[^\w\s]+|_|[^\W\d_A-Za-z]")


WHOLE_SORT_RANKS = ((1000, (0.0234, 0.0206)), (5000, (0.0205, 0.0185)))
"""Ranks of the names of files that are no source, where those of all files of a sort take no more than so many tokens: they
stand together, or not at all."""

WHOLE_ROOT_RANKS = (400, (0.028, 0.028))
"""The same of files that lie in no folder: whoever comes new looks at these first."""

FOLDER_RANKS = (0.06, 0.029)
"""Ranks of folders below the first level, from the first to the last."""
FAR_FOLDER_RANKS = (0.016, 0.008)
"""The same where the folders before them take more than `MOST_FOLDERS` tokens."""
MOST_FOLDERS = 7300
MANY_FILES = 3000
"""Files from which on not all folders come before the names of source files."""
MOST_FOLDERS_OF_MANY = 2800
"""The same as `MOST_FOLDERS` for so many files."""
MOST_FOLDERS_OF_DATA = 500
"""The same for those of so many files that hold no code, as texts in many languages, and what tests read."""

NUMBERING = "0123456789V"
_NUMBERED = re.compile(r"V?\d{3}")
"""The beginning of a name that tells which of many a file is, as those of migrations do."""


_LANGUAGE = re.compile(
    r"(?:[a-z]{2}|[a-z]{2,3}[_-](?:[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3})(?:[_-][A-Z]{2})?|[a-z]{2}-[a-z]{2})\.\w+"
)
"""The name of a file that holds texts in one of many languages."""


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


def with_patience(
    steps: Sequence[MapStep], waits: Mapping[int, int], holder: Callable[[StepKind, int], tuple[StepKind, int]]
) -> list[MapStep]:
    """Has steps wait behind cheaper ones until they are a small part of all before them: those fill a small budget.

    Args:
        steps: in order.
        waits: the places of the lines that wait, each with its group: in a group the first waits before the others.
        holder: tells in what a folder, a file or a name stands: it waits behind that.
    """
    if not steps:
        return []
    queue = _Patient()
    for step in steps:
        queue.release(step.rank)
        if step.kind is not StepKind.LINE:
            queue.add(step, holder(step.kind, step.at), waits=queue.spent >= LEAST_BUDGET and queue.is_dear(step))
        elif step.at in waits:
            queue.add(step, (StepKind.LINE, ~waits[step.at]), waits=True)
        else:
            queue.add(step, (StepKind.LINE, step.at), waits=False)
    return queue.listed + [step._replace(rank=min(step.rank, steps[-1].rank)) for step in queue.left]


class _Patient:
    """The steps that are listed, and those that wait, each behind what stands in the way."""

    def __init__(self) -> None:
        self.listed: list[MapStep] = []
        self.spent = 0.0
        self._waiting: dict[tuple[StepKind, int], deque[MapStep]] = {}
        """By what the first of each waits for, or is."""
        self._behind: dict[tuple[StepKind, int], tuple[StepKind, int]] = {}
        """For a folder or a file that waits what it waits behind."""

    @property
    def left(self) -> Iterator[MapStep]:
        """All that wait."""
        return chain.from_iterable(self._waiting.values())

    def add(self, step: MapStep, holder: tuple[StepKind, int], *, waits: bool) -> None:
        """Lists a step; or has it wait, and what stands in it, too."""
        thing = step.kind, step.at
        line = self._behind.get(holder, holder if step.kind is StepKind.LINE else thing)
        if waits or line in self._waiting:
            self._waiting.setdefault(line, deque()).append(step)
            self._behind[thing] = line
        else:
            self._list(step)

    def release(self, rank: float) -> None:
        """Lists what is a small part of what is listed already, and what is worth much more than what comes next.

        Args:
            rank: of what comes next.
        """
        for line, held in [*self._waiting.items()]:
            while held and not (self.is_dear(held[0]) and self._is_patient(held[0], rank)):
                step = held.popleft()
                self._behind.pop((step.kind, step.at), None)
                self._list(step._replace(rank=rank))
            if not held:
                del self._waiting[line]

    def is_dear(self, step: MapStep) -> bool:
        """Tells whether a step is no small part of what is listed."""
        return step.price * SHARE > self.spent

    @staticmethod
    def _is_patient(step: MapStep, rank: float) -> bool:
        return step.kind is StepKind.LINE or rank * LEAST_WORTH >= step.rank

    def _list(self, step: MapStep) -> None:
        self.listed.append(step)
        self.spent += step.price


def alike_last(steps: Iterable[MapStep], paths: Sequence[str], *, least: float) -> list[MapStep]:
    """Ranks files of one name behind a few of them, and of one folder those that are numbered or called after languages.

    Each tells less than the one before. So do the steps that a database has taken, of all folders of one kind of database.

    Args:
        steps: of files, the most important first.
        paths: of all files.
        least: the rank that none falls below which is not below it: with that every source file is named.
    """
    seen: defaultdict[str, int] = defaultdict(int)
    ranked = [*steps]
    for number, step in enumerate(ranked):
        folder, _, name = paths[step.at].rpartition("/")
        is_one_of_many = (name[0] in NUMBERING and _NUMBERED.match(name)) or _LANGUAGE.fullmatch(name)
        look = folder_of_step(paths[step.at]) or (f"{folder}/" if is_one_of_many else name)
        seen[look] += 1
        if seen[look] > MOST_ALIKE:
            ranked[number] = step._replace(rank=max(step.rank * MOST_ALIKE / seen[look], min(step.rank, least)))
    return ranked


def ranks_of_sort(prices: Sequence[float], usual: Sequence[float], *, of_root: bool) -> Sequence[float]:
    """Returns the ranks of the names of all files of a sort which are no source: the usual ones where they take much room.

    Args:
        prices: of these.
        usual: their ranks else.
        of_root: whether they lie in no folder.
    """
    rows = (WHOLE_ROOT_RANKS, *WHOLE_SORT_RANKS) if of_root else WHOLE_SORT_RANKS
    return next((spread(prices, most, near, near) for most, near in rows if sum(prices) <= most), usual)


def ranks_of_folders(
    numbers: Sequence[int], prices: Sequence[float], *, files: int, with_code: Container[int]
) -> dict[int, float]:
    """The ranks of folders below the first level, by their numbers.

    Args:
        numbers: the folders, the first first.
        prices: of all folders.
        files: how many there are.
        with_code: the folders with code in or below them. Of many files the others are told late, but for a few: they hold data.
    """
    if files <= MANY_FILES:
        rows = [(MOST_FOLDERS, numbers)]
    else:
        rows = [
            (MOST_FOLDERS_OF_MANY, [number for number in numbers if number in with_code]),
            (MOST_FOLDERS_OF_DATA, [number for number in numbers if number not in with_code]),
        ]
    found: dict[int, float] = {}
    for most, those in rows:
        ranks = spread([prices[number] for number in those], most, FOLDER_RANKS, FAR_FOLDER_RANKS)
        found |= zip(those, ranks, strict=True)
    return found


def spread(prices: Sequence[float], most: float, near: tuple[float, float], far: tuple[float, float]) -> list[float]:
    """Ranks that fall from one end of a range to the other; of a second range once the prices come to more than `most`."""
    ranks: list[float] = []
    total, spent = sum(prices), 0.0
    for price in prices:
        spent += price
        if spent <= most:
            ranks.append(near[0] - (near[0] - near[1]) * spent / max(1.0, min(total, most)))
        else:
            ranks.append(far[0] - (far[0] - far[1]) * (spent - most) / max(1.0, total - most))
    return ranks


def tokens_of(text: str) -> int:
    """Tokens of a line, about, with its break: one for each word, three digits, run of signs, and letter of other scripts."""
    return 1 + len(_PIECE.findall(text))
