from __future__ import annotations

import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from skeleton.index import CodeIndex
from skeleton.workers import Workers
from skeleton.zoom import Zoomer, ZoomResult
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from skeleton.zoom import Match

SHOP = {
    "shop/cart.py": "from shop.price import total\n\n\nclass Cart:\n    def sum(self):\n        return total(self.items)\n",
    "shop/price.py": "def total(items):\n    return sum(tax(one) for one in items)\n\n\ndef tax(one):\n    return one\n",
    "tests/test_price.py": "from shop.price import total\n\n\ndef test_total_of_nothing():\n    assert total([]) == 0\n",
    "web/price.ts": "export const show = (cents: number) => format(cents);\nfunction format(cents: number) {\n  return `${cents}`;\n}\n",
    "src/lib.rs": "pub fn outer() -> u8 {\n    inner()\n}\nfn inner() -> u8 {\n    1\n}\n#[test]\nfn checks() {\n    outer();\n}\n",
    "main.go": "package main\n\nfunc main() {\n\trun(1)\n}\n\nfunc run(n int) int {\n\treturn n\n}\n",
    "App.java": "class App {\n  int twice(int n) { return add(n, n); }\n  int add(int a, int b) { return a + b; }\n}\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


class Desk:
    """A folder and a zoomer that is kept between calls, as a server keeps it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.zoomer = Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)))

    def zoom(self, target: str, budget: int | None = None, context: str = "") -> ZoomResult:
        return self.zoomer.zoom(target, str(self.folder), token_budget=budget, context=context)

    def one(self, target: str) -> Match:
        (match,) = self.zoom(target).matches
        return match


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(write(tmp_path, SHOP))


@pytest.mark.parametrize(
    ("name", "source", "targets"),
    [
        (
            "overloads.ts",
            "export function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: any) {\n  return a;\n}\n",
            {"f~1": "export function f(a: string): string;", "f~3": "export function f(a: any) {\n  return a;\n}"},
        ),
        (
            "setters.py",
            "class A:\n    @property\n    def x(self):\n        return 1\n\n    @x.setter\n    def x(self, v):\n        pass\n",
            {
                "A.x~1": "    @property\n    def x(self):\n        return 1",
                "A.x~2": "    @x.setter\n    def x(self, v):\n        pass",
            },
        ),
        (
            "impls.rs",
            "struct P<T>(T);\nimpl P<u8> {\n    fn size(&self) -> u8 { 1 }\n}\nimpl P<u16> {\n    fn size(&self) -> u8 { 2 }\n}\n",
            {"size~1": "    fn size(&self) -> u8 { 1 }", "size~2": "    fn size(&self) -> u8 { 2 }"},
        ),
        (
            "nested.py",
            "def outer():\n    def inner():\n        return 1\n    return inner\n",
            {"outer.inner": "    def inner():\n        return 1", "inner": "    def inner():\n        return 1"},
        ),
        (
            "arrow.js",
            "export const add = (a, b) => {\n  return a + b;\n};\n",
            {"add": "export const add = (a, b) => {\n  return a + b;\n};"},
        ),
        (
            "standard.js",
            "export default function () {\n  return 1;\n}\n",
            {"default": "export default function () {\n  return 1;\n}"},
        ),
        (
            "partial.cs",
            "partial class Ship {\n    void Sail() { }\n}\npartial class Ship {\n    void Dock() { }\n}\n",
            {"class=Ship~2": "partial class Ship {\n    void Dock() { }\n}", "Ship.Sail": "    void Sail() { }"},
        ),
        (
            "reopened.rb",
            "module Port\n  def open\n  end\nend\nmodule Port\n  def close\n  end\nend\n",
            {"Port~2": "module Port\n  def close\n  end\nend", "Port.close": "  def close\n  end"},
        ),
        (
            "declared.c",
            "int depth(int ship);\n\nint depth(int ship)\n{\n    return ship;\n}\n",
            {"depth~1": "int depth(int ship);", "depth~2": "int depth(int ship)\n{\n    return ship;\n}"},
        ),
        (
            "macros.h",
            "#define DEEP(x) ((x) > 3)\n\n#define LONG(x) \\\n    do_it(x)\n",
            {"DEEP": "#define DEEP(x) ((x) > 3)", "LONG": "#define LONG(x) \\\n    do_it(x)"},
        ),
        (
            "operators.cpp",
            "struct V {\n  bool operator==(const V& o) const { return true; }\n};\n",
            {"V.operator==": "  bool operator==(const V& o) const { return true; }"},
        ),
    ],
)
def test_whatever_shares_a_name_has_a_name_of_its_own(
    tmp_path: Path, name: str, source: str, targets: dict[str, str]
) -> None:
    desk = Desk(write(tmp_path, {name: source}))
    for target, text in targets.items():
        prefix, equals, symbol = target.partition("=")
        for form in (
            target,
            f"{prefix}{equals}{name}::{symbol}" if equals == "=" and symbol and symbol != "=" else f"{name}::{target}",
        ):
            assert desk.one(form).text == text, form


def test_every_match_has_a_target_that_gives_it_alone(desk: Desk) -> None:
    for name in ("total", "tax", "Cart", "show", "inner", "run", "add"):
        for match in desk.zoom(name).matches:
            assert desk.one(match.target) == match


@pytest.mark.parametrize("again", range(3))
def test_an_edit_within_the_same_moment_and_of_the_same_size_is_shown(desk: Desk, again: int) -> None:
    for digit in "123456789":
        write(desk.folder, {"shop/price.py": SHOP["shop/price.py"].replace("return one", f"return on{digit}")})
        assert desk.one("tax").text.endswith(f"return on{digit}")


def test_lines_that_move_a_definition_never_give_bytes_at_stale_offsets(desk: Desk) -> None:
    before = desk.one("tax").text
    for lines in range(1, 4):
        write(desk.folder, {"shop/price.py": "#\n" * lines + SHOP["shop/price.py"]})
        match = desk.one("tax")
        assert match.text == before
        assert match.first_line == 5 + lines


def test_a_renamed_definition_is_found_under_its_new_name_alone(desk: Desk) -> None:
    desk.one("tax")
    write(desk.folder, {"shop/price.py": SHOP["shop/price.py"].replace("tax", "levy")})
    assert desk.one("levy").path == "shop/price.py"
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")


def test_a_deleted_moved_or_replaced_file_is_not_remembered(desk: Desk) -> None:
    desk.one("tax")
    (desk.folder / "shop" / "price.py").rename(desk.folder / "shop" / "levies.py")
    assert desk.one("tax").path == "shop/levies.py"
    (desk.folder / "shop" / "levies.py").unlink()
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")
    write(desk.folder, {"new/place.py": "def tax(): ...\n"})
    assert desk.one("tax").path == "new/place.py"
    (desk.folder / "new" / "place.py").unlink()
    (desk.folder / "new" / "place.py").mkdir()
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")


def test_what_came_since_is_found_in_a_folder_that_had_been_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    desk.one("tax")
    write(desk.folder, {"shop/more.py": "def tax(): ...\n"})
    assert [match.path for match in desk.zoom("tax").matches] == ["shop/more.py", "shop/price.py"]
    write(desk.folder, {"App.java": SHOP["App.java"].replace("add", "sum")})
    assert desk.one("App.sum").path == "App.java"
    write(desk.folder, {".contextignore": "shop/more.py\n"})
    assert [match.path for match in desk.zoom("tax").matches] == ["shop/price.py"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_git_lists_otherwise_is_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(desk.folder), *words], check=True, capture_output=True)

    git("init")
    write(desk.folder, {".gitignore": "main.go\n"})
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("run")
    git("add", "-f", "main.go")
    assert desk.one("run").path == "main.go"


def test_a_file_that_changed_since_it_was_shown_is_said_to_have_changed(desk: Desk) -> None:
    assert "CHANGED" not in desk.zoom("tax").text
    assert "CHANGED" not in desk.zoom("tax").text
    write(desk.folder, {"shop/price.py": "# new\n" + SHOP["shop/price.py"]})
    header = desk.zoom("tax").text.splitlines()[0]
    assert header.startswith("+++ shop/price.py:6-7 function tax [md5:")
    assert header.endswith("] [CHANGED since it was shown]")
    assert "CHANGED" not in desk.zoom("tax").text


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


def test_neighbours_that_do_not_fit_are_counted(desk: Desk) -> None:
    write(desk.folder, {f"shop/use{n}.py": f"def use_number_{n}():\n    return total([{n}])\n" for n in range(40)})
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


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("totl", "total"), ("Card", "Cart"), ("test_total", "test_total_of_nothing"), ("TWICE", "twice")],
)
def test_a_miss_suggests_names_that_work(desk: Desk, asked: str, meant: str) -> None:
    with pytest.raises(SymbolNotFoundError) as caught:
        desk.zoom(asked)
    assert any(target.endswith(meant) for target in caught.value.suggestions)
    for target in caught.value.suggestions:
        assert desk.one(target)


def test_a_folder_may_stand_before_the_name(desk: Desk) -> None:
    write(desk.folder, {"web/helpers.py": "def tax(): ...\n"})
    assert desk.one("shop/::tax").path == "shop/price.py"
    assert desk.one("web/helpers.py::tax").path == "web/helpers.py"


def test_completions_are_names_that_start_so(desk: Desk) -> None:
    assert desk.zoomer.completions("t", str(desk.folder)) == ["tax", "test_total_of_nothing", "total", "twice"]
    assert desk.zoomer.completions("T", str(desk.folder), limit=2) == ["tax", "test_total_of_nothing"]
