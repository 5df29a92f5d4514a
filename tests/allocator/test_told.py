"""Small budgets with a query: headers say little, and no signature is brought that the path says already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.fileset import AMPLE_BUDGET, SMALL_BUDGET, ContextRequest
from allocator.ranking.by_query import SMALL, USUAL, worths_at
from allocator.show.elision import Selection
from allocator.show.formats import FormatName
from allocator.show.told import told_by
from skeleton import CompressionLevel
from tests.allocator.files import file_of
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

L2 = CompressionLevel.SKELETON

METHODS = "".join(
    f"    int till{number}(int coats) {{\n        return coats + {number};\n    }}\n\n" for number in range(40)
)
DRAWER = "    int emptyDrawer(int coats) {\n        return coats;\n    }\n"
TREE = {
    "src/shop/Till.java": f"package shop;\n\n@Entity\nclass Till {{\n{METHODS}{DRAWER}}}\n",
    "src/shop/Others.java": f"package shop;\n\n@Entity\nclass Desk {{\n{METHODS}{DRAWER}}}\n",
}


@pytest.mark.parametrize(
    ("path", "kind", "name", "is_told"),
    [
        ("src/shop/order_line.py", "class", "OrderLine", True),
        ("src/shop/order-line.ts", "interface", "orderLine", True),
        ("src/shop/OrderLine.test.ts", "class", "OrderLine", True),
        ("src/shop/order.py", "class", "OrderLine", False),
        ("src/shop/order.py", "class", "Shop", False),
        ("src/shop/order.rb", "module", "Shop", True),
        ("src/NodaTime/TimeZones/Cached.cs", "module", "NodaTime.TimeZones", True),
        ("lib/shop/order.ex", "module", "Shop.Order", True),
        ("src/Shop/Order.php", "module", "App\\Shop", True),
        ("include/fmt/base.h", "module", "fmt::detail", False),
        ("src/shop/_.py", "class", "_", False),
        (".php", "class", "", False),
    ],
)
def test_a_path_says_the_names_of_types_that_files_and_of_modules_that_folders_are_called_like(
    path: str, kind: str, name: str, *, is_told: bool
) -> None:
    assert told_by(path, [(3, kind, name)]) == (frozenset({3}) if is_told else frozenset())


def test_what_a_member_stands_in_comes_without_its_attributes() -> None:
    file = file_of(
        "import app\n\n\n@app.sealed\n@app.named(\n    'x',\n)\nclass Till:\n    def load(self):\n        return 1\n"
    )
    member = next(place for place, one in enumerate(file.definitions) if one.name == "load")
    view = file.selected(L2, Selection(shown=frozenset({member})))
    assert view.lines == ("class Till:", "    def load(self): ...")
    holder = file.definitions.index(next(one for one in file.definitions if one.name == "Till"))
    assert file.selected(L2, Selection(shown=frozenset({holder}))).lines[0] == "@app.sealed"
    assert file.weights.head[holder] < file.weights.signature[holder]


def test_what_a_path_says_is_left_out_for_the_sake_of_a_member_alone() -> None:
    file = file_of(TREE["src/shop/Till.java"], "src/shop/Till.java")
    holder, member = (
        next(place for place, one in enumerate(file.definitions) if one.name == name)
        for name in ("Till", "emptyDrawer")
    )
    assert file.told == {holder}
    for raised in (frozenset[int](), frozenset({member})):
        view = file.selected(L2, Selection(shown=frozenset({member}), raised=raised, told=file.told))
        assert view.lines[0].startswith("    int emptyDrawer(int coats)")
        assert view.marks[0] == "SHOWN:1/42"
    whole = file.selected(L2, Selection(shown=frozenset({holder, member}), told=file.told))
    assert "class Till {" in whole.lines


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> ContextEngine:
    return ContextEngine(Roots([write_tree(tmp_path_factory.mktemp("told") / "shop", TREE).resolve()]))


def headers(engine: ContextEngine, budget: int, *, query: str = "", focus: str | None = None, form: str) -> list[str]:
    context = engine.get_context(".", token_budget=budget, query=query, focus=focus, format=form).context
    return re.findall(r"^\+\+\+ (src/.*)$", context, re.MULTILINE)


def test_under_a_small_budget_a_query_is_answered_with_little_about_the_answer(engine: ContextEngine) -> None:
    context = engine.get_context(".", token_budget=100, query="empty the drawer", format="compact").context
    assert "+++ src/shop/Till.java [SKELETON:L2] [PART]\n    int emptyDrawer(int coats)" in context
    assert "+++ src/shop/Others.java [SKELETON:L2] [PART]\nclass Desk {\n" in context
    assert "@Entity" not in context


def test_headers_say_how_much_there_is_where_there_is_room_or_a_program_reads_them(engine: ContextEngine) -> None:
    query = "empty the drawer"
    assert all("[SHOWN:" in header for header in headers(engine, 300, query=query, form="plus"))
    assert any("[SHOWN:" in header for header in headers(engine, 300, focus="src/shop/Till.java", form="compact"))
    assert all("[PART]" in header for header in headers(engine, 300, query=query, form="compact"))
    assert not any("[PART]" in header for header in headers(engine, AMPLE_BUDGET + 1, query=query, form="compact"))


def test_a_body_of_which_no_line_fits_is_told_by_its_signature(engine: ContextEngine) -> None:
    for budget in range(64, 400, 6):
        context = engine.get_context(".", token_budget=budget, query="empty the drawer", format="compact").context
        assert not re.search(r"\{\n⋮ \d+ more lines?\n", context)


def test_the_lines_that_a_query_quotes_stay_where_more_of_their_file_would_fit(tmp_path: Path) -> None:
    options = "".join(f"SHOP_OPTION_{number}=\n" for number in range(200)) + "SHOP_TILL_KEY=1\n"
    others = {f"shop/part_{number}.py": f"def till_{number}(key):\n    return key + {number}\n" for number in range(12)}
    folder = write_tree(tmp_path, {".env.example": options, **others}).resolve()
    for budget in range(120, 700, 20):
        context = ContextEngine(Roots([folder])).get_context(
            str(folder), token_budget=budget, query="SHOP_TILL_KEY is not read", format="compact"
        )
        assert "SHOP_TILL_KEY=1" in context.context.splitlines()


BELLS = {
    f"src/bells/tower{number:02}.py": "".join(
        f"def ring{at}(bell, rope):\n    bell.swing(rope, {at})\n" + "    rope.pull(bell)\n" * (8 + number % 7) + "\n\n"
        for at in range(4)
    )
    for number in range(90)
}


def test_a_larger_budget_shows_no_fewer_files(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "bells", BELLS).resolve()
    engine = ContextEngine(Roots([folder]))
    shown = [
        engine.get_context(".", token_budget=budget, query="ring a bell by its rope", format="compact").context.count(
            "\n+++ src"
        )
        for budget in (SMALL_BUDGET, SMALL_BUDGET + 100, 5000, 7000, 10_000, AMPLE_BUDGET)
    ]
    assert shown == sorted(shown)
    assert shown[0] > 5


def test_breadth_goes_down_from_small_budgets_to_ample_ones() -> None:
    budgets = (1000, SMALL_BUDGET, SMALL_BUDGET + 1, AMPLE_BUDGET - 1, AMPLE_BUDGET, 10**6)
    compact = [ContextRequest(token_budget=budget, format=FormatName.COMPACT) for budget in budgets]
    assert [one.breadth for one in compact[:2]] == [1.0, 1.0]
    assert 1.0 > compact[2].breadth > compact[3].breadth > 0.0
    assert [one.breadth for one in compact[4:]] == [0.0, 0.0]
    assert [one.is_terse for one in compact] == [True, True, True, True, True, False]
    assert ContextRequest(token_budget=1000).breadth == ContextRequest(format=FormatName.COMPACT).breadth == 0.0
    assert (worths_at(0.0), worths_at(1.0)) == (USUAL, SMALL)
