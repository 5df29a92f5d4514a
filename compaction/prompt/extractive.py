"""The engine `extractive`: what a text must not lose stays, the best sentences fill the rest. It needs no model.

Sentences are ranked by the table of signs that summaries of conversations use (`compaction.history.sentences`). What must
not be lost is known by its form: a sentence that says what must, may or may never be done, and every figure with its unit,
identifier, path, constant, flag and address, once. The words of a text are then put in an order, and as many of them stay as
the target holds:

1. the constraints, and of the other sentences the facts and the clauses that deny or demand something: these stay whatever
   the target;
2. headings, and the clauses around the facts;
3. the rest of the sentences that hold facts, and the light words of the constraints;
4. the other sentences, best first, and last what has been said before.

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

_BINDING = re.compile(
    r"\b(?:not|no|nobody|nothing|none|nowhere|neither|nor|cannot|\w+n['’]t|ha(?:s|ve) to|needs? to|shall|refused?|ensure|"
    r"make sure|instead)\b",
    re.IGNORECASE,
)
"""What makes a clause one that must not be lost, where the sentence as a whole is no constraint."""

_EDGES = "\"'“”‘’`*_()[]{}<>«»,;:!?.…"
_CLAUSE_END = re.compile(r"[,;:)–—]$|^[–—-]$")
_WRAPPED = 50
"""A line of at least so many characters may be a sentence that goes on in the next line."""


class _Tier(IntEnum):
    """How much a word is needed."""

    SAID_BEFORE = 0
    PROSE = 1
    SENTENCE = 2
    CLAUSE = 3
    FACT = 4


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


def _tiers(
    layout: Layout, sentence: _Sentence, facts: dict[int, set[str]], known: set[str]
) -> Iterator[tuple[int, _Tier]]:
    """How much each word of a sentence is needed, when what is `known` has been said; adds to that."""
    numbers = range(sentence.first, sentence.last)
    said = sentence.text.lower()
    is_constraint = CONSTRAINT.pattern.search(sentence.text) is not None
    needed = {number for number in numbers if facts.get(number, set()) - known}
    if sentence.heading:
        yield from ((number, _Tier.CLAUSE) for number in numbers)
    elif said in known:
        yield from ((number, _Tier.SAID_BEFORE) for number in numbers)
    elif is_constraint:
        for number in numbers:
            yield number, _Tier.SENTENCE if layout.word(number).lower() in _LIGHT else _Tier.FACT
    else:
        clauses = list(_clauses(layout, numbers))
        bound = [number for clause in clauses if _is_binding(layout, clause) for number in clause]
        needed.update(number for number in bound if layout.word(number).lower() not in _LIGHT)
        around = _Tier.SENTENCE if needed else _Tier.PROSE
        for clause in clauses:
            rest = _Tier.CLAUSE if needed.intersection(clause) else around
            yield from ((number, _Tier.FACT if number in needed else rest) for number in clause)
    known.add(said)
    known.update(key for number in needed for key in facts.get(number, ()))


def _is_binding(layout: Layout, clause: Sequence[int]) -> bool:
    return _BINDING.search(layout.text, layout.words[clause[0]].start, layout.words[clause[-1]].end) is not None


def _fact_words(layout: Layout) -> dict[int, set[str]]:
    """The words that are part of facts, each with what those say: a figure with the words beside it, a name by itself."""
    facts: dict[int, set[str]] = {}
    words = [layout.word(number).strip(_EDGES).lower() for number in range(len(layout.words))]

    def note(numbers: range) -> None:
        said = " ".join(words[number] for number in numbers)
        if re.search(r"\d", said):
            following = numbers.stop
            if following < len(words) and words[following].isalpha() and _is_beside(layout, following):
                numbers = range(numbers.start, following + 1)
            said = " ".join(words[max(0, numbers.start - 1) : numbers.stop])
        for number in numbers:
            facts.setdefault(number, set()).add(said)

    for number, word in enumerate(words):
        if _SHAPED.search(word) or _SHAPED.search(layout.word(number).strip(_EDGES)):
            note(range(number, number + 1))
    number = 0
    for start, end in sorted(fact_spans(layout.text)):
        while number < len(words) and layout.words[number].end <= start:
            number += 1
        last = number
        while last < len(words) and layout.words[last].start < end:
            last += 1
        note(range(number, last))
    return facts


def _is_beside(layout: Layout, number: int) -> bool:
    """Whether nothing but a blank stands between a word and the one before it."""
    return layout.text[layout.words[number - 1].end : layout.words[number].start] == " "


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
    wrapped = line.end - line.start >= _WRAPPED or layout.text[following.lead].islower()
    return not marked and not heading and wrapped
