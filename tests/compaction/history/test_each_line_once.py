"""No line stands twice in a new history, and a target is used where there is more to say."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.compaction.repeats import FULL_USE, duplicates
from compaction.history import CompactionEngine, CompactionOptions, FormatName, Mode, Section, Status
from compaction.history.budget import Line, spend
from compaction.history.once import said, without
from tests.compaction.history.conversations import Said, Step, User, used, write

if TYPE_CHECKING:
    from pathlib import Path

    from compaction.history import CompactionResult

_ENGINE = CompactionEngine()
_SENTENCES = [
    "The parser keeps the comments that stand before a field.",
    "Port 5433 must stay free for the other service.",
    "    return self.settings.get('limit', 5)",
    "| step | what was done about it |",
    "- the cache is written once for each file",
    "ok",
    "",
    "```",
    "1. Read the configuration before the first request.",
    "src/app.py:12: error: missing return statement",
]
_texts = st.lists(st.sampled_from(_SENTENCES), min_size=1, max_size=8).map("\n".join)


def compacted(steps: list[Step], target: int | None = None, workspace: Path | None = None) -> CompactionResult:
    options = CompactionOptions(mode=Mode.EXTRACT, target_tokens=target, workspace=workspace)
    return _ENGINE.compact(write(FormatName.ANTHROPIC, *steps), options)


@st.composite
def _sessions(draw: st.DrawFn) -> list[Step]:
    steps: list[Step] = []
    for number in range(draw(st.integers(1, 3))):
        steps.append(User(text=draw(_texts) or "Go on."))
        for place in range(draw(st.integers(0, 3))):
            name = f"c{number}_{place}"
            kind = draw(st.sampled_from(["Bash", "Edit", "Read"]))
            words = draw(_texts)
            given_to = {
                "Bash": {"command": draw(st.sampled_from(["make check", "pytest -q", "git log"]))},
                "Edit": {"file_path": "src/app.py", "old_string": "x", "new_string": words},
                "Read": {"file_path": "src/app.py"},
            }[kind]
            steps += used(name, kind, dict(given_to), f"{words}\n{draw(_texts)}")
        steps.append(Said(text=draw(_texts) or "Done."))
    return steps


@pytest.mark.no_cover
@settings(max_examples=25, deadline=None)
@given(steps=_sessions(), target=st.sampled_from([None, 700, 1_500, 4_000]))
def test_no_line_stands_twice_in_any_session(steps: list[Step], target: int | None) -> None:
    result = compacted(steps, target)
    if result.status is Status.COMPACTED:
        assert duplicates(result) == []
        again = _ENGINE.compact(
            [
                *(result.messages or []),
                *write(FormatName.ANTHROPIC, User(text="And?"), Said(text="Yes, of course it is.")),
            ]
        )
        assert duplicates(again) == []


def test_what_an_answer_repeats_of_the_users_words_is_told_once() -> None:
    plan = "1. Move the limiter before the password check.\n2. Keep the port of the other service free."
    answer = f"I do this:\n\n{plan}\n\nThen I test it with the slow suite."
    result = compacted([User(text=plan), *used("a", "Bash", {"command": "make"}, "built " * 900), Said(text=answer)])
    assert result.sections[Section.CURRENT].count("Move the limiter") == 0
    assert "I do this:\n\n(2 told elsewhere)\n" in result.sections[Section.CURRENT]
    assert "Then I test it with the slow suite." in result.sections[Section.CURRENT]


def test_code_that_is_quoted_may_repeat_itself_and_has_a_mark_where_a_line_stands_elsewhere() -> None:
    text = "Answer: so:\n```\nif value is not None: stop()\nif value is not None: stop()\nraise ValueError(text_of_it)\n```"
    assert without(text, lambda _: False) == text
    gone = said("raise ValueError(text_of_it)")
    assert without(text, gone.__eq__) == text.replace("raise ValueError(text_of_it)", "…")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- Said: The port is 5433 on all hosts.", ""),
        ("- `make`: done\n  The port is 5433 on all hosts.\n  and more", "- `make`: done\n  and more"),
        (
            "Answer: First.\n\n* The port is 5433 on all hosts.\n\nLast.",
            "Answer: First.\n\n(1 told elsewhere)\n\nLast.",
        ),
        ("Answer: The port is 5433 on all hosts.", ""),
        (
            "Answer: a\n  - Total of all parts: 18\n* b\n  - Total of all parts: 18",
            "Answer: a\n  - Total of all parts: 18\n* b\n  - Tot… (above)",
        ),
        (
            "Answer: a\n| the one row of two |\n| The port is 5433 on all hosts. |",
            "Answer: a\n| the one row of two |\n| 1 elsewhere |",
        ),
        ("Answer: a\n| x |\n|---|\n| The port is 5433 on all hosts. |\n\nb", "Answer: a\n(1 told elsewhere)\n\nb"),
        ("Answer: a\n```\nThe port is 5433 on all hosts.\n```\nb", "Answer: a\n(1 told elsewhere)\nb"),
    ],
)
def test_a_line_that_stands_elsewhere_is_left_out_as_its_place_asks(text: str, left: str) -> None:
    known = {said("The port is 5433 on all hosts."), said("| The port is 5433 on all hosts. |")}
    assert without(text, known.__contains__) == left


def test_a_mark_is_shorter_than_a_line_that_counts() -> None:
    table = "\n".join(f"| row {number} of the long table |" for number in range(12))
    for text in (
        f"Answer: a\n{table}\n| the one row that is new |",
        f"Answer: a\n{table.replace('|', '')}\nthe one line that is new",
    ):
        left = without(text, lambda words: "the one" not in words)
        assert left.count("\n") == 2
        assert sum(said(line) != "" for line in left.split("\n")) == 1


def test_a_longer_text_of_one_key_takes_the_place_of_its_shorter_one_and_owns_its_lines() -> None:
    short = Line(section=Section.SOLVING, text="Answer: the first of its lines", worth=9, place=(0,), key="a")
    long = Line(
        section=Section.SOLVING,
        text="Answer: the first of its lines\nand a second line of it",
        worth=8,
        place=(0,),
        key="a",
    )
    other = Line(section=Section.ERRORS, text="- and a second line of it", worth=7, place=(0,))
    made = spend([short, long, other], 1_000, len)
    assert made == {Section.SOLVING: long.text}


def test_details_that_a_restored_file_shows_are_not_told_again(tmp_path: Path) -> None:
    lines = [f"total_of_part_{number} = parts[{number}].amount * rate" for number in range(9)]
    (tmp_path / "sum.py").write_text("\n".join(lines), "utf-8")
    edit = used(
        "e",
        "Edit",
        {"file_path": "sum.py", "old_string": "pass", "new_string": "\n".join(lines)},
        "The file has been updated.",
    )
    filler = used("b", "Bash", {"command": "make"}, "built " * 3_000)
    steps: list[Step] = [User(text="Sum it up."), *edit, *filler, Said(text="Summed.")]
    shown = compacted(steps, 2_500, tmp_path)
    assert any(file.text for file in shown.files), shown.files
    assert (
        "total_of_part_5"
        not in shown.summary.replace("- Named last", "").split("## 4.")[1].split("## 8.")[1].split("In `sum.py`")[1]
    )
    assert "  total_of_part_5" in compacted(steps, 2_500).summary


@pytest.mark.parametrize("target", [2_000, 3_000, 8_000])
def test_a_target_is_used_where_there_is_more(target: int) -> None:
    chance = random.Random(target)
    words = [f"word{number}" for number in range(400)]

    def text(lines: int) -> str:
        return "\n".join(f"{number}: {' '.join(chance.choices(words, k=9))}" for number in range(lines))

    steps: list[Step] = [User(text="Look through the logs of all hosts.")]
    for number in range(12):
        steps += used(f"r{number}", "Read", {"file_path": f"logs/host{number}.txt"}, text(60))
    result = compacted([*steps, Said(text="I have read them.")], target)
    assert result.status is Status.COMPACTED
    assert FULL_USE * target <= result.tokens_after <= target
    assert duplicates(result) == []


@pytest.mark.parametrize("target", [2_500, 4_000])
def test_an_answer_is_quoted_by_whole_lines(target: int) -> None:
    lines = [f"{n:04} unit {n * 7919 % 10007} links against section {n * 104729 % 99991}" for n in range(900)]
    steps = [User(text="Link it."), *used("c1", "Bash", {"command": "make -n"}, "\n".join(lines)), Said(text="Seen.")]
    told = [line.strip() for line in compacted(steps, target).summary.splitlines() if " link" in line]
    quoted = {re.sub(r"^- .* → | \(\+\d+ lines like this\)$", "", line) for line in told}
    assert len(quoted) > 2
    assert quoted <= {*lines}
