"""Excerpts of calls and their answers, in their own words: a few telling lines, or as much as there is room for."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from compaction.history.answers import flat, said_by_host
from compaction.history.budget import Line
from compaction.history.code_shown import shown_code
from compaction.history.envelope import is_fence
from compaction.history.file_tools import Operation, new_text, operation_of, touches
from compaction.history.formats.base import as_text, compact_json
from compaction.history.ledger import target
from compaction.history.once import DETAIL
from compaction.history.outcomes import Ending, command_of, ending_of, is_shell, outcome
from compaction.history.sections import Section
from compaction.prose.choosing import choose
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compaction.history.chapters import Chapter
    from compaction.history.code_shown import Block
    from compaction.history.messages import CallRecord

_COMMAND, _ARGUMENTS = 220, 260
_OF_THE_SHOW: Final = re.compile(
    r"-|(?:output_?mode|head_?limit|offset|limit|timeout|description|multiline|run_in_background)$", re.IGNORECASE
)
"""Arguments that say how something is shown or run, and not what."""

_LONGEST_LINE, _LONGEST_EDIT_LINE = 240, 200
_TELLING_TOKENS, _ENDS = 110, 2_000
_LEAST_ANSWER = 12
"""Characters below which an answer has nothing more to tell."""

_EDIT_LENGTHS: Final = ((3, 13.0), (12, 6.0))
_MOST_OF_AN_EDIT = 400
_OLD_TEXT: Final = ("old_string", "old_str", "oldText")
_AT_LENGTH: Final = (1_200, 6_000, 24_000, 96_000)
"""Characters of an answer, and for every forty a line of an edit, that are given at length, in rounds."""

_FEWEST_LINES = 2
_NUMBERED: Final = re.compile(r"\A *\d+[→\t]")
"""The numbers that tools that show files put before each line."""


def named(record: CallRecord) -> str:
    """Return a call as a line names it: its command, or its name with what it is about."""
    if is_shell(record.call.name):
        return f"`{flat(command_of(record), _COMMAND)}`"
    return f"{record.call.name}({flat(_arguments(record), _ARGUMENTS)})"


def _arguments(record: CallRecord) -> str:
    arguments = record.call.arguments
    about = target(record.call)
    if touches(record.call):
        return about
    said = "; ".join(
        f"{key}={value if isinstance(value, str) else compact_json(value)}"
        for key, value in arguments.items()
        if (as_text(value) or value) and not _OF_THE_SHOW.match(key)
    )
    return said or about


def telling_lines(record: CallRecord, told: str, count: Callable[[str], int]) -> str:
    """Return a few lines of an answer, as details, that the line of its call does not tell; "" for none."""
    text = record.result.text if record.result else ""
    if len(text.strip()) < _LEAST_ANSWER:
        return ""
    if code := shown_code(record):
        shown = _as_many(code, count)
    else:
        shown = choose("\n".join(_ends(text, _ENDS, _ENDS)), _TELLING_TOKENS, count=count)
    told = " ".join(told.split())
    lines = [flat(line, _LONGEST_LINE) for line in shown.split("\n")]
    return "\n".join(
        f"{DETAIL}{line}"
        for line in dict.fromkeys(lines)
        if line and line not in told and not is_fence(line) and not said_by_host(line)
    )


def _as_many(code: Sequence[Block], count: Callable[[str], int]) -> str:
    """Lines that tell what was shown of code, one for each file, as long as the tokens of a few telling lines last."""
    lines: list[str] = []
    room = _TELLING_TOKENS
    for block in code:
        room -= count(block.words) + 1
        if room < 0:
            break
        lines.append(block.words)
    return "\n".join(lines)


def _ends(text: str, head: int, tail: int) -> list[str]:
    """The first and the last lines of a text, in at most so many characters; all of it where it is no longer than both.

    A line is cut where it alone is longer.
    """
    if len(text) <= head + tail:
        return [text]
    end, start = text.rfind("\n", 0, head + 1), text.find("\n", len(text) - tail - 1)
    return [text[: end if end > 0 else head], text[start + 1 if 0 <= start < len(text) - 1 else len(text) - tail :]]


def edits(chapter: Chapter, count: Callable[[str], int]) -> Iterator[Line]:
    """Return what edits that went well have put into files: the first lines, and more of them."""
    calls = chapter.exchange.calls
    for place, record in enumerate(still_wanted(calls)):
        for length, worth in _EDIT_LENGTHS:
            line = _edit(chapter, place, record, length)
            if line is None or count(line.text) > _MOST_OF_AN_EDIT:
                break
            more = 12 * chapter.recency + chapter.step_worth(len(calls) - 1 - place)
            yield replace(line, worth=worth + more)
            if line.text.count("\n") < length - 1:
                break


def at_length(chapters: Sequence[Chapter]) -> Iterator[Line]:
    """Return what edits wrote and what calls answered, the newest first, in longer and longer lines of the same keys."""
    made: Counter[str] = Counter()
    numbers: dict[tuple[int, int], int] = {}
    for chapter in chapters:
        for place, record in enumerate(still_wanted(chapter.exchange.calls)):
            made[named(record)] += 1
            numbers[chapter.number, place] = made[named(record)]
    for most in _AT_LENGTH:
        for chapter in reversed(chapters):
            calls = chapter.exchange.calls
            for place in still_wanted(range(len(calls) - 1, -1, -1)):
                number = numbers[chapter.number, place]
                line = _edit(chapter, place, calls[place], most // 40) or _answer(
                    chapter, place, calls[place], number, most
                )
                if line is not None:
                    yield line


def _edit(chapter: Chapter, place: int, record: CallRecord, length: int) -> Line | None:
    """Returns the text that a successful edit put into a file, in so many lines; None for any other call."""
    touched = touches(record.call)
    if not touched or touched[0].operation is Operation.READ or ending_of(record) is not Ending.ENDED:
        return None
    old = {line.strip() for key in _OLD_TEXT for line in as_text(record.call.arguments.get(key)).split("\n")}
    new = [line.strip() for line in new_text(record.call).split("\n")]
    lines = [line[:_LONGEST_EDIT_LINE] for line in new if line and line not in old and not is_fence(line)]
    if not lines:
        return None
    head = f"- In `{touched[0].path.rpartition('/')[2]}`: {lines[0]}"
    return Line(
        section=chapter.section,
        text="\n".join((head, *(f"{DETAIL}{line}" for line in lines[1:length]))),
        worth=0.0,
        place=(*chapter.base, record.turn, place),
        key=f"edit {chapter.number} {place}",
        heading=chapter.heading,
    )


def _answer(chapter: Chapter, place: int, record: CallRecord, number: int, most: int) -> Line | None:
    """The head and the tail of what a call answered, in about so many characters; None where it says next to nothing.

    `number` tells it from other calls that are named alike.
    """
    ended = outcome(record)
    if ended.ending in {Ending.OPEN, Ending.REFUSED} or operation_of(record.call) not in {None, Operation.READ}:
        return None
    text = record.result.text if record.result else ""
    shown = "\n…\n".join(_ends(text, most * 2 // 3, most // 3))
    told = {" ".join(part.split()) for part in ended.words.split(" / ")}
    lines = [_NUMBERED.sub("", line.rstrip())[:_LONGEST_LINE] for line in shown.split("\n") if line.strip()]
    lines = [
        line for line in lines if " ".join(line.split()) not in told and not is_fence(line) and not said_by_host(line)
    ]
    if len(lines) < _FEWEST_LINES:
        return None
    head = f"- From {named(record)}{f' (call {number} of it)' if number > 1 else ''}:"
    failed = ended.ending is Ending.FAILED
    return Line(
        section=Section.ERRORS if failed else chapter.section,
        text="\n".join((head, *(f"{DETAIL}{line}" for line in lines))),
        worth=0.0,
        place=(*chapter.base, record.turn, place, 1),
        key=f"answer of {chapter.number} {place}",
        heading="" if failed else chapter.heading,
    )
