"""Spending a budget of tokens on the lines of a summary, the most needed first.

A line may be offered in several lengths under one key: the short one first, and the longer one takes its place where there
is room for what it costs more. A line that stands under a heading pays for the heading if it is the first to do so. No line
is taken twice.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from compaction.history.sections import Section

_DETAIL = "  "
"""How a line begins that tells more of the line above it."""

_SORTED_AT_ONCE: Final = 1 << 14
"""Lines that are put in order by one step of native code."""

Place: TypeAlias = "tuple[float, ...]"
_Keyed: TypeAlias = "tuple[float, Place, int, str, int, Line]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line, or a few that belong together, that may go into a section.

    Attributes:
        worth: the higher, the sooner it is taken.
        place: where it stands among those of its section.
        key: what it says; a longer one of the same key replaces it.
        heading: what stands above it and those beside it, "" for nothing.
    """

    section: Section
    text: str
    worth: float
    place: Place
    key: str = ""
    heading: str = ""


def spend(offers: Iterable[Line], limit: int, count: Callable[[str], int]) -> dict[Section, str]:
    """Return the text of each section, together at most `limit` tokens; the offers are in the order of `best_first`."""
    taken: dict[str, tuple[Line, int]] = {}
    headings: set[tuple[Section, str]] = set()
    known: set[str] = set()
    details: set[str] = set()
    room = limit
    for offered in still_wanted(offers):
        if room <= 0:
            break
        line = _without(offered, details)
        key = line.key or f"{line.section.value}:{line.text}"
        flat = " ".join(line.text.split())
        held = taken.get(key)
        if not flat or flat in known or (held is not None and len(held[0].text) >= len(line.text)):
            continue
        cost = count(line.text) + 1
        opens = (line.section, line.heading) not in headings if line.heading else False
        more = cost - (held[1] if held else 0) + (count(line.heading) + 2 if opens else 0)
        if more > room:
            continue
        room -= more
        known.add(flat)
        details.update(part for part in line.text.split("\n") if part.startswith(_DETAIL))
        taken[key] = line, cost
        if line.heading:
            headings.add((line.section, line.heading))
    return _joined(line for line, _ in taken.values())


def best_first(offers: Iterable[Line]) -> list[Line]:
    """Return the lines by their worth, sorted in pieces that take a moment each, with a look at the call's token between."""
    keyed = (
        (-line.worth, line.place, len(line.text), line.text, number, line)
        for number, line in enumerate(still_wanted(offers))
    )
    pieces: list[list[_Keyed]] = []
    while piece := list(islice(keyed, _SORTED_AT_ONCE)):
        piece.sort()
        pieces.append(piece)
    return [line for *_, line in still_wanted(heapq.merge(*pieces))]


def _without(line: Line, details: set[str]) -> Line:
    """A line without the details under it that stand elsewhere already."""
    first, *rest = line.text.split("\n")
    kept = [part for part in rest if part not in details]
    return line if len(kept) == len(rest) else replace(line, text="\n".join((first, *kept)))


def _joined(lines: Iterable[Line]) -> dict[Section, str]:
    parts: dict[Section, list[str]] = {}
    above: dict[Section, str] = {}
    for line in sorted(lines, key=lambda line: (line.section.number, line.place)):
        into = parts.setdefault(line.section, [])
        if line.heading and above.get(line.section) != line.heading:
            into.append(f"\n{line.heading}" if into else line.heading)
        above[line.section] = line.heading
        into.append(line.text)
    return {section: "\n".join(texts) for section, texts in parts.items()}
