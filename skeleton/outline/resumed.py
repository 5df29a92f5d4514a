"""Finds again the definitions that a syntax error hides.

A grammar that stumbles goes on as well as it can, and at times that is not well: a brace that a preprocessor tears apart
makes one body of ten functions, and a half-written class leaves a heap of words. What a level hides of such a file (a
body, statements, an initialiser) may hold definitions. A query file says how a line looks that begins one
(`; begins:`). Where such a line is hidden, and stands no deeper than what hides it or in what could not be read at all,
the source is read again from there, as if it began there; and where that does not give a definition either, the text
is shown as it is, which loses nothing. Files without syntax errors are never looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
import tree_sitter

from skeleton.languages.kinds import OF_METHODS
from skeleton.levels import Role
from skeleton.outline.cutting import Lines, Stumble, is_too_much, loses, merged, swallowing
from skeleton.outline.definitions import Definition, Outline, Part, Span, outer_first, qualified, signature_first
from skeleton.outline.early import left_over, unclosed
from skeleton.outline.loose import by_lines, errors, outside_signatures, with_bodies
from skeleton.outline.rows import Rows

MOST_READINGS: Final = 24
"""The most places from which one file is read again: each reading costs as much as a parse of the rest."""

_MOST_AGAIN: Final = 3
"""A source is read again at most so many times its own length, in all …"""

_ALWAYS_BYTES: Final = 1 << 15
"""… and so many bytes besides."""

_MOST_BYTES: Final = 4_000_000
"""The most bytes that are read again in all, however large a source is."""

_MOST_ROUNDS: Final = 12
"""Cuts in one file, at most."""

_MOST_CUT: Final = 1_200_000
"""The most bytes that are read in all to find what to cut out, however large a source is."""

_HIDES: Final = frozenset(
    {Role.BODY, Role.STATEMENTS, Role.CONSTANT, Role.CONSTANT_VALUE, Role.FIELD_VALUE, Role.UNREAD}
)
_BLANKS: Final = b" \t\r\n\f"
_CLOSES: Final = re.compile(rb"(?:[\])};,\s]|\bend\b)*")
_ENDS_EARLY: Final = frozenset({Role.BODY, Role.STATEMENTS})
"""The roles of parts that end early where they hide something: the text before it is still not shown."""

_SHALLOW: Final = 3
"""An error that a word stands in is looked for so many nodes above it."""

_QUOTED: Final = re.compile("string|comment|heredoc|content|text")
"""The types of nodes, in any grammar, whose text is no code."""


class Walk(Protocol):
    """The walk over one tree (`skeleton.outline.outlining`)."""

    def outline(self) -> Outline:
        """Returns the outline that was found."""
        ...

    def every_definition(self) -> tuple[Definition, ...]:
        """All definitions, those in bodies included."""
        ...

    def torn(self) -> Torn:
        """Returns the facts known of a source with syntax errors."""
        ...

    def again_from(self, start: int) -> Walk:
        """The walk over what begins at a place, read as if the source began there."""
        ...

    def may_begin(self, word: int) -> bool:
        """Tells whether the outline might begin with a definition, other than a constant, that covers the first word."""
        ...

    @property
    def cut(self) -> tuple[Span, ...]:
        """The spans cut out of the text that is read."""
        ...

    def without(self, cut: tuple[Span, ...]) -> Walk:
        """The walk over the same source with other spans cut out of what is read."""
        ...


class Piece(NamedTuple):
    """The part of a source that was read from a place on."""

    start: int
    walk: Walk
    own: Outline


def resumed_outline(source: bytes, begins: re.Pattern[bytes] | None, walk: Walk, *, cuts: bool = True) -> Outline:
    """The outline of a source.

    Args:
        source: the text, as UTF-8.
        begins: what a line matches that begins a definition; None where a language does not say.
        walk: the walk over all of it.
        cuts: whether what the grammar stumbles over may be cut out of what is read.
    """
    pieces = _pieces(source, begins, _cut_out(source, begins, walk) if cuts else walk)
    own, at = pieces[-1].own, pieces[-1].start
    for piece in reversed(pieces[:-1]):
        own, at = joined(piece.own, at - piece.start, own, source[piece.start :]), piece.start
    if not own.syntax_errors:
        return own
    rows = Rows(source)
    open_bodies = list(unclosed(own, rows))
    loose = with_bodies((*own.loose, *own.cut, *left_over(own, rows), *open_bodies), own.definitions, rows)
    told = (*open_bodies, *outside_signatures(loose, own.definitions, rows))
    parts = sorted(by_lines(own.parts, loose, rows), key=outer_first)
    return _with(own, parts=tuple(parts), as_written=(*own.as_written, *told))


def resumed_definitions(source: bytes, begins: re.Pattern[bytes] | None, walk: Walk) -> tuple[Definition, ...]:
    """As `resumed_outline`, for the definitions alone, those in bodies included."""
    pieces = _pieces(source, begins, _cut_out(source, begins, walk))
    every, at = pieces[-1].walk.every_definition(), pieces[-1].start
    for piece in reversed(pieces[:-1]):
        before = piece.walk.every_definition()
        every, at = joined_definitions(before, at - piece.start, every, source[piece.start :]), piece.start
    return every


def _cut_out(source: bytes, begins: re.Pattern[bytes] | None, walk: Walk) -> Walk:
    """Returns the walk over a source without what its grammar stumbles over, where that loses nothing."""
    own = walk.outline()
    if begins is None or not own.syntax_errors:
        return walk
    lines = Lines(source, tuple(match.span() for match in begins.finditer(source)))
    left = min(_MOST_AGAIN * len(source) + _ALWAYS_BYTES, _MOST_CUT)
    tried: set[int] = set()
    at_once, rounds = True, 0
    while rounds < _MOST_ROUNDS and left >= len(source) and (stumbles := walk.torn().stumbles(lines, frozenset(tried))):
        rounds += 1
        stumbles = stumbles if at_once else stumbles[:1]
        cut = merged((*walk.cut, *(lines.around(one.at) for one in stumbles)), source)
        if len(stumbles) == 1:
            tried.add(stumbles[0].at)
        at_once = len(stumbles) == 1
        if is_too_much(cut, source):
            continue
        left -= len(source)
        other = walk.without(cut)
        outline = other.outline()
        if not loses(own, outline, cut, frozenset(one.name for one in stumbles)):
            tried.update(one.at for one in stumbles)
            walk, own, at_once = other, outline, True
    return walk


def _pieces(source: bytes, begins: re.Pattern[bytes] | None, walk: Walk) -> list[Piece]:
    """A source as it is read: in one piece, unless a syntax error hides definitions."""
    pieces = [Piece(0, walk, walk.outline())]
    readings, read, most = 0, 0, min(_MOST_AGAIN * len(source) + _ALWAYS_BYTES, _MOST_BYTES)
    while begins is not None and (last := pieces[-1]).own.syntax_errors:
        rest = source[last.start :]
        unread: list[Span] = []
        for hidden in last.walk.torn().hidden(match.span() for match in begins.finditer(rest)):
            size = len(rest) - hidden.start
            if hidden.start and readings < MOST_READINGS and read + size <= most:
                readings, read = readings + 1, read + size
                walk = last.walk.again_from(hidden.start)
                if _begins_with_definition(walk, hidden.word - hidden.start):
                    pieces.append(Piece(last.start + hidden.start, walk, walk.outline()))
                    break
            unread.append((hidden.start, hidden.part.end))
        at = pieces.index(last)
        pieces[at] = last._replace(own=_shown(last.own, unread, rest))
        if at == len(pieces) - 1:
            break
    return pieces


class Hidden(NamedTuple):
    """A line that begins a definition, hidden by a part."""

    start: int
    """The start of the line."""
    word: int
    """The start of its first word."""
    part: Part


class Torn:
    """One source with syntax errors, its tree and its outline.

    Args:
        source: the text.
        parsed: what was parsed of it, of the same length.
        root: the root of its tree.
        begins: what a line matches that begins a definition, with the white space before it.
    """

    def __init__(self, source: bytes, parsed: bytes, root: tree_sitter.Node, outline: Outline) -> None:
        self._source = source
        self._parsed = parsed
        self._root = root
        self._outline = outline
        self._errors = sorted(errors(root))

    def hidden(self, lines: Iterator[Span]) -> Iterator[Hidden]:
        """Those of the lines, in order, that a part hides that should not."""
        owners = {one.body: one for one in self._outline.definitions}
        parts = [part for part in self._outline.parts if part.role in _HIDES and not part.language]
        at, open_parts = 0, list[Part]()
        for start, end in lines:
            line_end = self._line_end(end)
            while at < len(parts) and parts[at].start <= line_end:
                open_parts.append(parts[at])
                at += 1
            open_parts = [part for part in open_parts if part.end > start]
            word = self._first_word(start)
            for part in open_parts:
                first = line_end if part.role is Role.STATEMENTS else word
                if part.start <= first and word < part.end and self._hides(part, word, owners):
                    yield Hidden(start, word, part)
                    break

    def stumbles(self, lines: Lines, tried: frozenset[int]) -> list[Stumble]:
        """Returns the places where the grammar took more for one thing than it is, or the first where it read nothing of one.

        Those tried before are left out: what is unread is often so for what stands above it.
        """
        definitions = self._outline.definitions
        found = list(swallowing(lines, self._errors, definitions, tried))
        until = found[0].at if found else len(self._source)
        loose = next((at for at in self._loose(lines, definitions) if at not in tried), until)
        return [Stumble(loose)] if loose < until else found

    def _loose(self, lines: Lines, definitions: Sequence[Definition]) -> Iterator[int]:
        """Yields the words of lines that begin something and stand in errors, with nothing read of them."""
        signatures = [one.signature for one in definitions]
        parts = [part for part in self._outline.parts if part.role is not Role.SIGNATURE]
        hidden = at = 0
        for start, end in lines.begins:
            line_end = self._line_end(end)
            while at < len(parts) and parts[at].start <= start:
                hidden = max(hidden, parts[at].end)
                at += 1
            if start < hidden or (at < len(parts) and parts[at].start <= line_end and parts[at].role is not Role.BODY):
                continue
            word = self._first_word(start)
            place = bisect_right(signatures, line_end) - 1
            if (place < 0 or signatures[place] < start) and self._stands_in_error(word):
                yield word

    def _stands_in_error(self, word: int) -> bool:
        node = self._root.descendant_for_byte_range(word, word + 1)
        for _ in range(_SHALLOW):
            if node is None or node.is_error or _QUOTED.search(node.type):
                break
            node = node.parent
        return node is not None and node.is_error

    def _first_word(self, start: int) -> int:
        parsed, size = self._parsed, len(self._parsed)
        while start < size and parsed[start] in _BLANKS:
            start += 1
        return start

    def _hides(self, part: Part, word: int, owners: dict[int, Definition]) -> bool:
        """Tells whether a part that holds a line hides what is no part of it."""
        node = self._root.descendant_for_byte_range(word, word + 1)
        if node is None or _QUOTED.search(node.type) or (node.start_byte < word and not node.is_error):
            return False  # in the midst of a string or a comment
        if part.role is Role.BODY and (owner := owners.get(part.start)) is not None:
            return self._indentation(word) <= self._indentation(owner.signature)
        first, last = self._source.rfind(b"\n", 0, part.start) + 1, self._line_end(part.end)
        at = bisect_right(self._errors, (last, len(self._source)))
        return at > 0 and self._errors[at - 1][1] >= first  # the outermost errors do not overlap

    def _line_end(self, at: int) -> int:
        end = self._source.find(b"\n", at)
        return end if end >= 0 else len(self._source)

    def _indentation(self, at: int) -> int:
        return indentation(self._source, at)


def indentation(source: bytes, at: int) -> int:
    """Counts the blanks and tabs before the first word of the line of a place."""
    first = last = source.rfind(b"\n", 0, at) + 1
    while last < len(source) and source[last] in b" \t":
        last += 1
    return last - first


def _before(source: bytes, at: int) -> int:
    """Back over white space."""
    while at > 0 and source[at - 1] in _BLANKS:
        at -= 1
    return at


def _shown(outline: Outline, unread: Sequence[Span], source: bytes) -> Outline:
    """The outline with what its parts hide of some spans, in order, shown as it is written, all that stands in it too."""
    if not unread:
        return outline
    spans: list[Span] = []
    for start, end in unread:
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    ends = [end for _, end in spans]
    parts: list[Part] = []
    shown: list[Span] = []
    for part in outline.parts:
        at = bisect_right(ends, part.start)
        if part.role not in _HIDES or at == len(spans) or spans[at][0] >= part.end:
            if at == len(spans) or part.start < spans[at][0] or part.end > spans[at][1]:
                parts.append(part)
        elif part.role in _ENDS_EARLY and (end := _before(source, spans[at][0])) > part.start:
            parts.append(part._replace(end=end, inner=_ending(part.inner, end)))
            shown.append((spans[at][0], part.end))
        else:
            shown.append(part[:2])
    return _with(outline, parts=tuple(parts), as_written=(*outline.as_written, *shown))


def _begins_with_definition(walk: Walk, word: int) -> bool:
    """Tells whether a definition other than a constant stands at the first word of what is walked over."""
    first = next(iter(walk.outline().definitions), None) if walk.may_begin(word) else None
    return first is not None and first.signature <= word < first.end and first.kind != "constant"


def joined(before: Outline, at: int, after: Outline, source: bytes) -> Outline:
    """The outline of a source that was read again from a place on, from those of what stands before and after it."""
    end = _before(source, at)
    around = _containers(before.definitions, at, source)
    parts: list[Part] = []
    for part in before.parts:
        if part.end <= at:
            parts.append(part)
        elif part.start < end and part.role in _ENDS_EARLY:
            parts.append(part._replace(end=end, inner=_ending(part.inner, end)))
    parts += (_moved(part, at) for part in after.parts if not _only_closes(part, source[at:]))
    definitions = [*_cut(before.definitions, at, source), *_placed(after.definitions, at, around)]
    scopes = [scope if scope.end <= at else scope._replace(end=end) for scope in before.scopes if scope.start < end]
    scopes += (scope._replace(start=scope.start + at, end=scope.end + at) for scope in after.scopes)
    return Outline(
        definitions=tuple(sorted(definitions, key=signature_first)),
        parts=tuple(sorted(parts, key=outer_first)),
        scopes=tuple(sorted(scopes)),
        syntax_errors=True,
        leaks=(*before.leaks, *after.leaks),
        torn=(*before.torn, *after.torn),
        read_again=before.read_again or after.read_again,
        as_written=tuple(
            sorted(
                [
                    *((start, min(stop, end)) for start, stop in before.as_written if start < end),
                    *((start + at, stop + at) for start, stop in after.as_written),
                ]
            )
        ),
        cut=tuple(
            sorted(
                {
                    *(span for span in before.cut if span[0] < at),
                    *((start + at, stop + at) for start, stop in after.cut),
                }
            )
        ),
        loose=(
            *((start, min(stop, end)) for start, stop in before.loose if start < end),
            *((start + at, stop + at) for start, stop in after.loose),
        ),
    )


def joined_definitions(
    before: tuple[Definition, ...], at: int, after: tuple[Definition, ...], source: bytes
) -> tuple[Definition, ...]:
    """As `joined`, for the definitions alone, those in bodies included."""
    around = _containers(before, at, source)
    return tuple(sorted((*_cut(before, at, source), *_placed(after, at, around)), key=signature_first))


def containers(definitions: Iterable[Definition], places: Iterable[int], source: bytes) -> Iterator[list[Definition]]:
    """Yields the definitions that what begins at each place stands in, outermost first: by indentation, but for modules.

    Args:
        definitions: by their signatures.
        places: in order.
        source: the text of both.
    """
    around: list[Definition] = []
    following = iter(definitions)
    nearest = next(following, None)
    for at in places:
        while nearest is not None and nearest.signature < at:
            around.append(nearest)
            nearest = next(following, None)
        around = [one for one in around if at < one.end]
        deep = indentation(source, at)
        yield [
            one
            for one in around
            if one.kind == "module" or (one.kind in OF_METHODS and indentation(source, one.signature) < deep)
        ]


def _containers(definitions: tuple[Definition, ...], at: int, source: bytes) -> list[Definition]:
    """The definitions that what begins at a place stands in, as `containers` gives them."""
    return next(containers(definitions, (at,), source))


def _cut(definitions: tuple[Definition, ...], at: int, source: bytes) -> list[Definition]:
    """The definitions before a place; those that what begins there does not stand in end before it."""
    end = _before(source, at)
    around = set(_containers(definitions, at, source))
    return [
        one if one.end <= at or one in around else one._replace(end=end, body=min(one.body, end))
        for one in definitions
        if one.signature < end and one.name_start < end
    ]


def _moved(part: Part, by: int) -> Part:
    """A part of what begins at a place, as one of the whole."""
    inner = tuple((start + by, end + by) for start, end in part.inner)
    return part._replace(start=part.start + by, end=part.end + by, inner=inner)


def _placed(definitions: tuple[Definition, ...], by: int, around: list[Definition]) -> Iterator[Definition]:
    """The definitions of what begins at a place, as those of the whole."""
    for one in definitions:
        start, end = one.start + by, one.end + by
        inside = next((outer for outer in reversed(around) if end <= outer.end), None)
        container, kind = one.container, one.kind
        if inside is not None:
            container = qualified(qualified(inside.container, inside.name), container)
            if kind == "function" and inside.kind in OF_METHODS and not one.container:
                kind = "method"
        yield one._replace(
            kind=kind,
            container=container,
            start=start,
            end=end,
            signature=one.signature + by,
            body=one.body + by,
            name_start=one.name_start + by,
        )


def first_to_end(
    definitions: tuple[Definition, ...], at: int, piece: bytes, around: list[Definition]
) -> Iterator[Definition]:
    """Yields the definitions of what was cut out, as those of the whole; the first, if it begins there, takes all of it.

    Args:
        definitions: those of what was cut out, read as if it were a source.
        at: where it was cut out.
        piece: what was cut out.
        around: what it stands in, outermost first.
    """
    first = next(iter(definitions), None)
    word = len(piece) - len(piece.lstrip())
    if first is None or not first.start <= word < first.end or first.kind == "constant":
        return
    whole = first._replace(end=len(piece.rstrip()), body=min(first.body, len(piece.rstrip())))
    inside = (one for one in definitions[1:] if one.start >= first.body)
    yield from _placed((whole, *inside), at, around)


def with_cut(outline: Outline, definitions: tuple[Definition, ...], cut: tuple[Span, ...]) -> Outline:
    """Returns an outline with what is known of what was cut out, which is shown as it is written."""
    own = _with(outline, parts=outline.parts, as_written=(*outline.as_written, *cut))
    return msgspec.structs.replace(own, definitions=definitions, cut=cut, syntax_errors=True)


def _only_closes(part: Part, source: bytes) -> bool:
    """Tells whether statements are nothing but what closes blocks that were opened before."""
    return part.role is Role.STATEMENTS and _CLOSES.fullmatch(source, part.start, part.end) is not None


def _ending(inner: tuple[Span, ...], end: int) -> tuple[Span, ...]:
    return tuple(span for span in inner if span[1] <= end)


def _with(outline: Outline, *, parts: tuple[Part, ...], as_written: tuple[Span, ...]) -> Outline:
    return msgspec.structs.replace(outline, parts=parts, as_written=tuple(sorted(as_written)))
