"""One level of detail for each file, inside a hard budget: the allocator of the Fractal Protocol, for costs alone.

The allocator is a pure function over small records. A `Candidate` says what a file costs at each level, in tokens; an
`Allocation` says at which level it is shown. The order is that of the protocol, `allocator.spend.by_tier`, which is also
how a context without a question is bought: every file stands before any has detail (to know that something exists comes
first), and the tiers lose their detail from the last to the first. The longest beginning of that list that fits is
granted. What it leaves buys one more file, the first that fits (all that fit, where skeletons are disabled), and then
detail, the most important file first.

A level that costs no less than the one above is not a saving, so it is never used.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from allocator.spend.by_tier import Rung, tier_order
from allocator.spend.offered import SkeletonMode, offered_levels
from skeleton import CompressionLevel
from workspace.errors import BudgetTooSmallError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workspace.names.tiers import Tier

_SKELETONS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A file that asks for a place.

    Attributes:
        path: the file's name in the result.
        tier: the file's tier.
        costs: the tokens of the file's framed block at each level that the file has.
    """

    path: str
    tier: Tier
    costs: Mapping[CompressionLevel, int]


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """The level and the cost of one file.

    Attributes:
        path: the file.
        level: the level it is shown at; L3 for a dropped file.
        tokens: what it costs.
    """

    path: str
    level: CompressionLevel
    tokens: int


class BudgetStats(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of an allocation.

    Attributes:
        total_tokens: tokens of all blocks.
        files_included: files shown at any level.
        files_dropped: files not shown.
        files_skeletonized: files shown at L1 or L2.
        tokens_saved_by_skeleton: tokens that the skeletons cost less than their files' most detailed blocks.
        compression_breakdown: the number of files at each level.
    """

    total_tokens: int
    files_included: int
    files_dropped: int
    files_skeletonized: int
    tokens_saved_by_skeleton: int
    compression_breakdown: Mapping[CompressionLevel, int]


class Allocation(msgspec.Struct, frozen=True, kw_only=True):
    """A level for every candidate.

    Attributes:
        placements: one for each candidate, in the order in which they were given.
        stats: the sums.
    """

    placements: tuple[Placement, ...]
    stats: BudgetStats


class AdaptiveAllocator:
    """Finds the level of every file under one budget.

    Args:
        token_budget: tokens that all files may cost together; None for no ceiling.
        skeleton: `auto`, `enabled` or `disabled`.
        min_level: no file goes below this level; L3 lets files be dropped.
        max_level: no file is shown in more detail than this.

    Raises:
        InvalidArgumentError: the levels leave nothing to show.

    Example:
        >>> from workspace.names.tiers import Tier
        >>> core = Candidate(path="a.py", tier=Tier.CORE, costs={CompressionLevel.FULL: 90})
        >>> notes = Candidate(path="b.md", tier=Tier.OTHER, costs={CompressionLevel.FULL: 50, CompressionLevel.SKELETON: 9})
        >>> [placement.level.value for placement in AdaptiveAllocator(100).allocate([core, notes]).placements]
        ['L0', 'L2']
    """

    def __init__(
        self,
        token_budget: int | None,
        *,
        skeleton: SkeletonMode | str = SkeletonMode.AUTO,
        min_level: CompressionLevel = CompressionLevel.DROP,
        max_level: CompressionLevel = CompressionLevel.FULL,
    ) -> None:
        self.token_budget = token_budget
        self.mode = SkeletonMode(skeleton)
        self.levels = offered_levels(self.mode, min_level=min_level, max_level=max_level)
        self.may_drop = min_level is CompressionLevel.DROP

    def allocate(self, candidates: Sequence[Candidate]) -> Allocation:
        """Gives every candidate its level.

        Args:
            candidates: the most important first within each tier.

        Returns:
            An allocation whose total is never above the budget.

        Raises:
            BudgetTooSmallError: files may not be dropped and do not fit; its `minimum` is what they need.
        """
        order = sorted(range(len(candidates)), key=lambda index: candidates[index].tier)
        by_tier = [candidates[index] for index in order]
        ladders = [worthwhile_levels(candidate.costs, self.levels) for candidate in by_tier]
        granted = self._granted(by_tier, ladders)
        placed = {
            index: Placement(path=candidate.path, level=level, tokens=candidate.costs.get(level, 0))
            for index, candidate, level in zip(order, by_tier, granted, strict=True)
        }
        saved = sum(
            candidate.costs[ladder[0]] - candidate.costs[level]
            for candidate, ladder, level in zip(by_tier, ladders, granted, strict=True)
            if level in _SKELETONS
        )
        placements = tuple(placed[index] for index in range(len(candidates)))
        return Allocation(placements=placements, stats=_stats(placements, saved))

    def _granted(
        self, candidates: Sequence[Candidate], ladders: Sequence[Sequence[CompressionLevel]]
    ) -> list[CompressionLevel]:
        """Goes through the steps in their order and grants those that fit."""
        least = sum(
            candidate.costs[ladder[-1]] for candidate, ladder in zip(candidates, ladders, strict=True) if ladder
        )
        left = float("inf") if self.token_budget is None else self.token_budget
        if least > left and not self.may_drop:
            message = f"The files need {least} tokens at the lowest level allowed; the budget is {self.token_budget}."
            raise BudgetTooSmallError(message, minimum=least)
        granted = [CompressionLevel.DROP] * len(candidates)
        more_places = len(candidates) if self.mode is SkeletonMode.DISABLED else 1
        all_fit = True
        for index, (level, _) in tier_order(
            [[Rung(level) for level in ladder] for ladder in ladders],
            skeletons_first=self.mode is SkeletonMode.ENABLED,
            ends_with_skeletons=self.token_budget is None,
        ):
            is_place = level is ladders[index][-1]
            if not is_place and granted[index] is CompressionLevel.DROP:
                continue
            costs = candidates[index].costs
            price = costs[level] - costs.get(granted[index], 0)
            if price > left or (is_place and not all_fit and not more_places):
                all_fit = False
                continue
            more_places -= is_place and not all_fit
            granted[index] = level
            left -= price
        return granted


def _stats(placements: Sequence[Placement], saved: int) -> BudgetStats:
    count = Counter(placement.level for placement in placements)
    skeletonized = sum(count[level] for level in _SKELETONS)
    return BudgetStats(
        total_tokens=sum(placement.tokens for placement in placements),
        files_included=count[CompressionLevel.FULL] + skeletonized,
        files_dropped=count[CompressionLevel.DROP],
        files_skeletonized=skeletonized,
        tokens_saved_by_skeleton=saved,
        compression_breakdown={level: count[level] for level in CompressionLevel},
    )


def worthwhile_levels(
    costs: Mapping[CompressionLevel, int], levels: Sequence[CompressionLevel]
) -> tuple[CompressionLevel, ...]:
    """Lists those of some levels that are worth using for a file: each costs less than the one before.

    Args:
        costs: the tokens of the file at each level that it has.
        levels: the levels on offer, the most detailed first.
    """
    ladder: list[CompressionLevel] = []
    for level in levels:
        if level in costs and (not ladder or costs[level] < costs[ladder[-1]]):
            ladder.append(level)
    return tuple(ladder)
