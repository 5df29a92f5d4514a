"""The Responses API of OpenAI: a flat list of items, each of which is a message here.

Reasoning stands as an item of its own before the call it led to, and is valid only together with it; a turn that is
kept is therefore kept as a run of items. Several item types are calls of built-in tools: they are read as calls of a
tool of that name, so that the ledger sees what they did.
"""

from __future__ import annotations

import json

from compaction.history.formats.base import (
    HistoryFormat,
    Notes,
    argument_text,
    as_list,
    as_object,
    as_text,
    data_url,
    image_from_url,
    object_from_json,
    passed_on,
    plain_text,
    read_content,
    read_messages,
    side_of,
    texts,
)
from compaction.history.formats.scripts import call_of
from compaction.history.messages import Block, FormatName, Image, Message, Opaque, Side, Text, ToolCall, ToolResult
from compaction.values import Json, JsonObject

_SIDES = {"system": Side.SYSTEM, "developer": Side.SYSTEM, "user": Side.USER, "assistant": Side.ASSISTANT}
_CALL_ARGUMENTS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "computer_call": "action",
    "mcp_call": "arguments",
}
"""The item types that call a tool, and the field that holds what it is called with."""

_PASSED_ON = frozenset({
    "reasoning", "item_reference", "web_search_call", "file_search_call", "code_interpreter_call", "tool_search_call",
    "image_generation_call", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "tool_search_output",
})  # fmt: skip
_PARTS_PASSED_ON = frozenset({"input_file", "input_audio"})


def is_item(source: JsonObject) -> bool:
    """Tell whether a value is an item of a type that this API has, or may have tomorrow: one of its calls, or an answer to one."""
    kind = as_text(source.get("type"))
    return kind == "message" or (
        "role" not in source and (kind in _PASSED_ON or kind.endswith(("_call", "_output")) or "compaction" in kind)
    )


def parse(messages: list[JsonObject], notes: Notes) -> list[Message]:
    """Read items; one without a type that has a role is a message."""
    return read_messages(messages, notes, lambda source: _item(source, notes))


def _item(source: JsonObject, notes: Notes) -> tuple[Side, list[Block]]:
    kind = as_text(source.get("type")) or ("message" if "role" in source else "")
    if kind == "message":
        side = side_of(source, _SIDES, notes)
        expected = "text or a list of parts"
        return side, read_content(source.get("content"), notes, lambda part: _part(part, notes), expected=expected)
    if kind in _CALL_ARGUMENTS:
        return Side.ASSISTANT, _call(kind, source, notes)
    if kind.endswith("_output") and "call_id" in source:
        return Side.USER, [_result(source)]
    if kind:
        return Side.ASSISTANT, [_opaque(kind, source, notes)]
    raise notes.fail("it has neither a type nor a role")


def _opaque(kind: str, source: JsonObject, notes: Notes) -> Opaque:
    if kind not in _PASSED_ON and "compaction" not in kind:
        notes.warn(f"unknown item type {kind!r}")
    return Opaque(kind=kind, carries_history="compaction" in kind, source=source)


def _part(source: JsonObject, notes: Notes) -> Block:
    match kind := as_text(source.get("type")):
        case "input_text" | "output_text" | "text" | "summary_text":
            return Text(text=as_text(source.get("text")), source=source)
        case "refusal":
            return Text(text=as_text(source.get("refusal")), source=source)
        case "input_image" | "computer_screenshot":
            return _image(source)
        case _:
            return passed_on(source, kind, _PARTS_PASSED_ON, notes, what="content part")


def _image(source: JsonObject) -> Image:
    url = as_text(source.get("image_url"))
    return image_from_url(url, source) if url else Image(media_type="", native=True, source=source)


def _call(kind: str, source: JsonObject, notes: Notes) -> list[Block]:
    given = source.get(_CALL_ARGUMENTS[kind])
    raw = given if isinstance(given, str) and _CALL_ARGUMENTS[kind] == "arguments" else ""
    arguments = (
        object_from_json(raw, notes) if raw else {} if given in (None, "") else as_object(given) or {"input": given}
    )
    if kind == "shell_call" and (commands := [as_text(line) for line in as_list(arguments.get("commands"))]):
        arguments = {**arguments, "command": "\n".join(commands)}
    name = as_text(source.get("name")) or kind.removesuffix("_call")
    if name == "exec" and kind == "custom_tool_call" and isinstance(given, str):
        name, arguments = call_of(given)
    call = ToolCall(
        call_id=as_text(source.get("call_id")) or as_text(source.get("id")),
        name=name,
        arguments=arguments,
        raw_arguments=raw,
        source=source,
    )
    if kind != "mcp_call":
        return [call]
    error = plain_text(source.get("error"))
    return [
        call,
        ToolResult(
            call_id=call.call_id,
            name=call.name,
            text=error or plain_text(source.get("output")),
            is_error=bool(error),
            source=source,
        ),
    ]


