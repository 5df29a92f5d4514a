"""Renders the text of one level from an outline and its source.

The outline's parts are visited in order; the level table says what each becomes; everything between them is spliced
from the source as it is. A part inside one that went or was folded is skipped by position. What is left is cleaned line
by line: trailing white space, blank lines and common indentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from skeleton.languages.queries import Language
from skeleton.levels import LONG_VALUE, RULES, CompressionLevel, Role, Treatment, in_place_of
from skeleton.outline.definitions import Outline, Part, Scope, Span
from skeleton.render.docs import summary
from skeleton.render.signatures import on_one_line
from workspace.wording import number_of

_CLOSERS = (b"}", b")", b"]", b"end")
_OPENERS = (b"{", b"(", b"[")


Piece = tuple[int, bytes, bool]
"""The place that a piece of a text comes from, the piece, and whether it is verbatim."""


class Rendered(msgspec.Struct, frozen=True):
    """The text of one level, and where its lines come from."""

    text: bytes
    lines: tuple[int, ...]
    """The start of each line in the joined pieces."""
    pieces: tuple[Piece, ...]
    indent: int
    """The indentation common to all lines that was taken off, in bytes."""

    def line_numbers(self, source: bytes) -> tuple[int, ...]:
        """The source line (1-based) of every line of the text."""
        numbers: list[int] = []
        line, counted = 1, 0
        following = iter(self.pieces)
        origin, text, verbatim = next(following, (0, b"", True))
        piece, end = 0, len(text)
        for position in self.lines:
            while position >= end and (later := next(following, None)) is not None:
                piece = end
                origin, text, verbatim = later
                end += len(text)
            at = origin + position - piece if verbatim else origin
            line += source.count(b"\n", counted, at) if at >= counted else -source.count(b"\n", at, counted)
            counted = at
            numbers.append(line)
        return tuple(numbers)


def render(source: bytes, outline: Outline, language: Language, level: CompressionLevel) -> Rendered:
    """The text of a file at L1 or L2, without a line break at its end."""
    return assembled(_Splicer(source, outline, language, level).pieces, level)


def changed(text: bytes, outline: Outline, language: Language, level: CompressionLevel) -> int:
    """Returns the first place where what `render` made at a level renders to something else; -1 where to itself.

    Cleaning lines is idempotent: of a cleaned text it keeps every line, and every blank line for the reason for which
    it was kept before. So it is enough that the pieces, put together, are the text.
    """
    pieces = _Splicer(text, outline, language, level).pieces
    if b"".join([piece for _, piece, _ in pieces]) == text:
        return -1
    other = assembled(pieces, level).text
    if other == text:
        return -1
    return next(
        (at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two),
        max(0, min(len(text), len(other)) - 1),
    )


def assembled(pieces: Sequence[Piece], level: CompressionLevel) -> Rendered:
    """The text that pieces make, cleaned line by line: trailing white space, blank lines and common indentation."""
    compact = RULES[level][Role.DOC] is Treatment.DROP
    starts, lines = _lines(b"".join([text for _, text, _ in pieces]), compact=compact)
    if indent := _common_indent(lines):
        lines = [line[indent:] for line in lines]
        starts = [start + indent for start in starts]
    return Rendered(b"\n".join(lines), tuple(starts), tuple(pieces), indent)


class _Splicer:
    """Puts the pieces together; used once."""

    def __init__(self, source: bytes, outline: Outline, language: Language, level: CompressionLevel) -> None:
        self.pieces: list[Piece] = []
        self._source = source
        self._language = language
        self._plus = level is CompressionLevel.SKELETON_PLUS
        self._cursor = 0
        self._scopes = iter(outline.scopes)
        self._next_scope = next(self._scopes, None)
        self._open: list[tuple[Scope, int]] = []
        todo = _TODO[level]
        has_scopes = self._next_scope is not None
        for part in outline.parts:
            if part.start < self._cursor or (treat := todo[part.role]) is None:
                continue
            if has_scopes:
                self._pass_scopes(part.start)
            treat(self, part)
        self._pass_scopes(len(source))
        self._keep_until(len(source))

    def _keep_until(self, end: int) -> None:
        if end > self._cursor:
            self.pieces.append((self._cursor, self._source[self._cursor : end], True))
            self._cursor = end

    def _replace(self, start: int, end: int, text: bytes, origin: int = -1) -> None:
        cursor = self._cursor
        if start > cursor:
            self.pieces.append((cursor, self._source[cursor:start], True))
        if text:
            self.pieces.append((origin if origin >= 0 else start, text, False))
        self._cursor = end

    # Scopes that may not be left empty

    def _pass_scopes(self, position: int) -> None:
        while True:
            inner_next = (
                self._next_scope is not None and bool(self._open) and self._next_scope.start < self._open[-1][0].end
            )
            if self._open and self._open[-1][0].end <= position and not inner_next:
                self._close_scope(*self._open.pop())
                continue
            if self._next_scope is None or self._next_scope.start > position:
                return
            scope = self._next_scope
            self._next_scope = next(self._scopes, None)
            if scope.start >= self._cursor:
                self._keep_until(scope.start)
                self._open.append((scope, len(self.pieces)))

    def _close_scope(self, scope: Scope, first: int) -> None:
        self._keep_until(scope.end)
        if all(not text.strip(_OPENS_SCOPE) for _, text, _ in self.pieces[first:]):
            del self.pieces[first:]
            line_break = b"\n" if self._source[self._cursor - 1 : self._cursor] == b"\n" else b""
            self.pieces.append((scope.start, self._language_of(scope).empty_scope + line_break, False))

    def _language_of(self, piece: Part | Scope) -> Language:
        return Language.named(piece.language) if piece.language else self._language

    # Treatments

    def drop(self, part: Part) -> None:
        if part.role in _VALUES:
            self._replace(part.start, part.end, self._language_of(part).folds[part.fold].value)
        else:
            start, end = self._whole_line(part.start, part.end)
            self._replace(max(start, self._cursor), end, b"")

    def fold(self, part: Part) -> None:
        language = Language.named(part.language) if part.language else self._language
        fold = language.folds[part.fold]
        text = fold.plus if self._plus else fold.skeleton
        if part.inner and self._plus:
            (doc_start, doc_end), source = part.inner[0], self._source
            if first := summary(source[doc_start:doc_end]):
                indent = b"\n" + source[source.rfind(b"\n", 0, doc_start) + 1 : doc_start]
                self._replace(part.start, doc_start, indent + first, doc_start)
                self._replace(doc_start, part.end, indent + text.lstrip(), doc_end)
                return
        self._replace(part.start, part.end, in_place_of(self._source[part.start : part.end], text))

    def fold_long(self, part: Part) -> None:
        start, end = part.inner[0] if part.inner else (part.start, part.end)
        if end - start <= LONG_VALUE and self._source.find(b"\n", start, end) < 0:
            return
        if part.role is Role.STATEMENTS:
            self._replace(start, end, self._language_of(part).fold_statements)
        else:
            self._replace(start, end, self._folded_value(part))

    def _folded_value(self, part: Part) -> bytes:
        """`{ /* ... */ }` where the initialiser ends in brackets and the language folds inside them.

        Round ones hold an argument, which a conversion cannot do without, and so do those of a subscript.
        """
        source, language = self._source, self._language_of(part)
        (start, end), (opened, closed) = part.inner
        head = _BREAK_BEFORE_BRACKET.sub(b" ", source[start:opened])
        fold_value = language.folds[part.fold].long_value
        if source[opened:closed].isspace() or opened == closed or len(head) > LONG_VALUE // 2 or b"\n" in head:
            return fold_value
        needs_value = head.endswith(b"(") or _SUBSCRIPT.search(head) is not None
        elided = language.folds[0].long_value if needs_value else language.fold_inside
        return head + elided + source[closed:end] if elided else fold_value

    def first_sentence(self, part: Part) -> None:
        if first := summary(self._source[part.start : part.end]):
            self._replace(part.start, part.end, first)
        else:
            self.drop(part)

    def one_line(self, part: Part) -> None:
        mark = self._language_of(part).line_mark
        text = on_one_line(self._source, part.start, part.end, part.inner, mark)
        kept = self._around_comments(part) if b"\n" in text else []
        if kept and b"".join([self._source[start:end] for start, end in kept]) == text:
            for (_, end), (start, _) in pairwise(kept):
                self._replace(end, start, b"")
            self._keep_until(part.end)
        elif text != self._source[part.start : part.end]:
            self._replace(part.start, part.end, text)

    def _around_comments(self, part: Part) -> list[Span]:
        """Returns what is left of a part without its comments; of blanks on both sides of one, those behind it."""
        kept: list[Span] = []
        done, source = part.start, self._source
        for start, end in part.inner:
            before = len(source[done:start].rstrip(b" ")) if source.startswith(b" ", end) else start - done
            kept.append((done, done + before))
            done = end
        return [*kept, (done, part.end)]

    def count(self, part: Part) -> None:
        lines = self._source[part.start : part.end].strip().count(b"\n") + 1
        counted = f"⋮ {number_of(lines, 'line')}".encode()
        self._replace(part.start, part.end, self._language_of(part).fold_tokens.replace(b"%s", counted))

    def _whole_line(self, start: int, end: int) -> tuple[int, int]:
        """The span with its line's white space, and its line break too when nothing else stands on the line."""
        source = self._source
        first, last = start, end
        while first > 0 and source[first - 1] in b" \t":
            first -= 1
        while last < len(source) and source[last] in b" \t\r":
            last += 1
        starts_line = first == 0 or source[first - 1] == _NEWLINE
        if last == len(source) or source[last] == _NEWLINE:
            return (first, last + 1) if starts_line else (first, end)
        return (start, last) if starts_line else (first, end)


