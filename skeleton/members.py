"""The walk over what a reader can see: from the root into every scope and shape that is not folded.

The walk turns the members it meets into parts: bodies, signatures on several lines, docs, initialisers, statements.
Definitions that it does not meet are folded with what they stand in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

import tree_sitter

from skeleton.captures import Captures, Found
from skeleton.languages import Language
from skeleton.levels import LONG_VALUE, Role
from skeleton.outline import Definition, Outline, Part, Scope, Span
from skeleton.parsing import parse

_DEEPEST = 100
"""Scopes nested deeper than this fold like a body: no hand-written file goes there, and hostile ones stay cheap."""

_CONTINUED = (b"\\\n", b"\\\r\n")

_OPENERS = {"}": "{", "]": "[", ")": "("}

_CALLABLE = frozenset({"function", "method", "constructor"})
_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "impl"})
"""A function that is a member of one of these is a method."""

_NO_MODULE_DOC = re.compile(
    rb"copyright|licen[cs]e|spdx-|all rights reserved"
    rb"|\A\W*(?:go:|\+build|eslint|jshint|jslint|tslint|@ts-|prettier|@flow|@format|istanbul|global\s|frozen_string"
    rb"|-\*-|vim?:|pylint|flake8|noqa|mypy:|type:|clang-format|nolint|shellcheck|rubocop|swiftlint)",
    re.IGNORECASE,
)
"""Comments at the top of a file that tell nothing about it: licences and orders to tools."""

_WORD_AFTER_BODY = re.compile(rb"(?!\b(?:end\w*|done|fi|esac)\b)\b\w")
_GUARD = re.compile(rb";(?=[^\s;])")
"""A semicolon that guards what follows from what stands before, where lines end without."""

_TERMINATOR = re.compile(rb"(?:[ \t]*&|\s*;)(?=[ \t\r]*$)", re.MULTILINE)
"""What ends a statement apart from it: a shell's `&`, a semicolon on a line of its own."""

_BLANK = frozenset(b" \t\r\n\f")
_SEPARATORS = (b",", b";", b"}", b")", b"]")


def outline(source: bytes, language: Language) -> Outline:
    """The outline of UTF-8 source text; never raises on content."""
    parsed, tree = parse(source, language)
    return _Walk(source, parsed, language, tree.root_node).outline()


def every_definition(source: bytes, language: Language) -> tuple[Definition, ...]:
    """All definitions of UTF-8 source text by position, those in bodies too; never raises on content.

    What is local to a function has that function as its container: `outer.inner`.
    """
    parsed, tree = parse(source, language)
    return _Walk(source, parsed, language, tree.root_node).every_definition()


