"""The walk over what a reader can see: from the root into every scope and shape that is not folded.

The walk turns the members it meets into parts: bodies, signatures on several lines, docs, initialisers, statements.
Definitions that it does not meet are folded with what they stand in.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

import tree_sitter

from skeleton.captures import Captures, Found
from skeleton.languages import Language
from skeleton.levels import Role
from skeleton.outline import Definition, Outline, Part, Span

_DEEPEST = 100
"""Scopes nested deeper than this fold like a body: no hand-written file goes there, and hostile ones stay cheap."""

_CALLABLE = frozenset({"function", "method", "constructor"})

_NO_MODULE_DOC = re.compile(
    rb"copyright|licen[cs]e|spdx-|all rights reserved"
    rb"|\A\W*(?:go:|\+build|eslint|jshint|jslint|tslint|@ts-|prettier|@flow|@format|istanbul|global\s|frozen_string"
    rb"|-\*-|vim?:|pylint|flake8|noqa|mypy:|type:|clang-format|nolint|shellcheck|rubocop|swiftlint)",
    re.IGNORECASE,
)
"""Comments at the top of a file that tell nothing about it: licences and orders to tools."""

_WORD_AFTER_BODY = re.compile(rb"(?!\b(?:end\w*|done|fi|esac)\b)\b\w")


def outline(source: bytes, language: Language) -> Outline:
    """The outline of UTF-8 source text; never raises on content."""
    # The tree must outlive its nodes: they are only valid, and their ids only unique, within it.
    tree = tree_sitter.Parser(language.grammar).parse(source)
    return _Walk(source, language, tree.root_node).outline()


class _Lead:
    """The comments and attributes directly above a member."""

    __slots__ = ("attribute_start", "reach", "runs")

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        """Starts of comments, in runs without a blank line or an attribute between them."""
        self.attribute_start = -1
        self.reach = -1

    def comment(self, source: bytes, start: int, end: int) -> None:
        if self.reach < 0 or source.count(b"\n", self.reach, start) > 1:
            self.runs.append([start])
        else:
            self.runs[-1].append(start)
        self.reach = end

    def attribute(self, start: int) -> None:
        if self.attribute_start < 0:
            self.attribute_start = start
        self.reach = -1

    def run_above(self, source: bytes, comments: dict[int, int], start: int) -> list[int]:
        """The last run, if it touches what starts there or the attributes of it."""
        if not self.runs:
            return []
        end = comments[self.runs[-1][-1]]
        touched = self.attribute_start if self.attribute_start > end else start
        return self.runs[-1] if source.count(b"\n", end, touched) <= 1 else []


class _Walk:
    """One walk over one tree; used once."""

    def __init__(self, source: bytes, language: Language, root: tree_sitter.Node) -> None:
        self._source = source
        self._language = language
        self._root = root
        self._captures = Captures(language, root, source)
        self._starts = [found.start for found in self._captures.definitions]
        self._comment_starts = sorted(self._captures.comments)
        self._comment_at = {end: start for start, end in self._captures.comments.items()}
        self._documented: set[int] = set()
        """Starts of the comments that are no loose comments: docs, and those in signatures."""
        self._parts: list[Part] = []
        self._scopes: list[Span] = []
        self._leaks: list[str] = []

    def outline(self) -> Outline:
        captures = self._captures
        for start, end in captures.loose_docs:
            self._parts.append(Part(start, end, Role.MODULE_DOC))
        for start, end, fold in captures.loose_bodies:
            self._parts.append(Part(self._before(start), end, Role.BODY, fold))
        self._members(self._root, is_shape=False, depth=0)
        placeholders = self._language.placeholders
        for start, end in captures.comments.items():
            if start not in self._documented and self._source[start:end] not in placeholders:
                self._parts.append(Part(start, end, Role.COMMENT))
        self._parts.sort(key=lambda part: (part.start, -part.end))
        self._scopes.sort()
        return Outline(
            definitions=tuple(_definition(found) for found in captures.definitions),
            parts=tuple(self._parts),
            scopes=tuple(self._scopes),
            syntax_errors=self._root.has_error,
            leaks=tuple(self._leaks),
        )

    # Members

    def _members(self, node: tree_sitter.Node, *, is_shape: bool, depth: int) -> None:
        if depth > _DEEPEST:
            self._parts.append(Part(self._before(node.start_byte), node.end_byte, Role.BODY))
            return
        captures, source = self._captures, self._source
        roles, by_span, docs, comments = captures.roles, captures.by_span, captures.docs, captures.comments
        lead = _Lead()
        run: list[Span] = []
        last_end, takes_comment = -1, False
        for at, child in enumerate(node.named_children):
            start, end = child.byte_range
            if start == end:
                continue
            role = roles.get(child.id, "")
            if role == "comment":
                end = comments[start]
                if not is_shape and source[start:end] in self._language.placeholders:
                    run.append((start, end))
                elif last_end < 0 or b"\n" in source[last_end:start]:
                    lead.comment(source, start, end)
                elif takes_comment and self._is_doc(start) and b"\n" not in source[start:end]:
                    self._document(start, end)
                continue
            if role == "attribute":
                lead.attribute(start)
                self._one_line(start, end)
                continue
            if last_end < 0 and node is self._root:
                self._module_doc(lead, start, documents=(start, end) in by_span)
            last_end, takes_comment = end, True
            if child.id in docs:
                pass
            elif found := by_span.get((start, end)):
                self._statements(run)
                self._emit(found, lead, depth)
                takes_comment = found[0].body_start < 0
            elif role == "scope" or role == "shape":
                self._statements(run)
                self._members(child, is_shape=role == "shape", depth=depth + 1)
            elif role == "frame" and self._holds_members(start, end):
                self._statements(run)
                self._frame(child, depth)
            elif role == "import" or role == "keep":
                self._statements(run)
                self._emit_inside(start, end, depth)
            elif is_shape or node.field_name_for_named_child(at) is not None:
                self._doc_above(lead, start)
                self._emit_inside(start, end, depth)
            elif child.is_error:
                self._statements(run)
                self._members(child, is_shape=False, depth=depth + 1)
            else:
                run.append((start if lead.attribute_start < 0 else lead.attribute_start, self._past_semicolon(end)))
                takes_comment = False
            lead = _Lead()
        if last_end < 0 and node is self._root:
            self._module_doc(lead, len(source), documents=False)
        self._statements(run)

    def _frame(self, node: tree_sitter.Node, depth: int) -> None:
        """A node that is kept for what stands in it: its scopes are walked, the rest of it is as written."""
        for child in node.named_children:
            role = self._captures.roles.get(child.id, "")
            if role == "scope" or role == "shape":
                self._filled(child)
                self._members(child, is_shape=role == "shape", depth=depth + 1)
            elif role == "frame" and depth < _DEEPEST:
                self._frame(child, depth + 1)
            elif found := self._captures.by_span.get(child.byte_range):
                self._emit(found, _Lead(), depth)

    def _emit_inside(self, start: int, end: int, depth: int) -> None:
        """The definitions inside text that is kept."""
        definitions = self._captures.definitions
        at = bisect_left(self._starts, start)
        while at < len(definitions) and definitions[at].start < end:
            found = definitions[at]
            if not found.seen and not found.inside:
                self._emit(self._captures.by_span[found.span], _Lead(), depth)
            at += 1

    def _emit(self, definitions: list[Found], lead: _Lead, depth: int) -> None:
        """The parts of the definitions of one span (several where one declaration has several names)."""
        main = definitions[0]
        doc = self._doc_above(lead, main.start)
        whole = min(at for at in (doc, lead.attribute_start, main.start) if at >= 0)
        for found in definitions:
            found.seen = True
            found.lead = whole
            if found.value is not None:
                self._value(found, found.value)
        if all(found.kind == "constant" for found in definitions):
            self._parts.append(Part(whole, self._past_semicolon(main.end), Role.CONSTANT))
        shown = next((found for found in definitions if found.body_start >= 0 or found.scope or found.shape), main)
        if shown.body_start >= 0:
            self._body(shown)
        elif (node := shown.scope or shown.shape) is not None:
            self._signature(shown, self._before(node.start_byte), node.start_byte)
            if shown.doc is not None:
                self._parts.append(Part(*shown.doc.byte_range, Role.DOC))
            if shown.scope is not None:
                self._filled(node)
            self._members(node, is_shape=shown.scope is None, depth=depth + 1)
        else:
            if shown.kind in _CALLABLE:
                self._signature(shown, shown.end)
            self._emit_inside(shown.start, shown.end, depth)
        for found in definitions:
            found.signature = shown.signature
            found.signature_end = min(found.signature_end, shown.signature_end)
        self._check_leaks(shown)

    # Parts of one definition

    def _body(self, found: Found) -> None:
        end = self._before(found.body_start)
        doc = found.doc
        inner: tuple[Span, ...] = ()
        if doc is not None and b"\n" in self._source[end : doc.start_byte]:
            inner = (doc.byte_range,)
        self._parts.append(Part(end, found.body_end, Role.BODY, found.fold, inner))
        self._signature(found, end)

    def _signature(self, found: Found, end: int, brace: int = -1) -> None:
        """Splits a signature into attributes on lines of their own and the rest, and notes what is on several lines."""
        attributes = self._captures.attributes
        core = found.start
        at = bisect_left(attributes, (found.start, -1))
        while at < len(attributes) and attributes[at][1] <= end:
            start, stop = attributes[at]
            after = self._after(stop)
            if start == core and b"\n" in self._source[stop:after]:
                self._one_line(start, stop)
                core = after
            at += 1
        found.signature, found.signature_end = core, end
        self._one_line(core, brace if self._source.startswith(b"{", brace) else end)

    def _one_line(self, start: int, end: int) -> None:
        first = bisect_left(self._comment_starts, start)
        last = bisect_left(self._comment_starts, end)
        comments = self._comment_starts[first:last]
        self._documented.update(comments)
        if self._source.find(b"\n", start, end) >= 0:
            inner = tuple((at, self._captures.comments[at]) for at in comments)
            self._parts.append(Part(start, end, Role.SIGNATURE, 0, inner))

    def _value(self, found: Found, value: tree_sitter.Node) -> None:
        start = self._before(value.start_byte)
        while start > found.start and self._source[start - 1] in b"=:":
            start -= 1
        role = Role.CONSTANT_VALUE if found.kind == "constant" else Role.FIELD_VALUE
        found.signature_end = self._before(start)
        self._parts.append(Part(found.signature_end, value.end_byte, role, found.fold, (value.byte_range,)))

    def _check_leaks(self, found: Found) -> None:
        """Compares what folds with what the grammar itself calls the body, whatever the query captured."""
        node = found.node
        body = node.child_by_field_name("body")
        if found.body_start >= 0:
            uncovered = body is not None and (body.end_byte > found.body_end or body.start_byte < found.body_start)
            if uncovered or _WORD_AFTER_BODY.search(self._source, found.body_end, node.end_byte):
                self._leaks.append(found.path)
        elif body is not None and found.kind in _CALLABLE:
            self._leaks.append(found.path)

    # Docs

    def _is_doc(self, start: int) -> bool:
        marks = self._language.doc_comments
        return bool(marks) and self._source.startswith(marks, start)

    def _document(self, start: int, end: int) -> None:
        self._documented.add(start)
        self._parts.append(Part(start, end, Role.DOC))

    def _doc_above(self, lead: _Lead, start: int) -> int:
        """Notes the doc comment directly above; returns where it starts, or -1."""
        run = lead.run_above(self._source, self._captures.comments, start)
        first = len(run)
        while first > 0 and self._is_doc(run[first - 1]):
            first -= 1
        if first == len(run):
            return -1
        self._documented.update(run[first:])
        self._parts.append(Part(run[first], self._captures.comments[run[-1]], Role.DOC))
        return run[first]

    def _module_doc(self, lead: _Lead, start: int, *, documents: bool) -> None:
        """Notes the doc comment of the file: the one directly above its first part, or else the first of any."""
        above = lead.run_above(self._source, self._captures.comments, start)
        others = [run for run in lead.runs if run is not above]
        for run in others if documents or not above else [above, *others]:
            first, end = run[0], self._captures.comments[run[-1]]
            is_doc = self._source.startswith(self._language.module_doc, first) if self._language.module_doc else False
            if is_doc and not _NO_MODULE_DOC.search(self._source[first:end]):
                self._documented.update(run)
                self._parts.append(Part(first, end, Role.MODULE_DOC))
                return

    # Statements and places

    def _statements(self, run: list[Span]) -> None:
        if run:
            self._parts.append(Part(run[0][0], run[-1][1], Role.STATEMENTS))
            run.clear()

    def _filled(self, scope: tree_sitter.Node) -> None:
        if self._language.empty_scope:
            self._scopes.append((self._before(scope.start_byte), scope.end_byte))

    def _holds_members(self, start: int, end: int) -> bool:
        if bisect_left(self._starts, start) < bisect_left(self._starts, end):
            return True
        imports = self._captures.imports
        return bisect_left(imports, (start, 0)) < bisect_right(imports, (end, 0))

    def _before(self, position: int) -> int:
        """Back over white space and comments."""
        while True:
            while position > 0 and self._source[position - 1] in b" \t\r\n":
                position -= 1
            start = self._comment_at.get(position)
            if start is None:
                return position
            position = start

    def _after(self, position: int) -> int:
        """Forward over white space and comments."""
        while True:
            while position < len(self._source) and self._source[position] in b" \t\r\n":
                position += 1
            end = self._captures.comments.get(position)
            if end is None:
                return position
            position = end

    def _past_semicolon(self, end: int) -> int:
        return end + 1 if self._source.startswith(b";", end) else end


def _definition(found: Found) -> Definition:
    return Definition(
        found.kind,
        found.name,
        found.container,
        found.lead,
        found.end,
        found.signature,
        found.signature_end,
        found.name_node.start_byte,
        not found.seen,
    )
