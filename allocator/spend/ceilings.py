"""Upper bounds for the worth per token of a file's steps, before the file is rendered.

What a budget buys is decided by steps, and to know the steps of a file takes rendering and counting it. So files are
looked at in the order of the most that a step of theirs can be worth, and no more of them than the budget asks for. What
needs alone say is far above the truth; how long the definitions are, which every outline says, comes close to it. It is worked
out for a file when its turn comes, as most files never have theirs.
"""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from allocator.show.excerpts import LINES
from allocator.spend.steps import BODY, BYTES, CHARACTERS, LEAST_NEED, LONG, MARKER, RESTS, Kind, Step, excerpted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from allocator.show.formats import Pricing

SIGNED = 2.5
"""Tokens of a signature besides those of its bytes: it is short, and mostly something closes it."""


LEAST_LINE = 5.0
"""Tokens of a line of code, less than it has: so that few excerpts are worth more than was thought."""


NOWHERE = -1
"""Stands for the place of what a definition stands in that stands in none."""


class Measured(NamedTuple):
    """A definition's need and its lengths, known before its file is rendered.

    Attributes:
        need: how much a reader is likely to need it.
        head: bytes of its signature.
        own: bytes of its source from its signature on, less those of the definitions in it.
        around: the place of the definition that it stands in among those of its file, `NOWHERE` for none.
    """

    need: float
    head: float
    own: float
    around: int


class Expected(NamedTuple):
    """The steps of a file, as the lengths of its definitions say.

    Attributes:
        highest: the most that one of them is worth per token.
        steps: for each, the worth per token, the worth and the price; the frame of the file is in none.
    """

    highest: float
    steps: Sequence[tuple[float, float, float]] = ()


def expected(
    ceiling: float,
    need: float,
    measured: Sequence[Measured],
    pricing: Pricing,
    *,
    path_length: int,
    body: float = BODY,
    opened: float = 0.0,
    in_full: bool = True,
    has_query: bool = False,
) -> Expected:
    """Tells what the steps of a file may be, and how much they can be worth per token.

    Args:
        ceiling: how much at the most, whatever the lengths of its definitions say.
        need: how much a reader is likely to need the file besides its definitions.
        measured: the definitions.
        pricing: what the format adds.
        path_length: characters of the file's path.
        body: the worth of a body, in signatures.
        opened: the worth of the file's standing there at all, in needs of the file.
        in_full: whether bodies may be shown.
        has_query: whether excerpts of long definitions may be shown.
    """
    steps: list[tuple[float, float, float]] = []
    shown: set[int] = set()
    for place in sorted(range(len(measured)), key=lambda place: -measured[place].need):
        wanted, head, own, _ = measured[place]
        price = head / BYTES + SIGNED + MARKER + pricing.line + _brought(measured, place, shown, pricing)
        rest = max(1.0, (own - head) / BYTES) + pricing.name
        rank, more = wanted / price, body * wanted
        if not in_full:
            steps.append((rank, wanted, price))
        elif more > rank * rest:
            steps.append(((wanted + more) / (price + rest), wanted + more, price + rest))
        elif has_query and rest >= LONG / 2:
            signature = Step(rank, 0, 0, Kind.SIGNATURE, wanted, price)
            whole = Step(more / rest, 0, 0, Kind.BODY, more, rest)
            steps += (
                (one.rank, one.worth, one.price)
                for one in excerpted(signature.worth, signature, whole, LEAST_LINE * LINES, least=0)
            )
        else:
            steps += (rank, wanted, price), (more / rest, more, rest)
    if not steps:
        return Expected(ceiling)
    steps.sort(reverse=True)
    worth, price = opened * need, pricing.block + path_length / CHARACTERS
    for rank, gain, cost in steps:
        if rank * price <= worth:
            return Expected(min(ceiling, worth / price), steps)
        worth += gain
        price += cost
    least, beside = steps[-1][0], (need + LEAST_NEED) * sum(RESTS.values())
    return Expected(min(ceiling, (worth + beside) / (price + beside / least)), steps)


