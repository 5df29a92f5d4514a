"""A document as sections: what Markdown and reStructuredText have in common once they are read.

At L2 a section is its heading. At L1 it also says the first sentence of its first paragraph; without one it shows the
beginning of its first list, code, table or quotation, and how much more there is (`… 11 more`). A long document loses
its deepest headings first, and then its last ones (`CAPS`), but L1 none that L2 shows; what is left out is counted at
the end.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from skeleton.formats.lines import Line, cut, marker, size
from skeleton.levels import CompressionLevel

CAPS = {CompressionLevel.SKELETON_PLUS: 10_000, CompressionLevel.SKELETON: 3_000}
"""Bytes within which an outline has to stay."""

CODE_WIDTH = 120
"""Characters of a line of code or of a row of a table that are shown."""

ONE_CODE_SPAN = re.compile(r"`(?P<single>[^`]+)`$|``(?P<double>(?:[^`]|(?<!`)`(?!`))+)``$").match
"""A text that is one code span; the last group is the code."""

_MOST_ALIKE = 3
"""A title that more sections have (`Fixed` in a changelog) tells nothing at L2."""

_DEEPEST = (7, 6, 5, 4, 3)
"""The depths of headings below which sections are left out of a long document, tried one after the other."""

_MOST_PROSE = {CompressionLevel.SKELETON_PLUS: 16, CompressionLevel.SKELETON: 3}
"""Paragraphs that are shown of a text without headings."""


class Section(msgspec.Struct):
    """A heading (none at the top of a document) and what is below it.

    Attributes:
        number: the line of the heading.
        depth: 1 for the highest heading; 0 at the top.
        heading: the lines of the heading as they are shown; the second one stands below the first in the source.
        paragraph: the first sentence of the first paragraph that has text.
        other: the first block that is no paragraph: the beginning of a list, code, a table or a quotation.
        more: how many items, lines or rows more that block has.
        noun: what they are.
    """

    number: int
    depth: int = 0
    heading: tuple[str, ...] = ()
    paragraph: Line | None = None
    other: Line | None = None
    more: int = 0
    noun: str = "more"

    def add_other(self, number: int, text: str, noun: str) -> None:
        """Takes the beginning of a block that is no paragraph, or counts another part of it."""
        if self.other is None:
            self.other, self.noun = Line(number, text), noun
        elif self.noun == noun:
            self.more += 1

    def lines(self, level: CompressionLevel) -> list[Line]:
        """The lines of it that are shown."""
        lines = [Line(self.number + index, text) for index, text in enumerate(self.heading)]
        if level is CompressionLevel.SKELETON:
            return lines
        if self.paragraph:
            lines.append(self.paragraph)
        elif self.other:
            lines.append(self.other)
            if self.more:
                lines.append(Line(self.other.number, marker(self.more, self.noun)))
        return lines


class Document(msgspec.Struct):
    """A document as a reader found it.

    Attributes:
        sections: the one at the top first, in the order of the text.
        prose: first sentences of the paragraphs after the first one, in a text that has no heading so far.
        hidden_prose: how many more such paragraphs there are.
        hidden_headings: how many headings an outline says it has left out.
    """

    sections: list[Section]
    prose: list[Line]
    hidden_prose: int = 0
    hidden_headings: int = 0

    def add_prose(self, number: int, sentence: str) -> None:
        """Takes another paragraph of a text without headings, or only counts it."""
        if len(self.prose) < _MOST_PROSE[CompressionLevel.SKELETON_PLUS]:
            self.prose.append(Line(number, sentence))
        else:
            self.hidden_prose += 1

    def outline(self, level: CompressionLevel) -> list[Line]:
        """The lines at a level; none for a text in which there is nothing to show."""
        sections = [section for section in self.sections if section.depth or section.paragraph or section.other]
        if not any(section.depth for section in sections):
            return self._without_headings(level)
        lines, left_out = _within_cap(sections, level)
        if hidden := self.hidden_headings + left_out:
            last = max(lines[-1].number if lines else 0, sections[-1].number)
            lines.append(Line(last, marker(hidden, "headings")))
        return lines

    def _without_headings(self, level: CompressionLevel) -> list[Line]:
        """The first sentences of the paragraphs, blank lines between them."""
        section = self.sections[0]
        if not section.paragraph:
            return section.lines(CompressionLevel.SKELETON_PLUS)
        paragraphs = [section.paragraph, *self.prose]
        shown = paragraphs[: _MOST_PROSE[level]]
        lines = [line for paragraph in shown for line in (paragraph, Line(paragraph.number, ""))][:-1]
        if hidden := self.hidden_prose + section.more + len(paragraphs) - len(shown):
            lines.append(Line(lines[-1].number, marker(hidden, "more")))
        return lines


def _within_cap(sections: list[Section], level: CompressionLevel) -> tuple[list[Line], int]:
    """The lines of as many sections as the cap allows, deep ones left out first, and how many headings are left out."""
    shown = _at_skeleton(sections)
    if level is CompressionLevel.SKELETON_PLUS:
        shown = _at_skeleton_plus(sections, shown)
    left_out = sum(not own and section.depth > 0 for section, own in zip(sections, shown, strict=True))
    return [line for own in shown for line in own], left_out


def _at_skeleton(sections: list[Section]) -> list[list[Line]]:
    """The lines of each section at L2; none of one that is left out."""
    titles = Counter(section.heading for section in sections)
    told = [
        section.lines(CompressionLevel.SKELETON) if section.depth < 2 or titles[section.heading] <= _MOST_ALIKE else []
        for section in sections
    ]
    room = CAPS[CompressionLevel.SKELETON]
    for deepest in _DEEPEST:
        shown = [own if section.depth <= deepest else [] for section, own in zip(sections, told, strict=True)]
        if _size(shown) <= room:
            return shown
    return _beginning(told, [[] for _ in told], room)


def _at_skeleton_plus(sections: list[Section], headings: list[list[Line]]) -> list[list[Line]]:
    """The lines of each section at L1.

    Args:
        sections: all of them.
        headings: the lines of each at L2: these are shown in any case.
    """
    told = [section.lines(CompressionLevel.SKELETON_PLUS) for section in sections]
    room = CAPS[CompressionLevel.SKELETON_PLUS]
    for deepest in _DEEPEST:
        shown = [
            own if section.depth <= deepest else heading
            for section, own, heading in zip(sections, told, headings, strict=True)
        ]
        if _size(shown) <= room:
            return shown
    return _beginning(told, headings, room)


def _beginning(told: list[list[Line]], least: list[list[Line]], room: int) -> list[list[Line]]:
    """As many sections as there is room for, from the first on, and the least of each that comes after them."""
    room -= _size(least)
    for count, (own, less) in enumerate(zip(told, least, strict=True)):
        room -= size(own) - size(less)
        if room < 0:
            return told[:count] + least[count:]
    return told


def _size(shown: list[list[Line]]) -> int:
    return sum(map(size, shown))


def code_span(text: str) -> str:
    """A line of code between backticks."""
    text = cut(" ".join(text.split()), CODE_WIDTH)
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}"


def row(text: str) -> str:
    """A row of a table."""
    text = " ".join(text.split())
    return cut(text if text.startswith("|") else f"| {text}", CODE_WIDTH)
