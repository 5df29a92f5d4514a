"""Prose with fenced code in it: the code stays, the prose is shortened where it stands.

Fences are set apart before any adapter is asked (see `adapting`), so this one is for callers who put a pipeline together
themselves (format-adapters seed, "CodeAdapter").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.prompt.adapters.base import core_span, spliced
from compaction.prompt.fences import find_fences, outside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.fences import Span


class CodeAdapter:
    """See the module."""

    name = "code"

    def detect(self, content: str) -> bool:
        """Return whether there is a fence of backticks in it."""
        return "```" in content

    def extract_preserved(self, content: str) -> list[str]:
        """Return the fenced blocks."""
        return [content[slice(*span)] for span in find_fences(content).all]

    def extract_compressible(self, content: str) -> list[str]:
        """Return the prose between them."""
        return [content[slice(*span)] for span in _prose(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the summary, and the blocks behind it."""
        return "\n\n".join([*([summary] if summary else []), *preserved])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the content, each stretch of prose shortened where it stood."""
        return spliced(content, zip(_prose(content), (text.strip() for text in summaries), strict=True))


def _prose(content: str) -> list[Span]:
    stretches = [span for span, is_code in outside(content, find_fences(content).all) if not is_code]
    return [core_span(content, *span) for span in stretches if content[slice(*span)].strip()]