def _brought(measured: Sequence[Measured], place: int, shown: set[int], pricing: Pricing) -> float:
    """Returns the tokens of the signatures around a definition that none before it has brought; adds what it shows."""
    tokens = 0.0
    shown.add(place)
    around = measured[place].around
    while around != NOWHERE and around not in shown:
        shown.add(around)
        tokens += measured[around].head / BYTES + SIGNED + pricing.line
        around = measured[around].around
    return tokens


class Foreseen:
    """The tokens that steps come to, those that are worth most first, as far as anything is known of them.

    Args:
        known: the worth per token and the price of steps that are known already.
    """

    def __init__(self, known: Iterable[tuple[float, float]]) -> None:
        self._waiting = [(-rank, price) for rank, price in known]
        heapify(self._waiting)
        self._tokens = 0.0

    def add(self, file: Expected) -> None:
        """Adds the steps of a file; none is worth more than the file may be."""
        for rank, _, price in file.steps:
            heappush(self._waiting, (-min(rank, file.highest), price))

    def above(self, least: float) -> float:
        """Returns the tokens of all steps that are worth more per token; it is asked for less and less."""
        while self._waiting and -self._waiting[0][0] > least:
            self._tokens += heappop(self._waiting)[1]
        return self._tokens


class Foremost:
    """Files by the most that a step of theirs may be worth per token; those that are alike in their order.

    Args:
        order: the files.
        ceilings: for every file what no step of it is worth more than; made more exact here when its turn comes.
        closer: gives for a file a more exact one, no higher; None where nothing more is known.
    """

    def __init__(self, order: Sequence[int], ceilings: list[float], closer: Callable[[int], float] | None) -> None:
        self._closer = closer
        self._ceilings = ceilings
        self._order = order
        listed = [ceilings[file] for file in order]
        self._falling = sorted(range(len(order)), key=listed.__getitem__, reverse=True)
        self._next = 0
        """The number of those that were looked at closely."""
        self._close: list[tuple[float, int]] = []
        """A heap of them: the most, below zero, and the place in the order."""

    def __len__(self) -> int:
        return len(self._falling) - self._next + len(self._close)

    @property
    def highest(self) -> float:
        """Returns the most that a step of the files that are left is worth."""
        self._look_closer()
        return -self._close[0][0] if self._close else 0.0

    def take(self, count: int) -> list[int]:
        """Takes the next files, so many of them."""
        taken: list[int] = []
        while len(self) and len(taken) < count:
            self._look_closer()
            taken.append(self._order[heappop(self._close)[1]])
        return taken

    def _look_closer(self) -> None:
        """Has the first of all be one that was looked at closely."""
        while self._next < len(self._falling):
            place = self._falling[self._next]
            file = self._order[place]
            if self._close and self._close[0] < (-self._ceilings[file], place):
                return
            self._next += 1
            if self._closer is not None:
                self._ceilings[file] = self._closer(file)
            heappush(self._close, (-self._ceilings[file], place))


def taken(
    left: Foremost,
    foreseen: Foreseen,
    found: dict[int, Expected],
    tokens: float,
    *,
    least: int = 0,
    most: float = math.inf,
) -> list[int]:
    """Takes the files to look at next, until what comes before all others is foreseen to take so many tokens.

    Args:
        left: the files that are left.
        foreseen: what is known to be shown of others; what is expected of those that are taken is added.
        found: what is expected of each file that was looked at closely; those that are taken go.
        tokens: of the budget.
        least: files that are taken in any case.
        most: steps after which no other file is taken.
    """
    chosen: list[int] = []
    while left and (len(chosen) < least or (most > 0 and foreseen.above(left.highest) < tokens)):
        chosen += left.take(1)
        file = found.pop(chosen[-1], Expected(0.0))
        foreseen.add(file)
        most -= len(file.steps)
    return chosen
