"""Folds a tree of keys and values until it is an outline.

What is kept is decided by size, not by kind of file: `LADDERS` lists, for each level, ever stricter `Limits`, and the
first whose outline is within `CAPS` is taken. So a `package.json` keeps all of its keys, and a data file of a megabyte
becomes the shape of its first records. The caps are absolute: an outline that is read again is within them, is folded by
the most generous limits, and does not change.

How things are written, the same for all three formats:

* a container that fits on one line is written on one line, in brackets, and otherwise a child a line;
* what is left out is counted where it was: `… 12 more`, `{… 4 keys}`, `[… 240 items]`;
* a long scalar is cut and ends with `…`; a list of scalars is filled up to one line;
* at L2 a scalar gives way to its type, and neighbours of one type share it: `"host", "user": string`; only lists of
  strings keep their first items, because those are names (dependencies, branches, modules);
* below the depth that is shown, a mapping keeps as many of its keys as fit, and they have no values: `{"id", "name"}`.
"""

from __future__ import annotations

import sys

import msgspec
from msgspec.structs import replace

from skeleton.formats.lines import Line, marker
from skeleton.formats.trees import ELIDED, STRING, Kind, Node, short_scalar, type_of
from skeleton.levels import CompressionLevel

LINE_WIDTH = 100
"""Characters, indentation included, that a container may take to be written on one line."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The amount of a tree that is shown.

    Attributes:
        depth: containers inside each other that show the values of their children.
        entries: children of a mapping.
        items: items of a sequence of containers.
        value: characters of a scalar.
        filled: characters of a sequence of scalars.
        names: characters of the keys of a mapping whose values are not shown.
        types: scalars give way to their types.
    """

    depth: int
    entries: int
    items: int
    value: int
    filled: int
    names: int
    types: bool


_PLUS = Limits(depth=6, entries=120, items=8, value=100, filled=320, names=320, types=False)
_TYPES = Limits(depth=3, entries=60, items=1, value=40, filled=72, names=72, types=True)

LADDERS = {
    CompressionLevel.SKELETON_PLUS: (
        _PLUS,
        replace(_PLUS, items=4, value=72, filled=160),
        replace(_PLUS, depth=5, items=2, value=72, filled=100),
        replace(_PLUS, depth=4, items=2, value=72, filled=100, names=160),
        replace(_PLUS, depth=3, items=1, value=64, filled=72, names=100),
        replace(_PLUS, depth=2, items=1, value=64, filled=72, names=240),
        replace(_PLUS, depth=2, items=1, value=40, filled=72, names=100),
        replace(_PLUS, depth=1, items=1, value=40, filled=72, names=1200),
        replace(_PLUS, depth=1, items=1, value=40, filled=48, names=320),
        replace(_PLUS, depth=1, entries=60, items=1, value=40, filled=48, names=72),
        replace(_PLUS, depth=1, entries=20, items=1, value=24, filled=32, names=72),
    ),
    CompressionLevel.SKELETON: (
        _TYPES,
        replace(_TYPES, depth=2, names=240),
        replace(_TYPES, depth=2),
        replace(_TYPES, depth=1, names=640),
        replace(_TYPES, depth=1, filled=48, names=240),
        replace(_TYPES, depth=1, filled=0),
        replace(_TYPES, depth=0, filled=0, names=160),
        replace(_TYPES, depth=0, entries=20, filled=0),
    ),
}

CAPS = {CompressionLevel.SKELETON_PLUS: 5000, CompressionLevel.SKELETON: 2000}
"""Bytes within which an outline has to stay; the last rung of a ladder is taken even if it does not."""


class Notation(msgspec.Struct, frozen=True, kw_only=True):
    """The notation in which a format writes its trees.

    Attributes:
        colon: what stands between a key and its value.
        is_indented: children stand below their parent, indented, without brackets (YAML).
        has_sections: the values of a file are tables under headers (TOML).
        unsafe: characters that a bare scalar may not hold inside brackets.
    """

    colon: str
    is_indented: bool = False
    has_sections: bool = False
    unsafe: frozenset[str] = frozenset()


