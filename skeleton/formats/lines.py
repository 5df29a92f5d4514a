"""A line of an outline, and the few operations that every format does with lines.

An outline of a file that is not code is a list of `Line`: what is shown and where it comes from. Line numbers are true
(1-based lines of the source) and never go down; a line that stands for several source lines carries the first of them.
What is left out is named by one kind of marker in every format, `… 12 more`, so that a reader learns it once and an
outline that is read again keeps its counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from skeleton.levels import CompressionLevel


class Line(NamedTuple):
    """One line of an outline.

    Attributes:
        number: the 1-based line of the source that it comes from.
        text: what is shown, without a line end.
    """

    number: int
    text: str


Outliner = Callable[[CompressionLevel], list[Line]]
"""The reader of a format: returns the outline of a text at L1 or L2. The text is read once for both."""


class NotThisFormatError(ValueError):
    """Raised by a reader for a text that is not of its format at all; it is then shown as plain text."""


MARKER = re.compile(r"… (?P<count>\d{1,3}(?:,\d{3})*) (?:more|keys?|items?|lines?|rows?|headings?|pages?|elements?)\b")
"""The form of an elision: `… 1,234 lines`."""


def marker(count: int, noun: str) -> str:
    """The text that stands for `count` things left out; `noun` is `more` or a plural."""
    if count == 1:
        noun = noun.removesuffix("s")
    return f"… {count:,} {noun}"


def marked_count(text: str) -> int:
    """Returns the number of things that a text says it leaves out: 0 when it holds no marker."""
    match = MARKER.search(text)
    return int(match["count"].replace(",", "")) if match else 0


def source_lines(source: str) -> list[Line]:
    """All lines of a text as they are, without the empty one after a final line end."""
    lines = source.split("\n")
    if not lines[-1]:
        lines.pop()
    return list(map(Line, range(1, len(lines) + 1), lines))


def size(lines: list[Line]) -> int:
    """Bytes of the lines in UTF-8, a line end each."""
    return len("\n".join([line.text for line in lines]).encode(errors="replace")) + 1 if lines else 0


def cut(text: str, width: int) -> str:
    """The text, or its beginning with `…` for a last character, at most `width` characters."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
