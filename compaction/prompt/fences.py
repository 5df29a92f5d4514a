"""Fenced code in Markdown, found the way CommonMark finds it, in linear time.

A fence is a line of three or more backticks or tildes; it ends at the next line of at least as many of the same and
nothing else. Lists and quotations indent fences or put their own marks before them, so any indentation and any `>` are
taken; tildes that underline a title, as in reStructuredText, are none. A fence that nothing closes reaches to the end of the text: what it holds is code as well, only nobody knows where
it would have ended. Who looks for markers wants to hear of closed fences alone, who protects code of both kinds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FENCE = re.compile(
    r"^[ \t>]*+(?P<item>(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?(?P<fence>`{3,}+|~{3,}+)(?P<info>[^\r\n]*+)", re.MULTILINE
)


class Span(NamedTuple):
    """A half-open range of characters."""

    start: int
    end: int


class Fences(NamedTuple):
    """The fences of a text, in order.

    Attributes:
        closed: from the first character of the opening line to the last of the closing one, its line end excluded.
        unclosed: the last fence, where nothing closes it; it reaches to the end of the text.
    """

    closed: tuple[Span, ...]
    unclosed: Span | None

    @property
    def all(self) -> tuple[Span, ...]:
        """Closed or not."""
        return (*self.closed, self.unclosed) if self.unclosed else self.closed


def find_fences(text: str) -> Fences:
    """Return the fences of a text."""
    closed: list[Span] = []
    opened: re.Match[str] | None = None
    for line in matches(_FENCE, text):
        if opened is None:
            if "`" not in line["info"] if line["fence"][0] == "`" else not _underlines_a_title(text, line):
                opened = line
        elif line["fence"].startswith(opened["fence"]) and not line["item"] and not line["info"].strip():
            closed.append(Span(opened.start(), line.end()))
            opened = None
    return Fences(tuple(closed), Span(opened.start(), len(text)) if opened else None)


def _underlines_a_title(text: str, line: re.Match[str]) -> bool:
    """Tell whether tildes stand under a title, as long as it, with blank lines around: a heading of reStructuredText."""
    if line.start() != line.start("fence") or line["info"].strip() or not line.start():
        return False
    above = text.rfind("\n", 0, line.start() - 1) + 1
    title = text[above : line.start()].strip()
    before = text[text.rfind("\n", 0, max(0, above - 1)) + 1 : above]
    behind = text.find("\n", line.end() + 1)
    following = text[line.end() : behind if behind >= 0 else len(text)]
    return 3 <= len(title) <= len(line["fence"]) and not before.strip() and not following.strip()


def outside(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, bool]]:
    """Cut a text along spans: every stretch in order, and whether it is one of the spans. Empty ones are left out."""
    position = 0
    for span in spans:
        if position < span.start:
            yield Span(position, span.start), False
        yield span, True
        position = span.end
    if position < len(text):
        yield Span(position, len(text)), False


def paragraph_span(text: str, start: int, end: int) -> Span:
    """Return the span between two places without the white space at its ends, but with the indentation of its first line."""
    piece = text[start:end]
    first = len(piece) - len(piece.lstrip())
    return Span(start + piece.rfind("\n", 0, first) + 1, start + len(piece.rstrip()))
