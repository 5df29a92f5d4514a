"""Reads messages of LangChain as chat completions: `human`, `ai`, `tool` and `system`, in the three forms that it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject

_ROLES = {
    "human": "user", "HumanMessage": "user",
    "ai": "assistant", "AIMessage": "assistant",
    "system": "system", "SystemMessage": "system",
    "tool": "tool", "ToolMessage": "tool",
}  # fmt: skip
_CALLS_IN_CONTENT = frozenset({"tool_use", "tool_call", "function_call"})


def chat_message(line: JsonObject) -> JsonObject | None:
    """Return the message of chat completions that one of LangChain is; None for any other value."""
    name, source = as_text(line.get("type")), as_object(line.get("data")) or line
    if name == "constructor":
        name, source = as_text((as_list(line.get("id")) or [""])[-1]), as_object(line.get("kwargs"))
    role = _ROLES.get(name.removesuffix("Chunk"))
    if role is None or "content" not in source:
        return None
    message: JsonObject = {"role": role, "content": _content(source["content"])}
    if role == "tool":
        message["tool_call_id"] = as_text(source.get("tool_call_id"))
    calls: list[Json] = [_call(as_object(call)) for call in as_list(source.get("tool_calls"))]
    if calls:
        message["tool_calls"] = calls
    return message


def _content(content: Json) -> Json:
    """Content without the calls that some models repeat in it."""
    if not isinstance(content, list):
        return content
    return [part for part in content if as_object(part).get("type") not in _CALLS_IN_CONTENT]


def _call(call: JsonObject) -> JsonObject:
    function: JsonObject = {"name": as_text(call.get("name")), "arguments": as_object(call.get("args"))}
    return {"id": as_text(call.get("id")), "type": "function", "function": function}
