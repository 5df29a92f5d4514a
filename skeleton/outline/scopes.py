"""A scope while the walk meets its members, one after another."""

from __future__ import annotations

import tree_sitter

from skeleton.outline.captures import Captures
from skeleton.outline.definitions import Definition, Span
from skeleton.outline.found import Found
from skeleton.outline.lead import Lead
from skeleton.outline.loose import Loose


class ScopePass:
    """A scope or shape while its members are met, one after another.

    Attributes:
        node: the scope.
        container, kind: the qualified name and the kind of what its next member stands in.
        rest: the place among the definitions of the one that holds the next member as it holds all behind it; -1 for none.
        is_opened: the last member holds all behind it, and what comes next may be its doc.
        is_shape: its children are kept.
        depth: how many scopes are around it.
        lead: the comments and attributes that were met since the last member.
        run: statements that were met one after another.
        last_end: the end of the last member; -1 before the first one of a file.
        covered: the end of what was shown with the last definition.
        takes_comment: a comment behind the last member is about it.
        owner: the place among all of the definition that what stands behind the last member may belong to; -1 for none.
        prefix: the start of a semicolon that begins the next member; -1 for none.
        loose: the text of an error that is no definition; None for what is no error.
    """

    __slots__ = (
        *(
            "_around",
            "_fields",
            "container",
            "covered",
            "depth",
            "is_opened",
            "is_shape",
            "kind",
            "last_end",
            "lead",
            "loose",
            "node",
            "owner",
            "prefix",
        ),
        *("rest", "run", "takes_comment"),
    )

    def __init__(self, node: tree_sitter.Node, container: str, kind: str, is_shape: bool, depth: int) -> None:
        self.node = node
        self.container = container
        self.kind = kind
        self._around = container, kind
        self.rest = -1
        self.is_opened = False
        self.is_shape = is_shape
        self.depth = depth
        self.lead: Lead | None = None
        self.run: list[Span] = []
        self.last_end = -1 if depth == 0 else node.start_byte
        self.covered = -1
        self.takes_comment = False
        self.prefix = -1
        self.owner = -1
        self.loose: Loose | None = None
        self._fields: set[int] | None = None

    def knows(self, span: Span) -> None:
        """Notes that something which is met is no loose text."""
        if self.loose is not None:
            self.loose.knows(*span)

    def meets(self, found: Found, start: int, end: int) -> None:
        """Notes a definition, which is no loose text but for a constant that stands in a body that was not read."""
        if self.loose is not None:
            self.loose.meets(found, start, end)

    def begin_rest(self, place: int, container: str, kind: str) -> None:
        """Lets all that follows stand in the definition at a place among all, which has that qualified name and kind."""
        self.rest, self.container, self.kind, self.is_opened = place, container, kind, True

    def end_rest(self, definitions: list[Definition], end: int) -> None:
        """Ends the definition that holds what follows it: what follows now stands in what it stands in itself."""
        definitions[self.rest] = definitions[self.rest]._replace(end=end)
        self.rest = -1
        self.container, self.kind = self._around

    @property
    def fields(self) -> set[int]:
        """The ids of the children that are fields of the node."""
        if self._fields is None:
            self._fields = _fields(self.node)
        return self._fields


def comments_before(scope: tree_sitter.Node, source: bytes, captures: Captures) -> list[tree_sitter.Node]:
    """Returns the comments between a header and its scope, which some grammars let begin with the first member."""
    end = start = scope.start_byte
    if source.startswith(b"{", start):
        return []
    while end > 0 and source[end - 1 : end] in b" \t\r\n\f\v":
        end -= 1
    if end not in captures.comment_ends:
        return []
    comments: list[tree_sitter.Node] = []
    node = scope.prev_sibling
    while node is not None and captures.roles.get(node.id) == "comment":
        comments.insert(0, node)
        node = node.prev_sibling
    return comments


def _fields(node: tree_sitter.Node) -> set[int]:
    """The named children that fill a field of their parent, other than its body, by node id: such are no members."""
    cursor = node.walk()
    fields: set[int] = set()
    more = cursor.goto_first_child()
    while more:
        if cursor.field_name not in (None, "body") and (child := cursor.node) is not None and child.is_named:
            fields.add(child.id)
        more = cursor.goto_next_sibling()
    return fields
