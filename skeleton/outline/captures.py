"""Collects the captures of a query over one tree, scope by scope, as roles of nodes and definitions.

A query over a whole tree costs half as much again as the parse, nearly all of it inside bodies that nobody will see. So
it is run scope by scope, and only as deep below each scope as the patterns of a language need (`; reach:`). Patterns
may capture the same definition more than once (the general one and a special one); its `@name` node is what tells that
they are one. A `@wrapper` around a definition (`export`, decorators, `template<…>`) widens it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from operator import itemgetter

import tree_sitter

from skeleton.languages.queries import EMBEDDED, Language, Plan
from skeleton.outline.definitions import Span
from skeleton.outline.depth import DEEP, DEEPEST, LONG, parted, steps
from skeleton.outline.found import Found, by_place, is_torn, named_by_words, shortest_first, widen
from skeleton.outline.names import Names
from skeleton.outline.parsing import GrammarFailureError, stop_if_late
from workspace.cancellation import still_wanted

_OTHERWISE = re.compile(rb"[ \t]*#[ \t]*else\b").match
"""The end of the other signature of a definition that has one for each branch of a condition."""

_BLANKS = b" \t\r\n"
_NEAR = 64
"""Bytes that are looked back over at once."""

OPEN_ENDED = ("import", "keep")
"""The roles of nodes that may end with comments on the lines below them."""

_BLANK_OR_END = (b" ", b"\t", b"\r", b"\n", b"")
_COMMENT = ("comment",)
_BODY = ("body",)
_pattern = itemgetter(0)

Matches = list[tuple[int, dict[str, list[tree_sitter.Node]]]]
"""The places of patterns in a query, and the nodes that each captured."""

_MANY = 256
"""Matches, above which it is asked in between whether the call is still wanted."""

_MOST_STEPS = 200_000_000
"""About a quarter of a second; code that people write stays far below."""


class Captures:
    """The captures of a query that were found so far; `read` adds one scope.

    Attributes:
        roles: what single nodes are, by node id: `comment`, `import`, `scope` …
        by_span: the definitions of each span (several where one declaration has several names).
        comments: start -> end of every comment, without its line break.
        comment_starts: the same starts, in order.
        comment_ends: end, without white space -> start.
        attributes: spans, in order.
        lines: ends of what may end with its line, in order.
        embedded: nodes that hold text in another language, and its name.
        docs: ids of the nodes that are docstrings.
        loose_docs, loose_bodies: docs and folds that belong to no definition.
        open_ended: ids of the nodes that end where a comment may be counted in: imports and the like, and definitions
            whose blocks end with their indentation.
        trailing: the comments that a grammar counts in at the end of such a node whose `span` was asked for, by its id,
            though they stand above what follows.
    """

    def __init__(self, language: Language, source: bytes, parsed: bytes) -> None:
        self.roles: dict[int, str] = {}
        self.by_span: dict[Span, list[Found]] = {}
        self.comments: dict[int, int] = {}
        self.comment_starts: list[int] = []
        self.comment_ends: dict[int, int] = {}
        self.attributes: list[Span] = []
        self.lines: list[int] = []
        self.embedded: list[tuple[tree_sitter.Node, str]] = []
        self.docs: set[int] = set()
        self.loose_docs: set[Span] = set()
        self.loose_bodies: set[tuple[int, int, int]] = set()
        self.open_ended: set[int] = set()
        self._blocks: set[int] = set()
        """Those of them that are definitions: comments that are indented further are theirs."""
        self.trailing: dict[int, list[tree_sitter.Node]] = {}
        self._extents: dict[int, Span] = {}
        """The spans of open-ended nodes, by their ids."""
        self.word_after_body = language.word_after_body.search
        self._language_name = language.name
        self._reach = language.reach
        self._steps = 0
        self._counted: set[int] = set()
        """The ids of nodes whose steps were counted before they are read."""
        self._query = language.query
        self._cursor = tree_sitter.QueryCursor(language.query)
        self._cursor.set_max_start_depth(language.reach)
        self._near_cursor: tree_sitter.QueryCursor | None = None
        self._comment_query = language.comment_query
        self._comment_cursor: tree_sitter.QueryCursor | None = None
        self._comment_start = language.comment_start
        self._deep: dict[int, list[tree_sitter.Node]] = {}
        """The parts of nodes that have so many others that they may be too deep, by their ids."""
        self._ends_lines = any("line" in plan.parts for plan in language.plans)
        self._plans = language.plans
        self._names = Names(language, parsed)
        self._source = source
        self._parsed = parsed
        self._ended = source + b"\n"
        self._is_as_written = parsed is source
        self._known: list[Found] = []
        self._by_name: dict[int, Found] = {}
        """The same, by the ids of the nodes that were captured as their names, and of the innermost in those."""
        self._places: list[tuple[int, int]] = []
        """The places of definitions and imports: start and negative end."""

    def read(self, node: tree_sitter.Node) -> None:
        """Adds what the patterns say of a scope, as deep as the language reaches.

        Raises:
            GrammarFailureError: it would take too long, as on a text that is made for it.
        """
        if node.id in self._counted:
            self._counted.remove(node.id)
        else:
            self._count(node)
        self._take(self._cursor.matches(node))

    def count_ahead(self, node: tree_sitter.Node) -> None:
        """Counts what it takes to `read` a scope before it is read; its errors are those of that."""
        self._count(node)
        self._counted.add(node.id)

    def ahead(self, node: tree_sitter.Node, end: int) -> Matches:
        """Returns what `read` is going to add of all that begins before a byte, which is little of a long text."""
        if self._near_cursor is None:
            self._near_cursor = tree_sitter.QueryCursor(self._query)
            self._near_cursor.set_max_start_depth(self._reach)
        self._near_cursor.set_byte_range(0, end)
        return self._near_cursor.matches(node)

    def _count(self, node: tree_sitter.Node) -> None:
        if node.end_byte - node.start_byte > LONG:
            self._steps += steps(node, self._reach)
            if self._steps > _MOST_STEPS:
                raise GrammarFailureError(f"the {self._language_name} grammar makes nothing of it")

    def unseen(self, trees: Sequence[tree_sitter.Node]) -> list[Found]:
        """The definitions of whole trees that no reader of a skeleton sees; adds all that the patterns say.

        Without constants: those in a body are its variables.
        """
        roots = [part for root in trees for part in parted(root)]
        for part in roots:
            cursor = tree_sitter.QueryCursor(self._query)
            if len(roots) > len(trees):
                stop_if_late()
                cursor.set_max_start_depth(DEEP)
            self._take(cursor.matches(part))
        return [found for found in self._known if not found.seen and found.kind != "constant"]

    def tokens_of(self, call: tree_sitter.Node) -> tree_sitter.Node | None:
        """Returns the tokens in brackets in the call of a macro."""
        node: tree_sitter.Node | None = call
        while node is not None and self.roles.get(node.id) != "again":
            node = next(reversed(node.named_children), None)
        return node

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

    def _end_of_body(self, found: Found, body: tree_sitter.Node) -> int:
        """Returns the end of the body of a definition without the comments that stand behind both."""
        end = self.end(body)
        return min(end, found.end) if self.trailing and found.node.id in self.trailing else end

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

    def inside(self, start: int, end: int) -> list[Span]:
        """Returns the places of definitions and imports inside a span, in order; of equal starts the outer first."""
        places = self._places
        first = last = bisect_left(places, (start, -end))
        if first == len(places) or places[first][0] >= end:
            return []
        while last < len(places) and places[last][0] < end:
            last += 1
        return [(at, -negative) for at, negative in places[first:last]]

    def _take(self, matches: Matches) -> None:
        new: list[Found] = []
        only: set[int] = set()
        wrappers: list[tree_sitter.Node] = []
        plans, by_name = self._plans, self._by_name
        if len(matches) > 1:
            matches.sort(key=_pattern)
        for index, captures in still_wanted(matches) if len(matches) > _MANY else matches:
            plan = plans[index]
            parts, definition = plan.parts, plan.definition
            if not definition:
                if parts == _COMMENT:
                    self._note_comments(captures["comment"])
                else:
                    self._take_single(plan, captures, wrappers)
                continue
            node = captures[definition][0]
            start, end = span = node.byte_range
            if plan.inside and is_torn(captures, start, end, plan.inside):
                continue
            names = captures["name"]
            for name in names[:1] if plan.each else names:
                found = by_name.get(name.id)
                if found is None:
                    found = self._definition(name, node, span, plan, index, new)
                elif index > found.pattern:
                    self._respecify(found, node, span, plan, index)
                if plan.each:
                    found.name = "".join(self._names.one_line(part) + plan.each for part in names)
                if plan.is_only:
                    only.add(found.node.id)
                if parts == _BODY:
                    if bodies := captures.get("body"):
                        found.body_start, found.body_end = bodies[0].start_byte, self._end_of_body(found, bodies[-1])
                elif parts:
                    self._fill(found, plan, captures)
        if only:
            for found in new:
                found.seen = found.node.id in only and not plans[found.pattern].is_only
            new = [found for found in new if not found.seen]
        if new or wrappers:
            self._place(new, wrappers)

    def _definition(
        self, name: tree_sitter.Node, node: tree_sitter.Node, span: Span, plan: Plan, pattern: int, new: list[Found]
    ) -> Found:
        """The definition that a captured name stands for; added to `new` where no pattern has found it before."""
        captured, container = name.id, ""
        identity = captured
        if self._names.have_layers:
            name, container = self._names.innermost(name)
            identity = name.id
            if identity != captured and (found := self._by_name.get(identity)) is not None:
                self._by_name[captured] = found
                if pattern > found.pattern:
                    self._respecify(found, node, span, plan, pattern)
                return found
        begins, _ = span
        if not self._is_exact(node, span):
            span = self.span(node)
        found = Found(node, *span, name.byte_range, plan, pattern)
        self._by_name[captured] = self._by_name[identity] = found
        self._known.append(found)
        found.name = self._names.name(name)
        if container:
            found.container = container
        if found.start < begins:
            self._blanked_above(found.start, begins)
        new.append(found)
        if plan.has_words:
            others = named_by_words(found, self._parsed, plan, pattern)
            new += others
            self._known += others
        return found

    def _is_exact(self, node: tree_sitter.Node, span: Span) -> bool:
        """Tells whether `span` would give for a node nothing else than the grammar does."""
        is_open = self.open_ended and node.id in self.open_ended
        return self._is_as_written and self._ended[span[1] - 1] not in _BLANKS and not is_open

    def _place(self, new: list[Found], wrappers: list[tree_sitter.Node]) -> None:
        """Notes where new definitions stand, each as wide as what is wrapped around it."""
        if len(new) > 1:
            new.sort(key=by_place)
        if wrappers:
            around = [(wrapper, self.span(wrapper)) for wrapper in sorted(wrappers, key=shortest_first)]
            for wrapper, span in around:
                self._blanked_above(span[0], wrapper.start_byte)
            widen(new, [one for one in around if one[1] not in self.by_span])
        by_span, places = self.by_span, self._places
        for found in new:
            start, end = span = found.start, found.end
            if span in by_span:
                by_span[span].append(found)
            else:
                by_span[span] = [found]
            place = start, -end
            if not places or place >= places[-1]:
                places.append(place)
            else:
                insort(places, place)

    def _take_single(
        self, plan: Plan, captures: dict[str, list[tree_sitter.Node]], wrappers: list[tree_sitter.Node]
    ) -> None:
        """Adds what a pattern without a definition says."""
        for role in plan.parts:
            for node in captures.get(role, ()):
                if role == "wrapper":
                    wrappers.append(node)
                elif role == "doc":
                    self.docs.add(node.id)
                    self.loose_docs.add(node.byte_range)
                elif role == "body":
                    bodies = captures["body"]
                    self.loose_bodies.add((bodies[0].start_byte, bodies[-1].end_byte, plan.fold))
                else:
                    self._note(node, role)

    def _blanked_above(self, start: int, end: int) -> None:
        """Counts text that was blanked on lines of its own above a definition as attributes of it."""
        source = self._source
        while (stop := source.find(b"\n", start, end)) >= 0:
            while source.count(b"(", start, stop) > source.count(b")", start, stop):
                if (stop := source.find(b"\n", stop + 1, end)) < 0:
                    return
            insort(self.attributes, (start, start + len(source[start:stop].rstrip())))
            start = end - len(source[stop:end].lstrip())

    def _respecify(self, found: Found, node: tree_sitter.Node, span: Span, plan: Plan, pattern: int) -> None:
        """A later pattern has the last word on what a definition is; its parts fill what is missing."""
        found.kind, found.fold, found.pattern = plan.kind, plan.fold, pattern
        if span[0] < found.start or span[1] > found.end:
            found.node = node
            if not found.seen and found not in self.by_span.get((found.start, found.end), ()):
                found.start, found.end = self.span(node)

    def _fill(self, found: Found, plan: Plan, captures: dict[str, list[tree_sitter.Node]]) -> None:
        for part in plan.parts:
            nodes = captures.get(part)
            if not nodes:
                continue
            if part == "body":
                found.body_start, found.body_end = nodes[0].start_byte, self._end_of_body(found, nodes[-1])
            elif part == "doc":
                found.doc = nodes[0]
                self.docs.add(nodes[0].id)
            elif part == "scope":
                found.scope = nodes[0]
                if found.body_start == nodes[0].start_byte:
                    found.body_start = found.body_end = -1  # a later pattern has the last word
            elif part == "shape":
                found.shape = nodes[0]
            elif part == "value":
                value = nodes[0]
                while value.is_extra and (following := value.next_named_sibling) is not None:
                    value = following
                found.value, found.value_end = value, max(self.end(value), self.end(nodes[-1]))
            elif part == "after":
                found.after = nodes[0].start_byte
            elif part == "tail":
                found.tail_end = nodes[-1].end_byte
            elif part == "accessors":
                found.accessors = nodes[0]
            elif part == "rest":
                found.holds_rest = True
            elif part == "container":
                found.container = self._names.one_line(nodes[0])
            else:
                for node in nodes:
                    self._note(node, part)

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

    def _note(self, node: tree_sitter.Node, role: str) -> None:
        if role == "comment":
            self._note_comments([node])
            return
        identity = node.id
        if role == "open":
            self.open_ended.add(identity)
            self._blocks.add(identity)
            return
        if identity in self.roles or (role == "line" and node.is_extra):
            return
        self.roles[identity] = role
        if role in OPEN_ENDED:
            self.open_ended.add(identity)
        if role == "attribute":
            insort(self.attributes, self.span(node))
        elif role == "line":
            insort(self.lines, self.span(node)[1])
        elif role.startswith(EMBEDDED):
            self.embedded.append((node, role.removeprefix(EMBEDDED)))
        elif role == "import":
            start, end = self.span(node)
            insort(self._places, (start, -end))
