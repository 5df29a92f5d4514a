"""The protocol of adapters: each knows one format well enough to say which of its parts are prose.

The protocol is the one of the format-adapters seed. A text that an adapter detects is taken apart into what is kept and
what may be shortened; the second goes through a compressor, and the adapter puts the two together. `reconstruct` gets
one summary for everything, which is all that a simple adapter needs. An adapter that knows where each of its prose parts
stood offers `place` as well, and each summary goes back to its own place: a paragraph of Markdown under its heading, a
sentence of JSON into its string.

An adapter never raises for a text that only looks like its format: it raises `NotThisFormatError`, and the next adapter
is asked. Nor need it watch the size: what is not smaller in the end is not taken (see `adapting`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from compaction.prompt.fences import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LINE = re.compile(r"[^\n]*+\n|[^\n]++")


class NotThisFormatError(ValueError):
    """The text looked like the format of an adapter and is not: the next adapter is asked."""


@runtime_checkable
class FormatAdapter(Protocol):
    """One format (format-adapters seed, "Writing a custom adapter").

    Attributes:
        name: unique; the trace says `adapter:name`.
    """

    @property
    def name(self) -> str:
        """See above."""
        ...

    def detect(self, content: str) -> bool:
        """Return whether a text seems to be of the format. Called for every text, so it must be fast."""
        ...

    def extract_preserved(self, content: str) -> list[str]:
        """Return what is kept verbatim."""
        ...

    def extract_compressible(self, content: str) -> list[str]:
        """Return the prose, part by part; none where there is nothing to summarise."""
        ...

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the text made of what is kept and the summary of the rest."""
        ...


@runtime_checkable
class PlacingAdapter(FormatAdapter, Protocol):
    """An adapter that puts every summary back where its text was."""

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the content with each compressible part replaced by its summary.

        Args:
            content: the text that `extract_compressible` was given.
            summaries: one for each part that it returned, in its order.
        """
        ...


@runtime_checkable
class InterruptedAdapter(FormatAdapter, Protocol):
    """An adapter whose format goes on across fenced code, so that each stretch between fences is of it as well."""

    @property
    def crosses_fences(self) -> bool:
        """True if the text around fences is judged as one."""
        ...


@runtime_checkable
class WholeAdapter(FormatAdapter, Protocol):
    """An adapter whose documents may hold indented fences as content: the context of a diff, a block of YAML."""

    @property
    def is_whole(self) -> bool:
        """True if it is asked for the whole text before indented fences are set apart; it must keep them, then."""
        ...


@runtime_checkable
class VerifyingAdapter(WholeAdapter, Protocol):
    """An adapter that reads a document to its last character, so that nothing else is taken for one."""

    @property
    def verifies(self) -> bool:
        """True if it is asked for the whole text before any fences are set apart: a cell or an element may hold them."""
        ...


def spliced(content: str, replacements: Iterable[tuple[Span, str]]) -> str:
    """Return the content with each span replaced, in order, where what replaces it is shorter."""
    made: list[str] = []
    position = 0
    for span, replacement in replacements:
        if len(replacement) < span.end - span.start:
            made += (content[position : span.start], replacement)
            position = span.end
    return "".join((*made, content[position:]))


def core_span(content: str, start: int, end: int) -> Span:
    """Return the span from `start` to `end` without the white space at its ends."""
    piece = content[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()) if piece.strip() else end)


def lines_of(content: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends one, unlike in `str.splitlines`."""
    return _LINE.findall(content)


def one_line(text: str) -> str:
    """Return the text with every run of white space as one space."""
    return " ".join(text.split())
