"""The order of the Fractal Protocol: every file stands before any has detail, tier by tier.

The protocol gives every file in full and takes detail away, from the least important file on, until the budget holds
(and only then whole files). Read backwards that is a list of steps: the last level of every file, then for each file in
its order the levels above. The longest beginning of the list that fits is what the protocol leaves standing.

One large file must not push forty small ones out. So the first step of a file shows at most a share of the room of it;
what is missing of its last level is the first of its details.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from allocator.spend.steps import CHARACTERS, KIND_OF, Step
from skeleton import CompressionLevel
from skeleton.index.weights import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from allocator.progress import Stages
    from allocator.show.formats import Pricing
    from allocator.show.views import FileViews

SHARE = 10
"""While not every file stands, one file holds at most the room divided by this."""

ROUGH = 0.8
"""The part of a share above which a price is too rough: the step may turn out to be more than the share."""

MARKED = 6
"""Tokens that the header of a skeleton takes more than that of a whole file, about: what saves less is not shown."""

AHEAD = 16
"""Files that are prepared at once, at the most."""

SPARE = 8
"""Files that are looked at after those that fill the budget, for what the last of them leaves."""


class Rung(NamedTuple):
    """One way to show a file: at a level, of which no more is shown than `limit` tokens hold; 0 for no limit."""

    level: CompressionLevel
    limit: int = 0


def tier_order(
    ladders: Sequence[Sequence[Rung]], *, skeletons_first: bool, ends_with_skeletons: bool = False
) -> Iterator[tuple[int, Rung]]:
    """Lists files and ways to show them in the order in which they are bought.

    Args:
        ladders: for every file, the most important first, the ways that it may be shown, the most detailed first.
        skeletons_first: whether every file has its most detailed skeleton before any is shown in full.
        ends_with_skeletons: whether no file that has a skeleton is shown in full.
    """
    for number, ladder in enumerate(ladders):
        if ladder:
            yield number, ladder[-1]
    for number, ladder in enumerate(ladders):
        for rung in reversed(ladder[:-1]):
            if rung.level is not CompressionLevel.FULL or not skeletons_first:
                yield number, rung
    if skeletons_first and not ends_with_skeletons:
        for number, ladder in enumerate(ladders):
            if len(ladder) > 1 and ladder[0].level is CompressionLevel.FULL:
                yield number, ladder[0]


class ByTier:
    """The steps of some files in the order of the protocol.

    Args:
        files: the files, by the places that steps name.
        order: their places, the most important first.
        levels: the levels that a file may be shown at, the most detailed first.
        pricing: what the format adds.
        room: tokens that all blocks may cost together; None for no ceiling.
        skeletons_first: as for `tier_order`.
        may_drop: whether a file may be left out.
        prepare: is told of files before they are asked for anything that takes parsing.
        bring: has the levels of some files at hand, all looked up at once.
        progress: is told which files are looked at.
    """

    margin = 1.0

    def __init__(
        self,
        files: Sequence[FileViews],
        order: Sequence[int],
        *,
        levels: Sequence[CompressionLevel],
        pricing: Pricing,
        room: int | None,
        skeletons_first: bool,
        may_drop: bool,
        prepare: Callable[[Sequence[FileViews]], None],
        bring: Callable[[Sequence[FileViews]], None],
        progress: Stages,
    ) -> None:
        self._files = files
        self._order = order
        self._levels = levels
        self._pricing = pricing
        self._skeletons_first = skeletons_first
        self._has_ceiling = room is not None
        self._may_drop = may_drop
        self._prepare = prepare
        self._bring = bring
        self._progress = progress
        self.is_strict = False
        self.fills = False
        self.in_parts = levels != (CompressionLevel.FULL,)
        self._share = max(1, room // SHARE) if room is not None and may_drop and self.in_parts else 0
        self.tries = SPARE if self.in_parts else len(files)
        self._ladders: list[list[Rung]] = []
        self._prices: list[float] = []
        """The prices of the first so many steps together."""
        self.steps: list[Step] = []
        self.without_level: list[FileViews] = []

    @property
    def is_all(self) -> bool:
        """True if all files were looked at."""
        return len(self._ladders) == len(self._order)

    @property
    def required(self) -> int:
        """The first step of every file where none may be left out."""
        return 0 if self._may_drop else sum(map(bool, self._ladders))

    def reach(self, tokens: float) -> None:
        """Looks at files until their first steps come to so many tokens, and at a few more."""
        if self.is_all:
            return
        while not self.is_all and (count := self._missing(tokens)) > 0:
            self._look_at(min(count, AHEAD))
        if self.is_all:
            self._list_all()

    def _missing(self, tokens: float) -> int:
        """Returns how many more files are to be looked at, if they cost what those did that were looked at already."""
        if not self._may_drop or not self.in_parts or not self._prices:
            return AHEAD
        beyond = len(self._prices) - bisect_right(self._prices, tokens)
        left = max(tokens - self._prices[-1], 0.0)
        return SPARE - beyond + (1 + int(left * len(self._prices) / self._prices[-1]) if left else 1)

    def _look_at(self, count: int) -> None:
        chosen = self._order[len(self._ladders) : len(self._ladders) + count]
        self._prepare([self._files[number] for number in chosen])
        for number in chosen:
            file = self._files[number]
            self._progress.skeletonizing(len(self._ladders), file.path)
            ladder = self._ladder(file)
            self._ladders.append(ladder)
            if not ladder:
                self.without_level.append(file)
                continue
            step = self._step(number, ladder[-1], None)
            self.steps.append(step)
            self._prices.append(step.price + (self._prices[-1] if self._prices else 0.0))

    def _list_all(self) -> None:
        """Lists the details, which come when every file stands."""
        standing: dict[int, Rung] = {}
        for at, rung in tier_order(
            self._ladders, skeletons_first=self._skeletons_first, ends_with_skeletons=not self._has_ceiling
        ):
            if below := standing.get(at):
                self.steps.append(self._step(self._order[at], rung, below))
            standing[at] = rung

    def _ladder(self, file: FileViews) -> list[Rung]:
        """The ways to show a file, the most detailed first; the last, where that may be less, a beginning of a level."""
        tokens = file.facts.tokens
        ladder = [
            Rung(level)
            for level in self._levels
            if tokens[level.depth] != MISSING
            and (
                level is not CompressionLevel.SKELETON_PLUS
                or CompressionLevel.FULL not in self._levels
                or tokens[1] + MARKED < tokens[0]
            )
        ]
        if self._may_drop and len(ladder) > 1 and not tokens[ladder[-1].level.depth] and tokens[0]:
            ladder.pop()  # signatures of a file of constants: nothing
        if self._share and ladder and self._price(file, ladder[-1].level) > ROUGH * self._share:
            ladder.append(Rung(ladder[-1].level, self._share))
        return ladder

    def _step(self, number: int, rung: Rung, below: Rung | None) -> Step:
        """The step from one way to show a file, or from nothing, to another."""
        file = self._files[number]
        price = self._price_of(file, rung) - (self._price_of(file, below) if below else 0.0)
        rank = float(len(self._files) - len(self.steps))
        return Step(rank, number, -1, KIND_OF[rung.level], 1.0, max(1.0, price), rung.limit)

    def _price_of(self, file: FileViews, rung: Rung) -> float:
        whole = self._price(file, rung.level)
        return min(whole, max(float(rung.limit), self._pricing.block)) if rung.limit else whole

    def _price(self, file: FileViews, level: CompressionLevel) -> float:
        """Returns the price of a file at a level, about."""
        tokens, lines = file.facts.tokens[level.depth], file.facts.lines[level.depth]
        return tokens + lines * self._pricing.line + self._pricing.block + len(file.address) / CHARACTERS

    def bring(self, blocks: Iterable[int]) -> None:
        """Has the levels of some files at hand."""
        if self.in_parts:
            self._bring([self._files[number] for number in blocks])

    def steps_of(self, block: int) -> Sequence[Step]:
        """All steps of a file but the first, in their order."""
        ladder = self._ladder(self._files[block])
        pairs = zip(reversed(ladder), reversed(ladder[:-1]), strict=False)
        return [self._step(block, above, below) for below, above in pairs] if self._has_ceiling else []