class _Lead:
    """The comments and attributes directly above a member."""

    __slots__ = ("attribute_start", "reach", "runs")

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        """Starts of comments, in runs without a blank line or an attribute between them."""
        self.attribute_start = -1
        self.reach = -1

    def comment(self, source: bytes, start: int, end: int) -> None:
        apart = self.reach < 0 or source.count(b"\n", self.reach, start) > 1
        if apart or source.endswith(b"*/", 0, self.reach):
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

    def __init__(self, source: bytes, parsed: bytes, language: Language, root: tree_sitter.Node) -> None:
        self._source = source
        self._parsed = parsed
        self._language = language
        self._root = root
        self._captures = Captures(language, source, parsed)
        self._definitions: list[Definition] = []
        self._documented: set[int] = set()
        """Starts of the comments that are no loose comments: docs, and those in signatures."""
        self._parts: list[Part] = []
        self._scopes: list[Scope] = []
        self._leaks: list[str] = []
        self._torn: list[str] = []
        self._kept = 0
        """Imports and the like met so far."""

    def outline(self) -> Outline:
        self._members(self._root, "", "", is_shape=False, depth=0)
        captures, parts = self._captures, self._parts
        parts.extend(Part(start, end, Role.MODULE_DOC) for start, end in captures.loose_docs)
        parts.extend(Part(self._before(start), end, Role.BODY, fold) for start, end, fold in captures.loose_bodies)
        placeholders, source = self._language.placeholders, self._source
        for start, end in captures.comments.items():
            if start not in self._documented and source[start:end] not in placeholders:
                parts.append(Part(start, end, Role.COMMENT))
        parts.sort(key=_outer_first)
        self._definitions.sort(key=_signature_first)
        self._scopes.sort()
        size = len(source)
        own = Outline(
            definitions=tuple(self._definitions),
            parts=tuple(part if part.end <= size else part._replace(end=size) for part in parts if part.start < size),
            scopes=tuple(self._scopes),
            # What is around embedded code is no code; the grammars of templates lag behind what they allow.
            syntax_errors=self._root.has_error and not captures.embedded,
            leaks=tuple(self._leaks),
            torn=tuple(self._torn),
        )
        for name, walk in self._embedded():
            own = _with_embedded(own, walk.outline(), name)
        return own

    def _embedded(self) -> Iterator[tuple[str, _Walk]]:
        """Walks over what is embedded, each with the name of its language."""
        for node, name in self._captures.embedded:
            language = Language.named(name)
            parsed, tree = parse(self._source, language, node)
            yield name, _Walk(self._source, parsed, language, tree.root_node)

    def every_definition(self) -> tuple[Definition, ...]:
        own = self._own_definitions()
        embedded = [one for _, walk in self._embedded() for one in walk.every_definition()]
        return tuple(sorted((*own, *embedded), key=_signature_first)) if embedded else own

    def _own_definitions(self) -> tuple[Definition, ...]:
        self.outline()
        visible = self._definitions
        nested = self._captures.unseen(self._root)
        every = sorted((*visible, *map(_local, nested)), key=_signature_first)
        stack: list[Definition] = []
        for at, one in enumerate(every):
            while stack and stack[-1].end <= one.signature:
                stack.pop()
            if one.body < 0:
                outer = stack[-1].path if stack else ""
                container = f"{outer}.{one.container}" if outer and one.container else outer or one.container
                every[at] = one._replace(container=container, body=one.end)
            stack.append(every[at])
        return tuple(every)

    # Members

    def _members(
        self,
        node: tree_sitter.Node,
        container: str,
        kind: str,
        *,
        is_shape: bool,
        depth: int,
        has_header: bool = False,
    ) -> None:
        """Visits the members of a scope or shape of what has that qualified name and kind."""
        if depth > _DEEPEST:
            self._parts.append(Part(self._before(node.start_byte), node.end_byte, Role.BODY))
            return
        captures, source, is_root = self._captures, self._source, depth == 0
        captures.read(node)
        roles, by_span = captures.roles, captures.by_span
        lead: _Lead | None = None
        run: list[Span] = []
        fields: list[bool] = []
        last_end, covered, takes_comment = -1 if is_root else node.start_byte, -1, False
        prefix = -1
        above = self._comments_before(node) if has_header else []
        if above and (header := above[0].prev_sibling) is not None:
            last_end = header.end_byte
        for at, child in enumerate((*above, *node.named_children), -len(above)):
            span = start, end = captures.span(child)
            if start == end or start < covered:
                continue
            role = roles.get(child.id)
            if role == "comment":
                start = child.start_byte
                end = captures.comments[start]
                if not is_shape and source[start:end] in self._language.placeholders:
                    run.append((start, end))
                elif last_end < 0 or last_end == start or source.find(b"\n", last_end, start) >= 0:
                    lead = lead or _Lead()
                    lead.comment(source, start, end)
                elif takes_comment and self._is_doc(start) and source.find(b"\n", start, end) < 0:
                    self._document(start, end)
                continue
            if role is None and end == start + 1 and source.startswith(b";", start):
                if start == last_end:
                    self._parts.append(Part(start, end, Role.COMMENT))
                elif source[end : end + 1].strip():
                    prefix = start
                else:
                    run.append(span)
                continue
            if role == "attribute" and span not in by_span:
                lead = lead or _Lead()
                lead.attribute(start)
                self._captures.read_comments(child, start, end)
                self._one_line(start, end)
                continue
            if last_end < 0 and is_root:
                if role == "keep" and not lead:
                    continue  # what opens a file: `<?php`
                if lead:
                    self._module_doc(lead, start, documents=span in by_span)
            last_end, takes_comment = end, True
            first = prefix if prefix >= 0 else lead.attribute_start if lead and lead.attribute_start >= 0 else start
            prefix = -1
            if found := by_span.get(span):
                if run:
                    self._statements(run)
                self._emit(found, lead, container, kind, depth)
                takes_comment = found[0].body_start < 0
                covered = max(found[0].body_end, found[0].tail_end)
            elif child.id in captures.docs:
                pass
            elif role == "tail":
                if run:
                    run.append(span)
            elif role == "scope" or role == "shape":
                held, parts = len(self._definitions), len(self._parts)
                still_shape = is_shape or role == "shape"
                self._members(child, container, kind, is_shape=still_shape, depth=depth + 1)
                takes_comment = False
                if held == len(self._definitions) and not still_shape and not self._holds_imports(start, end):
                    del self._parts[parts:]
                    run.append((start, end))
                else:
                    self._statements(run)
                    self._group(held, self._doc_above(lead, start) if lead else -1, start, end)
            elif role == "frame" and self._walk_frame(child, run, first, container, kind, depth):
                pass
            elif role == "import" or role == "keep":
                self._statements(run)
                self._kept += 1
                self._emit_inside(start, end, container, kind, depth)
            elif is_shape or (fields := fields or _fields(node))[at]:
                if lead:
                    self._doc_above(lead, start)
                takes_comment = is_shape
                self._emit_inside(start, end, container, kind, depth)
            elif child.is_error:
                self._statements(run)
                self._members(child, container, kind, is_shape=False, depth=depth + 1)
            else:
                terminator = _TERMINATOR.match(source, end)
                run.append((first, terminator.end() if terminator else self._past(end)))
                takes_comment = False
            lead = None
        if last_end < 0 and is_root and lead:
            self._module_doc(lead, len(source), documents=False)
        self._statements(run)

    def _comments_before(self, scope: tree_sitter.Node) -> list[tree_sitter.Node]:
        """The comments between a header and its scope, which some grammars let begin with the first member."""
        comments: list[tree_sitter.Node] = []
        node = None if self._source.startswith(b"{", scope.start_byte) else scope.prev_sibling
        while node is not None and self._captures.roles.get(node.id) == "comment":
            comments.insert(0, node)
            node = node.prev_sibling
        return comments

    def _walk_frame(
        self, node: tree_sitter.Node, run: list[Span], first: int, container: str, kind: str, depth: int
    ) -> bool:
        """Walks a frame; where a reader would see nothing in it, says so and leaves no trace."""
        if not self._holds_members(node):
            return False
        noted = self._definitions, self._parts, self._scopes, self._leaks, self._torn
        marks, kept = [len(one) for one in noted], self._kept
        self._frame(node, container, kind, depth)
        if len(self._definitions) == marks[0] and self._kept == kept:
            for one, mark in zip(noted, marks, strict=True):
                del one[mark:]
            return False
        self._statements(run)
        self._group(marks[0], first, *node.byte_range)
        return True

    def _frame(self, node: tree_sitter.Node, container: str, kind: str, depth: int) -> None:
        """A node that is kept for what stands in it: its scopes are walked, the rest of it is as written."""
        for child in node.named_children:
            role = self._captures.roles.get(child.id)
            if role == "scope" or role == "shape":
                self._filled(child)
                is_shape = role == "shape"
                self._members(child, container, kind, is_shape=is_shape, depth=depth + 1, has_header=True)
            elif role == "frame" and depth < _DEEPEST:
                self._frame(child, container, kind, depth + 1)
            elif found := self._captures.by_span.get(child.byte_range):
                self._emit(found, None, container, kind, depth)

    def _holds_members(self, frame: tree_sitter.Node) -> bool:
        """Whether a definition or an import stands in a frame, or in the scopes of the frames in it."""
        todo = [frame]
        while todo:
            node = todo.pop()
            self._captures.read(node)
            if self._captures.inside(*node.byte_range):
                return True
            roles = self._captures.roles
            todo.extend(child for child in node.named_children if roles.get(child.id) in ("frame", "scope"))
        return False

    def _group(self, held: int, lead: int, start: int, end: int) -> None:
        """A scope or frame that holds constants alone goes where they go."""
        definitions = self._definitions[held:]
        constants = [one for one in definitions if one.kind == "constant"]
        if not constants or self._holds_imports(start, end):
            return
        if all(any(one.start <= other.start < one.end for one in constants) for other in definitions):
            self._parts.append(Part(start if lead < 0 else lead, self._past(end), Role.CONSTANT))

    def _holds_imports(self, start: int, end: int) -> bool:
        return any(place not in self._captures.by_span for place in self._captures.inside(start, end))

    def _emit_inside(self, start: int, end: int, container: str, kind: str, depth: int) -> None:
        """The definitions inside text that is kept."""
        for span in self._captures.inside(start, end):
            found = self._captures.by_span.get(span, ())
            if found and not found[0].seen:
                self._emit(found, None, container, kind, depth)

    def _emit(self, definitions: list[Found], lead: _Lead | None, container: str, kind: str, depth: int) -> None:
        """The parts of the definitions of one span (several where one declaration has several names)."""
        main = definitions[0]
        whole = main.start
        if lead:
            doc = self._doc_above(lead, main.start)
            whole = min(at for at in (doc, lead.attribute_start, main.start) if at >= 0)
        is_list = len(definitions) > 1 and any(_folds_alone(found) for found in definitions)
        shown: list[Found] = []
        for found in definitions:
            found.seen = True
            if found.kind == "function" and kind in _TYPES:
                found.kind = "method"
            if found.folds and (is_list or not shown):
                shown.append(found)
            if found.value is not None and found.kind not in _CALLABLE and not _folds_alone(found):
                self._value(found, found.value)
        if main.kind == "constant" and all(found.kind == "constant" for found in definitions):
            self._parts.append(Part(whole, self._past_separator(max(main.end, main.tail_end)), Role.CONSTANT))
        inside = _inside(container, main.container)
        for found in shown or (main,):
            start = found.name_node.start_byte if is_list and found is not main else found.start
            self._show(found, start, inside, kind, depth)
            if found.doc is not None and found.body_start < 0:
                self._document_node(found.doc)
            self._check_leaks(found, inside, is_list=is_list)
        first = shown[0] if shown else main
        name = first.name
        for found in definitions:
            own = found.name
            if found is not first and own == name and not is_list:
                continue  # a typedef of a tag by its own name
            signature, ends = found.signature, [found.signature_end]
            if signature < 0 and is_list and shown:
                signature = found.name_node.start_byte
                ends.append(found.name_node.end_byte)
            elif signature < 0 and not shown and len(definitions) > 1:
                signature = main.start
                ends.append(found.name_node.end_byte)
            elif signature < 0:
                signature = first.signature if first.signature >= 0 else main.start
                ends.append(first.signature_end)
            self._definitions.append(
                Definition(
                    found.kind,
                    own,
                    inside,
                    whole,
                    self._past(max(found.end, found.body_end, found.tail_end)),
                    signature,
                    min((at for at in ends if at >= 0), default=found.end),
                    found.name_node.start_byte,
                )
            )

    def _show(self, found: Found, start: int, inside: str, kind: str, depth: int) -> None:
        """The parts of one definition, whose signature starts there, or after the doc that stands there."""
        if found.doc is not None and found.doc.start_byte == start:
            start = found.signature = self._after(found.doc.end_byte)
        if found.body_start >= 0:
            self._body(found, start)
        elif (node := found.scope or found.shape) is not None:
            is_itself = node.id == found.node.id
            rest = found.name_node.end_byte if is_itself else node.start_byte
            self._signature(found, start, self._end_of_signature(found, rest), rest)
            if found.scope is not None:
                self._filled(node)
            path, is_shape = _path(found, inside), found.scope is None
            self._members(node, path, found.kind, is_shape=is_shape, depth=depth + 1, has_header=True)
        elif found.accessors is not None:
            self._accessors(found, found.accessors, start)
        elif found.kind in _CALLABLE:
            self._signature(found, start, self._end_of_signature(found, found.end))
        else:
            end = found.value.start_byte if found.value else found.end
            self._emit_inside(found.start + 1, end, inside, kind, depth)
            if self._source.find(b"\n", found.start, end) >= 0:
                self._join_attributes(found)
                self._document_inside(found, end)
        if found.doc is not None and found.body_start < 0:
            self._document_node(found.doc)

    def _join_attributes(self, found: Found) -> None:
        """Notes the attributes in front of a definition that is no callable."""
        attributes = self._captures.attributes
        first, last = (
            bisect_left(attributes, (found.start, -1)),
            bisect_left(attributes, (found.name_node.start_byte, -1)),
        )
        for start, end in attributes[first:last]:
            if self._source.find(b"\n", start, end) >= 0:
                self._captures.read_comments(found.outer, start, end)
                self._one_line(start, end)

    def _document_inside(self, found: Found, end: int) -> None:
        """Notes the doc comments in a type that is kept as it is written."""
        known = len(self._captures.comments)
        self._captures.read_comments(found.outer, found.start, end)
        for start, stop in list(self._captures.comments.items())[known:]:
            if self._is_doc(start) and self._source.find(b"\n", self._before(start), start) >= 0:
                self._document(start, stop)

    # Parts of one definition

    def _body(self, found: Found, start: int) -> None:
        end = self._end_of_signature(found, found.body_start)
        doc = found.doc
        inner: tuple[Span, ...] = ()
        if doc is not None and self._source.find(b"\n", end, doc.start_byte) >= 0:
            inner = (doc.byte_range,)
        close = self._to_closer(found.body_end)
        if found.body_end == found.node.end_byte and self._language.folds[found.fold].skeleton == b";":
            close = self._past(close)
        self._parts.append(Part(end, close, Role.BODY, found.fold, inner))
        self._signature(found, start, end)

    def _accessors(self, found: Found, accessors: tree_sitter.Node, start: int) -> None:
        """Notes the line breaks around accessors as pieces of the signature."""
        self._captures.read_comments(accessors, *accessors.byte_range)
        self._signature(found, start, self._end_of_signature(found, accessors.start_byte), accessors.start_byte)
        nodes = [node for child in accessors.children for node in child.children or (child,)]
        for child, following in pairwise(node for node in nodes if self._captures.roles.get(node.id) != "comment"):
            start, end = child.end_byte, following.start_byte
            if self._source.find(b"\n", start, end) >= 0:
                self._parts.append(Part(start, end, Role.SIGNATURE, 0, self._captures.comments_in(start, end)))

    def _end_of_signature(self, found: Found, rest: int) -> int:
        """Where the signature of a definition ends whose body, scope or shape starts there."""
        end = self._before(rest)
        brace = end if self._source.startswith(b"{", rest) else rest
        if self._source.find(b"\n", found.start, end) < 0 and self._source.find(b"\n", brace, rest) < 0:
            return end
        self._captures.read_comments(found.outer, found.start, rest)
        return self._before(rest)

    def _signature(self, found: Found, core: int, end: int, brace: int = -1) -> None:
        """Splits a signature into attributes on lines of their own and the rest, and notes what is on several lines."""
        source = self._source
        if source.find(b"\n", core, max(end, brace)) >= 0:
            attributes = self._captures.attributes
            at = bisect_left(attributes, (core, -1))
            while at < len(attributes) and attributes[at][1] <= end:
                start, stop = attributes[at]
                after = self._after(stop)
                if start == core and source.find(b"\n", stop, after) >= 0:
                    self._one_line(start, stop)
                    core = after
                at += 1
        found.signature, found.signature_end = core, end
        self._one_line(core, brace if brace > end and source.startswith(b"{", brace) else end)

    def _one_line(self, start: int, end: int) -> None:
        """Notes a piece of a signature and the comments in it, which are no loose ones."""
        spread = self._source.find(b"\n", start, end) >= 0
        comments = self._captures.comments_in(start, end)
        self._documented.update(at for at, _ in comments)
        if spread:
            lines = self._captures.lines
            breaks = lines[bisect_left(lines, start) : bisect_left(lines, end)]
            inner = sorted((*comments, *((at, at) for at in breaks if self._ends_line(at))))
            self._parts.append(Part(start, end, Role.SIGNATURE, 0, tuple(inner)))

    def _ends_line(self, position: int) -> bool:
        """Whether a line break is all that separates what ends there from what follows."""
        after = self._after(position)
        return self._source.find(b"\n", position, after) >= 0 and self._source[after : after + 1] not in _SEPARATORS

    def _value(self, found: Found, value: tree_sitter.Node) -> None:
        start = self._before(value.start_byte)
        if self._source[start - 1] not in b"=:":
            self._captures.read_comments(found.outer, found.name_node.end_byte, value.start_byte)
            start = self._before(value.start_byte)
        while start > found.start and self._source[start - 1] in b"=:":
            start -= 1
        role = Role.CONSTANT_VALUE if found.kind == "constant" else Role.FIELD_VALUE
        found.signature_end = self._before(start)
        comments = self._captures.comment_starts
        self._documented.update(comments[bisect_left(comments, start) : bisect_left(comments, value.start_byte)])
        span = start, end = value.start_byte, max(value.end_byte, found.tail_end)
        is_long = end - start > LONG_VALUE or self._source.find(b"\n", start, end) >= 0
        inside = _between_brackets(value) if found.tail_end < 0 else (end, end)
        inner = (span, inside) if is_long else (span,)
        self._parts.append(Part(found.signature_end, max(end, found.value_end), role, found.fold, inner))

    def _check_leaks(self, found: Found, inside: str, *, is_list: bool) -> None:
        """Compares what folds with what the grammar itself calls body and parameters, whatever the query captured."""
        if found.body_start >= 0:
            node, end = found.node, found.node.end_byte
            if is_list and (comma := self._source.find(b",", found.body_end, end)) >= 0:
                end = comma
            parameters = node.child_by_field_name("parameters")
            if parameters is not None and parameters.end_byte > found.body_start:
                self._torn.append(_path(found, inside))
            body = node.child_by_field_name("body")
            uncovered = body is not None and (body.end_byte > found.body_end or body.start_byte < found.body_start)
            if uncovered or (found.body_end < end and self._holds_words(found.body_end, end)):
                self._leaks.append(_path(found, inside))
        elif found.kind in _CALLABLE and found.node.child_by_field_name("body") is not None:
            self._leaks.append(_path(found, inside))

    def _holds_words(self, start: int, end: int) -> bool:
        """Whether words other than those that end a block stand there, outside comments."""
        starts = self._captures.comment_starts
        for at in starts[bisect_left(starts, start) : bisect_left(starts, end)]:
            if _WORD_AFTER_BODY.search(self._source, start, at):
                return True
            start = self._captures.comments[at]
        return _WORD_AFTER_BODY.search(self._source, start, end) is not None

    # Docs

    def _is_doc(self, start: int) -> bool:
        marks = self._language.doc_comments
        return bool(marks) and self._source.startswith(marks, start)

    def _document_node(self, doc: tree_sitter.Node) -> None:
        start, end = doc.byte_range
        self._document(start, self._captures.comments.get(start, end))

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
        marks = self._language.module_doc
        runs = [[at for at in run if not self._source.startswith(b"#!", at)] for run in lead.runs]
        lead.runs = [run for run in runs if run and not self._tells_nothing(run)]
        above = lead.run_above(self._source, self._captures.comments, start)
        others = [run for run in lead.runs if run is not above]
        for run in others if documents or not above else [above, *others]:
            first, end = run[0], self._captures.comments[run[-1]]
            if marks and self._source.startswith(marks, first):
                self._documented.update(run)
                self._parts.append(Part(first, end, Role.MODULE_DOC))
                return

    def _tells_nothing(self, run: list[int]) -> bool:
        return _NO_MODULE_DOC.search(self._source[run[0] : self._captures.comments[run[-1]]]) is not None

    # Statements and places

    def _statements(self, run: list[Span]) -> None:
        if run:
            start, end = run[0][0], run[-1][1]
            if _GUARD.match(self._source, end - 1) and self._before(end - 1) < end - 1:
                end = self._before(end - 1)
            self._parts.append(Part(start, end, Role.STATEMENTS))
            run.clear()

    def _filled(self, scope: tree_sitter.Node) -> None:
        if self._language.empty_scope:
            self._scopes.append(Scope(self._before(scope.start_byte), scope.end_byte))

    def _before(self, position: int) -> int:
        """Back over white space and comments."""
        parsed, source, ends = self._parsed, self._source, self._captures.comment_ends
        while True:
            while position > 0 and (
                parsed[position - 1] in _BLANK
                or source[position - 1] in _BLANK
                or source.startswith(_CONTINUED, position - 1)
            ):
                position -= 1
            start = ends.get(position)
            if start is None:
                return position
            position = start

    def _after(self, position: int) -> int:
        """Forward over white space and comments."""
        while True:
            while position < len(self._source) and self._parsed[position] in _BLANK:
                position += 1
            end = self._captures.comments.get(position)
            if end is None:
                return position
            position = end

    def _past(self, end: int) -> int:
        """Past a semicolon that follows directly."""
        return end + 1 if self._source.startswith(b";", end) else end

    def _to_closer(self, end: int) -> int:
        """Up to the parenthesis that closes around a body, over a trailing comma and line breaks."""
        after = self._after(end)
        if self._source.startswith(b",", after):
            after = self._after(after + 1)
        return after if self._source.startswith(b")", after) else end

    def _past_separator(self, end: int) -> int:
        """Past a semicolon that follows directly, or the comma before the next member."""
        after = self._after(end)
        return after + 1 if self._source.startswith(b",", after) else self._past(end)


