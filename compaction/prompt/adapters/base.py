"""What an adapter is: it knows one format well enough to say which of its parts are prose.

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

DETECTED_CHARACTERS = 65_536
"""What `detect` of the adapters here looks at, at most: a format shows itself in its first pages, whatever follows."""

_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?)\"'’]*\Z")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEAST_CODE_LINES, _LEAST_CODE_SHARE = 4, 0.3
_STATEMENT = re.compile(
    r"[ \t]*+(?:"
    r"[\])}][\])}]*+[,;]?\s*\Z"  # a bracket closes
    r"|(?:[^\s'\"][^\n]*)?[;{]\s*\Z"  # a statement or a block
    r"|(?:@|#!|#\[|#include\b|//|/\*|\*/|--\s)"  # decorators, attributes, comments
    r"|(?:def|class|if|elif|else|for|while|with|try|except|finally|switch|case|match|async|fn|func|function|sub|do)\b[^.?!]*:\s*\Z"
    r"|(?:import|from|package|use|using|require|return|raise|yield|await|const|let|var|val|pub|fn|func|function|export|"
    r"public|private|protected|static|def|class|struct|enum|interface|type|impl|module|end|echo|print|assert|pass|break|"
    r"continue)\b[^.?!]*(?:\Z|[\w)\]}\"'][^.?!\s]*\Z)"
    r"|[\w.$*&\[\]\"'-]++(?:[ \t]*+:[ \t]*+[\w\[\], .|]++)?[ \t]*+(?:[-+*/|&%^]|:|<<|>>)?=(?!=)\s?\S"  # an assignment
    r"|[\w.$:>-]++[!?]?\([^\n]*\)[,;:]?\s*\Z"  # a call
    r")"
)
_CODE_SIGNS = re.compile(r"&&|\|\||[;{}$\\]|=>|->|::|\(\)|<[/\w]|\s--?\w|\w=\S|^\W*https?://\S+\W*\Z")


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
        """Whether the text around fences is judged as one."""
        ...


def is_prose(text: str, *, words: int = 6, characters: int = 0) -> bool:
    """Return whether a value is written for people: enough words, most of them of letters, no signs of code.

    Commands, image names, paths, keys and lists of numbers are none. Text of scripts that set no spaces between words
    counts a word for every two characters.
    """
    if len(text) < characters:
        return False
    found = text.split()
    plain = sum(1 for word in found if _WORD.match(word.lstrip("(\"'“‘[")))
    unspaced = len(_UNSPACED.findall(text)) // 2
    if unspaced >= words:
        return True
    return len(found) >= words and plain >= len(found) * 0.7 and not _CODE_SIGNS.search(text)


def is_code(text: str) -> bool:
    """Return whether a text without fences is source code.

    Many of its lines read like statements or brackets, and more of them than like sentences: comments and docstrings
    are sentences too, and prose about code has a few statements.
    """
    lines = [line for line in first_page(text).splitlines() if line.strip()]
    if len(lines) < _LEAST_CODE_LINES:
        return False
    statements = sum(1 for line in lines if _STATEMENT.match(line))
    return statements >= len(lines) * _LEAST_CODE_SHARE and statements > sum(1 for line in lines if is_prose(line))


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


def first_page(content: str) -> str:
    """Return what a detection looks at: whole lines of the first 64 Ki characters, or a part of a line that is longer."""
    if len(content) <= DETECTED_CHARACTERS:
        return content
    page = content[:DETECTED_CHARACTERS]
    return page[: page.rfind("\n") + 1] or page


def lines_of(content: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends one, unlike in `str.splitlines`."""
    return _LINE.findall(content)


def one_line(text: str) -> str:
    """Return the text with every run of white space as one space."""
    return " ".join(text.split())
