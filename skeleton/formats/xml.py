"""XML: its elements to a depth, long texts and long rows of siblings folded.

Like `skeleton.formats.folding`, the first of ever stricter limits whose outline is within the cap is taken. At L1
elements keep their attributes and short texts; at L2 the text goes and only attributes
(`_NAMING`, foremost `_NAMES`) and elements (`_NAMING_ELEMENTS`) that name things stay.
"""

from __future__ import annotations

import re
import sys
from functools import partial

import msgspec

from skeleton.formats.lines import MARKER, Line, NotThisFormatError, Outliner, cut, marked_count, marker
from skeleton.formats.markup import PartKind, parts
from skeleton.levels import CompressionLevel

_WIDTH = 120
_MOST_CHILDREN = 64
_MAX_DEPTH = 9
_NAMING = re.compile(
    r"""(?<![\w.:-])(?:[\w.-]+:)?(id|name|key|Include|path|value|class|type|ref|Condition|Sdk)=(?:"[^"]*"|'[^']*')"""
).finditer
_NAMES = frozenset({"id", "name", "key", "Include", "class"})
"""Attributes that say what an element is; several of them stay at L2 where there is room for them."""

_NAMING_ELEMENTS = frozenset({"artifactid", "name", "id", "key", "title", "module"})
"""Elements whose text is a name; it stays at L2."""

_NAME_WIDTH = 48


class _Element(msgspec.Struct):
    name: str
    line: int
    attributes: str = ""
    text: str = ""
    end: int = 0
    children: list[_Element] = msgspec.field(default_factory=list["_Element"])
    hidden: int = 0


