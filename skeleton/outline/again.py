"""Reads again, as what it may be, the text that a grammar keeps as tokens.

To the grammar of Rust the arguments of a macro are a heap of tokens, whatever a reader sees in them: `cfg_rt! { pub fn
spawn() {} }` holds no function. So where a call stands in the place of a definition, what is between its brackets is
read again, at the same bytes, as members of what the call stands in. What does not parse as a whole is read item by
item, and so is what stands in braces inside it (`if #[cfg(unix)] { … } else { … }`). An item that no grammar knows is
still a definition if it has a word for one and a name: `fn holds(x in 0..9) { … }`, `struct Flags: u8 { … }`. What is no
definition stays as it is written, and where it is long a mark tells how many lines of it are not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.levels import LONG_VALUE, Role
from skeleton.outline.captures import Captures
from skeleton.outline.definitions import Part, Span
from skeleton.outline.parsing import tree_of

_MOST_AGAIN: Final = 8
"""A source is read again at most so many times its own length, in all: as deep as people nest macros …"""

_ALWAYS_BYTES: Final = 1 << 16
"""… and so many bytes besides …"""

_MOST_BYTES: Final = 8_000_000
"""… but no more, however large a source is."""

_MOST_JOINED: Final = 3
"""An item ends with a brace or a semicolon, but not with each: `use a::{b};`. So many ends are tried."""

_DEEPEST: Final = 60
"""Blocks nested deeper than this are not looked into."""

_FOLDS: Final = frozenset({"function", "macro"})
"""Kinds of definitions whose block is a body."""


class Head(NamedTuple):
    """A definition that is known by a word, a name and its brackets alone."""

    kind: str
    name: Span
    above: tuple[tree_sitter.Node, ...]
    """The comments and attributes above it."""
    start: int
    """The start, below those."""
    end: int
    block: Span | None
    """The braces at its end, if it has any."""
    value: Span | None
    """The stretch between its `=` and its end."""
    inside: Reading
    """The contents of its block, where that is no body."""


class Reading(NamedTuple):
    """The contents of a pair of brackets."""

    pieces: list[tree_sitter.Node | Head]
    """The roots of what holds definitions or imports, and definitions that do not parse, in order."""
    unread: list[Part]
    """The parts of the rest that are not shown."""


class Again:
    """Reads the tokens of one source again.

    Args:
        source: the text.
        parsed: the text that was parsed, of the same length.
        language: of the text.
        captures: what the query says of it; what is read again is added.

    Attributes:
        roots: the roots of all that was read so far; captures know nodes by their ids, which are others' when a tree is
            gone.
    """

    def __init__(self, source: bytes, parsed: bytes, language: Language, captures: Captures) -> None:
        self.roots: list[tree_sitter.Node] = []
        self._source = source
        self._parsed = parsed
        self._language = language
        self._captures = captures
        self._group = ""
        """The type of nodes that are tokens in brackets."""
        self._left = min(_MOST_AGAIN * len(source) + _ALWAYS_BYTES, _MOST_BYTES)

    def read(self, tokens: tree_sitter.Node) -> Reading:
        """Reads the tokens of one call, brackets included."""
        self._group = tokens.type
        reading = Reading([], [])
        if self._language.items is not None and not self._is_marked(tokens):
            self._read_group(tokens, reading, 0)
        return reading if reading.pieces else Reading([], list(self._folded([tokens])))

    def _read_group(self, group: tree_sitter.Node, into: Reading, depth: int) -> None:
        """Reads what stands between two brackets: as a whole, or else item by item."""
        children = group.children
        if len(children) < 3 or depth > _DEEPEST:
            return
        if (root := self._root_of(children[1], children[-2])) is not None:
            into.pieces.append(root)
            return
        chunks = list(self._chunks(children[1:-1]))
        at, left = 0, list[tree_sitter.Node]()
        while at < len(chunks):
            chunk, root = chunks[at], None
            until = at
            while root is None and until < min(at + _MOST_JOINED, len(chunks)):
                until += 1
                root = self._root_of(chunk[0], chunks[until - 1][-1])
            if root is not None:
                piece, at = root, until
            else:
                piece, at = self._head_of(chunk, depth), at + 1
            if piece is not None:
                into.pieces.append(piece)
            elif not self._read_block(chunk, left, into, depth):
                left += chunk
                continue
            into.unread.extend(self._folded(left))
            left.clear()
        if into.pieces:
            self._captures.read_comments(group, *group.byte_range)
        into.unread.extend(self._folded(left))

    def _read_block(
        self, chunk: Sequence[tree_sitter.Node], left: list[tree_sitter.Node], into: Reading, depth: int
    ) -> bool:
        """Reads the block that ends a piece of tokens; tells whether it holds anything."""
        block = chunk[-1]
        inside = Reading([], [])
        if self._is_block(block):
            self._read_group(block, inside, depth + 1)
        if not inside.pieces:
            return False
        into.unread.extend(self._folded(left))
        into.unread.extend(self._folded(chunk[:-1], is_head=True))
        into.pieces.extend(inside.pieces)
        into.unread.extend(inside.unread)
        left.clear()
        return True

    def _root_of(self, first: tree_sitter.Node, last: tree_sitter.Node) -> tree_sitter.Node | None:
        """Reads a run of tokens; returns the root if they parse and hold a definition or an import."""
        start, end = first.start_byte, last.end_byte
        items = self._language.items
        if items is None or end - start > self._left or items.search(self._source, start, end) is None:
            return None
        self._left -= end - start
        span = tree_sitter.Range(first.start_point, last.end_point, start, end)
        root = tree_of(self._parsed, self._language, span).root_node
        if root.has_error:
            return None
        self.roots.append(root)
        self._captures.read(root)
        return root if self._captures.inside(start, end) else None

    def _head_of(self, chunk: Sequence[tree_sitter.Node], depth: int) -> Head | None:
        """The definition that a run of tokens is which no grammar reads."""
        kinds = self._language.heads
        above = self._above(chunk)
        for at in range(above, len(chunk) - 2):
            kind, name, following = kinds.get(chunk[at].type), chunk[at + 1], chunk[at + 2]
            if kind is None or not self._is_word(name) or self._is_word(following):
                continue  # two words that are names in a row are a list of words
            block = chunk[-1] if self._is_block(chunk[-1]) else None
            end = chunk[-1].end_byte
            inside = Reading([], [])
            if block is not None and kind not in _FOLDS:
                self._read_group(block, inside, depth + 1)
                inside.unread.clear()
                self._captures.read_comments(block, *block.byte_range)
            return Head(
                kind=kind,
                name=name.byte_range,
                above=tuple(chunk[:above]),
                start=chunk[above].start_byte,
                end=end,
                block=None if block is None else block.byte_range,
                value=self._value_of(chunk[at + 1 :]),
                inside=inside,
            )
        return None

    def _above(self, chunk: Sequence[tree_sitter.Node]) -> int:
        """Counts the comments and attributes that a run of tokens begins with."""
        at, mark = 0, self._language.attribute_mark
        while at < len(chunk):
            if chunk[at].is_extra:
                at += 1
            elif chunk[at].type == mark and at + 1 < len(chunk) and chunk[at + 1].type == self._group:
                at += 2
            else:
                break
        return at

    def _value_of(self, tokens: Sequence[tree_sitter.Node]) -> Span | None:
        at = next((at for at, token in enumerate(tokens) if token.type == "="), -1)
        values = tokens[at + 1 :] if at >= 0 else ()
        if values and values[-1].type == ";":
            values = values[:-1]
        return (values[0].start_byte, values[-1].end_byte) if values else None

    def _chunks(self, tokens: Sequence[tree_sitter.Node]) -> Iterator[list[tree_sitter.Node]]:
        """Tokens as what may be items: each ends with braces, a semicolon or an attribute of all that follows."""
        chunk: list[tree_sitter.Node] = []
        mark = self._language.attribute_mark
        for token in tokens:
            chunk.append(token)
            is_inner = len(chunk) > 2 and [one.type for one in chunk[-3:]] == [mark, "!", self._group]
            if token.type == ";" or self._is_block(token) or is_inner:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def _is_block(self, node: tree_sitter.Node) -> bool:
        return node.type == self._group and self._source.startswith(b"{", node.start_byte)

    def _is_word(self, node: tree_sitter.Node) -> bool:
        """Tells whether a token is a word that the grammar does not know."""
        return node.is_named and self._source[node.start_byte : node.end_byte].replace(b"_", b"a").isalnum()

    def _is_marked(self, group: tree_sitter.Node) -> bool:
        """Tells whether all that stands between two brackets is the mark for lines that are not shown."""
        inside = self._source[group.start_byte + 1 : group.end_byte - 1]
        return self._language.is_count(inside.strip())

    def _folded(self, nodes: Sequence[tree_sitter.Node], *, is_head: bool = False) -> Iterator[Part]:
        """Folds what is long of tokens that were not read: what is in brackets, or else all below the first line.

        Args:
            nodes: the tokens.
            is_head: they are the head of a block that is shown; then they stay but for their brackets.
        """
        if not nodes or not self._is_long(nodes[0].start_byte, nodes[-1].end_byte):
            return
        groups = [node for node in nodes if node.type == self._group and self._is_long(*node.byte_range)]
        for group in groups:
            inner = self._narrowed(group)
            if not self._is_marked(inner):
                yield Part(inner.start_byte + 1, inner.end_byte - 1, Role.UNREAD)
        if groups or is_head:
            return
        row = next((node.end_point.row for node in nodes if not node.is_extra), -1)
        below = [node for node in nodes if node.start_point.row > row >= 0]
        start, end = (below[0].start_byte, below[-1].end_byte) if below else (0, 0)
        if below and not self._language.is_count(self._source[start:end]):
            yield Part(start, end, Role.UNREAD)

    def _narrowed(self, group: tree_sitter.Node) -> tree_sitter.Node:
        """The brackets around what fills the lines of a group: the closure of `test!(name, |dir| { … })`."""
        while True:
            long = [node for node in group.named_children if node.start_point.row < node.end_point.row]
            if len(long) != 1 or long[0].type != self._group:
                return group
            inner = long[0]
            if inner.start_point.row > group.start_point.row or inner.end_point.row < group.end_point.row:
                return group
            group = inner

    def _is_long(self, start: int, end: int) -> bool:
        return end - start > LONG_VALUE or self._source.find(b"\n", start, end) >= 0
