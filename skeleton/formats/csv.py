"""CSV and TSV: the header, the types of the columns, the first rows, and how many rows there are."""

from __future__ import annotations

import csv
from functools import partial
from typing import NamedTuple

from skeleton.formats.lines import MARKER, Line, NotThisFormatError, Outliner, cut, marked_count, marker
from skeleton.formats.trees import type_of
from skeleton.levels import CompressionLevel

_DELIMITERS = ",\t;|"
_MISSING = frozenset({"", "NA", "N/A", "null", "NULL", "nan", "NaN", "None", "-"})
_SAMPLE = 50
_SAMPLE_ROWS = 2
_WIDTH = {CompressionLevel.SKELETON_PLUS: 400, CompressionLevel.SKELETON: 300}


class _Table(NamedTuple):
    header: Line
    columns: list[str]
    rows: list[Line]
    sample: list[list[str]]
    row_count: int
    delimiter: str


def outliner(source: str) -> Outliner:
    """The header, two rows and the number of rows (L1); the header with types and the number of rows (L2).

    Raises:
        NotThisFormatError: the text has no two columns, or a field is longer than the reader takes.
    """
    first = source.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    if not first.count(delimiter):
        raise NotThisFormatError("one column")
    try:
        return partial(_outline_lines, _read(source, delimiter))
    except csv.Error as error:
        raise NotThisFormatError(str(error)) from error


def _read(source: str, delimiter: str) -> _Table:
    lines = source.replace("\0", "\ufffd").split("\n")
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    columns: list[str] = []
    rows: list[Line] = []
    sample: list[list[str]] = []
    header = Line(1, "")
    count = 0
    start = 1
    for fields in reader:
        number, start = start, reader.line_num + 1
        if not fields:
            continue
        if not columns:
            columns, header = fields, Line(number, lines[number - 1].rstrip("\r"))
            continue
        if fields[0].startswith("… ") and MARKER.match(text := delimiter.join(fields)):
            count += marked_count(text)
            continue
        count += 1
        if len(rows) < _SAMPLE_ROWS:
            rows.append(Line(number, lines[number - 1].rstrip("\r")))
        if len(sample) < _SAMPLE:
            sample.append(fields)
    return _Table(header, columns, rows, sample, count, delimiter)


def _outline_lines(table: _Table, level: CompressionLevel) -> list[Line]:
    width = _WIDTH[level]
    header = table.header
    if level is CompressionLevel.SKELETON:
        lines = [Line(header.number, cut(_with_types(table), width))]
        left = table.row_count
    else:
        lines = [Line(line.number, cut(line.text, width)) for line in (header, *table.rows)]
        left = table.row_count - len(table.rows)
    if left > 0:
        lines.append(Line(lines[-1].number, marker(left, "rows")))
    return lines


def _with_types(table: _Table) -> str:
    """The header with the type of each column that is of one type other than string."""
    columns: list[str] = []
    for index, column in enumerate(table.columns):
        values = [fields[index] for fields in table.sample if index < len(fields) and fields[index] not in _MISSING]
        types = {type_of(value.strip()) for value in values}
        kind = types.pop() if len(types) == 1 else ""
        columns.append(f"{column}: {kind}" if kind in ("number", "boolean", "date") else column)
    return table.delimiter.join(" ".join(column.split()) for column in columns)