class _Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of an outline: levels of elements, children of one, of one name, characters of texts and attributes."""

    depth: int
    children: int
    alike: int
    text: int
    attributes: int


_LADDERS = {
    CompressionLevel.SKELETON_PLUS: (
        _Limits(depth=8, children=48, alike=12, text=80, attributes=120),
        _Limits(depth=6, children=32, alike=6, text=60, attributes=100),
        _Limits(depth=5, children=24, alike=3, text=40, attributes=80),
        _Limits(depth=4, children=16, alike=2, text=40, attributes=60),
        _Limits(depth=3, children=16, alike=1, text=32, attributes=48),
        _Limits(depth=2, children=12, alike=1, text=24, attributes=32),
    ),
    CompressionLevel.SKELETON: (
        _Limits(depth=5, children=32, alike=4, text=0, attributes=60),
        _Limits(depth=4, children=24, alike=2, text=0, attributes=48),
        _Limits(depth=3, children=16, alike=1, text=0, attributes=32),
        _Limits(depth=2, children=12, alike=1, text=0, attributes=24),
    ),
}
_CAPS = {CompressionLevel.SKELETON_PLUS: 4000, CompressionLevel.SKELETON: 1600}


def outliner(source: str) -> Outliner:
    """Elements with attributes and texts (L1), elements with what names them (L2).

    Raises:
        NotThisFormatError: there is no element.
    """
    roots = _read(source)
    if not roots:
        raise NotThisFormatError("no element")
    return partial(_outline_lines, roots)


def _read(source: str) -> list[_Element]:
    document = _Element("", 1)
    stack = [document]
    skipped = 0
    for kind, line, name, text, lines in parts(source):
        if kind is PartKind.CLOSE:
            if skipped:
                skipped -= 1
            elif len(stack) > 1:
                stack.pop().end = line
        elif kind is PartKind.TEXT:
            if not skipped:
                _add_text(stack[-1], text)
        elif kind is not PartKind.DECLARATION:
            parent = stack[-1]
            is_shown = not skipped and len(parent.children) < _MOST_CHILDREN and len(stack) <= _MAX_DEPTH
            if is_shown:
                element = _Element(name, line, text, end=line + lines)
                parent.children.append(element)
                if kind is PartKind.OPEN:
                    stack.append(element)
            else:
                parent.hidden += not skipped
                skipped += kind is PartKind.OPEN
    for element in stack:
        element.end = max(element.end, source.count("\n") + (not source.endswith("\n")))
    return document.children


def _add_text(element: _Element, text: str) -> None:
    if count := marked_count(text):
        element.hidden += count
        text = MARKER.sub("", text).strip()
    if text and len(element.text) < _WIDTH * 2:
        element.text = f"{element.text} {text}".strip()


def _outline_lines(roots: list[_Element], level: CompressionLevel) -> list[Line]:
    ladder = _LADDERS[level]
    for limits in ladder:
        writer = _Writer(limits, _CAPS[level] if limits is not ladder[-1] else sys.maxsize)
        for root in roots[: limits.children]:
            writer.write(root, 0)
        if writer.room >= 0:
            return writer.lines
    raise AssertionError("the last rung has room for everything")


class _Writer:
    """Elements on lines, as limits say, until there is no room."""

    def __init__(self, limits: _Limits, room: int) -> None:
        self.limits = limits
        self.room = room
        self.lines: list[Line] = []

    def write(self, element: _Element, depth: int) -> None:
        """Appends an element, on one line if it fits."""
        if self.room < 0:
            return
        indent = "  " * depth
        text = self._one_line(element, depth, _WIDTH - len(indent))
        if text is not None:
            self._append(element.line, indent + text)
            return
        children, hidden = self._shown(element)
        text = self._text(element)
        self._append(element.line, f"{indent}<{self._opening(element)}>{text}")
        opened = len(self.lines)
        for child in children:
            before = len(self.lines)
            self.write(child, depth + 1)
            if not self.limits.text and len(self.lines) == before + 1 > opened + 1:
                self._pack()
        if hidden and self.room >= 0:
            self._append(self.lines[-1].number, f"{indent}  {marker(hidden, 'more')}")
        self._append(max(element.end, self.lines[-1].number), f"{indent}</{element.name}>")

    def _pack(self) -> None:
        """Puts the last line behind the one before it when both hold whole elements and there is space."""
        before, last = self.lines[-2:]
        packed = f"{before.text} {last.text.lstrip()}"
        if len(packed) <= _WIDTH and before.text.lstrip()[:2] != "</":
            self.lines[-2:] = [Line(before.number, packed)]

    def _append(self, number: int, text: str) -> None:
        self.lines.append(Line(number, text))
        self.room -= len(text) + 1

    def _text(self, element: _Element) -> str:
        if not self.limits.text and element.name.lower() not in _NAMING_ELEMENTS:
            return ""
        return cut(element.text, self.limits.text or _NAME_WIDTH)

    def _opening(self, element: _Element) -> str:
        attributes = element.attributes
        if attributes and not self.limits.text:
            attributes = _naming(attributes, self.limits.attributes)
            if len(attributes) > self.limits.attributes:
                return f"{element.name} {attributes[: self.limits.attributes - 2]}…{attributes[-1]}"
        return f"{element.name} {cut(attributes, self.limits.attributes)}".rstrip()

    def _shown(self, element: _Element) -> tuple[list[_Element], int]:
        """The children that are shown, few of a name, and how many are not."""
        alike: dict[str, int] = {}
        shown: list[_Element] = []
        for child in element.children:
            alike[child.name] = alike.get(child.name, 0) + 1
            if alike[child.name] <= self.limits.alike and len(shown) < self.limits.children:
                shown.append(child)
        return shown, element.hidden + len(element.children) - len(shown)

    def _one_line(self, element: _Element, depth: int, width: int) -> str | None:
        opening = self._opening(element)
        text = self._text(element)
        if depth + 1 >= self.limits.depth:
            children, hidden = [], element.hidden + len(element.children)
        else:
            children, hidden = self._shown(element)
        pieces = [text] if text else []
        space = width
        for child in children:
            piece = self._one_line(child, depth + 1, space)
            if piece is None:
                return None
            pieces.append(piece)
            space -= len(piece)
            if space < 0:
                return None
        if hidden:
            pieces.append(marker(hidden, "more" if children else "elements"))
        if not pieces:
            return f"<{opening}/>"
        line = f"<{opening}>{''.join(pieces)}</{element.name}>"
        return line if len(line) <= width or not children else None


def _naming(attributes: str, room: int) -> str:
    """Returns the attributes that name an element: its names, as far as there is room, or else what names anything."""
    found = list(_NAMING(attributes))
    kept = ""
    for match in [one for one in found if one[1] in _NAMES] or found[:1]:
        if kept and len(kept) + 1 + len(match[0]) > room:
            break
        kept = f"{kept} {match[0]}".lstrip()
    return kept
