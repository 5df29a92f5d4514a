"""Chooses the units of a text to keep, so that it has so many tokens and no more.

A unit is worth what it says that has not been said yet: rules, decisions and figures by the table of signs of `sentences`,
and each name, figure and rare word once. The best for their price are taken until the tokens are spent; rules come before
all others, and a heading stays where something under it does. Whole units are kept or left out, nothing inside them: what
is left reads as the same text, shorter.

Lines that say the same but for their figures, as those of a log do, are one line with a count of the others. There is no
model and no randomness: equal texts give equal results.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from compaction.prose.leads import led
from compaction.prose.sentences import CONSTRAINT, LOOKED_AT, fact_spans, is_small_talk, score
from compaction.prose.units import Kind, Unit, units
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_WORD = re.compile(r"[^\W_][\w'’-]{3,}")
_FIGURES = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d+", re.IGNORECASE)
_FACT, _RARE_WORD = 1.6, 0.35
"""The worth of a name or figure that was not named before, and of a word that the text has once or twice."""

_EXCEPTION = re.compile(
    r"(?:however|but|except(?:ions?)?|unless|otherwise|only (?:if|when|where)|(?:this|that|it|the rule) (?:does|do|did)(?: not|n't) apply)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence that, where it says what must or must not be done, limits the one before it."""

_RULE = 6.0
_FIRST = 1.5
_SMALL_TALK = 0.25
_CODE = 0.5
_DIMINISHING = 0.75
"""The power of its price that a unit's worth is divided by: long units hold more, and less for each token."""

_ALIKE = 4
"""Lines that differ in their figures alone are counted from so many on; equal ones from two."""

_SAME, _LIKE = _MARK_END = "more of the same)", "lines like this)"
"""The ends of the mark that counts what is left out for being alike."""

_LEAST_ROOM = 4
"""Tokens of room below which no further unit is looked for."""

_MOST_TRIES = 24


@dataclass(frozen=True, slots=True)
class Choice:
    """The kept units of some texts.

    Attributes:
        texts: each with the units that are kept; "" where none is.
        rules: how many units that say what must or must not be done found no room.
    """

    texts: tuple[str, ...]
    rules: int = 0


@dataclass(slots=True)
class _Candidate:
    source: int
    number: int
    unit: Unit
    text: str
    cost: int
    is_rule: bool
    base: float
    facts: frozenset[str]
    alike: str = ""
    headings: tuple[int, ...] = ()
    introduced: int | None = None
    announces: bool = False
    words: frozenset[str] = field(default_factory=frozenset[str])


def choose(text: str, target: int, *, count: Callable[[str], int]) -> str:
    """Return the best units of a text, in their order, at least one.

    Args:
        text: any text; what it holds between code fences is kept or left out whole.
        target: the tokens that the result may have.
        count: how many tokens a text has.
    """
    return choose_among([text], target, count=count).texts[0]


def choose_among(texts: Sequence[str], target: int, *, count: Callable[[str], int], keep_rules: bool = False) -> Choice:
    """Return the best units of some texts that share a budget, at least one of them all.

    Args:
        texts: any texts.
        target: the tokens that they may have together.
        count: how many tokens a text has.
        keep_rules: whether units that say what must or must not be done stay even where they are more than the target.
    """
    if sum(map(count, texts)) <= target:
        return Choice(tuple(texts))
    shown = [_Text(number, text, count) for number, text in enumerate(texts)]
    order = _order([candidate for text in shown for candidate in text.offered])
    if not order:
        return Choice(tuple(texts))
    rules = sum(candidate.is_rule for candidate in order)
    low, high = max(1, rules) if keep_rules else 1, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(_rendered(shown, order[:middle])[1]) <= target:
            low = middle
        else:
            high = middle - 1
    kept = list(order[:low])
    best, costs = _rendered(shown, kept)
    tries = 0
    for candidate in order[low:]:
        room = target - sum(costs)
        if room < _LEAST_ROOM or tries == _MOST_TRIES:
            break
        if candidate.cost + 2 <= room:
            tries += 1
            made, changed = _rendered(shown, [*kept, candidate])
            if sum(changed) <= target:
                kept.append(candidate)
                best, costs = made, changed
    return Choice(tuple(best), rules - sum(candidate.is_rule for candidate in kept))


