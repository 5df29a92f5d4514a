"""Reads expressions that are chains of names and calls: `Shop.open().till(1).ring`, link by link from their first on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME_BEFORE: Final = re.compile(rb"[\w$@\x80-\xff]+\Z")
_NAME: Final = re.compile(rb"[\w$@\x80-\xff]+")
_MARK_BEFORE: Final = re.compile(rb"\s*(?P<said>\.|->|::)\s*\Z")
_MARK: Final = re.compile(rb"[?!]*\s*(?:\.|->|::)\s*(?=[\w$@])")
_IN_TYPES: Final = re.compile(rb"[\w\s,.:\[\]?&*']")
_TYPES: Final = re.compile(rb"(?:::)?<[\w\s,.:<>\[\]?&*']{0,80}>(?=\()")
_WORD_BEFORE: Final = re.compile(rb"\b(?P<said>new|await|return|yield|throw|else|in|of|case|and|or|not)\s+\Z")
_OPENS: Final = re.compile(rb"[?!]+\Z")
_END: Final = re.compile(rb"[ \t]*(?:[;,)\]}{:\r\n]|\Z|else\b)")
_OPENING: Final = re.compile(rb"[?!]*")
_AWAITED: Final = re.compile(rb"\s*(?:(?P<await>await)\s+|new\s+|&+(?:mut\s+)?|\*)*")

_CAST: Final = re.compile(
    rb"\s*(?:(?:[^\n]{1,200}\s)?as[!?]?\s{1,9}(?P<as>[\w.]{1,80})(?:<[^<>()]{0,80}>)?\??"
    rb"|\(\s*(?P<before>[A-Z][\w.]{0,80}(?:<[^<>()]{0,80}>)?|\w{1,80}\s?\*)\s*\)\s*[\w(][^\n]{0,200}"
    rb"|<(?P<angle>[A-Z][\w.]{0,80})>[^\n]{1,200})\s*",
)
"""Says in brackets of which type a value is: `(x as Till)`, `((Till) x)`, `(<Till>x)`."""

_WINDOW: Final = 200
"""Bytes in which a name and what stands directly before it are looked for."""

_LONGEST: Final = 4000
"""Bytes of the arguments of a call."""

_MOST_LINKS: Final = 12


class Link(NamedTuple):
    """One name of a chain.

    Attributes:
        name: the name.
        called: whether it is called.
        is_opened: whether what it gives is taken out of what may hold nothing: `till()?`, or waited for.
        is_made: whether a new value is made of it: `new Till()`.
    """

    name: str
    called: bool
    is_opened: bool = False
    is_made: bool = False


def chain_before(source: bytes, end: int, is_prose: Callable[[int], bool]) -> list[Link]:
    """Returns the links of the chain that ends at a place, the first one first; none if it is no chain of names and calls.

    Args:
        source: as UTF-8.
        end: the place: behind the last link, or behind the mark after that.
        is_prose: tells whether a place is in a comment or a string.
    """
    mark = _before(_MARK_BEFORE, source, end, is_prose)
    at = end if mark is None else mark.start()
    links: list[Link] = []
    while len(links) < _MOST_LINKS:
        opens = _OPENS.search(source, max(0, at - _WINDOW), at)
        at = opens.start() if opens is not None else at
        end, called = at, source[at - 1 : at] == b")"
        at = types_before(source, opening_before(source, at, is_prose))
        name = _NAME_BEFORE.search(source, max(0, at - _WINDOW), at)
        if name is None and called and (cast := _CAST.fullmatch(source, at + 1, end - 1)):
            return [Link(_last_of(cast[cast.lastgroup or 0]), called=False, is_made=True), *links[::-1]]
        if name is None or is_prose(name.start()):
            return []
        at = name.start()
        mark = _before(_MARK_BEFORE, source, at, is_prose)
        word = _before(_WORD_BEFORE, source, at, is_prose) if mark is None else None
        said = word["said"] if word is not None else b""
        is_opened = opens is not None or said == b"await"
        links.append(Link(name[0].decode("utf-8", "replace"), called, is_opened, said == b"new"))
        if mark is None:
            return links[::-1]
        at = mark.start()
    return []


def chain_from(source: bytes, start: int, is_prose: Callable[[int], bool]) -> list[Link]:
    """Returns the links of the chain that is all of an expression; none if that is something else.

    Args:
        source: as UTF-8.
        start: where the expression begins.
        is_prose: tells whether a place is in a comment or a string.
    """
    words = _AWAITED.match(source, start)
    at = words.end() if words is not None else start
    while name := _NAME.match(source, at):
        at = name.end()
        types = _TYPES.match(source, at)
        at = types.end() if types is not None else at
        if source[at : at + 1] == b"(":
            at = _closing(source, at, is_prose)
        mark = _MARK.match(source, at)
        if mark is None:
            break
        at = mark.end()
    opening = _OPENING.match(source, at)
    at = at if opening is None else opening.end()
    links = chain_before(source, at, is_prose) if _END.match(source, at) else []
    is_awaited = words is not None and words["await"] is not None
    return [*links[:-1], links[-1]._replace(is_opened=True)] if links and is_awaited else links


def _last_of(type_: bytes) -> str:
    """The last part of the name of a type, without what it holds."""
    return type_.partition(b"<")[0].rstrip(b"* ").rpartition(b".")[2].decode("utf-8", "replace")


def types_before(source: bytes, end: int) -> int:
    """Returns where the types begin, in angle brackets, that end at a place: `<int>` of `Box<int>::size()`; that itself if none do."""
    depth = 0
    for at in range(end - 1, max(-1, end - _WINDOW), -1):
        if source[at] in b"<>":
            depth += 1 if source[at] == ord(">") else -1
            if not depth:
                return at - len(b"::") if source.endswith(b"::", 0, at) else at
        elif not depth or not _IN_TYPES.match(source, at):
            break
    return end


def _before(
    pattern: re.Pattern[bytes], source: bytes, at: int, is_prose: Callable[[int], bool]
) -> re.Match[bytes] | None:
    """Finds something right before a place, and not in the comment above that, which may end with a point or a word of the language."""
    found = pattern.search(source, max(0, at - _WINDOW), at)
    return found if found is not None and not is_prose(found.start("said")) else None


def opening_before(source: bytes, end: int, is_prose: Callable[[int], bool]) -> int:
    """Returns the place of the bracket with what a call passes that ends at a place; that itself where none does."""
    return _opening(source, end - 1, is_prose) if source[end - 1 : end] == b")" else end


def _opening(source: bytes, closing: int, is_prose: Callable[[int], bool]) -> int:
    """The place of the bracket that one closes; that itself if none is near."""
    depth = 0
    for at in range(closing, max(-1, closing - _LONGEST), -1):
        if source[at] in b"()" and not is_prose(at):
            depth += 1 if source[at] == ord(")") else -1
            if not depth:
                return at
    return closing


def _closing(source: bytes, opening: int, is_prose: Callable[[int], bool]) -> int:
    """The place behind the bracket that closes one; that itself if none is near."""
    depth = 0
    for at in range(opening, min(len(source), opening + _LONGEST)):
        if source[at] in b"()" and not is_prose(at):
            depth += 1 if source[at] == ord("(") else -1
            if not depth:
                return at + 1
    return opening
