"""Finds the parts of single definitions: signature, body, initialiser, docs; and how much of a body the query covers.

What a level does with a part is not decided here: every part is noted with its role, and the level table has the word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.levels import LONG_VALUE, Role
from skeleton.outline.captures import Captures
from skeleton.outline.definitions import Part, Scope, Span, qualified
from skeleton.outline.found import Found
from skeleton.outline.lead import Lead
from skeleton.outline.places import Places

CALLABLE = frozenset({"function", "method", "constructor"})
"""Kinds whose body folds."""

_OPENERS = {"}": "{", "]": "[", ")": "("}

_NO_MODULE_DOC = re.compile(
    rb"copyright|licen[cs]e|spdx-|all rights reserved"
    rb"|\A\W*(?:go:|\+build|eslint|jshint|jslint|tslint|@ts-|prettier|@flow|@format|istanbul|global\s|frozen_string"
    rb"|-\*-|vim?:|pylint|flake8|noqa|mypy:|type:|clang-format|nolint|shellcheck|rubocop|swiftlint)",
    re.IGNORECASE,
)
"""Comments at the top of a file that tell nothing about it: licences and orders to tools."""

_PLAINLY_ENDS = re.compile(rb"[ \t\r\n\f]*(?:[\w;}@]|\Z)").match
"""After a body comes neither a comma nor a closing bracket nor a comment."""

_BODY = Role.BODY

_GUARD = re.compile(rb";(?=[^\s;])")
"""A semicolon that guards what follows from what stands before, where lines end without."""


class PartNotes(Places):
    """Notes the parts of one source.

    Attributes (for the walk built on it):
        _parts, _scopes: what was noted so far, in no order.
        _leaks, _torn: qualified names of definitions that the query does not cover, as in `Outline`.
        _documented: starts of the comments that are no loose comments: docs, and those in signatures.
    """

    def __init__(self, source: bytes, parsed: bytes, language: Language) -> None:
        super().__init__(source, parsed, Captures(language, source, parsed))
        self._language = language
        self._parts: list[Part] = []
        self._scopes: list[Scope] = []
        self._leaks: list[str] = []
        self._torn: list[str] = []
        self._documented: set[int] = set()
        self._semicolons = [fold.skeleton == b";" for fold in language.folds]
        self._parameters_field = language.grammar.field_id_for_name("parameters")
        self._body_field = language.grammar.field_id_for_name("body")
        self._has_braces = b"{" in language.folds[0].plus

    def _end_of_signature(self, found: Found, rest: int) -> int:
        """Returns the end of the signature of a definition whose body, scope or shape starts at a place."""
        if self._source.find(b"\n", found.start, rest) < 0:
            return self._before_body(rest, found.kind)
        self._captures.read_comments(found.outer, found.start, rest)
        return self._before_body(rest, found.kind)

    def _signature(self, found: Found, core: int, end: int, brace: int = -1) -> None:
        """Splits a signature into attributes on lines of their own and the rest, and notes what is on several lines."""
        source = self._source
        if source.find(b"\n", core, max(end, brace)) >= 0:
            attributes = self._captures.attributes
            at = bisect_left(attributes, (core, -1))
            while at < len(attributes) and attributes[at][1] <= end:
                start, stop = attributes[at]
                after = self._after_attribute(at)
                if start == core and source.find(b"\n", stop, after) >= 0:
                    self._one_line(start, stop)
                    core = after
                at += 1
        elif not self._captures.comment_starts:
            found.signature, found.signature_end = core, end
            return
        found.signature, found.signature_end = core, end
        opens = self._has_braces and brace > end and source.startswith(b"{", brace)
        self._one_line(core, brace if opens else end)

    def _after_attribute(self, at: int) -> int:
        """Returns the start of what follows an attribute: the next one, though it may have been blanked, or the owner."""
        attributes = self._captures.attributes
        after = self._after(attributes[at][1])
        following = attributes[at + 1][0] if at + 1 < len(attributes) else after
        return min(following, after) if following >= attributes[at][1] else after

    def _one_line(self, start: int, end: int) -> None:
        """Notes a piece of a signature and the comments in it, which are no loose ones."""
        starts = self._captures.comment_starts
        first = bisect_left(starts, start) if starts else 0
        if first < len(starts) and starts[first] < end:
            self._documented.update(starts[first : bisect_left(starts, end)])
        if self._source.find(b"\n", start, end) >= 0:
            comments = self._captures.comments_in(start, end)
            lines = self._captures.lines
            breaks = lines[bisect_left(lines, start) : bisect_left(lines, end)]
            inner = sorted((*comments, *((at, at) for at in breaks if self._ends_line(at))))
            self._parts.append(Part(start, end, Role.SIGNATURE, 0, tuple(inner)))

    def _is_plain(self, found: Found) -> bool:
        """Notes the body of a definition whose signature is on one line and holds no comment, or else nothing.

        It is what `_body` does, said shorter for nearly all functions.
        """
        source, stop = self._source, found.body_start
        if stop < 0 or found.value is not None or source.find(b"\n", found.start, stop) >= 0:
            return False
        stop = self._before_body(stop, found.kind)
        starts = self._captures.comment_starts
        if starts:
            first = bisect_left(starts, found.start)
            if first < len(starts) and starts[first] < stop:
                return False
        close = found.body_end
        if not _PLAINLY_ENDS(self._parsed, close):
            close = self._to_closer(close)
        if self._semicolons[found.fold] and found.body_end == found.node.end_byte and source.startswith(b";", close):
            close += 1
        found.signature, found.signature_end = found.start, stop
        self._parts.append(Part(stop, close, _BODY, found.fold))
        return True

    def _body(self, found: Found, start: int) -> None:
        end = self._end_of_signature(found, found.body_start)
        doc = found.doc
        inner: tuple[Span, ...] = ()
        if doc is not None and doc.end_byte <= end:  # it stands before what a function takes, in its block
            self._document_node(doc)
        elif doc is not None and self._source.find(b"\n", end, doc.start_byte) >= 0:
            inner = (doc.byte_range,)
        close = self._to_closer(found.body_end)
        if self._semicolons[found.fold] and found.body_end == found.node.end_byte:
            close = self._past(close)
        self._parts.append(Part(end, close, Role.BODY, found.fold, inner))
        value = found.signature_end if found.value is not None else -1
        self._signature(found, start, min(value, end) if value >= 0 else end)

    def _accessors(self, found: Found, accessors: tree_sitter.Node, start: int) -> None:
        """Notes the line breaks around accessors as pieces of the signature."""
        self._captures.read_comments(accessors, *accessors.byte_range)
        self._signature(found, start, self._end_of_signature(found, accessors.start_byte), accessors.start_byte)
        nodes = [node for child in accessors.children for node in child.children or (child,)]
        for child, following in pairwise(node for node in nodes if self._captures.roles.get(node.id) != "comment"):
            start, end = child.end_byte, following.start_byte
            if self._source.find(b"\n", start, end) >= 0:
                self._parts.append(Part(start, end, Role.SIGNATURE, 0, self._captures.comments_in(start, end)))

    def _join_attributes(self, found: Found) -> None:
        """Notes the attributes in front of a definition that is no callable."""
        attributes = self._captures.attributes
        first, last = (
            bisect_left(attributes, (found.start, -1)),
            bisect_left(attributes, (found.name_start, -1)),
        )
        for at in range(first, last):
            start, end = attributes[at]
            if self._source.find(b"\n", start, end) >= 0:
                self._captures.read_comments(found.outer, start, end)
                self._one_line(start, end)
            if start == found.core and self._source.find(b"\n", end, found.name_start) >= 0:
                self._captures.read_comments(found.outer, end, found.name_start)
            after = self._after_attribute(at)
            if start == found.core and self._source.find(b"\n", end, after) >= 0:
                found.core = after

    def _value(self, found: Found, value: tree_sitter.Node) -> None:
        start = self._before(value.start_byte)
        if self._source[start - 1] not in b"=:":
            self._captures.read_comments(found.outer, found.name_end, value.start_byte)
            start = self._before(value.start_byte)
        while start > found.start and self._source[start - 1] in b"=:":
            start -= 1
        role = Role.CONSTANT_VALUE if found.kind == "constant" else Role.FIELD_VALUE
        found.signature_end = self._before(start)
        if start > found.signature_end and self._source.startswith(b":", found.signature_end - 1):
            found.signature_end = self._before(found.signature_end - 1)  # `name : = value`, of the type of that
        comments = self._captures.comment_starts
        self._documented.update(comments[bisect_left(comments, start) : bisect_left(comments, value.start_byte)])
        span = start, end = value.start_byte, max(self._captures.end(value), found.tail_end)
        is_long = end - start > LONG_VALUE or self._source.find(b"\n", start, end) >= 0
        inner: tuple[Span, ...] = (span,)
        if is_long:
            last = _last_of(value, found.tail_end)
            inner = span, _between_brackets(last) if found.tail_end <= last.end_byte else (end, end)
        self._parts.append(Part(found.signature_end, max(end, found.value_end), role, found.fold, inner))

    def _filled(self, scope: tree_sitter.Node) -> None:
        if self._language.empty_scope:
            self._scopes.append(Scope(self._before(scope.start_byte), scope.end_byte))

    def _statements(self, run: list[Span]) -> None:
        if run:
            start, end = run[0][0], run[-1][1]
            if _GUARD.match(self._source, end - 1) and self._before(end - 1) < end - 1:
                end = self._before(end - 1)
            self._parts.append(Part(start, end, Role.STATEMENTS))
            run.clear()

    def _check_leaks(self, found: Found, inside: str, *, is_list: bool) -> None:
        """Compares what folds with what the grammar itself calls body and parameters, whatever the query captured."""
        if found.body_start >= 0:
            node = found.node
            limit = found.end if node.id in self._captures.trailing else node.end_byte
            end = found.after if found.after >= 0 else limit
            if is_list and (comma := self._source.find(b",", found.body_end, end)) >= 0:
                end = comma
            parameters = node.child_by_field_id(self._parameters_field) if self._parameters_field else None
            if parameters is not None and parameters.end_byte > found.body_start:
                self._torn.append(qualified_name(found, inside))
            body = node.child_by_field_id(self._body_field) if self._body_field else None
            uncovered = body is not None and (
                body.start_byte < found.body_start
                or bool(self._source[found.body_end : min(body.end_byte, limit)].strip())
            )
            if uncovered or (found.body_end < end and self._holds_words(found.body_end, end)):
                self._leaks.append(qualified_name(found, inside))
        elif self._body_field and found.kind in CALLABLE and found.node.child_by_field_id(self._body_field) is not None:
            self._leaks.append(qualified_name(found, inside))

    def _is_doc(self, start: int) -> bool:
        marks = self._language.doc_comments
        return bool(marks) and self._source.startswith(marks, start)

    def _document_node(self, doc: tree_sitter.Node) -> None:
        start, end = doc.byte_range
        self._document(start, self._captures.comments.get(start, end))

    def _document(self, start: int, end: int) -> None:
        self._documented.add(start)
        self._parts.append(Part(start, end, Role.DOC))

    def _document_inside(self, found: Found, end: int) -> None:
        """Notes the doc comments in a type that is kept as it is written."""
        known = len(self._captures.comments)
        self._captures.read_comments(found.outer, found.start, end)
        for start, stop in list(self._captures.comments.items())[known:]:
            if self._is_doc(start) and self._source.find(b"\n", self._before(start), start) >= 0:
                self._document(start, stop)

    def _document_header(self, found: Found) -> None:
        """Notes the doc comments in the header of a type: those of its constructor's parameters."""
        for start, stop in self._captures.comments_in(found.name_end, found.signature_end):
            if self._is_doc(start) and self._source.find(b"\n", self._before(start), start) >= 0:
                self._document(start, stop)

    def _doc_above(self, lead: Lead, start: int) -> int:
        """Notes the doc comment directly above, but for plain comments between; returns where it starts, or -1."""
        for run in lead.runs_above(self._source, self._parsed, self._captures.comments, start):
            documents = [self._is_doc(at) for at in run]
            if True in documents:
                break
        else:
            return -1
        last = len(run)
        while not documents[last - 1]:
            last -= 1
        first = last
        while first > 0 and documents[first - 1]:
            first -= 1
        self._documented.update(run[first:last])
        self._parts.append(Part(run[first], self._captures.comments[run[last - 1]], Role.DOC))
        return run[first]

    def _module_doc(self, lead: Lead, start: int, *, documents: bool) -> None:
        """Notes the doc comment of the file: the one directly above its first part, or else the first of any."""
        marks = self._language.module_doc
        runs = [[at for at in run if not self._source.startswith(b"#!", at)] for run in lead.runs]
        lead.runs = [run for run in runs if run and not self._tells_nothing(run)]
        above = lead.run_above(self._source, self._parsed, self._captures.comments, start)
        others = [run for run in lead.runs if run is not above]
        for run in others if documents or not above else [above, *others]:
            first, end = run[0], self._captures.comments[run[-1]]
            if marks and self._source.startswith(marks, first):
                self._documented.update(run)
                self._parts.append(Part(first, end, Role.MODULE_DOC))
                return

    def _tells_nothing(self, run: list[int]) -> bool:
        return _NO_MODULE_DOC.search(self._source[run[0] : self._captures.comments[run[-1]]]) is not None


