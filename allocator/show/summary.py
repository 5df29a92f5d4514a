"""What a context says about itself: complete for programs, short for the model.

`ContextMetadata` is complete. The summary is the same as JSON in the second text block, and the model pays for it: it
takes at most a tenth of the budget, and under `LEAST_BUDGET` tokens it is left out. Where lists are too long for
that, they are cut and what is left out is counted: `"L3_more":812`. Problems and dropped files, which the context
itself does not name, are kept the longest. Where not even all counts fit, the last two of them may be
left out.

The summary holds the number of tokens of the text that it is a part of. `settled_summary` finds the number that is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.show.formats import compact_json
from allocator.show.framing import largest
from allocator.show.views import Count
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workspace.model import Problem

LEAST_BUDGET = 500
"""Tokens of budget under which there is no summary."""

PART = 10
"""The summary takes at most the budget divided by this."""

SUMMARY_SLACK = 6
"""Tokens that a summary may take more than its estimate."""

LISTED_FROM = 2000
"""Tokens of budget up to which the summary of a context that a question steers is counts alone..."""

LIST_PART = 50
"""...and from there on its lists take at most the budget divided by this."""

MANY = 2000
"""Files whose names are counted one and all before anything is planned; of more, as many as a summary can hold."""

LARGE_NUMBER = 999_999_999
"""Stands for a number of tokens where the size of a summary is estimated: the same for every budget."""

_COUNTS = (
    "files_full",
    "files_skeleton",
    "files_dropped",
    "token_budget",
    "tokens_used",
    "next_cursor",
    "tokens_original",
    "tokens_saved",
)
_STEERED_COUNTS = 6
_LEAST_COUNTS = 5


class ContextMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """What was shown, at which level, and what it cost.

    Attributes:
        files_full: files shown in full.
        files_skeleton: files shown at L1 or L2, cut ones included.
        files_dropped: files not shown: over the budget, or for a reason given in `problems`.
        tokens_saved: `tokens_original` less `tokens_used`; 0 where frames cost more than skeletons save.
        compression_summary: the paths at each level, L0 to L3, in the order of the context; every file is in one.
        token_budget: the budget in tokens; None for no ceiling.
        tokens_used: tokens of everything served: the context and the summary.
        tokens_original: tokens that the files shown hold on disk, as they are, without frames.
        encoding: the vocabulary that tokens are counted with.
        snapshot: a digest of the paths and contents of all files of the set.
        next_cursor: where to go on with files that did not fit; None where nothing is left.
        problems: files that are not shown as they are, and why.
        changes: where a call is about changes, the paths by what became of them; only in the complete metadata.
    """

    files_full: int
    files_skeleton: int
    files_dropped: int
    tokens_saved: int
    compression_summary: Mapping[CompressionLevel, tuple[str, ...]]
    token_budget: int | None
    tokens_used: int
    tokens_original: int
    encoding: str
    snapshot: str
    next_cursor: str | None = None
    problems: tuple[Problem, ...] = ()
    changes: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])

    def as_json(self) -> dict[str, object]:
        """Gives all of it as values that JSON can hold."""
        changes: dict[str, object] = {"changes": dict(self.changes)} if self.changes else {}
        return _record(self, None) | changes

    def served(self, tokens: int) -> ContextMetadata:
        """The same with another number of tokens used."""
        return replace(self, tokens_used=tokens, tokens_saved=max(0, self.tokens_original - tokens))


class SummaryBeside:
    """The room that is kept for the summary beside a context, whatever is going to be shown.

    It grows by no more than the budget does, so what is left for the context never shrinks.

    Args:
        nothing_shown: the metadata with nothing shown.
        count: counts tokens.
        is_short: whether its lists are kept short: the reader knows what he asked for.
    """

    def __init__(self, nothing_shown: ContextMetadata, count: Count, *, is_short: bool) -> None:
        self._metadata = replace(nothing_shown, token_budget=LARGE_NUMBER).served(LARGE_NUMBER)
        self._count = count
        self._is_short = is_short
        listed = len(nothing_shown.problems) + sum(map(len, nothing_shown.compression_summary.values()))
        budget = nothing_shown.token_budget
        most = None if budget is None or listed <= MANY else budget // PART
        self._whole = 0 if is_short else count(summary_text(self._metadata, most, count))

    def room(self, budget: int) -> int:
        """Gives the tokens that are kept for the summary under a budget of so many."""
        if not self._is_short:
            return min(budget // PART, self._whole)
        counts = self._count(_counts(self._metadata, _STEERED_COUNTS)) + SUMMARY_SLACK
        if budget <= LISTED_FROM:
            return min(budget // PART, counts)
        whole = summary_text(self._metadata, budget // LIST_PART, self._count)
        return min(counts + budget - LISTED_FROM, self._count(whole) + SUMMARY_SLACK)

    def limit(self, budget: int) -> int:
        """Gives the tokens that the summary may take where the context leaves them."""
        return self.room(budget) if self._is_short else budget // PART


def summary_text(metadata: ContextMetadata, limit: int | None, count: Count) -> str:
    """Writes the summary in no more than `limit` tokens; the empty text if that is impossible."""
    entries = len(metadata.problems) + sum(map(len, metadata.compression_summary.values()))
    if limit is None or entries <= limit:  # every entry is a token at the least
        complete = compact_json(_record(metadata, None))
        if limit is None or count(complete) <= limit:
            return complete

    def fits(entries: int) -> bool:
        return count(compact_json(_record(metadata, entries))) <= limit

    entries = largest(entries, fits)
    if entries or fits(0):
        return compact_json(_record(metadata, entries))
    for kept in range(len(_COUNTS), _LEAST_COUNTS - 1, -1):
        text = _counts(metadata, kept)
        if count(text) <= limit:
            return text
    return ""


def _counts(metadata: ContextMetadata, kept: int) -> str:
    record = _record(metadata, 0)
    return compact_json({name: record[name] for name in _COUNTS[:kept]})


def settled_summary(
    metadata: ContextMetadata, context_tokens: int, limit: int | None, count: Count
) -> tuple[ContextMetadata, str]:
    """Writes the summary with the true number of tokens used in it.

    Args:
        metadata: all but `tokens_used` and `tokens_saved`.
        context_tokens: tokens of the context.
        limit: tokens that the summary may take; None for as many as it needs.
        count: counts tokens.

    Returns:
        The metadata with the true numbers, and the summary. There is no summary where none can be true and fit.
    """
    for padding in ("", " "):  # a blank moves the sum where two numbers would each make the other true
        used = context_tokens
        for _ in range(4):
            guess = metadata.served(used)
            text = summary_text(guess, None if limit is None else limit - len(padding), count)
            if not text:
                return metadata.served(context_tokens), ""
            served = context_tokens + count(text + padding)
            if served == used:
                return guess, text + padding
            used = served
    return metadata.served(context_tokens), ""


def _record(metadata: ContextMetadata, entries: int | None) -> dict[str, object]:
    """The fields in the order of the contract, with at most so many entries in all lists together."""
    lists: dict[str, Sequence[object]] = {"problems": [_problem(problem) for problem in metadata.problems]}
    lists |= {level.value: metadata.compression_summary.get(level, ()) for level in reversed(CompressionLevel)}
    cut: dict[str, dict[str, object]] = {}
    for name, listed in lists.items():
        kept = list(listed[:entries])
        more = len(listed) - len(kept)
        cut[name] = {name: kept, f"{name}_more": more} if more else {name: kept}
        entries = None if entries is None else entries - len(kept)
    levels: dict[str, object] = {}
    for level in CompressionLevel:
        levels |= cut[level.value]
    return {
        "files_full": metadata.files_full,
        "files_skeleton": metadata.files_skeleton,
        "files_dropped": metadata.files_dropped,
        "tokens_saved": metadata.tokens_saved,
        "compression_summary": levels,
        "token_budget": metadata.token_budget,
        "tokens_used": metadata.tokens_used,
        "tokens_original": metadata.tokens_original,
        "encoding": metadata.encoding,
        "snapshot": metadata.snapshot,
        "next_cursor": metadata.next_cursor,
        **cut["problems"],
    }


def _problem(problem: Problem) -> dict[str, str]:
    detail = {"detail": problem.detail} if problem.detail else {}
    return {"path": problem.path, "kind": problem.kind.value, **detail}
