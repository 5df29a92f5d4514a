"""Bad input: what can be used is used with a warning, what cannot is named; nothing is ever raised."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compaction.history import CompactionEngine, CompactionOptions, CompactionResult, FormatName, Mode, Status
from compaction.history.options import FileLimits
from compaction.history.transcript import from_messages, parse
from tests.compaction.history.conversations import ALL_FORMATS, Said, User, long_session, write
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from compaction.values import Json, JsonObject

_ENGINE = CompactionEngine()


def _with(name: FormatName, *odd: JsonObject) -> CompactionResult:
    return _ENGINE.compact([*odd, *write(name, *long_session())], CompactionOptions(format=name))


_USABLE: list[tuple[FormatName, JsonObject, str]] = [
    (FormatName.ANTHROPIC, {"role": "user", "content": None}, "message 0: it has no content"),
    (FormatName.ANTHROPIC, {"role": "user", "content": []}, "message 0: it has no content"),
    (FormatName.ANTHROPIC, {"role": "user", "content": ["bare", 7]}, "a content block is int"),
    (FormatName.ANTHROPIC, {"role": "user", "content": [{"type": "hologram"}]}, "unknown block type 'hologram'"),
    (FormatName.ANTHROPIC, {"role": "user", "content": [{}]}, "is empty"),
    (FormatName.ANTHROPIC, {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "f", "input": "[1"}]}, "are no object"),
    (FormatName.ANTHROPIC, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "no", "content": None}]}, "answers no call"),
    (FormatName.OPENAI_CHAT, {"role": "user", "content": None}, "message 0: it has no content"),
    (FormatName.OPENAI_CHAT, {"role": "user", "content": [{"type": "smell"}]}, "unknown content part 'smell'"),
    (FormatName.OPENAI_CHAT, {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": "{oops"}}]}, "not valid JSON"),
    (FormatName.OPENAI_CHAT, {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": "[1]"}}]}, "no JSON object"),
    (FormatName.OPENAI_CHAT, {"role": "assistant", "content": None, "tool_calls": ["x"]}, "not an object"),
    (FormatName.OPENAI_RESPONSES, {"type": "teleport_call", "id": "x"}, "unknown item type 'teleport_call'"),
    (FormatName.OPENAI_RESPONSES, {"role": "user", "content": [{"type": "input_smell"}]}, "unknown content part"),
    (FormatName.OPENAI_RESPONSES, {"role": "user", "content": None}, "it has no content"),
    (FormatName.OPENAI_RESPONSES, {"type": "function_call", "call_id": "x", "name": "f", "arguments": "{oops"}, "not valid JSON"),
    (FormatName.GEMINI, {"role": "user", "parts": []}, "it has no parts"),
    (FormatName.GEMINI, {"role": "user"}, "it has no parts"),
    (FormatName.GEMINI, {"role": "user", "parts": [{"dance": 1}]}, "unknown part 'dance'"),
    (FormatName.GEMINI, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": 7}}]}, "are no object"),
    (FormatName.MCP, {"role": "user", "content": []}, "it has no content"),
    (FormatName.MCP, {"role": "user", "content": "bare words"}, "bare string"),
    (FormatName.MCP, {"role": "user", "content": {"type": "smell"}}, "unknown block type 'smell'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "odd", "warning"), _USABLE)
def test_what_can_be_used_is_used_with_a_warning(name: FormatName, odd: JsonObject, warning: str) -> None:
    result = _with(name, odd)
    assert result.status is Status.COMPACTED, result.detail
    if warning != "is empty":
        assert any(warning in line for line in result.warnings), result.warnings


_UNUSABLE: list[tuple[FormatName, Json]] = [
    *[(name, {"role": "wizard", "content": "x", "parts": [{"text": "x"}]}) for name in ALL_FORMATS],
    *[(name, "not an object") for name in ALL_FORMATS],
    *[(name, None) for name in ALL_FORMATS],
    (FormatName.ANTHROPIC, {"content": "no role"}),
    (FormatName.ANTHROPIC, {"role": "user", "content": 7}),
    (FormatName.OPENAI_CHAT, {"role": "user", "content": {"type": "text"}}),
    (FormatName.OPENAI_RESPONSES, {"content": "neither type nor role"}),
    (FormatName.OPENAI_RESPONSES, {"role": "user", "content": 7}),
    (FormatName.GEMINI, {"role": "user", "parts": {"text": "x"}}),
    (FormatName.MCP, {"role": "user", "content": 7}),
]


@pytest.mark.parametrize(("name", "odd"), _UNUSABLE)
def test_what_cannot_be_used_is_invalid_input_with_the_index_of_the_message(name: FormatName, odd: Json) -> None:
    history: list[Json] = [*write(name, *long_session()), odd]
    result = _ENGINE.compact(history, CompactionOptions(format=name))
    assert result.status is Status.INVALID_INPUT
    assert result.failed_at == len(history) - 1
    assert f"Message {len(history) - 1} cannot be used" in result.detail
    assert result.messages is None


@pytest.mark.parametrize(
    "given", [None, 7, "text", {"role": "user"}, {"messages": 7}, b"{", b"[1", b"\xff\xfe", b"7", b'"x"', b"nul"]
)
def test_what_is_no_history_at_all_is_invalid_input(given: object) -> None:
    assert _ENGINE.compact(given).status is Status.INVALID_INPUT


def test_values_that_json_does_not_have_are_invalid_input() -> None:
    result = _ENGINE.compact([{"role": "user", "content": "a"}, {"role": "user", "content": b"bytes"}])
    assert (result.status, result.failed_at) == (Status.INVALID_INPUT, 1)


def test_nesting_without_end_is_invalid_input() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    result = _ENGINE.compact([{"role": "user", "content": cycle}])
    assert (result.status, result.failed_at) == (Status.INVALID_INPUT, 0)
    assert _ENGINE.compact(b"[" * 100_000).status is Status.INVALID_INPUT


@pytest.mark.parametrize(
    "history", [[], [{"role": "user", "content": "only one"}], [{"role": "system", "content": "s"}] * 3]
)
def test_a_history_with_nothing_to_compact_is_too_short(history: list[JsonObject] | bytes) -> None:
    assert _ENGINE.compact(history).status is Status.NOOP_TOO_SHORT


def test_a_history_that_holds_only_reminders_of_the_host_is_too_short() -> None:
    reminder = {"role": "user", "content": "<system-reminder>be nice</system-reminder>"}
    assert _ENGINE.compact([reminder, reminder]).status is Status.NOOP_TOO_SHORT


def test_a_record_says_that_a_part_of_the_history_could_not_be_read() -> None:
    lines = [json.dumps(message) for message in write(FormatName.ANTHROPIC, *long_session())]
    torn = [
        *lines[:4],
        '{"role": "user", "content": "</compacted-history> torn',
        *lines[4:],
        '{"type": "hologram_call", "uuid": "u"}',
    ]
    result = CompactionEngine().compact("\n".join(torn).encode(), CompactionOptions())
    whole = CompactionEngine().compact("\n".join(lines).encode(), CompactionOptions())

    preface = next(line for line in str(result.messages).split("\\n") if line.startswith("This is the record"))
    assert preface.endswith(
        " Not all of the conversation could be read (line 5 of the transcript cannot be read and is left out; 1 lines of the "
        "transcript, of types hologram_call, are not known and are left out): what is not told here may still have happened."
    )
    assert "could be read" not in str(whole.messages)


def test_many_warnings_are_counted_instead_of_listed() -> None:
    odd: list[JsonObject] = [{"role": "user", "content": [{"type": f"odd{number}"}]} for number in range(80)]
    result = _with(FormatName.ANTHROPIC, *odd)
    assert "30 more warnings about the input are left out" in result.warnings


def test_warnings_that_say_the_same_are_counted() -> None:
    odd: list[JsonObject] = [{"role": "user", "content": None} for _ in range(80)]
    result = _with(FormatName.ANTHROPIC, *odd)
    assert [warning for warning in result.warnings if "no content" in warning][4:] == [
        "message 4: it has no content",
        "75 more: it has no content",
    ]


def test_parts_that_say_again_what_the_calls_of_a_message_say_are_read_past() -> None:
    call: JsonObject = {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    part: JsonObject = {"type": "tool_call", "tool_call_id": "c", "name": "ls", "arguments": "{}"}
    messages: list[JsonObject] = [
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [part], "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "a.py"},
    ]
    assert parse(from_messages(messages), None).warnings == ()


def test_a_history_that_cannot_become_smaller_is_left_alone() -> None:
    result = _ENGINE.compact(write(FormatName.ANTHROPIC, User(text="hi"), Said(text="hello")))
    assert result.status is Status.FAILED_INFLATED
    assert result.messages is None
    assert "The shortest form has" in result.detail


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "type",
                    "text",
                    "parts",
                    "tool_calls",
                    "function",
                    "arguments",
                    "id",
                    "name",
                    "input",
                    "functionCall",
                    "functionResponse",
                    "response",
                    "call_id",
                    "output",
                    "image_url",
                    "source",
                    "data",
                    "inlineData",
                ]
            )
            | st.text(max_size=4),
            inner
            | st.sampled_from(
                ["user", "assistant", "model", "tool", "text", "tool_use", "tool_result", "function_call", "image"]
            ),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", [None, *ALL_FORMATS])
@settings(max_examples=60, deadline=None)
@given(odd=st.lists(_json, max_size=4))
def test_no_json_whatever_raises(name: FormatName | None, odd: list[Json]) -> None:
    tail = write(name or FormatName.OPENAI_CHAT, *long_session(2))
    assert isinstance(_ENGINE.compact([*odd, *tail], CompactionOptions(format=name)), CompactionResult)


def test_a_result_is_json_all_through() -> None:
    for history in ([], write(FormatName.GEMINI, *long_session()), [7]):
        made = json.loads(json.dumps(_ENGINE.compact(history).as_json()))
        assert set(made) >= {
            "status",
            "messages",
            "summary",
            "sections",
            "files",
            "images",
            "tokens",
            "thresholds",
            "warnings",
        }


@pytest.mark.parametrize(
    "wrong",
    [
        {"keep_tail_tokens": -1},
        {"context_window": 0},
        {"target_tokens": 0},
        {"instructions": "x" * 2_001},
        {"read_tool": ""},
        {"files": FileLimits(files=-1)},
    ],
)
def test_options_that_make_no_sense_are_a_callers_mistake(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidArgumentError):
        CompactionOptions(**wrong)  # type: ignore[arg-type]  # wrong on purpose


_LONG: dict[str, Callable[[int], list[JsonObject]]] = {
    "only the user": lambda count: [{"role": "user", "content": "of"}] * count,
    "one question and many answers": lambda count: [
        {"role": "assistant", "content": "It is done. Shall I go on?"},
        *({"role": "user", "content": f"yes {number}"} for number in range(count)),
    ],
    "calls without results": lambda count: [
        {"role": "assistant", "content": [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}}]}
        for number in range(count)
    ],
    "only the host": lambda count: [{"role": "system", "content": f"rule {number}"} for number in range(count)],
}


@pytest.mark.parametrize("kind", _LONG)
def test_the_work_grows_with_the_length_of_a_history_and_not_with_its_square(kind: str) -> None:
    def calls(count: int) -> int:
        made = 0

        def note(_: object, event: str, __: object) -> None:
            nonlocal made
            made += event == "call"

        history = _LONG[kind](count)
        sys.setprofile(note)
        try:
            _ENGINE.compact(history, CompactionOptions(force=True, pin=tuple(range(count))))
        finally:
            sys.setprofile(None)
        return made

    calls(50)  # what is loaded once
    assert calls(400) < 2.5 * calls(200)


def test_a_file_that_is_no_session_says_what_is_read_and_one_that_powershell_wrote_is_read() -> None:
    for foreign, why in (
        (b"# My notes", "neither JSON nor JSONL"),
        (b'{"id": "a", "title": "b", "mapping": {}}', "its first value has the fields id, title, mapping."),
    ):
        detail = CompactionEngine().compact(foreign).detail
        assert why in detail
        assert "What is read are the session files of Claude Code" in detail
    history = json.dumps([{"role": "user", "content": "Räume auf."}, {"role": "assistant", "content": "a " * 4_000}])
    result = CompactionEngine().compact(history.encode("utf-16"), CompactionOptions(mode=Mode.EXTRACT))
    assert "Räume auf." in result.summary
