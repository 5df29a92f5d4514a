"""Assembles one context from files: chooses the order of steps, spends the budget on it, counts what is served.

The budget is planned with the sums of exactly counted blocks, and then the whole is counted, because only that is
what is served. Should the whole be more than its parts (a vocabulary may see a border between two blocks otherwise than
the blocks alone), the plan is made again with a budget that is lower by the excess, until it holds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import partial
from itertools import compress
from operator import is_
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from allocator.fileset import ContextRequest, ContextResult, FileSet
from allocator.show.aside import Aside, framed_aside
from allocator.show.call_files import known_files
from allocator.show.excerpts import Excerpts
from allocator.show.formats import FORMATS, MORE, Block
from allocator.show.framing import Framer, Portion, largest
from allocator.show.places import places, room_for_places
from allocator.show.summary import LEAST_BUDGET, PART, ContextMetadata, SummaryBeside, settled_summary, summary_text
from allocator.spend.blocks import FileBlock
from allocator.spend.by_tier import ByTier
from allocator.spend.by_worth import ByWorth
from allocator.spend.offered import SkeletonMode, offered_levels
from allocator.spend.spending import ENOUGH, Spending
from allocator.spend.steps import LEVEL_OF, Step
from skeleton import CompressionLevel
from workspace.errors import BudgetTooSmallError
from workspace.model import Problem, ProblemKind
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator.fileset import Chart
    from allocator.progress import Stages
    from allocator.show.excerpts import Finding
    from allocator.show.views import Count, FileViews
    from allocator.spend.order import Order

ALONE = 2
"""Files told by name take the budget divided by this where no file is to be shown; where some are, as the summary."""

LARGE_SNAPSHOT = "7c3e9a0f41d8"
"""Stands for a snapshot until there is one."""

SEAM = 2
"""Tokens kept free for what joins things: the two text blocks, the ends of a list of blocks."""

UNLIMITED = 1 << 40
"""Tokens that stand for no ceiling."""

ASIDE = "OVERVIEW"
"""The title of what belongs to no file."""

LEAST_TOLD = 2000
"""Tokens of budget from which on the last line says how to get the files that are not shown."""

LARGE_COUNT = 444_444
"""Stands for a number of files where the size of a line is estimated."""

_IS_NOTHING = partial(is_, None)

ALSO_CHANGED = "ALSO-CHANGED"
"""The title of what changed and is told by name alone."""

DELETED = "DELETED"
"""The mark of a file that is there no more."""


def more_line(left: int, shown: int, *, at_length: bool, unproven: int = 0) -> str:
    """Says how many files are not shown and, at length, how many for want of a proven skeleton, and how to get them."""
    if not at_length:
        return number_of(left, "more file")
    why = f" ({unproven} without a proven skeleton, so max_level leaves them out)" if unproven else ""
    return (
        f"{left} of {number_of(left + shown, 'file')} {'is' if left == 1 else 'are'} not shown{why}: zoom a path, path:10-40, folder/ or name; "
        "get_context with focus, query or cursor."
    )


class ChartBlock:
    """A block that belongs to no file and is bought step by step.

    Args:
        chart: draws it.
        frame: frames what is drawn.
    """

    def __init__(self, chart: Chart, frame: Callable[[str], Aside]) -> None:
        self._chart = chart
        self._frame = frame

    def portion(self, steps: Sequence[Step]) -> Aside:
        """Returns the framed lines that some steps add up to."""
        return self._frame(self._chart.text([step.place for step in steps]))

    def part(self, step: Step, steps: Sequence[Step], room: int) -> Aside | None:
        """A step is shown whole or not at all, so there is nothing more than what the steps before it come to."""
        before = self.portion(steps)
        return before if before.cost <= room and step not in steps else None


def assemble(files: FileSet, request: ContextRequest, *, encoding: str, count: Count, stages: Stages) -> ContextResult:
    """Makes one context of a set of files.

    Args:
        files: the files, ranked.
        request: what was asked for.
        encoding: the name of the vocabulary that `count` counts with.
        count: counts tokens.
        stages: is told how far the weighing is.

    Raises:
        BudgetTooSmallError: `min_level` keeps all files in, and they do not fit; names the budget they need.
        InvalidArgumentError: the levels leave nothing to show.
    """
    assembly = _Assembly(files, request, encoding=encoding, count=count, stages=stages)
    budget = request.token_budget
    if budget is None:
        return assembly.attempt(None)
    ceiling = budget
    while True:
        result = assembly.attempt(ceiling)
        excess = result.tokens_used - budget
        if excess <= 0 or assembly.shows_nothing or ceiling <= 0:
            return result
        ceiling -= excess


class _Blocks:
    """The blocks of some files, made when they are asked for, as few of many are; behind them what belongs to no file."""

    def __init__(
        self,
        files: Sequence[FileViews],
        framer: Framer,
        levels: Sequence[CompressionLevel],
        beside: ChartBlock | None,
        passages: Finding | None,
    ) -> None:
        self._files = files
        self._framer = framer
        self._levels = levels
        self._beside = beside
        self._passages = passages
        self._made: dict[int, FileBlock] = {}

    def __len__(self) -> int:
        return len(self._files) + (self._beside is not None)

    def __getitem__(self, number: int) -> FileBlock | ChartBlock:
        if number == len(self._files) and self._beside is not None:
            return self._beside
        block = self._made.get(number)
        if block is None:
            file = self._files[number]
            excerpts = Excerpts(file, self._passages)
            block = self._made[number] = FileBlock(file, self._framer, self._levels, excerpts)
        return block


class _Assembly:
    """The state that all attempts of one call share."""

    def __init__(self, files: FileSet, request: ContextRequest, *, encoding: str, count: Count, stages: Stages) -> None:
        self.set = files
        self.request = request
        self.encoding = encoding
        self.count = count
        self.layout = FORMATS[request.format]
        self.levels = offered_levels(request.mode, min_level=request.min_level, max_level=request.max_level)
        self.addresses = [file.address for file in known_files(files.files)]
        self.by_name = [*files.by_name, *self._below_the_levels()]
        self.gone = self._gone()
        self.shows_nothing = True
        self.overhead = (
            count(self.layout.opening)
            + count(self.layout.closing)
            + sum(count(self.layout.cost_text(text)) for text in self.gone)
            + SEAM
        )
        may_drop = request.may_drop and bool(files.files)
        self.more_size, self.tells_more = self._room_for_more() if may_drop else (0, True)
        self.overhead += self.more_size
        tells_places = files.folders and may_drop and not (files.needs is not None and files.needs.ends)
        self.places_size = room_for_places(request.token_budget or 0) if tells_places else 0
        self.overhead += self.places_size
        self.folders = files.folders() if files.folders and self.places_size else Counter[str]()
        self.note, note_size = self._note()
        self.overhead += note_size
        nothing_shown = self._metadata([None] * len(files.files))
        self.summary = SummaryBeside(nothing_shown, count) if request.summary else None
        self.is_terse = request.is_terse and files.needs is not None and files.needs.has_query
        framer = Framer(self.layout, count, line_numbers=request.line_numbers, terse=self.is_terse)
        self.order = self._order(stages)
        chart = files.chart
        beside = ChartBlock(chart, lambda text: framed_aside(ASIDE, text, self.layout, count)) if chart else None
        passages = files.needs.passages if files.needs is not None else None
        blocks = _Blocks(files.files, framer, self.levels, beside, passages)
        self.spending = Spending[Portion | Aside](blocks, self.order)

    def _order(self, stages: Stages) -> Order:
        """By worth where it is known what the reader needs, and files may be shown in pieces; else by tier."""
        request, files, needs = self.request, self.set.files, self.set.needs
        has_choice = request.token_budget is not None or any(file.known is not None for file in files)
        has_choice = has_choice or (needs is not None and needs.ends)
        if needs is not None and has_choice and request.has_pieces:
            return ByWorth(
                files,
                needs,
                levels=self.levels,
                pricing=request.pricing(terse=self.is_terse),
                budget=request.token_budget or UNLIMITED,
                bring_weights=self.set.bring_weights,
                bring=self.set.bring_texts,
                progress=stages,
                terse=self.is_terse,
                beside=self.set.chart.steps(len(self.set.files)) if self.set.chart is not None else (),
            )
        wished = dict.fromkeys(wish.file for wish in needs.wishes) if needs else {}
        others = needs.order if needs is not None else range(len(files))
        if needs is not None and needs.ends and request.may_drop:
            others = ()
        return ByTier(
            files,
            list(dict.fromkeys((*wished, *others))),
            levels=self.levels,
            pricing=request.pricing(),
            room=None if request.token_budget is None else max(0, self._room(request.token_budget)),
            skeletons_first=request.mode is SkeletonMode.ENABLED,
            may_drop=request.may_drop,
            prepare=self.set.prepare,
            bring=self.set.bring_texts,
            progress=stages,
        )

    def _room_for_more(self) -> tuple[int, bool]:
        """The tokens kept for the last line, and whether it says all; they grow by no more than the budget does."""
        is_capped = CompressionLevel.FULL not in self.levels
        short, long = (
            self.count(
                self.layout.closing_line(
                    more_line(LARGE_COUNT, LARGE_COUNT, at_length=at_length, unproven=LARGE_COUNT if is_capped else 0)
                )
            )
            for at_length in (False, True)
        )
        budget = self.request.token_budget
        room = long if budget is None else short + min(long - short, max(0, budget - LEAST_TOLD))
        return room, room == long

    def _note(self) -> tuple[str, int]:
        """The line that a context begins with, and the tokens kept for it; they grow by no more than the budget does."""
        if not self.set.note:
            return "", 0
        line, budget = self.layout.closing_line(self.set.note), self.request.token_budget
        size = self.count(self.layout.cost_text(line))
        room = size if budget is None else min(size, max(0, budget - LEAST_BUDGET))
        return (line if room == size else ""), room

    def _more(self, shown: Sequence[Portion | None]) -> str:
        """The line that says how many files are not shown, and how to get them; "" where all are shown."""
        needs = self.set.needs
        if needs is not None and needs.ends:
            left = sum(shown[number] is None for number in {wish.file for wish in needs.wishes})
            return self.layout.closing_line(more_line(left, 0, at_length=False)) if left else ""
        left = shown.count(None)
        if not left:
            return ""
        unproven = sum(1 for _ in self.order.without_level)
        line = more_line(left, len(shown) - left, at_length=self.tells_more, unproven=unproven)
        return self.layout.closing_line(line)

    def _places(self, shown: Sequence[Portion | None]) -> Aside:
        """Returns the framed list of the folders of which something is shown, and of those of which nothing is."""

        def framed(text: str) -> Aside:
            return framed_aside(ASIDE, text, self.layout, self.count)

        paths = [portion.file.address for portion in shown if portion]
        room = self.places_size
        return framed(places(self.folders, paths, lambda text: framed(text).cost <= room) if room and paths else "")

    def _room(self, ceiling: int) -> int:
        """Tokens for blocks under a ceiling; it does not shrink when the ceiling rises, so neither does what it buys."""
        return ceiling - self._kept_for_summary(ceiling) - self.overhead

    def _kept_for_summary(self, ceiling: int) -> int:
        return self.summary.room(ceiling) if self.summary else 0

    def attempt(self, ceiling: int | None) -> ContextResult:
        """Plans with a ceiling and writes the result down."""
        bought = self._bought(ceiling)
        shown = _of_files(bought, len(self.set.files))
        aside = bought[-1] if len(bought) > len(shown) else None
        if aside is not None and all(one is not None and one.level is CompressionLevel.FULL for one in shown):
            aside = None  # a map of what is all there says nothing
        places_told = self._places(shown).text if aside is None else ""
        comes_first = not (self.set.needs is not None and self.set.needs.points)  # what was named comes before all else
        blocks = [
            *([self.note] if self.note else ()),
            *([aside.text] if aside is not None and aside.text else ()),
            *([places_told] if places_told and comes_first else ()),
            *(portion.text for portion in shown if portion),
            *self.gone,
            *([places_told] if places_told and not comes_first else ()),
        ]
        self.shows_nothing = len(blocks) == bool(self.note)
        more = "" if self.shows_nothing else self._more(shown)
        context = "" if self.shows_nothing else self.layout.join([*blocks, *([more] if more else ())])
        context = context or self._notice()
        tokens = self.count(context)
        metadata, summary = self._metadata(shown, self._without_level()).served(tokens), ""
        if self.set.hand_out is not None:
            snapshot, cursor = self.set.hand_out(shown)
            metadata = replace(metadata, snapshot=snapshot, next_cursor=cursor)
        if self.summary is not None and (ceiling is None or ceiling >= LEAST_BUDGET):
            limit = None if ceiling is None else min(self.summary.limit(ceiling), ceiling - tokens - SEAM)
            metadata, summary = settled_summary(metadata, tokens, limit, self.count)
        return ContextResult(context=context, summary=summary, metadata=metadata, tokens_used=metadata.tokens_used)

    def _bought(self, ceiling: int | None) -> list[Portion | Aside | None]:
        if ceiling is None:
            return self.spending.portions(UNLIMITED)
        # below the least budget of a summary its room buys detail and no file: with a little more budget it is gone
        for_detail = self._kept_for_summary(ceiling) if ceiling < LEAST_BUDGET else 0
        room = max(0, self._room(ceiling))
        try:
            shown = self.spending.portions(room, for_detail=for_detail)
        except BudgetTooSmallError as error:
            raise self._too_small(error.minimum, ceiling) from error
        if self.order.is_strict:
            return shown  # with a little more budget the room would be another, and its detail, too
        spare = self._spare(shown, ceiling)
        return self.spending.portions(room, for_detail=spare) if spare * ENOUGH > ceiling else shown

    def _spare(self, bought: Sequence[Portion | Aside | None], ceiling: int) -> int:
        """Tokens that are left when the summary and the last line are as long as they are going to be."""
        if not self.order.in_parts:
            return 0
        shown = _of_files(bought, len(self.set.files))
        spent = self.overhead + sum(portion.cost for portion in bought if portion)
        spent -= self.more_size if all(shown) else 0
        spent -= self.places_size - self._places(shown).cost
        if self.summary is None:
            return ceiling - spent
        if ceiling < LEAST_BUDGET:
            return 0
        limit = self.summary.limit(ceiling)
        return (
            ceiling
            - spent
            - self.count(summary_text(self._metadata(shown, self._without_level()).served(ceiling), limit, self.count))
        )

    def _too_small(self, blocks: int, ceiling: int) -> BudgetTooSmallError:
        """Names the budget under which blocks of so many tokens fit."""
        least = bisect_left(range(2 * (blocks + self.overhead) + PART), blocks, key=self._room)
        minimum = least + (self.request.token_budget or 0) - ceiling
        return BudgetTooSmallError(
            f"A budget of {self.request.token_budget} tokens cannot hold all {self.order.required} files at min_level "
            f"{self.request.min_level}; it takes {minimum}. Raise token_budget or lower min_level.",
            minimum=minimum,
        )

    def _metadata(self, shown: Sequence[Portion | None], unproven: Sequence[Problem] = ()) -> ContextMetadata:
        """Everything but the tokens used."""
        paths: dict[CompressionLevel, list[str]] = {level: [] for level in CompressionLevel}
        problems = [*self.set.problems, *unproven]
        paths[CompressionLevel.DROP] = [*compress(self.addresses, map(_IS_NOTHING, shown))]
        for portion in filter(None, shown):
            paths[portion.level].append(portion.file.address)
            problems += portion.file.problems(portion.level)
        for path, level in self.set.kept.items():
            paths[level].append(path)
        paths[CompressionLevel.DROP] += self.set.left_out
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
            unmatched=self.set.unmatched,
            changes=self.set.changes,
        )

    def _below_the_levels(self) -> list[str]:
        """The files that changed and of which what did is shown at no level allowed, each with what became of it."""
        needs = self.set.needs
        if needs is None or CompressionLevel.FULL in self.levels or not self.set.changes:
            return []
        shown = {wish.file for wish in needs.wishes if LEVEL_OF[wish.kind] in self.levels}
        files = [
            self.set.files[number]
            for number in dict.fromkeys(wish.file for wish in needs.wishes)
            if number not in shown
        ]
        return [" ".join((file.address, *(f"[{mark}]" for mark in file.notes))) for file in files if file.notes]

    def _gone(self) -> list[str]:
        """Blocks that say which files are deleted, and what else changed.

        They take a tenth of the budget at the most where there are files to show, and else half of it.
        """
        budget = self.request.token_budget
        blocks = [
            self.layout.frame(
                Block(path=path, level=CompressionLevel.FULL, lines=(), marks=(DELETED, mark) if mark else (DELETED,))
            )
            for path, mark in self.set.gone.items()
        ]
        if budget is None:
            return [*([self._by_name(None)] if self.by_name else ()), *blocks]
        room = budget // (PART if self.set.files else ALONE)
        if self.by_name:
            blocks.insert(0, self._by_name(room // 2))
        kept: list[str] = []
        for block in blocks:
            room -= self.count(self.layout.cost_text(block))
            if room < 0:
                break
            kept.append(block)
        return kept

    def _by_name(self, room: int | None) -> str:
        """A block that names what changed and is not shown, in so many tokens."""
        lines = [*self.by_name]
        if room is not None:
            kept = largest(len(lines), lambda number: self.count("\n".join(lines[:number])) <= room)
            lines = [*lines[:kept], *([f"{MORE} {len(lines) - kept} more"] if kept < len(lines) else ())]
        return self.layout.aside(ALSO_CHANGED, "".join(f"{line}\n" for line in lines))

    def _notice(self) -> str:
        """Says why no file is shown."""
        if self.set.said:
            return self.layout.notice(self.set.said)
        without_level = self._without_level()
        reasons = Counter(problem.kind.value for problem in (*self.set.problems, *without_level))
        over = len(self.set.files) - len(without_level)
        if over:
            reasons["over the budget"] = over
        listed = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
        changed = [path for paths in self.set.changes.values() for path in paths]
        if not changed:
            return self.layout.notice(f"No file is shown: {listed}." if listed else self.set.nothing)
        budget = self.request.token_budget
        said = f"{number_of(len(changed), 'file')} changed, and no budget for more than names"
        kept = largest(
            len(changed), lambda number: budget is None or self.count(", ".join(changed[:number])) <= budget // ALONE
        )
        more = f" and {len(changed) - kept} more" if kept < len(changed) else ""
        return self.layout.notice(f"{said}: {', '.join(changed[:kept])}{more}." if kept else f"{said}.")

    def _without_level(self) -> list[Problem]:
        """The files that cannot be shown at any level allowed."""
        return [
            Problem(
                path=file.address,
                kind=ProblemKind.UNPROVEN,
                detail=f"{file.unproven}; max_level {self.request.max_level} keeps more than that out",
            )
            for file in self.order.without_level
        ]


def _of_files(bought: Sequence[Portion | Aside | None], files: int) -> list[Portion | None]:
    """Returns the portions of the files alone; what belongs to no file may follow them in `bought`."""
    return cast("list[Portion | None]", bought[:files])
