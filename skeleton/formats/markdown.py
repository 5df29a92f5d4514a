"""Markdown: headings, and at L1 the first thing that each section says.

The reader goes line by line and knows just enough of CommonMark to tell a heading from what looks like one: fenced and
indented code, HTML blocks and comments, front matter, block quotes and lists are stepped over, setext headings and
`<h1>` are read as headings and shown as `#`. Targets of links and badges are left out: they cost more than they tell.

At L1 a section shows the first sentence of its first paragraph; without one its first list item, the first line of its
code, or the head of its table, and how much more there is (`… 11 more`). The title, name and description of front
matter stay, because documentation sites and agents' files have their title there and not in a heading. A long document
loses its deepest headings first, and then its last ones (`CAPS`).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from skeleton.formats import plain
from skeleton.formats.lines import MARKER, Line, cut, marked_count, marker, size
from skeleton.levels import CompressionLevel
from skeleton.sentences import first_sentence

CAPS = {CompressionLevel.SKELETON_PLUS: 10_000, CompressionLevel.SKELETON: 3_000}
"""Bytes within which an outline has to stay."""

_HEADING_WIDTH = 160
_CODE_WIDTH = 120
_MOST_FRONT_MATTER = 200

_MOST_PROSE = {CompressionLevel.SKELETON_PLUS: 16, CompressionLevel.SKELETON: 3}
"""Paragraphs that are shown of a text without headings."""

_MOST_ALIKE = 3
"""A title that more sections have (`Fixed` in a changelog) tells nothing at L2."""

_MOST_TEXT = 2000
"""Characters of a paragraph that are looked at."""

_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?=[ \t\r]|$)").match
_SETEXT = re.compile(r" {0,3}(?:(?P<one>=+)|-+)[ \t\r]*$").match
_HTML_HEADING = re.compile(r" {0,3}<h(?P<depth>[1-6])\b[^>]*>(?P<title>.*?)</h[1-6]>", re.IGNORECASE).match
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}(?=[^`]*$)|~{3,})").match
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\r?$)").match
_HTML = re.compile(r" {0,3}<(?:!--|[/!?]?[A-Za-z][\w-]*(?=[\s/>]|$))").match
_NOISE = re.compile(r" {0,3}(?:\[[^\]]+\]:[ \t]|(?:[-*_][ \t]*){3,}\r?$|\{[:%]|:::|!{3}|\?{3})").match
_MARKER_LINE = re.compile(rf"{MARKER.pattern}$").match
_FRONT_MATTER = re.compile(r"(?:---|\+\+\+)[ \t\r]*$").match
_TITLE_KEY = {
    CompressionLevel.SKELETON_PLUS: re.compile(r"(?:title|name|description|summary)[ \t]*[:=][ \t]*\S").match,
    CompressionLevel.SKELETON: re.compile(r"(?:title|name)[ \t]*[:=][ \t]*\S").match,
}
_TARGET = r"(?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ ]\"[^\"]*\")?\)|\[[^\[\]]*\])"
_NOT_TEXT = re.compile(
    rf"""(?P<code>(?P<tick>`+)(?!`)[^`]*(?P=tick))
      | !\[[^\[\]]*\]{_TARGET}
      | \[(?P<text>[^\[\]]*)\]{_TARGET}
      | <!--.*?-->|</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>""",
    re.VERBOSE,
).sub
_ONE_CODE_SPAN = re.compile(r"(?P<tick>``?)(?P<code>(?:[^`]|(?<!`)`(?!`))+)(?P=tick)$").match
_TABLE_RULE = frozenset("|-: \t\r")


@dataclass(slots=True)
class _Section:
    """A heading (none at the top of a document) and what is below it.

    Attributes:
        number: the line of the heading.
        depth: 1 to 6; 0 at the top.
        title: its text.
        paragraph: the first sentence of the first paragraph that has text.
        other: the first block that is no paragraph: the beginning of a list, code, a table or a quotation.
        more: how many items, lines or rows more that block has.
        noun: what they are.
    """

    number: int
    depth: int = 0
    title: str = ""
    paragraph: Line | None = None
    other: Line | None = None
    more: int = 0
    noun: str = "more"

    def lines(self, level: CompressionLevel) -> list[Line]:
        """What is shown of it."""
        lines: list[Line] = []
        if self.depth:
            lines.append(Line(self.number, f"{'#' * self.depth} {cut(self.title, _HEADING_WIDTH)}".rstrip()))
        if level is CompressionLevel.SKELETON:
            return lines
        if self.paragraph:
            lines.append(self.paragraph)
        elif self.other:
            lines.append(self.other)
            if self.more:
                lines.append(Line(self.other.number, marker(self.more, self.noun)))
        return lines


def outline_lines(source: str, level: CompressionLevel) -> list[Line]:
    """Headings (L2), each with the first sentence of its section (L1); head and tail of a text without headings."""
    reader = _Reader()
    for number, text in enumerate(source.split("\n"), 1):
        reader.read_line(number, text)
    reader.end_paragraph()
    sections = [section for section in reader.sections if section.depth or section.paragraph or section.other]
    front = [line for line in reader.front_matter if _FRONT_MATTER(line.text) or _TITLE_KEY[level](line.text)]
    lines = [Line(line.number, cut(line.text.rstrip(), _HEADING_WIDTH)) for line in front if len(front) > 2]
    if not any(section.depth for section in sections):
        lines += _without_headings(reader, level)
        return lines or plain.outline_lines(source, level)
    written, shown = _within_cap(sections, level)
    lines += written
    if hidden := reader.hidden_headings + len(sections) - shown:
        lines.append(Line(max(lines[-1].number, sections[-1].number), marker(hidden, "headings")))
    return lines


def _without_headings(reader: _Reader, level: CompressionLevel) -> list[Line]:
    """The first sentences of a text's paragraphs, blank lines between them."""
    section = reader.sections[0]
    if not section.paragraph:
        return section.lines(CompressionLevel.SKELETON_PLUS)
    paragraphs = [section.paragraph, *reader.prose]
    shown = paragraphs[: _MOST_PROSE[level]]
    lines = [line for paragraph in shown for line in (paragraph, Line(paragraph.number, ""))][:-1]
    if hidden := reader.hidden_prose + section.more + len(paragraphs) - len(shown):
        lines.append(Line(lines[-1].number, marker(hidden, "more")))
    return lines


def _within_cap(sections: list[_Section], level: CompressionLevel) -> tuple[list[Line], int]:
    """The lines of as many sections as the cap allows, deep ones left out first, and how many sections those are."""
    if level is CompressionLevel.SKELETON:
        titles = Counter(section.title for section in sections)
        sections = [section for section in sections if section.depth < 2 or titles[section.title] <= _MOST_ALIKE]
    for deepest in (6, 5, 4, 3):
        shown = [section for section in sections if section.depth <= deepest]
        written = [line for section in shown for line in section.lines(level)]
        if size(written) <= CAPS[level]:
            return written, len(shown)
    lines: list[Line] = []
    room = CAPS[level]
    for count, section in enumerate(sections):
        written = section.lines(level)
        room -= size(written)
        if room < 0:
            return lines, count
        lines += written
    return lines, len(sections)


def _clean(text: str) -> str:
    """Text without the targets of links, without images and tags; code stays."""
    text = text[:_MOST_TEXT]
    for _ in range(3):
        text = _NOT_TEXT(lambda match: match["code"] or match["text"] or "", text)
    return text.strip()


def _code(text: str) -> str:
    """A line of code as a code span."""
    text = cut(" ".join(text.split()), _CODE_WIDTH)
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}"


def _row(text: str) -> str:
    """The first row of a table."""
    text = " ".join(text.split())
    return cut(text if text.startswith("|") else f"| {text}", _CODE_WIDTH)


class _Reader:
    """The sections of a document, line by line."""

    def __init__(self) -> None:
        self.sections = [_Section(1)]
        self.front_matter: list[Line] = []
        self.hidden_headings = 0
        self.prose: list[Line] = []
        self.hidden_prose = 0
        self.number = 0
        self._read = self._read_first
        self._paragraph: list[str] = []
        self._fence = ""
        self._in_list = False
        self._was_blank = True
        self._row = 0  # the line of a table that was read last

    def read_line(self, number: int, text: str) -> None:
        """Takes the next line."""
        self.number = number
        self._read(text)

    def _read_first(self, text: str) -> None:
        self._read = self._read_block
        if _FRONT_MATTER(text):
            self.front_matter.append(Line(self.number, text))
            self._read = self._read_front_matter
        else:
            self._read_block(text.removeprefix("\ufeff"))

    def _read_front_matter(self, text: str) -> None:
        self.front_matter.append(Line(self.number, text))
        if text.rstrip() == self.front_matter[0].text.rstrip():
            self._read = self._read_block
        elif len(self.front_matter) > _MOST_FRONT_MATTER:
            self.front_matter.clear()
            self._read = self._read_block

    def _read_fenced(self, text: str) -> None:
        stripped = text.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._read = self._read_block
        elif stripped:
            self._add_other(_code(stripped), "lines", is_code=True)

    def _read_comment(self, text: str) -> None:
        if "-->" in text:
            self._read = self._read_block

    def _read_html(self, text: str) -> None:
        if heading := _HTML_HEADING(text):
            self._add_heading(self.number, int(heading["depth"]), _clean(heading["title"]))
        elif not text or text.isspace():
            self._was_blank = True
            self._read = self._read_block

    def _read_block(self, text: str) -> None:
        stripped = text.strip()
        if not stripped:
            self.end_paragraph()
            self._was_blank = True
            return
        was_blank, self._was_blank = self._was_blank, False
        if stripped[0] == "…" and _MARKER_LINE(stripped):
            self._read_marker(stripped)
            return
        indent = len(text) - len(text.lstrip())
        if self._in_list and was_blank and indent < 2 and not _ITEM(text):
            self._in_list = False
        is_code = indent > 3 and not self._in_list
        if is_code and not self._paragraph:
            self._add_other(_code(stripped), "lines", is_code=True)
        elif is_code or not self._begin_block(text, stripped, indent):
            self._read_text(stripped, was_blank)

    def _begin_block(self, text: str, stripped: str, indent: int) -> bool:
        """Whether the line is a block of its own or the first of one."""
        first = stripped[0]
        if first in "`~-*+0123456789" and (fence := _FENCE(text)):
            self._end_for_other()
            self._fence = fence["fence"]
            self._read = self._read_fenced
        elif self._in_list and indent > 1:
            return True
        elif first == "#" and (heading := _ATX(text)):
            self._end_for_other()
            title = text[heading.end() :].strip()
            if title.endswith("#") and (bare := title.rstrip("#"))[-1:] in ("", " ", "\t"):
                title = bare.rstrip()
            self._add_heading(self.number, len(heading["marks"]), _clean(title))
        elif first in "=-" and self._paragraph and (underline := _SETEXT(text)):
            title = _clean(" ".join(self._paragraph))
            number = self.number - len(self._paragraph)
            self._paragraph.clear()
            self._add_heading(number, 1 if underline["one"] else 2, title)
        elif first == "<" and _HTML(text):
            self._begin_html(text)
        elif first == ">":
            self._end_for_other()
            if quoted := first_sentence(_clean(stripped.lstrip("> "))):
                self._add_other(f"> {quoted}", "lines")
            self._in_list = True
        elif first in "-*+0123456789" and (item := _ITEM(text)) and not _NOISE(text):
            self._end_for_other()
            self._in_list = True
            mark = "-" if first in "-*+" else item[0].strip()
            self._add_other(f"{mark} {first_sentence(_clean(text[item.end() :]))}".rstrip(), "more")
        elif _NOISE(text):
            self._end_for_other()
            self._in_list = stripped[0] in "!?"  # what is indented below an admonition belongs to it
        else:
            return "|" in stripped and self._read_row(stripped)
        return True

    def _begin_html(self, text: str) -> None:
        self._end_for_other()
        if text.lstrip().startswith("<!--"):
            if "-->" not in text:
                self._read = self._read_comment
        else:
            self._read = self._read_html
            self._read_html(text)

    def _read_row(self, stripped: str) -> bool:
        """Whether the line is a row of a table, from its rule on."""
        if self._paragraph and "-" in stripped and _TABLE_RULE.issuperset(stripped):
            header = _clean(self._paragraph.pop())
            self.number -= 1
            self.end_paragraph()
            self.number += 1
            self._add_other(_row(header), "rows", number=self.number - 1)
        elif self._row == self.number - 1:
            self._add_other("", "rows")
        else:
            return False
        self._row = self.number
        return True

    def _read_text(self, stripped: str, was_blank: bool) -> None:
        if self._in_list and not was_blank:
            return
        self._paragraph.append(stripped)

    def _read_marker(self, stripped: str) -> None:
        self.end_paragraph()
        count = marked_count(stripped)
        if stripped.endswith(("heading", "headings")):
            self.hidden_headings += count
        else:
            self.sections[-1].more += count
            self.sections[-1].noun = "lines" if "line" in stripped else "rows" if "row" in stripped else "more"

    def _end_for_other(self) -> None:
        self.end_paragraph()
        self._in_list = False

    def end_paragraph(self) -> None:
        """Closes the paragraph: the first one with text speaks for its section."""
        if not self._paragraph:
            return
        section = self.sections[-1]
        if not section.paragraph:
            text = _clean("\n".join(self._paragraph))
            if len(self._paragraph) == 1 and text[:1] == "|":
                self._add_other(_row(text), "rows", number=self.number - 1)
            elif len(self._paragraph) == 1 and (span := _ONE_CODE_SPAN(text)):
                self._add_other(_code(span["code"]), "lines", number=self.number - 1)
            elif sentence := first_sentence(text):
                section.paragraph = Line(self.number - len(self._paragraph), sentence)
        elif not section.depth:
            self._add_prose(first_sentence(_clean("\n".join(self._paragraph))))
        self._paragraph.clear()

    def _add_prose(self, sentence: str) -> None:
        """Takes another paragraph of a text that has no heading so far."""
        if sentence and len(self.prose) < _MOST_PROSE[CompressionLevel.SKELETON_PLUS]:
            self.prose.append(Line(self.number - len(self._paragraph), sentence))
        elif sentence:
            self.hidden_prose += 1

    def _add_heading(self, number: int, depth: int, title: str) -> None:
        self.end_paragraph()
        self._in_list = False
        if title:
            self.sections.append(_Section(number, depth, " ".join(title.split())))

    def _add_other(self, text: str, noun: str, *, is_code: bool = False, number: int = 0) -> None:
        """Takes the beginning of a block that is no paragraph, or counts another part of it."""
        section = self.sections[-1]
        if section.paragraph:
            return
        if not section.other:
            section.other, section.noun = Line(number or self.number, text), noun
        elif section.noun == noun and not (is_code and section.other.text[:1] != "`"):
            section.more += 1