def fold(
    roots: list[Node], notation: Notation, level: CompressionLevel, *, hidden: int = 0, share: int = 1
) -> list[Line]:
    """The outline of the values of a file at a level (L1 or L2).

    Args:
        roots: the values, in their order.
        notation: how the format writes them.
        level: L1 or L2.
        hidden: how many values more there are.
        share: how many such outlines share the cap.
    """
    ladder = LADDERS[level]
    for limits in ladder:
        page = _Page(CAPS[level] // share if limits is not ladder[-1] else sys.maxsize)
        Folding(limits=limits, notation=notation).write_roots(roots, hidden, page)
        if page.room >= 0:
            return page.lines
    raise AssertionError("the last rung has room for everything")


class _Page:
    """Lines, and how many bytes more there may be; a page without room is abandoned."""

    __slots__ = ("lines", "room")

    def __init__(self, room: int) -> None:
        self.lines: list[Line] = []
        self.room = room

    def write(self, number: int, text: str) -> None:
        self.lines.append(Line(number, text))
        self.room -= len(text) + 1

    def pack(self, opened: int) -> None:
        """Puts the last line behind the one before it when both hold whole children and there is space."""
        if len(self.lines) - opened < 2:
            return
        before, last = self.lines[-2:]
        packed = f"{before.text} {last.text.lstrip()}"
        if len(packed) <= LINE_WIDTH and before.text[-1] == "," and before.text.lstrip()[0] not in "}]":
            self.lines[-2:] = [Line(before.number, packed)]


class Folding(msgspec.Struct, frozen=True, kw_only=True):
    """One way to fold: limits and a notation. Recursion is bounded by `Limits.depth`."""

    limits: Limits
    notation: Notation

    def write_roots(self, roots: list[Node], hidden: int, page: _Page) -> None:
        """Writes several values, one below the other."""
        most = self.limits.entries if self.notation.has_sections else self.limits.items
        most = len(roots) if len(roots) <= most + 1 else most
        for root in roots[:most]:
            if self.notation.has_sections:
                self._write_section(root, page)
            else:
                self.write(root, page)
        if hidden := hidden + len(roots) - most:
            page.write(roots[most].line if most < len(roots) else page.lines[-1].number, marker(hidden, "more"))

    def write(self, node: Node, page: _Page, *, key: str = "", depth: int = 0, indent: str = "", end: str = "") -> None:
        """Writes a value and its key, on one line if they fit."""
        if page.room < 0:
            return
        text = self._one_line(node, depth, LINE_WIDTH - len(indent) - len(key))
        if self.notation.is_indented and depth == 0 and node.children:
            text = None
        if text is not None:
            page.write(node.line, f"{indent}{self._entry(key, node, text)}{end}")
        elif self.notation.is_indented:
            self._write_indented(node, key, depth, indent, page)
        else:
            self._write_bracketed(node, page, key=key, depth=depth, indent=indent, end=end)

    def _write_section(self, table: Node, page: _Page) -> None:
        if table.text:
            page.write(table.line, table.text)
        if self.limits.depth == 0:
            names = self._names(table)
            if names:
                page.write(table.children[0][1].line, f"{', '.join(names)}{self.notation.colon}{ELIDED}")
            self._write_hidden(table, table.hidden + len(table.children) - len(names), "", page)
            return
        children, hidden = self._shown(table, 0, LINE_WIDTH)
        for key, child in children:
            self.write(child, page, key=key, depth=1)
        self._write_hidden(table, hidden, "", page)

    def _write_bracketed(self, node: Node, page: _Page, *, key: str, depth: int, indent: str, end: str) -> None:
        brackets = "{}" if node.kind is Kind.MAPPING else "[]"
        page.write(node.line, indent + self._entry(key, node, brackets[0]))
        opened = len(page.lines)
        deeper = f"{indent}  "
        children, hidden = self._shown(node, depth, LINE_WIDTH - len(deeper))
        for child_key, child in children:
            before = len(page.lines)
            self.write(child, page, key=child_key, depth=depth + 1, indent=deeper, end=",")
            if depth and len(page.lines) == before + 1:
                page.pack(opened)
        self._write_hidden(node, hidden, deeper, page)
        page.write(node.end, f"{indent}{brackets[1]}{end}")

    def _write_indented(self, node: Node, key: str, depth: int, indent: str, page: _Page) -> None:
        if key:
            page.write(node.line, f"{indent}{self._entry(key, node, '').rstrip()}")
            indent = f"{indent}  "
        children, hidden = self._shown(node, depth, LINE_WIDTH - len(indent))
        for child_key, child in children:
            if node.kind is Kind.MAPPING:
                self.write(child, page, key=child_key, depth=depth + 1, indent=indent)
                continue
            opened = len(page.lines)
            self.write(child, page, depth=depth + 1, indent=f"{indent}  ")
            if len(page.lines) > opened:
                first = page.lines[opened]
                page.lines[opened] = Line(first.number, f"{indent}- {first.text[len(indent) + 2 :]}")
        self._write_hidden(node, hidden, indent, page)

    def _write_hidden(self, node: Node, hidden: int, indent: str, page: _Page) -> None:
        if hidden and page.room >= 0:
            shown = len(node.children) - max(0, hidden - node.hidden)
            following = node.children[shown][1].line if shown < len(node.children) else node.end
            page.write(max(following, page.lines[-1].number), f"{indent}{marker(hidden, 'more')}")

    def _shown(self, node: Node, depth: int, width: int) -> tuple[list[tuple[str, Node]], int]:
        """The children that are shown, neighbours of one type under one key, and how many are not."""
        most = self.limits.entries if node.kind is Kind.MAPPING else self.limits.items
        children = node.children if len(node.children) <= most else node.children[:most]
        hidden = node.hidden + len(node.children) - len(children)
        if self.limits.types and node.kind is Kind.MAPPING:
            children = self._merged(children, depth, width)
        return children, hidden

    def _merged(self, children: list[tuple[str, Node]], depth: int, width: int) -> list[tuple[str, Node]]:
        """Neighbours of one type or shape as one child, under keys that fit on one line."""
        merged: list[tuple[str, Node]] = []
        before: str | None = None
        for key, child in children:
            shape = self._one_line(child, depth + 1, width - len(key))
            if shape and shape == before and len(merged[-1][0]) + len(key) + len(shape) + 4 <= width:
                merged[-1] = (f"{merged[-1][0]}, {key}", merged[-1][1])
            else:
                merged.append((key, child))
            before = shape
        return merged

    def _one_line(self, node: Node, depth: int, width: int) -> str | None:
        """The value on one line; None when that takes more than `width` characters and the value can be folded."""
        if node.kind is Kind.SCALAR:
            return type_of(node.text) if self.limits.types else short_scalar(node.text, self.limits.value)
        if node.kind is Kind.ABSENT:
            return ""
        is_mapping = node.kind is Kind.MAPPING
        if not is_mapping and all(child.kind is Kind.SCALAR for _, child in node.children[: self.limits.items]):
            filled = self._filled(node)
            if filled is not None or depth < self.limits.depth:
                return filled
        if depth >= self.limits.depth or (is_mapping and all(child.kind is Kind.ABSENT for _, child in node.children)):
            names = self._names(node)
            return _in_brackets(node, names, node.hidden + len(node.children) - len(names))
        parts: list[str] = []
        children, hidden = self._shown(node, depth, width)
        for key, child in children:
            text = self._one_line(child, depth + 1, width)
            if not is_mapping and self.limits.types and child.kind is Kind.SCALAR and text == STRING:
                text = short_scalar(child.text, self.limits.value)
            if text is None or self._is_unsafe(child, text):
                return None
            parts.append(self._entry(key, child, text))
            width -= len(parts[-1]) + 2
            if width < 0:
                return None
        return _in_brackets(node, parts, hidden)

    def _is_unsafe(self, node: Node, text: str) -> bool:
        """Tells whether a value cannot stand inside brackets as it is written."""
        unsafe = self.notation.unsafe
        if node.kind is not Kind.SCALAR:
            return node.text != ""
        if not unsafe or text[:1] in ('"', "'"):
            return False
        return text[:1] in "|>" or ": " in text or " #" in text or text.endswith(":") or not unsafe.isdisjoint(text)

    def _entry(self, key: str, node: Node, text: str) -> str:
        if node.kind is Kind.ABSENT:
            return key
        if node.text and node.kind is not Kind.SCALAR:
            text = f"{node.text} {text}"
        return f"{key}{self.notation.colon}{text}" if key else text

    def _filled(self, node: Node) -> str | None:
        """A sequence of scalars: as many as there is space for; at L2 one type for all that are not strings.

        None when one of them cannot stand in brackets.
        """
        parts: list[str] = []
        space = self.limits.filled
        for _, child in node.children:
            kind = type_of(child.text)
            is_type = self.limits.types and kind != STRING
            text = kind if is_type else short_scalar(child.text, self.limits.value)
            space -= len(text) + 2
            if space < 0 or (is_type and parts) or child.kind is not Kind.SCALAR:
                break
            if self._is_unsafe(child, text):
                return None
            parts.append(text)
        return _in_brackets(node, parts, node.hidden + len(node.children) - len(parts))

    def _names(self, node: Node) -> list[str]:
        """As many keys of a mapping below the depth that is shown as there is space for."""
        names: list[str] = []
        space = self.limits.names
        for key, child in node.children if node.kind is Kind.MAPPING else []:
            space -= len(key) + 2
            if space < 0 and child.kind is not Kind.ABSENT:
                break
            names.append(key)
        return names


def _in_brackets(node: Node, parts: list[str], hidden: int) -> str:
    is_mapping = node.kind is Kind.MAPPING
    if hidden:
        noun = "more" if parts else "keys" if is_mapping else "items"
        parts = [*parts, marker(hidden, noun)]
    return f"{{{', '.join(parts)}}}" if is_mapping else f"[{', '.join(parts)}]"
