"""HTML and templates of it: the tags that give a page its structure, one a line.

Shown are the title, landmarks and sections, headings with their text, forms and their fields, scripts and style sheets,
elements of one's own (`<app-header>`), anything with an id, and the directives of template languages that put pages
together (`{% extends %}`, `{% block %}`). At L1 a heading is followed by the first sentence of the first paragraph below
it; at L2 only title, landmarks, headings and template directives stay. Closing tags are not shown and nothing is
indented: the order says enough, and closing tags would be a third of the outline.
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from skeleton.formats.lines import MARKER, Line, NotThisFormatError, Outliner, cut, marked_count, marker
from skeleton.formats.markup import Part, PartKind, parts
from skeleton.levels import CompressionLevel
from skeleton.render.sentences import first_sentence

CAPS = {CompressionLevel.SKELETON_PLUS: 5000, CompressionLevel.SKELETON: 2000}
"""Bytes within which an outline has to stay; what does not fit is counted at its end."""

_LANDMARKS = frozenset(
    {
        "html",
        "body",
        "header",
        "nav",
        "main",
        "aside",
        "footer",
        "section",
        "article",
        "form",
        "dialog",
        "template",
        "table",
    }
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_ENDS_PARAGRAPH = frozenset({"div", "ul", "ol", "dl", "li", "dt", "dd", "pre", "blockquote", "hr", "figure", "tr"})
_RAW_TEXT = frozenset({"script", "style"})
_TEXT_WIDTH = 160

_MOST_TEXT = 2000
_ATTRIBUTE_WIDTH = 80
_MARKER_LINE = re.compile(rf"{MARKER.pattern}$").match

_ATTRIBUTE = re.compile(r"""(?P<name>[^\s"'=<>/]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'<>]+))?""").finditer
_KEPT = {
    CompressionLevel.SKELETON_PLUS: frozenset(
        {"id", "name", "class", "src", "href", "rel", "action", "method", "type", "role", "lang", "for"}
    ),
    CompressionLevel.SKELETON: frozenset({"id", "name", "lang", "action"}),
}
_DIRECTIVE = re.compile(
    r"""\{%-?\s*(?:extends|block|include|import|from|macro|layout|load)\b[^%{}]*%\}
      | <%[@=]?\s*(?:include|render|layout|extends)\b[^%<>]*%>""",
    re.VERBOSE,
).finditer


class _Entry(NamedTuple):
    """A line of the outline at L1, and at L2 ("": not there)."""

    number: int
    text: str
    short: str = ""


def outliner(source: str) -> Outliner:
    """Structure, scripts, forms and the sentences below headings (L1); structure alone (L2).

    Raises:
        NotThisFormatError: there is nothing of these.
    """
    reader = _Reader()
    for part in parts(source, _RAW_TEXT):
        reader.read(part)
    reader.close()
    entries = sorted([*reader.entries, *_directives(source)], key=lambda entry: entry.number)
    if not entries:
        raise NotThisFormatError("no structure")
    return partial(_outline_lines, entries, reader.hidden)


def _outline_lines(entries: list[_Entry], hidden: int, level: CompressionLevel) -> list[Line]:
    is_short = level is CompressionLevel.SKELETON
    lines: list[Line] = []
    room = CAPS[level]
    for index, entry in enumerate(entries):
        text = entry.short if is_short else entry.text
        if not text or (lines and lines[-1].text == text):
            continue
        room -= len(text) + 1
        if room < 0:
            hidden += sum(bool(other.short if is_short else other.text) for other in entries[index:])
            break
        lines.append(Line(entry.number, text))
    if hidden:
        lines.append(Line(lines[-1].number if lines else 1, marker(hidden, "more")))
    return lines


def _directives(source: str) -> list[_Entry]:
    """The directives of template languages that put pages together."""
    entries: list[_Entry] = []
    line, offset = 1, 0
    for match in _DIRECTIVE(source):
        line += source.count("\n", offset, match.start())
        offset = match.start()
        text = cut(" ".join(match[0].split()), _TEXT_WIDTH)
        entries.append(_Entry(line, text, text))
    return entries


class _Reader:
    """Chooses among the parts of a page."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.hidden = 0
        self._open: Part | None = None  # the title, heading, paragraph, script or style whose text is being read
        self._texts: list[str] = []
        self._wants_paragraph = False

    def read(self, part: Part) -> None:
        """Takes the next part."""
        if part.kind is PartKind.TEXT:
            self._read_text(part)
        elif part.kind is PartKind.CLOSE:
            if self._open and part.name.lower() == self._open.name.lower():
                self.close()
        elif part.kind is not PartKind.DECLARATION:
            self._read_tag(part)

    def _read_text(self, part: Part) -> None:
        if self._open:
            if sum(map(len, self._texts)) < _MOST_TEXT:
                self._texts.append(part.text[:_MOST_TEXT])
            if self._open.name.lower() in _RAW_TEXT:
                count = marked_count(part.text) or len([line for line in part.text.split("\n") if line.strip()])
                self._texts = [marker(count, "lines")] if count else []
        elif _MARKER_LINE(part.text):
            self.hidden += marked_count(part.text)

    def _read_tag(self, part: Part) -> None:
        name = part.name.lower()
        if name in _HEADINGS or name in ("title", "p", *_RAW_TEXT):
            if name == "p" and self._open and self._open.name.lower() in _HEADINGS:
                return
            self.close()
            if name != "p" or self._wants_paragraph:
                self._open = part
            return
        if name in _ENDS_PARAGRAPH and self._open and self._open.name.lower() == "p":
            self.close()
        attributes = _attributes(part.text)
        if name in _LANDMARKS:
            self.close()
            self._add(part, attributes, is_short=name not in ("html", "body", "table"))
        elif name == "link" and attributes.get("href") and "stylesheet" in attributes.get("rel", ""):
            self._add(part, attributes)
        elif name == "meta" and attributes.get("name", "").strip("\"'") == "description":
            content = cut(attributes.get("content", "").strip("\"'"), _TEXT_WIDTH)
            self.entries.append(_Entry(part.line, f'<meta name="description" content="{content}">'))
        elif "-" in name or "id" in attributes or (name in _FIELDS and "name" in attributes):
            self._add(part, attributes)

    def _add(self, part: Part, attributes: dict[str, str], *, is_short: bool = False) -> None:
        texts: list[str] = []
        for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
            kept = (
                f" {name}={value}" if value else f" {name}"
                for name, value in attributes.items()
                if name in _KEPT[level]
                and len(value) <= _ATTRIBUTE_WIDTH
                and (name != "class" or "id" not in attributes)
            )
            texts.append(f"<{part.name}{''.join(kept)}>")
        self.entries.append(_Entry(part.line, texts[0], texts[1] if is_short else ""))

    def close(self) -> None:
        """Ends the element whose text is being read."""
        if not self._open:
            return
        part, text = self._open, " ".join(" ".join(self._texts).split())
        self._open, self._texts = None, []
        name = part.name.lower()
        attributes = _attributes(part.text)
        if name in _RAW_TEXT:
            source = attributes.get("src", "")
            if source or text:
                opening = f"<{part.name} src={cut(source, _TEXT_WIDTH)}>" if source else f"<{part.name}>"
                self.entries.append(_Entry(part.line, f"{opening}{text}</{part.name}>"))
        elif name == "p":
            if sentence := first_sentence(text):
                self.entries.append(_Entry(part.line, f"<p>{sentence}</p>"))
                self._wants_paragraph = False
        elif text:
            self._wants_paragraph = True
            identity = f" id={attributes['id']}" if attributes.get("id") else ""
            text = cut(text, _TEXT_WIDTH)
            self.entries.append(_Entry(part.line, f"<{name}{identity}>{text}</{name}>", f"<{name}>{text}</{name}>"))


def _attributes(text: str) -> dict[str, str]:
    """Attributes by their names in lower case, values with their quotes."""
    return {match["name"].lower(): match["value"] or "" for match in _ATTRIBUTE(text[:_MOST_TEXT])}
