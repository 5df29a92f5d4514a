"""The summary that needs no model: exact records first, then the sentences that matter (spec, rule 4).

Structure comes first because it cannot be wrong: the ledger fills the sections on files, errors, pending and current
work. What people and the assistant said is then cut into sentences, scored (`sentences`), and the best are taken until
the budget is spent, each section having a share of it and what one leaves going to the others. The lines of an earlier
summary take part as sentences that were worth keeping once already. Equal history, equal bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.history.envelope import is_acknowledgement
from compaction.history.formats.base import as_text
from compaction.history.ledger import Ledger, describe, target, troubled
from compaction.history.ledger_text import failure_lines, file_lines, in_flight_lines, plan_lines
from compaction.history.messages import CallRecord, Message, Side, Text
from compaction.history.sections import Section
from compaction.prose.sentences import CONSTRAINT, DECISION, FAILURE, PENDING, is_small_talk, names, score, split
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHARES = {
    Section.REQUEST: 0.12,
    Section.CURRENT: 0.09,
    Section.NEXT: 0.03,
    Section.PENDING: 0.08,
    Section.ERRORS: 0.17,
    Section.FILES: 0.17,
    Section.CONCEPTS: 0.06,
    Section.SOLVING: 0.28,
}
"""What part of the budget a section may take before the others have had theirs, in the order they are served: what two
sections could say is said by the first of them."""

_SPENDS_THE_REST = (Section.SOLVING, Section.ERRORS, Section.FILES, Section.PENDING, Section.REQUEST)
_KEPT_ONCE = 1.5
_SAID_BY_USER = 1.0
_MOST_CONCEPTS = 30
_RECENT_CALLS = 5
_LAST_WORDS = 4
_SAME = 0.75
_MOST_OFFERED = 1_500
"""Lines of one section that are looked at: more than any budget holds."""

_SMALLEST = 4
"""With fewer tokens of room than this nothing more is looked at."""

_TELLING_APART = re.compile(r"[\d_/`.(]\w|\bnot\b|\bnever\b|n't")
_OUTPUT_HEAD, _OUTPUT_TAIL = 800, 1_600
_OUTPUT_CALLS = 400
"""Calls, the newest, whose answers are looked through: older ones have been spoken of since."""

_OUTPUT_PENALTY = 2.5
_OUTPUT_LINES = 3
_LEAST = 0.0
_LEAST_OF_OUTPUT = 1.0

_PASSED = re.compile(r": (?:done|reported an error)$|^In flight, |^Await or repeat ")
"""What an earlier summary said about its own present, and is no news now."""

_OLD_PLAN = re.compile(r"\[[\w -]+\] |Done already: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a summary is drawn from.

    Attributes:
        messages: the history without what stays in it.
        requests: the user's messages, oldest first, and whether section 6 shows each in full.
        earlier: the sections of an earlier summary of ours, without section 6.
        foreign: summaries that another compactor left.
        outputs: whether telling lines of tool answers may be quoted.
    """

    messages: Sequence[Message]
    ledger: Ledger
    requests: Sequence[tuple[int, str, bool]]
    earlier: dict[Section, str] = field(default_factory=dict[Section, str])
    foreign: Sequence[str] = ()
    outputs: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that may go into a section: the higher its score, the sooner; it stands at `order` among its own.

    Attributes:
        recorded: code wrote it, so that only the very same line says the same.
    """

    text: str
    score: float
    order: float
    recorded: bool = False


def draft(material: Material, *, limit: int, count: Callable[[str], int]) -> dict[Section, str]:
    """The sections other than 6, together at most about `limit` tokens."""
    offers = _offers(material)
    taken: dict[Section, list[Line]] = {section: [] for section in SHARES}
    seen: list[frozenset[str]] = []
    rest = limit
    leftover: dict[Section, list[Line]] = {}
    for section, share in SHARES.items():
        room = int(limit * share)
        said = [] if section is Section.NEXT else seen
        spent, leftover[section] = _take(offers[section], room, taken[section], said, count)
        rest -= spent
    for section in _SPENDS_THE_REST:
        spent, _ = _take(leftover[section], rest, taken[section], seen, count)
        rest -= spent
    return {
        section: "\n".join(line.text for line in sorted(lines, key=lambda line: (line.order, line.text)))
        for section, lines in taken.items()
    }


def _take(
    offered: Iterable[Line],
    room: int,
    into: list[Line],
    seen: list[frozenset[str]],
    count: Callable[[str], int],
) -> tuple[int, list[Line]]:
    """Take lines, best first, while they fit; give back the tokens spent and the lines that found no room."""
    spent = 0
    waiting: list[Line] = []
    ranked = sorted(offered, key=lambda line: (-line.score, line.order, line.text))[:_MOST_OFFERED]
    for line in ranked:
        if room - spent < _SMALLEST or spent + (cost := count(line.text) + 1) > room:
            waiting.append(line)
            continue
        words = frozenset(line.text.lower().split())
        if any(words == other if line.recorded else _same(words, other) for other in seen):
            continue
        into.append(line)
        seen.append(words)
        spent += cost
    return spent, waiting


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences say the same: most words are shared, and no figure or name tells them apart."""
    shared = min(len(one), len(other))
    longer = max(len(one), len(other))
    if not shared or shared < longer * _SAME or len(one & other) < longer * _SAME:
        return False
    return not any(_TELLING_APART.search(word) for word in one ^ other)


