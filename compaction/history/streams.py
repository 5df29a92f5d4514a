"""Reads sessions that are streams of events: what is said, each call and each answer a line of its own.

    {"type": "message", "role": "assistant", "content": "I look", "delta": true}
    {"type": "tool_use", "tool_name": "read_file", "tool_id": "r1", "parameters": {"file_path": "a.py"}}
    {"type": "tool_result", "tool_id": "r1", "status": "success", "output": "x = 1"}

Gemini CLI writes so (`--output-format stream-json`), and so do hooks of Claude Code, which name their fields otherwise and
give no ids: there an answer belongs to the oldest open call of its tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text, first, plain_text
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Mapping

_ARGUMENTS = ("parameters", "tool_input", "input", "args")
_ANSWERS = ("output", "tool_output", "tool_response", "content")
_KINDS = frozenset({"tool_use", "tool_result"})
_ROLES = {"user": "user", "assistant": "assistant"}


def messages_of_events(value: Json) -> list[JsonObject] | None:
    """Return what a stream of events says as messages of blocks; None for any other value."""
    events = [item for item in as_list(value) if isinstance(item, dict)]
    if not any(as_text(event.get("type")) in _KINDS and {"tool_name", "tool_id"} & set(event) for event in events):
        return None
    made: list[JsonObject] = []
    waiting: dict[str, list[str]] = {}
    is_part = False
    for number, event in enumerate(events):
        kind = event.get("type")
        if kind == "tool_use":
            made.append({"role": "assistant", "content": [_call(event, number, waiting)]})
        elif kind == "tool_result":
            made.append({"role": "user", "content": [_answer(event, waiting)]})
        elif (role := _ROLES.get(as_text(event.get("role")) or as_text(kind))) and (content := _content(event)):
            if event.get("delta") is True and is_part and made[-1]["role"] == role:
                made[-1]["content"] = f"{made[-1]['content']}{content}"
            else:
                made.append({"role": role, "content": content})
            is_part = event.get("delta") is True and isinstance(content, str)
            continue
        is_part = False
    return made


def _content(event: JsonObject) -> Json:
    """The content of an event; that of a message inside it, where it holds one."""
    return first(as_object(event.get("message")) or event, "content", "text")


def _call(event: JsonObject, number: int, waiting: dict[str, list[str]]) -> JsonObject:
    name = as_text(first(event, "tool_name", "name"))
    call_id = as_text(first(event, "tool_id", "tool_use_id", "id")) or f"event_{number}"
    waiting.setdefault(name, []).append(call_id)
    return {"type": "tool_use", "id": call_id, "name": name, "input": as_object(first(event, *_ARGUMENTS))}


def _answer(event: JsonObject, waiting: Mapping[str, list[str]]) -> JsonObject:
    given = as_text(first(event, "tool_id", "tool_use_id", "id"))
    queue = waiting.get(as_text(first(event, "tool_name", "name")), [])
    call_id = given or (queue.pop(0) if queue else "")
    error = event.get("error")
    said = first(event, *_ANSWERS)
    text = plain_text(said) or plain_text(as_object(error).get("message") or error)
    is_error = bool(error) or event.get("is_error") is True or event.get("status") in {"error", "failed", "cancelled"}
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}
