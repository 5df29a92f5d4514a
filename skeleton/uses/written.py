"""Reads types as code writes them, with what they hold: `Ref<Till>`, `list[Till]`, `?Till`, `*Till`, `Till | None`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN: Final = re.compile(r"""\s*("|'\w+(?![\w'])|'|\\?[^\W\d][\w$]*(?:(?:\.|::|\\)[^\W\d]\w*)*|[<>\[\](),|&*?!])""")
_PARTS: Final = re.compile(r"\.|::|\\")
MODIFIERS: Final = frozenset(
    (
        *("abstract", "any", "async", "auto", "class", "const", "constexpr", "dyn", "explicit", "extern", "final"),
        *("impl", "inline", "inout", "internal", "mut", "open", "override", "private", "protected", "public"),
        *("readonly", "sealed", "some", "static", "struct", "synchronized", "typename", "unsafe", "virtual"),
        *("volatile",),
    )
)
"""Words that stand before a type, and are none."""

_SKIPPED: Final = MODIFIERS | {"&", "*", "?", "!", '"', "'"}
_NOTHING: Final = frozenset(["None", "false", "nil", "null", "nullptr", "undefined", "void"])
SEEN_THROUGH: Final = frozenset(
    (
        *("Arc", "Box", "Cow", "MutexGuard", "Pin", "Rc", "Ref", "RefMut", "RwLockReadGuard", "RwLockWriteGuard"),
        *("Annotated", "ClassVar", "Final", "not_null", "shared_ptr", "unique_ptr"),
    )
)
"""Types whose members are those of what they hold."""

MOST_DEEP: Final = 6
_LONGEST: Final = 300
"""Characters of a type that are read."""

TUPLE: Final = "()"
ARRAY: Final = "[]"


class Type(NamedTuple):
    """A type, as it is written.

    Attributes:
        name: the last part of it; `TUPLE` or `ARRAY` for these.
        inside: what it holds.
    """

    name: str
    inside: tuple[Type, ...] = ()


def types_in(text: str) -> list[Type]:
    """The types that a text begins with: several where it says that it may be any of them; none if it is no type."""
    tokens = [found[1] for found in _tokens(text[:_LONGEST])]
    return _Reader(tokens).every(0)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while found := _TOKEN.match(text, at):
        yield found
        at = found.end()


class _Reader:
    """Reads tokens one after another."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def every(self, depth: int) -> list[Type]:
        """The types, divided by bars, that stand next."""
        found = self._one(depth)
        while found and self._next() == "|":
            self._at += 1
            found += self._one(depth)
        return [one for one in found if one.name not in _NOTHING]

    def _one(self, depth: int) -> list[Type]:
        if self._tokens[self._at :] == ["static"]:  # what the class itself is
            return [Type("static")]
        while (token := self._next()) in _SKIPPED or (token.startswith("'") and token):
            self._at += 1
        if depth > MOST_DEEP:
            return []
        if token == "(":
            inside = self._list(")", depth)
            return inside if len(inside) == 1 else [Type(TUPLE, tuple(inside))]
        if token == "[":
            inside = self._list("]", depth) or self._one(depth + 1)
            return [Type(ARRAY, tuple(inside))]
        if not token or not (token[0].isalpha() or token[0] in "_\\"):
            return []
        self._at += 1
        name = _PARTS.split(token)[-1]
        opening = self._next()
        inside = self._list({"<": ">", "[": "]"}[opening], depth) if opening in {"<", "["} else None
        if name == "map" and opening == "[":  # `map[string]Till`
            inside = [*(inside or ()), *self._one(depth + 1)]
        found = [Type(name, tuple(inside or ()))]
        if (inside == [] and opening == "[") or (inside and self._next() == "[" and self._list("]", depth) == []):
            found = [Type(ARRAY, tuple(found))]
        is_of_python = inside is not None and name in {"Optional", "Union"} and self._closed == "]"
        return [*found[0].inside] if is_of_python else found

    def _list(self, closing: str, depth: int) -> list[Type]:
        """The types between two brackets, the first of which stands next; of what may be any of several, the first."""
        self._at += 1
        found: list[Type] = []
        while (token := self._next()) and token != closing:
            if token == ",":
                self._at += 1
                continue
            before = self._at
            found += self.every(depth + 1)[:1]
            if self._at == before:
                break
        while (token := self._next()) and token != closing:
            self._at += 1
        self._at += 1
        self._closed = closing
        return found
