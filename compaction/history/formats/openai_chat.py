"""Chat completions of OpenAI, and of everybody who speaks them: calls beside the text, results as messages."""

from __future__ import annotations

from compaction.history.formats.base import (
    HistoryFormat,
    Notes,
    argument_text,
    as_list,
    as_object,
    as_text,
    data_url,
    expect_object,
    image_from_url,
    object_from_json,
    passed_on,
    plain_text,
    read_content,
    read_messages,
    side_of,
    texts,
)
from compaction.history.messages import Block, FormatName, Image, Message, Side, Text, ToolCall, ToolResult
from compaction.values import Json, JsonObject

_SIDES = {
    "system": Side.SYSTEM,
    "developer": Side.SYSTEM,
    "user": Side.USER,
    "assistant": Side.ASSISTANT,
    "tool": Side.USER,
    "function": Side.USER,
}
_RESULTS = frozenset({"tool", "function"})
_PASSED_ON = frozenset({"input_audio", "file"})
_CALLS = frozenset({"tool_call", "tool_use", "function_call"})
"""Parts that say again what `tool_calls` says."""


def parse(messages: list[JsonObject], notes: Notes) -> list[Message]:
    """Read messages of the form `{"role", "content", "tool_calls"}`."""

    def read(source: JsonObject) -> tuple[Side, list[Block]]:
        side = side_of(source, _SIDES, notes)
        return side, [_result(source)] if source["role"] in _RESULTS else _blocks(source, notes)

    return read_messages(messages, notes, read)


def _result(source: JsonObject) -> Block:
    name = as_text(source.get("name"))
    content = as_list(source.get("content"))
    pictures = [part for part in content if as_object(part).get("type") == "image_url"]
    return ToolResult(
        call_id=as_text(source.get("tool_call_id")) or name,
        name=name,
        text=plain_text([part for part in content if part not in pictures] if content else source.get("content")),
        images=tuple(_image(as_object(part)) for part in pictures),
        source=source,
    )


def _blocks(source: JsonObject, notes: Notes) -> list[Block]:
    calls = [_call(item, notes) for item in as_list(source.get("tool_calls")) if expect_object(item, notes)]
    legacy = source.get("function_call")
    if isinstance(legacy, dict):
        calls.append(_call({"id": legacy.get("name"), "function": legacy}, notes))
    content = source.get("content")
    if calls and isinstance(content, list):
        content = [part for part in content if as_object(part).get("type") not in _CALLS]
    if calls and content in (None, []):
        return [*calls]
    parts = read_content(content, notes, lambda part: _part(part, notes), expected="text or a list of parts")
    return [*parts, *calls]


def _call(item: Json, notes: Notes) -> ToolCall:
    source = as_object(item)
    function = as_object(source.get("function")) or as_object(source.get("custom"))
    arguments = function.get("arguments")
    if isinstance(arguments, dict):
        return ToolCall(
            call_id=as_text(source.get("id")), name=as_text(function.get("name")), arguments=arguments, source=source
        )
    raw = as_text(arguments)
    free_text = function.get("input")
    return ToolCall(
        call_id=as_text(source.get("id")),
        name=as_text(function.get("name")),
        arguments={"input": free_text} if isinstance(free_text, str) else object_from_json(raw, notes),
        raw_arguments=raw,
        source=source,
    )


def _part(source: JsonObject, notes: Notes) -> Block:
    match kind := as_text(source.get("type")):
        case "text":
            return Text(text=as_text(source.get("text")), source=source)
        case "refusal":
            return Text(text=as_text(source.get("refusal")), source=source)
        case "image_url":
            return _image(source)
        case _:
            return passed_on(source, kind, _PASSED_ON, notes, what="content part")


def _image(source: JsonObject) -> Image:
    place = source.get("image_url")
    return image_from_url(as_text(place) or as_text(as_object(place).get("url")), source)


def render(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """One message of text, images and calls; before it a message for each result, as a list of their own."""
    messages: list[JsonObject] = [
        {"role": "tool", "tool_call_id": block.call_id, "content": block.text or "(no text)"}
        for block in blocks
        if isinstance(block, ToolResult)
    ]
    calls: list[Json] = [
        {"id": block.call_id, "type": "function", "function": {"name": block.name, "arguments": argument_text(block)}}
        for block in blocks
        if isinstance(block, ToolCall)
    ]
    words = texts(blocks)
    pictures = [block for block in blocks if isinstance(block, Image) and not _foreign(block)]
    if calls:
        messages.append({"role": side.value, "content": words or None, "tool_calls": calls})
    elif pictures and side is Side.USER:
        parts: list[Json] = [shown for block in blocks if (shown := _render_part(block)) is not None]
        messages.append({"role": side.value, "content": parts})
    elif words:
        messages.append({"role": side.value, "content": words})
    return messages


def _foreign(picture: Image) -> bool:
    return picture.native and as_object(picture.source).get("type") != "image_url"


def _render_part(block: Block) -> JsonObject | None:
    match block:
        case Text(text=text):
            return {"type": "text", "text": text} if text else None
        case Image() if not _foreign(block):
            if as_object(block.source).get("type") == "image_url":
                return as_object(block.source)
            return {"type": "image_url", "image_url": {"url": data_url(block)}}
        case _:
            return None


FORMAT = HistoryFormat(name=FormatName.OPENAI_CHAT, parse=parse, render=render)
