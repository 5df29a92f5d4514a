"""The messages inside the lines of session files, and what their hosts say of them.

Coding agents wrap each message in a line of their own bookkeeping. What is unwrapped here is a table: the field a line keeps
its message under, and the marks by which the host says that no user wrote it, or that the user refused a call.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from compaction.history.attached import is_told_anew
from compaction.history.formats.base import as_list, as_object, as_text, compact_json
from compaction.history.langchain import chat_message
from compaction.history.lineage import in_order, standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compaction.values import JsonObject

_SUMMARY_MARK = "isCompactSummary"
_INJECTED_MARKS = ("isMeta", _SUMMARY_MARK, "isVisibleInTranscriptOnly")
_SKIPPED_MARKS = ("isSidechain", "isApiErrorMessage")
"""Marks of lines that are left out; the first alone is that of a file of its own, of an agent that another has called."""

_REFUSED = "User rejected tool use"
_REFUSED_OF_OLD = "Error: The user doesn't want to "
_OF_A_SERVER = "mcp__"
_BOOKKEEPING = frozenset({
    "summary", "file-history-snapshot", "queue-operation", "progress", "session_meta", "event_msg", "turn_context", "compacted",
})  # fmt: skip
"""Types of lines in session files that hold no message and nothing else that would tell."""

_SAYS_SOMETHING = re.compile(r"tool|call|message")
"""In the type of a line: what is left out with it may be a part of the conversation."""

_MOST_NAMED = 6


@dataclass(slots=True, kw_only=True)
class Line:
    """A message with what its host says of it.

    Attributes:
        number: of the line in its file, from 1 on, or of the value in its list; 0 where it was put in here.
        injected: no user wrote it.
        is_summary: it is the host's own summary of what was before.
        is_refusal: it is the user's refusal of a call.
    """

    message: JsonObject
    number: int = 0
    injected: bool = False
    is_summary: bool = False
    is_refusal: bool = False


def unwrapped(values: Sequence[tuple[int, JsonObject]]) -> tuple[list[Line], list[str], list[str]]:
    """Return the messages of numbered lines, those that do not count left out, warnings, and those of what cannot be read.

    A line that is a message stays what it is, and so does one that nothing is known of: the formats tell what it is worth.
    """
    values = [values[place] for place in in_order([value for _, value in values])]
    counts, warnings = standing([value for _, value in values])
    skipped = _SKIPPED_MARKS if any(map(_is_of_the_agent, values)) else _SKIPPED_MARKS[1:]
    lines: list[Line] = []
    gone: list[JsonObject] = []
    queued: dict[str, int] = {}
    foreign: set[str] = set()
    unknown: Counter[str] = Counter()
    for (number, value), does_count in zip(values, counts, strict=True):
        _note_queued(value, queued, len(lines))
        message = _inner(value, skipped)
        if message is None:
            if (kind := as_text(value.get("type"))) not in _BOOKKEEPING and _SAYS_SOMETHING.search(kind):
                unknown[kind] += 1
            continue
        if not does_count:
            gone.append(message)
            continue
        foreign.update(_foreign_calls(message))
        lines.append(
            Line(
                message=message,
                number=number,
                injected=any(value.get(mark) is True for mark in _INJECTED_MARKS),
                is_summary=value.get(_SUMMARY_MARK) is True,
                is_refusal=_is_refusal(value, foreign),
            )
        )
    _put_in(lines, queued, gone)
    kinds = ", ".join(islice(unknown, _MOST_NAMED))
    unread = f"{unknown.total()} lines of the transcript, of types {kinds}, are not known and are left out"
    return lines, warnings, [unread] if unknown else []


def _is_of_the_agent(value: tuple[int, JsonObject]) -> bool:
    """Tells whether a line holds a message of the agent's own conversation, and not of one that it handed work to."""
    return value[1].get("isSidechain") is not True and _inner(value[1], ()) is not None


def _inner(line: JsonObject, skipped: Sequence[str]) -> JsonObject | None:
    """The message inside one line of a session file; None for bookkeeping; the line itself when it is a message.

    Args:
        line: one line.
        skipped: marks of lines that are left out.
    """
    if any(line.get(mark) is True for mark in skipped):
        return None
    if "role" in line or "parts" in line:
        return line
    kind = line.get("type")
    if kind == "response_item":
        payload = as_object(line.get("payload"))
        told = [as_text(as_object(block).get("text")) for block in as_list(payload.get("content"))]
        is_setting = payload.get("role") == "developer" and bool(told) and all(map(is_told_anew, told))
        return None if is_setting else payload or None
    if "message" in line and kind in {"user", "assistant", "system", "message", None}:
        message = as_object(line["message"])
        kept: JsonObject = {key: message[key] for key in ("role", "content", "parts") if key in message}
        return kept or None
    if (isinstance(kind, str) and kind in _BOOKKEEPING) or (
        {"timestamp", "sessionId", "uuid", "payload"} & set(line) and "call_id" not in line
    ):
        return None
    return chat_message(line) or line


def _foreign_calls(message: JsonObject) -> Iterator[str]:
    """The ids of calls to tools of MCP servers, whose errors are worded by the server."""
    for block in map(as_object, as_list(message.get("content"))):
        if block.get("type") == "tool_use" and as_text(block.get("name")).startswith(_OF_A_SERVER):
            yield as_text(block.get("id"))


def _is_refusal(line: JsonObject, foreign: set[str]) -> bool:
    """Tells whether the host marks a line as the user's refusal of a call.

    Its older mark for a refusal with a reason is that of any error: for a tool of a server it proves nothing.
    """
    told = as_text(line.get("toolUseResult"))
    if line.get("toolDenialKind") == "user-rejected" or told == _REFUSED:
        return True
    content = as_list(as_object(line.get("message")).get("content"))
    answered = {as_text(as_object(block).get("tool_use_id")) for block in content}
    return told.startswith(_REFUSED_OF_OLD) and not answered & foreign


def _note_queued(line: JsonObject, queued: dict[str, int], place: int) -> None:
    """Note what a user typed while the agent worked; what went back into the input field was not said."""
    if line.get("type") != "queue-operation":
        return
    words = as_text(line.get("content")).strip()
    if line.get("operation") == "enqueue" and words and not words.startswith(("/", "<")):
        queued[words] = place
    elif line.get("operation") == "popAll":
        queued.pop(words, None)


def _put_in(lines: list[Line], queued: Mapping[str, int], gone: Sequence[JsonObject]) -> None:
    """Put the words that were queued, and stand in no message of their own, into their places."""
    messages = [*(line.message for line in lines), *gone] if queued else []
    spoken = [compact_json(message.get("content")) for message in messages if message.get("role") == "user"]
    missing = [
        (place, words)
        for words, place in queued.items()
        if not any(compact_json(words)[1:-1] in said for said in spoken)
    ]
    for place, words in sorted(missing, reverse=True):
        while place < len(lines) and _answers(lines[place].message):
            place += 1
        lines.insert(place, Line(message={"role": "user", "content": words}))


def _answers(message: JsonObject) -> bool:
    """Tells whether a message holds results of calls, which nothing may stand before."""
    content = message.get("content")
    return isinstance(content, list) and any(as_object(block).get("type") == "tool_result" for block in content)
