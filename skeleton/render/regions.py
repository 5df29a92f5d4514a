"""Writes marks above the lines that are shown as they are written, because they could not be read.

Where a grammar stumbles, text stays that a level would fold (`skeleton.outline.resumed`). Above each stretch of it stands
a line that says which lines of the file follow as they are: `⋮ lines 240-252 as written`. Such a line comes from no line
of the source, so its number is 0, as that of every line that stands for others; whoever serves the text tells the lines
of a file apart from these. A mark is put down only above lines that were compared with the source, one by one; only
empty lines may be missing among them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from skeleton.outline.definitions import Definition, Span

_MARK: Final = "⋮ {} as written"
_IS_MARK: Final = re.compile(r"⋮ lines? (?:\d+-)?(?P<last>\d+) as written")


def is_mark(line: str, number: int) -> bool:
    """Tells whether a line of a skeleton, with its number, is a mark above what could not be read."""
    return number == 0 and _IS_MARK.fullmatch(line) is not None


def runs_as_written(lines: Sequence[str], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields each run of lines of a skeleton that a mark tells of: the row of the mark, and the last row.

    Args:
        lines: those of the skeleton.
        numbers: the line of the source that each comes from; 0 for marks.
    """
    for row in (row for row, number in enumerate(numbers) if number == 0):
        told = _IS_MARK.fullmatch(lines[row])
        if told is not None:
            last = row
            while last + 1 < len(numbers) and 0 < numbers[last + 1] <= int(told["last"]):
                last += 1
            yield row, last


class Lines(NamedTuple):
    """The lines of a skeleton.

    Attributes:
        text: the lines, joined by line breaks.
        numbers: the line of the source that each comes from, counted from 1; 0 for a mark.
        marks: where marks stand: in the text without them, the byte each was put before, and its length.
    """

    text: bytes
    numbers: tuple[int, ...]
    marks: tuple[tuple[int, int], ...] = ()

    def moved(self, definitions: Sequence[Definition]) -> tuple[Definition, ...]:
        """The definitions of the text without marks, where they stand in it; a mark directly above one comes with it."""
        if not self.marks:
            return tuple(definitions)
        places = [at for at, _ in self.marks]
        before = [0]
        for _, length in self.marks:
            before.append(before[-1] + length)

        def first(at: int) -> int:
            return at + before[bisect_right(places, at)]

        def end(at: int) -> int:
            return at + before[bisect_left(places, at)]

        return tuple(
            one._replace(
                start=end(one.start),
                end=end(one.end),
                signature=first(one.signature),
                body=max(end(one.body), first(one.signature)),
                name_start=first(one.name_start),
            )
            for one in definitions
        )


def marked(text: bytes, numbers: tuple[int, ...], source: bytes, regions: Sequence[Span]) -> Lines:
    """Puts a mark above every run of lines that are shown as they are written because they could not be read.

    Args:
        text: a skeleton without marks.
        numbers: the line of the source that each of its lines comes from, counted from 1.
        source: the file.
        regions: the spans of the source that could not be read, in order.
    """
    if not regions:
        return Lines(text, numbers)
    rows, written = text.split(b"\n"), source.split(b"\n")
    lines: list[bytes] = []
    marked_numbers: list[int] = []
    marks: list[tuple[int, int]] = []
    at = done = 0
    for first, last in _runs(rows, numbers, written, regions):
        for row in rows[done:first]:
            at += len(row) + 1
        mark = _mark(numbers[first], numbers[last])
        lines += (*rows[done:first], mark)
        marked_numbers += (*numbers[done:first], 0)
        marks.append((at, len(mark) + 1))
        done = first
    if not marks:
        return Lines(text, numbers)
    return Lines(b"\n".join((*lines, *rows[done:])), (*marked_numbers, *numbers[done:]), tuple(marks))


def _mark(first: int, last: int) -> bytes:
    return _MARK.format(f"line {first}" if first == last else f"lines {first}-{last}").encode()


def _runs(
    rows: Sequence[bytes], numbers: Sequence[int], written: Sequence[bytes], regions: Sequence[Span]
) -> Iterator[tuple[int, int]]:
    """The first and the last row of every run of a region's lines of which none but empty ones is missing or changed."""
    unread = _line_ranges(written, regions)
    firsts = [first for first, _ in unread]
    open_first = open_last = -1
    for place, (row, number) in enumerate(zip(rows, numbers, strict=False)):
        if not row:
            continue
        at = bisect_right(firsts, number) - 1
        if at < 0 or number > unread[at][1] or not _is_as_written(row, written[number - 1]):
            if open_first >= 0:
                yield open_first, open_last
                open_first = -1
        elif open_first >= 0 and not any(line.strip() for line in written[numbers[open_last] : number - 1]):
            open_last = place
        else:
            if open_first >= 0:
                yield open_first, open_last
            open_first = open_last = place
    if open_first >= 0:
        yield open_first, open_last


def _line_ranges(written: Sequence[bytes], regions: Sequence[Span]) -> list[tuple[int, int]]:
    """The first and the last line of each region, counted from 1."""
    starts = list(accumulate([len(line) + 1 for line in written], initial=0))
    ranges: list[tuple[int, int]] = []
    for start, end in regions:
        first, last = bisect_right(starts, start), bisect_right(starts, max(start, end - 1))
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(last, ranges[-1][1])
        else:
            ranges.append((first, last))
    return ranges


def _is_as_written(row: bytes, line: bytes) -> bool:
    """Tells whether a row is a line of the source but for white space at its end and indentation common to all rows."""
    line = line.rstrip()
    return line.endswith(row) and not line[: len(line) - len(row)].strip()
