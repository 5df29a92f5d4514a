"""A choice of the user is told before the work, and the next step is the one that the last words announce."""

from __future__ import annotations

import pytest

from compaction.history import Section
from compaction.history.carried import lengths
from compaction.history.messages import pair_calls
from compaction.history.transcript import from_messages, parse
from compaction.history.world import world
from tests.compaction.history.sessions import FILLER, called, compacted, said, session

_ASKED = (
    'User has answered your questions: "Which "store" do we use?"="Dapper, no ORM", "And the port?"="5433". '
    "You can now continue with the user's answers in mind."
)


@pytest.mark.parametrize("tool", ["AskUserQuestion", "question"])
def test_what_the_user_chose_is_told_though_the_answers_behind_it_are_long(tool: str) -> None:
    history = session(
        said("user", "Plan the store."),
        *called(1, tool, {"questions": [{"question": "Which store?"}]}, _ASKED),
        said("assistant", f"So be it. {FILLER}"),
        said("user", "Go on."),
        said(
            "assistant",
            "\n\n".join(f"Part {number} of the plan stores rows in table {number}." for number in range(900)),
        ),
    )
    told = compacted(history, 2_500).sections[Section.SOLVING]
    assert 'Which "store" do we use? → Dapper, no ORM' in told
    assert "And the port? → 5433" in told


def test_an_answer_of_another_form_is_told_as_it_is() -> None:
    answer = '{"answers":{"store":{"answers":["SQLite"]}}}'
    history = session(*called(1, "request_user_input", {"questions": []}, answer), said("assistant", "Done."))
    assert f"the user answered: {answer}" in compacted(history).sections[Section.CURRENT]


def _next(answer: str) -> str:
    return compacted(session(said("user", "Apply for it."), said("assistant", answer))).sections[Section.NEXT]


def test_work_that_the_last_words_announce_comes_next() -> None:
    assert _next("You want two things.\n\nLet me start by reading the form.") == (
        "- Go on with what the last words announce: Let me start by reading the form."
    )
    assert "I'll run the tests" in _next("The form is read. Now I'll run the tests.")


@pytest.mark.parametrize(
    "answer",
    ["It is done.", "All is done. Let me know what you think.", "I'll continue when you have the key.", "I'll wait for the build.",
     "I will not touch the tests."],
)  # fmt: skip
def test_words_that_announce_nothing_are_no_next_step(answer: str) -> None:
    assert _next(answer) == ""


def test_a_commit_stands_though_the_push_behind_it_failed() -> None:
    answer = "Exit code 1\n[main c83eea1] Add the form\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs"
    messages = called(1, "Bash", {"command": "git add a && git commit -m 'Add the form' && git push"}, answer)
    lines = world(pair_calls(parse(from_messages(messages), None).messages).calls).lines
    assert lines["Commits"] == "c83eea1 Add the form"
    assert "Pushed" not in lines


@pytest.mark.parametrize(
    "line", ["git remote -v", "git config --get user.name", "git branch -a", "git tag", "git stash list"]
)
def test_what_git_only_lists_is_no_command_of_the_project(line: str) -> None:
    messages = parse(from_messages(called(1, "Bash", {"command": line}, "x")), None).messages
    assert "Commands used" not in world(pair_calls(messages).calls).lines


def test_an_answer_that_the_host_does_not_keep_is_not_told_as_one() -> None:
    asked = called(1, "AskQuestion", {"title": "Which database?"}, "")
    told = compacted(session(*asked, said("assistant", FILLER))).summary
    assert "what the user answered is not known" in told
    assert "the user answered: " not in told


def test_an_answer_in_short_still_says_yes_or_no() -> None:
    rules = " ".join(
        f"Chart {number} must only import values that `file_{number}.yaml` exports." for number in range(40)
    )
    lines = lengths(
        f"Answer: **Yes**, it works the same way there. {rules}",
        "a",
        Section.SOLVING,
        (0.0,),
        "",
        (3.0, 2.0, 1.0),
        lambda text: len(text.split()),
    )
    short, middle, whole = (line.text for line in lines)
    assert short.startswith("Answer: **Yes**, it works the same way there.\n\nChart")
    assert middle.startswith("Answer: **Yes**, it works the same way there.\n\nChart")
    assert len(short) < len(middle) < len(whole)