def _local(found: Found) -> Definition:
    """A definition whose container is still to be found; its `body` says so."""
    return Definition(
        found.kind, found.name, found.container, found.start, found.end, found.start, -1, found.name_node.start_byte
    )


def _fields(node: tree_sitter.Node) -> list[bool]:
    """For each named child whether it fills a field of its parent, other than its body: such are no members."""
    cursor = node.walk()
    fields: list[bool] = []
    more = cursor.goto_first_child()
    while more:
        child = cursor.node
        if child is not None and child.is_named:
            fields.append(cursor.field_name not in (None, "body"))
        more = cursor.goto_next_sibling()
    return fields


def _between_brackets(value: tree_sitter.Node) -> Span:
    """What stands between the brackets that end an initialiser; an empty span where it ends without."""
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
    """What stands between the brackets of the last argument, if it is nothing but them."""
    children = arguments.named_children[-1].children if arguments.named_child_count else []
    if len(children) > 1 and children[-1].type in "}]" and children[0].type == _OPENERS[children[-1].type]:
        return children[0].end_byte, children[-1].start_byte
    return None


def _with_embedded(outer: Outline, inner: Outline, language: str) -> Outline:
    """The outline of a file with that of the text of another language in it."""
    parts = (part if part.language else part._replace(language=language) for part in inner.parts)
    scopes = (scope if scope.language else scope._replace(language=language) for scope in inner.scopes)
    return Outline(
        definitions=tuple(sorted((*outer.definitions, *inner.definitions), key=_signature_first)),
        parts=tuple(sorted((*outer.parts, *parts), key=_outer_first)),
        scopes=tuple(sorted((*outer.scopes, *scopes))),
        syntax_errors=outer.syntax_errors or inner.syntax_errors,
        leaks=(*outer.leaks, *inner.leaks),
        torn=(*outer.torn, *inner.torn),
    )


def _outer_first(part: Part) -> Span:
    return part.start, -part.end


def _signature_first(one: Definition) -> tuple[int, int, int]:
    return one.signature, -one.end, one.name_start


def _inside(container: str, named: str) -> str:
    """What something stands in that names its container itself, perhaps the one around it."""
    if not named or container == named or container.endswith(f".{named}"):
        return container
    return f"{container}.{named}" if container else named


def _path(found: Found, inside: str) -> str:
    return f"{inside}.{found.name}" if inside else found.name


def _folds_alone(found: Found) -> bool:
    """Whether it is a body that folds, or a part of the initialiser, which is then no value."""
    if found.value is None or not found.folds:
        return found.body_start >= 0
    node = found.scope or found.shape
    start = found.body_start if found.body_start >= 0 else node.start_byte if node else -1
    return found.value.start_byte <= start < found.value.end_byte
