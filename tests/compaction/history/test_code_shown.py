"""Calls of `get_context` and `zoom` are told by what they showed, and not by lines of the code in their answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import Section
from fractal_context import ContextEngine, Roots, zoom
from tests.compaction.history.sessions import FILLER, called, compacted, said, session

if TYPE_CHECKING:
    from pathlib import Path

    from compaction.history import CompactionResult
    from compaction.values import JsonObject

SOURCE = '''"""Reads settings."""


def parse(text: str) -> dict[str, str]:
    """Parse lines, each of which holds a name and, behind the first sign of equality, a value.

    Blanks at the ends of both are taken away, and a line without the sign is an error, after which the program ends:
    exit code: 1
    """
    raise ValueError(text)


def load(path: str) -> dict[str, str]:
    return parse(open(path).read())
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of more files than are shown one by one."""
    (tmp_path / "settings.py").write_text(SOURCE, encoding="utf-8")
    for number in range(14):
        (tmp_path / f"part{number}.py").write_text(f"def run_{number}():\n    return {number}\n", encoding="utf-8")
    return tmp_path


def _sections(*calls: list[JsonObject]) -> CompactionResult:
    return compacted(session(*(message for call in calls for message in call), said("assistant", FILLER)))


def _zoomed(project: Path, target: str) -> str:
    return zoom(target, ".", roots=Roots([project])).text


@pytest.mark.parametrize("tool", ["mcp__fractal-context__zoom", "zoom", "Bash"])
def test_a_zoom_is_told_by_the_place_and_the_name_of_what_it_showed_and_its_file_is_read(
    project: Path, tool: str
) -> None:
    arguments: JsonObject = {"command": "fractal-context zoom parse ."} if tool == "Bash" else {"target": "parse"}
    told = _sections(called(1, tool, arguments, _zoomed(project, "parse")))
    work = told.sections[Section.CURRENT]
    assert "→ settings.py:4-10 function parse\n" in work or "shows: settings.py:4-10 function parse\n" in work
    assert "ValueError" not in work, "no line of the code is told as the answer"
    assert not told.sections[Section.ERRORS], "what the code says is no error of the call"
    assert told.sections[Section.FILES].startswith("- `settings.py`: read")


def test_a_first_look_is_told_by_its_map_and_files_and_its_legend_names_none(project: Path) -> None:
    shown = ContextEngine(Roots([project])).get_context(".", token_budget=600)
    answer = f"{shown.context}\n{json.dumps({'snapshot': 'b90784528526', 'next_cursor': None, 'tokens_used': 597}, separators=(',', ':'))}"
    told = _sections(called(1, "get_context", {"token_budget": 600}, answer))
    assert "get_context(token_budget=600) → 15 files: 15 source" in told.sections[Section.CURRENT]
    assert "Below: folder/" not in told.sections[Section.CURRENT]
    assert "x_a.py" in answer
    assert "x_a.py" not in told.sections[Section.FILES]
    assert "next_cursor" not in told.sections[Section.CONCEPTS]


def test_a_context_is_told_by_what_is_shown_in_full(project: Path) -> None:
    shown = ContextEngine(Roots([project])).get_context(".", token_budget=100, focus=["load"]).context
    told = _sections(called(1, "get_context", {"focus": ["load"]}, shown)).sections
    assert "→ settings.py [FULL:load" in told[Section.CURRENT]
    assert "`settings.py`: read" not in told[Section.FILES], "a part of a skeleton is no file that was read"


def test_another_tool_of_the_same_name_is_told_by_its_own_words() -> None:
    told = _sections(called(1, "browser__zoom", {"level": 2}, "The page is shown at 200 % now, and was 100 % before."))
    assert "→ The page is shown at 200 % now" in told.sections[Section.CURRENT]
