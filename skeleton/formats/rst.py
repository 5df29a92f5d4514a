"""reStructuredText: headings, the names that API directives document, and at L1 the first thing each section says.

Read line by line like Markdown. A title is a line with a line of one repeated punctuation mark below it; its depth is
the place of its mark (and of the mark above it) in the order of first use. Shown titles get short underlines in the
order of `_MARKS`. Directives, comments and field lists are stepped over with what is indented below them, except for
those that name things (`.. function:: open(path)`, `.. automodule:: app`): they are shown at both levels, below the
headings, because reference pages consist of them.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from skeleton.formats import plain
from skeleton.formats.lines import MARKER, Line, Outliner, cut, marked_count
from skeleton.formats.sections import ONE_CODE_SPAN, Document, Section, code_span
from skeleton.render.sentences import first_sentence

if TYPE_CHECKING:
    from skeleton.levels import CompressionLevel

_MARKS = "=-~^\"'"
_TITLE_WIDTH = 160
_NAMES_DEPTH = 7
_MOST_TEXT = 2000

_ADORNMENT = re.compile(r"""([!-/:-@\[-`{-~])\1*[ \t\r]*$""").match
_DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+(?P<name>[\w:+.-]*[\w+-])::(?:[ \t]+(?P<argument>\S.*))?").match
_NAMING = re.compile(
    r"""(?:\w+:)?(?:auto\w+|(?:current)?module|class|exception|(?:class|static|abstract)?method|function|attribute|property|data
        |decorator(?:method)?|option|program|envvar|macro|member|struct|enum(?:erator)?|type|var|describe|confval|setting
        |(?:template)?(?:tag|filter)|django-admin|fieldlookup|http:\w+)$""",
    re.VERBOSE,
).match
_CODE = re.compile(r"(?:code|code-block|sourcecode|highlight|parsed-literal|console|doctest|testcode)$").match
_ITEM = re.compile(r"(?:[-*+•]|(?:\d{1,9}|[a-zA-Z#])[.)]|\((?:\d{1,9}|[a-zA-Z#])\))(?:[ \t]+|$)").match
_FIELD = re.compile(r":[^:\s`][^:`]*:(?=\s|$)").match
_TABLE = re.compile(r"(?:\+[-=+]{2,}|=+(?:[ \t]+=+)+)[ \t\r]*$").match
_MARKER_LINE = re.compile(rf"{MARKER.pattern}$").match
_NOT_TEXT = re.compile(r"`(?P<text>[^`<>]*[^`<>\s])\s*<[^`<>]*>`__?|(?<=\w)__?(?=\W|$)|\|(?=\w)[^|\n]*(?<=\w)\|_?").sub


def outliner(source: str) -> Outliner:
    """Titles and documented names (L2), each title with the first sentence of its section (L1)."""
    reader = _Reader(source.split("\n"))
    reader.read()
    return partial(_outline_lines, reader.document, source)


def _outline_lines(document: Document, source: str, level: CompressionLevel) -> list[Line]:
    return document.outline(level) or plain.outliner(source)(level)


def _clean(text: str) -> str:
    """Text without the targets of links and without substitutions."""
    return _NOT_TEXT(lambda match: match["text"] or "", text[:_MOST_TEXT]).strip()


class _Reader:
    """The sections of a document, line by line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.section = Section(1)
        self.document = Document([self.section], [])
        self.styles: list[str] = []

    def read(self) -> None:
        """Reads all lines."""
        index = 0
        while index < len(self.lines):
            index = self._read_from(index)

    def _read_from(self, index: int) -> int:
        """Reads the block that begins at a line; where the next one begins."""
        text = self.lines[index]
        stripped = text.strip()
        if not stripped:
            return index + 1
        indent = len(text) - len(text.lstrip())
        if stripped[0] == "…" and _MARKER_LINE(stripped):
            self._read_marker(stripped)
            return index + 1
        if directive := _DIRECTIVE(text):
            return self._read_directive(index, indent, directive)
        if stripped == ".." or stripped.startswith((".. ", "__ ")):
            return self._skip_deeper(index + 1, indent)
        if indent and index and not self.lines[index - 1].strip() and self.section.depth < _NAMES_DEPTH:
            return self._read_indented(index)
        if _TABLE(stripped):
            return self._read_table(index)
        if end := self._read_title(index, stripped):
            return end
        if _FIELD(stripped):
            return self._skip_deeper(index + 1, indent)
        if item := _ITEM(stripped):
            text = first_sentence(_clean(self._paragraph_from(index)[item.end() :]))
            self.section.add_other(index + 1, f"{item[0].strip()} {text}".rstrip(), "more")
            return self._skip_deeper(index + 1, indent)
        return self._read_paragraph(index)

    def _read_title(self, index: int, stripped: str) -> int:
        """Returns the index at which the text goes on after a title; 0 when there is none."""
        lines = self.lines
        below = lines[index + 1].rstrip() if index + 1 < len(lines) else ""
        if mark := _ADORNMENT(stripped):
            if len(stripped) < 3 or (len(stripped) < 4 and not below.strip()):
                return 0
            under = lines[index + 2].rstrip() if index + 2 < len(lines) else ""
            if below.strip() and under == stripped and not _ADORNMENT(below.strip()):
                self._add_title(index + 2, below.strip(), f"{mark[1]}{mark[1]}")
                return index + 3
            return index + 1
        mark = _ADORNMENT(below)
        if not mark or len(below) < min(3, len(stripped)) or lines[index][0].isspace():
            return 0
        self._add_title(index + 1, stripped, mark[1])
        return index + 2

    def _add_title(self, number: int, title: str, style: str) -> None:
        if style not in self.styles:
            self.styles.append(style)
        depth = min(self.styles.index(style) + 1, len(_MARKS))
        title = cut(" ".join(_clean(title).split()), _TITLE_WIDTH)
        if title and not _ADORNMENT(title):
            self._begin(Section(number, depth, (title, _MARKS[depth - 1] * 3)))

    def _begin(self, section: Section) -> None:
        self.section = section
        self.document.sections.append(section)

    def _read_directive(self, index: int, indent: int, directive: re.Match[str]) -> int:
        name, argument = directive["name"], (directive["argument"] or "").strip()
        if _NAMING(name) and argument:
            text = cut(f".. {name}:: {' '.join(argument.split())}", _TITLE_WIDTH)
            self._begin(Section(index + 1, _NAMES_DEPTH, (text,)))
            return index + 1
        if name == "toctree":
            return self._read_contents(index, indent, argument)
        end = self._skip_deeper(index + 1, indent)
        if _CODE(name):
            code = [line.strip() for line in self.lines[index + 1 : end] if line.strip()]
            for line in (line for line in code if not _FIELD(line)):
                self.section.add_other(index + 1, code_span(line), "lines")
        return end

    def _read_contents(self, index: int, indent: int, argument: str) -> int:
        """The pages of a table of contents, on one line."""
        end = self._skip_deeper(index + 1, indent)
        lines = [line.strip() for line in self.lines[index + 1 : end]]
        pages = argument.split(", ") if argument else [line for line in lines if line and not _FIELD(line)]
        if pages and not self.section.other:
            text = cut(f".. toctree:: {', '.join(pages)}", _TITLE_WIDTH * 2)
            self.section.add_other(index + 1, text, "pages")
        return end

    def _read_table(self, index: int) -> int:
        end = index
        while end < len(self.lines) and self.lines[end].strip():
            end += 1
        rows = [line for line in self.lines[index:end] if not _TABLE(line.strip()) and line.strip()[0] != "+"]
        for text in rows:
            self.section.add_other(index + 1, code_span(text), "rows")
        return end

    def _read_indented(self, index: int) -> int:
        """A literal block or a quotation."""
        while index < len(self.lines) and (text := self.lines[index]).strip() and text[0].isspace():
            if _DIRECTIVE(text):
                return index
            self.section.add_other(index + 1, code_span(text), "lines")
            index += 1
        return index

    def _paragraph_from(self, index: int) -> str:
        end = index
        while end < len(self.lines) and end < index + 20 and self.lines[end].strip():
            end += 1
        return "\n".join(line.strip() for line in self.lines[index:end])

    def _read_paragraph(self, index: int) -> int:
        end = index + 1
        while end < len(self.lines) and (text := self.lines[end].strip()):
            if (text[0] == "…" and _MARKER_LINE(text)) or self._begins_other(end):
                break
            end += 1
        section = self.section
        is_code = end == index + 1 and ONE_CODE_SPAN(self.lines[index].strip())
        if is_code:
            section.add_other(index + 1, code_span(is_code[is_code.lastgroup or 0]), "lines")
        elif not section.paragraph or not section.depth:
            sentence = first_sentence(_clean("\n".join(self.lines[index:end])))
            sentence = sentence.removesuffix("::").rstrip() if sentence.endswith("::") else sentence
            if sentence and not section.paragraph:
                section.paragraph = Line(index + 1, sentence)
            elif sentence:
                self.document.add_prose(index + 1, sentence)
        return end

    def _begins_other(self, index: int) -> bool:
        """Tells whether a line inside a paragraph is a title or names something: outlines have no blank lines."""
        if directive := _DIRECTIVE(self.lines[index]):
            return _NAMING(directive["name"]) is not None
        below = self.lines[index + 1].rstrip() if index + 1 < len(self.lines) else ""
        return len(below) > 2 and _ADORNMENT(below) is not None and not _ADORNMENT(self.lines[index].strip())

    def _read_marker(self, stripped: str) -> None:
        count = marked_count(stripped)
        if stripped.endswith(("heading", "headings")):
            self.document.hidden_headings += count
        else:
            self.section.more += count
            self.section.noun = "lines" if "line" in stripped else "rows" if "row" in stripped else "more"

    def _skip_deeper(self, index: int, indent: int) -> int:
        """The first line from `index` on that is not indented more than `indent`."""
        while index < len(self.lines):
            text = self.lines[index]
            if text.strip() and len(text) - len(text.lstrip()) <= indent:
                return index
            index += 1
        return index
