"""Secrets that the head of their column gives away: tables in Markdown, and files of comma separated values.

A table begins with a line one of whose cells is, as a whole, a name that says "secret". It goes on as long as lines have
as many cells; what stands in that column is judged like a value beside the name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from workspace.cancellation import stop_if_cancelled
from workspace.secrets.assigned import Name, is_secret, says_secret, words_of_names
from workspace.secrets.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workspace.secrets.assigned import Secret
    from workspace.secrets.searching import Searched

_SEPARATED: Final = {"csv": b",;", "tsv": b"\t", "psv": b"|", "": b",;\t|", "txt": b",;\t|"}
"""By extension: what stands between the cells. Elsewhere a table has bars; where nothing is known of a text, as of what a
tool answered, it may be any."""

_BARS: Final = b"|"
_RULES: Final = (b"|-", b"| -", b"|:-", b"| :-")
"""The texts in the line below the head of a table with bars; most files hold none of them, and are done with."""

_LEAST_BARS: Final = 2
_AROUND: Final = b" \t\"'`*"
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_LONGEST_LINE: Final = 4096


def tabled_secrets(text: Searched) -> Iterator[Secret]:
    """The values of columns whose head says "secret": start, end, kind."""
    if text.extension in words_of_names().code:
        return
    source = text.source
    marks = _SEPARATED.get(text.extension, _BARS)
    if marks is _BARS and not any(rule in source for rule in _RULES):
        return
    words = [word for word in words_of_names().endings if word[0] in text.held]
    table: _Table | None = None
    nearest = dict.fromkeys((word for word, _ in words), -1)
    start = _next_head(text.lowered, nearest, 0)
    while start < len(source):
        stop_if_cancelled()
        ended = _LINE_END.search(source, start)
        end = ended.end() if ended else len(source)
        line = source[start:end]
        if table is not None:
            cells = _cells(line, start, table.mark)
            if len(cells) == table.width:
                yield from table.secrets(source, cells)
            else:
                table = None
        if table is None and len(line) <= _LONGEST_LINE:
            table = _table(source, line, start, marks, words)
        start = end if table is not None else _next_head(text.lowered, nearest, end)


def _next_head(lowered: bytes, nearest: dict[bytes, int], start: int) -> int:
    """Returns where the next line begins that holds one of some words; the end of the text for none.

    Args:
        lowered: the text in lower case.
        nearest: for each word where it stands next, as it was found last; brought up to `start`.
        start: where a line begins.
    """
    for word, place in nearest.items():
        if place < start:
            found = lowered.find(word, start)
            nearest[word] = found if found >= 0 else len(lowered)
    place = min(nearest.values(), default=len(lowered))
    if place == len(lowered):
        return place
    return max(start, lowered.rfind(b"\n", start, place) + 1, lowered.rfind(b"\r", start, place) + 1)


class _Table:
    """The head of a table: how many cells a line has, and which of them hold secrets."""

    def __init__(self, mark: bytes, width: int, columns: dict[int, Name]) -> None:
        self.mark = mark
        self.width = width
        self._columns = columns

    def secrets(self, source: bytes, cells: list[tuple[int, int]]) -> Iterator[Secret]:
        for column, name in self._columns.items():
            start, end = cells[column]
            text = source[start:end]
            if start < end and is_secret(text, name, Value(spans=((start, end),), quoted=True)):
                yield start, end, name.kind


def _table(source: bytes, line: bytes, start: int, marks: bytes, words: list[tuple[bytes, str]]) -> _Table | None:
    lowered = line.lower()
    if not any(word in lowered for word, _ in words):
        return None
    mark = max((marks[at : at + 1] for at in range(len(marks))), key=line.count)
    cells = _cells(line, start, mark)
    if len(cells) <= (_LEAST_BARS if mark == _BARS else 1):
        return None
    columns: dict[int, Name] = {}
    for column, (begin, end) in enumerate(cells):
        kind = _kind(source[begin:end].lower().replace(b" ", b"_"), words)
        if kind:
            columns[column] = Name(start=begin, word=begin, text=b"", kind=kind, is_code=False)
    return _Table(mark, len(cells), columns) if columns else None


def _kind(head: bytes, words: list[tuple[bytes, str]]) -> str:
    """Returns what a head says of its column, "" where it is no name of a secret."""
    for word, kind in words:
        if head.endswith(word) and re.fullmatch(rb"[\w.-]{1,40}", head):
            return kind if says_secret(head[: -len(word)], word, words_of_names()) else ""
    return ""


def _cells(line: bytes, start: int, mark: bytes) -> list[tuple[int, int]]:
    """Returns the places of the cells of a line, without their quotes and blanks."""
    cells: list[tuple[int, int]] = []
    for cell in line.rstrip(b"\r\n").split(mark):
        begin, end = len(cell) - len(cell.lstrip(_AROUND)), len(cell.rstrip(_AROUND + b"\r"))
        cells.append((start + begin, start + max(begin, end)))
        start += len(cell) + 1
    return cells
