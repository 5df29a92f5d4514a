"""Puts one member into JSON with comments, as editors write it, while every other byte stays.

Comments, commas before a closing bracket and the way the file is indented are kept: the text is not written anew, but
cut open at the place of the member. What comes out is read again before anyone gets it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = re.compile(
    r"""(?P<space>[\s\ufeff]+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<mark>[{}\[\]:,])|(?P<string>"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<word>[-+.\w]+)""",
    re.DOTALL,
)


class _Token(msgspec.Struct, frozen=True):
    kind: str
    start: int
    end: int
    text: str


class _Object(msgspec.Struct):
    """An object and its members: the values, the start and end of each, and the objects among them.

    Attributes:
        last: the end of the last thing that stands before the closing brace, a comment among them.
        comma: whether a comma ends the members.
    """

    start: int
    end: int = 0
    last: int = 0
    comma: bool = False
    spans: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict[str, tuple[int, int]])
    inner: dict[str, _Object] = msgspec.field(default_factory=dict[str, "_Object"])
    first: int = -1


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """Returns the text with a member set; objects on the way are made where they are missing.

    Args:
        text: an object of JSON; nothing but white space counts as an empty one.
        path: the names of the objects on the way, and of the member.
        value: what it shall be.

    Raises:
        InvalidArgumentError: the text is no JSON, even with comments, or something on the way is no object.
    """
    if not text.strip("\ufeff \t\r\n"):
        text += "{}"
    whole, top = _read(text)
    if top is None:
        raise InvalidArgumentError("it is no object of JSON")
    expected = json.loads(json.dumps(whole))
    here, depth = top, 0
    place: dict[str, Any] = expected
    while depth < len(path) - 1 and path[depth] in here.spans:
        if path[depth] not in here.inner:
            raise InvalidArgumentError(f"`{path[depth]}` in it is no object")
        here, place = here.inner[path[depth]], place[path[depth]]
        depth += 1
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    place[path[depth]] = value
    made = _set(text, here, path[depth], value)
    if _read(made)[0] != expected:
        raise InvalidArgumentError("its form is not understood well enough to change it")
    return made


def read_commented(text: str) -> object:
    """Returns the value of JSON that may hold comments.

    Raises:
        InvalidArgumentError: it is none.
    """
    return _read(text)[0]


def _set(text: str, here: _Object, name: str, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent(text, here.start)
    inner = _indent(text, here.first) if here.first >= 0 and _begins_line(text, here.first) else outer + _step(text)
    written = json.dumps(value, indent=_step(text), ensure_ascii=False).replace("\n", newline + inner)
    if name in here.spans:
        start, end = here.spans[name]
        return text[:start] + written + text[end:]
    member = f"{newline}{inner}{json.dumps(name, ensure_ascii=False)}: {written}"
    closing = text[here.last : here.end] if "\n" in text[here.last : here.end] else newline + outer
    end = text[: here.last] + member + closing + text[here.end :]
    if here.spans and not here.comma:
        at = max(span[1] for span in here.spans.values())
        end = end[:at] + "," + end[at:]
    return end


def _step(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return ("\t" if found[1].startswith("\t") else " " * min(len(found[1]), 4)) if found else "  "


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t")


def _read(text: str) -> tuple[object, _Object | None]:
    try:
        reader = _Reader(text)
        value, found = reader.value()
        reader.end()
    except (ValueError, IndexError, RecursionError) as error:
        where = f" near line {text.count(chr(10), 0, error.args[0]) + 1}" if _is_place(error) else ""
        raise InvalidArgumentError(f"it is no JSON{where}, not even with comments") from error
    return value, found


def _is_place(error: Exception) -> bool:
    return isinstance(error, _WrongError)


class _WrongError(ValueError):
    """Something else was expected at a place of the text."""


class _Reader:
    """Reads a text once, from its beginning."""

    def __init__(self, text: str) -> None:
        self._all: list[_Token] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise _WrongError(at)
            if found.lastgroup != "space":
                self._all.append(_Token(cast("str", found.lastgroup), at, found.end(), found[0]))
            at = found.end()
        self._all.append(_Token("end", len(text), len(text), ""))
        self._at = 0

    def value(self) -> tuple[object, _Object | None]:
        token = self._next()
        match token.kind, token.text:
            case "mark", "{":
                return self._object(token)
            case "mark", "[":
                return self._list(), None
            case (("string" | "word"), _):
                return self._plain(token), None
            case _:
                raise _WrongError(token.start)

    def end(self) -> None:
        if (token := self._next()).kind != "end":
            raise _WrongError(token.start)

    def _object(self, opening: _Token) -> tuple[dict[str, object], _Object]:
        made: dict[str, object] = {}
        found = _Object(opening.start)
        while (token := self._next()).text != "}":
            if token.kind != "string" or (made and not found.comma):
                raise _WrongError(token.start)
            name = cast("str", self._plain(token))
            if found.first < 0:
                found.first = token.start
            if (colon := self._next()).text != ":":
                raise _WrongError(colon.start)
            start = self._peek().start
            made[name], inner = self.value()
            found.spans[name] = (start, self._all[self._at - 1].end)
            found.inner.pop(name, None)
            if inner is not None:
                found.inner[name] = inner
            found.comma = self._peek().text == ","
            if found.comma:
                self._next()
        found.end = token.start
        found.last = self._all[self._at - 2].end
        return made, found

    def _list(self) -> list[object]:
        made: list[object] = []
        comma = True
        while self._peek().text != "]":
            if not comma:
                raise _WrongError(self._peek().start)
            made.append(self.value()[0])
            comma = self._peek().text == ","
            if comma:
                self._next()
        self._next()
        return made

    @staticmethod
    def _plain(token: _Token) -> object:
        try:
            return json.loads(token.text)
        except ValueError:
            raise _WrongError(token.start) from None

    def _peek(self) -> _Token:
        while self._all[self._at].kind == "comment":
            self._at += 1
        return self._all[self._at]

    def _next(self) -> _Token:
        token = self._peek()
        self._at += 1
        return token
