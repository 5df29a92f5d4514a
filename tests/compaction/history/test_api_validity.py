"""The new history is valid for the API: types, roles, calls and results, opaque blocks."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, FormatName, Section, Status, Trigger
from compaction.history.account import Became
from tests.compaction.history.conversations import (
    ALL_FORMATS,
    Call,
    Result,
    Said,
    Step,
    User,
    long_session,
    picture,
    used,
    write,
)
from tests.compaction.history.sdk_types import check_roles, check_types, open_calls

if TYPE_CHECKING:
    from compaction.values import JsonObject

_ENGINE = CompactionEngine()
_NEXT_TURN = {name: write(name, User(text="And then?")) for name in ALL_FORMATS}
_PENDING = (
    Call(id="p1", name="run", arguments={"command": "make"}),
    Call(id="p2", name="run", arguments={"command": "ls"}),
)


def _compact(name: FormatName, *steps: Step, options: CompactionOptions | None = None) -> list[JsonObject]:
    result = _ENGINE.compact(write(name, *steps), options or CompactionOptions(format=name))
    assert result.status is Status.COMPACTED, result.detail
    assert result.messages is not None
    return result.messages


def _screens(count: int) -> list[Step]:
    steps: list[Step] = [User(text="Open the page and read the first headline.")]
    for number in range(count):
        steps += used(f"s{number}", "screenshot", {"step": number}, "text on the screen " * 40, image=picture(number))
    return steps


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ALL_FORMATS)
@pytest.mark.parametrize(
    "steps",
    [long_session(), [*_screens(30), Said(text="The headline is 'Rain'.")], _screens(30)],
    ids=["session", "screens", "screens, result last"],
)
@pytest.mark.parametrize("tail", [0, 900])
def test_a_compacted_history_is_valid_and_stays_so_when_the_next_turn_is_appended(
    name: FormatName, steps: list[Step], tail: int
) -> None:
    made = _compact(name, *steps, options=CompactionOptions(format=name, keep_tail_tokens=tail))
    check_types(name, made)
    check_roles(name, [*made, *_NEXT_TURN[name]])
    assert open_calls(name, made) == []


@pytest.mark.no_cover
@pytest.mark.parametrize("source", ALL_FORMATS)
@pytest.mark.parametrize("target", ALL_FORMATS)
def test_any_format_can_be_written_as_any_other(source: FormatName, target: FormatName) -> None:
    steps = [
        *long_session(),
        *_screens(4),
        Said(text="Rain."),
        User(text="Thanks, next page"),
        *used("z", "click", {"x": 1}),
    ]
    options = CompactionOptions(format=source, output_format=target, keep_tail_tokens=1_000)
    made = _compact(source, *steps, options=options)
    check_types(target, made)
    check_roles(target, made)
    assert open_calls(target, made) == []


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_all_nine_sections_are_there_in_order(name: FormatName) -> None:
    result = _ENGINE.compact(write(name, *long_session()), CompactionOptions(format=name))
    places = [result.summary.index(section.heading) for section in Section]
    assert places == sorted(places)
    assert list(result.sections) == list(Section)


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_manual_compaction_strips_the_call_in_flight_with_a_warning(name: FormatName) -> None:
    result = _ENGINE.compact(
        write(name, *long_session(), User(text="run it"), *_PENDING), CompactionOptions(format=name)
    )
    assert result.messages is not None
    assert open_calls(name, result.messages) == []
    assert any("in flight" in warning and "make" in warning for warning in result.warnings)
    assert "In flight, not answered yet: run(make)" in result.sections[Section.CURRENT]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_automatic_compaction_keeps_the_call_in_flight_for_its_result(name: FormatName) -> None:
    options = CompactionOptions(format=name, trigger=Trigger.AUTO, force=True)
    history = write(name, *long_session(), User(text="run it"), *_PENDING)
    result = _ENGINE.compact(history, options)
    assert result.messages is not None
    assert len(open_calls(name, result.messages)) == 2
    assert result.messages[-1] == history[-1]
    check_types(name, result.messages)
    answered = [*result.messages, *write(name, *_PENDING, Result(id="p1"), Result(id="p2"))]
    pending = len(write(name, *_PENDING))
    answered = [*result.messages, *answered[len(result.messages) + pending :]]
    check_roles(name, answered)
    assert open_calls(name, answered) == []


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_automatic_compaction_keeps_the_results_that_did_arrive(name: FormatName) -> None:
    # Gemini has no ids here, so an answer always goes to the first call of its name.
    arrived = "p1" if name is FormatName.GEMINI else "p2"
    options = CompactionOptions(format=name, trigger=Trigger.AUTO, force=True)
    history = write(name, *long_session(), User(text="run it"), *_PENDING, Result(id=arrived, text="one result"))
    result = _ENGINE.compact(history, options)
    assert result.messages is not None
    assert open_calls(name, result.messages) == open_calls(name, history)
    assert len(open_calls(name, result.messages)) == 1
    assert result.messages[-1] == history[-1]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_a_history_whose_next_turn_is_the_models_ends_with_the_user_when_the_host_compacts(name: FormatName) -> None:
    options = CompactionOptions(format=name, trigger=Trigger.AUTO, force=True)
    made = _compact(name, *long_session(), *used("z", "run", {"command": "make"}), options=options)
    check_roles(name, [*made, *write(name, Said(text="Going on."))])


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_calls_and_results_that_belong_to_nothing_are_named_and_do_not_come_along(name: FormatName) -> None:
    steps = [
        User(text="go"),
        Call(id="o1", name="read_file", arguments={"path": "a.py"}),
        User(text="never mind"),
        Result(id="lost", text="a result of nothing"),
        *long_session(),
    ]
    history = write(name, *steps)
    result = _ENGINE.compact(history, CompactionOptions(format=name, keep_tail_tokens=1_500, pin=(1, 3)))
    assert result.messages is not None
    assert open_calls(name, result.messages) == []
    assert any("never answered" in warning for warning in result.warnings)
    assert any("answers no call" in warning for warning in result.warnings)


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_the_callers_history_is_never_changed(name: FormatName) -> None:
    history = write(name, *long_session(), User(text="run it"), *_PENDING)
    before = repr(history)
    result = _ENGINE.compact(history, CompactionOptions(format=name, keep_tail_tokens=500))
    assert result.messages is not None
    for message in result.messages:
        message.clear()
    assert repr(history) == before


@pytest.mark.parametrize("target", [FormatName.GEMINI, FormatName.MCP])
def test_a_system_prompt_never_becomes_a_turn_of_the_user(target: FormatName) -> None:
    system: JsonObject = {"role": "system", "content": "You are careful."}
    history = [system, *write(FormatName.OPENAI_CHAT, *long_session())]
    result, found = CompactionEngine().compact_with_account(history, CompactionOptions(output_format=target))
    assert result.messages is not None
    assert found is not None
    assert "You are careful." not in json.dumps(result.messages)
    roles = [message["role"] for message in result.messages]
    assert all(role != following for role, following in pairwise(roles))
    assert [warning for warning in result.warnings if "system prompt" in warning] == [
        f"messages of {target.value} hold no system prompt: it is left out, pass it on as it is"
    ]
    assert found.before[0].became is Became.DROPPED


def test_system_and_developer_messages_stay_at_the_head_byte_for_byte() -> None:
    system: JsonObject = {"role": "system", "content": "You are careful.", "name": "rules"}
    developer: JsonObject = {"role": "developer", "content": [{"type": "text", "text": "Answer in French.\n"}]}
    history = [system, developer, *write(FormatName.OPENAI_CHAT, *long_session())]
    result = _ENGINE.compact(history)
    assert result.messages is not None
    assert result.messages[:2] == [system, developer]


def test_a_compaction_block_of_the_provider_goes_first_unchanged() -> None:
    block: JsonObject = {"type": "compaction", "content": "opaque words", "signature": "abc=="}
    session = write(FormatName.ANTHROPIC, *long_session())
    history: list[JsonObject] = [
        {"role": "assistant", "content": [block, {"type": "text", "text": "The deploy key rotates in 7 days."}]},
        *session,
    ]
    result = _ENGINE.compact(history)
    assert result.messages is not None
    assert result.messages[0] == {"role": "assistant", "content": [block]}
    assert "The deploy key rotates in 7 days." in result.summary
    check_roles(FormatName.ANTHROPIC, result.messages)


def test_a_compaction_item_goes_first_unchanged_and_reasoning_is_left_out_whole() -> None:
    item: JsonObject = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAA"}
    reasoning: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "zzz"}
    history = [item, *write(FormatName.OPENAI_RESPONSES, *long_session())]
    history.insert(4, reasoning)
    result = _ENGINE.compact(history)
    assert result.messages is not None
    assert result.messages[0] == item
    assert reasoning not in result.messages
    check_types(FormatName.OPENAI_RESPONSES, result.messages)


def test_reasoning_stays_with_the_call_in_flight() -> None:
    reasoning: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "zzz"}
    pending = write(FormatName.OPENAI_RESPONSES, *_PENDING)
    history = [*write(FormatName.OPENAI_RESPONSES, *long_session(), User(text="run it")), reasoning, *pending]
    result = _ENGINE.compact(history, CompactionOptions(trigger=Trigger.AUTO, force=True))
    assert result.messages is not None
    assert result.messages[-3:] == [reasoning, *pending]


def test_thinking_stays_untouched_in_the_turn_in_flight_and_is_left_out_elsewhere() -> None:
    thinking: JsonObject = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    history = write(FormatName.ANTHROPIC, *long_session(), User(text="run it"), *_PENDING)
    for message in history:
        if message["role"] == "assistant" and isinstance(message["content"], list):
            message["content"].insert(0, dict(thinking))
    result = _ENGINE.compact(history, CompactionOptions(trigger=Trigger.AUTO, force=True))
    assert result.messages is not None
    assert result.messages[-1] == history[-1]
    assert str(result.messages).count("c2ln") == 1
    check_types(FormatName.ANTHROPIC, result.messages)


def test_a_thought_signature_stays_on_its_part() -> None:
    history = write(FormatName.GEMINI, *long_session(), User(text="run it"))
    call: JsonObject = {"functionCall": {"name": "run", "args": {}}, "thoughtSignature": "c2ln"}
    history.append({"role": "model", "parts": [{"thought": True, "text": "hm"}, call]})
    result = _ENGINE.compact(history, CompactionOptions(trigger=Trigger.AUTO, force=True))
    assert result.messages is not None
    assert result.messages[-1] == history[-1]


def test_a_turn_that_a_session_file_splits_over_lines_goes_out_as_one_message() -> None:
    call: JsonObject = {"type": "tool_use", "id": "p", "name": "run", "input": {}}
    history = write(FormatName.ANTHROPIC, *long_session(), User(text="run it"))
    history += [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
        {"role": "assistant", "content": [call]},
    ]
    result = _ENGINE.compact(history, CompactionOptions(trigger=Trigger.AUTO, force=True))
    assert result.messages is not None
    check_roles(FormatName.ANTHROPIC, result.messages)
    assert result.messages[-1]["content"] == [{"type": "thinking", "thinking": "hm", "signature": "s"}, call]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_a_pinned_result_brings_its_call_and_a_pinned_call_its_result(name: FormatName) -> None:
    steps = [User(text="go"), *used("k1", "read_file", {"path": "k.py"}, "the pinned content"), *long_session()]
    history = write(name, *steps)
    for index in (1, 2):
        result = _ENGINE.compact(history, CompactionOptions(format=name, pin=(index,)))
        assert result.messages is not None
        assert history[1] in result.messages
        assert history[2] in result.messages
        assert open_calls(name, result.messages) == []
        check_roles(name, result.messages)


def test_a_pin_that_points_nowhere_is_a_warning() -> None:
    result = _ENGINE.compact(write(FormatName.MCP, *long_session()), CompactionOptions(pin=(999,)))
    assert result.status is Status.COMPACTED
    assert any("999 cannot be pinned" in warning for warning in result.warnings)
