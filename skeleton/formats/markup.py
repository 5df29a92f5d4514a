"""Reads XML and HTML: tags, text and nothing else.

One regular expression cuts a text into comments, declarations, tags and runs of text; it never looks back, so a file
without a single closing bracket costs no more than any other. Entities stay as they are written (`&amp;`, `&bomb;`):
nothing is ever expanded or fetched.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS = re.compile(
    r"""<!--(?:[^-]|-(?!->))*(?:-->|\Z)
      | <!\[CDATA\[(?P<raw>(?:[^\]]|\](?!\]>))*)(?:\]\]>|\Z)
      | <[?!](?P<declaration>[^<>\[]*(?:\[[^\]]*\][^<>]*)?)>?
      | <(?P<slash>/?)(?P<name>[A-Za-z_][\w:.-]*+)(?P<attributes>[^<>]*)>
      | (?P<text>[^<]+)""",
    re.VERBOSE,
)


class PartKind(Enum):
    """The kind of a part of a marked-up text."""

    OPEN = auto()
    CLOSE = auto()
    EMPTY = auto()
    TEXT = auto()
    DECLARATION = auto()


class Part(NamedTuple):
    """One part of a marked-up text.

    Attributes:
        kind: what it is; an element without content (`<br/>`) is EMPTY.
        line: the 1-based line of its first character.
        name: of a tag.
        text: attributes as written, or the text, white space folded.
        lines: how many line ends it holds.
    """

    kind: PartKind
    line: int
    name: str
    text: str
    lines: int


def parts(source: str, raw_text: frozenset[str] = frozenset()) -> Iterator[Part]:
    """The parts of a text one after the other, comments left out.

    Args:
        source: the text.
        raw_text: names of elements whose content is not markup (`script`); it comes as one TEXT.
    """
    line = 1
    offset = 0
    while match := _PARTS.search(source, offset):
        start = match.start()
        line += source.count("\n", offset, start)
        offset = match.end()
        lines = source.count("\n", start, offset)
        if match["name"]:
            name, attributes = match["name"], " ".join(match["attributes"].split())
            if match["slash"]:
                yield Part(PartKind.CLOSE, line, name, "", lines)
            elif attributes.endswith("/"):
                yield Part(PartKind.EMPTY, line, name, attributes[:-1].rstrip(), lines)
            else:
                yield Part(PartKind.OPEN, line, name, attributes, lines)
                if name.lower() in raw_text:
                    line += lines
                    end = _raw_end(source, name, offset)
                    lines = source.count("\n", offset, end)
                    yield Part(PartKind.TEXT, line, "", source[offset:end], lines)
                    offset = end
        elif text := match["text"] or (match["raw"] or "").replace("<", "&lt;"):
            if not text.isspace():
                yield Part(PartKind.TEXT, line, "", " ".join(text.split()), lines)
        elif declaration := match["declaration"]:
            yield Part(PartKind.DECLARATION, line, "", " ".join(declaration.split()), lines)
        line += lines


def _raw_end(source: str, name: str, offset: int) -> int:
    end = re.compile(rf"</{re.escape(name)}\b", re.IGNORECASE).search(source, offset)
    return end.start() if end else len(source)
