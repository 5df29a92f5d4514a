"""Finds the messages of a source, `[shop sell: it for: price]`: whose parts make one name, and what each is sent to.

The parser has found the places where parts of names are called; here those between the same brackets are put together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

_TOKEN: Final = re.compile(rb"[\[\](){}]|(?<!\w)(?>[^\W\d]\w*)(?=\s*[:\]])")
_TAKES: Final = re.compile(rb"\s*:")
_NAMED: Final = re.compile(rb"\w+(?:\s*(?:\.|->)\s*\w+)*")
_OF_CLASS: Final = re.compile(rb"\[\s*(?:(\w+)|\[\s*self\s+class\s*\])\s+(?:alloc|new)\s*\]|\[\s*self\s+class\s*\]")
"""A new object of a class, or the class of the object itself."""
_CLOSING: Final = frozenset(b"])}")
_OPENING: Final = frozenset(b"[({")


class Message(NamedTuple):
    """A message that is sent.

    Attributes:
        name: with a colon behind each part that takes something: `sell:for:`.
        receiver: the parts of what it is sent to, `self` and `shop`; none where that has no name. A new object goes by its class.
    """

    name: bytes
    receiver: tuple[str, ...]


class _Bracket:
    """An open bracket, and the parts of a name that were met in it."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.parts: list[tuple[int, bytes]] = []


def messages_in(
    source: bytes, calls: AbstractSet[int], is_code: Callable[[int], bool]
) -> tuple[dict[int, Message], frozenset[int]]:
    """Returns the messages of a source by the place of their first part, and the places of all the parts.

    Args:
        source: as UTF-8.
        calls: the places of what is called, the parts of names among them.
        is_code: tells whether a place is in no comment and no string.
    """
    found: dict[int, Message] = {}
    parts: set[int] = set()
    for bracket in _closed(source, calls, is_code):
        first, _ = bracket.parts[0]
        name = b"".join(text for _, text in bracket.parts)
        found[first] = Message(name, _receiver(source[bracket.at + 1 : first].strip()))
        parts.update(at for at, _ in bracket.parts)
    return found, frozenset(parts)


def _closed(source: bytes, calls: AbstractSet[int], is_code: Callable[[int], bool]) -> Iterator[_Bracket]:
    """Gives each pair of square brackets that holds parts of a name, when it closes."""
    around: list[_Bracket] = []
    for token in _TOKEN.finditer(source):
        at, end = token.span()
        mark = source[at]
        if mark in _OPENING:
            if is_code(at):
                around.append(_Bracket(at))
        elif mark in _CLOSING:
            if around and is_code(at) and (closed := around.pop()).parts:
                yield closed
        elif at in calls and around and source[around[-1].at] == ord("["):
            around[-1].parts.append((at, token[0] + b":" if _TAKES.match(source, end) else token[0]))


def _receiver(text: bytes) -> tuple[str, ...]:
    if made := _OF_CLASS.fullmatch(text):
        text = made[1] or b"self"
    if not _NAMED.fullmatch(text):
        return ()
    return tuple(re.findall(r"\w+", text.decode("utf-8", "replace")))
