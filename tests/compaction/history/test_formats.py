"""The peculiarities of each format: odd blocks, other spellings, built-in tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, FormatName, Trigger
from compaction.history.formats import FORMATS
from compaction.history.ledger import build_ledger, describe
from compaction.history.messages import Block, Image, Opaque, Side, Text, ToolCall, ToolResult, pair_calls
from compaction.history.transcript import from_bytes, from_messages, parse
from compaction.values import JsonObject
from tests.compaction.history.conversations import User, long_session, write
from tests.compaction.history.sdk_types import check_roles, check_types, open_calls

if TYPE_CHECKING:
    from compaction.history.messages import Transcript


def _read(name: FormatName, *messages: JsonObject) -> Transcript:
    return parse(from_messages(list(messages)), name)


def _blocks(name: FormatName, message: JsonObject) -> tuple[Block, ...]:
    return _read(name, message).messages[0].blocks


@pytest.mark.parametrize(
    ("item", "name", "about"),
    [
        ({"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "*** Update File: a.py"}, "apply_patch", "a.py"),
        ({"type": "apply_patch_call", "call_id": "c", "operation": {"type": "update_file", "path": "a.py", "diff": ""}}, "apply_patch", "a.py"),
        ({"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["ls", "-l"]}}, "local_shell", "ls -l"),
        ({"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1}}, "computer", '{"type":"click","x":1}'),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": ""}, "f", ""),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": None}, "f", ""),
    ],
)  # fmt: skip
def test_built_in_calls_of_the_responses_api_are_calls(item: JsonObject, name: str, about: str) -> None:
    (call,) = _blocks(FormatName.OPENAI_RESPONSES, item)
    assert isinstance(call, ToolCall)
    assert describe(call) == (f"{name}({about})" if about else name)


def test_a_call_that_carries_its_own_output_is_answered() -> None:
    item: JsonObject = {
        "type": "mcp_call",
        "id": "m",
        "name": "read_file",
        "arguments": '{"path": "a"}',
        "output": "text",
    }
    failed: JsonObject = {**item, "id": "n", "error": "denied", "output": None}
    messages = _read(FormatName.OPENAI_RESPONSES, item, failed).messages
    made = build_ledger(messages, pair_calls(messages))
    assert [touch.touch.path for touch in made.files] == ["a"]
    assert [failure.excerpt for failure in made.failures] == ["denied"]


def test_a_screenshot_of_the_computer_tool_is_an_image_that_can_be_shown_again() -> None:
    output: JsonObject = {"type": "computer_screenshot", "image_url": "data:image/png;base64,AAAA"}
    by_file: JsonObject = {"type": "computer_screenshot", "file_id": "file_1"}
    for shown in (output, by_file):
        (result,) = _blocks(
            FormatName.OPENAI_RESPONSES, {"type": "computer_call_output", "call_id": "c", "output": shown}
        )
        assert isinstance(result, ToolResult)
        made = FORMATS[FormatName.OPENAI_RESPONSES].render(Side.USER, result.images)
        check_types(FormatName.OPENAI_RESPONSES, made)
        assert "input_image" in str(made)


@pytest.mark.parametrize(
    ("name", "message", "image"),
    [
        (FormatName.ANTHROPIC, {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://e.x/a.png"}}]}, "https://e.x/a.png"),
        (FormatName.ANTHROPIC, {"role": "user", "content": [{"type": "image", "source": {"type": "file", "file_id": "f"}}]}, ""),
        (FormatName.OPENAI_CHAT, {"role": "user", "content": [{"type": "image_url", "image_url": "https://e.x/a.png"}]}, "https://e.x/a.png"),
        (FormatName.GEMINI, {"role": "user", "parts": [{"fileData": {"mimeType": "image/png", "fileUri": "gs://a"}}]}, "gs://a"),
        (FormatName.OPENAI_RESPONSES, {"role": "user", "content": [{"type": "input_image", "file_id": "f", "detail": "low"}]}, ""),
    ],
)  # fmt: skip
def test_images_by_reference_are_known_and_move_where_they_can(
    name: FormatName, message: JsonObject, image: str
) -> None:
    (block,) = _blocks(name, message)
    assert isinstance(block, Image)
    assert (block.url, block.native, block.byte_size) == (image, not image, 0)
    for target, made in FORMATS.items():
        rendered = made.render(Side.USER, (Text(text="see"), block))
        check_types(target, rendered)
        movable = target is name or (bool(image) and target is not FormatName.MCP)
        assert (str(image or "'f'") in str(rendered)) is movable


_SPELLINGS: list[tuple[FormatName, JsonObject, list[type]]] = [
        (FormatName.ANTHROPIC, {"role": "assistant", "content": ["bare", {"type": "server_tool_use", "id": "s"}]}, [Text, Opaque]),
        (FormatName.ANTHROPIC, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "words"}]}, [ToolResult]),
        (FormatName.OPENAI_CHAT, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}, "bare"]}, [Text, Text]),
        (FormatName.OPENAI_CHAT, {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}, [ToolCall]),
        (FormatName.OPENAI_CHAT, {"role": "function", "name": "f", "content": "x"}, [ToolResult]),
        (FormatName.OPENAI_CHAT, {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "g", "input": "free"}}]}, [ToolCall]),
        (FormatName.OPENAI_CHAT, {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "g", "arguments": {"a": 1}}}]}, [ToolCall]),
        (FormatName.OPENAI_CHAT, {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}, [Opaque]),
        (FormatName.OPENAI_RESPONSES, {"role": "assistant", "content": ["bare", {"type": "refusal", "refusal": "no"}]}, [Text, Text]),
        (FormatName.OPENAI_RESPONSES, {"role": "user", "content": "words"}, [Text]),
        (FormatName.OPENAI_RESPONSES, {"type": "web_search_call", "id": "w"}, [Opaque]),
        (FormatName.GEMINI, {"parts": "words"}, [Text]),
        (FormatName.GEMINI, {"role": "model", "parts": [{"function_call": {"id": "i", "name": "f", "args": None}}, {"executableCode": {}}]}, [ToolCall, Opaque]),
        (FormatName.GEMINI, {"role": "function", "parts": [{"function_response": {"id": "i", "name": "f", "response": {}}}]}, [ToolResult]),
        (FormatName.GEMINI, {"role": "user", "parts": [{"inline_data": {"mime_type": "image/png", "data": "AA=="}}]}, [Image]),
        (FormatName.GEMINI, {"role": "user", "parts": [{"inlineData": {"mimeType": "audio/wav", "data": "AA=="}}]}, [Opaque]),
        (FormatName.GEMINI, {"role": "model", "parts": [{"thoughtSignature": "s"}]}, [Opaque]),
        (FormatName.MCP, {"role": "user", "content": [{"type": "resource_link", "uri": "x"}]}, [Opaque]),
        (FormatName.MCP, {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": None}]}, [ToolCall]),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "message", "kinds"), _SPELLINGS)
def test_every_spelling_is_read(name: FormatName, message: JsonObject, kinds: list[type]) -> None:
    assert [type(block) for block in _blocks(name, message)] == kinds


@pytest.mark.parametrize("name", list(FormatName))
def test_every_block_is_written_validly_and_opaque_ones_are_left_out(name: FormatName) -> None:
    picture = Image(media_type="image/png", data="AAAA")
    call = ToolCall(call_id="c/1", name="f", arguments={"a": 1})
    result = ToolResult(call_id="c/1", name="f", text="words", images=(picture,), is_error=True)
    empty = ToolResult(call_id="c/1", name="f")
    opaque = Opaque(kind="thinking", source={"type": "thinking"})
    render = FORMATS[name].render
    for side, blocks in (
        (Side.ASSISTANT, (Text(text="says"), call, opaque)),
        (Side.ASSISTANT, (call,)),
        (Side.USER, (Text(text="and"), result, picture)),
        (Side.USER, (empty,)),
        (Side.USER, (picture, opaque)),
    ):
        made = render(side, blocks)
        assert made
        check_types(name, made)
        assert "thinking" not in str(made)
    assert render(Side.USER, (opaque,)) == []
    assert render(Side.ASSISTANT, (Text(text=""),)) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (FormatName.ANTHROPIC, {"role": "assistant", "content": "spoken as a bare string"}),
        (FormatName.MCP, {"role": "assistant", "content": {"type": "text", "text": "spoken as a bare block"}}),
        (FormatName.ANTHROPIC, {"role": "assistant", "content": None}),
    ],
)
def test_a_turn_of_several_messages_is_one_whatever_its_content_looks_like(
    name: FormatName, message: JsonObject
) -> None:
    call: JsonObject = {"type": "tool_use", "id": "p", "name": "run", "input": {}}
    history = [*write(name, *long_session(), User(text="run")), message, {"role": "assistant", "content": [call]}]
    result = CompactionEngine().compact(history, CompactionOptions(format=name, trigger=Trigger.AUTO, force=True))
    assert result.messages is not None
    check_types(name, result.messages)
    check_roles(name, result.messages)
    assert open_calls(name, result.messages) == ["p"]


def test_a_compaction_block_is_left_out_where_another_format_is_written_and_its_words_are_not() -> None:
    block: JsonObject = {"type": "compaction", "content": "The port must stay 5433."}
    carrier: JsonObject = {"role": "assistant", "content": [block]}
    history = [carrier, *write(FormatName.ANTHROPIC, *long_session())]
    options = CompactionOptions(output_format=FormatName.OPENAI_CHAT)
    result = CompactionEngine().compact(history, options)
    assert result.messages is not None
    check_types(FormatName.OPENAI_CHAT, result.messages)
    assert "The port must stay 5433." in result.summary


def test_gemini_pairs_by_name_where_one_side_has_no_id() -> None:
    def call(name: str, **given: str) -> JsonObject:
        return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}, **given}}]}

    def answer(name: str, **given: str) -> JsonObject:
        return {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {"output": "x"}, **given}}]}

    history = [
        *(call("read_file"), answer("read_file", id="read_file-1")),
        *(call("read_file", id="c2"), answer("read_file")),
        *(call("run", id="c3"), call("run", id="c4"), answer("run", id="c4"), answer("run")),
        answer("run"),
    ]
    pairing = pair_calls(parse(from_messages(history), FormatName.GEMINI).messages)
    assert [(record.call.call_id, record.answered_at) for record in pairing.calls] == [
        ("call_1_read_file", 1),
        ("c2", 3),
        ("c3", 7),
        ("c4", 6),
    ]
    assert [turn for turn, _ in pairing.stray_results] == [8]


def test_lines_of_a_session_file_that_hold_no_message_are_left_out() -> None:
    lines: list[JsonObject] = [
        {"type": "summary", "summary": "An older title", "leafUuid": "x"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "user", "message": {"role": "user", "content": "Hello."}, "uuid": "1", "sessionId": "s"},
        {"type": "system", "subtype": "compact_boundary", "content": "Compacted", "uuid": "2", "sessionId": "s"},
    ]
    raw = from_bytes("\n".join(json.dumps(line) for line in lines).encode())
    assert raw.messages == [{"role": "user", "content": "Hello."}]