def qualified_name(found: Found, inside: str) -> str:
    """The name of a definition behind that of what it stands in."""
    return qualified(inside, found.name)


def what_holds(container: str, named: str) -> str:
    """Returns the container of something that names it itself, perhaps the one around it."""
    if not named or container == named or container.endswith(f".{named}"):
        return container
    return qualified(container, named)


def _last_of(value: tree_sitter.Node, end: int) -> tree_sitter.Node:
    """Returns the node that ends an initialiser: itself, or the last of what belongs to it and stands behind it."""
    while value.end_byte < end and (following := value.next_named_sibling) is not None:
        value = following
    return value


def _between_brackets(value: tree_sitter.Node) -> Span:
    """Returns the span between the brackets that end an initialiser; an empty span where it ends without."""
    node, end = value, value.end_byte
    while node.child_count:
        children = node.children
        opener = _OPENERS.get(children[-1].type)
        if opener is not None:
            start = next((child.end_byte for child in reversed(children) if child.type == opener), end)
            literal = _last_literal(node) if opener == "(" else None
            if literal is not None and value.text is not None and b"\n" not in value.text[literal[1] - end :]:
                return literal
            return start, children[-1].start_byte if start < end else end
        last = children[-1]
        # A word may follow the brackets: `{ … } as const`.
        node = (
            last
            if last.child_count or node is not value
            else next((one for one in reversed(children) if one.child_count), last)
        )
    return end, end


def _last_literal(arguments: tree_sitter.Node) -> Span | None:
    """Returns the span between the brackets of the last argument, if it is nothing but them."""
    children = arguments.named_children[-1].children if arguments.named_child_count else []
    if len(children) > 1 and children[-1].type in "}]" and children[0].type == _OPENERS[children[-1].type]:
        return children[0].end_byte, children[-1].start_byte
    return None
