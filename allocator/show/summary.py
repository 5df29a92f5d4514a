"""The metadata of a context: complete for programs, short for the model.

`ContextMetadata` is complete. The summary stands in the second text block, and the model pays for it: it holds the
snapshot, the cursor, counts, the words of the query that occur nowhere, and the problems that an agent can do something
about; the others are counted by their kind. It takes at most a tenth of the budget, and no more than `MOST_TOKENS` up to
a budget of 9,000; under `LEAST_BUDGET` tokens it is left out. Where not even all counts fit, the last ones are left out;
snapshot and cursor stay.

The summary holds the number of tokens of the text that it is a part of. `settled_summary` finds the number that is true.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.show.formats import compact_json
from allocator.show.framing import largest
from allocator.show.views import Count
from skeleton import CompressionLevel
from workspace.model import OF_CALLS, Problem, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Mapping

LEAST_BUDGET = 500
"""Tokens of budget under which there is no summary."""

PART = 10
"""The summary takes at most the budget divided by this."""

MOST_TOKENS = 150
"""The most tokens of a summary under usual budgets..."""

SMALL_PART = 60
"""...and under large ones: the budget divided by this."""

MANY = 200
"""Problems that fill what a summary may have, whatever they say."""

LARGE_NUMBER = 999_999_999
"""Stands for a number of tokens where the size of a summary is estimated: the same for every budget."""

_COUNTS = (
    "snapshot",
    "next_cursor",
    "tokens_used",
    "files_dropped",
    "token_budget",
    "files_full",
    "files_skeleton",
    "tokens_original",
    "tokens_saved",
)
_LEAST_COUNTS = 3

_BEYOND_HELP = frozenset(
    [ProblemKind.BINARY, ProblemKind.SPECIAL, ProblemKind.SYNTAX_ERRORS, ProblemKind.UNPROVEN, ProblemKind.REDACTED]
)
"""Problems that a file has, whatever a caller does: they are marked where it is shown, and counted."""


class ContextMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """The files shown, at which level, and what they cost.

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
        unmatched: the words of the query that occur nowhere, each with the nearest one that does, or "".
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
    unmatched: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    changes: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, tuple[str, ...]])

    def as_json(self) -> dict[str, object]:
        """Gives all of it as values that JSON can hold."""
        whole: dict[str, object] = {
            "files_full": self.files_full,
            "files_skeleton": self.files_skeleton,
            "files_dropped": self.files_dropped,
            "tokens_saved": self.tokens_saved,
            "compression_summary": {
                level.value: list(self.compression_summary.get(level, ())) for level in CompressionLevel
            },
            "token_budget": self.token_budget,
            "tokens_used": self.tokens_used,
            "tokens_original": self.tokens_original,
            "encoding": self.encoding,
            "snapshot": self.snapshot,
            "next_cursor": self.next_cursor,
            "problems": [_problem(problem) for problem in self.problems],
        }
        if self.unmatched:
            whole["unmatched"] = dict(self.unmatched)
        return whole | ({"changes": dict(self.changes)} if self.changes else {})

    def served(self, tokens: int) -> ContextMetadata:
        """The same with another number of tokens used."""
        return replace(self, tokens_used=tokens, tokens_saved=max(0, self.tokens_original - tokens))


class SummaryBeside:
    """The room that is kept for the summary beside a context, whatever is going to be shown.

    It grows by no more than the budget does, so what is left for the context never shrinks.

    Args:
        nothing_shown: the metadata with nothing shown.
        count: counts tokens.
    """

    def __init__(self, nothing_shown: ContextMetadata, count: Count) -> None:
        largest_numbers = replace(nothing_shown, token_budget=LARGE_NUMBER).served(LARGE_NUMBER)
        few = len(nothing_shown.problems) <= MANY
        self._whole = count(summary_text(largest_numbers, None, count)) if few else LARGE_NUMBER

    def room(self, budget: int) -> int:
        """Gives the tokens that are kept for the summary under a budget of so many."""
        return min(self.limit(budget), self._whole)

    def limit(self, budget: int) -> int:
        """Gives the tokens that the summary may take where the context leaves them."""
        return min(budget // PART, max(MOST_TOKENS, budget // SMALL_PART))


def summary_text(metadata: ContextMetadata, limit: int | None, count: Count) -> str:
    """Writes the summary in no more than `limit` tokens; the empty text if that is impossible."""

    def is_short(text: str) -> bool:
        return limit is None or count(text) <= limit

    def fits(entries: int) -> bool:
        return is_short(compact_json(_record(metadata, entries)))

    told = len(metadata.unmatched) + len(_to_act_on(metadata))
    entries = told if limit is None else largest(min(told, limit), fits)  # every entry is a token at the least
    if entries or fits(0):
        return compact_json(_record(metadata, entries))
    record = _record(metadata, 0)
    for kept in range(len(_COUNTS), _LEAST_COUNTS - 1, -1):
        text = compact_json({name: record[name] for name in _COUNTS[:kept]})
        if is_short(text):
            return text
    return ""


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


def _to_act_on(metadata: ContextMetadata) -> list[Problem]:
    """The problems that an agent can do something about, those of the call itself first."""
    kept = [problem for problem in metadata.problems if problem.kind not in _BEYOND_HELP]
    return sorted(kept, key=lambda problem: problem.kind not in OF_CALLS)


def _record(metadata: ContextMetadata, entries: int) -> dict[str, object]:
    """Returns the entries of the summary, with at most so many words and problems."""
    words = dict(islice(metadata.unmatched.items(), entries))
    problems = _to_act_on(metadata)[: entries - len(words)]
    left = Counter(problem.kind.value for problem in metadata.problems)
    left.subtract(problem.kind.value for problem in problems)
    lists: dict[str, object] = {
        "unmatched": words,
        "unmatched_more": len(metadata.unmatched) - len(words),
        "problems": [_problem(problem) for problem in problems],
        "problems_more": {kind: count for kind, count in left.items() if count},
    }
    return {name: getattr(metadata, name) for name in _COUNTS} | {name: held for name, held in lists.items() if held}


def _problem(problem: Problem) -> dict[str, str]:
    detail = {"detail": problem.detail} if problem.detail else {}
    return {"path": problem.path, "kind": problem.kind.value, **detail}
