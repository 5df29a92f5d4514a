"""Bodies that only forward: one call of what is called like the definition itself, or of what it stands in or above.

    return self.router.add_api_route(path, endpoint)      this(new HttpDecoderConfig());      super().__init__(name)

Likewise those that only give or take the value that they are called after: `getSize() { return this.size; }`.

The signature says all that such a body does, so it is worth less than another: of ten overloads that call each other it is
the one that does something which a reader wants in full. Read from the text alone, alike for all languages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skeleton.outline.definitions import Definition

MOST: Final = 300
"""Tokens of a definition without its signature up to which it is read: its doc and one call."""

_TEXT: Final = re.compile(rb"\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_COMMENT: Final = re.compile(rb"//[^\n]*|/\*.*?\*/|^[ \t]*(?:#|--)[^\n]*$", re.DOTALL | re.MULTILINE)
_INNERMOST: Final = re.compile(rb"(\()[^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")
_NESTED: Final = 12
"""Brackets inside each other that are read."""

_ARGUMENTS: Final = b"\x01"
_QUOTED: Final = b"\x02"
_OTHERS: Final = b"\x03"
"""Stand for what is in round brackets, in quotes, and in other brackets."""

_FORWARDS: Final = re.compile(
    rb"(?:(?:return|await|yield|from|try!?|do|=>?|->)\s+|[:{=]\s*|\x02\s+){0,9}"
    rb"[\w$.:>@&*!?\x01-]*?(?<![\w$])(?P<name>[\w$]+[?!]?)\x01(?:\.await|[?!;\s]|\bend\b|\})*",
)
_ACCESSES: Final = re.compile(
    rb"(?:\x02\s+)?(?:return\s+|=>?\s*)?(?:\$?\w+(?:\.|->)|@){0,4}(?P<value>[\w$]+)"
    rb"(?:\s*=\s*[\w$]+)?(?:[;\s]|\bend\b|\})*"
)
_OF_ACCESS: Final = re.compile(rb"(?:[GgSs]et|[Hh]as|[Ii]s|[Ww]ith)(?=[A-Z_])")
"""The word by which such a definition begins."""

_ABOVE: Final = frozenset((b"this", b"super", b"self", b"Self", b"base", b"parent"))


def forwarding(
    source: bytes, definitions: Sequence[Definition], bodies: Mapping[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the definitions of a file whose bodies only forward, by their places, and those that only access a value.

    Args:
        source: the file as UTF-8.
        definitions: those of its outline.
        bodies: the tokens of the bodies of those that may, by place.
    """
    forwarded, accessing = list[int](), list[int]()
    for place, tokens in bodies.items():
        if 0 < tokens <= MOST:
            one, body = definitions[place], _plain_body(source, definitions[place])
            if _forwards(body, one):
                forwarded.append(place)
            elif _accesses(body, one):
                accessing.append(place)
    return tuple(forwarded), tuple(accessing)


def _plain_body(source: bytes, one: Definition) -> bytes:
    """The body of a definition without comments, with signs in place of what stands in quotes and in brackets."""
    body = _COMMENT.sub(b" ", _TEXT.sub(_QUOTED, source[one.body : one.end])).strip()
    if body[:1] == b"{" and body[-1:] == b"}":
        body = body[1:-1].strip()
    for _ in range(_NESTED):
        body, changed = _INNERMOST.subn(lambda one: _ARGUMENTS if one[1] else _OTHERS, body)
        if not changed:
            break
    return body


def _forwards(body: bytes, one: Definition) -> bool:
    """Tells whether a body is one call of its definition's name, or of what the definition stands in or above."""
    match = _FORWARDS.fullmatch(body)
    return match is not None and (match["name"] == one.name.encode() or match["name"] in _ABOVE)


def _accesses(body: bytes, one: Definition) -> bool:
    """Tells whether a body only gives or takes the value that its definition is called after."""
    accessed = _ACCESSES.fullmatch(body)
    return accessed is not None and _plain(accessed["value"]) == _plain(_OF_ACCESS.sub(b"", one.name.encode(), count=1))


def _plain(name: bytes) -> bytes:
    """A name in lower case, without the marks of what is kept to itself."""
    return name.lower().replace(b"_", b"").lstrip(b"$")