def _offers(material: Material) -> dict[Section, list[Line]]:
    offers: dict[Section, list[Line]] = {section: [] for section in SHARES}
    offers[Section.REQUEST] += _request_lines(material)
    offers[Section.CONCEPTS] += _concepts(material)
    ledger = material.ledger
    offers[Section.FILES] += _ranked(file_lines(ledger, material.earlier.get(Section.FILES, "")), base=6.0)
    offers[Section.ERRORS] += _ranked(failure_lines(ledger), base=6.0)
    offers[Section.PENDING] += _ranked(plan_lines(ledger), base=9.0)
    offers[Section.CURRENT] += _current(material)
    for section, line in _said(material):
        offers[section].append(line)
    offers[Section.NEXT] += _next(material)
    return offers


def _ranked(lines: Sequence[str], *, base: float) -> list[Line]:
    """Lines that code wrote, in their own order; the newest, which stand last, are worth a little more."""
    return [
        Line(text=text, score=base + 2.0 * place / max(1, len(lines)), order=place - len(lines) - 1, recorded=True)
        for place, text in enumerate(lines, start=1)
    ]


def _request_lines(material: Material) -> list[Line]:
    lines: list[Line] = []
    for section_text in (material.earlier.get(Section.REQUEST, ""),):
        lines += [
            Line(text=line, score=5.0, order=place - 1_000)
            for place, line in enumerate(section_text.splitlines())
            if line.strip() and not line.startswith(("- First request", "- Newest request"))
        ]
    if material.requests:
        first, newest = material.requests[0], material.requests[-1]
        lines.append(
            Line(text=f"- First request (user message {first[0]}): {_opening(first[1])}", score=20, order=-2_000)
        )
        if newest[0] != first[0]:
            text = f"- Newest request (user message {newest[0]}): {_opening(newest[1])}"
            lines.append(Line(text=text, score=19, order=2_000))
    for number, text, shown in material.requests:
        if shown:
            continue
        for sentence in still_wanted(split(text)):
            points = score(sentence)
            if points >= _LEAST:
                line = f"- User message {number}: {sentence}"
                lines.append(Line(text=line, score=points + _SAID_BY_USER, order=number))
    return lines


