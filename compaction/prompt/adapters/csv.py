"""CSV: the header and every row stay, with their numbers and names; sentences in cells are shortened in place.

A row is a record, and half a record is a wrong one: so no row is left out, and a table without sentences stays as it is.
Commas, semicolons, tabs and bars separate. Python's `csv` says whether the rows have one number of columns; cells are
then spliced in the source.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from compaction.prompt.adapters.base import NotThisFormatError, lines_of, one_line, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import first_page, is_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

_DELIMITERS = ",\t;|"
_LEAST_ROWS = 3
_LONGEST_TITLE = 60
_LONGER_THAN = 60
_CELL = {
    delimiter: re.compile(rf'(?:"(?P<quoted>(?>(?:[^"]++|"")*))"|(?P<bare>[^{re.escape(delimiter)}\n]*+))')
    for delimiter in _DELIMITERS
}


class CsvAdapter:
    """See the module."""

    name = "csv"
    is_whole = True
    verifies = True

    def detect(self, content: str) -> bool:
        """Return whether the first three lines look like a header and two rows."""
        return _delimiter(content) is not None

    def extract_preserved(self, content: str) -> list[str]:
        """Return the rows, with `[…]` for each sentence.

        Raises:
            NotThisFormatError: its rows do not have the same columns.
        """
        return spliced(content, ((span, "[…]") for span, _ in _sentences(content))).splitlines()

    def extract_compressible(self, content: str) -> list[str]:
        """Return the cells of more than 60 characters that are prose.

        Raises:
            NotThisFormatError: its rows do not have the same columns.
        """
        return [text for _, text in _sentences(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the rows, and the summary in brackets behind them."""
        return "\n".join([*preserved, *([f"[{summary}]"] if summary else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the table with each of the cells shortened.

        Raises:
            NotThisFormatError: it is no table any more.
        """
        delimiter = _delimiter(content) or ","
        spans = [span for span, _ in _sentences(content)]
        made = spliced(content, ((span, _cell(text, delimiter)) for span, text in zip(spans, summaries, strict=True)))
        _check(made, delimiter)
        return made


def _cell(summary: str, delimiter: str) -> str:
    text = one_line(summary)
    return '"' + text.replace('"', '""') + '"' if delimiter in text or '"' in text else text


def _delimiter(content: str) -> str | None:
    """The sign that cuts the header and the two rows behind it into the same number of cells."""
    lines = [line for line in first_page(content).split("\n", _LEAST_ROWS + 1)[: _LEAST_ROWS + 1] if line.strip()]
    if len(lines) < _LEAST_ROWS or lines[0].lstrip().startswith(("#", "|", ">", "-")):
        return None
    for delimiter in _DELIMITERS:
        titles = [title.strip() for title in lines[0].split(delimiter)]
        is_header = len(titles) > 1 and all(title and len(title) <= _LONGEST_TITLE for title in titles)
        if is_header and len(set(titles)) == len(titles) and delimiter in lines[1]:
            return delimiter
    return None


def _check(content: str, delimiter: str) -> None:
    columns = 0
    rows = 0
    try:
        for row in csv.reader(lines_of(content), delimiter=delimiter, strict=True):
            if row and columns and len(row) != columns:
                raise NotThisFormatError(f"{columns} columns, then {len(row)}")
            columns = columns or len(row)
            rows += bool(row)
    except csv.Error as error:
        raise NotThisFormatError(str(error)) from error
    if rows < _LEAST_ROWS:
        raise NotThisFormatError(f"{rows} rows")


def _sentences(content: str) -> list[tuple[Span, str]]:
    delimiter = _delimiter(content)
    if delimiter is None:
        raise NotThisFormatError("no header")
    _check(content, delimiter)
    found: list[tuple[Span, str]] = []
    position = 0
    while position < len(content):
        cell = _CELL[delimiter].match(content, position)
        if cell is None:
            break
        text = cell["bare"] if cell["quoted"] is None else cell["quoted"].replace('""', '"')
        if len(text) > _LONGER_THAN and is_prose(text):
            begin = cell.start()
            found.append((Span(begin, begin + len(cell[0].rstrip("\r"))), text.strip()))
        position = cell.end() + 1
    return found
