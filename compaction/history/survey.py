"""Surveys a history once: the messages that stay, those that are summarised, and whose words are whose.

Everything later works from the survey. It decides which messages stand (head, pins, newest turns, the call in flight),
pulls an earlier summary apart so that it can be carried over flat, and warns of calls and results that belong to
nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from compaction.history.carried import closing_words
from compaction.history.envelope import is_acknowledgement
from compaction.history.exchanges import Exchange, exchanges
from compaction.history.formats.base import texts
from compaction.history.ledger import FileTouch, Ledger, build_ledger, describe
from compaction.history.ledger_text import earlier_touches
from compaction.history.messages import (
    Message,
    Opaque,
    Pairing,
    Side,
    Text,
    ToolCall,
    ToolResult,
    Transcript,
    pair_calls,
    turns,
)
from compaction.history.options import CompactionOptions, Trigger
from compaction.history.origins import Origin, Passage, interrupts, passages
from compaction.history.running import with_later_answers
from compaction.history.sections import Section, read_own
from compaction.history.user_messages import Entry, Gap, Verbatim, extend, leave_standing, read
from compaction.history.weigh import weigh_message
from compaction.prose.sentences import spans
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHORT_ANSWER, _LONGEST_QUESTIONS = 60, 300
"""Characters of words that do not speak for themselves, and of the questions that stand beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The findings of a survey.

    Attributes:
        weights: tokens of each message.
        entries: section 6, before any of it is left out for room.
        exchanges: what was said and done, exchange by exchange.
        earlier: sections of an earlier summary, without section 6; {} if there is none.
        foreign: summaries of other compactors.
        head: messages that stay first.
        kept: messages that stay after the attachments.
        pending: the turn in flight and the results that did arrive.
        summarised: all the others.
        has_new_turns: whether anything was said since an earlier compaction.
    """

    transcript: Transcript
    weights: tuple[int, ...]
    pairing: Pairing
    ledger: Ledger
    entries: tuple[Entry, ...]
    exchanges: tuple[Exchange, ...]
    earlier: dict[Section, str]
    foreign: tuple[str, ...]
    head: tuple[Message, ...]
    kept: tuple[Message, ...]
    pending: tuple[Message, ...]
    summarised: tuple[Message, ...]
    has_new_turns: bool
    warnings: tuple[str, ...]

    @property
    def touches(self) -> tuple[FileTouch, ...]:
        """File operations, those of an earlier summary first."""
        return (*earlier_touches(self.earlier.get(Section.FILES, "")), *self.ledger.files)

    @property
    def ends_with_assistant(self) -> bool:
        """True if the assistant spoke last."""
        return bool(self.transcript.messages) and self.transcript.messages[-1].side is Side.ASSISTANT


def survey(
    transcript: Transcript,
    options: CompactionOptions,
    count: Callable[[str], int],
    *,
    standing: Sequence[Message] = (),
) -> Survey:
    """Look over a parsed history.

    Args:
        transcript: the history as it may be quoted.
        options: what was asked for.
        count: counts tokens.
        standing: the same messages as they came, for those that stay; by default those of the transcript.
    """
    messages = transcript.messages
    as_they_came = {message.index: message for message in standing or messages}
    pairing = pair_calls(messages)
    calls = with_later_answers(pairing.calls, messages)
    ledger = build_ledger(messages, replace(pairing, calls=calls))
    found = [passage for message in messages for passage in passages(message)]
    weights = tuple(weigh_message(message, count) for message in messages)
    warnings = list(_pairing_warnings(pairing, ledger, options.trigger))
    head = _head(messages)
    ours = {passage.turn for passage in found if passage.origin in {Origin.EARLIER_SUMMARY, Origin.EARLIER_ATTACHMENTS}}
    whole = {message.index for message in head if _says_nothing_else(message)}
    fixed = whole | ours | {m.index for m in messages if _is_receipt(m)}
    pending = _pending(messages, ledger) if options.trigger is Trigger.AUTO else ()
    bound = fixed | {message.index for message in pending}
    free = [message for message in messages if message.index not in bound]
    kept, pin_warnings = _kept(free, weights, options)
    warnings += pin_warnings
    stays = whole | {message.index for message in (*kept, *pending)}
    earlier, entries = _earlier(found)
    said = [passage for passage in found if passage.origin is Origin.USER]
    known = max((entry.last if isinstance(entry, Gap) else entry.number for entry in entries), default=0)
    entries = extend(entries, [passage.text for passage in said])
    numbers = _numbers(entries, said, known)
    asked = _questions(messages, said, numbers, _last_questions(closing_words(earlier)))
    entries = [
        replace(entry, asked=asked.get(entry.number, entry.asked)) if isinstance(entry, Verbatim) else entry
        for entry in entries
    ]
    entries = leave_standing(
        entries,
        [passage.text for passage in said if passage.turn in stays],
    )
    return Survey(
        transcript=transcript,
        weights=weights,
        pairing=pairing,
        ledger=ledger,
        entries=tuple(entries),
        exchanges=tuple(exchanges(messages, said, calls, numbers, {p.turn for p in found if interrupts(p)})),
        earlier=earlier,
        foreign=(
            *_left_behind(head, transcript, options),
            *[p.text for p in found if p.origin is Origin.FOREIGN_SUMMARY][-1:],  # made of those before it
        ),
        head=tuple(as_they_came[message.index] for message in head),
        kept=tuple(as_they_came[message.index] for message in kept),
        pending=tuple(as_they_came[message.index] for message in pending),
        summarised=tuple(message for message in messages if message.index not in stays),
        has_new_turns=_has_new_turns(messages, found, fixed),
        warnings=tuple(warnings),
    )


def _numbers(entries: Sequence[Entry], said: Sequence[Passage], known: int) -> list[int]:
    """The number in section 6 of each passage: new ones count on, one that stood below has its old number."""
    by_text = {entry.text: entry.number for entry in entries if isinstance(entry, Verbatim) and entry.number <= known}
    fresh = iter([entry.number for entry in entries if isinstance(entry, Verbatim) and entry.number > known])
    new = {entry.text for entry in entries if isinstance(entry, Verbatim) and entry.number > known}
    return [next(fresh, known) if passage.text in new else by_text.get(passage.text, known) for passage in said]


def _questions(
    messages: Sequence[Message], said: Sequence[Passage], numbers: Sequence[int], earlier: str
) -> dict[int, str]:
    """For short words of the user, the questions right before that they answer; `earlier` closes what a summary tells."""
    answers = [at for at, message in enumerate(messages) if message.side is Side.ASSISTANT]
    asked: dict[int, str] = {}
    found: dict[int, str] = {}
    for passage, number in zip(still_wanted(said), numbers, strict=True):
        before = bisect_left(answers, passage.turn) - 1
        if len(passage.text) > _SHORT_ANSWER or before < 0:
            continue
        if before not in asked:
            message = messages[answers[before]]
            asked[before] = earlier if _is_receipt(message) else _last_questions(texts(message.blocks))
        if asked[before]:
            found[number] = asked[before]
    return found


def _last_questions(text: str) -> str:
    """The questions that a text ends with, as many of the last as find room; "" where it ends with none."""
    asked: list[str] = []
    for line in (one for one in reversed(text.split("\n")) if one.strip()):
        flat = " ".join(line.replace('"', "'").split())
        sentences = [flat[start:end] for start, end in spans(flat)]
        questions = [*takewhile(_is_question, reversed(sentences))]
        asked += questions
        if len(questions) < len(sentences):
            break
    sizes = accumulate(len(question) + 1 for question in asked)
    room = [question for question, size in zip(asked, sizes, strict=True) if size <= _LONGEST_QUESTIONS]
    return " ".join(reversed(room)) if room else asked[0][-_LONGEST_QUESTIONS:] if asked else ""


def _is_question(sentence: str) -> bool:
    return sentence.rstrip(" *_`\"')").endswith("?")


def _head(messages: Sequence[Message]) -> tuple[Message, ...]:
    systems = [message for message in messages if message.side is Side.SYSTEM]
    return (*systems, *[message for message in messages if _carries_history(message)][-1:])


def _left_behind(head: Sequence[Message], transcript: Transcript, options: CompactionOptions) -> list[str]:
    """The readable words of blocks that the output format cannot hold."""
    if options.output_format in {None, transcript.format}:
        return []
    blocks = [block for message in head for block in message.blocks]
    return [block.text for block in blocks if isinstance(block, Opaque) and block.text]


def _carries_history(message: Message) -> bool:
    return any(isinstance(block, Opaque) and block.carries_history for block in message.blocks)


def _says_nothing_else(message: Message) -> bool:
    """Tells whether a message of the head stands there whole: of one that also speaks, only the opaque block does."""
    return message.side is Side.SYSTEM or all(isinstance(block, Opaque) for block in message.blocks)


def _is_receipt(message: Message) -> bool:
    return (
        message.side is Side.ASSISTANT
        and len(message.blocks) == 1
        and isinstance(message.blocks[0], Text)
        and is_acknowledgement(message.blocks[0].text)
    )


def _pending(messages: Sequence[Message], ledger: Ledger) -> tuple[Message, ...]:
    if not ledger.in_flight:
        return ()
    grouped = turns(messages)
    last = next(place for place in reversed(range(len(grouped))) if grouped[place][0].side is Side.ASSISTANT)
    return tuple(message for turn in grouped[last:] for message in turn)


def _pairing_warnings(pairing: Pairing, ledger: Ledger, trigger: Trigger) -> list[str]:
    in_flight = {id(record) for record in ledger.in_flight}
    orphans = [record for record in pairing.calls if record.result is None and id(record) not in in_flight]
    warnings = [f"message {record.turn}: {describe(record.call)} was never answered" for record in orphans[:5]]
    if len(orphans) > len(warnings):
        warnings.append(f"{len(orphans) - len(warnings)} more calls were never answered")
    warnings += [f"message {turn}: a result answers no call" for turn, _ in pairing.stray_results[:5]]
    if trigger is Trigger.MANUAL:
        warnings += [
            f"message {record.turn}: {describe(record.call)} is in flight; it is left out of the new history"
            for record in ledger.in_flight
        ]
    return warnings


def _kept(
    free: Sequence[Message], weights: Sequence[int], options: CompactionOptions
) -> tuple[tuple[Message, ...], list[str]]:
    chosen = _tail(free, weights, options.keep_tail_tokens)
    warnings: list[str] = []
    known = {message.index: message for message in free}
    partners = _exchanges(free)
    open_ended: set[int] = set()
    for index in still_wanted(dict.fromkeys(options.pin)):
        if index not in known:
            warnings.append(
                f"message {index} cannot be pinned: it is no message of the conversation, or it stays anyway"
            )
            continue
        group = partners.get(index, {index})
        if index not in chosen and index not in open_ended:
            is_closed = _is_closed([known[one] for one in sorted(group)])
            (chosen if is_closed else open_ended).update(group)
        if index in open_ended:
            warnings.append(f"message {index} cannot be pinned: it belongs to a call without a result")
    return tuple(message for message in free if message.index in chosen), warnings


def _tail(free: Sequence[Message], weights: Sequence[int], limit: int) -> set[int]:
    """The longest run of newest turns within the limit in which every call has its result and the other way round."""
    best: set[int] = set()
    run: list[Message] = []
    used = 0
    following: int | None = None
    for turn in reversed(turns(free)) if limit else ():
        used += sum(weights[message.index] for message in turn)
        interrupted = following is not None and turn[-1].index + 1 != following
        if used > limit or interrupted:
            break
        run = [*turn, *run]
        following = turn[0].index
        if _is_closed(run):
            best = {message.index for message in run}
    return best


def _is_closed(messages: Sequence[Message]) -> bool:
    pairing = pair_calls(messages)
    return not pairing.stray_results and all(record.result is not None for record in pairing.calls)


def _exchanges(messages: Sequence[Message]) -> dict[int, set[int]]:
    """For every message with a call or a result: the messages of its turn and of the turn it goes with."""
    groups: dict[int, set[int]] = {}
    grouped = turns(messages)
    for turn, following in zip(grouped, [*grouped[1:], ()], strict=False):
        if any(isinstance(block, ToolCall) for message in turn for block in message.blocks):
            answers = [m for m in following if any(isinstance(block, ToolResult) for block in m.blocks)]
            group = {message.index for message in (*turn, *answers)}
            for index in group:
                known = groups.get(index)
                groups[index] = group if known is None else known | group
    return groups


def _earlier(found: Sequence[Passage]) -> tuple[dict[Section, str], list[Entry]]:
    sections: dict[Section, str] = {}
    entries: list[Entry] = []
    for passage in found:
        if passage.origin is Origin.EARLIER_SUMMARY:
            parts = read_own(passage.text)
            carried = read(parts.pop(Section.USER_MESSAGES, ""))
            entries = carried if not entries else extend(entries, [e.text for e in carried if isinstance(e, Verbatim)])
            sections |= parts
    return sections, entries


def _has_new_turns(messages: Sequence[Message], found: Sequence[Passage], fixed: set[int]) -> bool:
    if any(passage.origin in {Origin.USER, Origin.FOREIGN_SUMMARY} for passage in found):
        return True
    return any(
        message.index not in fixed and (message.side is Side.ASSISTANT or _has_result(message)) for message in messages
    )


def _has_result(message: Message) -> bool:
    return any(isinstance(block, ToolResult) for block in message.blocks)
