"""The output of tools, line by line: verdicts, totals and places stay; what stands between them is shortened there.

Test runs, linters, compilers and searches write lines that begin with a verdict (`PASS`, `ERROR`, `✓`), a total
(`Tests: 3 failed`), or name a place (`src/a.py:12:`). Those are what a reader looks for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction.prompt.adapters.base import core_span, lines_of, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import first_page

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_LINES = 6
_CHARACTERS_PER_LINE = 80
_LEAST_SHARE = 0.5
_LEAST_VERDICTS = 1 / 3
"""Of the structural lines; a document of nothing but lists is no output."""

_LEAST_WORDS = 6

_VERDICT = re.compile(
    r"\s*+(?:[✓✔✗✘✖×√●]|\[?(?:PASS(?:ED)?|FAIL(?:ED|URE|URES)?|ERRORS?|WARN(?:ING)?S?|FATAL|OK|SKIP(?:PED)?|XFAIL|XPASS|"
    r"INFO|DEBUG|NOTICE|CRITICAL)\b|(?:ok|not ok|---|===)\s|(?:error|warning|note|fatal)(?:\[\w+\])?:|"
    r"(?:Tests?|Test Suites|Test Files|Suites|Snapshots|Duration|Time|Start at|Ran|Failures|Errors|Total|Passed|Failed|"
    r"Skipped|Result|Summary|Coverage|Statements|Branches|Functions|Lines|Finished|Found|Exit code)\b[^.!?]{0,12}[:\d]|"
    r"\d+ (?:errors?|warnings?|failures?|problems?|tests?|passed|failed|skipped)\b)"
)
_PLACE = re.compile(r"(?:^|[\s(\"'])(?:[A-Za-z]:)?[\w./\\@+-]*\w\.\w+(?::\d+|\(\d+)")
_BULLET = re.compile(r"[ \t]++[-*•][ \t]")


class StructuredOutputAdapter:
    """See the module."""

    name = "structured_output"

    def detect(self, content: str) -> bool:
        """Return whether at least 6 lines, more than one for 80 characters, are mostly verdicts, places and bullets."""
        page = first_page(content)
        lines = [line for line in page.splitlines() if line.strip()]
        if len(lines) < _LEAST_LINES or len(lines) * _CHARACTERS_PER_LINE <= len(page):
            return False
        telling = sum(1 for line in lines if _is_telling(line))
        structural = telling + sum(1 for line in lines if _BULLET.match(line) and not _is_telling(line))
        return structural > len(lines) * _LEAST_SHARE and telling >= structural * _LEAST_VERDICTS

    def extract_preserved(self, content: str) -> list[str]:
        """Return the lines with a verdict, a total or a place."""
        return [line for line in content.splitlines() if _is_telling(line)]

    def extract_compressible(self, content: str) -> list[str]:
        """Return the runs of other lines, where they say more than a few words."""
        return [content[slice(*span)] for span in _runs(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the lines that stay, and the summary behind them."""
        return "\n".join([*preserved, *([summary] if summary else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the output with each run shortened where it stood."""
        return spliced(content, zip(_runs(content), (text.strip() for text in summaries), strict=True))


def _is_telling(line: str) -> bool:
    return _VERDICT.match(line) is not None or _PLACE.search(line) is not None


def _runs(content: str) -> list[Span]:
    found: list[Span] = []
    begin = position = 0
    for line in lines_of(content):
        if _is_telling(line):
            found.append(Span(begin, position))
            begin = position + len(line)
        position += len(line)
    found.append(Span(begin, position))
    cores = [core_span(content, *span) for span in found if content[slice(*span)].strip()]
    return [core for core in cores if len(content[slice(*core)].split(maxsplit=_LEAST_WORDS)) >= _LEAST_WORDS]
