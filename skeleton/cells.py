"""Definitions in the code cells of notebooks, as spans of the JSON that holds the cells.

The text of a cell lies in JSON strings, one for each line as a rule. A definition begins in one of them and ends in one,
so what the file holds between is no code: `skeleton.formats.json_strings` gives the code back.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from skeleton.formats.notebook import code_cells
from skeleton.languages.headers import language_called
from skeleton.languages.queries import Language
from skeleton.outline.outlining import every_definition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skeleton.outline.definitions import Definition

_ESCAPE: Final = re.compile(r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)", re.DOTALL)
"""A character that a JSON string does not hold as itself."""

_NOTED: Final = "constant"
"""The kind of what stands in a cell by itself to be used in others: a variable, which any cell may set anew."""

_COMMAND: Final = re.compile(rb"^[ \t]*(?:%%?[A-Za-z]|!(?!=))[^\n]*", re.MULTILINE)
"""A line of a cell that speaks to the notebook or to a shell, and is no code."""


def definitions_in_cells(source: bytes) -> tuple[Definition, ...]:
    """The definitions in the code cells of a notebook, by position, without what a cell only notes for the next ones.

    Every span begins and ends inside a JSON string. A cell whose language is not known has none.

    Args:
        source: the JSON of the notebook as UTF-8.

    Raises:
        GrammarFailureError: a cell took too long to read.
    """
    text = source.decode("utf-8", "replace")
    found: list[Definition] = []
    at = at_byte = 0
    for cell in code_cells(text):
        name = language_called(cell.runner) or language_called(cell.kernel)
        if name is None:
            continue
        places = _Places()
        for written, start in cell.strings:
            at_byte += len(text[at:start].encode())
            at = start
            places.add(written, at_byte)
        code = _COMMAND.sub(lambda line: b" " * len(line[0]), places.code)
        every = every_definition(code, Language.named(name))
        found += [places.moved(one) for one in every if one.kind != _NOTED or one.container]
    return tuple(found)


class _Places:
    """The text of a cell, and where the file holds each byte of it: in pieces that it holds as they are."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._starts: list[int] = []
        self._in_file: list[tuple[int, int]] = []

    @property
    def code(self) -> bytes:
        return b"".join(self._pieces)

    def add(self, written: str, start: int) -> None:
        """Takes a JSON string with its quotes, which the file holds from a byte on."""
        start += 1
        for piece, held in _pieces(written[1:].removesuffix('"')):
            self._pieces.append(piece)
            self._starts.append(self._size)
            self._in_file.append((start, start + held))
            self._size += len(piece)
            start += held

    def moved(self, one: Definition) -> Definition:
        """Returns a definition of the cell with the places that the file has for it."""
        return one._replace(
            start=self._place(one.start),
            end=self._end(one.end),
            signature=self._place(one.signature),
            body=self._end(one.body),
            name_start=self._place(one.name_start),
        )

    def _place(self, at: int) -> int:
        number = bisect_right(self._starts, at) - 1
        start, end = self._in_file[number]
        return min(start + at - self._starts[number], end)

    def _end(self, at: int) -> int:
        """The place behind the byte before: in the string that holds that one, not in the next."""
        number = bisect_left(self._starts, at) - 1
        if number < 0:
            return self._place(at)
        start, end = self._in_file[number]
        is_whole = at == self._starts[number] + len(self._pieces[number])
        return end if is_whole else start + at - self._starts[number]


def _pieces(written: str) -> Iterator[tuple[bytes, int]]:
    """Yields the text of a JSON string in pieces, each with how many bytes the file takes for it."""
    at = 0
    for escape in _ESCAPE.finditer(written):
        if escape.start() > at:
            piece = written[at : escape.start()].encode()
            yield piece, len(piece)
        yield _character(escape[0]).encode("utf-8", "replace"), len(escape[0].encode())
        at = escape.end()
    if at < len(written):
        piece = written[at:].encode()
        yield piece, len(piece)


def _character(escape: str) -> str:
    try:
        return str(json.loads(f'"{escape}"', strict=False))
    except ValueError:
        return escape