def _rendered(texts: Sequence[_Text], kept: Sequence[_Candidate]) -> tuple[list[str], list[int]]:
    """Every text with the units that are kept, and its tokens."""
    numbers: list[set[int]] = [set() for _ in texts]
    for candidate in kept:
        numbers[candidate.source].add(candidate.number)
    made = [text.with_units(frozenset(chosen)) for text, chosen in zip(texts, numbers, strict=True)]
    return [words for words, _ in made], [tokens for _, tokens in made]


class _Text:
    """One text, its units, and what it is with some of them.

    Attributes:
        offered: the units to choose from: no headings, and none that repeats another.
    """

    def __init__(self, source: int, text: str, count: Callable[[str], int]) -> None:
        self._text = text
        self._count = count
        self._made: dict[frozenset[int], tuple[str, int]] = {}
        self._candidates = _candidates(source, text, count)
        self._groups = Counter(candidate.alike for candidate in self._candidates if candidate.alike)
        self._counted = {key for key, times in self._groups.items() if times >= (2 if _is_same(key) else _ALIKE)}
        first = {candidate.alike: candidate.number for candidate in reversed(self._candidates)}
        self.offered = [
            candidate
            for candidate in self._candidates
            if candidate.unit.kind is not Kind.HEADING
            and (candidate.alike not in self._counted or first[candidate.alike] == candidate.number)
        ]

    def with_units(self, numbers: frozenset[int]) -> tuple[str, int]:
        """Return the text with these units and the headings above them, and its tokens."""
        if numbers not in self._made:
            made = self._joined(numbers) if numbers else ""
            self._made[numbers] = made, self._count(made)
        return self._made[numbers]

    def _joined(self, numbers: frozenset[int]) -> str:
        told = {self._candidates[number].introduced for number in numbers}
        numbers = frozenset(number for number in numbers if number in told or not self._candidates[number].announces)
        shown = numbers.union(*(self._candidates[number].headings for number in numbers))
        parts: list[str] = []
        before: _Candidate | None = None
        for number in sorted(shown):
            candidate = self._candidates[number]
            joint = _joint(self._text, before, candidate)
            parts += (joint or (" " if parts and parts[-1].endswith(_MARK_END) else ""), candidate.text)
            left_out = self._groups[candidate.alike] - 1 if candidate.alike in self._counted else 0
            if left_out:
                parts.append(f" (+{left_out} {_SAME if _is_same(candidate.alike) else _LIKE}")
            before = candidate
        lead = self._text[: self._candidates[0].unit.start]
        return f"{lead}{''.join(parts)}{self._text[self._candidates[-1].unit.end :]}"


def _alike(flat: str, kind: Kind, *, is_rule: bool, under: str) -> str:
    """Returns the key that units that say the same share: of a line its words without figures, of others all of them.

    Items that belong to other items, which `under` names, say the same of something else.
    """
    if kind in {Kind.HEADING, Kind.CODE}:
        return ""
    figureless = without_figures(flat) if kind is Kind.LINE and not is_rule else flat
    return f"#{figureless}{under}" if figureless != flat else f"={flat}{under}"


def without_figures(flat: str) -> str:
    """Return a line with one mark for each of its figures: equal for lines that differ in those alone."""
    return _FIGURES.sub("#", flat)


def _is_same(key: str) -> bool:
    return key.startswith("=")


