"""Unified diffs: file names, hunk headers and every changed line stay; what is only there for context goes.

One unchanged line stays on each side of a change, and a line of three dots says how many others were left out, so the
result reads as a diff but does not apply as one. Prose before the first file, such as the message of a commit, is
shortened. Hunks are read by the counts of their headers, so a removed line that looks like a header is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from compaction.prompt.adapters.base import NotThisFormatError, core_span, lines_of, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import first_page, is_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_PROSE = 100
_LEAST_ELIDED = 2

_HUNK = re.compile(r"^@@ -[0-9]+(?:,(?P<old>[0-9]+))? \+[0-9]+(?:,(?P<new>[0-9]+))? @@", re.MULTILINE)
_FILE = re.compile(r"^(?:diff |Index: |--- |\*\*\* )", re.MULTILINE)
_METADATA = re.compile(r"\s*(?:commit |Author:|AuthorDate:|Commit:|CommitDate:|Date:|From |From:|Subject:|Merge:|---)")


class _Elided(NamedTuple):
    """A run of lines that goes.

    Attributes:
        replacement: what stands there instead, None where the summary of `text` does.
    """

    span: Span
    replacement: str | None
    text: str = ""


class DiffAdapter:
    """See the module."""

    name = "diff"
    is_whole = True

    def detect(self, content: str) -> bool:
        """Return whether a file header and a hunk header stand in it."""
        page = first_page(content)
        return _HUNK.search(page) is not None and _FILE.search(page) is not None

    def extract_preserved(self, content: str) -> list[str]:
        """Return the lines that stay.

        Raises:
            NotThisFormatError: a hunk does not hold what its header says.
        """
        return spliced(content, ((found.span, found.replacement or "") for found in _elided(content))).splitlines()

    def extract_compressible(self, content: str) -> list[str]:
        """Return the prose before the first file.

        Raises:
            NotThisFormatError: a hunk does not hold what its header says.
        """
        return [found.text for found in _elided(content) if found.replacement is None]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the summary, and the lines that stay behind it."""
        return "\n".join([*([summary] if summary else []), *preserved])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the diff without most of its context, its message shortened."""
        taken = iter(summaries)
        return spliced(
            content,
            (
                (found.span, next(taken).strip() if found.replacement is None else found.replacement)
                for found in _elided(content)
            ),
        )


def _elided(content: str) -> list[_Elided]:
    lines = lines_of(content)
    first = next((place for place, line in enumerate(lines) if _FILE.match(line)), len(lines))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = _message(lines, starts, first)
    place = first
    while place < len(lines):
        header = _HUNK.match(lines[place])
        place += 1
        if header is None:
            continue
        end = _end_of_hunk(lines, place, header)
        found += _context(lines, starts, place, end)
        place = end
    return found


def _message(lines: Sequence[str], starts: Sequence[int], end: int) -> list[_Elided]:
    """The paragraphs of prose among the first lines."""
    found: list[_Elided] = []
    begin = 0
    for place in range(end + 1):
        if place < end and lines[place].strip():
            continue
        paragraph = "".join(lines[begin:place])
        if is_prose(paragraph, characters=_LEAST_PROSE) and not _METADATA.match(paragraph):
            span = core_span(paragraph, 0, len(paragraph))
            words = "\n".join(line.strip() for line in paragraph.strip().split("\n"))
            found.append(_Elided(Span(starts[begin] + span.start, starts[begin] + span.end), None, words))
        begin = place + 1
    return found


def _end_of_hunk(lines: Sequence[str], place: int, header: re.Match[str]) -> int:
    old, new = (int(header[side]) if header[side] is not None else 1 for side in ("old", "new"))
    while (old > 0 or new > 0) and place < len(lines):
        sign = lines[place][:1]
        if sign not in {" ", "+", "-", "\\", "\n", "\r"}:
            raise NotThisFormatError(f"line {place + 1} is no line of a hunk")
        old -= sign not in {"+", "\\"}
        new -= sign not in {"-", "\\"}
        place += 1
    if old != new:  # blank lines of context may be gone from the end of the text
        raise NotThisFormatError(f"the hunk before line {place + 1} is not of the length that it says")
    return place


def _context(lines: Sequence[str], starts: Sequence[int], begin: int, end: int) -> list[_Elided]:
    """The unchanged lines of a hunk that touch no change."""
    found: list[_Elided] = []
    place = begin
    while place < end:
        run = place
        while run < end and lines[run][:1] not in {"+", "-", "\\"}:
            run += 1
        first = place + (place > begin)
        last = run - (run < end)
        if last - first >= _LEAST_ELIDED:
            end_of_line = "\n" if lines[last - 1].endswith("\n") else ""
            found.append(_Elided(Span(starts[first], starts[last]), f" ⋮ {last - first} lines{end_of_line}"))
        place = max(run, place) + 1
    return found
