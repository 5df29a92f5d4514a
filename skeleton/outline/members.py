"""The walk over what a reader can see: from a scope into every scope and shape in it that is not folded.

The walk turns the members it meets into parts: bodies, signatures on several lines, docs, initialisers, statements.
Definitions that it does not meet are folded with what they stand in.
"""

from __future__ import annotations

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.levels import Role
from skeleton.outline.again import Again, Head, Reading
from skeleton.outline.definitions import Part, Span, qualified
from skeleton.outline.emission import Emission
from skeleton.outline.found import Found
from skeleton.outline.lead import Lead
from skeleton.outline.loose import LooseText
from skeleton.outline.parsing import stop_if_late
from skeleton.outline.parts import qualified_name
from skeleton.outline.scopes import ScopePass, comments_before
from workspace.cancellation import stop_if_cancelled

_DEEPEST = 100
"""Scopes nested deeper than this fold like a body: no hand-written file goes there, and hostile ones stay cheap."""

_MANY = 512
"""Members after which the clock of the file is looked at."""


class Members(Emission):
    """The members of the scopes of one source, visited one after another.

    Attributes (for the walk built on it):
        _read_again: tokens were met that are none to a reader.
        _unread: the spans of half-written code that is kept, as it may begin a definition.
        _loose: the text of syntax errors.
        _kept, _details: the imports and the like, and the details, that were met so far.
        _again: reads tokens again.
    """

    def __init__(self, source: bytes, parsed: bytes, language: Language) -> None:
        super().__init__(source, parsed, language)
        self._read_again = False
        self._unread: list[Span] = []
        self._loose = LooseText(source)
        self._kept = self._details = 0
        self._again = Again(source, parsed, language, self._captures)

    def _enter(self, node: tree_sitter.Node, found: Found, container: str, depth: int) -> None:
        path, is_shape = qualified_name(found, container), found.scope is None
        self._visit(node, path, found.kind, is_shape=is_shape, depth=depth + 1, has_header=True)

    def _visit(
        self,
        node: tree_sitter.Node,
        container: str,
        kind: str,
        *,
        is_shape: bool,
        depth: int,
        has_header: bool = False,
        is_loose: bool = False,
    ) -> None:
        """Visits the members of a scope or shape of what has that qualified name and kind."""
        if depth > _DEEPEST:
            self._parts.append(Part(self._before(node.start_byte), node.end_byte, Role.BODY))
            return
        stop_if_cancelled()
        captures, is_root = self._captures, depth == 0
        captures.read(node)
        roles, span_of = captures.roles, captures.span
        is_as_written = self._source is self._parsed
        scope = ScopePass(node, container, kind, is_shape, depth)
        if is_loose or node.is_error:
            scope.loose = self._loose.of(node, is_at_top=not container)
        above = comments_before(node, self._source, captures) if has_header else []
        if above and (header := above[0].prev_sibling) is not None:
            scope.last_end = header.end_byte
        members = [*above, *node.named_children] if above else node.named_children
        for at, child in enumerate(members, 1):
            if at % _MANY == 0:
                stop_if_late()
            identity = child.id
            role = roles.get(identity)
            if role == "comment" and is_as_written:
                span = start, end = child.byte_range
            else:
                span = start, end = span_of(child, identity)
            if captures.trailing and (trailing := captures.trailing.get(identity)):
                members[at:at] = trailing
            if start == end or start < scope.covered:
                continue
            if role == "comment":
                self._meet_comment(scope, child.start_byte)
            elif role is None and end == start + 1 and self._source.startswith(b";", start):
                self._meet_semicolon(scope, span)
            elif role == "attribute" and span not in captures.by_span:
                self._meet_attribute(scope, child, span)
            else:
                self._meet_member(scope, child, role, span)
        if scope.last_end < 0 and is_root and scope.lead:
            self._module_doc(scope.lead, len(self._source), documents=False)
        if scope.rest >= 0:
            scope.end_rest(self._definitions, self._past(max(scope.last_end, scope.covered)))
        self._statements(scope.run)

    def _meet_comment(self, scope: ScopePass, start: int) -> None:
        """A comment between members: one that stands for statements, one above what follows, or one behind a member."""
        source, last_end = self._source, scope.last_end
        end = self._captures.comments[start]
        if self._captures.is_behind_blanked(start):
            return  # it is about what was blanked
        if not scope.is_shape and source[start:end] in self._language.placeholders:
            scope.run.append((start, end))
        elif last_end < 0 or last_end == start or source.find(b"\n", last_end, start) >= 0:
            scope.lead = scope.lead or Lead()
            scope.lead.comment(source, start, end)
        elif scope.takes_comment and self._is_doc(start) and source.find(b"\n", start, end) < 0:
            self._document(start, end)

    def _meet_semicolon(self, scope: ScopePass, span: Span) -> None:
        """A semicolon that is no part of a member: it ends the last one, begins the next one, or is a statement."""
        start, end = span
        if start == scope.last_end:
            self._parts.append(Part(start, end, Role.COMMENT))
        elif self._source[end : end + 1].strip():
            scope.prefix = start
        else:
            scope.run.append(span)

    def _meet_attribute(self, scope: ScopePass, child: tree_sitter.Node, span: Span) -> None:
        """An attribute on lines of its own, above the member that follows."""
        start, end = span
        scope.lead = scope.lead or Lead()
        scope.lead.attribute(start, end)
        self._captures.read_comments(child, start, end)
        self._one_line(start, end)

    def _meet_member(self, scope: ScopePass, child: tree_sitter.Node, role: str | None, span: Span) -> None:
        """Definitions of a span, or anything else that is no comment and no attribute."""
        start, end = span
        lead, found = scope.lead, self._captures.by_span.get(span)
        is_first = scope.last_end < 0 and scope.depth == 0
        if is_first or scope.is_opened:
            is_heading = role == "keep" and not lead and not scope.run and not found
            if is_first and is_heading:
                return  # what opens a file: `<?php`
            if lead:
                self._module_doc(lead, start, documents=bool(found) or self._begins(start, end))
            scope.is_opened = is_heading
        prefix, scope.prefix = scope.prefix, -1
        before, scope.last_end, scope.takes_comment = scope.last_end, end, True
        if found:
            if scope.run:
                self._statements(scope.run)
            main = found[0]
            if main.holds_rest and scope.rest >= 0:
                scope.end_rest(self._definitions, self._past(max(before, scope.covered)))
            if lead is None and len(found) == 1:
                self._emit_one(main, start, scope.container, scope.kind, scope.depth)
            else:
                self._emit(found, lead, scope.container, scope.kind, scope.depth)
            scope.owner = len(self._definitions) - 1
            scope.takes_comment = main.body_start < 0
            scope.covered = main.body_end if main.tail_end < 0 else max(main.body_end, main.tail_end)
            scope.meets(main, start, max(end, scope.covered))
            if main.holds_rest:
                scope.begin_rest(len(self._definitions) - 1, qualified_name(main, scope.container), main.kind)
        elif child.id in self._captures.docs:
            pass
        elif role == "scope" or role == "shape":
            self._meet_scope(scope, child, role, span)
        else:
            first = prefix if prefix >= 0 else lead.attribute_start if lead and lead.attribute_start >= 0 else start
            self._meet_other(scope, child, role, span, first)
            self._meet_behind(scope, child, end)
        scope.lead = None

    def _meet_scope(self, scope: ScopePass, child: tree_sitter.Node, role: str, span: Span) -> None:
        """A scope or shape that is no definition: its members are those of what is around it; empty, it is a statement."""
        start, end = span
        held, parts, kept = len(self._definitions), len(self._parts), self._kept
        still_shape, is_loose = scope.is_shape or role == "shape", scope.loose is not None
        scope.knows(span)
        self._visit(child, scope.container, scope.kind, is_shape=still_shape, depth=scope.depth + 1, is_loose=is_loose)
        scope.takes_comment = False
        is_empty = held == len(self._definitions) and kept == self._kept
        if is_empty and not still_shape and not self._holds_imports(start, end):
            del self._parts[parts:]
            scope.run.append((start, self._past_end(end)))
        else:
            self._statements(scope.run)
            doc = self._doc_above(scope.lead, start) if scope.lead else -1
            self._group(held, doc, start, end)
            if doc >= 0 and held < len(self._definitions) and self._definitions[held].start == start:
                self._definitions[held] = self._definitions[held]._replace(start=doc)

    def _meet_other(self, scope: ScopePass, child: tree_sitter.Node, role: str | None, span: Span, first: int) -> None:
        """Treats a node that is no definition and no scope: kept, walked as a frame or an error, or one more statement.

        Args:
            scope: the scope that is walked.
            child: the node.
            role: what the query says of it.
            span: where it is.
            first: where it starts with the attributes above it.
        """
        (start, end), container, kind, depth = span, scope.container, scope.kind, scope.depth
        if role == "tail":
            if scope.run:
                scope.run.append(span)
        elif role == "call" and (tokens := self._captures.tokens_of(child)) is not None:
            self._statements(scope.run)
            self._walk_call(tokens, first, span, container, kind, depth, is_shape=scope.is_shape)
            scope.takes_comment = False
        elif role == "frame" and self._walk_frame(child, scope.run, first, container, kind, depth):
            pass
        elif role == "detail":
            self._statements(scope.run)
            self._details += 1
            scope.covered = self._past_tails(child, end)
            self._parts.append(Part(first, scope.covered, Role.CONSTANT))
            self._emit_inside(start, end, container, kind, depth)
        elif role == "import" or role == "keep":
            if role == "import":
                scope.knows(span)
            self._statements(scope.run)
            self._kept += 1
            self._emit_inside(start, end, container, kind, depth)
        elif scope.is_shape or child.id in scope.fields:
            if scope.lead:
                self._doc_above(scope.lead, start)
            scope.takes_comment, held = scope.is_shape, len(self._definitions)
            self._emit_inside(start, end, container, kind, depth)
            if child.has_error and held == len(self._definitions):
                self._loose.add(span)
        elif child.is_error:
            scope.knows(span)
            self._statements(scope.run)
            self._visit(child, container, kind, is_shape=False, depth=depth + 1)
        elif depth and scope.node.is_error and self._opens(child, start, end):
            self._statements(scope.run)
            self._unread.append(span)
        elif not self._source[first:end].isspace():
            scope.run.append((first, self._past_end(end)))
            scope.takes_comment = False

    def _meet_behind(self, scope: ScopePass, child: tree_sitter.Node, end: int) -> None:
        """Has the definition before a node reach to its end where it belongs to it; behind any other node nothing does."""
        if child.id not in self._captures.behind:
            scope.owner = -1
        elif scope.owner >= 0:
            owner = self._definitions[scope.owner]
            self._definitions[scope.owner] = owner._replace(end=max(owner.end, self._past(end)))

    def _past_tails(self, node: tree_sitter.Node, end: int) -> int:
        """Past what belongs to a node though it stands behind it: the text of a heredoc."""
        following = node.next_named_sibling
        while following is not None and self._captures.roles.get(following.id) == "tail":
            end, following = following.end_byte, following.next_named_sibling
        return self._past(end)

    def _begins(self, start: int, end: int) -> bool:
        """Tells whether what is no definition itself begins with the word that one in it begins with: `let f = 1 and g = 2`."""
        inside = self._captures.inside(start, end)
        found = self._captures.by_span.get(inside[0], ()) if inside else ()
        return bool(found) and found[0].first == start

    def _opens(self, child: tree_sitter.Node, start: int, end: int) -> bool:
        """Tells whether what is half written shows the beginning of a definition there: a word of it, or what a brace follows."""
        source = self._source
        if not child.named_child_count:
            return not source.startswith(b";", end - 1)
        return source.startswith(b"{", self._after(end)) and source[start : start + 1].isalpha()

    def _walk_frame(
        self, node: tree_sitter.Node, run: list[Span], first: int, container: str, kind: str, depth: int
    ) -> bool:
        """Walks a frame; where a reader would see nothing in it, says so and leaves no trace."""
        if not self._holds_members(node):
            return False
        noted = self._definitions, self._parts, self._scopes, self._leaks, self._torn
        marks, kept, details = [len(one) for one in noted], self._kept, self._details
        self._frame(node, container, kind, depth)
        is_empty = len(self._definitions) == marks[0] and self._kept == kept
        if is_empty and self._details == details:
            for one, mark in zip(noted, marks, strict=True):
                del one[mark:]
            return False
        self._statements(run)
        if is_empty:
            self._parts.append(Part(first, self._past(node.end_byte), Role.CONSTANT))
        self._group(marks[0], first, *node.byte_range)
        return True

    def _walk_call(
        self, tokens: tree_sitter.Node, first: int, span: Span, container: str, kind: str, depth: int, *, is_shape: bool
    ) -> None:
        """Walks what a macro is called with, read again; what cannot be read is counted."""
        held = len(self._definitions)
        if depth < _DEEPEST:
            reading = self._again.read(tokens)
            self._read_again |= bool(reading.pieces or reading.unread)
            self._kept += 1
            self._walk_reading(reading, container, kind, depth + 1, is_shape=is_shape)
        self._group(held, first, *span)

    def _walk_reading(self, reading: Reading, container: str, kind: str, depth: int, *, is_shape: bool) -> None:
        self._parts += reading.unread
        for piece in reading.pieces:
            if not isinstance(piece, Head):
                self._visit(piece, container, kind, is_shape=is_shape, depth=depth)
                continue
            named = self._emit_head(piece, container, kind)
            self._walk_reading(piece.inside, qualified(container, named.name), named.kind, depth, is_shape=is_shape)

    def _frame(self, node: tree_sitter.Node, container: str, kind: str, depth: int) -> None:
        """A node that is kept for what stands in it: its scopes are walked, the rest of it is as written."""
        for child in node.named_children:
            role = self._captures.roles.get(child.id)
            if role == "scope" or role == "shape":
                self._filled(child)
                is_shape = role == "shape"
                self._visit(child, container, kind, is_shape=is_shape, depth=depth + 1, has_header=True)
            elif role == "frame" and depth < _DEEPEST:
                self._frame(child, container, kind, depth + 1)
            elif role == "keep":
                continue  # `let at = 0` in the head of a loop
            elif found := self._captures.by_span.get(self._captures.span(child)):
                self._emit(found, None, container, kind, depth)

    def _holds_members(self, frame: tree_sitter.Node) -> bool:
        """Tells whether a definition, an import or a detail stands in a frame, or in the scopes of the frames in it."""
        todo = [frame]
        while todo:
            node = todo.pop()
            self._captures.read(node)
            if self._captures.inside(*node.byte_range):
                return True
            roles = self._captures.roles
            for child in node.named_children:
                role = roles.get(child.id)
                if role == "detail":
                    return True
                if role in ("frame", "scope"):
                    todo.append(child)
        return False

    def _group(self, held: int, lead: int, start: int, end: int) -> None:
        """A scope or frame that holds constants alone goes where they go."""
        definitions = self._definitions[held:]
        constants = [one for one in definitions if one.kind == "constant"]
        if not constants or self._holds_imports(start, end):
            return
        others = [one for one in definitions if one.kind != "constant"]
        if all(any(one.start <= other.start < one.end for one in constants) for other in others):
            self._parts.append(Part(start if lead < 0 else lead, self._past(end), Role.CONSTANT))

    def _holds_imports(self, start: int, end: int) -> bool:
        return any(place not in self._captures.by_span for place in self._captures.inside(start, end))
