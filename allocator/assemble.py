"""From ranked files to one context: allocate, frame, fill what is left, count what is served.

The budget is planned with the sums of exactly counted blocks, and then the whole is counted, because only that is
what is served. Should the whole be more than its parts (a vocabulary may see a border between two blocks otherwise than
the blocks alone), the plan is made again with a budget that is lower by the excess, until it holds.

What an allocation leaves is spent line by line: a cut file grows, or a skeleton shows the first part of its file in
more detail (`allocator.show.views`). So at least 95 % of the budget is used where there is more to show, unless skeletons
are disabled, or the budget is of the size of one frame.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from allocator.fileset import ContextRequest, ContextResult, FileSet
from allocator.show.elision import Selection
from allocator.show.formats import FORMATS, Block
from allocator.show.framing import Framer, Portion
from allocator.show.summary import LEAST_BUDGET, PART, ContextMetadata, settled_summary, summary_room, summary_text
from allocator.show.views import Count, FileViews
from allocator.spend.adaptive import (
    SHARE,
    AdaptiveAllocator,
    Candidate,
    Placement,
    SkeletonMode,
    offered_levels,
    worthwhile_levels,
)
from allocator.spend.by_worth import Supply
from allocator.spend.fill import fill
from allocator.spend.spending import Spending
from allocator.spend.steps import pricing_of
from skeleton import CompressionLevel
from workspace.errors import BudgetTooSmallError
from workspace.model import Problem, ProblemKind
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from allocator.progress import Steps

LARGE_SNAPSHOT = "7c3e9a0f41d8"
"""Stands for a snapshot until there is one."""

SEAM = 2
"""Tokens kept free for what joins things: the two text blocks, the ends of a list of blocks."""

UNLIMITED = 1 << 40
"""Tokens that stand for no ceiling."""

DELETED = "DELETED"
"""The mark of a file that is there no more."""

MANY = 2000
"""Files whose names are counted one and all before anything is planned; of more, as many as a summary can hold."""

AHEAD = 16
"""Files that are prepared at once, at the most."""

FAR = 2
"""What has more tokens than so many budgets is not counted in its frame."""

SPARE = 8
"""Files that are weighed after those that fill the budget."""

ENOUGH = 50
"""Filling stops when no more than the budget divided by this is left."""

LARGE_NUMBER = 999_999_999
"""Stands for a number of tokens where the size of a summary is estimated: the same for every budget."""


def assemble(files: FileSet, request: ContextRequest, *, encoding: str, count: Count, steps: Steps) -> ContextResult:
    """Makes one context of a set of files.

    Args:
        files: the files, ranked.
        request: what was asked for.
        encoding: the name of the vocabulary that `count` counts with.
        count: counts tokens.
        steps: is told how far the weighing is.

    Raises:
        BudgetTooSmallError: `min_level` keeps all files in, and they do not fit; names the budget they need.
        InvalidArgumentError: the levels leave nothing to show.
    """
    assembly = _Assembly(files, request, encoding=encoding, count=count)
    assembly.weigh(steps)
    budget = request.token_budget
    if budget is None:
        return assembly.attempt(None)
    ceiling = budget
    while True:
        result = assembly.attempt(ceiling)
        excess = result.tokens_used - budget
        if excess <= 0 or result.metadata.files_full + result.metadata.files_skeleton == 0:
            return result
        ceiling -= excess


class _Assembly:
    """What all attempts of one call share."""

    def __init__(self, files: FileSet, request: ContextRequest, *, encoding: str, count: Count) -> None:
        self.set = files
        self.request = request
        self.encoding = encoding
        self.count = count
        self.layout = FORMATS[request.format]
        self.framer = Framer(self.layout, count, line_numbers=request.line_numbers)
        self.pricing = pricing_of(request.format, line_numbers=request.line_numbers)
        self.without_view: list[Problem] = []
        self.levels = offered_levels(request.mode, min_level=request.min_level, max_level=request.max_level)
        self.may_cut = request.min_level is CompressionLevel.DROP and request.mode is not SkeletonMode.DISABLED
        self.gone = self._gone()
        self.overhead = (
            count(self.layout.opening)
            + count(self.layout.closing)
            + sum(count(self.layout.cost_text(text)) for text in self.gone)
            + SEAM
        )
        nothing_shown = replace(self._metadata([None] * len(files.files)), token_budget=LARGE_NUMBER)
        self.nothing_shown = nothing_shown.served(LARGE_NUMBER)
        listed = len(files.files) + len(files.left_out) + len(files.problems)
        most = None if request.token_budget is None or listed <= MANY else request.token_budget // PART
        self.summary_size = count(summary_text(self.nothing_shown, most, count))
        self.candidates: list[Candidate] = []
        self.spending: Spending | None = None

    def weigh(self, steps: Steps) -> None:
        """Finds what every file costs at the levels that can matter."""
        partly_known = any(file.known is not None for file in self.set.files)
        if self._goes_by_needs() and (partly_known or not self._all_fits_in_full()):
            self.spending = self._spending(steps)
            return
        if self._full_text_can_decide():
            whole: list[Mapping[CompressionLevel, int]] = []
            for index, file in enumerate(self._foreseen()):
                steps.weighing(index, file.path)
                view = file.view(CompressionLevel.FULL)
                whole.append({CompressionLevel.FULL: self.framer.portion(file, CompressionLevel.FULL, view).cost})
            if self._full_text_decides(sum(costs[CompressionLevel.FULL] for costs in whole)):
                self.candidates = [
                    Candidate(path=file.path, tier=file.tier, costs=costs)
                    for file, costs in zip(self.set.files, whole, strict=True)
                ]
                return
        self._weigh_as_far_as_it_matters(steps)

    def _weigh_as_far_as_it_matters(self, steps: Steps) -> None:
        """Weighs files in their order, until those that come after cannot be shown whatever they cost.

        While files are dropped each claims its last level, or a share of the budget (`allocator.spend.adaptive`). Once the
        claims of some files come to more than the budget, those that follow are dropped, but for one that may be shown
        in what is left: a few are weighed for that.
        """
        budget = self.request.token_budget
        in_order = self.set.needs is None and self.may_cut and budget is not None
        room = max(budget or 0, SHARE)
        claimed, spare = 0, SPARE

        def expected() -> int:
            """How many more files will be weighed, if they claim what those did that were weighed already."""
            left = max(room * SHARE - claimed, 0)
            return spare + left * len(self.candidates) // claimed + 1 if in_order and claimed else AHEAD

        for index, file in enumerate(self._foreseen(expected)):
            steps.skeletonizing(index, file.path)
            candidate = self._candidate(file)
            self.candidates.append(candidate)
            if candidate.costs:
                least = min(candidate.costs.values()) * SHARE
                claimed += least if candidate.floor is None else min(least, max(candidate.floor * SHARE, room))
            if in_order and claimed > room * SHARE:
                if not spare:
                    break
                spare -= 1

    def _foreseen(self, expected: Callable[[], int] = lambda: AHEAD) -> Iterator[FileViews]:
        """All files in their order; what is asked of them is prepared for many at once.

        Args:
            expected: how many files will be asked for from where the caller is now.
        """
        start = 0
        while start < len(self.set.files):
            ahead = self.set.files[start : start + min(expected(), AHEAD)]
            self.set.prepare(ahead)
            yield from ahead
            start += len(ahead)

    def _full_text_can_decide(self) -> bool:
        """Whether all files in full may come to no more than the budget, or have to be known in full anyway."""
        if CompressionLevel.FULL not in self.levels:
            return False
        request = self.request
        if request.mode is SkeletonMode.DISABLED or request.token_budget is None:
            return True
        if request.mode is not SkeletonMode.AUTO:
            return False
        return self._within(self._capacity(request.token_budget))

    def _within(self, room: int) -> bool:
        """Whether the files in full, without frames, come to no more than so many tokens."""
        for file in self._foreseen():
            room -= file.original_tokens
            if room < 0:
                return False
        return True

    def _goes_by_needs(self) -> bool:
        request = self.request
        free = request.min_level is CompressionLevel.DROP and request.mode is not SkeletonMode.DISABLED
        return self.set.needs is not None and free

    def _all_fits_in_full(self) -> bool:
        """Whether all files fit in full."""
        if self.request.token_budget is None:
            return True
        if CompressionLevel.FULL not in self.levels or self.request.mode is not SkeletonMode.AUTO:
            return False
        room = self._capacity(self.request.token_budget)
        if not self._within(room):
            return False
        full = CompressionLevel.FULL
        return sum(self.framer.portion(file, full, file.view(full)).cost for file in self.set.files) <= room

    def _spending(self, steps: Steps) -> Spending:
        """The steps of the files that are needed most."""
        needs = self.set.needs
        if needs is None:
            raise AssertionError("asked for without needs")
        supply = Supply(
            self.set,
            needs,
            pricing=self.pricing,
            levels=frozenset(self.levels),
            budget=self.request.token_budget or UNLIMITED,
            progress=steps,
        )
        return Spending(self.set.files, supply, self.framer, self.request.max_level)

    def _full_text_decides(self, tokens: int) -> bool:
        """Whether no skeleton can be part of the result, when all files in full come to so many tokens."""
        request = self.request
        fits = request.token_budget is None or tokens <= self._capacity(request.token_budget)
        return request.mode is SkeletonMode.DISABLED or (request.mode is SkeletonMode.AUTO and fits)

    def _candidate(self, file: FileViews) -> Candidate:
        candidate = self.set.costs.find(file, self.request)
        if candidate is None:
            candidate = self._weighed(file)
            self.set.costs.keep(file, self.request, candidate)
        if not candidate.costs:
            detail = f"{file.unproven}; max_level {self.request.max_level} keeps more than that out"
            self.without_view.append(Problem(path=file.path, kind=ProblemKind.UNPROVEN, detail=detail))
        return candidate

    def _weighed(self, file: FileViews) -> Candidate:
        costs = {level: self._cost(file, level) for level in self.levels if file.has(level)}
        floor = None
        if self.may_cut and costs:
            cheapest = worthwhile_levels(costs, self.levels)[-1]
            least = self._least(file, cheapest)
            floor = least.cost if least is not None and least.cost < costs[cheapest] else None
        return Candidate(path=file.path, tier=file.tier, costs=costs, floor=floor)

    def _cost(self, file: FileViews, level: CompressionLevel) -> int:
        """What a file costs at a level: exactly, unless it is far more than the whole budget, whatever it is."""
        if self.may_cut and self.request.token_budget is not None:
            tokens, lines = file.facts.tokens[level.depth], file.facts.lines[level.depth]
            if tokens > FAR * self.request.token_budget:
                return round(tokens + lines * self.pricing.line + self.pricing.block)
        return self.framer.portion(file, level, file.view(level)).cost

    def _capacity(self, ceiling: int) -> int:
        """Tokens for blocks under a ceiling; it does not shrink when the ceiling rises, so neither does what it buys."""
        return ceiling - self._summary_share(ceiling) - self.overhead

    def _summary_share(self, ceiling: int) -> int:
        if self.spending is not None:
            return summary_room(self.nothing_shown, ceiling, self.count)
        return min(ceiling // PART, self.summary_size)

    def attempt(self, ceiling: int | None) -> ContextResult:
        """Plans with a ceiling and writes the result down."""
        if self.spending is not None:
            room = UNLIMITED if ceiling is None else self._capacity(ceiling)
            held_back = self._summary_share(ceiling) if ceiling and ceiling < LEAST_BUDGET else 0
            shown, _ = self.spending.portions(max(0, room + held_back))
        else:
            shown = self._portions(ceiling)
        if self.spending is None and ceiling is not None and self.request.mode is not SkeletonMode.DISABLED:
            whole = list(shown)
            for _ in range(2):  # the first time can change the levels, and with them the size of the summary
                self._fill(shown, whole, ceiling)
        blocks = [*self.gone, *(portion.text for portion in shown if portion)]
        context = self.layout.join(blocks) or self._notice()
        tokens = self.count(context)
        metadata, summary = self._metadata(shown).served(tokens), ""
        if self.set.hand_out is not None:
            snapshot, cursor = self.set.hand_out(shown)
            metadata = replace(metadata, snapshot=snapshot, next_cursor=cursor)
        if ceiling is None:
            metadata, summary = settled_summary(metadata, tokens, None, self.count)
        elif ceiling >= LEAST_BUDGET:
            share = self._summary_share(ceiling) if self.spending else ceiling // PART
            limit = min(share, ceiling - tokens - SEAM)
            metadata, summary = settled_summary(metadata, tokens, limit, self.count)
        return ContextResult(context=context, summary=summary, metadata=metadata, tokens_used=metadata.tokens_used)

    def _portions(self, ceiling: int | None) -> list[Portion | None]:
        """Allocates, and frames what each file gets."""
        request = self.request
        budget, held_back = None, 0
        if ceiling is not None:
            held_back = self._summary_share(ceiling) if ceiling < LEAST_BUDGET else 0
            budget = max(0, self._capacity(ceiling) + held_back)
        allocator = AdaptiveAllocator(
            budget,
            skeleton=request.mode,
            min_level=request.min_level,
            max_level=request.max_level,
            held_back=held_back,
        )
        try:
            placements = self._placements(allocator)
        except BudgetTooSmallError as error:
            raise self._too_small(error.minimum - held_back, ceiling or 0) from error
        shown = [
            self._portion(file, candidate, placement)
            for file, candidate, placement in zip(self.set.files, self.candidates, placements, strict=False)
        ]
        return shown + [None] * (len(self.set.files) - len(shown))

    def _placements(self, allocator: AdaptiveAllocator) -> Sequence[Placement]:
        """What every file gets: by tier and order, or by the order of needs where there are some."""
        if self.set.needs is None:
            return allocator.allocate(self.candidates).placements
        wished = dict.fromkeys(wish.file for wish in self.set.needs.wishes)
        order = list(dict.fromkeys((*wished, *self.set.needs.order)))
        placed = allocator.allocate([replace(self.candidates[index], tier=Tier.CORE) for index in order]).placements
        at = dict(zip(order, placed, strict=True))
        return [at[index] for index in range(len(self.candidates))]

    def _portion(self, file: FileViews, candidate: Candidate, placement: Placement) -> Portion | None:
        if placement.level is CompressionLevel.DROP:
            return None
        if placement.cut:
            return self._head(file, candidate, placement.tokens)
        return self.framer.portion(file, placement.level, file.view(placement.level))

    def _least(self, file: FileViews, level: CompressionLevel) -> Portion | None:
        """The smallest part of a level that can be shown."""
        order = file.order
        if order:
            return self.framer.selected(file, level, Selection(shown=frozenset(order[:1])))
        return self.framer.floor(file, file.view(level))

    def _head(
        self, file: FileViews, candidate: Candidate, room: int, *, part_of_a_line: bool = False
    ) -> Portion | None:
        """The most of a file's last level that can be shown in a room."""
        cheapest = worthwhile_levels(candidate.costs, self.levels)[-1]
        if file.order:
            may_raise = self.request.max_level is CompressionLevel.FULL
            return self.framer.widest_selection(
                file, cheapest, file.order, room, may_raise=may_raise, part_of_a_line=part_of_a_line
            )
        return self.framer.longest_head(file, file.view(cheapest), room, part_of_a_line=part_of_a_line)

    def _too_small(self, blocks: int, ceiling: int) -> BudgetTooSmallError:
        """Names the budget under which blocks of so many tokens fit."""
        least = bisect_left(range(2 * (blocks + self.overhead) + PART), blocks, key=self._capacity)
        minimum = least + (self.request.token_budget or 0) - ceiling
        return BudgetTooSmallError(
            f"A budget of {self.request.token_budget} tokens cannot hold all {len(self.candidates)} files at min_level "
            f"{self.request.min_level}; it takes {minimum}. Raise token_budget or lower min_level.",
            minimum=minimum,
        )

    def _fill(self, shown: list[Portion | None], whole: list[Portion | None], ceiling: int) -> None:
        """Spends what the allocation left, now that the size of the summary is known."""
        used = self.overhead + sum(portion.cost for portion in shown if portion)
        if ceiling >= LEAST_BUDGET:
            used += self.count(summary_text(self._metadata(shown).served(ceiling), ceiling // PART, self.count))
        ladders = [worthwhile_levels(candidate.costs, self.levels) for candidate in self.candidates]

        def head(index: int, room: int, part_of_a_line: bool) -> Portion | None:
            return self._head(self.set.files[index], self.candidates[index], room, part_of_a_line=part_of_a_line)

        fill(shown, whole, ladders, self.framer, head, spare=ceiling - used, enough=ceiling // ENOUGH)

    def _metadata(self, shown: Sequence[Portion | None]) -> ContextMetadata:
        """Everything but the tokens used."""
        paths: dict[CompressionLevel, list[str]] = {level: [] for level in CompressionLevel}
        problems = [*self.set.problems, *self.without_view]
        dropped = paths[CompressionLevel.DROP]
        for file, portion in zip(self.set.files, shown, strict=True):
            if portion is None:
                dropped.append(file.path)
            else:
                paths[portion.level].append(file.path)
                problems += file.problems(portion.level)
        for path, level in self.set.kept.items():
            paths[level].append(path)
        dropped += self.set.left_out
        return ContextMetadata(
            files_full=len(paths[CompressionLevel.FULL]),
            files_skeleton=len(paths[CompressionLevel.SKELETON_PLUS]) + len(paths[CompressionLevel.SKELETON]),
            files_dropped=len(paths[CompressionLevel.DROP]),
            tokens_saved=0,
            compression_summary={level: tuple(listed) for level, listed in paths.items()},
            token_budget=self.request.token_budget,
            tokens_used=0,
            tokens_original=sum(portion.file.original_tokens for portion in shown if portion),
            encoding=self.encoding,
            snapshot=LARGE_SNAPSHOT,
            next_cursor=LARGE_SNAPSHOT if self.set.hand_out and not all(shown) else None,
            problems=tuple(problems),
            changes=self.set.changes,
        )

    def _gone(self) -> list[str]:
        """Blocks that say which files are deleted; they take a tenth of the budget at the most."""
        budget = self.request.token_budget
        blocks = [
            self.layout.frame(Block(path=path, level=CompressionLevel.FULL, lines=(), marks=(DELETED,)))
            for path in self.set.gone
        ]
        if budget is None:
            return blocks
        kept: list[str] = []
        room = budget // PART
        for block in blocks:
            room -= self.count(self.layout.cost_text(block))
            if room < 0:
                break
            kept.append(block)
        return kept

    def _notice(self) -> str:
        """Says why no file is shown."""
        reasons = Counter(problem.kind.value for problem in (*self.set.problems, *self.without_view))
        over = len(self.set.files) - len(self.without_view)
        if over:
            reasons["over the budget"] = over
        listed = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
        return self.layout.notice(f"No file is shown: {listed}." if listed else self.set.nothing)
