"""Reads messages from a caller's input: a list, a request that holds one, or the bytes of a session file.

Session files of coding agents wrap each message in a line of their own bookkeeping. What is unwrapped here is a table:
the field a line keeps its message under, and the marks by which the host says that no user wrote it.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from compaction.history.formats import FORMATS, Notes, detect
from compaction.history.formats.base import as_list, as_object, as_text, compact_json
from compaction.history.hosts import read_session
from compaction.history.messages import FormatName, MalformedHistoryError, Message, ToolResult, Transcript, name_results
from compaction.history.protocols import with_calls
from compaction.values import Json, JsonObject
from workspace.cancellation import still_wanted

_LIST_KEYS = ("messages", "contents", "input", "history")
_SYSTEM_KEYS = ("system", "instructions", "systemInstruction", "system_instruction")
_SUMMARY_MARK = "isCompactSummary"
_INJECTED_MARKS = ("isMeta", _SUMMARY_MARK, "isVisibleInTranscriptOnly")
_SKIPPED_MARKS = ("isSidechain", "isApiErrorMessage")
_REFUSED = "User rejected tool use"
_REFUSED_OF_OLD = "Error: The user doesn't want to "
_OF_A_SERVER = "mcp__"
_BOOKKEEPING = frozenset(
    {
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "session_meta",
        "event_msg",
        "turn_context",
        "compacted",
    }
)
"""Types of lines in session files that hold no message and nothing else that would tell."""

_DEEPEST = 200
_MOST_NAMED = 20
_DECODER = json.JSONDecoder()
_REMINDER = re.compile(r"\n*<system-reminder>.*?</system-reminder>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHistory:
    """Messages as JSON, before any format is read into them.

    Attributes:
        injected: positions that the host marks as not written by a user.
        summaries: those of them that it marks as its own summary of what was before.
        refusals: positions that the host marks as the user's refusal of a call.
        original: what goes into the archive: the bytes of the file, or the list as JSON.
    """

    messages: list[JsonObject]
    original: bytes
    injected: frozenset[int] = frozenset()
    summaries: frozenset[int] = frozenset()
    refusals: frozenset[int] = frozenset()
    warnings: tuple[str, ...] = ()


def from_messages(given: object) -> RawHistory:
    """Check a caller's list, or a request object that holds one.

    Raises:
        MalformedHistoryError: it is no list of JSON objects.
    """
    history = _unwrap(_checked(given))
    original = compact_json(cast("list[Json]", history.messages)).encode("utf-8", "surrogatepass")
    return replace(history, original=original)


def from_bytes(raw: bytes) -> RawHistory:
    """Read a session file: one JSON value, or one a line.

    Raises:
        MalformedHistoryError: it is neither.
    """
    value, warnings = _value(raw)
    checked = _json(value, 0, None)
    session = read_session(checked)
    if session is not None:
        return RawHistory(
            messages=session.messages, original=raw, injected=frozenset(session.injected), warnings=warnings
        )
    if isinstance(checked, dict) and not set(checked) & set(_LIST_KEYS):
        checked = list[Json]([checked])
    history = _unwrap(checked, lenient=True)
    return replace(history, original=raw, warnings=(*warnings, *history.warnings))


def _value(raw: bytes) -> tuple[object, tuple[str, ...]]:
    """The one value of a file, or the list of those of its lines, with warnings of the lines that cannot be read."""
    try:
        return json.loads(raw.decode("utf-8-sig")), ()
    except RecursionError as error:
        raise MalformedHistoryError("The transcript is nested too deeply.") from error
    except UnicodeDecodeError as error:
        fault = f"The transcript is not UTF-8: {error.reason} at byte {error.start}."
    except ValueError:
        fault = ""
    return _lines(raw.removeprefix(BOM_UTF8), fault)


def _lines(raw: bytes, fault: str) -> tuple[list[object], tuple[str, ...]]:
    """The objects of a file that has one a line, and warnings of the lines that hold something else, with their numbers.

    Only a line feed ends a line: other separators may stand inside a string. A line with several values gives all of them.
    """
    found: list[object] = []
    skipped: list[int] = []
    for number, line in enumerate(still_wanted(raw.split(b"\n")), start=1):
        try:
            for value in _objects(line.decode()):
                found.append(value)  # noqa: PERF402 - what stands before a fault in its line stays
        except (ValueError, TypeError, RecursionError) as error:
            fault = fault or f"The transcript is neither JSON nor JSONL: line {number} cannot be read ({error})."
            skipped.append(number)
    if not found:
        raise MalformedHistoryError(fault or "The transcript is neither JSON nor JSONL: it holds no object.", index=0)
    named = [f"line {number} of the transcript cannot be read and is left out" for number in skipped[:_MOST_NAMED]]
    if more := skipped[_MOST_NAMED:]:
        named.append(f"lines {_ranges(more)} of it cannot be read either")
    return found, tuple(named)


def _objects(line: str) -> Iterator[object]:
    """The objects of a line.

    Raises:
        ValueError: something that is no JSON stands behind them.
        TypeError: a value that is no object does.
        RecursionError: one is nested too deeply.
    """
    position, end = 0, len(line.rstrip())
    while position < end:
        position = len(line) - len(line[position:].lstrip())
        value, position = _DECODER.raw_decode(line, position)
        if not isinstance(value, dict):
            raise TypeError(f"it holds a value of type {type(value).__name__}, no object")
        yield cast("object", value)


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order as text, those in a row as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _checked(given: object) -> Json:
    """The value as JSON: exact types, no cycles, no more than 200 levels deep."""
    if isinstance(given, Mapping):
        mapping = cast("Mapping[object, object]", given)
        return {str(key): _json(value, 1, None) for key, value in mapping.items() if key in _LIST_KEYS + _SYSTEM_KEYS}
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return [_json(value, 1, index) for index, value in enumerate(cast("Sequence[object]", given))]
    raise MalformedHistoryError(f"The history is {type(given).__name__}, expected a list of messages.")


def _json(value: object, depth: int, index: int | None) -> Json:
    where = "The history" if index is None else f"Message {index}"
    if depth > _DEEPEST:
        raise MalformedHistoryError(f"{where} cannot be used: it is nested deeper than {_DEEPEST} levels.", index=index)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        return {str(key): _json(item, depth + 1, index) for key, item in mapping.items()}
    if isinstance(value, (list, tuple)):
        items = cast("Sequence[object]", value)
        return [_json(item, depth + 1, index if index is not None else None) for item in items]
    raise MalformedHistoryError(f"{where} cannot be used: it holds a {type(value).__name__}, not JSON.", index=index)


def _unwrap(value: Json, *, lenient: bool = False) -> RawHistory:
    warnings: list[str] = []
    if isinstance(value, dict):
        key = next((key for key in _LIST_KEYS if key in value), None)
        if key is None or not isinstance(value[key], list):
            raise MalformedHistoryError(f"The history is an object without a list under {', '.join(_LIST_KEYS)}.")
        if any(value.get(system) for system in _SYSTEM_KEYS):
            warnings.append("the system prompt of the request is not part of the messages: pass it on as it is")
        value = value[key]
    if not isinstance(value, list):
        raise MalformedHistoryError(f"The history is {type(value).__name__}, expected a list of messages.")
    messages: list[JsonObject] = []
    injected: set[int] = set()
    summaries: set[int] = set()
    refusals: set[int] = set()
    foreign: set[str] = set()
    queued: dict[str, int] = {}
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            if lenient:
                warnings.append(f"value {index + 1} of the transcript is no object and is left out")
                continue
            raise MalformedHistoryError(
                f"Message {index} cannot be used: it is {type(item).__name__}, expected an object.", index=index
            )
        _note_queued(item, queued, len(messages))
        message = _inner(item)
        if message is None:
            continue
        if any(item.get(mark) is True for mark in _INJECTED_MARKS):
            injected.add(len(messages))
        if item.get(_SUMMARY_MARK) is True:
            summaries.add(len(messages))
        foreign.update(_foreign_calls(message))
        if _is_refusal(item, foreign):
            refusals.add(len(messages))
        messages.append(message)
    history = RawHistory(
        messages=messages,
        original=b"",
        injected=frozenset(injected),
        summaries=frozenset(summaries),
        refusals=frozenset(refusals),
        warnings=tuple(warnings),
    )
    return _with_queued(history, queued)


def _note_queued(line: JsonObject, queued: dict[str, int], place: int) -> None:
    """Note what a user typed while the agent worked; what went back into the input field was not said."""
    if line.get("type") != "queue-operation":
        return
    words = as_text(line.get("content")).strip()
    if line.get("operation") == "enqueue" and words and not words.startswith(("/", "<")):
        queued[words] = place
    elif line.get("operation") == "popAll":
        queued.pop(words, None)


def _with_queued(history: RawHistory, queued: Mapping[str, int]) -> RawHistory:
    """The history with the words that were queued and stand in no message of their own."""
    messages = list(history.messages)
    spoken = [compact_json(message.get("content")) for message in messages if queued and message.get("role") == "user"]
    missing = sorted(
        (
            (place, words)
            for words, place in queued.items()
            if not any(compact_json(words)[1:-1] in said for said in spoken)
        ),
        reverse=True,
    )
    for place, words in missing:
        while place < len(messages) and _answers(messages[place]):
            place += 1
        messages.insert(place, {"role": "user", "content": words})
        history = replace(
            history,
            injected=_moved(history.injected, place),
            summaries=_moved(history.summaries, place),
            refusals=_moved(history.refusals, place),
        )
    return replace(history, messages=messages)


def _moved(positions: frozenset[int], place: int) -> frozenset[int]:
    """Positions, once something was put into a place before some of them."""
    return frozenset(index + 1 if index >= place else index for index in positions)


def _answers(message: JsonObject) -> bool:
    """Tells whether a message holds results of calls, which nothing may stand before."""
    content = message.get("content")
    return isinstance(content, list) and any(as_object(block).get("type") == "tool_result" for block in content)


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


def _inner(line: JsonObject) -> JsonObject | None:
    """The message inside one line of a session file; None for bookkeeping; the line itself when it is a message."""
    if any(line.get(mark) is True for mark in _SKIPPED_MARKS):
        return None
    if "role" in line or "parts" in line:
        return line
    kind = line.get("type")
    if kind == "response_item":
        return as_object(line.get("payload")) or None
    if "message" in line and kind in {"user", "assistant", "system", "message", None}:
        message = as_object(line["message"])
        kept: JsonObject = {key: message[key] for key in ("role", "content", "parts") if key in message}
        return kept or None
    if (isinstance(kind, str) and kind in _BOOKKEEPING) or (
        {"timestamp", "sessionId", "uuid", "payload"} & set(line) and "call_id" not in line
    ):
        return None
    return line


def parse(raw: RawHistory, wanted: FormatName | None) -> Transcript:
    """Read the messages in the format asked for, or in the one they show.

    Raises:
        MalformedHistoryError: a message cannot be used.
    """
    name = wanted or detect(raw.messages)
    notes = Notes()
    messages = FORMATS[name].parse(raw.messages, notes)
    marked = [
        replace(
            message,
            injected=message.index in raw.injected,
            is_summary=message.index in raw.summaries,
            is_refusal=message.index in raw.refusals,
        )
        if message.index in raw.injected or message.index in raw.refusals
        else message
        for message in messages
    ]
    read = [_without_reminders(message) for message in with_calls(marked)]
    return Transcript(format=name, messages=name_results(read), warnings=(*raw.warnings, *notes.all()))


def _without_reminders(message: Message) -> Message:
    """Returns a message of tool answers without what the host wrote into it for the agent."""
    if not any(isinstance(block, ToolResult) and "<system-reminder>" in block.text for block in message.blocks):
        return message
    blocks = tuple(
        replace(block, text=_REMINDER.sub("", block.text)) if isinstance(block, ToolResult) else block
        for block in message.blocks
    )
    return replace(message, blocks=blocks)


def parse_native(messages: Iterable[JsonObject], name: FormatName) -> tuple[Message, ...]:
    """Read messages rendered here back into the inner model: what is served is weighed the way its source was."""
    return tuple(FORMATS[name].parse(list(messages), Notes()))
