"""Spends a budget of tokens on the lines of a summary, the most needed first.

A line may be offered in several lengths under one key: the short one first, and the longer one takes its place where there
is room for what it costs more. A line that stands under a heading pays for the heading if it is the first to do so. Nothing is
said twice: what a line says that stands elsewhere already is left out of it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from compaction.history.once import DETAIL, lines_said, said, without
from compaction.history.sections import LEFT_OUT, Section
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

_LEAST_MORE, _MAY_BE_LEFT = 150, 0.03
"""Tokens, and the part of a budget, that need not be spent where all that was offered is said."""

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
        lead: what it begins with, where lines that begin so and stand in a row become one line: places that differ in their last
            part alone.
        is_record: whether a later compaction reads it back, so that it stands whatever is said elsewhere.
    """

    section: Section
    text: str
    worth: float
    place: Place
    key: str = ""
    heading: str = ""
    lead: str = ""
    is_record: bool = False

    @property
    def run(self) -> tuple[Section, str, Place]:
        """The key that lines share that may become one."""
        return self.section, self.lead, self.place[:-1]


def spend(
    offers: Sequence[Line],
    limit: int,
    count: Callable[[str], int],
    *,
    shown: AbstractSet[str] = frozenset(),
    in_files: AbstractSet[str] = frozenset(),
    more: Iterable[Line] = (),
) -> dict[Section, str]:
    """Return the text of each section, together at most `limit` tokens.

    A section that has no room for any of its lines says so, beyond the limit.

    Args:
        offers: in the order of `best_first`.
        limit: in tokens.
        count: counts tokens.
        shown: what lines say (`once.said`) that stand outside of these sections.
        in_files: what the lines of restored files say; details need not say it again.
        more: what is taken behind the offers while a part of the limit worth speaking of is left.
    """
    spending = _Spending(room=limit, count=count, shown=shown, in_files=in_files)
    for offered in still_wanted(offers):
        spending.take(offered)
        if spending.room <= 0:
            break
    least = max(_LEAST_MORE, int(limit * _MAY_BE_LEFT))
    if spending.room > least:
        for offered in still_wanted(more):
            spending.take(offered, shortened=True)
            if spending.room <= least:
                break
    untold = dict.fromkeys(spending.untold(offers), LEFT_OUT)
    return untold | _joined(taken.line for taken in spending.taken.values())


class _Taken(NamedTuple):
    """A line as it is shown, its tokens, the length that it was offered in, and what its lines say."""

    line: Line
    cost: int
    length: int
    said: frozenset[str]


@dataclass(slots=True, kw_only=True)
class _Spending:
    """The lines that were taken, by their keys, and the tokens that are left."""

    room: int
    count: Callable[[str], int]
    shown: AbstractSet[str]
    in_files: AbstractSet[str]
    taken: dict[str, _Taken] = field(default_factory=dict[str, _Taken])
    _headings: set[tuple[Section, str]] = field(default_factory=set[tuple[Section, str]])
    _runs: set[tuple[Section, str, Place]] = field(default_factory=set[tuple[Section, str, "Place"]])
    _flat: set[str] = field(default_factory=set[str])
    _owners: dict[str, str] = field(default_factory=dict[str, str])
    """For what a line says, the key of the line that says it."""

    _refused: set[Section] = field(default_factory=set[Section])
    """The sections of lines that found no room."""

    def take(self, line: Line, *, shortened: bool = False) -> None:
        """Take a line as far as it says what stands nowhere yet, where there is room for it, or for a part of its details."""
        key = line.key or f"{line.section.value}:{line.text}"
        held = self.taken.get(key)
        flat = " ".join(line.text.split())
        if not flat or flat in self._flat or (held is not None and held.length >= len(line.text)):
            return
        text, said = self._once(line, key)
        if not text or (held is not None and held.line.text == text):
            return
        joins = bool(line.lead) and line.run in self._runs
        cost = self.count(text) + 1 - (self.count(line.lead) if joins else 0)
        opens = bool(line.heading) and (line.section, line.heading) not in self._headings
        more = (self.count(line.heading) + 2 if opens else 0) - (held.cost if held else 0)
        if cost + more > self.room and shortened:
            text, cost = self._shortened(text, self.room - more)
            said = frozenset(lines_said(text))
        if not text or cost + more > self.room:
            self._refused.add(line.section)
            return
        self.room -= cost + more
        self._flat.add(flat)
        for words in held.said if held else ():
            self._owners.pop(words, None)
        self._owners.update(dict.fromkeys(said, key))
        self.taken[key] = _Taken(line if text == line.text else replace(line, text=text), cost, len(line.text), said)
        if line.heading:
            self._headings.add((line.section, line.heading))
        if line.lead:
            self._runs.add(line.run)

    def untold(self, offers: Iterable[Line]) -> set[Section]:
        """Return the sections that say nothing of what was offered for want of room."""
        told = {taken.line.section for taken in self.taken.values()}
        for line in still_wanted(offers):
            if line.section not in told and line.section not in self._refused and self._once(line, line.text)[0]:
                self._refused.add(line.section)
        return self._refused - told

    def _shortened(self, text: str, room: int) -> tuple[str, int]:
        """A line with as many of its details as so many tokens hold, and its tokens; "" where that is none."""
        head, *details = text.split("\n")
        kept, cost = 0, self.count(head) + 1
        while kept < len(details) and (more := self.count(details[kept]) + 1) + cost <= room:
            kept, cost = kept + 1, cost + more
        text = "\n".join((head, *details[:kept]))
        return (text, self.count(text) + 1) if kept else ("", 0)

    def _once(self, line: Line, key: str) -> tuple[str, frozenset[str]]:
        """The text of a line without what stands elsewhere, and what it says."""

        def stands(words: str) -> bool:
            return words in self.shown or self._owners.get(words, key) != key

        if line.is_record:
            return line.text, frozenset(lines_said(line.text))
        text = line.text
        if self.in_files and f"\n{DETAIL}" in text:
            text = "\n".join(
                part for part in text.split("\n") if not part.startswith(DETAIL) or said(part) not in self.in_files
            )
        return without(text, stands), frozenset(words for words in lines_said(text) if not stands(words))


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


def _joined(lines: Iterable[Line]) -> dict[Section, str]:
    parts: dict[Section, list[str]] = {}
    above: dict[Section, str] = {}
    opened: Counter[str] = Counter()
    before: Line | None = None
    for line in sorted(lines, key=lambda line: (line.section.number, line.place)):
        into = parts.setdefault(line.section, [])
        if before is not None and line.lead and before.run == line.run:
            into[-1] += f" {line.text.removeprefix(line.lead)}"
            continue
        before = line
        if line.heading and above.get(line.section) != line.heading:
            opened[line.heading] += 1
            heading = line.heading if opened[line.heading] == 1 else f"{line.heading} (part {opened[line.heading]})"
            into.append(f"\n{heading}" if into else heading)
        above[line.section] = line.heading
        into.append(line.text)
    return {section: "\n".join(texts) for section, texts in parts.items()}
