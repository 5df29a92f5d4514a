"""Constants that are offered although signatures alone leave them out: those asked for by name, or foremost in a file.

Of a file of constants alone signatures have no lines, and are no step: a header by itself would tell nothing. What
constants cost is known by their lengths alone; whoever serves them counts them, as all else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from skeleton.index.weights import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from allocator.show.views import FileViews
    from skeleton import CompressionLevel
    from skeleton.index.weights import Weights

ASKED = 0.2
"""Need from which a constant is offered: what a query names has it, and little else."""


FOREMOST = 0.02
"""Need from which it is offered in any case where nothing else in its file is needed as much: settings, schemas, tables."""

MOST_FOREMOST = 8
"""Constants of one file that are offered so."""


class Constant(NamedTuple):
    """The lengths of a constant.

    Attributes:
        signature: bytes of it up to its value, its doc included.
        full: bytes of all of it.
    """

    signature: int
    full: int


NO_CONSTANTS: Mapping[int, Constant] = MappingProxyType({})


def constants_of(file: FileViews, needs: Sequence[float], wished: Sequence[int]) -> Mapping[int, Constant]:
    """Returns the constants of a file that are offered, by their places in its outline.

    Args:
        file: the file.
        needs: for each of its definitions, what a reader with a query needs of it; empty where none is.
        wished: places of definitions that are offered whatever they are needed; -1 stands for the file.
    """
    units = file.weights.unit
    places = [place for place, need in enumerate(needs) if need >= ASKED and units[place] == MISSING]
    places += _foremost(units, needs)
    places += [place for place in wished if 0 <= place < len(units) and units[place] == MISSING]
    if not places:
        return NO_CONSTANTS
    definitions = file.definitions
    found = {place: definitions[place] for place in places}
    return {place: Constant(one.body - one.start, one.end - one.start) for place, one in found.items()}


def _foremost(units: Sequence[int], needs: Sequence[float]) -> list[int]:
    """The constants that are needed more than all else in their file, those of most need first."""
    others = max((need for need, unit in zip(needs, units, strict=False) if unit != MISSING), default=0.0)
    least = max(FOREMOST, others)
    held = [place for place, need in enumerate(needs) if units[place] == MISSING and least < need < ASKED]
    return sorted(held, key=needs.__getitem__, reverse=True)[:MOST_FOREMOST]


def says_nothing(weights: Weights, level: CompressionLevel, levels: Iterable[CompressionLevel]) -> bool:
    """Tells whether a level of a file has no lines while another has that may be shown, as of a file of constants.

    Args:
        weights: what the file costs.
        level: the level.
        levels: those that may be shown.
    """
    return not weights.tokens[level.depth] and any(weights.tokens[other.depth] > 0 for other in levels)
