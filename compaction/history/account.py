"""The account of a compaction: for each message before, and for each word of the user, its place after.

Nothing is decided here: the survey says what was to happen with each message, the new history what did. What a summary
took over of a message word for word is looked for in the new history itself, sentence by sentence.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from compaction.history.answers import failed
from compaction.history.compose import holds_system
from compaction.history.envelope import BETWEEN, is_acknowledgement
from compaction.history.file_tools import Operation, touches
from compaction.history.formats.base import compact_json
from compaction.history.ledger import describe
from compaction.history.messages import Image, Message, Opaque, Side, Text, ToolCall, ToolResult
from compaction.history.origins import Origin, passages
from compaction.history.restored import FileStatus
from compaction.history.sections import Section
from compaction.history.transcript import parse_native
from compaction.history.user_messages import Excerpt, Gap, Standing, Verbatim, read
from compaction.history.weigh import weigh_message
from compaction.prose.sentences import spans
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compaction.history.messages import FormatName
    from compaction.history.options import CompactionResult
    from compaction.history.survey import Survey
    from compaction.history.user_messages import Entry

LEAST_QUOTED = 16
"""Characters of a sentence that is looked for; shorter ones stand in many texts by chance."""


class Became(StrEnum):
    """The fates of a message.

    It stays as it was; the user's words in it are quoted in section 6, shown there by their head and tail, or left out for
    room; it answered with files that are read again; it is an earlier summary that is carried over; the summary tells of it;
    it said nothing, or the output format has no place for it.
    """

    STAYS = "stays"
    QUOTED = "quoted"
    EXCERPT = "excerpt"
    LEFT_OUT = "left out"
    READ_AGAIN = "read again"
    CARRIED = "carried over"
    SUMMARISED = "summarised"
    DROPPED = "dropped"


class After(StrEnum):
    """The kinds of messages in the new history: the summary, the files and images, one that stays, a line between two."""

    SUMMARY = "summary"
    RESTORED = "restored"
    STAYS = "stays"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A block as a reader sees it.

    Attributes:
        kind: `text`, `call`, `result`, `image` or `opaque`.
        title: what is called, or what a picture is; "" for a text.
        text: its words.
        kept: where stretches of it begin and end that stand in the new history word for word.
        failed: whether it is an answer that says so.
    """

    kind: str
    title: str = ""
    text: str = ""
    kept: tuple[tuple[int, int], ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A message as it was.

    Attributes:
        index: its place, from 0 on.
        became: what became of it as a whole.
        words: the numbers of the user's messages in it.
        exchange: the number by which the archive gives the exchange that it belongs to; 0 for none.
    """

    index: int
    side: Side
    tokens: int
    became: Became
    words: tuple[int, ...]
    exchange: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A message of the user, by its number.

    Attributes:
        message: the place of the message that holds it; -1 where an earlier compaction had it already.
        became: what became of it.
        text: its beginning.
    """

    number: int
    message: int
    became: Became
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A message of the new history."""

    side: Side
    tokens: int
    what: After
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A history before and after."""

    before: tuple[Before, ...]
    after: tuple[Made, ...]
    words: tuple[Words, ...]


def account(found: Survey, result: CompactionResult, *, target: FormatName, count: Callable[[str], int]) -> Account:
    """Tells what became of a history.

    Args:
        found: the survey that the compaction went by.
        result: of a compaction that was made.
        target: the format of its messages.
        count: counts tokens.
    """
    made = parse_native(result.messages or [], target)
    quoted = _Quoted([text for message in made for text in _texts(message)])
    entries = _by_number(read(result.sections.get(Section.USER_MESSAGES, "")))
    numbers = _numbers(found)
    stays = {message.index for message in (*found.kept, *found.pending)}
    summarised = {message.index for message in found.summarised}
    if not holds_system(found.transcript.format, target):
        summarised |= {message.index for message in found.head if message.side is Side.SYSTEM}
    exchange_of = _exchange_of(found)
    again = _read_again(found, [file.path for file in result.files if file.status is FileStatus.EMBEDDED])
    before = [
        Before(
            index=message.index,
            side=message.side,
            tokens=tokens,
            became=_became(
                message,
                stays=message.index in stays or message.index not in summarised,
                is_read_again=message.index in again,
                entries=[entries.get(number) for number in numbers[message.index]],
            ),
            words=tuple(numbers[message.index]),
            exchange=exchange_of[message.index],
            parts=tuple(_parts(message, quoted)),
        )
        for message, tokens in still_wanted(list(zip(found.transcript.messages, found.weights, strict=True)))
    ]
    return Account(
        before=tuple(before),
        after=tuple(
            Made(
                side=message.side,
                tokens=weigh_message(message, count),
                what=_what(message),
                parts=tuple(_parts(message, None)),
            )
            for message in made
        ),
        words=tuple(_words(found, numbers, entries)),
    )


def _numbers(found: Survey) -> defaultdict[int, list[int]]:
    """The numbers of the user's words in each message, by its place."""
    said = [
        passage.turn
        for message in found.transcript.messages
        for passage in passages(message)
        if passage.origin is Origin.USER
    ]
    numbered = [number for exchange in found.exchanges for number in exchange.requests]
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for turn, number in zip(said, numbered, strict=True):
        numbers[turn].append(number)
    return numbers


def _exchange_of(found: Survey) -> list[int]:
    """The first number of the exchange that each message belongs to."""
    begins = {exchange.first: exchange.requests[0] if exchange.requests else 0 for exchange in found.exchanges}
    current = 0
    numbers: list[int] = []
    for message in found.transcript.messages:
        current = begins.get(message.index, current)
        numbers.append(current)
    return numbers


def _by_number(entries: Sequence[Entry]) -> dict[int, Entry]:
    return {
        number: entry
        for entry in entries
        for number in (range(entry.first, entry.last + 1) if isinstance(entry, Gap) else (entry.number,))
    }


def _read_again(found: Survey, embedded: Sequence[str]) -> set[int]:
    """The places of the messages that hold answers with files that are embedded now, and nothing else."""
    answers: defaultdict[int, list[bool]] = defaultdict(list)
    for record in found.pairing.calls:
        if record.answered_at is not None:
            paths = [touch.path for touch in touches(record.call) if touch.operation is Operation.READ]
            is_there = [any(path == file or path.endswith(f"/{file}") for file in embedded) for path in paths]
            answers[record.answered_at].append(bool(paths) and all(is_there))
    return {place for place, there in answers.items() if all(there)}


def _became(message: Message, *, stays: bool, is_read_again: bool, entries: Sequence[Entry | None]) -> Became:
    if stays:
        return Became.STAYS
    if _is_receipt(message) or message.side is Side.SYSTEM:
        return Became.DROPPED
    if any(passage.origin in {Origin.EARLIER_SUMMARY, Origin.EARLIER_ATTACHMENTS} for passage in passages(message)):
        return Became.CARRIED
    fates = [_fate(entry) for entry in entries]
    worst = next((fate for fate in (Became.LEFT_OUT, Became.EXCERPT, Became.QUOTED) if fate in fates), None)
    return worst or (Became.READ_AGAIN if is_read_again else Became.SUMMARISED)


def _fate(entry: Entry | None) -> Became:
    match entry:
        case Verbatim():
            return Became.QUOTED
        case Excerpt():
            return Became.EXCERPT
        case Standing():
            return Became.STAYS
        case _:
            return Became.LEFT_OUT


def _words(found: Survey, numbers: dict[int, list[int]], entries: dict[int, Entry]) -> Iterator[Words]:
    """All words of the user by number, those that an earlier compaction had among them."""
    place = {number: index for index, listed in numbers.items() for number in listed}
    texts = {entry.number: entry.text for entry in found.entries if isinstance(entry, Verbatim | Excerpt)}
    for message in found.transcript.messages:
        said = [passage.text for passage in passages(message) if passage.origin is Origin.USER]
        texts |= dict(zip(numbers.get(message.index, ()), said, strict=True))
    for number in sorted(texts.keys() | entries.keys() | place.keys()):
        yield Words(
            number=number,
            message=place.get(number, -1),
            became=_fate(entries.get(number)),
            text=texts.get(number, ""),
        )


def _what(message: Message) -> After:
    found = list(passages(message))
    if any(passage.origin is Origin.EARLIER_SUMMARY for passage in found):
        return After.SUMMARY
    if any(passage.origin is Origin.EARLIER_ATTACHMENTS for passage in found):
        return After.BETWEEN if [passage.text for passage in found] == [BETWEEN] else After.RESTORED
    return After.BETWEEN if _is_receipt(message) else After.STAYS


def _is_receipt(message: Message) -> bool:
    only = message.blocks[0] if len(message.blocks) == 1 else None
    return message.side is Side.ASSISTANT and isinstance(only, Text) and is_acknowledgement(only.text)


def _parts(message: Message, quoted: _Quoted | None) -> Iterator[Part]:
    for block in message.blocks:
        match block:
            case Text(text=text):
                yield Part(kind="text", text=text, kept=_kept(text, quoted))
            case ToolCall():
                text = block.raw_arguments or compact_json(block.arguments)
                yield Part(kind="call", title=describe(block), text=text, kept=_kept(text, quoted))
            case ToolResult(text=text):
                kept = _kept(text, quoted)
                yield Part(kind="result", title=block.name, text=text, kept=kept, failed=failed(block))
                yield from (_picture(image) for image in block.images)
            case Image():
                yield _picture(block)
            case Opaque():
                yield Part(kind="opaque", title=block.kind, text=block.text)


def _picture(image: Image) -> Part:
    return Part(kind="image", title=f"{image.media_type or 'image'}, {image.byte_size:,} bytes")


def _kept(text: str, quoted: _Quoted | None) -> tuple[tuple[int, int], ...]:
    return tuple(quoted.stretches(text)) if quoted is not None else ()


def _texts(message: Message) -> Iterator[str]:
    for block in message.blocks:
        if isinstance(block, Text | ToolResult):
            yield block.text
        elif isinstance(block, ToolCall):
            yield block.raw_arguments or compact_json(block.arguments)


class _Quoted:
    """The words of a new history, and which stretches of a text stand in them.

    Args:
        texts: the texts of the new history.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._words = "\n".join(texts)
        self._beginnings = {
            self._words[place : place + LEAST_QUOTED] for place in range(len(self._words) - LEAST_QUOTED + 1)
        }

    def stretches(self, text: str) -> Iterator[tuple[int, int]]:
        """Yields where lines, or else sentences, that stand there word for word begin and end; neighbours as one."""
        begin, end = -1, -1
        for first, last in self._quoted(text):
            if begin >= 0 and not text[end:first].strip():
                end = last
                continue
            if begin >= 0:
                yield begin, end
            begin, end = first, last
        if begin >= 0:
            yield begin, end

    def _quoted(self, text: str) -> Iterator[tuple[int, int]]:
        place = 0
        for line in still_wanted(text.split("\n")):
            if self._holds(line.strip()):
                yield place, place + len(line)
            else:
                for first, last in spans(line):
                    if self._holds(line[first:last].strip()):
                        yield place + first, place + last
            place += len(line) + 1

    def _holds(self, words: str) -> bool:
        return len(words) >= LEAST_QUOTED and words[:LEAST_QUOTED] in self._beginnings and words in self._words
