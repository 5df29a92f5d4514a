"""Cuts a text into its units: sentences, list items, table rows, lines, headings and fenced code.

A unit is what may be left out of a text without hurting what stands around it, and nothing smaller than it is. Units are
half-open ranges of characters of the text, in its order; between them lies nothing but white space and, for a table, the
line under its head. A text of which every unit is kept comes back byte for byte.

Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from compaction.prose.sentences import spans
from workspace.cancellation import still_wanted, stop_if_cancelled
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,})(?P<rest>[^\n]*)")
_HEADING = re.compile(r"[ \t]{0,3}(?P<marks>#{1,6})[ \t]+\S")
_BOLD = re.compile(
    r"[ \t]{0,3}(?:[^\w\s*+•>|#`-]{1,4}[ \t]+)?(?P<mark>\*\*|__)(?P<text>[^*_\s][^*\n]*)(?P=mark)[ \t]*(?::[ \t]*)?$"
)
"""A line that is bold as a whole, with or without a sign before it."""

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:>[ \t]*)*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_MARK = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+•]|\d{1,4}[.)])[ \t]+")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_UNDER_HEAD = re.compile(r"(?=[ \t:|-]*?--)[ \t:|-]*$")
_QUOTE = re.compile(r"[ \t]*>")
_ELEMENT = re.compile(r"[ \t]*<(?P<tag>[A-Za-z][\w-]*+)(?:\s[^<>\n]*+)?>[^\n]*</(?P=tag)>[ \t]*$")
"""An element of HTML that begins and ends in one line."""

BOLD, TABLE = 7, 8
"""The levels of a line that is bold as a whole, and of the head of a table, below those of headings."""

_WRAPPED = 50
"""A line of at least so many characters may be a sentence that goes on in the next line."""

_LONG_ITEM = 320
"""Characters beyond which the sentences of a list item, or of an element of HTML, are units of their own."""


class Kind(Enum):
    """The kinds of units."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    LINE = "line"
    HEADING = "heading"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a text, as a range of its characters.

    Attributes:
        block: the number of the paragraph, list, table or run of lines that it is part of.
        level: of a heading, 1 to 6, `BOLD` or `TABLE`; of an item, its indentation in characters.
    """

    start: int
    end: int
    kind: Kind
    block: int
    level: int = 0


def units(text: str) -> list[Unit]:
    """Return the units of a text, in order."""
    return list(_units(text, [match.span() for match in matches(_LINE, text)]))


def _units(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[Unit]:
    block = 0
    number = 0
    while number < len(lines):
        stop_if_cancelled()
        start, end = lines[number]
        line = text[start:end]
        if not line.strip():
            block += 1
            number += 1
        elif (fence := _FENCE.match(line)) is not None:
            last = _fence_end(text, lines, number, fence["fence"])
            yield Unit(start, _trimmed(text, start, lines[last][1]), Kind.CODE, block := block + 1)
            block += 1
            number = last + 1
        elif (heading := _HEADING.match(line)) is not None:
            block += 1
            yield Unit(start, _trimmed(text, start, end), Kind.HEADING, block, len(heading["marks"]))
            block += 1
            number += 1
        elif (bold := _BOLD.match(line)) is not None and bold["text"][-1] not in ".!?":
            yield Unit(start, _trimmed(text, start, end), Kind.HEADING, block, BOLD)
            number += 1
        elif _ROW.match(line.rstrip("\n")):
            number, rows = _table(text, lines, number, block)
            yield from rows
            block += 1
        elif (item := _ITEM.match(line)) is not None:
            last = _item_end(text, lines, number, len(item["indent"]))
            yield from _item(text, start, lines[last][1], block, len(item["indent"]))
            number = last + 1
        elif end - start <= _LONG_ITEM and _ELEMENT.match(line.rstrip("\n")):
            yield Unit(start, _trimmed(text, start, end), Kind.ROW, block)
            number += 1
        else:
            last = _paragraph_end(text, lines, number)
            yield from _sentences(text, start, lines[last][1], block, Kind.SENTENCE if last > number else None)
            number = last + 1


def _fence_end(text: str, lines: Sequence[tuple[int, int]], number: int, fence: str) -> int:
    for last in still_wanted(range(number + 1, len(lines))):
        stripped = text[slice(*lines[last])].strip().lstrip("> ")
        if stripped.startswith(fence) and not stripped.strip(fence[0]):
            return last
    return len(lines) - 1


def _table(text: str, lines: Sequence[tuple[int, int]], number: int, block: int) -> tuple[int, list[Unit]]:
    """The rows from a line on, and the line behind them; the head and the line under it are one unit."""
    rows: list[Unit] = []
    while number < len(lines) and _ROW.match(text[slice(*lines[number])].rstrip("\n")):
        stop_if_cancelled()
        start, end = lines[number]
        following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
        if not rows and following.strip() and _UNDER_HEAD.match(following.rstrip("\n")):
            rows.append(Unit(start, _trimmed(text, start, lines[number + 1][1]), Kind.HEADING, block, TABLE))
            number += 1
        else:
            rows.append(Unit(start, _trimmed(text, start, end), Kind.ROW, block))
        number += 1
    return number, rows


def _item_end(text: str, lines: Sequence[tuple[int, int]], number: int, indent: int) -> int:
    """The last line of a list item: what is indented deeper, and what its sentence is wrapped into."""
    last = number
    for following in still_wanted(range(number + 1, len(lines))):
        line = text[slice(*lines[following])]
        if not line.strip() or _begins(line):
            break
        deeper = len(line) - len(line.lstrip()) > indent
        if not deeper and not _goes_on(text, lines[last], lines[following]):
            break
        last = following
    return last


def _paragraph_end(text: str, lines: Sequence[tuple[int, int]], number: int) -> int:
    last = number
    while last + 1 < len(lines):
        stop_if_cancelled()
        line = text[slice(*lines[last + 1])]
        if not line.strip() or _begins(line) or not _goes_on(text, lines[last], lines[last + 1]):
            break
        last += 1
    return last


def _begins(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_FENCE, _HEADING, _ITEM, _QUOTE)) or bool(
        _ROW.match(line.rstrip("\n"))
    )


def _goes_on(text: str, line: tuple[int, int], following: tuple[int, int]) -> bool:
    """Tells whether a sentence goes on in the next line: behind a colon too, where the next line is no deeper block."""
    before, after = text[slice(*line)], text[slice(*following)]
    ended = before.rstrip()
    if after.lstrip()[0].islower():
        return True
    deeper = ended.endswith(":") and _indent(after) > _indent(before)
    return len(ended) >= _WRAPPED and ended[-1] != ";" and not deeper


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _item(text: str, start: int, end: int, block: int, indent: int) -> Iterator[Unit]:
    end = _trimmed(text, start, end)
    if end - start <= _LONG_ITEM:
        yield Unit(start, end, Kind.ITEM, block, indent)
        return
    mark = _MARK.match(text, start, end)
    body = mark.end() if mark else start
    first = True
    for begin, stop in spans(text[body:end]):
        kind = Kind.ITEM if first else Kind.SENTENCE
        yield Unit(start if first else body + begin, body + stop, kind, block, indent)
        first = False


def _sentences(text: str, start: int, end: int, block: int, kind: Kind | None) -> Iterator[Unit]:
    end = _trimmed(text, start, end)
    found = list(spans(text[start:end]))
    kind = kind or (Kind.SENTENCE if len(found) > 1 or text[end - 1] in ".!?:…。！？" else Kind.LINE)
    for begin, stop in found:
        yield Unit(start + begin, start + stop, kind, block)


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
