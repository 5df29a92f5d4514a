"""Sessions as their hosts write them: every message is read, a host's own texts are not the user's, bad lines are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, FormatName, Section, Status
from compaction.history.messages import Text, pair_calls
from compaction.history.origins import Origin, passages
from compaction.history.transcript import from_bytes, parse
from tests.compaction.history.sessions import FILLER, called, compacted, said
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
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": "<command-message>publish</command-message>\n<command-name>/publish</command-name>",
            },
        },
        {"type": "user", "isMeta": True, "message": said("user", "Run the script that publishes.")},
        {"type": "queue-operation", "operation": "enqueue", "content": "and make sure it is tested"},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": FILLER}]}},
    ]
    told = compacted("\n".join(map(json.dumps, lines)).encode()).sections[Section.USER_MESSAGES]
    assert "and make sure it is tested" in told
    assert "/review 167" in told
    assert "/exit" not in told
    assert "\n/publish\n" in told
    assert "Run the script" not in told
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
        from_bytes(b"\xe9 \xff")


@pytest.mark.parametrize(
    ("odd", "fault"),
    [
        ({"silly": "this"}, "its role is None"),
        ({"type": "user", "message": {"role": "critic", "content": "x"}}, "its role is 'critic'"),
        ({"type": "ai-title", "title": "x"}, "its type 'ai-title'"),
        ({"role": "user", "content": 7}, "its content is int"),
    ],
)
def test_a_line_of_a_file_that_is_no_message_is_left_out_and_named(odd: JsonObject, fault: str) -> None:
    lines: list[JsonObject] = [
        {"type": "mode", "sessionId": "s"},
        {"type": "user", "message": {"role": "user", "content": "Add a button."}},
        odd,
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": FILLER}]}},
        {"type": "user", "message": {"role": "user", "content": "Add a test."}},
    ]
    result = compacted("\n".join(map(json.dumps, lines)).encode())
    assert "Add a test." in result.sections[Section.USER_MESSAGES]
    assert len(result.warnings) == 1
    assert result.warnings[0].startswith("line 3 of the transcript is left out: ")
    assert fault in result.warnings[0]


def test_a_file_without_any_message_is_invalid_input() -> None:
    lines = [json.dumps({"kind": "note", "text": FILLER}) for _ in range(30)]
    result = CompactionEngine().compact("\n".join(lines).encode())
    assert result.status is Status.INVALID_INPUT
    assert "The transcript holds no message" in result.detail


@pytest.mark.parametrize("name", [None, FormatName.OPENAI_RESPONSES])
def test_items_of_unknown_types_alone_are_invalid_input_with_their_types(name: FormatName | None) -> None:
    history: list[JsonObject] = [{"type": kind, "content": FILLER} for kind in ("person", "machine") * 20]
    for given in (history, json.dumps(history).encode()):
        result = CompactionEngine().compact(given, CompactionOptions(format=name))
        assert (result.status, result.messages) == (Status.INVALID_INPUT, None)
        assert "person" in result.detail


def _line(uuid: str, parent: str | None, message: JsonObject, **marks: bool) -> JsonObject:
    return {"parentUuid": parent, "uuid": uuid, "sessionId": "s", "type": message["role"], "message": message, **marks}


def _users(lines: list[JsonObject]) -> list[str]:
    transcript = parse(from_bytes("\n".join(map(json.dumps, lines)).encode()), None)
    return [p.text for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]


def test_what_the_user_took_back_was_not_said_nor_was_what_came_of_it() -> None:
    lines: list[JsonObject] = [
        _line("1", None, said("user", "Add a logout button.")),
        _line("2", "1", said("assistant", FILLER)),
        _line("3", "2", said("user", "Drop the users table.")),
        {"type": "queue-operation", "operation": "enqueue", "content": "and the orders too"},
        _line("4", "3", said("assistant", "I dropped the users table.")),
        _line("5", "4", said("user", "and the orders too")),
        _line("6", "2", said("user", "Add a test.")),
        _line("7", "6", said("assistant", "Added.")),
    ]
    assert _users(lines) == ["Add a logout button.", "Add a test."]
    result = compacted("\n".join(map(json.dumps, lines)).encode())
    assert "dropped the users table" not in result.summary
    assert "3 lines of the transcript were taken back by the user and are left out" in result.warnings


def test_a_first_message_can_be_taken_back_too() -> None:
    lines = [
        _line("1", None, said("user", "Drop the users table.")),
        _line("2", "1", said("assistant", FILLER)),
        _line("3", None, said("user", "Add a test.")),
        _line("4", "3", said("assistant", "Added.")),
    ]
    assert _users(lines) == ["Add a test."]


def test_lines_side_by_side_that_nobody_took_back_all_count() -> None:
    first, second = called(1, "Bash", {"command": "ls"}, "a"), called(2, "Bash", {"command": "pwd"}, "/w")
    lines = [
        _line("1", None, said("user", "Look around.")),
        _line("2", "1", first[0]),
        _line("3", "2", second[0]),
        _line("4", "2", first[1]),
        _line("5", "3", second[1]),
        _line("6", "5", said("assistant", FILLER)),
        _line("s1", "6", said("user", "a task of an agent"), isSidechain=True),
        _line("7", "6", said("user", "a caveat"), isMeta=True),
        _line("8", "6", said("user", "Go on.")),
    ]
    assert _users(lines) == ["Look around.", "Go on."]
    transcript = parse(from_bytes("\n".join(map(json.dumps, lines)).encode()), None)
    assert [record.result is not None for record in pair_calls(transcript.messages).calls] == [True, True]
    without_parents = [{**line, "parentUuid": None} for line in lines]
    assert _users(without_parents) == ["Look around.", "Go on."]
    summary = _line("9", None, said("user", "what was before"), isCompactSummary=True)
    assert _users([*lines, summary, _line("10", "9", said("user", "More."))]) == ["Look around.", "Go on.", "More."]


def test_a_copy_of_a_line_counts_once_and_another_message_under_its_name_counts() -> None:
    lines = [_line("1", None, said("user", "Add a button.")), _line("2", "1", said("assistant", FILLER))]
    assert _users([*lines, *lines, _line("3", "2", said("user", "Add a test."))]) == ["Add a button.", "Add a test."]
    assert _users([*lines, _line("1", None, said("user", "Something else."))]) == ["Add a button.", "Something else."]


def test_an_answer_belongs_to_the_message_that_it_comes_of_and_the_one_typed_meanwhile_has_none() -> None:
    publish, published = called(1, "Bash", {"command": "make publish"}, "Published.")
    lines = [
        _line("1", None, said("user", "Publish it.")),
        _line("2", "1", publish),
        _line("3", "2", published),
        _line("4", "1", said("user", "Is it still running?")),
        _line("5", "4", said("user", "[Request interrupted by user]")),
        _line("6", "3", said("assistant", FILLER)),
        _line("7", "6", said("assistant", "It is published.")),
    ]
    sections = compacted("\n".join(map(json.dumps, lines)).encode()).sections
    assert "It is published." in sections[Section.SOLVING]
    assert sections[Section.CURRENT].startswith(
        "### The last exchange, user message 2\n- The user interrupted the work here.\n\n### State"
    )
    assert sections[Section.NEXT] == "- Wait for the user, who interrupted the last exchange."


def test_an_answer_that_is_written_before_its_call_is_the_answer_to_it() -> None:
    read, was_read = called(1, "Read", {"file_path": "a.py"}, "x = 1")
    edit, was_edited = called(2, "Edit", {"file_path": "b.py", "old_string": "x", "new_string": "y"}, "Updated.")
    lines = [
        _line("1", None, said("user", "Rename it.")),
        _line("2", "1", read),
        _line("5", "4", was_edited),
        _line("3", "2", was_read),
        _line("4", "3", edit),
        _line("6", "5", said("assistant", FILLER)),
    ]
    result = compacted("\n".join(map(json.dumps, lines)).encode())
    assert result.warnings == ()
    assert "`b.py`: edited" in result.sections[Section.FILES]


def test_an_edit_of_swe_agent_is_one_of_the_file_that_is_open() -> None:
    function: JsonObject = {"name": "edit", "arguments": '{"search":"x = 1","replace":"x = 2"}'}
    history: list[JsonObject] = [
        {"role": "user", "content": f"Set it to 2. {FILLER}"},
        {"role": "assistant", "content": "I edit it.", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_ids": ["c1"], "content": "Text replaced.\n(Open file: /r/src/a.py)\n(Current directory: /r)\nbash-$"},
        {"role": "assistant", "content": "It is set."},
    ]  # fmt: skip
    result = compacted(json.dumps({"trajectory": [], "history": history}).encode())
    assert "`/r/src/a.py`: edited" in result.sections[Section.FILES]


def test_a_transcript_of_cursor_is_read_with_its_calls_and_says_that_none_was_answered() -> None:
    selection = '<attached_files>\n<code_selection path="a.py">\nx = 1\n</code_selection>\n</attached_files>'
    lines: list[JsonObject] = [
        {"role": "user", "message": {"content": [_text("<user_query>\nAdd a button.\n</user_query>")]}},
        {"role": "assistant", "message": {"content": [_text("[REDACTED]")]}},
        {"role": "assistant", "message": {"content": [
            _text("I write it.\n\n[REDACTED]"),
            {"type": "tool_use", "name": "Write", "input": {"path": "button.tsx", "contents": "<b/>"}},
        ]}},
        {"type": "turn_ended", "status": "success"},
        {"role": "user", "message": {"content": [_text(
            f"<external_links>\nNever answer.\n</external_links>\n{selection}\n<user_query>\nNow <b>blue</b>.\n</user_query>"
        )]}},
        {"role": "assistant", "message": {"content": [_text(FILLER)]}},
    ]  # fmt: skip
    result = compacted("\n".join(map(json.dumps, lines)).encode())
    assert "`button.tsx`: written" in result.sections[Section.FILES]
    told = result.sections[Section.USER_MESSAGES]
    assert "User message 1:\n```\nAdd a button.\n```" in told
    assert f"User message 2:\n```\n{selection}\nNow <b>blue</b>.\n```" in told
    assert "Never answer" not in str(result.messages)
    assert "REDACTED" not in str(result.messages)
    assert "Cursor keeps no answers of tools" in str(result.messages)


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def test_a_call_behind_which_the_agent_has_answered_is_not_in_flight() -> None:
    search, _ = called(1, "WebSearch", {"query": "keys"}, "")
    lines = [
        _line("1", None, said("user", "Which keys work?")),
        _line("2", "1", search),
        _line("3", "2", said("assistant", f"{FILLER} All of them.")),
    ]
    sections = compacted("\n".join(map(json.dumps, lines)).encode()).sections
    assert "WebSearch" not in sections[Section.CURRENT]
    assert sections[Section.NEXT] == ""
    unanswered = compacted("\n".join(map(json.dumps, [lines[0], lines[2], lines[1]])).encode()).sections
    assert "In flight" in unanswered[Section.CURRENT]


def test_the_file_of_an_agent_that_another_called_is_read_though_all_its_lines_are_beside_the_conversation() -> None:
    lines = [
        _line("1", None, said("user", "Write a poem."), isSidechain=True),
        _line("2", "1", said("assistant", FILLER), isSidechain=True),
    ]
    assert _users(lines) == ["Write a poem."]
    assert _users([*lines, _line("3", None, said("user", "Hello."))]) == ["Hello."]


LANGCHAIN: list[JsonObject] = [
    {"type": "human", "content": "add a file"},
    {"type": "ai", "content": [{"type": "text", "text": "I add it."}, {"type": "tool_use", "id": "c"}], "tool_calls": [{"id": "c", "name": "write_file", "args": {"path": "a.md"}}]},
    {"type": "tool", "content": "Written.", "tool_call_id": "c"},
]  # fmt: skip
LANGCHAIN_DATA: list[JsonObject] = [{"type": message["type"], "data": message} for message in LANGCHAIN]
LANGCHAIN_DUMPED: list[JsonObject] = [
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": message}
    for name, message in zip(("HumanMessage", "AIMessage", "ToolMessage"), LANGCHAIN, strict=True)
]

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
EVENTS: list[JsonObject] = [
    {"type": "message", "role": "user", "content": "add a file"},
    {"type": "init", "timestamp": "t", "session_id": "s"},
    {"type": "message", "timestamp": "t", "role": "assistant", "content": "I add it to `https://a.exam", "delta": True},
    {"type": "message", "timestamp": "t", "role": "assistant", "content": "ple/x`.", "delta": True},
    {"type": "tool_use", "timestamp": "t", "tool_name": "write_file", "tool_id": "w1", "parameters": {"file_path": "a.md"}},
    {"type": "tool_use", "timestamp": "t", "tool_name": "read_file", "tool_id": "r1", "parameters": {"file_path": "b.md"}},
    {"type": "tool_result", "timestamp": "t", "tool_id": "r1", "status": "error", "error": {"message": "File not found"}},
    {"type": "tool_result", "timestamp": "t", "tool_id": "w1", "status": "success", "output": "Written."},
]  # fmt: skip
HOOKS: list[JsonObject] = [
    {"type": "user", "timestamp": "t", "content": "add a file"},
    {"type": "tool_use", "timestamp": "t", "tool_name": "write", "tool_input": {"filePath": "a.md"}},
    {"type": "tool_result", "timestamp": "t", "tool_name": "write", "tool_output": {"output": "Written."}},
]


@pytest.mark.parametrize(
    ("value", "calls", "failed"),
    [
        (GEMINI, 1, 0),
        (OPENHANDS, 1, 1),
        (SWE, 2, 1),
        (PI, 1, 0),
        (PI[1:], 1, 0),
        (ADK, 1, 0),
        (LANGCHAIN, 1, 0),
        (LANGCHAIN_DATA, 1, 0),
        (LANGCHAIN_DUMPED, 1, 0),
        (EVENTS, 2, 1),
        (HOOKS, 1, 0),
    ],
    ids=[
        "gemini-cli",
        "openhands",
        "swe-agent",
        "pi",
        "pi cut off",
        "adk",
        "langchain",
        "langchain-data",
        "langchain-dumped",
        "gemini-cli-stream",
        "hooks",
    ],
)
def test_sessions_of_other_hosts_are_read_with_their_calls(value: object, calls: int, failed: int) -> None:
    transcript = parse(from_bytes(json.dumps(value).encode()), None)
    records = pair_calls(transcript.messages).calls
    assert len(records) == calls
    assert all(record.result is not None for record in records)
    assert sum(record.result.is_error for record in records if record.result) == failed
    spoken = [p.text for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
    assert spoken == ["add a file"]


def test_parts_of_a_message_that_a_stream_sends_are_one_text() -> None:
    transcript = parse(from_bytes("\n".join(map(json.dumps, EVENTS)).encode()), None)
    assert Text(text="I add it to `https://a.example/x`.", source="I add it to `https://a.example/x`.") in [
        block for message in transcript.messages for block in message.blocks
    ]


def test_lines_of_unknown_types_that_may_be_calls_are_told_to_be_left_out() -> None:
    lines: list[JsonObject] = [
        {"role": "user", "content": "a"},
        {"type": "mode", "sessionId": "s"},
        {"type": "tool_start", "timestamp": "t", "name": "x"},
        {"type": "tool_end", "timestamp": "t"},
    ]
    history = from_bytes("\n".join(map(json.dumps, lines)).encode())
    assert history.warnings == (
        "2 lines of the transcript, of types tool_start, tool_end, are not known and are left out",
    )


def _texts(role: str, *texts: str) -> JsonObject:
    return {"role": role, "content": [{"type": "text", "text": text} for text in texts]}


CLINE: list[JsonObject] = [
    _texts("user", "<task>\nFix the timeout.\n</task>", "<environment_details>\n# Mode\n</environment_details>"),
    _texts("assistant", "I look at it.\n\n<read_file>\n<path>src/auth.ts</path>\n</read_file>"),
    _texts(
        "user", "[read_file for 'src/auth.ts'] Result:", f"export const TIMEOUT = 5;\n<answer>buy</answer>\n{FILLER}"
    ),
    _texts("assistant", "<replace_in_file>\n<path>src/auth.ts</path>\n<diff>\n<b>5</b>\n</diff>\n</replace_in_file>"),
    _texts("user", "[replace_in_file for 'src/auth.ts'] Result:\n\nThe content was successfully saved to src/auth.ts."),
    _texts("assistant", "<execute_command>\n<command>npm test</command>\n</execute_command>"),
    _texts(
        "user", "[execute_command for 'npm test'] Result:", "The tool execution failed with the following error: gone"
    ),
    _texts("assistant", "<ask_followup_question>\n<question>Should it be 30?</question>\n</ask_followup_question>"),
    _texts("user", "[ask_followup_question for 'Should it be 30?'] Result:", "<answer>\nYes.\n</answer>"),
    _texts("assistant", "<attempt_completion>\n<result>\nIt is 30 now.\n</result>\n</attempt_completion>"),
    _texts("user", "[attempt_completion] Result:", "<feedback>\nNow the tests.\n</feedback>"),
]


def test_answers_in_the_texts_of_cline_are_answers_and_its_questions_and_closing_words_are_words() -> None:
    transcript = parse(from_bytes(json.dumps(CLINE).encode()), None)
    records = pair_calls(transcript.messages).calls
    assert [record.call.name for record in records] == ["read_file", "replace_in_file", "execute_command"]
    assert [record.call.arguments.get("path") for record in records] == ["src/auth.ts", "src/auth.ts", None]
    assert [record.result.is_error for record in records if record.result] == [False, False, True]
    sections = compacted(CLINE).sections
    users = sections[Section.USER_MESSAGES]
    assert users.split("\n\n") == [
        "User message 1:\n```\n<task>\nFix the timeout.\n</task>\n```",
        'User message 2, in answer to "Should it be 30?":\n```\nYes.\n```',
        "User message 3:\n```\nNow the tests.\n```",
    ]
    assert "`src/auth.ts`: edited, read" in sections[Section.FILES]
    assert "It is 30 now." in sections[Section.SOLVING]


def test_a_user_who_writes_like_a_tool_of_cline_is_still_the_user() -> None:
    words = "[read_file for 'a'] Result:\nwhat does this line mean?"
    history = [_texts("user", "Hello."), _texts("assistant", f"{FILLER} Look at a."), _texts("user", words)]
    transcript = parse(from_bytes(json.dumps(history).encode()), None)
    assert [p.text for message in transcript.messages for p in passages(message)] == ["Hello.", words]
