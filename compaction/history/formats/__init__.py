"""The formats of conversations, and their detection.

Detection is a table of signs. Each sign is a field that only one format has; the format with most signs wins. A
history with none (bare roles and strings) reads the same in chat completions and in the Messages API; it is taken for
the former.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats import anthropic, gemini, mcp, openai_chat, openai_responses
from compaction.history.formats.base import HistoryFormat, Notes, as_list, as_object, as_text
from compaction.history.messages import FormatName, Message
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMATS: dict[FormatName, HistoryFormat] = {
    made.name: made
    for made in (anthropic.FORMAT, openai_chat.FORMAT, openai_responses.FORMAT, gemini.FORMAT, mcp.FORMAT)
}

_MESSAGE_FIELDS = {
    "parts": FormatName.GEMINI,
    "tool_calls": FormatName.OPENAI_CHAT,
    "tool_call_id": FormatName.OPENAI_CHAT,
    "function_call": FormatName.OPENAI_CHAT,
    "reasoning_content": FormatName.OPENAI_CHAT,
    "encrypted_content": FormatName.OPENAI_RESPONSES,
    "call_id": FormatName.OPENAI_RESPONSES,
}
_ROLES = {
    "model": FormatName.GEMINI,
    "tool": FormatName.OPENAI_CHAT,
    "function": FormatName.OPENAI_CHAT,
}
_BLOCK_TYPES = {
    "tool_use": FormatName.ANTHROPIC,
    "thinking": FormatName.ANTHROPIC,
    "redacted_thinking": FormatName.ANTHROPIC,
    "compaction": FormatName.ANTHROPIC,
    "document": FormatName.ANTHROPIC,
    "image_url": FormatName.OPENAI_CHAT,
    "input_audio": FormatName.OPENAI_CHAT,
    "input_text": FormatName.OPENAI_RESPONSES,
    "input_image": FormatName.OPENAI_RESPONSES,
    "output_text": FormatName.OPENAI_RESPONSES,
}
_BLOCK_FIELDS = {
    "tool_use_id": FormatName.ANTHROPIC,
    "source": FormatName.ANTHROPIC,
    "cache_control": FormatName.ANTHROPIC,
    "toolUseId": FormatName.MCP,
    "mimeType": FormatName.MCP,
}
_MCP_WEIGHT = 2  # `tool_use` counts for Anthropic too: a field that only MCP spells this way must outweigh it


def detect(messages: Iterable[JsonObject]) -> FormatName:
    """The format that most of the signs speak for."""
    score = dict.fromkeys(FormatName, 0)
    for message in messages:
        for found in _signs(message):
            score[found] += _MCP_WEIGHT if found is FormatName.MCP else 1
    best = max(score.values())
    if best:
        return next(name for name in FormatName if score[name] == best)
    return FormatName.OPENAI_CHAT


def _signs(message: JsonObject) -> Iterable[FormatName]:
    yield from (_MESSAGE_FIELDS[key] for key in message if key in _MESSAGE_FIELDS)
    role = as_text(message.get("role"))
    if role in _ROLES:
        yield _ROLES[role]
    if openai_responses.is_item(message):
        yield FormatName.OPENAI_RESPONSES
    content = message.get("content")
    if isinstance(content, dict):
        yield FormatName.MCP
        content = list[Json]([content])
    for item in as_list(content):
        block = as_object(item)
        kind = as_text(block.get("type"))
        if kind in _BLOCK_TYPES:
            yield _BLOCK_TYPES[kind]
        yield from (_BLOCK_FIELDS[key] for key in block if key in _BLOCK_FIELDS)


__all__ = ["FORMATS", "HistoryFormat", "Message", "Notes", "detect"]