def _candidates(source: int, text: str, count: Callable[[str], int]) -> list[_Candidate]:
    found = led(text, _with_exceptions(text, units(text)), _is_rule)
    frequencies = Counter(
        word for unit, *_ in still_wanted(found) for word in set(_words(text[unit.start : unit.end][:LOOKED_AT]))
    )
    made: list[_Candidate] = []
    blocks: set[int] = set()
    for number, (unit, needs, introduced, announces) in enumerate(still_wanted(found)):
        words = text[unit.start : unit.end]
        flat = " ".join(words.split())
        is_code = unit.kind is Kind.CODE
        is_rule = unit.kind not in {Kind.HEADING, Kind.CODE} and _is_rule(flat)
        rare = frozenset(word for word in _words(words[:LOOKED_AT]) if frequencies[word] <= 2)
        points = score(flat) if not is_code else 0.0
        if unit.block not in blocks:
            points += _FIRST
            blocks.add(unit.block)
        if is_small_talk(flat) and not is_code:
            points *= _SMALL_TALK
        made.append(
            _Candidate(
                source=source,
                number=number,
                unit=unit,
                text=words,
                cost=max(1, count(words)),
                is_rule=is_rule,
                base=max(0.1, points) * (_CODE if is_code else 1.0),
                facts=frozenset(flat[start:end].lower() for start, end in fact_spans(flat[:LOOKED_AT]))
                if not is_code
                else frozenset(),
                alike=_alike(flat, unit.kind, is_rule=is_rule, under=str(needs[-1:]) if unit.level else ""),
                headings=needs,
                introduced=introduced,
                announces=announces,
                words=rare,
            )
        )
    return made


def _is_rule(words: str) -> bool:
    return CONSTRAINT.pattern.search(words[:LOOKED_AT]) is not None


def _with_exceptions(text: str, found: Sequence[Unit]) -> list[Unit]:
    """The units, a sentence that limits the one before it as one with that: without it the text would say the opposite."""
    made: list[Unit] = []
    for unit in still_wanted(found):
        before = made[-1] if made else None
        words = text[unit.start : unit.start + LOOKED_AT]
        if (
            before is not None
            and before.block == unit.block
            and unit.kind is Kind.SENTENCE
            and before.kind in {Kind.SENTENCE, Kind.ITEM}
            and _EXCEPTION.match(words)
            and CONSTRAINT.pattern.search(text[unit.start : min(unit.end, unit.start + LOOKED_AT)])
        ):
            made[-1] = replace(before, end=unit.end)
        else:
            made.append(unit)
    return made


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _order(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The units, the most needed first: rules, then what says most that is new for its price."""
    said: set[str] = set()

    def price(candidate: _Candidate) -> float:
        new = sum(_FACT for fact in candidate.facts if fact not in said)
        new += sum(_RARE_WORD for word in candidate.words if word not in said)
        worth = candidate.base + new + (_RULE if candidate.is_rule else 0.0)
        return worth / candidate.cost**_DIMINISHING

    heap = [(not candidate.is_rule, -price(candidate), place) for place, candidate in enumerate(candidates)]
    heapify(heap)
    order: list[_Candidate] = []
    while heap:
        later, stale, place = heappop(heap)
        now = -price(candidates[place])
        if heap and now > stale and (later, now, place) > heap[0]:
            heappush(heap, (later, now, place))
            continue
        order.append(candidates[place])
        said |= candidates[place].facts
        said |= candidates[place].words
    return order


def _joint(text: str, before: _Candidate | None, candidate: _Candidate) -> str:
    """Returns the text between two units that are kept."""
    if before is None:
        return _indentation(text, candidate.unit) if candidate.number else ""
    gap = text[before.unit.end : candidate.unit.start]
    if candidate.number == before.number + 1:
        return gap
    if candidate.unit.block != before.unit.block:
        return f"\n\n{_indentation(text, candidate.unit)}"
    lead = _lead(text, candidate.unit)
    if candidate.unit.kind is Kind.SENTENCE and "\n" not in lead:
        return " " if lead or gap[:1].isspace() else ""
    return f"\n{_indentation(text, candidate.unit)}"


def _lead(text: str, unit: Unit) -> str:
    """The white space before a unit."""
    start = unit.start
    while start and text[start - 1].isspace():
        start -= 1
    return text[start : unit.start]


def _indentation(text: str, unit: Unit) -> str:
    line = text.rfind("\n", 0, unit.start) + 1
    before = text[line : unit.start]
    return before if not before.strip() else ""
