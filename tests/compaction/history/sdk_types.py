"""The official types that say what an API accepts."""

from __future__ import annotations

import itertools
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter

from compaction.history import FormatName

if TYPE_CHECKING:
    from collections.abc import Callable

    from compaction.values import JsonObject

_PLACES = {
    FormatName.ANTHROPIC: "anthropic.types.MessageParam",
    FormatName.OPENAI_CHAT: "openai.types.chat.ChatCompletionMessageParam",
    FormatName.OPENAI_RESPONSES: "openai.types.responses.ResponseInputItemParam",
    FormatName.GEMINI: "google.genai.types.Content",
    FormatName.MCP: "mcp.types.SamplingMessage",
}


@cache
def _type_of(name: FormatName) -> TypeAdapter[Any]:
    """The type, imported when it is first asked for: together they take eight seconds."""
    return TypeAdapter(pkgutil.resolve_name(_PLACES[name]))


def check_types(name: FormatName, messages: list[JsonObject]) -> None:
    """Raise a validation error if the SDK's own type does not accept a message.

    The types declare some lists as iterables, which are validated only while they are walked: serialising walks them.
    """
    adapter = _type_of(name)
    for message in messages:
        adapter.dump_json(adapter.validate_python(message), warnings="none")


def _calls_and_results(name: FormatName, message: JsonObject) -> tuple[list[str], list[str]]:
    readers: dict[FormatName, Callable[[JsonObject], tuple[list[str], list[str]]]] = {
        FormatName.ANTHROPIC: lambda m: _blocks(m, "id", "tool_use_id"),
        FormatName.MCP: lambda m: _blocks(m, "id", "toolUseId"),
        FormatName.OPENAI_CHAT: _chat,
        FormatName.OPENAI_RESPONSES: _responses,
        FormatName.GEMINI: _gemini,
    }
    return readers[name](message)


def _blocks(message: Any, call_key: str, result_key: str) -> tuple[list[str], list[str]]:
    content: Any = message["content"]
    blocks = cast("list[Any]", [content] if isinstance(content, dict) else content if isinstance(content, list) else [])
    return (
        [block[call_key] for block in blocks if block["type"] == "tool_use"],
        [block[result_key] for block in blocks if block["type"] == "tool_result"],
    )


def _chat(message: Any) -> tuple[list[str], list[str]]:
    calls: list[Any] = message.get("tool_calls") or []
    return (
        [call["id"] for call in calls],
        [message["tool_call_id"]] if message["role"] == "tool" else [],
    )


def _responses(message: Any) -> tuple[list[str], list[str]]:
    kind = message.get("type", "")
    return (
        [message["call_id"]] if kind.endswith("_call") else [],
        [message["call_id"]] if kind.endswith("_call_output") else [],
    )


def _gemini(message: Any) -> tuple[list[str], list[str]]:
    return (
        [part["functionCall"]["name"] for part in message["parts"] if "functionCall" in part],
        [part["functionResponse"]["name"] for part in message["parts"] if "functionResponse" in part],
    )


def open_calls(name: FormatName, messages: list[JsonObject]) -> list[str]:
    """The calls no result answers; fails on a result that answers no call."""
    waiting: list[str] = []
    for message in messages:
        calls, results = _calls_and_results(name, message)
        for result in results:
            assert result in waiting, f"result {result} answers no call"
            waiting.remove(result)
        waiting += calls
    return waiting


def sides(name: FormatName, messages: list[JsonObject]) -> list[str]:
    """Returns the speaker of each turn: results and the user are one side, neighbouring items of one side one turn."""
    spoken: list[str] = []
    for message in messages:
        role = message.get("role")
        if role in {"system", "developer"}:
            continue
        if name is FormatName.OPENAI_RESPONSES and role is None:
            role = "user" if str(message["type"]).endswith("_output") else "assistant"
        spoken.append("assistant" if role in {"assistant", "model"} else "user")
    return spoken


def check_roles(name: FormatName, messages: list[JsonObject]) -> None:
    """Roles alternate; parallel calls and their results may be several messages where the format has it so."""
    spoken = sides(name, messages)
    if name in {FormatName.OPENAI_CHAT, FormatName.OPENAI_RESPONSES}:
        plain = [
            side
            for side, message in zip(
                spoken, [m for m in messages if m.get("role") not in {"system", "developer"}], strict=True
            )
            if not any(_calls_and_results(name, message)) and message.get("type", "message") == "message"
        ]
        spoken = (
            plain
            if len(plain) == len(spoken)
            else [side for at, side in enumerate(spoken) if at == 0 or spoken[at - 1] != side]
        )
    assert all(one != other for one, other in itertools.pairwise(spoken)), spoken
