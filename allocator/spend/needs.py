"""The needs of a reader: a number for every file and every definition.

Numbers come from a ranking (`allocator.ranking`), where there is a query, and from the files' tiers where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from allocator.show.call_files import known_files
from allocator.spend.steps import BODY, Wish, ceiling

if TYPE_CHECKING:
    from allocator.show.excerpts import Finding
    from allocator.show.formats import Pricing
    from allocator.show.views import FileViews
    from allocator.spend.ceilings import Measured


class Reason(Protocol):
    """The reasons why a definition is needed as much as it is."""

    @property
    def weight(self) -> float:
        """The weight that the ranking gives it, from 0 to 1."""
        ...

    @property
    def parts(self) -> Sequence[tuple[str, float]]:
        """The amount that each signal adds to the logarithm of the weight, the largest first."""
        ...

    @property
    def words(self) -> Sequence[str]:
        """Words that it holds and that the query is about."""
        ...

    @property
    def callers(self) -> Sequence[str]:
        """Definitions that speak of it, `path::name`."""
        ...


class Explaining(Protocol):
    """Tells why definitions are needed: `allocator.ranking.why.Reasons`."""

    def of(self, file: int, definition: int) -> Reason:
        """The reason of one definition, by the place of its file and its own among the file's definitions."""
        ...


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """The needs of a reader for files and definitions.

    Attributes:
        order: the places of the files, the most needed first.
        files: a weight for every file, 0 or more.
        definitions: gives for the file at a place the needs for its definitions, from `LEAST_NEED` to 1; asked for when
            they are wanted, as of many files few are.
        ceilings: given what a format adds, tells for every file what no step of it is worth more than per token.
        measured: gives for the file at a place its definitions with their lengths, as far as they are known; None where no
            lengths are.
        wishes: what comes before all else, in order.
        points: whether more than the words of a query says what is wished for: a focus, a change, a trace.
        named: definitions that the query names, in order, each by the places of its file and of itself in the outline.
        is_names: whether the query consists of names.
        quoted: for what the query quotes the ways to say it, each as a pattern of lines and the places of the files.
        ends: whether nothing else is shown when that is.
        cut: what of the query was not looked up, in words; "" where all of it was.
        note: what the reader is to be told of how the query was read; "" for nothing.
        unmatched: the words of the query that occur nowhere, each with the nearest one that does, or "".
        is_lost: whether nothing of the query is known.
        reasons: tells of a definition why it is needed so much; None without a query.
        body: the worth of a definition's body, in signatures of the same definition.
        opened: the worth of a file's standing there at all, in needs of the file.
        frame: what a frame counts for, in frames.
        never_empty: whether the signature of what holds definitions comes with that of one of them.
        text: how far what is meant is text rather than code, from 0 to 1.
        passages: puts the lines of a body in order, those first that a query is about; None without one.
    """

    order: Sequence[int]
    files: Sequence[float]
    definitions: Callable[[int], Sequence[float]]
    ceilings: Callable[[Pricing], Sequence[float]]
    measured: Callable[[int], Sequence[Measured]] | None = None
    wishes: Sequence[Wish] = ()
    points: bool = False
    named: Sequence[tuple[int, int]] = ()
    is_names: bool = False
    quoted: Sequence[Sequence[tuple[str, Sequence[int]]]] = ()
    ends: bool = False
    cut: str = ""
    note: str = ""
    unmatched: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    is_lost: bool = False
    reasons: Explaining | None = None
    body: float = BODY
    opened: float = 0.0
    frame: float = 1.0
    never_empty: bool = False
    text: float = 0.0
    passages: Finding | None = None

    @property
    def has_query(self) -> bool:
        """True if the words of a query tell which lines of a body matter."""
        return self.passages is not None

    def need(self, file: int, place: int) -> float:
        """The need for a definition, from 0 to 1; of what belongs to none half of the greatest in its file.

        Args:
            file: the place of its file.
            place: its own in the outline, or -1.
        """
        found = self.definitions(file)
        if place < len(found) and place >= 0:
            return found[place]
        return max(found) / 2 if len(found) else self.files[file] / (max(self.files) or 1.0)


SOFTNESS = 0.8
"""Below 1 a ranking is trusted less: what it puts first gets less of the budget, what comes after more. Needs are
weights over the greatest of them, raised to this power."""

TEXT = 0.5
"""The weight of a file without definitions, in weights of definitions, where all needs are measured by the greatest of them."""

OVER_LINES = "(?#over lines)"
"""The beginning of a pattern of what may stand on several lines, among those of what a query quotes."""

MANY = 1e9
"""Definitions that a file may have of which nothing is known."""

UNSEEN = 0.5
"""The need for a definition that no sketch holds, in the mean of those of its file that one does."""

TIER_WEIGHTS = (1.0, 0.5, 0.25, 0.1)
"""The weights of the files of each tier where nothing else is known of them."""


def need_of_unseen(seen: Collection[float], *, otherwise: float) -> float:
    """Returns the need for a definition of a file that no sketch holds.

    Args:
        seen: the needs for those of the same file that one does.
        otherwise: what it is where there are none.
    """
    return UNSEEN * sum(seen) / len(seen) if seen else otherwise


def by_tier(files: Sequence[FileViews]) -> Needs:
    """Tells what a reader needs from the tiers of files alone.

    Args:
        files: the most important first.
    """
    weights = [TIER_WEIGHTS[file.tier] for file in known_files(files)]
    greatest = max(weights, default=1.0)
    needs = [(weight / greatest) ** SOFTNESS for weight in weights]

    def ceilings(pricing: Pricing) -> Sequence[float]:
        of_need = {need: ceiling(need, need, MANY, pricing) for need in set(needs)}
        return [of_need[need] for need in needs]

    def alike(index: int) -> Sequence[float]:
        return [needs[index]] * len(files[index].weights.unit)

    return Needs(order=range(len(files)), files=weights, definitions=alike, ceilings=ceilings)


def nearer(
    needs: Needs, closeness: Sequence[float], lifted: Mapping[int, Mapping[int, float]], files: Sequence[FileViews]
) -> Needs:
    """Tells what is needed by a reader who stands somewhere: the same, and less of what is further away.

    Args:
        needs: what anyone would need.
        closeness: for every file, from 0 to 1, how near it is.
        lifted: for some files, by their places, definitions of which at least so much is needed.
        files: those of the call.
    """
    none: Mapping[int, float] = {}

    def definitions(index: int) -> Sequence[float]:
        least = lifted.get(index, none)
        return [
            max(need * closeness[index], least.get(place, 0.0)) for place, need in enumerate(needs.definitions(index))
        ]

    def ceilings(pricing: Pricing) -> Sequence[float]:
        found = [most * near for most, near in zip(needs.ceilings(pricing), closeness, strict=True)]
        for index, least in lifted.items():
            most = max(least.values(), default=0.0)
            found[index] = max(found[index], ceiling(needs.files[index] * closeness[index], most, MANY, pricing))
        return found

    weights = [need * near for need, near in zip(needs.files, closeness, strict=True)]
    order = sorted(range(len(files)), key=lambda index: (-closeness[index], index))
    return replace(
        needs, order=order, files=weights, definitions=definitions, ceilings=ceilings, measured=None, opened=0.0
    )
