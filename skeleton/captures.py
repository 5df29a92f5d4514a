"""From the captures of a query to nested definitions.

Patterns may capture the same definition more than once (the general one and a special one); its `@name` node is what
tells that they are one. A `@wrapper` around a definition (`export`, decorators, `template<…>`) widens it. Nesting by
position gives the qualified names.
"""

from __future__ import annotations

from bisect import bisect_left

import tree_sitter

from skeleton.languages import Language, Plan
from skeleton.outline import Span

_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "impl"})
"""A function that is a member of one of these is a method."""

_NODE_PARTS = frozenset({"doc", "value", "scope", "shape"})


class Found:
    """A definition while it is being put together; its nodes live as long as the tree they come from."""

    __slots__ = (
        *("node", "name_node", "kind", "fold", "start", "end", "body_start", "body_end", "doc", "value", "scope"),
        *("shape", "name", "container", "path", "inside", "seen", "lead", "signature", "signature_end", "pattern"),
    )

    def __init__(self, node: tree_sitter.Node, name_node: tree_sitter.Node, plan: Plan) -> None:
        self.node = node
        self.name_node = name_node
        self.kind = plan.kind
        self.fold = plan.fold
        self.start, self.end = node.byte_range
        self.body_start = self.body_end = -1
        self.doc: tree_sitter.Node | None = None
        self.value: tree_sitter.Node | None = None
        self.scope: tree_sitter.Node | None = None
        self.shape: tree_sitter.Node | None = None
        self.name = one_line(name_node)
        self.container = self.path = ""
        self.inside = False
        """It stands in a body or an initialiser."""
        self.seen = False
        """A reader of the skeleton can see it."""
        self.lead = self.start
        self.signature = self.start
        self.signature_end = self.end
        self.pattern = -1

    @property
    def span(self) -> Span:
        """Where it is, with what is wrapped around it."""
        return self.start, self.end

    def covers(self, other: Found) -> bool:
        """Whether the other stands in what folds: the body or the initialiser."""
        if self.body_start <= other.start and other.end <= self.body_end:
            return True
        return self.value is not None and self.value.start_byte <= other.start and other.end <= self.value.end_byte


class Captures:
    """What one query found in one tree.

    Attributes:
        definitions: by position; of equal starts the outer first.
        by_span: the definitions of each span (several where one declaration has several names).
        roles: what single nodes are, by node id: `comment`, `import`, `scope` …
        docs: ids of the nodes that are docstrings.
        comments: start -> end of every comment, without its line break, by position.
        attributes, imports: spans, by position.
        loose_docs, loose_bodies: spans (and folds) that belong to no definition.
    """

    def __init__(self, language: Language, root: tree_sitter.Node, source: bytes) -> None:
        self.definitions: list[Found] = []
        self.by_span: dict[Span, list[Found]] = {}
        self.roles: dict[int, str] = {}
        self.docs: set[int] = set()
        self.comments: dict[int, int] = {}
        self.attributes: list[Span] = []
        self.imports: list[Span] = []
        self.loose_docs: list[Span] = []
        self.loose_bodies: list[tuple[int, int, int]] = []
        self._wrappers: list[Span] = []
        self._source = source
        found: dict[int, Found] = {}
        plans = language.plans
        for index, captures in tree_sitter.QueryCursor(language.query).matches(root):
            plan = plans[index]
            if plan.definition:
                self._define(found, index, plan, captures)
            else:
                self._note_all(plan, captures)
        self.definitions = sorted(found.values(), key=_position)
        self._widen()
        self._nest()
        self.attributes.sort()
        self.imports.sort()

    def _note_all(self, plan: Plan, captures: dict[str, list[tree_sitter.Node]]) -> None:
        for capture, nodes in captures.items():
            if capture == "body":
                self.loose_bodies.append((nodes[0].start_byte, nodes[-1].end_byte, plan.fold))
            elif capture == "doc":
                self.docs.update(node.id for node in nodes)
                self.loose_docs.extend(node.byte_range for node in nodes)
            elif not capture.startswith("_"):
                for node in nodes:
                    self._note(node, capture)

    def _note(self, node: tree_sitter.Node, role: str) -> None:
        self.roles[node.id] = role
        if role == "comment":
            start, end = node.byte_range
            while end > start and self._source[end - 1] in b"\r\n":
                end -= 1
            self.comments[start] = end
        elif role == "attribute":
            self.attributes.append(node.byte_range)
        elif role == "wrapper":
            self._wrappers.append(node.byte_range)
        elif role == "import":
            self.imports.append(node.byte_range)

    def _define(
        self, known: dict[int, Found], index: int, plan: Plan, captures: dict[str, list[tree_sitter.Node]]
    ) -> None:
        node = captures[plan.definition][0]
        for name in captures["name"]:
            found = known.get(name.id)
            if found is None:
                found = known[name.id] = Found(node, name, plan)
            elif index > found.pattern:
                found.kind, found.fold = plan.kind, plan.fold
                found.start, found.end = min(found.start, node.start_byte), max(found.end, node.end_byte)
            found.pattern = max(found.pattern, index)
            for capture, nodes in captures.items():
                if capture == "body":
                    found.body_start = min(part.start_byte for part in nodes)
                    found.body_end = max(part.end_byte for part in nodes)
                elif capture in _NODE_PARTS:
                    setattr(found, capture, nodes[0])
                    if capture == "doc":
                        self.docs.add(nodes[0].id)
                elif capture == "container":
                    found.container = one_line(nodes[0])
                elif capture in ("attribute", "comment", "keep", "import"):
                    for part in nodes:
                        self._note(part, capture)

    def _widen(self) -> None:
        definitions = self.definitions
        starts = [found.start for found in definitions]
        for start, end in sorted(self._wrappers, key=_length):
            first = at = bisect_left(starts, start)
            while (
                at < len(definitions)
                and definitions[at].end <= end
                and (at == first or definitions[at].node.id == definitions[first].node.id)
            ):
                definitions[at].start = starts[at] = start
                definitions[at].end = end
                at += 1
        definitions.sort(key=_position)

    def _nest(self) -> None:
        stack: list[Found] = []
        for found in self.definitions:
            found.lead = found.signature = found.start
            found.signature_end = found.end
            while stack and (stack[-1].end <= found.start or stack[-1].span == found.span):
                stack.pop()
            container = ""
            if stack:
                outer = stack[-1]
                found.inside = outer.inside or outer.covers(found)
                container = outer.path if found.inside or outer.scope or outer.shape else outer.container
                if found.kind == "function" and outer.scope is not None and outer.kind in _TYPES and not found.inside:
                    found.kind = "method"
            if container:
                found.container = f"{container}.{found.container}" if found.container else container
            found.path = f"{found.container}.{found.name}" if found.container else found.name
            stack.append(found)
            self.by_span.setdefault(found.span, []).append(found)


def one_line(node: tree_sitter.Node) -> str:
    """The text of a node with its white space folded."""
    text = (node.text or b"").decode("utf-8", "replace")
    return " ".join(text.split()) if " " in text or "\n" in text else text


def _position(found: Found) -> Span:
    return found.start, -found.end


def _length(span: Span) -> int:
    return span[1] - span[0]
