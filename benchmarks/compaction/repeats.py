"""Counts lines that stand twice in a new history, and the used part of a target, for `real` and `authors`.

A *duplicate* is a line of the nine sections, or of what is said beside restored files, that stands there before: equal with
white space made single, of at least 20 characters, with a letter or a figure among them. Not counted are

- the text of restored files, which is source, verbatim;
- a line of the user's messages that the user wrote before, for these stand byte for byte;
- a line between code fences that stands before between the same fences, for that is one quotation.

A line of ours that repeats one of the user's counts, and so does one in a code block that stands elsewhere.

A target is *wasted* where less than 90 % of it is used although the distinct lines of the history have more tokens than it;
the numbers that tools put before the lines of a file do not count.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from compaction.history import Section, Status
from compaction.history.messages import Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from compaction.history import CompactionResult
    from compaction.history.messages import Message
    from compaction.values import JsonObject

LEAST = 20
FULL_USE = 0.9
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})")
_NUMBERED = re.compile(r" *\d+[→\t]")
_RESTORED = re.compile(r'<restored-context id="[0-9a-f]+">\n(?P<body>.*)\n</restored-context', re.DOTALL)


def duplicates(result: CompactionResult) -> list[str]:
    """Return the lines of a new history that stand in it before, as often as they do."""
    seen: dict[str, str] = {}
    found: list[str] = []
    parts = [(section.heading, text) for section, text in result.sections.items()]
    parts += [("", text) for text in _beside_files(result.messages or [])]
    users = Section.USER_MESSAGES.heading
    for heading, text in sorted(parts, key=lambda part: part[0] != users):
        for where, line in _lines(heading, text, fenced=heading != users):
            flat = " ".join(line.split())
            if len(flat) < LEAST or not re.search(r"\w", flat):
                continue
            if flat not in seen:
                seen[flat] = where
            elif seen[flat] != where or not (where == users or "fence" in where):
                found.append(flat)
    return found


def _lines(heading: str, text: str, *, fenced: bool) -> Iterator[tuple[str, str]]:
    """Every line with the place it stands in: its section, or one fenced text of it."""
    fence = place = ""
    for number, line in enumerate(text.split("\n")):
        opening = _FENCE.match(line) if fenced else None
        if opening and not fence:
            fence = opening[1]
            place = f"{heading} fence {number}"
        elif fence:
            yield place, line
            fence = "" if line.strip() == fence else fence
        else:
            yield heading, line


def _beside_files(messages: list[JsonObject]) -> Iterator[str]:
    """Yields the lines beside restored files: their heads, and those that are only named."""
    for message in messages:
        for text in strings(message):
            if found := _RESTORED.search(text):
                fence = ""
                for line in found["body"].split("\n"):
                    opening = _FENCE.match(line)
                    if opening and not fence:
                        fence = opening[1]
                    elif fence:
                        fence = "" if line == fence else fence
                    else:
                        yield line


def strings(value: object) -> Iterator[str]:
    """The texts in JSON of any API."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():  # pyright: ignore[reportUnknownVariableType]
                yield from strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case list():
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                yield from strings(item)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return


def wasted(result: CompactionResult, target: int | None, history: str, count: Callable[[str], int]) -> bool:
    """Return whether a target is left unused although there is more: of a history's text each line counts once."""
    if target is None or result.status is not Status.COMPACTED or result.tokens_after >= FULL_USE * target:
        return False
    distinct = dict.fromkeys(" ".join(_NUMBERED.sub("", line).split()) for line in history.split("\n"))
    return count("\n".join(distinct)) > target


def plain_text(messages: Sequence[Message]) -> str:
    """Return what was said, called and answered, as one text."""
    parts: list[str] = []
    for message in messages:
        for block in message.blocks:
            match block:
                case Text(text=text) | ToolResult(text=text):
                    parts.append(text)
                case ToolCall():
                    parts.append(f"{block.name} {json.dumps(block.arguments, ensure_ascii=False)}")
                case _:
                    pass
    return "\n".join(parts)
