"""Compares the tree of a skeleton with the tree of its source: it must be the same tree, cut.

A skeleton is its source with other text in the place of some of it. So its tree ought to be that of the source without
the nodes that stood there, and with those that the other text is read as. `likeness` compares the two, node by node:
what stayed as it is must be a node of the same kind with as many nodes in it and the same text; what holds a gap is
compared by its children. Nothing is asked of the query, which is what makes it cheap.

What a gap is read as has no counterpart in the source. It is noted instead: the kinds of nodes around it and in it, and
the placeholder, if it is one. These `readings` are few for a language. Whether a reading is what it should be only the
walk over the skeleton can tell (`skeleton.proof.proving`); once it has, it need not be asked again (ADR 11).

None is given wherever anything is unusual. Then the walk decides, as it does for every reading that is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import tree_sitter

from skeleton.languages.queries import Language
from skeleton.levels import CompressionLevel, Role
from skeleton.outline.definitions import Definition, Outline
from skeleton.proof.fillings import are_as_ruled
from skeleton.proof.positions import Gap, Positions, is_made_of
from skeleton.render.rendering import Rendered
from skeleton.render.signatures import bare, rounded

Reading = tuple[bool, int, int, int, bytes, tuple[int, ...]]
"""At L1 or not; the kinds of the node around a node with a gap, of that node in the source and in the skeleton; the
placeholder in the gap, and the kinds of the nodes there. Of the node itself: no placeholder and no kinds."""

_DEEPEST = 60
"""Nodes with gaps nested deeper than this are left to the walk."""

_VALUES = frozenset({Role.FIELD_VALUE, Role.CONSTANT_VALUE})
_FOLDED_AWAY = b";"
"""The placeholder after which there is no body: the signature ends with the definition."""


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """A skeleton that is like its source.

    Attributes:
        definitions: those of the skeleton, if all readings are what they should be.
        readings: what the gaps are read as.
    """

    definitions: tuple[Definition, ...]
    readings: frozenset[Reading]


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A source that skeletons are compared with: it parses cleanly, as it is written, and is of one language."""

    text: bytes
    outline: Outline
    root: tree_sitter.Node


class _UnlikeError(Exception):
    """Raised where the walk has to decide."""


def comparable(text: bytes, parsed: bytes, root: tree_sitter.Node, outline: Outline) -> Source | None:
    """A source to compare skeletons with; None where only the walk can tell what its skeletons hold."""
    if parsed is not text or root.has_error or outline.leaks or outline.torn or outline.read_again:
        return None
    if any(part.language for part in outline.parts):
        return None
    return Source(text=text, outline=outline, root=root)


def likeness(
    source: Source,
    shown: Sequence[Definition],
    rendered: Rendered,
    root: tree_sitter.Node,
    language: Language,
    level: CompressionLevel,
) -> Likeness | None:
    """Returns the readings that make a skeleton like its source; None where it is not, or where that cannot be told from the trees.

    Args:
        source: what it was made from.
        shown: the definitions of the source that the level shows.
        rendered: the skeleton.
        root: the root of its tree, which holds no error.
        language: of both.
        level: L1 or L2.
    """
    if rendered.indent or not is_made_of(source.text, rendered):
        return None
    positions = Positions(source.text, rendered)
    if not are_as_ruled(source.text, source.outline, positions, language, level):
        return None
    marks = _placeholders(language)
    is_plus = level is CompressionLevel.SKELETON_PLUS
    pair = _Pair(source.text, positions, marks, is_plus=is_plus)
    try:
        pair.compare(source.root, root, 0, 0)
        valueless = frozenset[int]() if is_plus else _valueless(source.outline, language)
        definitions = _definitions(source, shown, positions, pair.ends, valueless, language)
    except _UnlikeError:
        return None
    return Likeness(definitions=definitions, readings=frozenset(pair.readings))


