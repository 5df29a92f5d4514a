"""The thing that a reader named comes first and whole, then its neighbourhood, then what is important near it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine, ContextResult
from tests.trees import write_tree
from workspace.roots import Roots


def body(lines: int, first: str = "value") -> str:
    return "".join(f"        {first} = {first} + {line}  # step {line} of this one\n" for line in range(lines))


ORDERS = f'''"""Orders of a shop."""

from shop.prices import price_of
from shop.stock import reserve


class Orders:
    """All orders."""

    def opened(self):
{body(3)}        return value

    def place(self, basket, customer):
        """Places an order."""
        total = price_of(basket)
        reserve(basket)
        self.noted(total)
        return total

    def noted(self, value):
{body(4)}        return value

    def cancelled(self, value):
{body(4)}        return value


def unrelated(value):
{body(3)}    return value
'''
SHOP = {
    "shop/orders.py": ORDERS,
    "shop/prices.py": f"def price_of(basket):\n    value = 1\n{body(9)}        return value\n".replace(
        "        ", "    "
    ),
    "shop/stock.py": "def reserve(basket):\n    return basket\n\n\ndef released(basket):\n    return basket\n",
    "shop/desk.py": "from shop.orders import Orders\n\n\ndef sell(basket, customer):\n    return Orders().place(basket, customer)\n",
    "tests/test_orders.py": "from shop.orders import Orders\n\n\ndef test_an_order_is_placed():\n    assert Orders().place([], 1)\n",
} | {
    f"a/part_{number:02}.py": "".join(
        f"def part_{number}_{name}(value):\n" + body(9).replace("        ", "    ") + "    return value\n\n\n"
        for name in "abc"
    )
    for number in range(14)
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_tree(tmp_path, SHOP)


def served(folder: Path, budget: int, focus: str, **arguments: Any) -> ContextResult:
    engine = ContextEngine(Roots([folder]))
    return engine.get_context(str(folder), token_budget=budget, focus=[focus], format="compact", **arguments)


def paths(result: ContextResult) -> list[str]:
    return re.findall(r"^\+\+\+ (\S+)", result.context, re.MULTILINE)


PLACE = ORDERS[ORDERS.index("    def place") : ORDERS.index("    def noted")].rstrip()


@pytest.mark.parametrize("budget", [300, 700, 1500, 4000])
def test_what_is_named_is_whole_and_in_the_first_block(shop: Path, budget: int) -> None:
    result = served(shop, budget, "Orders.place", summary=False)
    assert paths(result)[0] == "shop/orders.py"
    assert PLACE in result.context


def test_callees_callers_tests_the_type_and_the_file_follow_in_this_order(shop: Path) -> None:
    wanted = {
        "callee": "def price_of(basket)",
        "caller": "def sell(basket, customer)",
        "test": "def test_an_order_is_placed()",
        "type": "def cancelled(self, value)",
        "file": "def unrelated(value)",
    }
    least: dict[str, int] = {}
    engine = ContextEngine(Roots([shop]))
    for budget in range(80, 560, 15):
        shown = engine.get_context(
            str(shop), token_budget=budget, focus=["Orders.place"], format="compact", summary=False
        ).context
        for name, signature in wanted.items():
            if signature in shown:
                least.setdefault(name, budget)
            else:  # it filled what was left, and a larger budget holds something better
                least.pop(name, None)
    assert sorted(least, key=least.__getitem__) == [*wanted]
    assert least["file"] < 500
    assert "part_" not in served(shop, least["test"], "Orders.place", summary=False).context


def test_the_rest_of_the_budget_is_used_near_what_was_named(shop: Path) -> None:
    for budget in (1000, 1700, 2500, 3300):
        result = served(shop, budget, "Orders.place")
        assert result.tokens_used >= 0.97 * budget
        assert "    return basket\n" in result.context, "the bodies of what stands around it come before the rest"


def test_a_type_larger_than_the_budget_is_shown_member_by_member_as_far_as_it_goes(tmp_path: Path) -> None:
    methods = "".join(
        f"    pub fn step_{n}(&mut self) -> u32 {{\n{'        self.kept += 1;' * 12}\n    }}\n" for n in range(30)
    )
    write_tree(
        tmp_path,
        SHOP | {"src/builder.rs": f"pub struct Builder {{\n    kept: u32,\n}}\n\nimpl Builder {{\n{methods}}}\n"},
    )
    before = -1
    for budget in (1500, 2200, 2900):
        result = served(tmp_path, budget, "src/builder.rs::Builder")
        assert paths(result)[0] == "src/builder.rs"
        assert all(f"fn step_{n}(&mut self) -> u32" in result.context for n in range(30))
        assert result.tokens_used >= 0.96 * budget
        whole = result.context.count("self.kept += 1;        self.kept")
        assert whole > before
        before = whole


def test_the_methods_that_a_type_has_in_other_files_of_its_folder_are_shown(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "kit/engine.go": "package kit\n\ntype Engine struct {\n\tPort int\n}\n",
            "kit/run.go": "package kit\n\nfunc (e *Engine) Run(address string) error {\n\treturn nil\n}\n",
            "kit/other.go": "package kit\n\ntype Wheel struct {\n\tSize int\n}\n\nfunc (w *Wheel) Turn() int {\n\treturn 1\n}\n",
        }
        | {
            f"a/part_{number}.go": f"package a\n\nfunc Part{number}(x int) int {{\n\treturn x\n}}\n"
            for number in range(12)
        },
    )
    result = served(tmp_path, 80, "kit/engine.go::Engine", summary=False)
    assert paths(result)[:2] == ["kit/engine.go", "kit/run.go"]
    assert "func (e *Engine) Run(address string) error" in result.context
    assert "Turn" not in result.context


def test_callers_nearby_come_before_those_far_away(tmp_path: Path) -> None:
    use = "from kit.core import wanted\n\n\ndef use_{}(value):\n    return wanted(value)\n"
    far = {f"other/deep/far_{number:02}.py": use.format(f"far_{number}") for number in range(30)}
    write_tree(
        tmp_path, {"kit/core.py": "def wanted(value):\n    return value\n", "kit/near.py": use.format("near")} | far
    )
    assert paths(served(tmp_path, 120, "wanted", summary=False))[:2] == ["kit/core.py", "kit/near.py"]


@pytest.mark.parametrize("name", ["{}/shop/stock.py", "file://{}/shop/stock.py#L1-L2", "{}/shop/stock.py::reserve"])
def test_a_place_may_be_named_from_the_root_of_the_disk(shop: Path, name: str) -> None:
    assert paths(served(shop, 300, name.format(shop), summary=False))[0] == "shop/stock.py"


def test_a_folder_may_be_named_from_the_root_of_the_disk(shop: Path) -> None:
    near = served(shop, 300, "shop/", summary=False).context
    for folder in (f"{shop}/shop/", f"{shop}/shop", f"file://{shop}/shop"):
        assert served(shop, 300, folder, summary=False).context == near


def test_names_in_braces_are_several_unless_a_file_is_called_so(tmp_path: Path) -> None:
    names = ("apple", "berry", "cherry", "{d e}")
    root = write_tree(tmp_path, {f"src/{name}.txt": f"of {name}\n" * 40 for name in names})
    engine = ContextEngine(Roots([root]))

    def whole(*focus: str) -> set[str]:
        shown = engine.get_context(str(root), token_budget=300, focus=focus, format="compact").context
        return {name for name in names if shown.count(f"of {name}\n") == 40}

    assert whole("src/{apple cherry}.txt") == whole("src/{apple, cherry}.txt") == {"apple", "cherry"}
    assert "{d e}" in whole("src/{d e}.txt")


def test_several_names_are_all_whole_before_what_stands_around_the_first(shop: Path) -> None:
    result = served(shop, 420, "Orders.place, part_3_b", summary=False)
    assert paths(result)[:2] == ["shop/orders.py", "a/part_03.py"]
    assert PLACE in result.context
    assert "[FULL:part_3_b]" in result.context
