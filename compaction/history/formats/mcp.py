"""Sampling messages of the Model Context Protocol: one block or a list of them, results in messages of their own."""

from __future__ import annotations

from compaction.history.formats.base import (
    HistoryFormat,
    Notes,
    arguments_object,
    as_list,
    as_object,
    as_text,
    first,
    passed_on,
    plain_text,
    read_content,
    read_messages,
    side_of,
)
from compaction.history.messages import Block, FormatName, Image, Message, Opaque, Side, Text, ToolCall, ToolResult
from compaction.values import Json, JsonObject

_SIDES = {"user": Side.USER, "assistant": Side.ASSISTANT}
_PASSED_ON = frozenset({"audio", "resource", "resource_link"})


def parse(messages: list[JsonObject], notes: Notes) -> list[Message]:
    """Read messages of the form `{"role", "content"}`, content being a block or a list of blocks."""

    def read(source: JsonObject) -> tuple[Side, list[Block]]:
        side = side_of(source, _SIDES, notes)
        content = source.get("content")
        if isinstance(content, dict):
            content = list[Json]([content])
        if any(isinstance(item, str) for item in [content, *as_list(content)]):
            notes.warn("content is a bare string, taken for a text block")
        expected = "a block or a list of blocks"
        return side, read_content(content, notes, lambda block: _block(block, notes), expected=expected)

    return read_messages(messages, notes, read)


def _block(source: JsonObject, notes: Notes) -> Block:
    match kind := as_text(source.get("type")):
        case "text":
            return Text(text=as_text(source.get("text")), source=source)
        case "image":
            return _image(source)
        case "tool_use":
            arguments = arguments_object(source.get("input"), notes)
            return ToolCall(
                call_id=as_text(source.get("id")), name=as_text(source.get("name")), arguments=arguments, source=source
            )
        case "tool_result":
            return _result(source)
        case _:
            return passed_on(source, kind, _PASSED_ON, notes, what="block type")


def _image(source: JsonObject) -> Image:
    return Image(
        media_type=as_text(first(source, "mimeType", "mime_type")), data=as_text(source.get("data")), source=source
    )


def _result(source: JsonObject) -> ToolResult:
    content = as_list(source.get("content"))
    pictures = [part for part in content if as_object(part).get("type") == "image"]
    words = plain_text([part for part in content if part not in pictures])
    return ToolResult(
        call_id=as_text(first(source, "toolUseId", "tool_use_id")),
        text=words or plain_text(first(source, "structuredContent", "structured_content")),
        images=tuple(_image(as_object(part)) for part in pictures),
        is_error=first(source, "isError", "is_error") is True,
        source=source,
    )


def render(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """Results go into a message that holds nothing else; a system message speaks on the user's side here."""
    role = "assistant" if side is Side.ASSISTANT else "user"
    results: list[Json] = [
        shown for block in blocks if isinstance(block, ToolResult) and (shown := _render_block(block))
    ]
    others: list[Json] = [
        shown for block in blocks if not isinstance(block, ToolResult) and (shown := _render_block(block)) is not None
    ]
    return [{"role": role, "content": content} for content in (results, others) if content]


def _render_block(block: Block) -> JsonObject | None:
    match block:
        case Text(text=text):
            return {"type": "text", "text": text} if text else None
        case Image():
            return _render_image(block)
        case ToolCall():
            return {"type": "tool_use", "id": block.call_id, "name": block.name, "input": block.arguments}
        case ToolResult():
            content: list[Json] = [{"type": "text", "text": block.text}] if block.text else []
            content += [shown for picture in block.images if (shown := _render_image(picture)) is not None]
            result: JsonObject = {"type": "tool_result", "toolUseId": block.call_id, "content": content}
            return result | {"isError": True} if block.is_error else result
        case Opaque():
            return None


def _render_image(picture: Image) -> JsonObject | None:
    source = as_object(picture.source)
    if source.get("type") == "image" and "data" in source:
        return source
    if not picture.data:
        return None
    return {"type": "image", "data": picture.data, "mimeType": picture.media_type or "image/png"}


FORMAT = HistoryFormat(name=FormatName.MCP, parse=parse, render=render)
