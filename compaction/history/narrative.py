"""Writes the summary that needs no model: the events, exchange by exchange, from records alone.

For each exchange it tells what was done and how it ended, and gives the agent's closing answer; the user's own words stand
in section 6. Older exchanges are told more shortly than newer ones, never in another order, and the last one stands in
Current Work beside the state of the world. What an earlier summary told is carried over line by line. Everything is offered
in short and in full, and `budget` takes what the tokens hold. Equal history, equal bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from compaction.history.answers import flat
from compaction.history.asked import asks_user, chosen
from compaction.history.budget import Line
from compaction.history.carried import NOW, SAID, STATE, carried, lengths
from compaction.history.chapters import Chapter, chapters
from compaction.history.elsewhere import changes_elsewhere
from compaction.history.envelope import balanced, fenced_lines
from compaction.history.excerpts import edits, named, telling_lines
from compaction.history.file_tools import Operation, short_name, touches
from compaction.history.formats.base import compact_json
from compaction.history.ledger import FOLDER_KEYS, describe
from compaction.history.ledger_text import file_lines, in_flight_lines
from compaction.history.machine import changes_machine
from compaction.history.once import DETAIL
from compaction.history.outcomes import (
    Ending,
    command_of,
    ending_of,
    is_look,
    is_shell,
    outcome,
    said_while_refusing,
)
from compaction.history.programs import shows_text
from compaction.history.record_tools import changes_records
from compaction.history.sections import LEFT_OUT, Section
from compaction.history.shell import simple_commands
from compaction.history.unshown import Request, unshown
from compaction.prose.sentences import names, score, split
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from compaction.history.exchanges import Exchange
    from compaction.history.ledger import Ledger, Step
    from compaction.history.messages import CallRecord

NONE_KNOWN = "None known"
_MOST_NAMES = 30
_NAMED = ((20, 80.0), (60, 68.0), (120, 40.0), (240, 15.0))
_ALSO_NAMED = ((10, 72.0), (24, 58.0), (48, 25.0))
"""The number of names, and of files that no call touched, that are offered together, and their worth."""

_MOST_BEFORE, _BEFORE = 3, 160
"""Failures of a call before its last that are told, and their characters."""

_SURE_LINES = 4
"""Files touched last, whose lines are there in any summary."""

_TIME = re.compile(
    r"\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?Z?\b|\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
)
_NAMED_LAST, _ALSO = "- Named last, the newest first: ", "- Also named: "
_INTERRUPTED = "- The user interrupted the work here."
_RULE = re.compile(r"(?:---+|\*\*\*+)$")
_HEADING = re.compile(r"#{1,6} +(?P<words>\S.*)")
_ITEM = re.compile(r"^- ")

_NO_CONCEPT = re.compile(r"(?:[Ll]?\d+(?:-[Ll]?\d+)?|[A-Z]+|\[REDACTED.*|[^\n]*[\u2500-\u257f]{3}[^\n]*)$")
"""Figures, numbers of lines, words that are only written large, what was taken out, and rules drawn as lines."""

_QUOTED = 300
"""Characters that are quoted of an answer that says that the user refused."""

_ANNOUNCED = re.compile(
    r"(?:(?:now|next|first|then|ok(?:ay)?|great|good)[,!.:]? )*(?:let me|let's|i'll|i will|i'm going to|i am going to)"
    r"(?! (?:know|wait|stop|pause|stay|be |leave|keep|need|hold|not|never|only|also be)|'|\b.{0,80}\b(?:if|when|once|unless|whenever) you\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence on what comes next, but for those that leave it to the user."""

_LEAST_SENTENCE = 12
"""Characters below which a sentence on the way says too little to be told."""

_DETAILED = 40
"""Calls of an exchange, the newest, of which more than a line may be told."""

_PLUMBING = frozenset(
    {
        "todowrite",
        "todoread",
        "updateplan",
        "taskcreate",
        "taskupdate",
        "tasklist",
        "taskget",
        "exitplanmode",
        "toolsearch",
    }
)
"""Tools whose effect stands elsewhere: in the plan, or in what the user said about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The records that a summary is drawn from.

    Attributes:
        exchanges: oldest first.
        requests: the user's messages, oldest first, and what section 6 shows of each.
        newest: the number of the newest of them all, those that stay as they are included.
        is_all_shown: whether every message of the user stands in full in section 6, or below it.
        earlier: the sections of an earlier summary of ours, without section 6.
        foreign: summaries that another compactor left.
        plan: the steps that task tools know, as they stand.
        state: lines on the state of the world.
        names: the identifiers that were used, those that will be needed first at the front.
        files: the files that were named, in the same order.
    """

    exchanges: Sequence[Exchange]
    ledger: Ledger
    requests: Sequence[Request]
    newest: int
    is_all_shown: bool
    earlier: dict[Section, str] = field(default_factory=dict[Section, str])
    foreign: Sequence[str] = ()
    plan: Sequence[Step] = ()
    state: Sequence[str] = ()
    names: Sequence[str] = ()
    files: Sequence[str] = ()


