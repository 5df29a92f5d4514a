"""From what a caller hands in to parsed messages: a list, a request that holds one, or the bytes of a session file.

Session files of coding agents wrap each message in a line of their own bookkeeping. What is unwrapped here is a table:
the field a line keeps its message under, and the marks by which the host says that no user wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from compaction.history.formats import FORMATS, Notes, detect
from compaction.history.formats.base import as_object, compact_json
from compaction.history.messages import FormatName, MalformedHistoryError, Message, Transcript, name_results
from compaction.values import Json, JsonObject

_LIST_KEYS = ("messages", "contents", "input", "history")
_SYSTEM_KEYS = ("system", "instructions", "systemInstruction", "system_instruction")
_INJECTED_MARKS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_SKIPPED_MARKS = ("isSidechain", "isApiErrorMessage")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHistory:
    """Messages as JSON, before any format is read into them.

    Attributes:
        injected: positions that the host marks as not written by a user.
        original: what goes into the archive: the bytes of the file, or the list as JSON.
    """

    messages: list[JsonObject]
    original: bytes
    injected: frozenset[int] = frozenset()
    warnings: tuple[str, ...] = ()


def from_messages(given: object) -> RawHistory:
    """Check a caller's list, or a request object that holds one.

    Raises:
        MalformedHistoryError: it is no list of JSON objects.
    """
    history = _unwrap(_checked(given))
    return RawHistory(
        messages=history.messages,
        original=compact_json(cast("list[Json]", history.messages)).encode("utf-8", "surrogatepass"),
        injected=history.injected,
        warnings=history.warnings,
    )


def from_bytes(raw: bytes) -> RawHistory:
    """Read a session file: one JSON value, or one a line.

    Raises:
        MalformedHistoryError: it is neither.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedHistoryError(f"The transcript is not UTF-8: {error.reason} at byte {error.start}.") from error
    try:
        value: object = json.loads(text)
    except RecursionError as error:
        raise MalformedHistoryError("The transcript is nested too deeply.") from error
    except ValueError:
        value = _lines(text)
    checked = _json(value, 0, None)
    if isinstance(checked, dict) and not set(checked) & set(_LIST_KEYS):
        checked = list[Json]([checked])
    history = _unwrap(checked)
    return RawHistory(messages=history.messages, original=raw, injected=history.injected, warnings=history.warnings)


def _lines(text: str) -> list[object]:
    found: list[object] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise MalformedHistoryError(
                f"The transcript is neither JSON nor JSONL: line {number} cannot be read ({error}).",
                index=len(found),
            ) from error
    return found


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


def _unwrap(value: Json) -> RawHistory:
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
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise MalformedHistoryError(
                f"Message {index} cannot be used: it is {type(item).__name__}, expected an object.", index=index
            )
        message = _inner(item)
        if message is None:
            continue
        if any(item.get(mark) is True for mark in _INJECTED_MARKS):
            injected.add(len(messages))
        messages.append(message)
    return RawHistory(messages=messages, original=b"", injected=frozenset(injected), warnings=tuple(warnings))


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
    marked = [replace(message, injected=True) if message.index in raw.injected else message for message in messages]
    return Transcript(format=name, messages=name_results(marked), warnings=(*raw.warnings, *notes.all()))


def parse_native(messages: Iterable[JsonObject], name: FormatName) -> tuple[Message, ...]:
    """Read messages rendered here back into the inner model: what is served is weighed the way its source was."""
    return tuple(FORMATS[name].parse(list(messages), Notes()))
