"""The engine `extractive`: what a text must not lose stays, the best sentences fill the rest. It needs no model.

Sentences are ranked by the table of signs that summaries of conversations use (`compaction.history.sentences`). What must
not be lost is known by its form: a sentence that says what must, may or may never be done, and every figure with its unit,
identifier, path, constant, flag and address, once. The words of a text are then put in an order, and as many of them stay as
the target holds:

1. the constraints, and the facts of the other sentences: these stay whatever the target;
2. headings, and the clauses around the facts;
3. the rest of the sentences that hold facts, and the light words of the constraints;
4. the other sentences, best first.

So a generous target keeps whole sentences and a tight one leaves telegrams, but no fact is traded for prose. Where the facts
alone are more than the target, the facts win.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from compaction.history.sentences import CONSTRAINT, fact_spans, score, spans
from compaction.prompt.fitting import fit
from compaction.prompt.layout import lay_out
from compaction.prompt.model import EngineName, unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compaction.prompt.layout import Layout, Line
    from compaction.prompt.model import Progress

_LIGHT = frozenset(
    {"a", "an", "the", "really", "very", "quite", "just", "basically", "actually", "simply", "please", "rather", "also"}
    | {"somewhat", "certainly", "obviously", "perhaps", "maybe"}
)
_SHAPED = re.compile(r"\d|\w[_/\\@#=+&~^|]+\w|^[-/@#$~]+\w|\w\.\w|[a-z][A-Z]|[A-Z]{2}|::|\(\)|[<{\[]\w+[>}\]]|`")
"""What a word looks like that is no plain word: it has a digit, an inner sign, capitals where none belong."""

_EDGES = "\"'“”‘’`*_()[]{}<>«»,;:!?.…"
_CLAUSE_END = re.compile(r"[,;:)–—]$|^[–—-]$")
_WRAPPED = 50
"""A line of at least so many characters may be a sentence that goes on in the next line."""


class _Tier(IntEnum):
    """How much a word is needed."""

    PROSE = 0
    SENTENCE = 1
    CLAUSE = 2
    FACT = 3


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The words from `first` to before `last`, and what they are worth together."""

    first: int
    last: int
    text: str
    points: float
    heading: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveCompressor:
    """Keeps constraints, facts and the best sentences; a `TextCompressor`.

    Attributes:
        count: how many tokens a text has, in the unit of the targets.
        progress: told of each text that is done; what it raises ends the call.
    """

    count: Callable[[str], int]
    progress: Progress = unheard
    name: EngineName = EngineName.EXTRACTIVE

    def compress(self, texts: Sequence[str], targets: Sequence[int]) -> list[str]:
        """Return each text with what it must not lose and its best sentences."""
        shortened: list[str] = []
        for done, (text, target) in enumerate(zip(texts, targets, strict=True), start=1):
            layout = lay_out(text)
            order, least, stops = _ordered(layout)
            shortened.append(fit(layout, order, target, count=self.count, least=least, stops=stops))
            self.progress(done, len(texts), "choosing sentences")
        return shortened


def _ordered(layout: Layout) -> tuple[list[int], int, list[int]]:
    """The words, the most needed first; how many of them stay in any case; how many end with a whole sentence."""
    sentences = sorted(_sentences(layout), key=lambda sentence: (-sentence.points, sentence.first))
    facts = _fact_words(layout)
    known: set[str] = set()
    keys: list[tuple[int, int, int]] = []
    for rank, sentence in enumerate(sentences):
        keys += ((-tier, rank, number) for number, tier in _tiers(layout, sentence, facts, known))
    keys.sort()
    stops = [
        taken
        for taken, ((tier, rank, _), (following, next_rank, _)) in enumerate(pairwise(keys), start=1)
        if tier != _Tier.PROSE or rank != next_rank or tier != following
    ]
    return [number for _, _, number in keys], sum(tier == -_Tier.FACT for tier, _, _ in keys), stops


