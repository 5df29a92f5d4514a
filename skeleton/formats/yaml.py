"""YAML, read by its indentation.

A reader of its own, line by line, because what stands in repositories is often not YAML yet (templates of Helm, Ansible,
Jinja), and because it has to be safe: aliases are never followed, tags never applied, and the nesting of a hostile file
costs neither the stack nor more than linear time (see `skeleton.formats.brackets` for what the grammar does there).
Comments and the lines of template directives are not part of the tree. A block scalar keeps its first line:
`run: | cargo test … 4 lines`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from skeleton.formats.brackets import YAML_TOKENS, read_value
from skeleton.formats.folding import Notation, fold
from skeleton.formats.lines import Line, NotThisFormatError, Outliner, cut, marked_count, marker
from skeleton.formats.trees import ELIDED, MAX_DEPTH, MAX_KEY, Kind, Node, short_scalar

if TYPE_CHECKING:
    from skeleton.levels import CompressionLevel

_NOTATION = Notation(colon=": ", is_indented=True, unsafe=frozenset(",[]{}"))

_MOST_DOCUMENTS = 12

_CONTENT = re.compile(r"[^\s]").search
_DASH = re.compile(r"-(?:[ \t]+|$)").match
_KEY = re.compile(
    r"""(?P<key>(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')(?:,[ ][^:#]*(?:[:#](?=[^\s:])[^:#]*)*)?
             | [^\s"'\[\]{}#&*!|>%@`…:][^:#]*(?:[:#](?=[^\s:])[^:#]*)*)
        :(?:[ \t]+|$)""",
    re.VERBOSE,
).match
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|$))+").match
_BLOCK_SCALAR = re.compile(r"(?P<indicator>[|>][-+0-9]*)(?:[ \t]+(?P<folded>[^#\s].*)|[ \t]+#.*|[ \t]*$)").match
_PLAIN = re.compile(r"[^\s#](?:\S|[ \t]+(?=[^\s#]))*").match
_TEMPLATE = re.compile(r"\{\{|\{%|<%|%[A-Z]").match
_MORE = re.compile(r"… [\d,]+ more$").match


def outliner(source: str) -> Outliner:
    """Keys and values (L1) or keys and types (L2) to a depth, document by document.

    Raises:
        NotThisFormatError: there is neither a key nor an item in it.
    """
    documents = [document for document in _Reader(source).read() if document.children]
    if not documents:
        raise NotThisFormatError("no key and no item")
    return partial(_outline_lines, documents)


def _outline_lines(documents: list[Node], level: CompressionLevel) -> list[Line]:
    lines: list[Line] = []
    shown = documents[:_MOST_DOCUMENTS]
    for document in shown:
        if lines:
            lines.append(Line(max(lines[-1].number, document.line - 1), "---"))
        lines += fold([document], _NOTATION, level, share=len(shown))
    if hidden := len(documents) - len(shown):
        lines.append(Line(documents[_MOST_DOCUMENTS].line, marker(hidden, "more")))
    return lines


class _Frame(msgspec.Struct):
    """A container that is being read: the column of its children, and the child that has no value yet."""

    column: int
    node: Node
    pending: Node | None = None


class _Reader:
    """The documents of a text, line by line."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.documents = [Node(Kind.SCALAR, 1)]
        self.frames: list[_Frame] = []
        self.scalar: Node | None = None  # the scalar that deeper lines belong to,
        self.scalar_column = 0  # the column that they have to be deeper than,
        self.scalar_lines = -1  # and how many came if it is a block scalar
        self.resume = 0  # the offset up to which a value in brackets or quotes was read

    def read(self) -> list[Node]:
        """All documents."""
        offset = 0
        for number, text in enumerate(self.source.split("\n"), 1):
            if offset >= self.resume and (content := _CONTENT(text)):
                self._read_line(text, content.start(), offset, number)
            offset += len(text) + 1
        self._end_scalar()
        return self.documents

    def _read_line(self, text: str, column: int, offset: int, number: int) -> None:
        if self.scalar:
            if column > self.scalar_column:
                self._continue_scalar(text[column:])
                return
            self._end_scalar()
        if text[column] == "#" or _TEMPLATE(text, column):
            return
        if column == 0 and text.startswith(("---", "...")):
            self._begin_document(number)
            column = 3
            content = _CONTENT(text, column)
            if not content or text[3] not in " \t" or text[content.start()] == "#":
                return
            column = content.start()
        if more := _MORE(text, column):
            self._count_more(column, marked_count(more[0]))
            return
        entry = self._read_keys(text, column, number)
        if entry:
            node, entry_column, position = entry
            self._read_value(node, entry_column, text, position, offset, number)

    def _begin_document(self, number: int) -> None:
        self.frames.clear()
        if self.documents[-1].children:
            self.documents.append(Node(Kind.SCALAR, number + 1))

    def _read_keys(self, text: str, column: int, number: int) -> tuple[Node, int, int] | None:
        """Goes through the dashes and the key of a line: the node for the value, its column, where the value begins."""
        node: Node | None = None
        entry_column = column
        while True:
            if match := _DASH(text, column):
                kind, key = Kind.SEQUENCE, ""
            elif match := _KEY(text, column):
                kind, key = Kind.MAPPING, short_scalar(match["key"].rstrip(), MAX_KEY)
            elif node:
                return node, entry_column, column
            else:
                pending = self._pending(column)
                return (pending, column - 1, column) if pending else None
            frame = self._frame(column, kind)
            if not frame:
                return None
            node = frame.pending = Node(Kind.SCALAR, number, number)
            entry_column = column
            if not frame.node.add(key, node) or len(self.frames) > MAX_DEPTH:
                self._skip_below(column)
                return None
            column = match.end()
            if kind is Kind.MAPPING:
                return node, entry_column, column

    def _skip_below(self, column: int) -> None:
        """Leaves out the lines of a child that no outline shows."""
        self.scalar, self.scalar_column, self.scalar_lines = Node(Kind.SCALAR, 0, text=ELIDED), column, -1

    def _pending(self, column: int) -> Node | None:
        """The child that waits for its value on a line of its own."""
        while self.frames and self.frames[-1].column > column:
            self.frames.pop()
        return self.frames[-1].pending if self.frames and self.frames[-1].column < column else None

    def _frame(self, column: int, kind: Kind) -> _Frame | None:
        """The container that a dash or key at a column belongs to; None when there cannot be one."""
        frames = self.frames
        while frames and frames[-1].column > column:
            frames.pop()
        if frames and frames[-1].column == column:
            if frames[-1].node.kind is kind:
                return frames[-1]
            if kind is Kind.MAPPING:  # a sequence at the column of its key has ended
                if len(frames) > 1 and frames[-2].column == column:
                    frames.pop()
                    return frames[-1]
                return None
        elif not frames:
            root = self.documents[-1]
            if root.children and root.kind is not kind:
                return None
            frames.append(_Frame(column, root, root))
            root.kind = kind
            return frames[-1]
        node = frames[-1].pending
        if node is None:
            return None
        frames[-1].pending = None
        node.kind = kind
        frames.append(_Frame(column, node))
        return frames[-1]

    def _count_more(self, column: int, count: int) -> None:
        while self.frames and self.frames[-1].column > column:
            self.frames.pop()
        if self.frames and self.frames[-1].column == column:
            self.frames[-1].node.hidden += count

    def _read_value(self, node: Node, column: int, text: str, position: int, offset: int, number: int) -> None:
        if properties := _PROPERTIES(text, position):
            node.text = properties[0].rstrip()
            position = properties.end()
        first = text[position : position + 1]
        if not first or first in "#\r":
            return
        for frame in self.frames[-2:]:
            if frame.pending is node:
                frame.pending = None
        prefix = f"{node.text} " if node.text else ""
        if first in "|>" and (block := _BLOCK_SCALAR(text, position)):
            folded = (block["folded"] or "").rstrip()
            node.text = f"{prefix}{block['indicator']}{' ' if folded else ''}{folded}"
            self.scalar, self.scalar_column, self.scalar_lines = node, column, -1 if folded else 0
        elif first in "\"'[{" and not _TEMPLATE(text, position):
            reading = read_value(self.source, YAML_TOKENS, offset + position, number)
            if reading:
                value = reading.node
                node.kind, node.children, node.hidden, node.end = value.kind, value.children, value.hidden, value.end
                node.text = prefix + value.text if value.text else node.text
                self.resume = reading.offset
        elif plain := _PLAIN(text, position):
            node.text = prefix + plain[0]
            self.scalar, self.scalar_column, self.scalar_lines = node, column, -1

    def _continue_scalar(self, text: str) -> None:
        assert self.scalar
        if self.scalar_lines < 0:
            if not self.scalar.text.endswith("…"):
                self.scalar.text += "…"
            return
        first = text.strip().lstrip("# ") if self.scalar_lines == 0 else text
        if first:
            self.scalar_lines += 1
            self.scalar.text += f" {first}" if self.scalar_lines == 1 else ""

    def _end_scalar(self) -> None:
        if self.scalar and self.scalar_lines > 1:
            indicator, _, first = self.scalar.text.partition(" ")
            more = marker(self.scalar_lines - 1, "lines")
            self.scalar.text = f"{indicator} {cut(first, _BLOCK_WIDTH)} {more}"
        self.scalar = None


_BLOCK_WIDTH = 56