_TREATMENTS: dict[Treatment, Callable[[_Splicer, Part], None] | None] = {
    Treatment.KEEP: None,
    Treatment.DROP: _Splicer.drop,
    Treatment.FOLD: _Splicer.fold,
    Treatment.FOLD_LONG: _Splicer.fold_long,
    Treatment.FIRST_SENTENCE: _Splicer.first_sentence,
    Treatment.ONE_LINE: _Splicer.one_line,
    Treatment.COUNT: _Splicer.count,
}
_TODO = {level: {role: _TREATMENTS[rule] for role, rule in rules.items()} for level, rules in RULES.items()}
"""The method for a role at a level; None where it is kept."""

_VALUES = frozenset({Role.FIELD_VALUE, Role.CONSTANT_VALUE})
_NEWLINE = 0x0A
_OPENS_SCOPE = b": \t\r\n"
"""The bytes that are nothing in a scope by themselves: white space, and the colon that some grammars count in."""

_SUBSCRIPT = re.compile(rb"[\w)\]]\[\Z")
_BREAK_BEFORE_BRACKET = re.compile(rb"(?<!\s)[^\S\n]*\n\s*+(?=[\[({]\Z)")


def _lines(joined: bytes, *, compact: bool) -> tuple[list[int], list[bytes]]:
    """Returns the starts of the lines that stay, and those lines; a line that only separates stays where it is needed."""
    starts: list[int] = []
    kept: list[bytes] = []
    lines = joined.split(b"\n")
    last, blank_at, at = b"", -1, 0
    for number, raw in enumerate(lines):
        line = raw.rstrip()
        if not line:
            if blank_at < 0:
                blank_at = at
        else:
            if blank_at >= 0 and last and (_separates(last, line, lines, number) if compact else _parts(last, line)):
                starts.append(blank_at)
                kept.append(b"")
            blank_at = -1
            starts.append(at)
            kept.append(line)
            last = line
        at += len(raw) + 1
    return starts, kept


def _parts(last: bytes, line: bytes) -> bool:
    return not last.endswith(_OPENERS) and not line.lstrip().startswith(_CLOSERS)


def _separates(last: bytes, line: bytes, lines: list[bytes], number: int) -> bool:
    """At L2 a blank line stays only at the top level, beside a block."""
    if line[:1].isspace() or line.startswith(_CLOSERS) or last.endswith(_OPENERS):
        return False
    following = lines[number + 1] if number + 1 < len(lines) else b""
    return last[:1].isspace() or last.startswith(_CLOSERS) or (following[:1].isspace() and not following.isspace())


def _common_indent(lines: list[bytes]) -> int:
    if not lines or not lines[0][:1].isspace():
        return 0
    return min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