def _tiers(layout: Layout, sentence: _Sentence, facts: dict[int, str], known: set[str]) -> Iterator[tuple[int, _Tier]]:
    """How much each word of a sentence is needed, when what is `known` has been said; adds to that."""
    numbers = range(sentence.first, sentence.last)
    if sentence.heading:
        yield from ((number, _Tier.CLAUSE) for number in numbers)
        return
    is_constraint = CONSTRAINT.pattern.search(sentence.text) is not None
    said = sentence.text.lower()
    if is_constraint and said in known:
        yield from ((number, _Tier.PROSE) for number in numbers)
        return
    known.add(said)
    needed = {number for number in numbers if number in facts and facts[number] not in known}
    known.update(facts[number] for number in needed)
    if is_constraint:
        for number in numbers:
            yield number, _Tier.SENTENCE if layout.word(number).lower() in _LIGHT else _Tier.FACT
        return
    if not needed:
        yield from ((number, _Tier.PROSE) for number in numbers)
        return
    for clause in _clauses(layout, numbers):
        rest = _Tier.CLAUSE if needed.intersection(clause) else _Tier.SENTENCE
        for number in clause:
            yield number, _Tier.FACT if number in needed else rest


def _fact_words(layout: Layout) -> dict[int, str]:
    """The words that are part of a fact, each with what it says: a name by itself, a figure with the word before it."""
    found = [number for number in range(len(layout.words)) if _SHAPED.search(layout.word(number).strip(_EDGES))]
    number = 0
    for start, end in sorted(fact_spans(layout.text)):
        while number < len(layout.words) and layout.words[number].end <= start:
            number += 1
        inside = number
        while inside < len(layout.words) and layout.words[inside].start < end:
            found.append(inside)
            inside += 1
    words = [layout.word(number).strip(_EDGES).lower() for number in range(len(layout.words))]
    return {
        number: f"{words[number - 1] if number else ''} {words[number]}"
        if re.search(r"\d", words[number]) or words[number].isalpha()
        else words[number]
        for number in found
        if words[number]
    }


def _clauses(layout: Layout, numbers: Sequence[int]) -> Iterator[list[int]]:
    clause: list[int] = []
    for number in numbers:
        clause.append(number)
        if _CLAUSE_END.search(layout.word(number)):
            yield clause
            clause = []
    if clause:
        yield clause


def _sentences(layout: Layout) -> Iterator[_Sentence]:
    number = 0
    for first, last in _paragraphs(layout):
        lines = layout.lines[first:last]
        begin, end = lines[0].lead, lines[-1].end
        heading = last - first == 1 and "#" in layout.text[lines[0].start : begin]
        ranges = [(begin, end)] if heading else spans(layout.text[begin:end])
        for start, stop in ranges if heading else ((begin + start, begin + stop) for start, stop in ranges):
            opened = number = max(number, lines[0].first)
            while number < lines[-1].last and layout.words[number].start < stop:
                number += 1
            if opened < number:
                text = " ".join(layout.text[start:stop].split())
                yield _Sentence(opened, number, text, score(text), heading)


def _paragraphs(layout: Layout) -> Iterator[tuple[int, int]]:
    """The lines that belong together, from one to before another: a sentence may be wrapped over several."""
    first: int | None = None
    for number, line in enumerate(layout.lines):
        if line.first == line.last:
            if first is not None:
                yield first, number
            first = None
        elif first is None:
            first = number
        elif not _goes_on(layout, layout.lines[number - 1], line):
            yield first, number
            first = number
    if first is not None:
        yield first, len(layout.lines)


def _goes_on(layout: Layout, line: Line, following: Line) -> bool:
    marked = layout.text[following.start : following.lead].strip()
    heading = "#" in layout.text[line.start : line.lead]
    return not marked and not heading and line.end - line.start >= _WRAPPED
