"""The order of worth: what is needed most for a token comes first.

One list holds all steps of all files (`allocator.spend.steps`), but a budget reaches only a little way into it, and what
a file costs in detail has to be looked up first. So files are looked at in the order of the most that any step of theirs can
be worth per token, which needs alone say (`steps.ceiling`). Once all steps above the next file's ceiling are known, they
are the beginning of the list, whatever is in the files that were not looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, chain
from operator import attrgetter
from typing import TYPE_CHECKING

from allocator.spend.ceilings import Expected, Foremost, Foreseen, expected, taken
from allocator.spend.constants import constants_of, says_nothing
from allocator.spend.file_steps import steps_of
from allocator.spend.small_steps import in_small_steps
from allocator.spend.steps import (
    LEAST_NEED,
    LEVEL_OF,
    Kind,
    Offer,
    Step,
    in_order,
    wished,
)
from skeleton.formats import PLAIN_TEXT, format_of
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from allocator.progress import Stages
    from allocator.show.formats import Pricing
    from allocator.show.views import FileViews
    from allocator.spend.needs import Needs
    from allocator.spend.steps import Wish
    from skeleton import CompressionLevel

POOL = 12_000
"""Definitions of the files that are looked at, at the most, unless the budget is large: the rest is not needed."""

AHEAD = 9000
"""Steps are kept that are priced at so many tokens more than is asked for; if yet more is wanted, the others are made again."""

AT_ONCE = 4
"""Files that are looked at together at the least …"""

GROWTH = 12
"""… and a share of those seen so far, one in so many: what is foreseen may be less than what is needed."""

OF_A_FILE = 3
"""The rest of a file, in definitions that it counts for in `POOL`: a file that has none is looked at as well."""

LIKELY = 0.03
"""Need for a definition that a question is likely to be about: shown in full although it only gives or takes a value."""

TRIES = 24
"""Steps that are tried with what those that fit leave."""

_RANK, _PRICE = attrgetter("rank"), attrgetter("price")


class ByWorth:
    """The steps of one call, those that are worth most per token first; what was asked for by name before them.

    Args:
        files: the files.
        needs: what the reader is likely to need of them.
        levels: the levels that a file may be shown at.
        pricing: what the format adds.
        budget: tokens of the whole answer.
        bring_weights: has at hand what some files cost, definition by definition, all looked up at once.
        bring: likewise their levels.
        progress: is told which files are looked at.
        terse: whether signatures that a path says are not brought by what stands in them.
        beside: the steps of one more block, which is no file and comes after all of them; in order. With them the order
            is in small steps.
    """

    margin = 1.0
    tries = TRIES
    required = 0
    in_parts = True
    without_level: Sequence[FileViews] = ()

    def __init__(
        self,
        files: Sequence[FileViews],
        needs: Needs,
        *,
        levels: Sequence[CompressionLevel],
        pricing: Pricing,
        budget: int,
        bring_weights: Callable[[Sequence[FileViews]], None],
        bring: Callable[[Sequence[FileViews]], None],
        progress: Stages,
        terse: bool = False,
        beside: Sequence[Step] = (),
    ) -> None:
        self._files = files
        self._beside = beside
        self._terse = terse
        self.is_strict = bool(beside)
        self.fills = bool(needs.wishes) and not needs.ends
        self._bring_weights = bring_weights
        self._bring = bring
        self._needs = needs
        self._pricing = pricing
        self._levels = frozenset(levels)
        self._progress = progress
        self._pool = max(POOL, budget // 4)
        self._greatest = max(needs.files, default=0.0) or 1.0
        self._ceilings = [*needs.ceilings(pricing)]
        self._left = Foremost(
            () if needs.ends else needs.order, self._ceilings, self._closer if needs.measured else None
        )
        self._expected: dict[int, Expected] = {}
        """The foreseen tokens of the files that were looked at closely and are not rendered yet."""
        self._looked_at = 0
        self._offers: list[tuple[int, Offer]] = []
        self._found: list[Step] = []
        self._least = 0.0
        """Steps that are worth less per token were left out."""
        self._enough = 0.0
        """Those found are priced at this, if any were left out."""
        self._wishes = [
            wished(wish, self._offer(wish.file, (), (wish.place,)), pricing)
            for wish in needs.wishes
            if LEVEL_OF[wish.kind] in levels and not self._says_nothing(wish)
        ]
        self._granted = {(step.block, step.place, step.kind) for step in self._wishes}
        self._granted |= {(*step[:2], Kind.DOC) for step in self._granted if step[2] is Kind.BODY}
        self._whole = {step.block for step in self._wishes if step.kind is Kind.TEXT}
        self._priced = 0.0
        self.steps: Sequence[Step] = ()
        if needs.ends:
            self.steps = self._wishes
            self.tries = max(TRIES, len({step.block for step in self._wishes}))

    @property
    def is_all(self) -> bool:
        """True if there are no more steps than those listed."""
        return self._has_looked_at_all and not self._least

    @property
    def _has_looked_at_all(self) -> bool:
        return self._pool <= 0 or not self._left

    def reach(self, tokens: float) -> None:
        """Lists more steps, until their prices come to so many tokens or there are no more."""
        if tokens > self._enough:
            self._enough = tokens + AHEAD
            if self._least:
                self._take_back()
                self._list(tokens)
        while self._priced < tokens and not self.is_all:
            if self._has_looked_at_all:
                self._take_back()
            else:
                self._look_at(self._next(tokens))
            self._list(tokens)

    def _take_back(self) -> None:
        """Makes the steps again that were left out."""
        self._least = 0.0
        self._found = self._steps_of(self._offers)

    def _list(self, tokens: float) -> None:
        """Lists the steps that no file that was not looked at can come before, if they are enough or there are no more."""
        least = 0.0 if self._has_looked_at_all else self._left.highest
        known = [step for step in chain(self._beside, self._found) if step.rank > least]
        self._priced = sum(step.price for step in chain(self._wishes, known))
        if self._has_looked_at_all or self._priced >= tokens:
            self.steps = [*self._wishes, *in_order(known)]
            if self.is_strict:
                self.steps = in_small_steps(self.steps, beside=len(self._files), is_all=self.is_all)
                self._priced = sum(step.price for step in self.steps)
        else:
            self._leave_out()

    def bring(self, blocks: Iterable[int]) -> None:
        """Has the levels of some files at hand."""
        self._bring([self._files[number] for number in blocks if number < len(self._files)])

    def steps_of(self, block: int) -> Sequence[Step]:
        """All steps of a file that was looked at, in their order."""
        if block == len(self._files):
            return self._beside
        wished = [step for step in self._wishes if step.block == block]
        offers = [(number, offer) for number, offer in self._offers if number == block]
        return [*wished, *steps_of(offers, self._pricing)]

    def _leave_out(self) -> None:
        """Drops the steps that come after those that are enough: what is found later only comes before them."""
        self._found.sort(key=_RANK, reverse=True)
        reached = list(accumulate(map(_PRICE, self._found)))
        if reached and reached[-1] > self._enough:
            self._least = self._found[bisect_left(reached, self._enough)].rank
            self._found = [step for step in self._found if step.rank >= self._least]

    def _next(self, tokens: float) -> Sequence[int]:
        """Takes the files to look at next: as many as are foreseen to be enough for so many tokens."""
        least = max(AT_ONCE, self._looked_at // GROWTH)
        known = chain(self._beside, self._found)
        foreseen = Foreseen([(step.rank, step.price) for step in known] if self._needs.measured else ())
        most = self._pool if self._needs.measured else 0
        return taken(self._left, foreseen, self._expected, tokens, least=least, most=most)

    def _look_at(self, chosen: Sequence[int]) -> None:
        self._bring_weights([self._files[index] for index in chosen])
        offers: list[tuple[int, Offer]] = []
        for index in chosen:
            self._progress.skeletonizing(self._looked_at, self._files[index].path)
            self._looked_at += 1
            if index not in self._whole:
                offers.append((index, self._offer(index, self._needs.definitions(index))))
            self._pool -= len(self._files[index].weights.unit) + OF_A_FILE
            if self._pool <= 0:
                break
        self._offers += offers
        self._found += self._steps_of(offers)

    def _closer(self, index: int) -> float:
        """Returns the most that a step of a file is worth per token, by the lengths of its definitions."""
        needs = self._needs
        found = self._expected[index] = expected(
            self._ceilings[index],
            needs.files[index] / self._greatest,
            needs.measured(index) if needs.measured else (),
            self._pricing,
            path_length=len(self._files[index].address),
            body=needs.body,
            opened=needs.opened,
            in_full=LEVEL_OF[Kind.BODY] in self._levels,
            has_query=needs.has_query,
        )
        return found.highest

    def _steps_of(self, offers: Sequence[tuple[int, Offer]]) -> list[Step]:
        """The steps of some files that were not asked for by name; none is worth more than the ceiling of its file."""
        steps = steps_of(offers, self._pricing, least=self._least)
        if self._granted:
            steps = [step for step in steps if (step.block, step.place, step.kind) not in self._granted]
        ceilings = self._ceilings
        bounded = (
            step if step.rank <= ceilings[step.block] else Step(ceilings[step.block], *step[1:]) for step in steps
        )
        return [step for step in bounded if step.rank >= self._least]

    def _accessing(self, places: Sequence[int], asked: Sequence[float]) -> Sequence[int]:
        """Those of some definitions that only access a value which no question is likely to be about."""
        return [place for place in places if asked[place] < LIKELY] if asked else places

    def _says_nothing(self, wish: Wish) -> bool:
        """Tells whether a skeleton is wished for that has no lines."""
        level = LEVEL_OF[wish.kind]
        return wish.kind is Kind.SKELETON and says_nothing(self._files[wish.file].weights, level, self._levels)

    def _offer(self, index: int, needs: Sequence[float], wished: Sequence[int] = ()) -> Offer:
        file = self._files[index]
        if len(needs) != len(file.weights.unit):
            needs = ()  # its definitions were found, but it took too much to render them: it counts as text now
        asked = needs if self._needs.has_query else ()
        return Offer(
            weights=file.weights,
            need=max(self._needs.files[index] / self._greatest, LEAST_NEED / (2 + self._looked_at)),
            needs=needs,
            path_length=len(file.address),
            levels=self._levels,
            known=file.known,
            body=self._needs.body,
            opened=self._needs.opened,
            frame=self._needs.frame,
            never_empty=self._needs.never_empty,
            has_query=self._needs.has_query,
            constants=constants_of(file, asked, wished),
            forwarding=frozenset((*file.weights.forwarding, *self._accessing(file.weights.accessing, asked))),
            untelling=frozenset(file.weights.mains if asked and file.tier is Tier.OTHER else ()),
            told=file.told if self._terse else frozenset(),
            text=self._needs.text,
            is_plain=format_of(file.path) in (None, PLAIN_TEXT),
        )
