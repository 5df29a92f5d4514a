"""The one tree that JSON, YAML and TOML are read into, before it is folded.

A node is a scalar, a mapping, a sequence, or absent (a key whose value an outline has left out). Scalars and keys keep
the text of the source, quotes and all, so nothing is ever expanded, resolved or rounded: an alias stays `*name`.
Readers build nodes without recursion and stop where no outline looks: below `MAX_DEPTH`, and beyond `MAX_CHILDREN` of one
container, children are only counted.
"""

from __future__ import annotations

import re
from enum import Enum, auto

import msgspec

MAX_DEPTH = 9
"""Containers inside containers that a reader keeps; the folding looks less deep."""

MAX_CHILDREN = 128
"""Children of one container that a reader keeps; the folding shows fewer."""


MAX_KEY = 240
"""Characters of one key that a reader keeps."""


class Kind(Enum):
    """The kind of a node."""

    SCALAR = auto()
    MAPPING = auto()
    SEQUENCE = auto()
    ABSENT = auto()


class Node(msgspec.Struct):
    """A value, and where it stands.

    Attributes:
        kind: what it is.
        line: the 1-based line of its key, or of its first character when it has none.
        end: the line of its last character.
        text: a scalar as written; of a collection what stands before it (an anchor, a tag).
        children: key and value of each child; the key of an item of a sequence is "".
        hidden: how many children more there are than `children` holds.
        start: of a scalar in brackets, the character of the source that it begins with; else 0.
    """

    kind: Kind
    line: int
    end: int = 0
    text: str = ""
    children: list[tuple[str, Node]] = msgspec.field(default_factory=list["tuple[str, Node]"])
    hidden: int = 0
    start: int = 0

    def add(self, key: str, child: Node, most: int = MAX_CHILDREN) -> bool:
        """Takes a child, or only counts it when there are `most`; whether it was taken."""
        if len(self.children) >= most:
            self.hidden += 1
            return False
        self.children.append((key, child))
        return True


STRING = "string"
ELIDED = "…"
"""A value that an outline has left out with its type."""

_TYPES = re.compile(
    r"""(?P<boolean>(?:boolean|true|false|True|False|TRUE|FALSE)$)
      | (?P<null>(?:null|Null|NULL|~|)$)
      | (?P<number>(?:number|[+-]?(?:0[xob][\da-fA-F_]+|(?:[\d_]*\.\d|_*\d)[\d_]*\.?(?:[eE][+-]?\d+)?|\.?inf|\.?nan|\.?Inf|\.?NaN))$)
      | (?P<date>(?:date|\d{4}-\d\d-\d\d(?:[Tt ][\d:.]+(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)$)
    """,
    re.VERBOSE,
).match


def type_of(scalar: str) -> str:
    """The type of a scalar as written in JSON, YAML or TOML; an alias (`*name`) stands for itself.

    A scalar that is the name of a type is of that type, so an outline that is read again stays.
    """
    if len(scalar) > 40:
        return STRING
    match = _TYPES(scalar)
    if match:
        return str(match.lastgroup)
    return scalar if scalar == ELIDED or scalar[0] == "*" else STRING


_LINE_END = re.compile(r"\s*\n\s*")
_OPEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[\da-fA-F]{0,3})?)$")


def short_scalar(text: str, width: int) -> str:
    """A scalar on one line of at most `width` characters, still quoted if it was; what is cut is marked by `…`."""
    if "\n" not in text and len(text) <= width:
        return text
    quote = next((quote for quote in ('"""', "'''", '"', "'", "`") if text.startswith(quote)), "")
    body = text[len(quote) :]
    if quote and len(body) >= len(quote) and body.endswith(quote):
        body = body[: -len(quote)]
    body = _LINE_END.sub(" ", body[: width * 4].strip())
    body = body[: max(1, width - 2 * len(quote) - 1)]
    if escape := _OPEN_ESCAPE.search(body):
        body = body[: escape.start(1)]
    return f"{quote}{body.rstrip()}…{quote}"
