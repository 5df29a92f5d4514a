"""The Messages API of Anthropic: blocks in a list, results inside user messages, signed thinking."""

from __future__ import annotations

from compaction.history.formats.base import (
    HistoryFormat,
    Notes,
    arguments_object,
    as_list,
    as_object,
    as_text,
    image_from_url,
    passed_on,
    plain_text,
    read_content,
    read_messages,
    safe_id,
    side_of,
)
from compaction.history.messages import Block, FormatName, Image, Message, Opaque, Side, Text, ToolCall, ToolResult
from compaction.values import Json, JsonObject

_SIDES = {"user": Side.USER, "assistant": Side.ASSISTANT, "system": Side.SYSTEM}
_PASSED_ON = frozenset({
    "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
    "code_execution_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result",
    "tool_search_tool_result", "mcp_tool_use", "mcp_tool_result", "container_upload", "document", "search_result",
})  # fmt: skip


def parse(messages: list[JsonObject], notes: Notes) -> list[Message]:
    """Read messages of the form `{"role", "content"}`."""

    def read(source: JsonObject) -> tuple[Side, list[Block]]:
        side = side_of(source, _SIDES, notes)
        return side, read_content(source.get("content"), notes, lambda block: _block(block, notes))

    return read_messages(messages, notes, read)


def _block(source: JsonObject, notes: Notes) -> Block:
    match kind := as_text(source.get("type")):
        case "text":
            return Text(text=as_text(source.get("text")), source=source)
        case "image":
            return image(source)
        case "tool_use":
            arguments = arguments_object(source.get("input"), notes)
            return ToolCall(
                call_id=as_text(source.get("id")), name=as_text(source.get("name")), arguments=arguments, source=source
            )
        case "tool_result":
            content = source.get("content")
            return ToolResult(
                call_id=as_text(source.get("tool_use_id")),
                text=plain_text([part for part in as_list(content) if as_object(part).get("type") != "image"])
                if isinstance(content, list)
                else plain_text(content),
                images=tuple(
                    image(part) for part in as_list(content) if isinstance(part, dict) and part.get("type") == "image"
                ),
                is_error=source.get("is_error") is True,
                source=source,
            )
        case "compaction":
            return Opaque(kind=kind, carries_history=True, text=as_text(source.get("content")), source=source)
        case _:
            return passed_on(source, kind, _PASSED_ON, notes, what="block type")


def image(source: JsonObject) -> Image:
    """Read an image block."""
    place = as_object(source.get("source"))
    media_type = as_text(place.get("media_type"))
    match place.get("type"):
        case "base64":
            return Image(media_type=media_type, data=as_text(place.get("data")), source=source)
        case "url":
            return image_from_url(as_text(place.get("url")), source)
        case _:
            return Image(media_type=media_type, native=True, source=source)


def render(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """One message: results come first, as the API asks of them."""
    ordered = sorted(blocks, key=lambda block: not isinstance(block, ToolResult))
    content: list[Json] = [shown for block in ordered if (shown := _render_block(block)) is not None]
    return [{"role": side.value, "content": content}] if content else []


def _render_block(block: Block) -> JsonObject | None:
    match block:
        case Text(text=text):
            return {"type": "text", "text": text} if text.strip() else None
        case Image():
            return _render_image(block)
        case ToolCall():
            return {"type": "tool_use", "id": safe_id(block.call_id), "name": block.name, "input": block.arguments}
        case ToolResult():
            content: list[Json] = [{"type": "text", "text": block.text}] if block.text.strip() else []
            content += [shown for picture in block.images if (shown := _render_image(picture)) is not None]
            result: JsonObject = {"type": "tool_result", "tool_use_id": safe_id(block.call_id), "content": content}
            return result | {"is_error": True} if block.is_error else result
        case Opaque():
            return None


def _render_image(picture: Image) -> JsonObject | None:
    if as_object(picture.source).get("type") == "image" and "source" in as_object(picture.source):
        return as_object(picture.source)
    if picture.native:
        return None
    place: JsonObject = (
        {"type": "base64", "media_type": picture.media_type or "image/png", "data": picture.data}
        if picture.data
        else {"type": "url", "url": picture.url}
    )
    return {"type": "image", "source": place}


FORMAT = HistoryFormat(name=FormatName.ANTHROPIC, parse=parse, render=render)
