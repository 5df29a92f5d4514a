"""What a reader is likely to need: a number for every file and every definition.

Numbers come from a ranking (`allocator.ranking`) and are put into one form here: the greatest is 1, none is 0. What
nothing speaks for has so little need that it comes after everything else, in the order of the files.
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
        files: a number for every file, above 0.
        definitions: numbers for the definitions of every file.
        wishes: what comes before all else, in order.
    """

    order: Sequence[int]
    files: Sequence[float]
    definitions: Sequence[Sequence[float]]
    wishes: Sequence[Wish] = ()


def needs_of(
    order: Sequence[int],
    files: Sequence[float],
    definitions: Sequence[Sequence[float]],
    wishes: Sequence[Wish] = (),
) -> Needs:
    """Puts the weights of a ranking into the form of needs.

    Args:
        order: the places of the files, the most important first.
        files: a weight for each file, 0 or more.
        definitions: weights for the definitions of each.
        wishes: what comes before all else.
    """
    greatest = max((max(weights, default=0.0) for weights in definitions), default=0.0)
    scale = 1 / greatest if greatest > 0 else 1.0
    greatest_file = max(files, default=0.0)
    file_scale = 1 / greatest_file if greatest_file > 0 else 1.0
    least = [0.0] * len(files)
    for position, index in enumerate(order):
        least[index] = LEAST_NEED * (1 - position / (len(order) + 1))
    return Needs(
        order=order,
        files=[weight * file_scale + floor for weight, floor in zip(files, least, strict=True)],
        definitions=[
            [weight * scale + floor for weight in weights] for weights, floor in zip(definitions, least, strict=True)
        ],
        wishes=wishes,
    )


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
