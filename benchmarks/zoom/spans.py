"""The span of a definition by a parser that shares nothing with the engine, and by the rule that zoom keeps.

The rule, said here once more and independently of the engine: a definition is served from the first of the decorators,
attributes and doc comments directly above it (nothing but line breaks between, and no blank line) to its last byte, a
semicolon directly behind it included, and with it a comment that ends its last line. What counts as a doc comment is
written down for each language in `DOC_MARKS`; Python's docs stand inside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.skeletons.lexing import pattern_of

DOC_MARKS: Final[Mapping[str, tuple[str, ...]]] = {
    "python": (),
    "javascript": ("/**",),
    "typescript": ("/**",),
    "tsx": ("/**",),
    "go": ("//", "/*"),
    "java": ("/**", "///"),
    "rust": ("///", "/**"),
    "c": ("//", "/*"),
    "cpp": ("//", "/*"),
    "csharp": ("///", "/**"),
    "ruby": ("#", "=begin"),
    "php": ("/**",),
    "kotlin": ("/**",),
}
"""The starts of comments that document what stands below them, by language."""

_LINE_COMMENTS: Final = ("//", "#", "--")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One definition as a reference sees it.

    Attributes:
        name: as the reference spells it.
        container: what it stands in, outermost first.
        kind: the reference's own word.
        first, last: its lines, counted from 1.
        text: what must be served; None where the reference tells lines only.
        local: it stands in a function, and its container is no name that the language knows: it is asked for by its own.
    """

    name: str
    container: tuple[str, ...]
    kind: str
    first: int
    last: int
    text: str | None = None
    local: bool = False

    @property
    def asked(self) -> str:
        """The name that it is asked for by: the qualified one, and of what is local its own."""
        if self.local:
            return self.name
        return ".".join((*self.container, self.name))


class Lines:
    """A text with its comments and lines.

    Args:
        text: the source.
        language: whose comments it has.
        lexicon: how they look (`lexing.LEXICONS`).
    """

    def __init__(self, text: str, language: str, lexicon: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._marks = DOC_MARKS[language]
        self._comments: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._read(lexicon)

    def _read(self, lexicon: str) -> None:
        until = 0
        for match in pattern_of(lexicon).finditer(self.text):
            start, end = match.span()
            if start < until or (match.lastgroup or "").startswith("string"):
                continue  # of a comment that may hold others only the beginning is matched
            if match.lastgroup == "nested":
                closed = self.text.find("*/", start)
                end = closed + 2 if closed >= 0 else len(self.text)
            end = start + len(self.text[start:end].rstrip())
            until = end
            self._comments[start] = end
            self._ends[end] = start

    def line_of(self, offset: int) -> int:
        """The line of an offset, counted from 1."""
        return self.text.count("\n", 0, offset) + 1

    def line(self, number: int) -> str:
        """A line without its line break."""
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end]

    def with_docs(self, start: int) -> int:
        """Returns the start of the doc comments directly above a place, or the place itself.

        Lines of comments, and boxes drawn of one-line comments, count as one; plain comments may stand between a doc
        comment and what it is about.
        """
        first = below = start
        while True:
            above = len(self.text[:below].rstrip())
            if self.text.count("\n", above, below) > 1 or above not in self._ends:
                return first
            comment = self._ends[above]
            if not self._begins_line(comment):
                return first
            is_doc = self.text.startswith(self._marks, comment)
            if is_doc and first != start and not self._continues(comment, below):
                return first
            first, below = comment if is_doc else first, comment

    def _continues(self, comment: int, below: int) -> bool:
        """Tells whether two comments that follow each other are one: both of whole lines, or both blocks of one line."""
        if self.text.startswith(_LINE_COMMENTS, comment) and self.text.startswith(_LINE_COMMENTS, below):
            return True
        blocks = self.text.startswith("/*", comment) and self.text.startswith("/*", below)
        return (
            blocks
            and "\n" not in self.text[comment : self._comments[comment]] + self.text[below : self._comments[below]]
        )

    def _begins_line(self, offset: int) -> bool:
        return not self.text[self.text.rfind("\n", 0, offset) + 1 : offset].strip()

    def served(self, start: int, end: int) -> tuple[int, int]:
        """A definition's span with the indentation before it, the semicolon and the comment behind it."""
        line = self.text.rfind("\n", 0, start) + 1
        if not self.text[line:start].strip():
            start = line
        end += self.text.startswith(";", end)
        behind = end + len(self.text[end:]) - len(self.text[end:].lstrip(" \t"))
        closes = self._comments.get(behind, -1)
        if closes >= 0 and "\n" not in self.text[behind:closes] and not self._rest(closes).strip():
            end = closes
        return start, end

    def _rest(self, offset: int) -> str:
        end = self.text.find("\n", offset)
        return self.text[offset : end if end >= 0 else len(self.text)]

    def span(self, start: int, end: int, name: str, container: tuple[str, ...], kind: str) -> Span:
        """A span by offsets."""
        start, end = self.served(start, end)
        return Span(
            name=name,
            container=container,
            kind=kind,
            first=self.line_of(start),
            last=self.line_of(max(start, end - 1)),
            text=self.text[start:end],
        )
