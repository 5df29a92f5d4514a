"""Conversations as applications keep them are read with their calls and how these ended, or named as what they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, Section, Status
from compaction.history.messages import Image, pair_calls
from compaction.history.origins import Origin, passages
from compaction.history.outcomes import Ending, command_of, ending_of
from compaction.history.transcript import from_bytes, from_messages, parse
from tests.compaction.history.sessions import FILLER

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject

_BEFORE: Json = {"type": "text", "text": "I run it."}
_BEHIND: Json = {"type": "text", "text": f"{FILLER} One fails."}
_INPUT: Json = {"command": "npm test"}
_FAULT = "1 test failed: login"


UI: Json = [
    {"id": "1", "role": "user", "parts": [{"type": "text", "text": "run it"}, {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk="}]},
    {"id": "2", "role": "assistant", "parts": [_BEFORE, {"type": "tool-bash", "toolCallId": "c", "state": "output-error", "input": _INPUT, "errorText": _FAULT}, _BEHIND]},
]  # fmt: skip
UI_OF_OLD: Json = [
    {"id": "1", "role": "user", "content": "run it", "parts": [{"type": "text", "text": "run it"}]},
    {"id": "2", "role": "assistant", "content": "", "parts": [_BEFORE, {"type": "tool-invocation", "toolInvocation": {"state": "result", "toolCallId": "c", "toolName": "bash", "args": _INPUT, "result": f"Exit code: 1\n{_FAULT}"}}, _BEHIND]},
]  # fmt: skip
MODEL: Json = [
    {"role": "user", "content": "run it"},
    {"role": "assistant", "content": [_BEFORE, {"type": "tool-call", "toolCallId": "c", "toolName": "bash", "input": _INPUT}]},
    {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "bash", "output": {"type": "error-text", "value": _FAULT}}]},
    {"role": "assistant", "content": [_BEHIND]},
]  # fmt: skip
OPENCODE: Json = {"info": {"id": "s"}, "messages": [
    {"info": {"role": "user"}, "parts": [{"type": "text", "text": "run it"}, {"type": "text", "text": "Called the Read tool", "synthetic": True}]},
    {"info": {"role": "assistant"}, "parts": [{"type": "step-start"}, _BEFORE, {"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "error", "input": _INPUT, "error": _FAULT}}, _BEHIND]},
]}  # fmt: skip
CONTINUE: Json = {"sessionId": "s", "history": [
    {"message": {"role": "user", "content": "run it"}, "contextItems": []},
    {"message": {"role": "assistant", "content": "I run it.", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "builtin_run", "arguments": json.dumps(_INPUT)}}]}},
    {"message": {"role": "tool", "content": f"Exit code: 1\n{_FAULT}", "toolCallId": "c"}},
    {"message": {"role": "assistant", "content": f"{FILLER} One fails."}},
]}  # fmt: skip
_TREE: Json = {"node": {"type": 1, "children": [
    {"type": 2, "text": "Exit code: 1", "lineBreakBefore": True}, {"type": 1, "children": [{"type": 2, "text": _FAULT, "lineBreakBefore": True}]},
]}}  # fmt: skip
COPILOT: Json = {"requesterUsername": "u", "requests": [{"message": {"text": "run it", "parts": []}, "response": [{"value": "I run it."}], "result": {"metadata": {
    "toolCallRounds": [
        {"response": "I run it.", "toolCalls": [{"id": "c", "name": "run_in_terminal", "arguments": json.dumps(_INPUT)}]},
        {"response": f"{FILLER} One fails.", "toolCalls": []},
    ],
    "toolCallResults": {"c": {"content": [{"value": _TREE}]}},
}}}]}  # fmt: skip
GRAPH: Json = {"values": {"messages": [
    {"type": "human", "content": "run it"},
    {"type": "ai", "content": "I run it.", "tool_calls": [{"name": "bash", "args": _INPUT, "id": "c"}]},
    {"type": "tool", "content": f"Exit code: 1\n{_FAULT}", "tool_call_id": "c"},
    {"type": "ai", "content": f"{FILLER} One fails."},
]}}  # fmt: skip
SHELL: Json = {"input": [
    {"role": "user", "content": "run it"},
    {"type": "shell_call", "call_id": "c", "action": {"commands": ["npm test"]}},
    {"type": "shell_call_output", "call_id": "c", "output": [{"stdout": "", "stderr": _FAULT, "outcome": {"type": "exit", "exit_code": 1}}]},
    {"type": "message", "role": "assistant", "content": f"{FILLER} One fails."},
]}  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [UI, UI_OF_OLD, MODEL, OPENCODE, CONTINUE, GRAPH, SHELL],
    ids=["ui", "ui-of-old", "model", "opencode", "continue", "langgraph", "responses-shell"],
)
def test_calls_of_applications_are_read_with_how_they_ended(value: Json) -> None:
    for raw in (from_bytes(json.dumps(value).encode()), from_messages(value)):
        transcript = parse(raw, None)
        (record,) = pair_calls(transcript.messages).calls
        assert command_of(record) == "npm test"
        assert ending_of(record) is Ending.FAILED
        assert record.result is not None
        assert _FAULT in record.result.text
        users = [p.text for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
        assert users == ["run it"]
    result = CompactionEngine().compact(value)
    assert result.status is Status.COMPACTED, result.detail
    assert "One fails." in result.sections[Section.CURRENT]
    assert "- `npm test`: " in result.sections[Section.ERRORS]


def test_a_chat_of_copilot_is_read_with_what_was_stopped_and_what_was_only_shown() -> None:
    shown: Json = [
        {"kind": "thinking", "value": "hm"},
        {"value": f"{FILLER} See "},
        {"kind": "inlineReference", "inlineReference": {"path": "/w/a.py"}},
    ]
    first: Json = {"message": "run it", "response": [], "result": {"metadata": {"toolCallRounds": [{"toolCalls": [{"id": "c", "name": "create_file",
        "arguments": '{"filePath":"a.py"}'}]}], "toolCallResults": {"c": {"content": [{"value": "ERROR while calling tool: Invalid input path: a.py."}]}}},
        "errorDetails": {"code": "canceled"}}}  # fmt: skip
    chat: Json = {"requests": [first, {"message": {"text": "stop"}, "response": shown, "result": None}]}
    run = CompactionEngine().compact(json.dumps(COPILOT).encode()).sections
    assert run[Section.ERRORS].startswith(f"- `npm test`: Exit code: 1 / {_FAULT}")
    assert "One fails." in run[Section.CURRENT]
    for log in ("", "Exporting session: s_1\n\n"):
        result = CompactionEngine().compact(f"{log}{json.dumps(chat, indent=1)}".encode())
        assert result.status is Status.COMPACTED, result.detail
        assert result.sections[Section.FILES].startswith(("None", "- Also named"))
        assert "The user interrupted the work here." in result.sections[Section.SOLVING]
        assert "See `/w/a.py`" in result.sections[Section.CURRENT]
        assert any("lines 1-2 of the transcript" in warning for warning in result.warnings) is bool(log)


def test_a_picture_of_the_ai_sdk_is_one() -> None:
    transcript = parse(from_messages(UI), None)
    assert [block.data for message in transcript.messages for block in message.blocks if isinstance(block, Image)] == ["aGk="]  # fmt: skip


def _chat(*texts: str) -> JsonObject:
    senders = ("human", "assistant") * len(texts)
    messages: list[Json] = [{"sender": sender, "text": text} for sender, text in zip(senders, texts, strict=False)]
    return {"uuid": "x", "name": "n", "chat_messages": messages}


def test_the_conversation_of_an_export_is_read_and_of_several_none() -> None:
    for value in (_chat("run it", "Done."), [_chat("run it", "Done."), _chat()]):
        transcript = parse(from_bytes(json.dumps(value).encode()), None)
        assert [p.text for message in transcript.messages for p in passages(message)] == ["run it"]
        assert len(transcript.messages) == 2
    result = CompactionEngine().compact(json.dumps([_chat("a", "b"), _chat("c", "d")]).encode())
    assert result.status is Status.INVALID_INPUT
    assert "2 conversations" in result.detail


def test_values_of_a_file_that_are_no_messages_are_not_taken_for_a_conversation_in_which_nobody_speaks() -> None:
    result = CompactionEngine().compact(json.dumps([{"uuid": "x", "turns": [FILLER]}]).encode())
    assert result.status is Status.INVALID_INPUT
    assert "uuid, turns" in result.detail
