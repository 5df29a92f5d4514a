"""Extents of nodes: where each really begins and ends, given the comments of the source and what was blanked in it.

Grammars count in what a reader does not: the line break behind a node, the next indentation, comments above what
follows. And a node may begin with text that was blanked before it was parsed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections.abc import Sequence

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.outline.definitions import Span
from skeleton.outline.depth import DEEPEST, parted

_OTHERWISE = re.compile(rb"[ \t]*#[ \t]*else\b").match
"""The end of the other signature of a definition that has one for each branch of a condition."""

_BLANKS = b" \t\r\n"
_NEAR = 64
"""Bytes that are looked back over at once."""

_BLANK_OR_END = (b" ", b"\t", b"\r", b"\n", b"")


class Extents(ABC):
    """The comments of one source that were found so far, and the extents of its nodes.

    Attributes:
        roles: what single nodes are, by node id: `comment`, `import`, `scope` …
        comments: start -> end of every comment, without its line break.
        comment_starts: the same starts, in order.
        comment_ends: end, without white space -> start.
        open_ended: ids of the nodes that end where a comment may be counted in: imports and the like, and definitions
            whose blocks end with their indentation.
        trailing: the comments that a grammar counts in at the end of such a node whose `span` was asked for, by its id,
            though they stand above what follows.
    """

    def __init__(self, language: Language, source: bytes, parsed: bytes) -> None:
        self.roles: dict[int, str] = {}
        self.comments: dict[int, int] = {}
        self.comment_starts: list[int] = []
        self.comment_ends: dict[int, int] = {}
        self.open_ended: set[int] = set()
        self._blocks: set[int] = set()
        """Those of them that are definitions: comments that are indented further are theirs."""
        self.trailing: dict[int, list[tree_sitter.Node]] = {}
        self._extents: dict[int, Span] = {}
        """The spans of open-ended nodes, by their ids."""
        self._comment_query = language.comment_query
        self._comment_cursor: tree_sitter.QueryCursor | None = None
        self._comment_start = language.comment_start
        self._deep: dict[int, list[tree_sitter.Node]] = {}
        """The parts of nodes that have so many others that they may be too deep, by their ids."""
        self._ends_lines = any("line" in plan.parts for plan in language.plans)
        self._source = source
        self._parsed = parsed
        self._ended = source + b"\n"
        self._is_as_written = parsed is source

    @abstractmethod
    def _note(self, node: tree_sitter.Node, role: str) -> None:
        """Adds that a node is a comment, or ends with its line."""

    def read_comments(self, node: tree_sitter.Node, start: int, end: int) -> None:
        """Adds the comments in a part of a node, at any depth, and what ends with its line there."""
        if self._comment_query is None or not (self._ends_lines or self._may_hold_comment(start, end)):
            return
        if self._comment_cursor is None:
            self._comment_cursor = tree_sitter.QueryCursor(self._comment_query)
        for part in self._parts_of(node):
            self._comment_cursor.set_byte_range(start, end)
            for _, captures in self._comment_cursor.matches(part):
                for role in ("comment", "line"):
                    for noted in captures.get(role, ()):
                        self._note(noted, role)

    def _parts_of(self, node: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
        """A node, or the parts of one that is deeper than a query may be let into."""
        if node.descendant_count <= DEEPEST:
            return (node,)
        parts = self._deep.get(node.id)
        if parts is None:
            parts = self._deep[node.id] = parted(node, DEEPEST)
            if len(parts) > 1 and self._comment_cursor is not None:
                self._comment_cursor.set_max_start_depth(DEEPEST)
        return parts

    def _may_hold_comment(self, start: int, end: int) -> bool:
        begins = self._comment_start
        return begins is None or begins.search(self._source, start, end) is not None

    def span(self, node: tree_sitter.Node, identity: int = -1) -> Span:
        """Returns the span of a node, with what was blanked directly before it, and without a line break at its end.

        Args:
            node: the node.
            identity: its id, where that is known already.
        """
        start, end = span = node.byte_range
        if self._ended[end - 1] in _BLANKS:
            end = self._without_break(start, end)
            span = start, end
        if not self._is_as_written:
            start = self._with_blanked(start)
        elif not self.open_ended:
            return span
        if self.open_ended:
            if identity < 0:
                identity = node.id
            if identity in self.open_ended:
                known = self._extents.get(identity)
                if known is None:
                    known = self._extents[identity] = start, self._without_trailing(node, start, end)
                return known
        return start, end

    def end(self, node: tree_sitter.Node) -> int:
        """Returns the end of a node, without the line break and the next indentation, which some grammars count in."""
        end = node.end_byte
        return self._without_break(node.start_byte, end) if self._ended[end - 1] in _BLANKS else end

    def _without_break(self, start: int, end: int) -> int:
        source = self._source
        last = end = min(end, len(source))
        while last > 0 and source[last - 1] in _BLANKS:
            last -= 1
        return max(last, start) if last < end and source.find(b"\n", last, end) >= 0 else end

    def _with_blanked(self, start: int) -> int:
        """Returns the start of what starts at a place together with what was blanked directly before it."""
        parsed, starts = self._parsed, self.comment_starts
        if start > len(parsed):
            start = len(parsed)  # what is missing at the end of a text stands behind it
        if start == 0 or parsed[start - 1] not in _BLANKS:
            return start
        first = start
        while first > 0:
            nearest = first - _NEAR if first > _NEAR else 0
            if left := len(parsed[nearest:first].rstrip(_BLANKS)):
                first = nearest + left
                comment = starts[bisect_left(starts, first) - 1] if starts else first
                if comment >= first or self.comments[comment] < first or not self.is_behind_blanked(comment):
                    break
                first = comment
            else:
                first = nearest
        if (above := self._source[first:start]).isspace():
            return start
        above = above.lstrip()
        is_apart = above.startswith(b"#") and not _OTHERWISE(above, above.rstrip().rfind(b"\n") + 1)
        return start if is_apart else start - len(above)

    def is_behind_blanked(self, start: int) -> bool:
        """Tells whether what begins there is the first on its line that was not blanked, but not the first."""
        if self._is_as_written:
            return False
        line = self._source.rfind(b"\n", 0, start) + 1
        return self._parsed[line:start].isspace() and not self._source[line:start].isspace()

    def _without_trailing(self, node: tree_sitter.Node, start: int, end: int) -> int:
        """Returns the end of what is open-ended without the comments that a grammar counts in, and notes those."""
        trailing = self._find_trailing(node)
        if trailing and node.id in self._blocks:
            trailing = self._apart(trailing, start, end)
        if trailing:
            self.trailing[node.id] = trailing
            end = trailing[0].start_byte
        parsed = self._parsed
        while end > start and parsed[end - 1 : end] in _BLANK_OR_END:
            end -= 1
        return end

    def _apart(self, trailing: list[tree_sitter.Node], start: int, end: int) -> list[tree_sitter.Node]:
        """Returns those comments at the end of a definition that are indented no further than it, with all behind them."""
        if trailing[-1].end_byte < end:
            return []  # a bracket stands behind them
        column = start - self._source.rfind(b"\n", 0, start)
        for at, comment in enumerate(trailing):
            begins = comment.start_byte
            if begins - self._source.rfind(b"\n", 0, begins) <= column:
                return trailing[at:]
        return []

    def _find_trailing(self, node: tree_sitter.Node) -> list[tree_sitter.Node]:
        start, end = node.byte_range
        if not self._may_hold_trailing(start, end):
            return []
        while children := node.named_children:
            if not children[-1].is_extra:
                node = children[-1]
                if not self._may_hold_trailing(node.start_byte, end):
                    return []
                continue
            self.read_comments(node, *node.byte_range)
            at = len(children)
            while at > 0 and self.roles.get(children[at - 1].id) == "comment":
                at -= 1
            last = children[at - 1].end_byte if at else node.start_byte
            on_own_lines = at < len(children) and self._source.find(b"\n", last, children[at].start_byte) >= 0
            return children[at if on_own_lines else at + 1 :]
        return []

    def _may_hold_trailing(self, start: int, end: int) -> bool:
        return self._source.find(b"\n", start, end) >= 0 or self._may_hold_comment(start, end)

    def comments_in(self, start: int, end: int) -> tuple[Span, ...]:
        """The comments that begin in a span, in order."""
        starts = self.comment_starts
        return tuple((at, self.comments[at]) for at in starts[bisect_left(starts, start) : bisect_left(starts, end)])

    def _is_exact(self, node: tree_sitter.Node, span: Span) -> bool:
        """Tells whether `span` would give for a node nothing else than the grammar does."""
        is_open = self.open_ended and node.id in self.open_ended
        return self._is_as_written and self._ended[span[1] - 1] not in _BLANKS and not is_open

    def _note_comments(self, nodes: list[tree_sitter.Node]) -> None:
        roles, starts, ends, parsed = self.roles, self.comment_starts, self.comment_ends, self._parsed
        for node in nodes:
            identity = node.id
            if identity in roles:
                continue
            roles[identity] = "comment"
            start, end = node.byte_range
            if parsed[end - 1 : end].isspace():
                end = start + len(parsed[start:end].rstrip())
            self.comments[start] = end
            if ends.setdefault(end, start) > start:
                ends[end] = start
            if not starts or start > starts[-1]:
                starts.append(start)
            else:
                insort(starts, start)
