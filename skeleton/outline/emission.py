"""Makes records of definitions as the walk meets them: their kind, their span, and the parts that a level treats.

The walk (`skeleton.outline.members`) says where a definition stands; here it becomes a record, and its parts are noted.
Definitions of one span (`int a, b;`) share what stands above them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import tree_sitter

from skeleton.languages.kinds import OF_METHODS
from skeleton.languages.queries import Language
from skeleton.levels import Role
from skeleton.outline.again import Head
from skeleton.outline.definitions import Definition, Part
from skeleton.outline.found import Found
from skeleton.outline.lead import Lead
from skeleton.outline.parts import CALLABLE, PartNotes, what_holds


class Emission(PartNotes, ABC):
    """Makes records of the definitions of one source.

    Attributes (for the walk built on it):
        _definitions: those that were met so far, in no order.
    """

    def __init__(self, source: bytes, parsed: bytes, language: Language) -> None:
        super().__init__(source, parsed, language)
        self._definitions: list[Definition] = []

    @abstractmethod
    def _enter(self, node: tree_sitter.Node, found: Found, container: str, depth: int) -> None:
        """Visits the members of the scope or shape of a definition that stands in a container at a depth."""

    def _emit_inside(self, start: int, end: int, container: str, kind: str, depth: int) -> None:
        """The definitions inside text that is kept."""
        for span in self._captures.inside(start, end):
            found = self._captures.by_span.get(span, ())
            if found and not found[0].seen:
                self._emit(found, None, container, kind, depth)

    def _emit(self, definitions: list[Found], lead: Lead | None, container: str, kind: str, depth: int) -> None:
        """The parts of the definitions of one span (several where one declaration has several names)."""
        main = definitions[0]
        whole = main.start
        if lead:
            doc = self._doc_above(lead, main.start)
            whole = min(at for at in (doc, lead.attribute_start, main.start) if at >= 0)
        if len(definitions) == 1:
            self._emit_one(main, whole, container, kind, depth)
            return
        is_list = any(found.folds_alone for found in definitions)
        shown: list[Found] = []
        for found in definitions:
            if found.folds and (is_list or not shown):
                shown.append(found)
            self._see(found, kind)
        if main.kind == "constant" and all(found.kind == "constant" for found in definitions):
            self._parts.append(Part(whole, self._past_separator(max(main.end, main.tail_end)), Role.CONSTANT))
        inside = what_holds(container, main.container)
        for found in shown or (main,):
            start = found.name_start if is_list and found is not main else found.start
            self._show(found, start, inside, kind, depth)
            self._check_leaks(found, inside, is_list=is_list)
        first = shown[0] if shown else main
        name = first.name
        for found in definitions:
            own = found.name
            if found is not first and own == name and not is_list:
                continue  # a typedef of a tag by its own name
            signature, ends = found.signature, [found.signature_end]
            if signature < 0 and is_list and shown:
                signature = found.name_start
                ends.append(found.name_end)
            elif signature < 0 and not shown:
                signature = main.core
                ends.append(found.name_end)
            elif signature < 0:
                signature = first.signature if first.signature >= 0 else main.core
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
                    found.name_start,
                )
            )

    def _emit_one(self, found: Found, whole: int, container: str, kind: str, depth: int) -> None:
        """The parts of the only definition of a span."""
        self._see(found, kind)
        if found.kind == "constant" and not _leads_others(found):
            start = min(found.first, whole) if found.first >= 0 else whole
            self._parts.append(Part(start, self._past_separator(max(found.end, found.tail_end)), Role.CONSTANT))
        inside = what_holds(container, found.container) if found.container else container
        if found.doc is not None or not self._is_plain(found):
            self._show(found, found.start, inside, kind, depth)
        if found.body_start >= 0 or found.kind in CALLABLE:
            self._check_leaks(found, inside, is_list=False)
        end = found.end
        if found.body_end > end or found.tail_end > end:
            end = max(found.body_end, found.tail_end)
        signature = found.signature if found.signature >= 0 else found.core
        signature_end = found.signature_end if found.signature_end >= 0 else found.end
        if found.first >= 0:
            signature, whole = found.first, min(found.first, whole)
        self._definitions.append(
            Definition(
                found.kind, found.name, inside, whole, self._past(end), signature, signature_end, found.name_start
            )
        )

    def _emit_head(self, head: Head, container: str, kind: str) -> Definition:
        """The parts of a definition that is known by its head alone."""
        lead = Lead()
        for above in head.above:
            start, end = above.byte_range
            if above.is_extra:
                self._captures.read_comments(above, start, end)
                stop = self._captures.comments.get(start)
                if stop is not None:  # what no grammar reads is an extra too
                    lead.comment(self._source, start, stop)
            else:
                lead.attribute(start, end)
        doc = self._doc_above(lead, head.start)
        whole = min(at for at in (doc, lead.attribute_start, head.start) if at >= 0)
        name = self._source[slice(*head.name)].decode("utf-8", "replace")
        own = head.kind
        if own in CALLABLE and kind in OF_METHODS:
            own = "method"
        if own == "constant" and kind in OF_METHODS:
            own = "member"
        body = self._past_header(head)
        if head.block is not None and own in CALLABLE:
            self._parts.append(Part(body, head.block[1], Role.BODY))
        if own == "constant":
            self._parts.append(Part(whole, head.end, Role.CONSTANT))
        if head.value is not None and own in ("constant", "member"):
            role = Role.CONSTANT_VALUE if own == "constant" else Role.FIELD_VALUE
            end = head.value[1]
            self._parts.append(Part(body, end, role, 0, (head.value, (end, end))))
        self._one_line(head.start, body)
        definition = Definition(own, name, container, whole, head.end, head.start, body, head.name[0])
        self._definitions.append(definition)
        return definition

    def _past_header(self, head: Head) -> int:
        """Returns the end of the signature of a definition that is known by its head alone."""
        if head.value is not None:
            return self._before(self._source.rindex(b"=", 0, head.value[0]))
        if head.block is not None:
            return self._before(head.block[0])
        return head.end

    def _see(self, found: Found, kind: str) -> None:
        """Notes that a reader sees a definition, in something of that kind, and the initialiser that may fold."""
        found.seen = True
        found.core = found.start
        if found.kind == "function" and kind in OF_METHODS:
            found.kind = "method"
        if found.value is not None and found.kind not in CALLABLE and not found.folds_alone:
            self._value(found, found.value)

    def _show(self, found: Found, start: int, inside: str, kind: str, depth: int) -> None:
        """The parts of one definition, whose signature starts there, or after the doc that stands there."""
        if found.doc is not None and found.doc.start_byte == start:
            start = found.signature = self._after(found.doc.end_byte)
        if found.body_start >= 0:
            self._body(found, start)
        elif (node := found.scope or found.shape) is not None:
            is_itself = node.id == found.node.id
            rest = found.name_end if is_itself else node.start_byte
            self._signature(found, start, self._end_of_signature(found, rest), rest)
            if found.kind in OF_METHODS:
                self._document_header(found)
            if found.scope is not None:
                self._filled(node)
            self._enter(node, found, inside, depth)
        elif found.accessors is not None:
            self._accessors(found, found.accessors, start)
        elif found.kind in CALLABLE or (found.kind in OF_METHODS and self._has_parameters(found)):
            self._signature(found, start, self._end_of_signature(found, found.end))
            if found.kind in OF_METHODS:
                self._document_header(found)
        else:
            end = found.value.start_byte if found.value else found.end
            self._emit_inside(found.start + 1, end, inside, kind, depth)
            if self._source.find(b"\n", found.start, end) >= 0:
                self._join_attributes(found)
                self._document_inside(found, end)
        if found.doc is not None and found.body_start < 0:
            self._document_node(found.doc)

    def _has_parameters(self, found: Found) -> bool:
        """Tells whether a type without members has a constructor in its header."""
        return found.value is None and self._source.find(b"(", found.name_end, found.end) >= 0


def _leads_others(found: Found) -> bool:
    """Tells whether others follow that are joined to a definition by their first words: `let f = 1 and g = 2` without `f` is none."""
    around = found.node.parent
    return (
        found.first >= 0
        and around is not None
        and found.first == around.start_byte
        and found.node.next_named_sibling is not None
    )
