"""The outline of a file: its definitions, and the parts that a level treats in its own way.

One parse and one query give the nodes their meaning (`skeleton.languages.queries`); `skeleton.outline.captures` turns them into nested
definitions and `skeleton.outline.members` walks what a reader can see. What comes out are flat records of byte spans, sorted by
position. Nothing in an outline points into the syntax tree, so it can be kept and rendered later from the source alone.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from skeleton.levels import Role

Span = tuple[int, int]
"""A half-open range of bytes."""

ELIDED: Final = "…"
"""Stands in a qualified name for the middle that was left out."""

_HEAD_CHARACTERS: Final = 120
TAIL_CHARACTERS: Final = 280
"""Of what a definition stands in, the characters of its qualified name that are kept at the beginning and at the end.
Code that people write stays below half of the sum; without a bound, names nested n deep would take n² characters."""


class Definition(NamedTuple):
    """One definition; its spans are half-open byte ranges of the source."""

    kind: str
    name: str
    container: str
    """The qualified name of what it stands in, as `qualified` gives it, or ""."""
    start: int
    """With its attributes and the doc comment directly above."""
    end: int
    signature: int
    """The start of the definition itself: after the doc comment, and after attributes on lines of their own."""
    body: int
    """The end of the signature: before what folds, before the scope or shape, or at `end`."""
    name_start: int

    @property
    def path(self) -> str:
        """The qualified name: `Config.load`."""
        return f"{self.container}.{self.name}" if self.container else self.name


def head_of(source: bytes, definition: Definition) -> bytes:
    """Returns the name of a definition and, below that, its text to the end of its signature."""
    return definition.name.encode() + b"\n" + source[definition.start : definition.body]


def qualified(container: str, name: str) -> str:
    """Returns the qualified name of something that other definitions stand in.

    It has a bounded length: the middle of a longer one is left out, and the result is the same whether that happens
    level by level or at once.

    Args:
        container: the qualified name of what it stands in itself, or "".
        name: its own name, or a qualified name within the container; "" for none.
    """
    whole = f"{container}.{name}" if container and name else container or name
    if len(whole) <= _HEAD_CHARACTERS + len(ELIDED) + TAIL_CHARACTERS:
        return whole
    return f"{whole[:_HEAD_CHARACTERS]}{ELIDED}{whole[-TAIL_CHARACTERS:]}"


class Part(NamedTuple):
    """A piece of the source that a level treats in its own way."""

    start: int
    end: int
    role: Role
    fold: int = 0
    """Index into the language's folds, for bodies and initialisers."""
    inner: tuple[Span, ...] = ()
    """Spans inside: comments of a signature (empty ones: where a comma takes the place of a line break), the docstring
    of a body, of an initialiser the value proper and, if it is long, what stands between the brackets that end it."""
    language: str = ""
    """The name of the language of embedded text; "" for that of the file."""


class Scope(NamedTuple):
    """A span that may not be left without text."""

    start: int
    end: int
    language: str = ""
    """As that of a part."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The parts and definitions that a file consists of.

    Attributes:
        definitions: every definition, by position; of equal starts the outer first.
        parts: what the level table decides on, by position; of equal starts the outer first.
        scopes: spans that may not be left without text, by position (empty for most languages).
        syntax_errors: the source does not parse cleanly.
        leaks: qualified names of definitions whose body the query does not cover: text of it would be shown.
        torn: qualified names of definitions whose parameters the query folds with the body.
        read_again: some of it are tokens to the grammar, and were read again (`skeleton.outline.again`).
        as_written: spans, in order, that could not be read and are shown as they are (`skeleton.outline.resumed`).
        cut: those of them that were not even tried when the rest was read (`skeleton.outline.cutting`).
        loose: the text of syntax errors that is no definition (`skeleton.outline.loose`), in order.
    """

    definitions: tuple[Definition, ...]
    parts: tuple[Part, ...]
    scopes: tuple[Scope, ...]
    syntax_errors: bool
    leaks: tuple[str, ...]
    torn: tuple[str, ...]
    read_again: bool = False
    as_written: tuple[Span, ...] = ()
    cut: tuple[Span, ...] = ()
    loose: tuple[Span, ...] = ()


def with_embedded(outer: Outline, inner: Outline, language: str) -> Outline:
    """The outline of a file with that of the text of another language in it."""
    parts = (part if part.language else part._replace(language=language) for part in inner.parts)
    scopes = (scope if scope.language else scope._replace(language=language) for scope in inner.scopes)
    return Outline(
        definitions=tuple(sorted((*outer.definitions, *inner.definitions), key=signature_first)),
        parts=tuple(sorted((*outer.parts, *parts), key=outer_first)),
        scopes=tuple(sorted((*outer.scopes, *scopes))),
        syntax_errors=outer.syntax_errors or inner.syntax_errors,
        leaks=(*outer.leaks, *inner.leaks),
        torn=(*outer.torn, *inner.torn),
        read_again=outer.read_again or inner.read_again,
        as_written=tuple(sorted((*outer.as_written, *inner.as_written))),
        cut=(*outer.cut, *inner.cut),
        loose=tuple(sorted((*outer.loose, *inner.loose))),
    )


def outer_first(part: Part) -> Span:
    """By position; of equal starts the outer first."""
    return part[0], -part[1]


def signature_first(one: Definition) -> tuple[int, int, int]:
    """By the start of the signature; of equal starts the outer first."""
    return one[5], -one[4], one[7]


def nested(every: list[Definition]) -> tuple[Definition, ...]:
    """Returns definitions, in the order of their signatures, with what each stands in whose body is inverted."""
    stack: list[Definition] = []
    for at, one in enumerate(every):
        while stack and stack[-1].end <= one.signature:
            stack.pop()
        if one.body < 0:
            outer = qualified(stack[-1].container, stack[-1].name) if stack else ""
            every[at] = one._replace(container=qualified(outer, one.container), body=~one.body)
        stack.append(every[at])
    return tuple(every)
