from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from tests.skeleton.desk import SHOP, Desk
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, UnreadableFileError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("total", "callers", ["shop/cart.py:5 Cart.sum: def sum(self):"]),
        ("total", "tests", ["tests/test_price.py:4 test_total_of_nothing: def test_total_of_nothing():"]),
        ("total", "callees", ["shop/price.py:5 tax: def tax(one):"]),
        ("show", "callees", ["web/price.ts:2 format: function format(cents: number)"]),
        ("inner", "callers", ["src/lib.rs:1 outer: pub fn outer() -> u8"]),
        ("run", "callers", ["main.go:3 main: func main()"]),
        ("App.add", "callers", ["App.java:2 App.twice: int twice(int n)"]),
        ("App.twice", "callees", ["App.java:3 App.add: int add(int a, int b)"]),
    ],
)
def test_neighbours_are_shown_by_their_signatures(desk: Desk, target: str, context: str, expected: list[str]) -> None:
    name = target.rpartition(".")[2]
    heading, *lines = desk.zoom(target, context=context).text.partition("=== ")[2].splitlines()
    assert re.fullmatch(rf"{context} of (\w+\.)?{name}, found by name", heading)
    assert lines == expected


CALLS = {
    "a.c": "int twice(int n);\n\nint four(int n)\n{\n    return twice(twice(n));\n}\n",
    "b.js": "export const half = (n) => n / 2;\nexport function quarter(n) {\n  return half(half(n));\n}\n",
    "c.rb": "module Shop\n  def self.price(n)\n    n\n  end\n\n  def self.bill(n)\n    Shop.price(n)\n  end\nend\n",
    "d.cs": "class Bank {\n  int Lend(int n) { return n; }\n  int Owe(int n) => Lend(n);\n}\n",
    "e.php": "<?php\nfunction send(int $n): int {\n  return $n;\n}\nfunction post(int $n): int {\n  return send($n);\n}\n",
    "tests/f_test.go": "package p\n\nfunc TestTwo(t *testing.T) {\n\tdouble(1)\n}\n",
    "f.go": "package p\n\nfunc double(n int) int {\n\treturn n\n}\n",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("twice", "callers", ["a.c:3 four: int four(int n)"]),
        ("four", "callees", ["a.c:1 twice: int twice(int n);"]),
        ("half", "callers", ["b.js:2 quarter: export function quarter(n)"]),
        ("quarter", "callees", ["b.js:1 half: export const half = (n) =>"]),
        ("Shop.price", "callers", ["c.rb:6 Shop.bill: def self.bill(n)"]),
        ("Shop.bill", "callees", ["c.rb:2 Shop.price: def self.price(n)"]),
        ("Bank.Lend", "callers", ["d.cs:3 Bank.Owe: int Owe(int n)"]),
        ("Bank.Owe", "callees", ["d.cs:2 Bank.Lend: int Lend(int n)"]),
        ("send", "callers", ["e.php:5 post: function post(int $n): int"]),
        ("post", "callees", ["e.php:2 send: function send(int $n): int"]),
        ("double", "tests", ["tests/f_test.go:3 TestTwo: func TestTwo(t *testing.T)"]),
        ("double", "callers", []),
    ],
)
def test_neighbours_are_right_in_many_languages(tmp_path: Path, target: str, context: str, expected: list[str]) -> None:
    desk = Desk(write_tree(tmp_path, CALLS))
    heading, *lines = desk.zoom(target, context=context).text.partition("=== ")[2].splitlines()
    assert heading.endswith("found by name")
    assert [line for line in lines if not line.startswith("c.rb:1 ")] == expected


def test_callers_are_those_of_now_in_a_folder_that_had_been_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)

    def callers() -> list[str]:
        _, *lines = desk.zoom("total", context="callers").text.partition("=== ")[2].splitlines()
        return [line.split()[1] for line in lines]

    assert callers() == callers() == ["Cart.sum:"]
    write_tree(desk.folder, {"shop/more.py": "def more():\n    return total([])\n"})
    assert callers() == ["Cart.sum:", "more:"]
    write_tree(desk.folder, {"shop/cart.py": "def nothing(): ...\n"})
    assert callers() == ["more:"]
    (desk.folder / "shop" / "more.py").unlink()
    assert callers() == []


class Meddler:
    """Is told of progress, and rewrites a file each time that something is about to be read."""

    def __init__(self, place: Path, texts: list[str], before: str) -> None:
        self.place = place
        self.before = f"reading {before}"
        self.texts = texts

    def __call__(self, done: int, total: int, what: str) -> None:
        del done, total
        if what == self.before and self.texts:
            self.place.write_bytes(self.texts.pop().encode())


def test_a_file_that_changes_while_callers_are_looked_for_is_read_again(desk: Desk) -> None:
    desk.zoom("total")
    texts = [SHOP["shop/price.py"] + "\n\ndef more():\n    total([])\n"]
    meddler = Meddler(desk.folder / "shop" / "price.py", texts, before="shop/cart.py")
    found = desk.zoomer.zoom("total", str(desk.folder), context="callers", progress=meddler)
    assert [line.split()[1] for line in found.text.partition("=== ")[2].splitlines()[1:]] == ["more:", "Cart.sum:"]


def test_a_file_that_changes_each_time_it_is_read_is_said_to(desk: Desk) -> None:
    desk.zoom("total")
    texts = [f"def total(): return {n}\n" for n in range(99)]
    meddler = Meddler(desk.folder / "shop" / "price.py", texts, before="shop/price.py")
    with pytest.raises(UnreadableFileError, match=r"shop/price\.py changed each time it was read"):
        desk.zoomer.zoom("total", str(desk.folder), context="callers", progress=meddler)


def test_a_signature_without_end_is_cut_in_a_list_of_callers(desk: Desk) -> None:
    parameters = ", ".join(f"parameter_{number}" for number in range(99))
    write_tree(desk.folder, {"wide.py": f"def wide({parameters}):\n    return total([])\n"})
    (line,) = [one for one in desk.zoom("total", context="callers").text.splitlines() if one.startswith("wide.py")]
    assert line.startswith("wide.py:1 wide: def wide(parameter_0, ")
    assert line.endswith("…")
    assert len(line) < 270


def test_a_name_that_so_many_files_define_says_nothing_about_whom_is_called(desk: Desk) -> None:
    write_tree(desk.folder, {f"many/part{n}.py": "def fill(): ...\n" for n in range(5)})
    write_tree(desk.folder, {"use.py": "import many\n\n\ndef use():\n    many.fill()\n    return many.total()\n"})
    assert desk.zoom("use", context="callees").text.partition("=== ")[2].splitlines()[1:] == [
        "shop/price.py:1 total: def total(items):"
    ]


def test_neighbours_that_do_not_fit_are_counted(desk: Desk) -> None:
    write_tree(desk.folder, {f"shop/use{n}.py": f"def use_number_{n}():\n    return total([{n}])\n" for n in range(40)})
    result = desk.zoom("total", 200, "callers")
    assert result.tokens <= 200
    last = result.text.splitlines()[-1]
    assert re.fullmatch(r"⋮ \d+ more", last)
    shown = result.text.partition("=== ")[2].count("\nshop/")
    assert shown + int(last.split()[1]) == 41


def test_a_definition_without_neighbours_says_so(desk: Desk) -> None:
    assert desk.zoom("main", context="callers").text.endswith("=== no callers of main found by name\n")


def test_an_unknown_context_lists_what_there_is(desk: Desk) -> None:
    with pytest.raises(InvalidArgumentError, match="callers, callees, tests"):
        desk.zoom("main", context="friends")
