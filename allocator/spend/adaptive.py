"""Who gets how much: one level of detail for each file, inside a hard budget.

The allocator is a pure function over small records. A `Candidate` says what a file's framed block costs at each level,
in tokens; an `Allocation` says at which level it is shown. The order is that of the Fractal Protocol (section 2.3),
and its principle (section 1.2): to know that something exists comes before its detail.

    1. downgrade   Every file starts at the most detailed level. While they cost too much, files lose detail: tier by
                   tier (Other, Tests, Config, Core), within a tier the least important first, each step by step
                   down to its last level.
    2. drop        Only when nothing is left to downgrade. A file may then hold a tenth of the budget at the most
                   (`SHARE`): one large file does not push forty small ones out, it is cut instead. What still does
                   not fit is dropped in the same order, and the first file that was dropped is shown in what is left.
    3. refill      What is left is spent on detail, the most important file first, each as far up as it fits. (Then
                   less is left than any whole step costs; `allocator.spend.fill` spends it line by line.)

A level that costs no less than the one above is not a saving, so it is never used.

More budget never shows fewer files, as long as files may be cut: a file's claim in step 2, divided by the budget, does
not grow with the budget, so the number of files that fit does not shrink. With skeletons disabled a file is full or
dropped, and spending the budget well comes first: there one large file can take the place of two small ones.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from skeleton import CompressionLevel
from workspace.errors import BudgetTooSmallError, InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workspace.names.tiers import Tier

SHARE = 10
"""While files are being dropped, one file holds at most the budget divided by this."""

_SHOWN = (CompressionLevel.FULL, CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)


class SkeletonMode(StrEnum):
    """When skeletons stand in for files (the Fractal Protocol, section 5.1)."""

    AUTO = "auto"
    """As soon as there is a budget."""
    ENABLED = "enabled"
    """Every file starts as a skeleton; what fits is upgraded."""
    DISABLED = "disabled"
    """A file is full or dropped."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A file that asks for a place.

    Attributes:
        path: the file's name in the result.
        tier: the file's tier.
        costs: the tokens of the file's framed block at each level that the file has.
        floor: the fewest tokens in which the file's head can be shown; None if the file is not to be cut.
    """

    path: str
    tier: Tier
    costs: Mapping[CompressionLevel, int]
    floor: int | None = None


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gets.

    Attributes:
        path: the file.
        level: the level it is shown at; L2 for a cut file, L3 for a dropped one.
        tokens: what its block costs; for a cut file, what it may cost at the most.
        cut: whether only a head of the file's last worthwhile level is shown, in so many tokens.
    """

    path: str
    level: CompressionLevel
    tokens: int
    cut: bool = False