def offers(material: Material, *, count: Callable[[str], int]) -> list[Line]:
    """Return every line that may stand in the sections other than 6."""
    found = [*_requests(material), *_concepts(material), *_files(material), *_pending(material), *_current(material)]
    found += carried(material.earlier, material.foreign, count=count)
    last = {_identity(record): record for exchange in material.exchanges for record in exchange.calls}
    told = [_told(chapter, last, count) for chapter in still_wanted(chapters(material.exchanges))]
    return [*found, *_each_failure_once([line for lines in told for line in lines])]


def _each_failure_once(lines: Sequence[Line]) -> list[Line]:
    """The lines without failures that a later exchange tells in the same words, but for the time of day; that one counts them."""
    alike: dict[str, dict[str, None]] = {}
    for line in lines:
        if line.section is Section.ERRORS:
            alike.setdefault(_untimed(line.text.partition("\n")[0]), {})[line.key] = None
    kept: list[Line] = []
    for line in lines:
        head, parting, more = line.text.partition("\n")
        keys = [*alike.get(_untimed(head), {})] if line.section is Section.ERRORS else [line.key]
        if line.key == keys[-1]:
            text = f"{head} (so in {len(keys)} exchanges){parting}{more}" if len(keys) > 1 else line.text
            kept.append(replace(line, text=text))
    return kept


def _untimed(text: str) -> str:
    return _TIME.sub("", text)


def _requests(material: Material) -> Iterator[Line]:
    if not material.requests:
        return
    where = (
        "all of them stand word for word in section 6"
        if material.is_all_shown
        else "what section 6 shows of the user's messages stands there word for word"
    )
    text = f"- The newest request is user message {material.newest}; {where}, later ones win."
    yield Line(section=Section.REQUEST, text=text, worth=91, place=(0,))
    yield from unshown(material.requests, material.earlier.get(Section.REQUEST, ""))


