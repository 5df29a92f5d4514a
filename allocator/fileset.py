"""The input and output of an assembly: a request, the files of a call, one context within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from allocator.show.formats import FORMATS, FormatName, Pricing
from allocator.show.framing import Portion
from allocator.show.summary import ContextMetadata
from allocator.show.views import FileViews
from allocator.spend.needs import Needs
from allocator.spend.offered import SkeletonMode
from allocator.spend.steps import Step
from skeleton import CompressionLevel
from workspace.model import Problem

SMALL_BUDGET = 4000
"""Tokens of a budget up to which, with a query, many files come before much of one …"""

AMPLE_BUDGET = 16_000
"""… and from which on there is room for both: between them the one passes into the other, so that a larger budget shows no
fewer files. Up to there headers say little."""


class ContextRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a context, in the forms that the engine works with.

    Attributes:
        token_budget: tokens that everything served may cost; None for no ceiling.
        mode: when skeletons stand in for files.
        min_level: no file goes below this level.
        max_level: no file is shown in more detail than this.
        format: how the context is written.
        line_numbers: whether each line starts with its number in the source.
        summary: whether a second text block says what was done; without it the budget is the context's alone.
    """

    token_budget: int | None = None
    mode: SkeletonMode = SkeletonMode.AUTO
    min_level: CompressionLevel = CompressionLevel.DROP
    max_level: CompressionLevel = CompressionLevel.FULL
    format: FormatName = FormatName.PLUS
    line_numbers: bool = False
    summary: bool = True

    def pricing(self, *, terse: bool = False) -> Pricing:
        """Returns the tokens that the format adds to the code.

        Args:
            terse: whether headers say as little as may be.
        """
        layout = FORMATS[self.format]
        pricing = layout.terse_pricing or layout.pricing if terse else layout.pricing
        return pricing.with_numbers() if self.line_numbers else pricing

    @property
    def breadth(self) -> float:
        """The degree to which many files come before much of one, for a reader with a query.

        It is 1 under a small budget, and 0 under an ample one or where the format has no headers that say little.
        """
        if not self.is_terse:
            return 0.0
        return min(1.0, (AMPLE_BUDGET - (self.token_budget or 0)) / (AMPLE_BUDGET - SMALL_BUDGET))

    @property
    def is_terse(self) -> bool:
        """True if headers had better say little, as they can in the format: the budget is no more than ample."""
        has_terse = FORMATS[self.format].terse_pricing is not None
        return has_terse and self.token_budget is not None and self.token_budget <= AMPLE_BUDGET

    @property
    def may_drop(self) -> bool:
        """True if files may be left out."""
        return self.min_level is CompressionLevel.DROP

    @property
    def has_pieces(self) -> bool:
        """True if files may be shown in pieces."""
        return self.may_drop and self.mode is not SkeletonMode.DISABLED

    @property
    def is_free(self) -> bool:
        """True if it is for a budget alone to say how much is shown of which file, in pieces where that is best."""
        return self.has_pieces and self.token_budget is not None


def _nothing_to_prepare(files: Sequence[FileViews]) -> None:
    """Files that are at hand need no preparation."""


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a context that belong to no file, added step by step.

    Attributes:
        steps: gives its steps, in order, for its place among the blocks.
        text: draws some of them, by their places.
    """

    steps: Callable[[int], Sequence[Step]]
    text: Callable[[Sequence[int]], str]


class FileSet(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a call.

    Attributes:
        files: those that can be shown, the most important first.
        left_out: the paths of those that cannot.
        problems: why they cannot, and anything else that went wrong on the way.
        contents: for every path the MD5 of its bytes, or the reason why it was not read.
        nothing: what to say when there are no files at all.
        prepare: is told of files before they are asked for anything that takes parsing.
        bring_weights: has at hand what many files cost, definition by definition, all looked up at once.
        bring_texts: likewise their levels.
        needs: what the reader is likely to need, where that is known; else the files' tiers and order decide.
        kept: paths that are not shown because the reader has them, and the levels at which he has them.
        note: a line that the context begins with; "" for none.
        unmatched: the words of a query that occur nowhere, each with the nearest one that does, or "".
        is_lost: whether a query says nothing that is known here, so that an overview is the answer.
        gone: paths that the context says are deleted, each with one more mark or none.
        by_name: what else it says changed, by name alone.
        said: what is said where nothing is shown, whatever the reason; "" for the reasons.
        changes: for the metadata, the paths of what changed by what became of them.
        chart: stands before the files; None where there is none.
        folders: gives how many files each folder holds, where the context begins with those that it shows something of.
        hand_out: records what is shown; gives the snapshot and, where something is left to show, the cursor.
    """

    files: Sequence[FileViews]
    left_out: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    contents: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    nothing: str = ""
    prepare: Callable[[Sequence[FileViews]], None] = _nothing_to_prepare
    bring_weights: Callable[[Sequence[FileViews]], None] = _nothing_to_prepare
    bring_texts: Callable[[Sequence[FileViews]], None] = _nothing_to_prepare
    needs: Needs | None = None
    kept: Mapping[str, CompressionLevel] = msgspec.field(default_factory=dict[str, CompressionLevel])
    note: str = ""
    unmatched: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    is_lost: bool = False
    gone: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    by_name: Sequence[str] = ()
    said: str = ""
    changes: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])
    chart: Chart | None = None
    folders: Callable[[], Counter[str]] | None = None
    hand_out: Callable[[Sequence[Portion | None]], tuple[str, str | None]] | None = None


class ContextResult(msgspec.Struct, frozen=True, kw_only=True):
    """One budgeted context.

    Attributes:
        context: the files, framed: the first text block.
        summary: the metadata as JSON, its long lists cut: the second text block; empty for small budgets.
        metadata: the same, complete.
        tokens_used: tokens of both text blocks.
    """

    context: str
    summary: str
    metadata: ContextMetadata
    tokens_used: int