def _opening(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 280 else f"{words[:280]}…"


def _assistant_texts(material: Material) -> list[tuple[int, str]]:
    return [
        (message.index, block.text)
        for message in material.messages
        if message.side is Side.ASSISTANT
        for block in message.blocks
        if isinstance(block, Text) and block.text.strip() and not is_acknowledgement(block.text)
    ]


def _said(material: Material) -> Iterable[tuple[Section, Line]]:
    texts = _assistant_texts(material)
    last = max((turn for turn, _ in texts), default=0) or 1
    order = 0.0
    for section, text in material.earlier.items():
        if section in {Section.REQUEST, Section.CONCEPTS, Section.FILES}:
            continue
        for line in text.splitlines():
            order += 1
            bare = line.removeprefix("- ").removeprefix("Said last: ").strip()
            if (
                bare
                and not (section in {Section.CURRENT, Section.NEXT} and _PASSED.search(bare))
                and not (section is Section.PENDING and material.ledger.plan and _OLD_PLAN.match(bare))
            ):
                home = section if section in {Section.ERRORS, Section.SOLVING, Section.PENDING} else Section.SOLVING
                yield home, Line(text=f"- {bare}", score=score(bare) + _KEPT_ONCE, order=order - 100_000)
    for text in material.foreign:
        for sentence in still_wanted(split(text)):
            order += 1
            if not is_small_talk(sentence):
                line = Line(text=f"- {sentence}", score=score(sentence) + _KEPT_ONCE, order=order - 100_000)
                yield section_of(sentence), line
    for turn, text in texts:
        for place, sentence in enumerate(still_wanted(split(text))):
            points = score(sentence)
            if points >= _LEAST:
                line = Line(text=f"- {sentence}", score=points + turn / last, order=turn + place / 1_000)
                yield section_of(sentence), line
    if material.outputs:
        failing = {id(failure.record) for failure in material.ledger.failures}
        for record in material.ledger.calls[-_OUTPUT_CALLS:]:
            if id(record) not in failing:
                yield from _telling_lines(record, last)


def _telling_lines(record: CallRecord, last: int) -> Iterable[tuple[Section, Line]]:
    """The few lines of an answer that say something like a sentence would; errors have a section of their own."""
    if record.result is None:
        return
    text = record.result.text
    ends = text if len(text) <= _OUTPUT_HEAD + _OUTPUT_TAIL else f"{text[:_OUTPUT_HEAD]}\n{text[-_OUTPUT_TAIL:]}"
    rated = [
        (score(line) - _OUTPUT_PENALTY, place, line)
        for place, line in enumerate(dict.fromkeys(" ".join(raw.split())[:240] for raw in ends.splitlines()))
        if line
    ]
    best = sorted((rate for rate in rated if rate[0] >= _LEAST_OF_OUTPUT), key=lambda rate: (-rate[0], rate[1]))[
        :_OUTPUT_LINES
    ]
    for points, place, line in best:
        shown = f"- {record.call.name} {target(record.call)[:80]}: {line}"
        yield Section.SOLVING, Line(text=shown, score=points + record.turn / last, order=record.turn + place / 10_000)


def _concepts(material: Material) -> list[Line]:
    found: Counter[str] = Counter()
    for _, text in _assistant_texts(material):
        found.update(set(names(text)))
    for _, text, _ in material.requests:
        found.update(dict.fromkeys(set(names(text)), 2))
    for record in material.ledger.calls:
        found.update(name for value in record.call.arguments.values() for name in set(names(as_text(value)[:2_000])))
    for name in material.earlier.get(Section.CONCEPTS, "").split(", "):
        if name.strip():
            found[name.strip()] += 2
    ranked = [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0])) if 2 < len(name) <= 60]
    if not ranked:
        return []
    long, short = ", ".join(ranked[:_MOST_CONCEPTS]), ", ".join(ranked[: _MOST_CONCEPTS // 3])
    return [Line(text=long, score=1.0, order=0), Line(text=short, score=0.5, order=0)]


def _current(material: Material) -> list[Line]:
    lines = _ranked(in_flight_lines(material.ledger), base=30.0)
    texts = _assistant_texts(material)
    if texts:
        turn, text = texts[-1]
        sentences = [sentence for sentence in split(text) if not is_small_talk(sentence)] or list(split(text))
        lines += [
            Line(text=f"- Said last: {sentence}", score=15.0 - place, order=turn + place / 1_000)
            for place, sentence in enumerate(sentences[:_LAST_WORDS])
        ]
    answered = [record for record in material.ledger.calls if record.result is not None]
    for record in answered[-_RECENT_CALLS:]:
        outcome = "reported an error" if record.result is not None and troubled(record.result) else "done"
        text = f"- {describe(record.call)}: {outcome}"
        lines.append(Line(text=text, score=8.0 + record.turn / 100_000, order=record.turn - 0.5, recorded=True))
    return lines


def _next(material: Material) -> list[Line]:
    texts = _assistant_texts(material)
    if material.ledger.in_flight:
        call = describe(material.ledger.in_flight[0].call)
        return [Line(text=f"- Await or repeat the call in flight: {call}", score=3.0, order=0)]
    announced = [
        sentence
        for sentence in (split(texts[-1][1]) if texts else ())
        if any(word in sentence.lower() for word in ("next", "i'll", "i will", "now", "then", "let me", "remaining"))
    ]
    if announced:
        return [Line(text=f"- {announced[-1]}", score=3.0, order=0)]
    step = next((step for step in material.ledger.plan if not step.done), None)
    return [Line(text=f"- {step.text}", score=2.0, order=0)] if step is not None else []


_SPEAKS_FOR = (
    (DECISION, Section.SOLVING),
    (CONSTRAINT, Section.SOLVING),
    (PENDING, Section.PENDING),
    (FAILURE, Section.ERRORS),
)


def section_of(sentence: str) -> Section:
    """Return where a sentence belongs: decisions and rules under problem solving before what is pending or failed."""
    return next((section for sign, section in _SPEAKS_FOR if sign.pattern.search(sentence)), Section.SOLVING)