def _result(source: JsonObject) -> ToolResult:
    output = source.get("output")
    shown = [output] if isinstance(output, dict) else as_list(output)
    images = [part for part in shown if as_object(part).get("type") in {"input_image", "computer_screenshot"}]
    words = [part for part in shown if part not in images]
    text, code = _unpacked(output) if isinstance(output, str) else _of_shell(words) or (plain_text(words), 0)
    return ToolResult(
        call_id=as_text(source.get("call_id")),
        text=text,
        images=tuple(_image(as_object(part)) for part in images),
        is_error=code != 0
        or as_text(source.get("status")) in {"failed", "incomplete"}
        or text.startswith(("Script failed\n", "Script terminated\n")),
        source=source,
    )


def _unpacked(output: str) -> tuple[str, int]:
    """Returns the output of a command below its exit code, and that code, from the JSON of Codex; any other output with 0."""
    if not output.startswith("{") or '"exit_code"' not in output:
        return output, 0
    try:
        kept: JsonObject = as_object(json.loads(output))
    except (ValueError, RecursionError):
        return output, 0
    said, code = kept.get("output"), as_object(kept.get("metadata")).get("exit_code")
    return (f"Exit code: {code}\n{said}", code) if isinstance(said, str) and isinstance(code, int) else (output, 0)


def _of_shell(output: list[Json]) -> tuple[str, int] | None:
    """Returns what commands put out, each below its exit code, and the first code that tells of a failure; None for no such output."""
    runs = [as_object(part) for part in output if "outcome" in as_object(part)]
    if not runs:
        return None
    ends = [as_object(run["outcome"]) for run in runs]
    codes = [code if isinstance(code := end.get("exit_code"), int) else int(end.get("type") != "exit") for end in ends]
    said = ["\n".join(filter(None, (as_text(run.get("stdout")), as_text(run.get("stderr"))))) for run in runs]
    timed = ["timed out\n" if end.get("type") == "timeout" else "" for end in ends]
    shown = [f"Exit code: {code}\n{note}{text}" for code, note, text in zip(codes, timed, said, strict=True)]
    return "\n".join(shown), next((code for code in codes if code), 0)


def render(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """A message item for the words and images, and an item for every call and result, in that order."""
    items = _message(side, blocks)
    results: list[JsonObject] = []
    for block in blocks:
        match block:
            case ToolCall():
                items.append(
                    {
                        "type": "function_call",
                        "call_id": block.call_id,
                        "name": block.name,
                        "arguments": argument_text(block),
                    }
                )
            case ToolResult():
                results.append({"type": "function_call_output", "call_id": block.call_id, "output": _output(block)})
            case _:
                pass
    return [*results, *items]


def _message(side: Side, blocks: tuple[Block, ...]) -> list[JsonObject]:
    """Returns the items of a message; an assistant's words are one string, as their list form needs an id."""
    if side is Side.ASSISTANT:
        words = texts(blocks)
        return [{"type": "message", "role": side.value, "content": words}] if words else []
    content: list[Json] = [shown for block in blocks if (shown := _render_part(block)) is not None]
    return [{"type": "message", "role": side.value, "content": content}] if content else []


def _output(result: ToolResult) -> Json:
    pictures = [shown for picture in result.images if (shown := _render_part(picture)) is not None]
    if not pictures:
        return result.text
    return [{"type": "input_text", "text": result.text or "(image)"}, *pictures]


def _render_part(block: Block) -> JsonObject | None:
    match block:
        case Text(text=text) if text:
            return {"type": "input_text", "text": text}
        case Image():
            source = as_object(block.source)
            if source.get("type") == "input_image":
                return source
            file_id = source.get("file_id")
            if source.get("type") == "computer_screenshot" and isinstance(file_id, str):
                return {"type": "input_image", "file_id": file_id, "detail": "auto"}
            if block.native:
                return None
            return {"type": "input_image", "image_url": data_url(block), "detail": "auto"}
        case _:
            return None


FORMAT = HistoryFormat(name=FormatName.OPENAI_RESPONSES, parse=parse, render=render)
