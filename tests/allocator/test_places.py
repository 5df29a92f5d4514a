"""The folders of which a question brings something, and those of which nothing is shown."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.show.places import folders_of, places, room_for_places
from skeleton import CompressionLevel
from tests.trees import write_tree
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult

count = token_counter().count

PATHS = ["a.py", "src/b.py", "src/c.py", "src/in/d.py", "src/out/deep/e.py", "docs/f.md", "docs/more/g.md"]


def told(shown: list[str], *, longest: int = 1000) -> list[str]:
    return places(folders_of(PATHS), shown, lambda text: len(text) <= longest).splitlines()


def test_folders_stand_with_what_is_shown_of_them_and_the_others_in_one_line() -> None:
    assert told(["src/b.py", "src/in/d.py"]) == [
        "src/ 1 of 2 files",
        "src/in/ 1 of 1",
        "nothing of: docs/ 2, ./ 1, src/out/ 1",
    ]


def test_where_all_is_shown_nothing_is_told() -> None:
    assert told(PATHS) == []


def test_folders_are_told_by_those_they_lie_in_where_there_is_too_little_room() -> None:
    shown = ["src/b.py", "src/in/d.py", "src/out/deep/e.py"]
    assert told(shown, longest=60) == ["src/ 3 of 4 files", "nothing of: docs/ 2, ./ 1"]
    assert told(shown, longest=45) == ["src/ 3 of 4 files", "nothing of: 2 folders 3"]
    assert told(shown, longest=30) == []


def test_the_room_grows_by_no_more_than_the_budget() -> None:
    rooms = [room_for_places(budget) for budget in range(64, 40_000)]
    assert all(0 <= after - before <= 1 for before, after in itertools.pairwise(rooms))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    body = "".join(f"    total_{number} = number + {number}\n" for number in range(12))
    tree = {
        f"{place}/part_{number}.py": f"def {place.rpartition('/')[2]}_{number}(number: int) -> int:\n{body}    return number\n"
        for place in ("src/shop", "src/shop/web", "tests", "tools")
        for number in range(8)
    }
    return write_tree(tmp_path_factory.mktemp("places"), tree)


def served(folder: Path, budget: int, **asked: object) -> ContextResult:
    engine = ContextEngine(Roots([folder]))
    return engine.get_context(str(folder), token_budget=budget, **asked)  # type: ignore[arg-type]  # the options of the call


@pytest.mark.parametrize("layout", ["plus", "compact", "xml", "markdown", "json"])
@pytest.mark.parametrize("asked", [{"query": "how does web_3 add numbers"}, {"focus": ["web_3", "src/shop/part_2.py"]}])
def test_what_a_question_brings_begins_with_its_places_and_what_is_named_ends_with_them(
    folder: Path, asked: dict[str, object], layout: str
) -> None:
    result = served(folder, 2100, format=layout, **asked)
    assert result.tokens_used == count(result.context) + count(result.summary) <= 2100
    assert result.tokens_used >= 0.95 * 2100
    dropped = len(result.metadata.compression_summary[CompressionLevel.DROP])
    start = result.context.lower().index("overview")
    assert (start < 50) is ("query" in asked)
    beginning = result.context[start : start + 400].partition(f"{dropped} of 32 files")[0]
    parts = [(int(shown), int(of)) for shown, of in re.findall(r"(\d+) of (\d+)", beginning)]
    left = re.search(r"nothing of: ([^\n\\]*)", beginning)
    rest = sum(map(int, re.findall(r" (\d+)\b(?!\d* more| folders)", left[1]))) if left else 0
    assert sum(of - shown for shown, of in parts) + rest == dropped
    assert (
        f"{dropped} of 32 files are not shown: zoom "
        in result.context.splitlines()[-2 if layout in ("xml", "json") else -1]
    )


def test_small_budgets_and_further_pages_have_no_places(folder: Path) -> None:
    assert "[OVERVIEW]" not in served(folder, 600, query="web_3").context
    engine = ContextEngine(Roots([folder]))
    first = engine.get_context(str(folder), token_budget=2000, query="web_3")
    cursor = first.metadata.next_cursor
    assert cursor is not None
    assert "[OVERVIEW]" in first.context
    assert "[OVERVIEW]" not in engine.get_context(str(folder), token_budget=2000, query="web_3", cursor=cursor).context
