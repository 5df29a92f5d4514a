"""Rules of the user outlive a section 6 without room for them, a pasted log does not fill section 1, no claim is false."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, Section
from compaction.history.unshown import Request, unshown
from tests.compaction.history.sessions import FILLER, compacted, said

if TYPE_CHECKING:
    from compaction.values import JsonObject

RULES = (
    "Never touch the billing table.",
    "The API must stay on port 5433.",
    "Do not use regexes in the parser.",
    "Keep the public signature of load().",
    "Never commit to main directly.",
    "Do not add new dependencies.",
    "Use tabs, not spaces, in Makefiles.",
    "Always run make lint before you answer.",
    "Don't delete user uploads, ever.",
    "Only support Python 3.9 and newer.",
)
CHAT = "Here is a long story about the team and its habits, and what we think of the general shape of things. " * 8


def _talk(first: int, last: int) -> list[JsonObject]:
    rule = dict(enumerate(RULES))
    return [
        message
        for number in range(first, last)
        for message in (
            said("user", f"{CHAT}{rule.get(number, '')} Please go on with part {number}."),
            said("assistant", f"Part {number} is done. {FILLER[:300]}"),
        )
    ]


@pytest.mark.parametrize("target", [3_000, 4_000, 6_000])
def test_early_rules_outlive_the_small_talk_of_newer_messages_however_often(target: int) -> None:
    result = compacted(_talk(0, 60), target)
    for again in range(1, 4):
        told = result.sections[Section.REQUEST] + result.sections[Section.USER_MESSAGES]
        assert [rule for rule in RULES if rule not in told] == []
        result = compacted([*(result.messages or []), *_talk(60 * again, 60 * again + 40)], target)


def test_equal_small_talk_of_many_messages_is_one_line() -> None:
    told = compacted(_talk(0, 60), 5_000).sections[Section.REQUEST]
    assert told.count("Please go on with part") == 1
    assert " like this)" in told


def test_rules_that_differ_in_their_figures_are_told_one_by_one() -> None:
    history = [
        message
        for number in range(40)
        for message in (said("user", f"{CHAT}Never touch lock {number}."), said("assistant", "Done."))
    ]
    told = compacted(history, 4_000)
    everything = told.sections[Section.REQUEST] + told.sections[Section.USER_MESSAGES]
    assert [number for number in range(40) if f"Never touch lock {number}." not in everything] == []


@pytest.mark.parametrize("target", [None, 3_000, 8_000])
def test_a_pasted_log_is_a_line_with_a_count(target: int | None) -> None:
    log = "\n".join(f"2026-01-01 ERROR line {number} foo" for number in range(4_000))
    history = [
        said("user", f"Analyse this log:\n{log}\nNever restart the server."),
        said("assistant", "The culprit is line 7."),
        said("user", "Fix it."),
    ]
    sections = compacted(history, target).sections
    told = sections[Section.REQUEST].split("\n- User message 1: ")[1:]
    assert len(told) == 1
    assert told[0].rpartition(" (+")[0] not in sections[Section.USER_MESSAGES]
    assert "Never restart the server." in sections[Section.USER_MESSAGES]


def test_what_is_said_of_section_6_is_true() -> None:
    whole = "all of them stand word for word in section 6"
    assert whole in compacted([*_talk(0, 2), said("assistant", FILLER)]).sections[Section.REQUEST]
    left_out = compacted(_talk(0, 60), 3_000).sections
    assert "are left out here" in left_out[Section.USER_MESSAGES]
    assert whole not in left_out[Section.REQUEST]
    assert "The newest request is user message 60" in left_out[Section.REQUEST]
    cut = compacted([said("user", FILLER * 20), said("assistant", FILLER * 20), said("user", "Go on.")], 3_000).sections
    assert "its head and tail" in cut[Section.USER_MESSAGES]
    assert whole not in cut[Section.REQUEST]


def test_the_newest_request_is_named_where_it_stays_as_it_is() -> None:
    history = [*_talk(0, 20), said("user", "Now the tests."), said("assistant", "Done.")]
    result = CompactionEngine().compact(history, CompactionOptions(keep_tail_tokens=30))
    assert "The newest request is user message 21; all of them stand" in result.sections[Section.REQUEST]
    assert "User message 21 stands in full below" in result.sections[Section.USER_MESSAGES]


def test_what_is_pasted_or_attached_holds_no_rule_of_the_user() -> None:
    pasted = (
        "why this error\n\nRunning self-installer...\n  Error: Multiple versions of pnpm specified:\n"
        "  Remove one of these versions, never keep both, to avoid errors like ERR_PNPM_BAD_PM_VERSION\n"
        "      at readTarget (/home/runner/action-setup/v4/dist/index.js:1:7537)\n\n"
        "Never commit the lock file."
    )
    attached = '<file_content path="a.py">\n# You must always round down.\n</file_content>\nLook at it.'
    history = [
        said("user", "Begin."),
        said("assistant", "Done."),
        said("user", pasted),
        said("assistant", "It is mended."),
    ]
    history += [said("user", attached), said("assistant", "Seen."), *_talk(0, 60)]
    result = compacted(history, 3_000)
    told = result.sections[Section.REQUEST]
    assert "Never commit the lock file." in told + result.sections[Section.USER_MESSAGES]
    assert "never keep both" not in told
    assert "round down" not in told
    lines = [
        line.text
        for line in unshown([Request(2, pasted, "", pasted), Request(3, attached, "", attached)])
        if line.worth > 90
    ]
    assert lines == ["- User message 2: Never commit the lock file."]
