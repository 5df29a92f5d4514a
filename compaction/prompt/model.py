"""The types that the engines, the adapters and the messages of prompt compression share.

A `TextCompressor` shortens plain prose and knows nothing of fences, formats or messages; `engine.CompressionEngine`
decides which one runs, on which parts of a text, and to how many tokens each. What comes back is a `CompressedResult`,
also when nothing was done: the reasons stand in its warnings and its trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

DEFAULT_RATE = 0.5
"""The part of the tokens that stays where the caller names neither a rate nor a number (Zipper seed, section 5.1)."""

BYTE_ORDER_MARK = "\ufeff"
"""The sign that some editors begin a file with: it belongs to no format."""

LEAST_TOKENS = 50
"""A text of fewer tokens is not compressed (Zipper seed, section 7)."""

TOLERANCE = 0.1
"""The part by which the tokens of a result may miss those that were wanted; a larger miss is told in a warning."""

SLACK = 2
"""Tokens that any result may have beside that: one sign more or less."""

CompressTexts: TypeAlias = Callable[[Sequence[str]], list[str]]
"""The function by which `adapting.adapt` shortens prose: it gets all prose pieces of a text in one call, so that they
share one budget and one batch, and returns each of them in the order given. Leading and trailing white space of a
piece stays."""

Progress: TypeAlias = Callable[[int, int, str], None]
"""Takes how much is done, of how much, and what; may raise, which ends the call and nothing else."""


def unheard(_done: int, _total: int, _stage: str) -> None:
    """Progress that nobody wants to hear of."""


class EngineName(StrEnum):
    """The engines that shorten prose.

    Attributes:
        AUTO: LLMLingua-2 where it is installed and its model is there, otherwise nothing, with a warning.
        LLMLINGUA2: a token classifier that keeps or drops words (arXiv 2403.12968).
        EXTRACTIVE: whole sentences, ranked without a model.
        NONE: nothing is shortened.
    """

    AUTO = "auto"
    LLMLINGUA2 = "llmlingua2"
    EXTRACTIVE = "extractive"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedResult:
    """A compressed text and what it cost (Zipper seed, section 5.1).

    Attributes:
        text: the compressed text, or the original where that was not longer.
        original_tokens: the tokens of the original.
        compressed_tokens: the tokens of `text`, never more than `original_tokens`.
        ratio: the part of the tokens that was saved, from 0.0 to 1.0 (Zipper seed, section 5.7: 8500 tokens that
            become 3400 have a ratio of 0.60).
        time_ms: how long it took, in milliseconds, loading a model included.
        engine: what really ran; `none` where nothing was shortened.
        warnings: what the caller should know or mend, one sentence each.
        trace: each decision on the way, such as `adapter:yaml`.
    """

    text: str
    original_tokens: int
    compressed_tokens: int
    ratio: float
    time_ms: float
    engine: EngineName
    warnings: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()


class TextCompressor(Protocol):
    """Shortens plain prose: no fenced code, no format."""

    @property
    def name(self) -> EngineName:
        """The name that a result gives its engine."""
        ...

    def compress(self, texts: Sequence[str], targets: Sequence[int]) -> list[str]:
        """Return each text, shortened to about as many tokens as its target says, in the order given.

        All of them are worked on together, so that what can be batched is.
        """
        ...


def ratio_saved(original_tokens: int, compressed_tokens: int) -> float:
    """Return the part of the tokens that was saved, 0.0 for an empty text."""
    return 1.0 - compressed_tokens / original_tokens if original_tokens else 0.0


def missed_target(target: int, tokens: int, reason: str) -> list[str]:
    """Return the warning that a target was missed, none where it was met.

    Args:
        target: the tokens that were wanted; below 1 for none.
        tokens: the tokens that there are.
        reason: why, as a sentence.
    """
    if target < 1 or tokens <= max(target * (1 + TOLERANCE), target + SLACK):
        return []
    return [f"The text has {tokens} tokens where {target} were wanted: {reason}"]
