"""Markdown: headings, and at L1 the first thing that each section says.

The reader goes line by line and knows just enough of CommonMark to tell a heading from what looks like one: fenced and
indented code, HTML blocks and comments, front matter, block quotes and lists are stepped over, setext headings and
`<h1>` are read as headings and shown as `#`. Targets of links and badges are left out: they cost more than they tell.

The title, name and description of front matter stay, because documentation sites and agents' files have their title
there and not in a heading. What is shown of a section is the business of `skeleton.formats.sections`.
"""

from __future__ import annotations

import re
from functools import partial

from skeleton.formats import plain
from skeleton.formats.above import ANCHOR
from skeleton.formats.lines import MARKER, Line, Outliner, cut, marked_count
from skeleton.formats.sections import ONE_CODE_SPAN, Document, Section, code_span, row
from skeleton.levels import CompressionLevel
from skeleton.render.sentences import first_sentence

_HEADING_WIDTH = 160
_MOST_FRONT_MATTER = 200

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
    rf"""(?P<code>(?P<tick>`{{1,9}})(?!`)[^`]*(?P=tick))
      | !\[[^\[\]]*\]{_TARGET}
      | \[(?P<text>[^\[\]]*)\]{_TARGET}
      | <!--.{{0,1000}}?-->|</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>""",
    re.VERBOSE,
).sub
_TABLE_RULE = frozenset("|-: \t\r")


def outliner(source: str) -> Outliner:
    """Headings (L2), each with the first sentence of its section (L1); the first sentences of a text without headings."""
    reader = _Reader()
    for number, text in enumerate(source.split("\n"), 1):
        reader.read_line(number, text)
    reader.end_paragraph()
    return partial(_outline_lines, reader, source)


def _outline_lines(reader: _Reader, source: str, level: CompressionLevel) -> list[Line]:
    front = [line for line in reader.front_matter if _FRONT_MATTER(line.text) or _TITLE_KEY[level](line.text)]
    lines = [Line(line.number, cut(line.text.rstrip(), _HEADING_WIDTH)) for line in front if len(front) > 2]
    return lines + reader.document.outline(level) or plain.outliner(source)(level)


def _clean(text: str) -> str:
    """Text without the targets of links, without images and tags; code stays."""
    text = text[:_MOST_TEXT]
    for _ in range(3):
        if "]" not in text and "<" not in text:
            break
        text = _NOT_TEXT(lambda match: match["code"] or match["text"] or "", text)
    return text.strip()


class _Reader:
    """The sections of a document, line by line."""

    def __init__(self) -> None:
        self.section = Section(1)
        self.document = Document([self.section], [])
        self.front_matter: list[Line] = []
        self.number = 0
        self._read = self._read_first
        self._paragraph: list[str] = []
        self._start = 0  # the line of its first line
        self._fence = ""
        self._in_list = False
        self._was_blank = True
        self._row = -1  # the line of a table that was read last

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
            self._add_other(code_span(stripped), "lines")

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
            self._add_other(code_span(stripped), "lines")
        elif is_code or not self._begin_block(text, stripped, indent):
            self._read_text(stripped, was_blank)

    def _begin_block(self, text: str, stripped: str, indent: int) -> bool:
        """Tells whether the line is a block of its own or the first of one."""
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
            self._paragraph.clear()
            self._add_heading(self._start, 1 if underline["one"] else 2, title)
        elif first == "<" and _HTML(text):
            self._begin_html(text)
        elif first == ">":
            self._end_for_other()
            self._add_other(f"> {stripped.lstrip('> ')}", "more", is_prose=True)
            self._in_list = True
        elif first in "-*+0123456789" and (item := _ITEM(text)) and not _NOISE(text):
            self._end_for_other()
            self._in_list = True
            mark = "-" if first in "-*+" else item[0].strip()
            self._add_other(f"{mark} {text[item.end() :]}", "more", is_prose=True)
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
        """Tells whether the line is a row of a table, from its rule on."""
        if self._paragraph and "-" in stripped and _TABLE_RULE.issuperset(stripped):
            header = _clean(self._paragraph.pop())
            self.end_paragraph()
            self._add_other(row(header), "rows", number=self.number - 1)
        elif _TABLE_RULE.issuperset(stripped):
            return True
        elif self._row == self.number - 1:
            self._add_other("", "rows")
        else:
            return False
        self._row = self.number
        return True

    def _read_text(self, stripped: str, was_blank: bool) -> None:
        if self._in_list and not was_blank:
            return
        if not self._paragraph:
            self._start = self.number
        self._paragraph.append(stripped)

    def _read_marker(self, stripped: str) -> None:
        self.end_paragraph()
        count = marked_count(stripped)
        if stripped.endswith(("heading", "headings")):
            self.document.hidden_headings += count
        else:
            self.section.more += count
            self.section.noun = "lines" if "line" in stripped else "rows" if "row" in stripped else "more"

    def _end_for_other(self) -> None:
        self.end_paragraph()
        self._in_list = False

    def end_paragraph(self) -> None:
        """Closes the paragraph: the first one with text speaks for its section."""
        if not self._paragraph:
            return
        section = self.section
        if not section.paragraph:
            text = _clean("\n".join(self._paragraph))
            if text[:1] == "|":
                self._add_other(row(text.partition("\n")[0]), "rows", number=self._start)
            elif len(self._paragraph) == 1 and (span := ONE_CODE_SPAN(text)):
                self._add_other(code_span(span[span.lastgroup or 0]), "lines", number=self._start)
            elif sentence := first_sentence(text):
                section.paragraph = Line(self._start, sentence)
        elif not section.depth and (sentence := first_sentence(_clean("\n".join(self._paragraph)))):
            self.document.add_prose(self._start, sentence)
        self._paragraph.clear()

    def _add_heading(self, number: int, depth: int, title: str) -> None:
        self.end_paragraph()
        self._in_list = False
        if title := ANCHOR.sub("", title).rstrip():
            title = cut(" ".join(title.split()), _HEADING_WIDTH)
            self.section = Section(number, depth, (f"{'#' * depth} {title}",))
            self.document.sections.append(self.section)

    def _add_other(self, text: str, noun: str, *, is_prose: bool = False, number: int = 0) -> None:
        """Takes the beginning of a block that is no paragraph, or counts another part of it."""
        if is_prose and self.section.other is None and not self.section.paragraph:
            mark, _, text = text.partition(" ")
            text = f"{mark} {first_sentence(_clean(text))}".rstrip()
        self.section.add_other(number or self.number, text, noun)
