"""The parts that formats of marked text share: some lines stay, and the runs of lines between them are shortened where they stand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from compaction.prompt.adapters.base import spliced
from compaction.prompt.fences import Span, outside, paragraph_span
from compaction.prose.kinds import has_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEAST_WORDS = 6


class Line(NamedTuple):
    """A line without its end, and where it stands with it."""

    span: Span
    text: str


class AdapterOfRuns(ABC):
    """An adapter of a format of which each run of prose is shortened where it stands."""

    @abstractmethod
    def prose(self, content: str) -> list[Span]:
        """Return the runs of prose, in order."""

    def extract_preserved(self, content: str) -> list[str]:
        """Return what stays, in order."""
        stretches = outside(content, self.prose(content))
        kept = (content[slice(*span)] for span, is_prose in stretches if not is_prose)
        return [piece.strip("\r\n") for piece in kept if piece.strip()]

    def extract_compressible(self, content: str) -> list[str]:
        """Return the prose, one piece for everything between two things that stay."""
        return [content[slice(*span)] for span in self.prose(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return what stays, and the summary behind it."""
        return "\n\n".join([*preserved, *([summary] if summary else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the document with each piece shortened under its own heading."""
        return placed(content, self.prose(content), summaries)


def lines_in(content: str, stretch: Span) -> list[Line]:
    """Return the lines of a stretch, white space at their ends left out."""
    return list(_lines(content, stretch))


def _lines(content: str, stretch: Span) -> Iterator[Line]:
    position = stretch.start
    while position < stretch.end:
        end = content.find("\n", position, stretch.end) + 1 or stretch.end
        yield Line(Span(position, end), content[position:end].rstrip())
        position = end


def runs_between(content: str, lines: Sequence[Line], stays: Sequence[bool]) -> list[Span]:
    """Return the runs of lines that do not stay and have at least 6 words, white space around them left out."""
    found: list[Span] = []
    begin: int | None = None
    for line, is_kept in zip(lines, stays, strict=True):
        if begin is not None and is_kept:
            found.append(Span(begin, line.span.start))
            begin = None
        elif begin is None and not is_kept:
            begin = line.span.start
    if begin is not None:
        found.append(Span(begin, lines[-1].span.end))
    cores = [paragraph_span(content, *span) for span in found if content[slice(*span)].strip()]
    return [core for core in cores if has_words(content[slice(*core)], _LEAST_WORDS)]


def placed(content: str, runs: Sequence[Span], summaries: Sequence[str]) -> str:
    """Return the content with each run replaced by its summary; one without leaves no hole."""
    pieces = zip(runs, (text.strip("\r\n").rstrip() for text in summaries), strict=True)
    return spliced(content, ((piece if made else _with_blanks(content, piece), made) for piece, made in pieces))


def _with_blanks(content: str, piece: Span) -> Span:
    """The piece and the ends of lines behind it."""
    end = piece.end
    while end < len(content) and content[end] in "\r\n":
        end += 1
    return Span(piece.start, end)
