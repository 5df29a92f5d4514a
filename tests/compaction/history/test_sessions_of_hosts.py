"""Sessions as their hosts write them: every message is read, a host's own texts are not the user's, bad lines are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import Section
from compaction.history.transcript import from_bytes, parse
from tests.compaction.history.sessions import FILLER, compacted
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from compaction.values import JsonObject


def test_host_texts_are_not_the_users_and_queued_words_are() -> None:
    lines: list[JsonObject] = [
        {"type": "user", "message": {"role": "user", "content": "Fix it."}},
        {
            "type": "user",
            "message": {"role": "user", "content": "<command-name>/exit</command-name>\n<command-args></command-args>"},
        },
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": "<command-name>/review</command-name>\n<command-args>167</command-args>",
            },
        },
        {
            "type": "user",
            "message": {"role": "user", "content": "Operation stopped by hook: another session is active"},
        },
        {"type": "queue-operation", "operation": "enqueue", "content": "and make sure it is tested"},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": FILLER}]}},
    ]
    told = compacted("\n".join(map(json.dumps, lines)).encode()).sections[Section.USER_MESSAGES]
    assert "and make sure it is tested" in told
    assert "/review 167" in told
    assert "/exit" not in told
    assert "Operation stopped" not in told


@pytest.mark.parametrize(
    ("raw", "messages", "warnings"),
    [
        (
            '{"role": "user", "content": "a"}{"role": "assistant", "content": "b"}\n{"role": "user", "content": "c"}',
            3,
            0,
        ),
        ('{"role": "user", "content": "a\u2028b\u0085c"}\n{"role": "assistant", "content": "b"}', 2, 0),
        ('{"role": "user", "content": "a"}\n{"role": "assistant", "content": "b"}\n{"role": "us', 2, 1),
        ('{"role": "user", "content": "a"}\nnot json\n{"role": "assistant", "content": "b"}', 2, 1),
        ('{"role": "user", "content": "a"}\nnull\n\n[1]\n{"role": "assistant", "content": "b"}', 2, 2),
        ('{"role": "user", "content": "a"}{"role": "us\n{"role": "assistant", "content": "b"}', 2, 1),
    ],
)
def test_a_session_file_is_read_as_far_as_it_can_be(raw: str, messages: int, warnings: int) -> None:
    history = from_bytes(raw.encode())
    assert len(history.messages) == messages
    assert len(history.warnings) == warnings
    assert all("line" in warning for warning in history.warnings)


def test_every_line_that_cannot_be_read_is_named_by_its_number() -> None:
    good = b'{"role": "user", "content": "a"}'
    bad = [b"\xff\xfe" if number % 2 else b"null" for number in range(30)]
    history = from_bytes(b"\n".join([good, b'{"role": "user", "content": "\xe4"}', good, *bad, good, b"", b"{"]))
    assert len(history.messages) == 3
    assert history.warnings[:2] == (
        "line 2 of the transcript cannot be read and is left out",
        "line 4 of the transcript cannot be read and is left out",
    )
    assert history.warnings[-1] == "lines 23-33, 36 of it cannot be read either"
    with pytest.raises(InvalidArgumentError, match="not UTF-8"):
        from_bytes(b"\xff\xfe")


GEMINI = {
    "sessionId": "s", "projectHash": "h",
    "messages": [
        {"type": "user", "content": "add a file"},
        {"type": "gemini", "content": "I add it.", "toolCalls": [{"id": "c1", "name": "write_file", "args": {"file_path": "a.md"}, "status": "success",
         "result": [{"functionResponse": {"id": "c1", "name": "write_file", "response": {"output": "Successfully created"}}}]}]},
        {"type": "info", "content": "update available"},
    ],
}  # fmt: skip
OPENHANDS = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": "add a file"}},
    {
        "id": 1,
        "source": "agent",
        "action": "run",
        "args": {"command": "make", "thought": "I build it."},
        "tool_call_metadata": {"tool_call_id": "t1"},
    },
    {
        "id": 2,
        "source": "agent",
        "observation": "run",
        "cause": 1,
        "content": "no rule",
        "extras": {"metadata": {"exit_code": 2}},
    },
]
SWE = {
    "trajectory": [],
    "history": [
        {"role": "user", "content": "demonstration", "is_demo": True},
        {"role": "user", "content": "add a file"},
        {"role": "assistant", "content": "I open it.\n```\nopen src/a.py 12\n```"},
        {"role": "user", "content": "[File: src/a.py]\n(Open file: /r/src/a.py)\n(Current directory: /r)\nbash-$"},
        {"role": "assistant", "content": "I edit it.\n```\nedit 1:1\nx = 1\nend_of_edit\n```"},
        {
            "role": "user",
            "content": "Your proposed edit has introduced new syntax error(s).\n(Open file: /r/src/a.py)\n(Current directory: /r)\nbash-$",
        },
    ],
}
PI = [
    {"type": "session", "id": "p"},
    {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "add a file"}]}},
    {
        "type": "message",
        "message": {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "t", "name": "bash", "arguments": {"command": "ls"}}],
        },
    },
    {
        "type": "message",
        "message": {
            "role": "toolResult",
            "toolCallId": "t",
            "content": [{"type": "text", "text": "a.py"}],
            "isError": False,
        },
    },
]
ADK = {"events": [
    {"author": "user", "content": {"role": "user", "parts": [{"text": "add a file"}]}},
    {"author": "coder", "content": {"role": "model", "parts": [{"functionCall": {"id": "f", "name": "write_file", "args": {"path": "a"}}}]}},
    {"author": "coder", "content": {"role": "user", "parts": [{"functionResponse": {"id": "f", "name": "write_file", "response": {"ok": True}}}]}},
]}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "calls", "failed"),
    [(GEMINI, 1, 0), (OPENHANDS, 1, 1), (SWE, 2, 1), (PI, 1, 0), (ADK, 1, 0)],
    ids=["gemini-cli", "openhands", "swe-agent", "pi", "adk"],
)
def test_sessions_of_other_hosts_are_read_with_their_calls(value: object, calls: int, failed: int) -> None:
    from compaction.history.messages import pair_calls
    from compaction.history.origins import Origin, passages

    transcript = parse(from_bytes(json.dumps(value).encode()), None)
    records = pair_calls(transcript.messages).calls
    assert len(records) == calls
    assert all(record.result is not None for record in records)
    assert sum(record.result.is_error for record in records if record.result) == failed
    spoken = [p.text for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
    assert spoken == ["add a file"]
