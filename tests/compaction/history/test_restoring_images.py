"""Restored images: the newest three that differ, each with its own call, in the order they came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.history import (
    CompactionEngine,
    CompactionOptions,
    CompactionResult,
    FormatName,
    ImageLimits,
    Mode,
    Section,
)
from compaction.history.formats.base import as_list
from tests.compaction.history.conversations import (
    ALL_FORMATS,
    Call,
    Result,
    Said,
    Step,
    User,
    picture,
    used,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path

_ENGINE = CompactionEngine()
_PROMPT = "Open Safari and read the first headline.\n```\nexactly this\n```\nNever click an advertisement!  "


def _task(rounds: int) -> list[Step]:
    steps: list[Step] = [User(text=_PROMPT)]
    for number in range(rounds):
        tool = ("computer__screenshot", "computer__click", "computer__scroll")[number % 3]
        steps += used(
            f"s{number}", tool, {"x": number, "window": "Safari"}, "window state " * 60, image=picture(number)
        )
    return steps


def _compact(name: FormatName, steps: list[Step], **limits: int) -> CompactionResult:
    result = _ENGINE.compact(write(name, *steps), CompactionOptions(format=name, images=ImageLimits(**limits)))
    assert result.messages is not None, result.detail
    return result


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_a_single_prompt_task_keeps_its_prompt_its_last_screens_and_its_newest_files(
    name: FormatName, tmp_path: Path
) -> None:
    steps = _task(30)
    for number in range(8):
        (tmp_path / f"note{number}.txt").write_text(f"now {number}", encoding="utf-8")
        steps += used(f"w{number}", "write_file", {"path": f"note{number}.txt", "content": "then"})
    result = _ENGINE.compact(write(name, *steps), CompactionOptions(format=name, workspace=tmp_path))
    assert result.messages is not None
    assert f"User message 1:\n````\n{_PROMPT}\n````" in result.sections[Section.USER_MESSAGES]
    assert [image.image.data for image in result.images] == [picture(27), picture(28), picture(29)]
    shown = str(result.messages)
    assert shown.index(picture(27)) < shown.index(picture(28)) < shown.index(picture(29))
    assert picture(26) not in shown
    for number, tool in ((27, "screenshot"), (28, "click"), (29, "scroll")):
        label = next(image.label for image in result.images if image.image.data == picture(number))
        assert f'computer__{tool} {{"x":{number},"window":"Safari"}}' in label
    assert [(file.path, file.text) for file in result.files] == [(f"note{n}.txt", f"now {n}") for n in (7, 6, 5, 4, 3)]


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_parallel_screenshots_carry_their_own_calls(name: FormatName) -> None:
    steps: list[Step] = [
        User(text="Look at both."),
        *used("big", "run", {"command": "x"}, "words " * 9_000),
        Call(id="a", name="shot", arguments={"window": "left"}),
        Call(id="b", name="photo", arguments={"window": "right"}),
        Result(id="a", image=picture(1)),
        Result(id="b", image=picture(2)),
        User(text="and mine", image=picture(3)),
    ]
    labels = [image.label.split(": ", 1)[1] for image in _compact(name, steps).images]
    assert labels == ['shot {"window":"left"}', 'photo {"window":"right"}', "user-provided image"]


def test_pictures_behind_the_results_of_a_turn_belong_to_its_calls_in_order() -> None:
    steps = [
        User(text="Look at both."),
        *used("big", "run", {"command": "x"}, "words " * 9_000),
        Call(id="a", name="shot", arguments={"window": "left"}),
        Call(id="b", name="photo", arguments={"window": "right"}),
        Result(id="a", image=picture(1)),
        Result(id="b", image=picture(2)),
        Said(text="Both are there."),
        User(image=picture(3)),
    ]
    history = write(FormatName.OPENAI_CHAT, *steps)
    first = next(place for place, message in enumerate(history) if message["role"] == "user" and place)
    history[first], history[first + 1] = history[first + 1], history[first]
    labels = [image.label.split(": ", 1)[1] for image in _ENGINE.compact(history).images]
    assert labels == ['shot {"window":"left"}', 'photo {"window":"right"}', "user-provided image"]


def test_a_picture_inside_a_tool_message_is_that_calls() -> None:
    history = write(FormatName.OPENAI_CHAT, *_task(5))
    for place, message in reversed(list(enumerate(history))):
        if message["role"] == "user" and place:
            history[place - 1]["content"] = [{"type": "text", "text": "taken"}, *as_list(message["content"])]
            del history[place]
    result = _ENGINE.compact(history)
    assert [image.image.data for image in result.images] == [picture(number) for number in (2, 3, 4)]
    assert all("computer__" in image.label for image in result.images)


def test_the_same_picture_twice_is_one_and_stands_at_its_newer_place() -> None:
    steps = [*_task(6), *used("again", "look_again", {}, "words " * 3_000, image=picture(3))]
    result = _compact(FormatName.ANTHROPIC, steps)
    assert [image.image.data for image in result.images] == [picture(4), picture(5), picture(3)]
    assert "look_again" in result.images[-1].label


def test_a_picture_that_is_too_large_leaves_its_header_line_alone() -> None:
    result = _compact(
        FormatName.ANTHROPIC, [*_task(4), User(text="this", image=picture(9, size=4_000))], bytes_each=1_000
    )
    assert result.images[-1].left_out
    assert picture(9, size=4_000) not in str(result.messages)
    assert "user-provided image (the picture itself is left out" in str(result.messages)


def test_no_images_are_restored_when_none_are_wanted() -> None:
    result = _compact(FormatName.ANTHROPIC, _task(4), images=0)
    assert result.images == ()
    assert picture(3) not in str(result.messages)


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_restored_images_keep_what_they_show_through_a_second_compaction(name: FormatName) -> None:
    once = _compact(name, _task(8))
    assert once.messages is not None
    more = write(name, User(text="Go on."), *used("m", "run", {"command": "ls"}, "file\n" * 4_000), Said(text="Done."))
    again = _ENGINE.compact(once.messages + more, CompactionOptions(format=name))
    assert [(image.label, image.image.data) for image in again.images] == [
        (image.label, image.image.data) for image in once.images
    ]


def test_an_image_that_the_other_format_cannot_hold_is_named() -> None:
    history = write(FormatName.OPENAI_CHAT, User(text="see"), *used("b", "run", {}, "w " * 4_000), Said(text="ok"))
    history.append(
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]}
    )
    options = CompactionOptions(format=FormatName.OPENAI_CHAT, output_format=FormatName.MCP)
    result = _ENGINE.compact(history, options)
    assert [bool(image.left_out) for image in result.images] == [True]
    kept = _ENGINE.compact(history, CompactionOptions(format=FormatName.OPENAI_CHAT))
    assert "https://example.com/a.png" in str(kept.messages)


def test_the_result_names_its_images_and_the_prompt_shows_that_there_were_some() -> None:
    steps = [*_task(4), User(text="this", image=picture(9, size=4_000))]
    made = _compact(FormatName.ANTHROPIC, steps, bytes_each=1_000).as_json()["images"]
    assert isinstance(made, list)
    assert len(made) == 3
    assert "left_out" in str(made[-1])
    history = write(FormatName.ANTHROPIC, *steps)
    history.insert(1, {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]})
    history.append(
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "lost",
                    "content": [
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": picture(50)}}
                    ],
                }
            ],
        }
    )
    prompt = _ENGINE.compact(history, CompactionOptions(mode=Mode.PROMPT)).prompt
    assert "[image: image/png]" in prompt
    assert "[redacted_thinking]" in prompt
    assert "AAAA" not in prompt
    labels = [image.label for image in _ENGINE.compact(history).images]
    assert labels[-1].endswith("result of a call that is not in the history")


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_pictures_of_the_user_stay_before_screenshots_and_the_last_screenshot_with_them(name: FormatName) -> None:
    steps = [User(text="Make the page like this mock.", image=picture(90)), *_task(9)[1:]]
    few = _compact(name, steps)
    many = _compact(name, [*(User(text=f"Page {n}.", image=picture(91 + n)) for n in range(4)), *steps])

    assert [image.image.data for image in few.images] == [picture(90), picture(7), picture(8)]
    assert [image.image.data for image in many.images] == [picture(94), picture(90), picture(8)]
    assert len(_compact(name, steps, images=1).images) == 1
