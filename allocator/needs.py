"""What a reader is likely to need: a number for every file and every definition.

Numbers come from a ranking (`allocator.ranking`), where there is a query, and from the files' tiers where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

from allocator.plan import LEAST_NEED, Kind

if TYPE_CHECKING:
    from allocator.views import FileViews


class Wish(NamedTuple):
    """A step that a caller asked for by name.

    Attributes:
        file: the place of the file.
        place: the place of the definition in the outline, or -1.
        kind: what to show of it.
    """

    file: int
    place: int
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a reader is likely to need.

    Attributes:
        order: the places of the files, the most needed first.
        files: a weight for every file, 0 or more.
        definitions: weights for the definitions of every file, likewise.
        wishes: what comes before all else, in order.
    """

    order: Sequence[int]
    files: Sequence[float]
    definitions: Sequence[Sequence[float]]
    wishes: Sequence[Wish] = ()


def by_weight(weights: Sequence[Sequence[float]]) -> list[list[float]]:
    """Turns the weights of a ranking into needs: the greatest is 1, none is next to none.

    Args:
        weights: of the definitions of some files, 0 or more.
    """
    greatest = max((max(row, default=0.0) for row in weights), default=0.0) or 1.0
    return [[max((weight / greatest) ** SOFTNESS, LEAST_NEED) for weight in row] for row in weights]


SOFTNESS = 0.8
"""Below 1 a ranking is trusted less: what it puts first gets less of the budget, what comes after more."""

TIER_WEIGHTS = (1.0, 0.5, 0.25, 0.1)
"""What files of each tier weigh where nothing else is known of them."""


def by_tier(files: Sequence[FileViews]) -> tuple[Sequence[int], Sequence[float], Sequence[Sequence[float]]]:
    """Weighs files by their tiers alone, in the form of a ranking.

    Args:
        files: the most important first.
    """
    return range(len(files)), [TIER_WEIGHTS[file.tier] for file in files], _OfTiers(files)


class _OfTiers(Sequence[Sequence[float]]):
    """Weights of definitions, made when they are asked for: of many files few are."""

    def __init__(self, files: Sequence[FileViews]) -> None:
        self._files = files

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> Sequence[float]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[float]]: ...

    def __getitem__(self, index: int | slice) -> Sequence[float] | Sequence[Sequence[float]]:
        if isinstance(index, slice):
            return _OfTiers(self._files[index])
        file = self._files[index]
        return [TIER_WEIGHTS[file.tier]] * len(file.weights.unit)
