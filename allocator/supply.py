"""The steps of a call, as far as they are wanted.

One list holds all steps of all files (`allocator.plan`), but a budget reaches only a little way into it, and what a file
costs in detail has to be looked up first. So files are looked at in the order of the most that any step of theirs can
be worth per token, which needs alone say (`plan.ceiling`). Once all steps above the next file's ceiling are known, they
are the beginning of the list, whatever is in the files that were not looked at.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from allocator.plan import LEAST_NEED, LEVEL_OF, Kind, Offer, Pricing, Step, in_order, steps_of, wished

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.fileset import FileSet
    from allocator.needs import Needs
    from allocator.progress import Steps
    from skeleton import CompressionLevel

POOL = 12_000
"""Definitions of the files that are looked at, at the most, unless the budget is large: the rest is not needed."""

AT_ONCE = 16
"""Files that are looked at together at first; then a share of those seen so far."""

GROWTH = 4
"""That share is one in so many."""


class Supply:
    """The steps of one call, those that are worth most per token first; what was asked for by name before them.

    Args:
        files: the files.
        needs: what the reader is likely to need of them.
        pricing: what the format adds.
        levels: the levels that a file may be shown at.
        budget: tokens of the whole answer.
        progress: is told which files are looked at.
    """

    def __init__(
        self,
        files: FileSet,
        needs: Needs,
        *,
        pricing: Pricing,
        levels: frozenset[CompressionLevel],
        budget: int,
        progress: Steps,
    ) -> None:
        self._files = files
        self._needs = needs
        self._pricing = pricing
        self._levels = levels
        self._progress = progress
        self._pool = max(POOL, budget // 4)
        self._greatest = max(needs.files, default=0.0) or 1.0
        self._ceilings = needs.ceilings(pricing)
        self._order = sorted(needs.order, key=self._ceilings.__getitem__, reverse=True)
        self._looked_at = 0
        self._found: list[Step] = []
        self._wishes = [
            wished(wish.file, wish.place, wish.kind, self._offer(wish.file, ()), pricing)
            for wish in needs.wishes
            if LEVEL_OF[wish.kind] in levels
        ]
        self._granted = {(step.file, step.place, step.kind) for step in self._wishes}
        self._whole = {step.file for step in self._wishes if step.kind is Kind.TEXT}
        self._priced = 0.0
        self.steps: Sequence[Step] = ()

    @property
    def is_all(self) -> bool:
        """Whether there are no more steps than those listed."""
        return self._pool <= 0 or self._looked_at == len(self._order)

    def reach(self, tokens: float) -> None:
        """Lists more steps, until their prices come to so many tokens or there are no more."""
        while not self.is_all and self._priced < tokens:
            self._look_at(max(AT_ONCE, self._looked_at // GROWTH))
            least = 0.0 if self.is_all else self._ceilings[self._order[self._looked_at]]
            known = [step for step in self._found if step.rank > least]
            self._priced = sum(step.price for step in chain(self._wishes, known))
            if self.is_all or self._priced >= tokens:
                self.steps = [*self._wishes, *in_order(known)]

    def _look_at(self, count: int) -> None:
        chosen = self._order[self._looked_at : self._looked_at + count]
        self._files.bring([self._files.files[index] for index in chosen])
        for index in chosen:
            self._progress.skeletonizing(self._looked_at, self._files.files[index].path)
            self._looked_at += 1
            if index not in self._whole:
                self._found += self._steps_of(index)
            self._pool -= len(self._files.files[index].weights.unit) + 3
            if self._pool <= 0:
                return

    def _steps_of(self, index: int) -> list[Step]:
        steps = steps_of([(index, self._offer(index, self._needs.definitions(index)))], self._pricing)
        if self._granted:
            steps = [step for step in steps if (step.file, step.place, step.kind) not in self._granted]
        most = self._ceilings[index]
        return [step._replace(rank=most) if step.rank > most else step for step in steps]

    def _offer(self, index: int, needs: Sequence[float]) -> Offer:
        file = self._files.files[index]
        return Offer(
            weights=file.weights,
            need=max(self._needs.files[index] / self._greatest, LEAST_NEED / (2 + self._looked_at)),
            needs=needs,
            path_length=len(file.path),
            levels=self._levels,
            known=file.known,
        )
