"""The fate of each message: told of what was done, and true of the new history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import Account, Became, CompactionEngine, CompactionOptions, CompactionResult, FormatName
from compaction.history.account import After
from tests.compaction.history.conversations import Said, User, long_session, used, write

if TYPE_CHECKING:
    from pathlib import Path

    from compaction.values import JsonObject


def told(history: list[JsonObject], options: CompactionOptions | None = None) -> tuple[CompactionResult, Account]:
    result, account = CompactionEngine().compact_with_account(history, options)
    assert account is not None, result.detail
    assert result == CompactionEngine().compact(history, options)
    return result, account


@pytest.mark.parametrize("name", FormatName)
def test_every_message_and_all_tokens_are_accounted_for(name: FormatName) -> None:
    history = write(name, *long_session())
    result, account = told(history)
    assert [one.index for one in account.before] == list(range(len(history)))
    assert sum(one.tokens for one in account.before) == result.tokens_before
    assert sum(one.tokens for one in account.after) == result.tokens_after
    assert [one.number for one in account.words] == list(range(1, 14))
    assert {one.became for one in account.words} == {Became.QUOTED}
    assert After.SUMMARY in [one.what for one in account.after]


def test_what_is_marked_as_kept_stands_in_the_new_history_and_the_users_words_are_all_marked() -> None:
    result, account = told(write(FormatName.OPENAI_CHAT, *long_session()))
    after = "\n".join(str(message["content"]) for message in result.messages or [])
    marked = 0
    for message in account.before:
        for part in message.parts:
            for begin, end in part.kept:
                for line in part.text[begin:end].split("\n"):
                    assert line.strip() in after
                    marked += 1
            if message.became is Became.QUOTED:
                assert part.kept == ((0, len(part.text)),)
    assert marked > 13
    log = next(part for message in account.before for part in message.parts if part.kind == "result")
    assert log.kept != ((0, len(log.text)),)


def test_what_stays_is_told_as_staying() -> None:
    steps = [*long_session(), User(text="Now the release note, please."), Said(text="Here it is.")]
    _, account = told(write(FormatName.ANTHROPIC, *steps), CompactionOptions(keep_tail_tokens=40))
    assert [one.became for one in account.before[-2:]] == [Became.STAYS] * 2
    assert account.words[-1].became is Became.STAYS
    assert [one.what for one in account.after[-2:]] == [After.STAYS] * 2
    assert account.after[1].what is After.BETWEEN


def test_words_for_which_there_is_no_room_are_told_as_left_out_or_cut() -> None:
    long = " ".join(f"Requirement {number} must hold in every release." for number in range(200))
    steps = [*long_session(rounds=40), User(text=long), Said(text="Noted.")]
    result, account = told(write(FormatName.OPENAI_CHAT, *steps), CompactionOptions(target_tokens=1200))
    after = json.dumps(result.messages)
    fates = {one.number: one.became for one in account.words}
    assert fates[1] is Became.QUOTED
    assert fates[len(fates)] is Became.EXCERPT
    left_out = [one for one in account.words if one.became is Became.LEFT_OUT]
    assert left_out
    for one in left_out:
        assert one.text not in after
        assert account.before[one.message].became is Became.LEFT_OUT


def test_an_earlier_compaction_is_told_as_carried_over_and_its_words_keep_their_numbers() -> None:
    first, _ = told(write(FormatName.OPENAI_CHAT, *long_session()))
    more = write(
        FormatName.OPENAI_CHAT,
        User(text="Go on with module 3."),
        *used("late", "read_file", {"file_path": "src/late.py"}, "late\n" * 900),
        Said(text="It is done."),
    )
    _, account = told([*(first.messages or []), *more])
    assert account.before[0].became is Became.CARRIED
    assert account.before[1].became is Became.DROPPED
    assert [one.number for one in account.words] == list(range(1, 15))
    assert [one.message >= 0 for one in account.words] == [False] * 13 + [True]
    assert {one.became for one in account.words} == {Became.QUOTED}


def test_an_answer_whose_file_is_embedded_is_told_as_read_again(tmp_path: Path) -> None:
    (tmp_path / "here.py").write_text("def here():\n    return 1\n", encoding="utf-8")
    steps = [
        User(text="Compare the two files."),
        *used("a", "read_file", {"file_path": str(tmp_path / "here.py")}, "def here():\n    return 1\n" * 60),
        *used("b", "read_file", {"file_path": str(tmp_path / "gone.py")}, "def gone():\n    return 1\n" * 60),
        Said(text="They say the same."),
    ]
    _, account = told(write(FormatName.ANTHROPIC, *steps), CompactionOptions(workspace=tmp_path))
    answers = [one.became for one in account.before if any(part.kind == "result" for part in one.parts)]
    assert answers == [Became.READ_AGAIN, Became.SUMMARISED]


def test_there_is_no_account_where_there_is_no_new_history() -> None:
    result, account = CompactionEngine().compact_with_account([{"role": "user", "content": "Hello."}])
    assert result.messages is None
    assert account is None
