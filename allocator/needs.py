"""What a reader is likely to need: a number for every file and every definition.

Numbers come from a ranking (`allocator.ranking`), where there is a query, and from the files' tiers where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from allocator.plan import LEAST_NEED, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def by_rank(weights: Sequence[Sequence[float]]) -> list[list[float]]:
    """Turns weights into needs: the greatest weight is a need of 1, the n-th greatest of 1/n, none of next to none.

    Rankings are good at order and poor at distance. How likely a definition is to be the one that a reader looks for
    falls about as its place in the list grows.

    Args:
        weights: of the definitions of some files, 0 or more; equal ones get equal needs.
    """
    places: dict[float, int] = {}
    for place, weight in enumerate(sorted((weight for row in weights for weight in row), reverse=True)):
        places.setdefault(weight, place)
    return [[1 / (1 + places[weight]) if weight > 0 else LEAST_NEED for weight in row] for row in weights]


TIER_WEIGHTS = (1.0, 0.5, 0.25, 0.1)
"""What files of each tier weigh where nothing else is known of them."""


def by_tier(files: Sequence[FileViews]) -> tuple[Sequence[int], Sequence[float], Sequence[Sequence[float]]]:
    """Weighs files by their tiers alone, in the form of a ranking.

    Args:
        files: the most important first.
    """
    weights = [TIER_WEIGHTS[file.tier] for file in files]
    return (
        range(len(files)),
        weights,
        [[weight] * len(file.weights.unit) for file, weight in zip(files, weights, strict=True)],
    )