def _concepts(material: Material) -> Iterator[Line]:
    found: Counter[str] = Counter()
    for exchange in still_wanted(material.exchanges):
        for text in (exchange.answer, *(text for _, text in exchange.said)):
            found.update(set(names(text)))
    for request in still_wanted(material.requests):
        found.update(dict.fromkeys(set(names(request.quotable)), 2))
    for line in material.earlier.get(Section.CONCEPTS, "").split("\n"):
        for name in line.split(", ") if not line.startswith(_NAMED_LAST) and line != LEFT_OUT else ():
            if name.strip():
                found[name.strip()] += 2
    last = set(material.names[: _NAMED[-1][0]])
    ranked = [
        name
        for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))
        if 2 < len(name) <= 50 and "/" not in name and not _NO_CONCEPT.match(name) and name not in last
    ]
    for length, worth in ((_MOST_NAMES // 3, 35.0), (_MOST_NAMES, 14.0)):
        if ranked:
            yield Line(section=Section.CONCEPTS, text=", ".join(ranked[:length]), worth=worth, place=(0,), key="names")
    for length, worth in _NAMED if material.names else ():
        text = f"{_NAMED_LAST}{', '.join(material.names[:length])}"
        yield Line(section=Section.CONCEPTS, text=text, worth=worth, place=(1,), key="named last")


def _files(material: Material) -> Iterator[Line]:
    lines = file_lines(material.ledger, material.earlier.get(Section.FILES, ""), folded=True)
    folder = lines.pop(0) if lines and lines[0].startswith("- Folder: ") else ""
    for place, text in enumerate(lines):
        changed = any(f" {kind.value}" in text for kind in (Operation.EDIT, Operation.WRITE, Operation.DELETE))
        newest = (place + 1) / (len(lines) + 1)
        worth = (58 if changed else 36) + 14 * newest
        yield Line(section=Section.FILES, text=text, worth=worth, place=(place,), heading=folder, is_record=True)
    changed_lines = "\n".join(line for line in lines if not line.endswith(": read"))
    newest_lines = "\n".join(lines[-_SURE_LINES:])
    also = [name for name in material.files if f"{name}`" not in changed_lines and f"{name}`" not in newest_lines]
    for length, worth in _ALSO_NAMED if also else ():
        text = f"{_ALSO}{', '.join(also[:length])}"
        yield Line(section=Section.FILES, text=text, worth=worth, place=(len(lines),), key="also named")


def named_once(files: str) -> str:
    """Return section 3 without the names in its last line that a line above lists."""
    listed, mark, also = files.rpartition(_ALSO)
    others = [name for name in also.split(", ") if f"{name}`" not in listed] if mark else []
    return (f"{listed}{_ALSO}{', '.join(others)}" if others else listed.rstrip("\n")) if mark else files


def _pending(material: Material) -> Iterator[Line]:
    todo = [step for step in material.plan if not step.done]
    for place, step in enumerate(todo):
        text = f"- [{step.status}] {step.text}"
        yield Line(section=Section.PENDING, text=text, worth=max(117 - 6 * place, 94 - place / 100), place=(1, place))
    if done := [step.text for step in material.plan if step.done]:
        text = f"- Done already: {'; '.join(done)}"[:900]
        yield Line(section=Section.PENDING, text=text, worth=50, place=(0,))
    if not todo:
        is_unknown = not material.plan and material.earlier.get(Section.PENDING, "").startswith(LEFT_OUT)
        text = LEFT_OUT if is_unknown else NONE_KNOWN
        yield Line(section=Section.PENDING, text=text, worth=98, place=(2,))


def _current(material: Material) -> Iterator[Line]:
    for place, text in enumerate(in_flight_lines(material.ledger)):
        yield Line(section=Section.CURRENT, text=text, worth=98, place=(0, place), heading=NOW)
    for place, text in enumerate(material.state):
        yield Line(section=Section.CURRENT, text=text, worth=90 - place / 10, place=(2, place), heading=STATE)
    last = material.exchanges[-1] if material.exchanges else None
    step = next((step for step in material.plan if not step.done), None)
    text = ""
    if material.ledger.in_flight:
        text = f"- Wait for what is in flight, or call it again: {describe(material.ledger.in_flight[0].call)}"
    elif last is not None and last.interrupted is not None:
        text = "- Wait for the user, who interrupted the last exchange."
    elif last is not None and asks(last.answer):
        text = "- Wait for the user's answer to the question that closes the last exchange; if it has come, act on it."
    elif last is not None and _is_stopped(last):
        asked = f" with user message {last.requests[-1]}" if last.requests else ""
        text = f"- Wait for the user, who refused the last calls: what was begun{asked} is not done, and nothing else was asked for."
    elif last is not None and last.requests and not (last.calls or last.said or last.answer):
        text = f"- Go on with {_unanswered(last.requests)}"
    elif step is not None:
        text = f"- Go on with the first open task of section 7, which is {step.status.replace('_', ' ')}."
    elif last is not None and not last.answer and last.requests:
        text = f"- Go on with {_unanswered(last.requests[-1:])}"
    elif last is not None and last.requests and (announced := announcement(last.answer)):
        text = f"- Go on with what the last words announce: {announced}"
    if text:
        yield Line(section=Section.NEXT, text=text, worth=116, place=(0,))


def _unanswered(numbers: Sequence[int]) -> str:
    """Messages of the user that have no answer, from the first to the last."""
    if len(numbers) == 1:
        return f"user message {numbers[0]}: it has not been answered yet."
    return f"user messages {numbers[0]} to {numbers[-1]}: they have not been answered yet."


def _is_stopped(exchange: Exchange) -> bool:
    """Tells whether an exchange ends with calls that the user refused, and with no word of the agent behind them."""
    last = exchange.calls[-1] if exchange.calls else None
    if last is None or last.result is None or ending_of(last) is not Ending.REFUSED:
        return False
    return not exchange.answer and not said_while_refusing(last.result.text)


def asks(answer: str) -> bool:
    """Return whether the last sentence of an answer is a question."""
    lines = [line for line in answer.rstrip().split("\n") if line.strip()]
    return bool(lines) and lines[-1].rstrip(" *_`\"')").endswith("?")


def announcement(answer: str) -> str:
    """Return the last sentence of an answer where it says what the agent does next, "" where it says no such thing."""
    lines = [line for line in answer.rstrip().split("\n") if line.strip()]
    *_, last = ("", *split(lines[-1])) if lines else ("",)
    return last[:_QUOTED] if _ANNOUNCED.match(last) else ""


def _told(chapter: Chapter, last: Mapping[str, CallRecord], count: Callable[[str], int]) -> Iterator[Line]:
    """Yields the lines of an exchange; `last` holds the last call of each kind in all of them."""
    exchange, recency = chapter.exchange, chapter.recency
    if exchange.answer:
        is_last = chapter.section is Section.CURRENT
        worths = (97.0, 95.0, 90.0) if is_last else (66 + 20 * recency, 48 + 24 * recency, 30 + 26 * recency)
        answer = f"Answer: {_inside(exchange.answer)}"
        where = (*chapter.base, 9_000_000)
        yield from lengths(answer, f"answer {chapter.number}", chapter.section, where, chapter.heading, worths, count)
    if exchange.interrupted is not None:
        where = (*chapter.base, 9_000_001)
        worth = 60 + 35 * recency
        yield Line(section=chapter.section, text=_INTERRUPTED, worth=worth, place=where, heading=chapter.heading)
    yield from _work(chapter, last, count)
    for place_said, (turn, text) in enumerate(exchange.said):
        more = chapter.step_worth(len(exchange.said) - 1 - place_said)
        for number, sentence in enumerate(still_wanted(split(text))):
            points = score(sentence)
            if len(sentence) > _LEAST_SENTENCE:
                told = points > 0 or not exchange.answer
                worth = more * told + (16 + min(12.0, points) + 14 * recency if points > 0 else 4 + 3 * recency)
                yield Line(
                    section=chapter.section,
                    text=f"{SAID}{sentence}",
                    worth=worth,
                    place=(*chapter.base, turn, -1, number),
                    heading=chapter.heading,
                    lead=SAID,
                )


def _inside(answer: str) -> str:
    """An answer under a heading of ours: its own headings become bold, and no line of its prose looks like one of ours."""
    shown: list[str] = []
    for line, is_fenced in fenced_lines(balanced(answer)):
        if is_fenced:
            shown.append(line)
        elif not _RULE.match(line):
            heading = _HEADING.match(line)
            words = heading["words"].rstrip().rstrip("#").rstrip().replace("**", "") if heading else ""
            shown.append(_ITEM.sub("* ", f"**{words}**" if heading else line))
    return "\n".join(shown)


def _work(chapter: Chapter, last: Mapping[str, CallRecord], count: Callable[[str], int]) -> Iterator[Line]:
    """Yields the lines of the work, call by call; looks at files are one line."""
    exchange, section, heading = chapter.exchange, chapter.section, chapter.heading
    base, recency = chapter.base, chapter.recency
    looked: Counter[str] = Counter()
    changed: dict[str, tuple[Operation, int]] = {}
    times: Counter[str] = Counter()
    failures = _failures(exchange.calls, last)
    for place, record in enumerate(still_wanted(exchange.calls)):
        if short_name(record.call.name) in _PLUMBING:
            continue
        ending = ending_of(record)
        touched = touches(record.call)
        times[_identity(record)] += ending is Ending.ENDED
        if is_shell(record.call.name):
            touched = []
        if ending is Ending.ENDED and touched and touched[0].operation is Operation.READ:
            looked[touched[0].path] += 1
        elif ending is Ending.ENDED and touched:
            for touch in touched:
                operation, number = changed.get(touch.path, (touch.operation, 0))
                changed[touch.path] = (operation if number else touch.operation, number + 1)
        elif ending is not Ending.OPEN and (ending is not Ending.FAILED or place in failures):
            text, worth = _line(record)
            home = Section.ERRORS if ending is Ending.FAILED else section
            above = heading if home is section else ""
            if ending is Ending.FAILED:
                text = failures[place]
            elif ending is Ending.ENDED and (number := times[_identity(record)]) > 1:
                text += f" (call {number} of it)"
            where = (*base, record.turn, place)
            key = f"call {chapter.number} {place}"
            worth += 18 * recency + chapter.step_worth(len(exchange.calls) - 1 - place)
            yield Line(section=home, text=text, worth=worth, place=where, heading=above, key=key)
            detailed = recency > 0 and place >= len(exchange.calls) - _DETAILED and ending is not Ending.REFUSED
            detailed = detailed and not asks_user(record.call)
            if detailed and (more := telling_lines(record, text, count)):
                worth = (
                    (3 if is_look(record) else 9) + 9 * recency + chapter.step_worth(len(exchange.calls) - place) / 2
                )
                yield Line(section=home, text=f"{text}\n{more}", worth=worth, place=where, heading=above, key=key)
    yield from edits(chapter, count)
    if changed:
        parts = [
            f"{operation.value} `{path}`{f' x{number}' if number > 1 else ''}"
            for path, (operation, number) in changed.items()
        ]
        text = f"- Changed: {', '.join(parts)}"
        yield Line(section=section, text=text, worth=50 + 20 * recency, place=(*base, -2), heading=heading)
    if looked:
        text = f"- Read: {', '.join(f'`{path}`' for path in list(looked)[:12])}{f' and {len(looked) - 12} more' if len(looked) > 12 else ''}"
        yield Line(section=section, text=text, worth=14 + 10 * recency, place=(*base, -3), heading=heading)


def _failures(calls: Sequence[CallRecord], last: Mapping[str, CallRecord]) -> dict[int, str]:
    """The lines of calls that failed, by their places.

    A call that fails again is told there, with what it said before where that was another thing, and lines that say the same
    are one in the place of the last, with their number. What the same call gave at its end is told, whenever that was.
    """
    last_of = {_identity(record): place for place, record in enumerate(calls)}
    untold: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    places: dict[str, int] = {}
    for place, record in enumerate(still_wanted(calls)):
        if ending_of(record) is not Ending.FAILED:
            continue
        same = _identity(record)
        untold.setdefault(same, []).append(outcome(record).words)
        if last_of[same] > place and ending_of(calls[last_of[same]]) is Ending.FAILED:
            continue
        later = outcome(last[same])
        text, _ = _line(record)
        before = untold.pop(same)
        told = _untimed(text)
        others = [words for words in dict.fromkeys(before) if words and _untimed(words) not in told][-_MOST_BEFORE:]
        if others:
            text += f" (before: {'; '.join(flat(words, _BEFORE) for words in others)})"
        if later.ending is Ending.ENDED and later.words:
            text += f" The same call later gave: {later.words}"
        times[text] += len(before)
        places[text] = place
    return {place: text + _times(times[text]) for text, place in places.items()}


def _times(number: int) -> str:
    return f" ({number} times)" if number > 1 else ""


def _identity(record: CallRecord) -> str:
    if is_shell(record.call.name):
        return f"{command_of(record)}\n{next(filter(None, map(record.call.arguments.get, FOLDER_KEYS)), '')}"
    return f"{record.call.name}\n{record.call.raw_arguments or compact_json(record.call.arguments)}"


def _line(record: CallRecord) -> tuple[str, float]:
    """Returns the line of a call with what its answer says, and how much the line is needed."""
    ended = outcome(record)
    look = is_look(record)
    shown = named(record)
    if ended.ending is Ending.REFUSED:
        return _refusal(record, shown), 48
    if ended.ending is Ending.FAILED:
        return f"- {shown}: {ended.words or 'failed'}", 30 if look else 46
    if asks_user(record.call):
        return chosen(record), 84
    commands = simple_commands(command_of(record)) if is_shell(record.call.name) else ()
    sets = 20 if any(changes_machine(one) or changes_elsewhere(one) for one in commands) else 0
    if changes_records(record.call):
        return f"- {shown} → {ended.words}" if ended.words else f"- {shown}", 60
    if not ended.words:
        return f"- {shown}", 10 if look else 26 + sets
    bonus = (
        sets or 14
        if re.search(r"\b(?:commit|push|merge|rebase|tag|deploy|publish|create|install|test)\b", shown)
        else 0
    )
    if is_shell(record.call.name) and shows_text(command_of(record)):
        return f"- {shown} shows: {ended.words}", 9
    return f"- {shown} → {ended.words}", 9 if look else 28 + bonus


def _refusal(record: CallRecord, shown: str) -> str:
    """The line of a call that was not let run, with what is said to be the reason.

    Where the answer alone says that the user refused, and no mark of an error, it is quoted as saying so.
    """
    text = record.result.text if record.result else ""
    if record.result is not None and not record.result.is_error:
        return f"- {shown}: {flat(text, _QUOTED)}"
    reason = said_while_refusing(text)[:_QUOTED]
    lines = [f"{DETAIL}{line.strip()}" for line in reason.split("\n") if line.strip()]
    return "\n".join((f"- The user refused {shown}; it was not done.", *lines))
