"""Errors are what failed, told with the reason and as often as it did; what a file or a search shows is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, Section
from compaction.history.answers import excerpt, names_error
from tests.compaction.history.sessions import FILLER, called, compacted, said, session

if TYPE_CHECKING:
    from compaction.values import JsonObject


def _errors(*calls: list[JsonObject]) -> str:
    return compacted(session(*(message for call in calls for message in call))).sections[Section.ERRORS]


@pytest.mark.parametrize(
    ("line", "is_error"),
    [
        ("FAILED=0 PASSED=10", False),
        ("FAILED: 0", False),
        ("FAILED=2", True),
        ("FAILED tests/test_a.py::test_x", True),
        ("ImportError handling: ok", False),
        ("INFO no errors found: 0 errors", False),
        ("ValueError: no port", True),
        ("E   KeyError", True),
        ("TypeError [ERR_ARG]: wrong", True),
        ("java.lang.IllegalStateException at Main.java:3", True),
        ('raise ValueError("x")', True),
    ],
)
def test_words_for_errors_are_errors_where_they_say_that_one_happened(line: str, is_error: bool) -> None:
    assert names_error(f"begin\n{line}\nend") is is_error


def test_a_label_is_told_with_the_line_that_it_announces() -> None:
    answer = "ERROR:\n\nNo replacement was performed, old_str `foo` did not appear verbatim.\nLook at the file again.\nThen edit."
    assert excerpt(answer) == "ERROR: No replacement was performed, old_str `foo` did not appear verbatim."
    assert excerpt("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nunused y") == "Exit code: 1 / unused y"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("grep -n iso match.c", "Exit code 1"),
        ("cd src && rg iso", ""),
        ("diff a b", "Exit code 1\n< port = 1\n> port = 2"),
    ],
)
def test_a_search_without_a_hit_is_no_error(command: str, answer: str) -> None:
    assert _errors(called(1, "Bash", {"command": command}, answer, is_error=True)) == ""


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("grep -n iso gone.c", "Exit code 2\ngrep: gone.c: No such file or directory"),
        ("cd gone && grep x y", "Exit code 1\ncd: gone: No such file or directory"),
        ("make && grep x y", "Exit code 1"),
    ],
)
def test_a_search_that_could_not_be_made_is_one(command: str, answer: str) -> None:
    assert command in _errors(called(1, "Bash", {"command": command}, answer, is_error=True))


_PAGES = "class RetryError(Exception):\nraise ValueError: x\n"


def test_a_models_summary_is_given_errors_and_no_files_that_name_some() -> None:
    calls = [
        *called(1, "Bash", {"command": "cat src/errors.py"}, _PAGES),
        *called(2, "Bash", {"command": "make"}, _PAGES),
    ]
    good = "\n\n".join(f"{section.heading}\nThe build is mended and the port stays." for section in Section)
    result = CompactionEngine().compact(session(*calls, said("assistant", FILLER)), CompactionOptions(summary=good))
    assert "Bash(make): " in result.sections[Section.ERRORS]
    assert "cat src/errors.py" not in result.sections[Section.ERRORS]
