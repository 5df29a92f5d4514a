"""What a reader is likely to need: a number for every file and every definition.

Numbers come from a ranking (`allocator.ranking`), where there is a query, and from the files' tiers where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

from allocator.plan import ceiling

if TYPE_CHECKING:
    from allocator.plan import Kind, Pricing
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
        definitions: for every file the needs for its definitions, from `LEAST_NEED` to 1.
        ceilings: given what a format adds, tells for every file what no step of it is worth more than per token.
        wishes: what comes before all else, in order.
    """

    order: Sequence[int]
    files: Sequence[float]
    definitions: Sequence[Sequence[float]]
    ceilings: Callable[[Pricing], Sequence[float]]
    wishes: Sequence[Wish] = ()


SOFTNESS = 0.8
"""Below 1 a ranking is trusted less: what it puts first gets less of the budget, what comes after more. Needs are
weights over the greatest of them, raised to this power."""

MANY = 1e9
"""Definitions that a file may have of which nothing is known."""

TIER_WEIGHTS = (1.0, 0.5, 0.25, 0.1)
"""What files of each tier weigh where nothing else is known of them."""


def by_tier(files: Sequence[FileViews]) -> Needs:
    """Tells what a reader needs from the tiers of files alone.

    Args:
        files: the most important first.
    """
    weights = [TIER_WEIGHTS[file.tier] for file in files]
    greatest = max(weights, default=1.0)
    needs = [(weight / greatest) ** SOFTNESS for weight in weights]

    def ceilings(pricing: Pricing) -> Sequence[float]:
        of_need = {need: ceiling(need, need, MANY, pricing) for need in set(needs)}
        return [of_need[need] for need in needs]

    return Needs(order=range(len(files)), files=weights, definitions=_Alike(files, needs), ceilings=ceilings)


class _Alike(Sequence[Sequence[float]]):
    """The same need for all definitions of a file; rows are made when they are asked for: of many files few are."""

    def __init__(self, files: Sequence[FileViews], needs: Sequence[float]) -> None:
        self._files = files
        self._needs = needs

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> Sequence[float]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Sequence[float]]: ...

    def __getitem__(self, index: int | slice) -> Sequence[float] | Sequence[Sequence[float]]:
        if isinstance(index, slice):
            return _Alike(self._files[index], self._needs[index])
        return [self._needs[index]] * len(self._files[index].weights.unit)
