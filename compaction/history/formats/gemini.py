"""The Gemini API: contents with parts, calls and answers often without ids, images inside function responses.

Fields are spelled in camel case on the wire and in snake case by the Python SDK; both are read. A thought signature
sits on the part it belongs to, so a part that is kept is kept whole.
"""

from __future__ import annotations

from compaction.history.formats.base import (
    HistoryFormat,
    IdsByName,
    Notes,
    arguments_object,
    as_list,
    as_object,
    as_text,
    first,
    plain_text,
    read_content,
    read_messages,
    side_of,
)
from compaction.history.messages import Block, FormatName, Image, Message, Opaque, Side, Text, ToolCall, ToolResult
from compaction.values import Json, JsonObject

_SIDES = {
    "user": Side.USER,
    "model": Side.ASSISTANT,
    "function": Side.USER,
    "tool": Side.USER,
    "system": Side.SYSTEM,
}
_ROLES = {Side.USER: "user", Side.ASSISTANT: "model", Side.SYSTEM: "user"}
_ANSWER_KEYS = ("output", "result", "content", "error")


def parse(messages: list[JsonObject], notes: Notes) -> list[Message]:
    """Read contents of the form `{"role", "parts"}`; no role is the user's."""
    ids = IdsByName()

    def read(source: JsonObject) -> tuple[Side, list[Block]]:
        side = side_of(source, _SIDES, notes, default="user")
        parts = source.get("parts")
        return side, read_content(parts, notes, lambda part: _part(part, ids, notes), field="parts", expected="a list")

    return read_messages(messages, notes, read)


def _part(source: JsonObject, ids: IdsByName, notes: Notes) -> Block:
    call = first(source, "functionCall", "function_call")
    answer = first(source, "functionResponse", "function_response")
    if isinstance(call, dict):
        return _call(call, source, ids, notes)
    if isinstance(answer, dict):
        return _answer(answer, source, ids)
    if (picture := image(source)) is not None:
        return picture
    if source.get("thought") is True:
        return Opaque(kind="thought", source=source)
    if isinstance(text := source.get("text"), str):
        return Text(text=text, source=source)
    kind = next(iter(source), "unknown")
    if kind not in {"executableCode", "codeExecutionResult", "executable_code", "code_execution_result"} and not (
        set(source) & {"thoughtSignature", "thought_signature", "inlineData", "inline_data", "fileData", "file_data"}
    ):
        notes.warn(f"unknown part {kind!r}")
    return Opaque(kind=kind, source=source)


def _call(call: JsonObject, source: JsonObject, ids: IdsByName, notes: Notes) -> ToolCall:
    name = as_text(call.get("name"))
    arguments = call.get("args")
    call_id = as_text(call.get("id"))
    return ToolCall(
        call_id=ids.call(name, call_id),
        name=name,
        arguments={} if arguments is None else arguments_object(arguments, notes),
        made_up_id=not call_id,
        source=source,
    )


def _answer(answer: JsonObject, source: JsonObject, ids: IdsByName) -> ToolResult:
    name = as_text(answer.get("name"))
    response = as_object(answer.get("response"))
    given = as_text(answer.get("id"))
    call_id = ids.result(name, given)
    said = first(response, *_ANSWER_KEYS)
    pictures = [image(as_object(part)) for part in as_list(answer.get("parts"))]
    return ToolResult(
        call_id=call_id,
        name=name,
        text=plain_text(said if said is not None else (response or None)),
        images=tuple(picture for picture in pictures if picture is not None),
        is_error=bool(response.get("error")),
        made_up_id=not given or call_id != given,
        source=source,
    )


def image(source: JsonObject) -> Image | None:
    """Read a part that shows a picture."""
    inline = as_object(first(source, "inlineData", "inline_data"))
    media_type = as_text(first(inline, "mimeType", "mime_type"))
    if media_type.startswith("image/"):
        return Image(media_type=media_type, data=as_text(inline.get("data")), source=source)
    linked = as_object(first(source, "fileData", "file_data"))
    media_type = as_text(first(linked, "mimeType", "mime_type"))
    if media_type.startswith("image/"):
        return Image(media_type=media_type, url=as_text(first(linked, "fileUri", "file_uri")), source=source)
    return None


def render(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """One content; answers come first."""
    ordered = sorted(blocks, key=lambda block: not isinstance(block, ToolResult))
    parts: list[Json] = [shown for block in ordered if (shown := _render_part(block)) is not None]
    return [{"role": _ROLES[side], "parts": parts}] if parts else []


def _render_part(block: Block) -> JsonObject | None:
    match block:
        case Text(text=text):
            return {"text": text} if text else None
        case Image():
            return _render_image(block)
        case ToolCall():
            call: JsonObject = {"name": block.name, "args": block.arguments}
            return {"functionCall": call if block.made_up_id else {"id": block.call_id, **call}}
        case ToolResult():
            answer: JsonObject = {
                "name": block.name or "tool",
                "response": {"error" if block.is_error else "output": block.text},
            }
            pictures: list[Json] = [shown for picture in block.images if (shown := _render_image(picture)) is not None]
            if pictures:
                answer["parts"] = pictures
            return {"functionResponse": answer if block.made_up_id else {"id": block.call_id, **answer}}
        case Opaque():
            return None


def _render_image(picture: Image) -> JsonObject | None:
    source = as_object(picture.source)
    if image(source) is not None:
        return source
    if picture.native:
        return None
    media_type = picture.media_type or "image/png"
    if picture.data:
        return {"inlineData": {"mimeType": media_type, "data": picture.data}}
    return {"fileData": {"mimeType": media_type, "fileUri": picture.url}}


FORMAT = HistoryFormat(name=FormatName.GEMINI, parse=parse, render=render)
