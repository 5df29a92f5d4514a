"""Collects the captures of a query over one tree, scope by scope, as roles of nodes and definitions.

A query over a whole tree costs half as much again as the parse, nearly all of it inside bodies that nobody will see. So
it is run scope by scope, and only as deep below each scope as the patterns of a language need (`; reach:`). Patterns
may capture the same definition more than once (the general one and a special one); its `@name` node is what tells that
they are one. A `@wrapper` around a definition (`export`, decorators, `template<…>`) widens it.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from operator import itemgetter

import tree_sitter

from skeleton.languages.plans import Plan
from skeleton.languages.queries import EMBEDDED, Language
from skeleton.outline.definitions import Span
from skeleton.outline.depth import DEEP, LONG, parted, steps
from skeleton.outline.extents import Extents
from skeleton.outline.found import Found, by_place, is_torn, named_by_words, shortest_first, widen
from skeleton.outline.names import Names
from skeleton.outline.parsing import GrammarFailureError, stop_if_late
from workspace.cancellation import still_wanted

OPEN_ENDED = ("import", "keep")
"""The roles of nodes that may end with comments on the lines below them."""

_COMMENT = ("comment",)
_BODY = ("body",)
_pattern = itemgetter(0)

Matches = list[tuple[int, dict[str, list[tree_sitter.Node]]]]
"""The places of patterns in a query, and the nodes that each captured."""

_SHORTEST = 3
"""Letters of a name that says by its capitals what it is."""

_MANY = 256
"""Matches, above which it is asked in between whether the call is still wanted."""

_MOST_STEPS = 200_000_000
"""About a quarter of a second; code that people write stays far below."""


def _is_in_capitals(name: str) -> bool:
    """Tells whether a name is that of a constant by how it is written: `MAX_SIZE`; one or two letters may be a variable."""
    return len(name) >= _SHORTEST and name.isupper()


class Captures(Extents):
    """The captures of a query that were found so far; `read` adds one scope.

    Attributes (besides those of `Extents`):
        by_span: the definitions of each span (several where one declaration has several names).
        attributes: spans, in order.
        lines: ends of what may end with its line, in order.
        embedded: nodes that hold text in another language, and its name.
        docs: ids of the nodes that are docstrings.
        loose_docs, loose_bodies: docs and folds that belong to no definition.
    """

    def __init__(self, language: Language, source: bytes, parsed: bytes) -> None:
        super().__init__(language, source, parsed)
        self.by_span: dict[Span, list[Found]] = {}
        self.attributes: list[Span] = []
        self.lines: list[int] = []
        self.embedded: list[tuple[tree_sitter.Node, str]] = []
        self.docs: set[int] = set()
        self.behind: set[int] = set()
        self.loose_docs: set[Span] = set()
        self.loose_bodies: set[tuple[int, int, int]] = set()
        self.word_after_body = language.word_after_body.search
        self.terminator = language.terminator
        self.ended = language.ended.match
        self._language_name = language.name
        self._reach = language.reach
        self._steps = 0
        self._counted: set[int] = set()
        """The ids of nodes whose steps were counted before they are read."""
        self._query = language.query
        self._cursor = tree_sitter.QueryCursor(language.query)
        self._cursor.set_max_start_depth(language.reach)
        self._near_cursor: tree_sitter.QueryCursor | None = None
        self._plans = language.plans
        self._names = Names(language, parsed)
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

        Without constants: those in a body are its variables, but for what is written in capitals.
        """
        roots = [part for root in trees for part in parted(root)]
        for part in roots:
            cursor = tree_sitter.QueryCursor(self._query)
            if len(roots) > len(trees):
                stop_if_late()
                cursor.set_max_start_depth(DEEP)
            self._take(cursor.matches(part))
        return [
            found
            for found in self._known
            if not found.seen and (found.kind != "constant" or _is_in_capitals(found.name))
        ]

    def tokens_of(self, call: tree_sitter.Node) -> tree_sitter.Node | None:
        """Returns the tokens in brackets in the call of a macro."""
        node: tree_sitter.Node | None = call
        while node is not None and self.roles.get(node.id) != "again":
            node = next(reversed(node.named_children), None)
        return node

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

    def _end_of_body(self, found: Found, body: tree_sitter.Node) -> int:
        """Returns the end of the body of a definition without the comments that stand behind both."""
        end = self.end(body)
        return min(end, found.end) if self.trailing and found.node.id in self.trailing else end

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
            elif part == "first":
                found.first = nodes[0].start_byte
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

    def _note(self, node: tree_sitter.Node, role: str) -> None:
        if role == "comment":
            self._note_comments([node])
            return
        identity = node.id
        if role == "behind":
            self.behind.add(identity)
            return
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