class _Pair:
    """A source and a skeleton while their trees are compared; used once.

    Attributes:
        readings: what the gaps so far are read as.
        ends: where nodes with gaps end in the skeleton, by where they end in the source; of equal ends the outer one.
    """

    def __init__(self, source: bytes, positions: Positions, marks: frozenset[bytes], *, is_plus: bool) -> None:
        self.readings: set[Reading] = set()
        self.ends: dict[int, int] = {}
        self._source = source
        self._text = positions.text
        beyond = len(source) + 1, len(positions.text) + 1
        self._gaps: list[Gap] = [*positions.gaps, (beyond[0], beyond[0], beyond[1], beyond[1])]
        self._marks = marks
        self._is_plus = is_plus
        self._gap = self._shown_gap = 0
        """The first gaps that the comparison has not passed, in the source and in the skeleton."""

    def compare(self, node: tree_sitter.Node, other: tree_sitter.Node, around: int, depth: int) -> None:
        """Compares the children of a node of the source, which holds a gap, with those of one of the skeleton."""
        if depth > _DEEPEST:
            raise _UnlikeError
        source, text, gaps, at = self._source, self._text, self._gaps, self._gap
        kind, other_kind, others = node.kind_id, other.kind_id, other.named_children
        direct: dict[int, list[int]] = {}
        place = 0
        for child in node.named_children:
            start, end = child.byte_range
            while gaps[at][1] <= start:
                at += 1
            gap_start, gap_end, _, _ = gaps[at]
            if gap_start <= start and (end <= gap_end or source[gap_end:end].isspace()):
                direct.setdefault(at, [])
                continue
            place = self._past_gaps(others, place, direct)
            if place == len(others):
                raise _UnlikeError
            match = others[place]
            place += 1
            if gap_start < end:
                self.ends.setdefault(end, match.end_byte)
                if not (gap_end >= end > gap_start > start and self._is_folded(child, match, at, other_kind)):
                    self._gap = at
                    self.compare(child, match, other_kind, depth + 1)
                continue
            if child.kind_id != match.kind_id or child.descendant_count != match.descendant_count:
                raise _UnlikeError
            first, stop = match.byte_range
            one, two = source[start:end], text[first:stop]
            if one != two and one.split() != two.split():  # blank lines and white space at ends of lines are gone
                raise _UnlikeError
        if self._past_gaps(others, place, direct) < len(others):
            raise _UnlikeError
        self.readings.add((self._is_plus, around, kind, other_kind, b"", ()))
        for at, kinds in direct.items():
            _, _, shown, shown_end = gaps[at]
            mark = text[shown:shown_end].strip()
            mark = mark if mark in self._marks else b""
            self.readings.add((self._is_plus, around, kind, other_kind, mark, (-1, *kinds)))

    def _is_folded(self, node: tree_sitter.Node, other: tree_sitter.Node, at: int, around: int) -> bool:
        """Tells whether all but the last child of a node, which went with what follows, is the same in two nodes.

        It is what `compare` finds of most functions, said shorter; where it does not hold, `compare` has the word.
        """
        gap_start, _, shown, shown_end = self._gaps[at]
        count, others = node.named_child_count, other.named_child_count
        if not count or not others:
            return False
        body, last = node.named_child(count - 1), other.named_child(others - 1)
        if body.start_byte < gap_start:
            return False
        mark = self._text[shown:shown_end].strip()
        size = other.descendant_count - node.descendant_count + body.descendant_count
        kinds: tuple[int, ...] = (-1,)
        start, end = last.byte_range
        if start >= shown:
            if start >= shown_end or end > shown_end or start == end:
                return False
            kinds = -1, last.kind_id
            others -= 1
            size -= last.descendant_count
        elif mark == _FOLDED_AWAY and other.end_byte == shown_end:
            size -= 1
        if size or others != count - 1:
            return False
        kind, other_kind = node.kind_id, other.kind_id
        self.readings.add((self._is_plus, around, kind, other_kind, b"", ()))
        self.readings.add((self._is_plus, around, kind, other_kind, mark if mark in self._marks else b"", kinds))
        return True

    def _past_gaps(self, nodes: list[tree_sitter.Node], place: int, direct: dict[int, list[int]]) -> int:
        """The place of the next node of the skeleton that stands in no gap; those before it are noted.

        What was put in two gaps one below the other might be read as one.
        """
        gaps, at = self._gaps, self._shown_gap
        last = last_gap = -1
        while place < len(nodes):
            node = nodes[place]
            start, end = node.byte_range
            while gaps[at][3] <= start:
                at += 1
            _, _, shown, shown_end = gaps[at]
            if start < shown or end == start or (end > shown_end and not self._text[shown_end:end].isspace()):
                break
            if self._is_plus and at != last_gap >= 0 and self._text.count(b"\n", last, start) == 1:
                raise _UnlikeError
            direct.setdefault(at, []).append(node.kind_id)
            place, last, last_gap = place + 1, end, at
        self._shown_gap = at
        return place


@cache
def _placeholders(language: Language) -> frozenset[bytes]:
    """The texts that take the place of what is folded."""
    marks = {language.fold_statements, language.fold_inside, language.empty_scope}
    for fold in language.folds:
        marks |= {fold.plus, fold.skeleton, fold.value, fold.long_value}
    return frozenset(mark.strip() for mark in marks)


def _valueless(outline: Outline, language: Language) -> frozenset[int]:
    """Returns the starts of signatures whose initialiser is gone at L2 without a trace."""
    folds = language.folds
    return frozenset(
        [start for start, _, role, fold, _, _ in outline.parts if role in _VALUES and not folds[fold].value]
    )


def _definitions(
    compared: Source,
    shown: Sequence[Definition],
    positions: Positions,
    ends: dict[int, int],
    valueless: frozenset[int],
    language: Language,
) -> tuple[Definition, ...]:
    """The definitions of the skeleton: those of the source, where they stand there.

    Raises:
        _UnlikeError: one is not there, or not with its whole signature.
    """
    source = compared.text
    text, replaced = positions.text, positions.replaced
    found: list[Definition] = []
    last = last_shown = -1
    span, was_valueless = (-1, -1), False
    for one in shown:
        kind, name, container, start, end, signature, body, name_start = one
        first, until = positions.verbatim(signature)
        if body <= until and source[signature:body] == text[first : first + body - signature]:
            stop = first + body - signature
            name_at = first + name_start - signature if name_start < body else positions.start(name_start)
        else:
            first, stop = positions.start(signature), positions.before(body)
            kept = rounded(text[first:stop], language)
            if kept != rounded(source[signature:body], language) and kept != bare(
                source, one, compared.outline, language
            ):
                raise _UnlikeError
            name_at, _ = positions.verbatim(name_start)
            if name_at < 0:
                name_at = first + name_start - signature
                if source[signature : name_start + 1] != text[first : name_at + 1]:
                    raise _UnlikeError
        if (name_start > last) is not (name_at > last_shown):
            raise _UnlikeError
        last, last_shown = name_start, name_at
        if replaced.get(body) == _FOLDED_AWAY:
            stop = ends.get(end) or ends.get(end - 1) or (positions.end(end) if until < 0 else -1)
            if stop < 0:
                raise _UnlikeError
        is_valueless = body in valueless
        if is_valueless:
            stop = ends.get(end) or ends.get(end - 1) or stop
        if (is_valueless or was_valueless) and span == (start, end):
            raise _UnlikeError  # several names of one declaration, some with an initialiser
        span, was_valueless = (start, end), is_valueless
        at = first if start == signature else positions.start(start)
        found.append(Definition(kind, name, container, at, positions.end(end), first, stop, name_at))
    return tuple(found)
