"""The rest that a context leaves of its budget, and whether that was for want of room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton import CompressionLevel
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult

FRAME = 64
"""Tokens that the frame of one more file may take: where all that is shown is whole, less than that buys nothing."""

MARKERS = 16
"""Tokens that a line more of a file takes in its header and in the lines that count."""

_, L1, L2, L3 = CompressionLevel


def lines_are_too_long(root: Path, result: ContextResult, budget: int) -> bool:
    """Tells whether each file that is not shown whole has a line too long for the rest of a budget: none is cut."""
    left = budget - result.tokens_used
    count = token_counter().count
    summary = result.metadata.compression_summary
    problems = {problem.path for problem in result.metadata.problems if problem.path not in summary[L2]}
    return all(
        any(count(line) > left - besides for line in (root / path).read_bytes().decode(errors="replace").split("\n"))
        for level, besides in ((L1, MARKERS), (L2, MARKERS), (L3, FRAME))
        for path in summary[level]
        if path not in problems
    )