class BudgetStats(msgspec.Struct, frozen=True, kw_only=True):
    """What an allocation comes to (the Fractal Protocol, section 3.3).

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
        token_budget: tokens that all blocks may cost together; None for no ceiling.
        skeleton: `auto`, `enabled` or `disabled`.
        min_level: no file goes below this level; L3 lets files be dropped.
        max_level: no file is shown in more detail than this.
        held_back: tokens of the budget that may buy detail but no place: a file that only they would let in stays out.

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
        held_back: int = 0,
    ) -> None:
        self.token_budget = token_budget
        self.mode = SkeletonMode(skeleton)
        self.levels = offered_levels(self.mode, min_level=min_level, max_level=max_level)
        self.may_drop = min_level is CompressionLevel.DROP
        self.held_back = held_back

    def allocate(self, candidates: Sequence[Candidate]) -> Allocation:
        """Gives every candidate its level.

        Args:
            candidates: the most important first within each tier.

        Returns:
            An allocation whose total is never above the budget.

        Raises:
            BudgetTooSmallError: files may not be dropped and do not fit; its `minimum` is what their blocks need.
        """
        order = sorted(range(len(candidates)), key=lambda index: candidates[index].tier)
        table = _Table([candidates[index] for index in order], self.levels)
        if self.mode is SkeletonMode.ENABLED:
            table.start_from_skeletons()
        if self.token_budget is not None:
            if table.least <= self.token_budget - self.held_back:
                table.downgrade(self.token_budget)
            else:  # even the last level of every file is too much
                self._drop(table, self.token_budget)
            table.refill(self.token_budget)
        return table.allocation(order)

    def _drop(self, table: _Table, budget: int) -> None:
        if not self.may_drop:
            minimum = table.least + self.held_back
            message = f"The files need {minimum} tokens at the lowest level allowed; the budget leaves {budget}."
            raise BudgetTooSmallError(message, minimum=minimum)
        if self.mode is SkeletonMode.DISABLED:
            table.drop_whole(budget)
        else:
            table.drop_or_cut(max(0, budget - self.held_back))


def offered_levels(
    mode: SkeletonMode, *, min_level: CompressionLevel, max_level: CompressionLevel
) -> tuple[CompressionLevel, ...]:
    """Lists the levels at which a file may be shown, the most detailed first.

    Raises:
        InvalidArgumentError: there is none.
    """
    if max_level.depth > min_level.depth or max_level is CompressionLevel.DROP:
        message = f"max_level {max_level} must show something, and in no less detail than min_level {min_level}."
        raise InvalidArgumentError(message)
    if mode is SkeletonMode.DISABLED:
        if max_level is not CompressionLevel.FULL:
            message = f"skeleton='disabled' shows files in full only; it cannot be combined with max_level {max_level}."
            raise InvalidArgumentError(message)
        return (CompressionLevel.FULL,)
    return tuple(level for level in _SHOWN if max_level.depth <= level.depth <= min_level.depth)


def worthwhile_levels(
    costs: Mapping[CompressionLevel, int], levels: Sequence[CompressionLevel]
) -> tuple[CompressionLevel, ...]:
    """Lists those of some levels that are worth using for a file: each costs less than the one before.

    Args:
        costs: the tokens of the file's block at each level that it has.
        levels: the levels on offer, the most detailed first.
    """
    return tuple(step.level for step in _ladder(costs, levels))


class _Step(NamedTuple):
    level: CompressionLevel
    cost: int


def _ladder(costs: Mapping[CompressionLevel, int], levels: Sequence[CompressionLevel]) -> list[_Step]:
    steps: list[_Step] = []
    for level in levels:
        cost = costs.get(level)
        if cost is not None and (not steps or cost < steps[-1].cost):
            steps.append(_Step(level, cost))
    return steps


class _Table:
    """The state of one allocation: a step of its ladder, or nothing, for each file in the order of importance."""

    def __init__(self, candidates: Sequence[Candidate], levels: Sequence[CompressionLevel]) -> None:
        self.candidates = candidates
        self.ladders = [_ladder(candidate.costs, levels) for candidate in candidates]
        self.at = [0] * len(candidates)
        self.costs = [ladder[0].cost if ladder else 0 for ladder in self.ladders]
        self.cut = [False] * len(candidates)
        self.total = sum(self.costs)
        self.least = sum(ladder[-1].cost for ladder in self.ladders if ladder)
        self.starts = list(self.at)

    def put(self, index: int, step: int, *, cost: int | None = None) -> None:
        """Moves a file to a step of its ladder; past the last one it is dropped; `cost` is what a cut file may take."""
        ladder = self.ladders[index]
        whole = ladder[step].cost if step < len(ladder) else 0
        self.at[index] = step
        self.cut[index] = cost is not None and cost < whole
        cost = whole if cost is None else min(cost, whole)
        self.total += cost - self.costs[index]
        self.costs[index] = cost

    def start_from_skeletons(self) -> None:
        """Puts every file on its first level below L0, where there is one."""
        for index, ladder in enumerate(self.ladders):
            below = (number for number, step in enumerate(ladder) if step.level is not CompressionLevel.FULL)
            self.put(index, next(below, 0))
        self.starts = list(self.at)

    def downgrade(self, budget: int) -> None:
        """Step 1: the least important files lose detail, down to their last level, until all of them fit."""
        for index in reversed(range(len(self.ladders))):
            while self.total > budget and self.at[index] + 1 < len(self.ladders[index]):
                self.put(index, self.at[index] + 1)

    def drop_or_cut(self, budget: int) -> None:
        """Step 2: large files are cut to their share, the least important are dropped, one is shown in what is left."""
        claims = [self._claim(index, budget) for index in range(len(self.ladders))]
        claimed, kept = sum(claims), len(claims)
        while claimed > budget * SHARE:
            kept -= 1
            claimed -= claims[kept]
        for index, ladder in enumerate(self.ladders):
            if index < kept and ladder:
                self.put(index, len(ladder) - 1, cost=claims[index] // SHARE)
            else:
                self.put(index, len(ladder))
        left = budget - self.total
        for index in range(kept, len(self.ladders)):
            ladder, floor = self.ladders[index], self.candidates[index].floor
            if ladder and (ladder[-1].cost <= left or (floor is not None and floor <= left)):
                self.put(index, len(ladder) - 1, cost=left)
                return

    def _claim(self, index: int, budget: int) -> int:
        """What a file asks for while others are dropped, in tokens times `SHARE`: whole numbers keep it exact."""
        ladder, floor = self.ladders[index], self.candidates[index].floor
        if not ladder:
            return 0
        whole = ladder[-1].cost * SHARE
        return whole if floor is None else min(whole, max(floor * SHARE, budget))

    def drop_whole(self, budget: int) -> None:
        """Step 2 without skeletons: the least important are dropped, then whatever still fits comes back."""
        for index in reversed(range(len(self.ladders))):
            if self.total <= budget:
                break
            self.put(index, len(self.ladders[index]))
        for index, ladder in enumerate(self.ladders):
            if self.at[index] == len(ladder) and ladder and self.total + ladder[-1].cost <= budget:
                self.put(index, len(ladder) - 1)

    def refill(self, budget: int) -> None:
        """Step 3: files gain detail, the most important first, each by as many whole steps as fit."""
        for best in (self.starts, [0] * len(self.ladders)):
            for index, ladder in enumerate(self.ladders):
                if self.at[index] == len(ladder):
                    continue
                room = budget - self.total + self.costs[index]
                worst = self.at[index] + self.cut[index]  # a cut file gains already when its last level is shown whole
                for step in range(best[index], worst):
                    if ladder[step].cost <= room:
                        self.put(index, step)
                        break

    def allocation(self, order: Sequence[int]) -> Allocation:
        """Writes the placements down, in the order in which the candidates were given."""
        placements = [
            Placement(path=candidate.path, level=level, tokens=cost, cut=cut)
            for candidate, level, cost, cut in zip(self.candidates, self._levels(), self.costs, self.cut, strict=True)
        ]
        given = [placement for _, placement in sorted(zip(order, placements, strict=True), key=lambda pair: pair[0])]
        return Allocation(placements=tuple(given), stats=self._stats(placements))

    def _levels(self) -> list[CompressionLevel]:
        return [
            CompressionLevel.SKELETON if cut else ladder[step].level if step < len(ladder) else CompressionLevel.DROP
            for ladder, step, cut in zip(self.ladders, self.at, self.cut, strict=True)
        ]

    def _stats(self, placements: Sequence[Placement]) -> BudgetStats:
        count = Counter(placement.level for placement in placements)
        skeletonized = count[CompressionLevel.SKELETON_PLUS] + count[CompressionLevel.SKELETON]
        saved = sum(
            ladder[0].cost - placement.tokens
            for ladder, placement in zip(self.ladders, placements, strict=True)
            if placement.level in {CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON}
        )
        return BudgetStats(
            total_tokens=self.total,
            files_included=count[CompressionLevel.FULL] + skeletonized,
            files_dropped=count[CompressionLevel.DROP],
            files_skeletonized=skeletonized,
            tokens_saved_by_skeleton=saved,
            compression_breakdown={level: count[level] for level in CompressionLevel},
        )
