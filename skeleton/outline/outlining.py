"""Turns a source into its outline: one walk from the root, and what that walk alone does not see.

Such are what was cut out of what is read, what is embedded in another language, and what stands inside bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Final

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.levels import Role
from skeleton.outline.above import Above
from skeleton.outline.beginning import may_begin
from skeleton.outline.cutting import without
from skeleton.outline.definitions import (
    Definition,
    Outline,
    Part,
    Span,
    nested,
    outer_first,
    signature_first,
    with_embedded,
)
from skeleton.outline.members import Members
from skeleton.outline.mending import is_broken
from skeleton.outline.parsing import parse, tree_of
from skeleton.outline.resumed import Torn, containers, first_to_end, resumed_definitions, resumed_outline, with_cut

_MOST_CUTS: Final = 32
"""The texts that were cut out of others and of which it is kept what they define."""

_end = itemgetter(1)


def outline(source: bytes, language: Language) -> Outline:
    """The outline of UTF-8 source text; never raises on content."""
    return outline_of_tree(source, *parse(source, language), language)


def outline_of_tree(
    source: bytes, parsed: bytes, tree: tree_sitter.Tree, language: Language, *, cuts: bool = True
) -> Outline:
    """The outline of UTF-8 source text, of which `parse` gave the rest.

    Args:
        source: the text.
        parsed: what was parsed of it.
        tree: its tree.
        language: of it.
        cuts: whether lines that hide definitions may be found, which are then not read, but shown as they are written.
    """
    return resumed_outline(source, language.begins, _Walk(source, parsed, language, tree.root_node), cuts=cuts)


def outline_with_cuts(source: bytes, uncut: bytes, language: Language, cut: tuple[Span, ...]) -> Outline:
    """The outline of UTF-8 source text, some of whose lines are not read, but shown as they are written.

    Args:
        source: the text.
        uncut: what `as_read` gave of it.
        language: of it.
        cut: those lines; at least one.

    Raises:
        GrammarFailureError: it took too long to read.
    """
    walk = _parsed(source, without(uncut, cut), language, cut, uncut)
    return resumed_outline(source, language.begins, walk, cuts=False)


def every_definition(source: bytes, language: Language) -> tuple[Definition, ...]:
    """All definitions of UTF-8 source text by position, those in bodies too; never raises on content.

    What is local to a function has that function as its container: `outer.inner`.
    """
    parsed, tree = parse(source, language)
    return resumed_definitions(source, language.begins, _Walk(source, parsed, language, tree.root_node))


def read_again(source: bytes, parsed: bytes, tree: tree_sitter.Tree, language: Language) -> list[tree_sitter.Node]:
    """The roots of what the grammar keeps as tokens and was read again: what macros are called with."""
    if language.items is None:
        return []
    walk = _Walk(source, parsed, language, tree.root_node)
    walk.outline()
    return walk.read_again


def _parsed(source: bytes, parsed: bytes, language: Language, cut: tuple[Span, ...] = (), uncut: bytes = b"") -> _Walk:
    """Returns the walk over a text that is still to be parsed; its arguments are those of the walk."""
    return _Walk(source, parsed, language, tree_of(parsed, language).root_node, cut, uncut)


@lru_cache(maxsize=_MOST_CUTS)
def _definitions_of_cut(source: bytes, parsed: bytes, language: Language) -> tuple[Definition, ...]:
    """The definitions of what was cut out of a text, read as if it were a source.

    They are kept for a while: the same lines are cut out of a file in every round of cuts, and out of its skeletons.
    """
    return _parsed(source, parsed, language).outline().definitions


class _Walk(Members):
    """One walk over one tree, from its root; used once."""

    def __init__(
        self,
        source: bytes,
        parsed: bytes,
        language: Language,
        root: tree_sitter.Node,
        cut: tuple[Span, ...] = (),
        uncut: bytes = b"",
    ) -> None:
        super().__init__(source, parsed, language)
        self._root = root
        self.cut = cut
        """The spans cut out of the text that is read."""
        self._uncut = uncut or parsed
        """The text that is read where nothing is cut out."""
        self._own: Outline | None = None

    def again_from(self, start: int) -> _Walk:
        """Returns the walk over what begins at a place, read as if the source began there."""
        source = self._source[start:]
        parsed = source if self._parsed is self._source else self._parsed[start:]
        cut = tuple((first - start, end - start) for first, end in self.cut if first >= start)
        return _parsed(source, parsed, self._language, cut, self._uncut[start:])

    def may_begin(self, word: int) -> bool:
        """Tells, before the walk, whether the outline might begin with a definition that covers the first word."""
        return may_begin(self._root, self._language, self._captures, word)

    def without(self, cut: tuple[Span, ...]) -> _Walk:
        """Returns the walk over the same source with other spans cut out of what is read."""
        return _parsed(self._source, without(self._uncut, cut), self._language, cut, self._uncut)

    def _cut_definitions(self) -> Iterator[Definition]:
        """Yields the definitions in what was cut out: what begins with a definition is that one, to its end."""
        around = containers(self._definitions, [start for start, _ in self.cut], self._source)
        for (start, end), holders in zip(self.cut, around, strict=True):
            source = self._source[start:end]
            inside = _definitions_of_cut(source, self._uncut[start:end], self._language)
            yield from first_to_end(inside, start, source, holders)

    def _as_far_as_known(self, one: Definition) -> Definition:
        """Returns a definition; of one that a blanked condition closes, whose body goes on elsewhere, the signature."""
        last = one.end - 1
        if last <= one.body or self._parsed[last : one.end] != b"}" or self._source[last : one.end] == b"}":
            return one
        return one._replace(end=one.body)

    @property
    def read_again(self) -> list[tree_sitter.Node]:
        """The roots of what was read again so far."""
        return self._again.roots

    def torn(self) -> Torn:
        """Returns the facts known of a source with syntax errors, once it has an outline."""
        return Torn(self._source, self._parsed, self._root, self.outline())

    def outline(self) -> Outline:
        if self._own is not None:
            return self._own
        self._visit(self._root, "", "", is_shape=False, depth=0)
        captures, parts = self._captures, self._parts
        parts.extend(Part(start, end, Role.MODULE_DOC) for start, end in captures.loose_docs)
        parts.extend(Part(self._before(start), end, Role.BODY, fold) for start, end, fold in captures.loose_bodies)
        placeholders, is_count, source = self._language.placeholders, self._language.is_count, self._source
        documented, role = self._documented, Role.COMMENT
        for start, end in captures.comments.items():
            if start not in documented and source[start:end] not in placeholders and not is_count(source[start:end]):
                parts.append(Part(start, end, role))
        parts.sort(key=outer_first)
        self._definitions = sorted(map(self._as_far_as_known, self._definitions), key=signature_first)
        self._scopes.sort()
        size = len(source)
        if parts and (parts[-1].start >= size or max(map(_end, parts)) > size):
            parts = [part if part.end <= size else part._replace(end=size) for part in parts if part.start < size]
        own = Outline(
            definitions=tuple(self._definitions),
            parts=tuple(parts),
            scopes=tuple(self._scopes),
            # What is around embedded code is no code; the grammars of templates lag behind what they allow.
            syntax_errors=not captures.embedded and is_broken(self._root, self._parsed, self._language),
            leaks=tuple(self._leaks),
            torn=tuple(self._torn),
            read_again=self._read_again,
            as_written=tuple(sorted(self._unread)),
            loose=tuple(sorted(self._loose.spans(self._root, captures.comments, captures.comment_starts))),
        )
        if self.cut:
            self._definitions = sorted((*self._definitions, *self._cut_definitions()), key=signature_first)
            own = with_cut(own, tuple(self._definitions), self.cut)
        for name, walk in self._embedded():
            own = with_embedded(own, walk.outline(), name)
        self._own = own
        return own

    def _embedded(self) -> Iterator[tuple[str, _Walk]]:
        """Walks over what is embedded, each with the name of its language."""
        for node, name in self._captures.embedded:
            language = Language.named(name)
            ends = node.start_point, node.end_point, node.start_byte, node.end_byte
            parsed, tree = parse(self._source, language, tree_sitter.Range(*ends))
            yield name, _Walk(self._source, parsed, language, tree.root_node)

    def every_definition(self) -> tuple[Definition, ...]:
        own = self._own_definitions()
        embedded = [one for _, walk in self._embedded() for one in walk.every_definition()]
        return tuple(sorted((*own, *embedded), key=signature_first)) if embedded else own

    def _own_definitions(self) -> tuple[Definition, ...]:
        self.outline()
        unseen = self._captures.unseen([self._root, *self._again.roots])
        above = Above(self._source, self._captures, self._is_doc)
        local = (found.as_local(self._before(found.head_end)) for found in unseen)
        every = sorted((*self._definitions, *local), key=signature_first)
        return nested([one._replace(start=above.start_of(one.start)) for one in every])
