"""A skeleton of a file in which the definitions that the work edited stand in full."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from skeleton import Definition, Skeleton

_LONGEST_SHARE = 0.6
"""The part of a file that a definition may take to be opened: what holds most of a file is the file."""

_TELLING_LINE = 12
"""Characters that a line must have for an edit to be found again by it."""

_MOST_EDITS = 24


class Opened(NamedTuple):
    """A text with the names of the definitions that stand in full in it."""

    text: str
    names: tuple[str, ...]


def with_opened(
    source: str,
    skeleton: Skeleton,
    definitions: Sequence[Definition],
    written: Sequence[str],
    *,
    count: Callable[[str], int],
    most: int,
) -> Opened:
    """Return a skeleton with the definitions that edits went into, the newest first, as far as `most` tokens go.

    Args:
        source: the file as it is now.
        skeleton: the same at a lower level.
        definitions: of the file, with their places in `source`.
        written: what edits put into the file, in order.
        count: counts tokens.
        most: tokens of the whole text.
    """
    shown = skeleton.text.split("\n")
    if not written or len(shown) != len(skeleton.line_numbers):
        return Opened(skeleton.text, ())
    lines = source.split("\n")
    starts = _line_starts(lines)
    chosen: dict[tuple[int, int], str] = {}
    room = most - count(skeleton.text)
    for start, end in still_wanted(_edited(source, written)):
        found = _innermost(definitions, start, end)
        if found is None or found.end - found.start > len(source.encode()) * _LONGEST_SHARE:
            continue
        first, last = bisect_right(starts, found.start), bisect_right(starts, max(found.start, found.end - 1))
        if (first, last) in chosen:
            continue
        cost = count("\n".join(lines[first - 1 : last]))
        if cost <= room:
            room -= cost
            chosen[first, last] = found.path
    return Opened(_merged(shown, skeleton.line_numbers, lines, sorted(chosen)), tuple(chosen.values()))


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line.encode("utf-8", "surrogatepass")) + 1)
    return starts


def _edited(source: str, written: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields the spans of edits in the file now, in bytes, the newest first: whole, or the first line of each."""
    for text in written[::-1][:_MOST_EDITS]:
        pieces = [text, *(line.strip() for line in text.split("\n"))]
        for piece in pieces:
            if len(piece.strip()) >= _TELLING_LINE and (at := source.find(piece)) >= 0:
                start = len(source[:at].encode("utf-8", "surrogatepass"))
                yield start, start + len(piece.encode("utf-8", "surrogatepass"))
                break


def _innermost(definitions: Sequence[Definition], start: int, end: int) -> Definition | None:
    """The smallest definition that holds a span, or its beginning."""
    for stop in (end, start + 1):
        around = [found for found in definitions if found.start <= start and stop <= found.end]
        if around:
            return min(around, key=lambda found: found.end - found.start)
    return None


def _merged(
    shown: Sequence[str], numbers: Sequence[int], lines: Sequence[str], ranges: Sequence[tuple[int, int]]
) -> str:
    """The lines of a skeleton, and in the place of those in a range all lines of the range, by their numbers."""
    places: list[int] = []
    for number in reversed(numbers):  # a mark, which has no number, goes with the line below it
        places.append(number or (places[-1] if places else 0))
    kept = [
        (number, place, text)
        for place, (number, text) in enumerate(zip(reversed(places), shown, strict=True))
        if not any(first <= number <= last for first, last in ranges)
    ]
    opened = {number: lines[number - 1] for first, last in ranges for number in range(first, last + 1)}
    kept += [(number, -1, text) for number, text in opened.items()]
    return "\n".join(text for *_, text in sorted(kept))
