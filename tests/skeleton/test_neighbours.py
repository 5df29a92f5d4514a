from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from tests.skeleton.desk import SHOP, Desk
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workspace.files.reading import SourceFile
    from workspace.files.scan import ScannedFile


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("total", "callers", ["shop/cart.py:6 in Cart.sum: return total(self.items) [imported]"]),
        ("total", "tests", ["tests/test_price.py:5 in test_total_of_nothing: assert total([]) == 0 [imported]"]),
        ("total", "callees", ["shop/price.py:5 tax: def tax(one): [same file]"]),
        ("show", "callees", ["web/price.ts:2 format: function format(cents: number) [same file]"]),
        ("inner", "callers", ["src/lib.rs:2 in outer: inner() [same file]"]),
        ("run", "callers", ["main.go:4 in main: run(1) [same file]"]),
        ("App.add", "callers", ["App.java:2 in App.twice: int twice(int n) { return add(n, n); } [same class]"]),
        ("App.twice", "callees", ["App.java:3 App.add: int add(int a, int b) [same class]"]),
    ],
)
def test_callers_are_call_sites_and_callees_signatures(
    desk: Desk, target: str, context: str, expected: list[str]
) -> None:
    name = target.rpartition(".")[2]
    heading, *lines = beside(desk, target, context)
    assert re.fullmatch(rf"{context} of (\w+\.)?{name}", heading)
    assert lines == expected


def beside(desk: Desk, target: str, context: str) -> list[str]:
    return desk.zoom(target, context=context).text.partition("=== ")[2].splitlines()


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
        ("twice", "callers", ["a.c:5 in four: return twice(twice(n)); [same file]"]),
        ("four", "callees", ["a.c:1 twice: int twice(int n); [same file]"]),
        ("half", "callers", ["b.js:3 in quarter: return half(half(n)); [same file]"]),
        ("quarter", "callees", ["b.js:1 half: export const half = (n) => [same file]"]),
        ("Shop.price", "callers", ["c.rb:7 in Shop.bill: Shop.price(n) [class named]"]),
        ("Shop.bill", "callees", ["c.rb:2 Shop.price: def self.price(n) [class named]"]),
        ("Bank.Lend", "callers", ["d.cs:3 in Bank.Owe: int Owe(int n) => Lend(n); [same class]"]),
        ("Bank.Owe", "callees", ["d.cs:2 Bank.Lend: int Lend(int n) [same class]"]),
        ("send", "callers", ["e.php:6 in post: return send($n); [same file]"]),
        ("post", "callees", ["e.php:2 send: function send(int $n): int [same file]"]),
        ("double", "tests", ["tests/f_test.go:4 in TestTwo: double(1) [by name]"]),
        ("double", "callers", []),
    ],
)
def test_neighbours_are_right_in_many_languages(tmp_path: Path, target: str, context: str, expected: list[str]) -> None:
    desk = Desk(write_tree(tmp_path, CALLS))
    assert beside(desk, target, context)[1:] == expected


def test_a_file_is_read_once_for_the_callers_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"part_{number}" for number in range(9)]
    tree = {
        "parts.py": "".join(f"def {name}():\n    return 1\n\n\n" for name in names),
        "whole.py": "from parts import *\n\n\ndef whole():\n    return " + " + ".join(f"{name}()" for name in names),
    }
    desk = Desk(write_tree(tmp_path, tree))
    later = time.time_ns() + 3_600_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)
    desk.zoom(", ".join(names), context="callers")
    read: list[str] = []
    monkeypatch.setattr(CodeIndex, "source", _noting(CodeIndex.source, read))
    text = desk.zoom(", ".join(names), context="callers").text
    assert text.count("whole.py:5 in whole: ") == len(names)
    assert read.count("whole.py") == 1


def _noting(
    source: Callable[[CodeIndex, ScannedFile, bytes], SourceFile], read: list[str]
) -> Callable[[CodeIndex, ScannedFile, bytes], SourceFile]:
    """The same, with a note of every file that is read."""

    def noted(index: CodeIndex, file: ScannedFile, key: bytes) -> SourceFile:
        read.append(file.path)
        return source(index, file, key)

    return noted


def test_callers_are_those_of_now_in_a_folder_that_had_been_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)

    def callers() -> list[str]:
        return [line.split()[2] for line in beside(desk, "total", "callers")[1:]]

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
    assert [line.split()[2] for line in found.text.partition("=== ")[2].splitlines()[1:]] == ["more:", "Cart.sum:"]


def test_a_file_that_changes_each_time_it_is_read_is_said_to(desk: Desk) -> None:
    desk.zoom("total")
    texts = [f"def total(): return {n}\n" for n in range(99)]
    meddler = Meddler(desk.folder / "shop" / "price.py", texts, before="shop/price.py")
    with pytest.raises(UnreadableFileError, match=r"shop/price\.py changed each time it was read"):
        desk.zoomer.zoom("total", str(desk.folder), context="callers", progress=meddler)


def test_signatures_and_lines_without_end_are_cut(desk: Desk) -> None:
    parameters = ", ".join(f"parameter_{number}" for number in range(99))
    write_tree(desk.folder, {"wide.py": f"def wide({parameters}):\n    return 0\n\ndef use(): wide({parameters})\n"})
    for line in (beside(desk, "use", "callees")[1], beside(desk, "wide", "callers")[1]):
        assert "wide(parameter_0, " in line
        assert line.endswith("… [same file]")
        assert len(line) < 290


def test_a_name_that_so_many_files_define_says_nothing_about_whom_is_called(desk: Desk) -> None:
    write_tree(desk.folder, {f"many/part{n}.py": "def fill(): ...\n" for n in range(5)})
    write_tree(desk.folder, {"use.py": "import many\n\n\ndef use():\n    many.fill()\n    return total(1)\n"})
    assert beside(desk, "use", "callees")[1:] == [
        "shop/price.py:1 total: def total(items): [by name]",
        "⋮ many definitions are called so, and nothing says whose are: fill",
    ]


def test_neighbours_that_do_not_fit_are_counted(desk: Desk) -> None:
    write_tree(desk.folder, {f"shop/use{n}.py": f"def use_number_{n}():\n    return total([{n}])\n" for n in range(40)})
    result = desk.zoom("total", 200, "callers")
    assert result.tokens <= 200
    last = result.text.splitlines()[-1]
    assert re.fullmatch(r"⋮ \d+ more", last)
    shown = result.text.partition("=== ")[2].count("\nshop/")
    assert shown + int(last.split()[1]) == 41


def test_a_definition_that_has_to_be_cut_leaves_room_for_its_callers(desk: Desk) -> None:
    body = "".join(f"    rings += {number}\n" for number in range(300))
    calls = "".join(f"\n\ndef use{number}():\n    return long({number})\n" for number in range(60))
    write_tree(desk.folder, {"long.py": f"def long(rings):\n{body}    return rings\n{calls}"})
    for budget in (200, 400, 900):
        text = desk.zoom("long", budget, "callers").text
        lines = text.splitlines()
        at = lines.index("=== callers of long")
        assert re.fullmatch(r"⋮ \d+ more lines: file=long.py:\d+-302", lines[at - 1])
        assert lines[at + 1].startswith("long.py:306 in use0: return long(0)")
        assert lines[-1].startswith("⋮ ")
        assert 0.8 * budget < token_counter().count(text) <= budget


@pytest.mark.parametrize("budget", [None, 2000])
def test_a_definition_without_neighbours_says_so(desk: Desk, budget: int | None) -> None:
    assert desk.zoom("main", budget, "callers").text.endswith("=== no callers of main found\n")


def test_a_heading_without_a_line_below_it_is_not_shown(desk: Desk) -> None:
    alone = desk.zoom("total").tokens
    for budget in range(alone, alone + 40):
        lines = desk.zoom("total", budget, "callers").text.splitlines()
        assert not lines[-1].startswith("=== ")


def test_an_unknown_context_lists_what_there_is(desk: Desk) -> None:
    with pytest.raises(InvalidArgumentError, match="callers, callees, tests"):
        desk.zoom("main", context="friends")


def desk_of(folder: Path, texts: dict[str, str]) -> Desk:
    return Desk(write_tree(folder, texts))


SPOKEN_OF = """from app import App


def real(app: App):
    \"\"\"Calls app.url_for() where it must.\"\"\"
    # app.url_for("a")
    print("app.url_for('b')", f"{app.url_for('c')}")


NOTE = "url_for"
LATE = App().url_for("d")
"""


def test_comments_and_strings_call_nothing_but_what_is_computed_in_a_string_does(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, {"app.py": "class App:\n    def url_for(self, name): ...\n", "use.py": SPOKEN_OF})
    assert beside(desk, "App.url_for", "callers")[1:] == [
        "use.py:7 in real: print(\"app.url_for('b')\", f\"{app.url_for('c')}\") [app is typed so]",
        'use.py:11: LATE = App().url_for("d") [class named]',
    ]


HOMONYMS = {
    "one/store.py": "def load(path):\n    return path\n\n\nclass Store:\n    def save(self): ...\n\n    def all(self):\n        self.save()\n",
    "two/store.py": "def load(path):\n    return path\n\n\nclass Shelf:\n    def save(self): ...\n",
    "near.py": "from two.store import Shelf, load\n\n\ndef near(shelf):\n    load(1)\n    kept: Shelf = shelf\n    kept.save()\n    Shelf.save(kept)\n",
    "far.py": "import json\nfrom one import store\n\n\ndef far():\n    store.load(1)\n    json.load(2)\n\n\ndef own():\n    def save(): ...\n    save()\n",
    "sub.py": "from one.store import Store\n\n\nclass Big(Store):\n    def go(self):\n        self.save()\n        super().save()\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("one/store.py::load", ["far.py:6 in far: store.load(1) [imported]"]),
        ("two/store.py::load", ["near.py:5 in near: load(1) [imported]"]),
        (
            "Store.save",
            [
                "one/store.py:9 in Store.all: self.save() [same class]",
                "sub.py:6 in Big.go: self.save() (also 7) [inherited]",
            ],
        ),
        (
            "Shelf.save",
            [
                "near.py:7 in near: kept.save() (also 8) [kept is typed so]",
            ],
        ),
    ],
)
def test_imports_classes_and_types_rule_out_homonyms(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, HOMONYMS), target, "callers")[1:] == expected


def test_a_type_of_a_module_from_outside_is_not_ours(tmp_path: Path) -> None:
    texts = {
        "shop/web.py": "class Request:\n    def method(self): ...\n",
        "Shop/Stack.php": "<?php\nnamespace Shop;\nclass Stack {\n  function push() {}\n}\n",
        "shop/use.py": "import httpx\nfrom shop import web\n\n\ndef send(request: httpx.Request, mine: web.Request):\n"
        "    request.method()\n    mine.method()\n",
        "Use.php": "<?php\nuse Shop\\Stack;\nfunction use_it() {\n  $held = Stack::create();\n  $held->push();\n}\n",
    }
    desk = desk_of(tmp_path, texts)
    assert beside(desk, "Request.method", "callers")[1:] == ["shop/use.py:7 in send: mine.method() [mine is typed so]"]
    assert beside(desk, "Stack.push", "callers")[1:] == ["Use.php:5 in use_it: $held->push(); [$held is typed so]"]


LOCAL = {
    "a.py": "def outer():\n    def local(n: int) -> int:\n        return near(n)\n    return local(1)\n\n\ndef near(n): ...\n",
    "b.ts": "function outer() {\n  function local(n: number): number {\n    return near(n)\n  }\n  return local(1)\n}\n"
    "function near(n) {}\n",
    "c.rs": "fn outer() {\n    fn local(n: u8) -> u8 {\n        near(n)\n    }\n    local(1)\n}\nfn near(n: u8) -> u8 { n }\n",
    "d.lua": "function outer()\n  local function local_one(n)\n    return near(n)\n  end\n  local_one(1)\nend\nfunction near(n) end\n",
}


@pytest.mark.parametrize(
    ("path", "local", "signature", "near"),
    [
        ("a.py", "outer.local", "def local(n: int) -> int:", "def near(n):"),
        ("b.ts", "outer.local", "function local(n: number): number", "function near(n)"),
        ("c.rs", "outer.local", "fn local(n: u8) -> u8", "fn near(n: u8) -> u8"),
        ("d.lua", "outer.local_one", "local function local_one(n)", "function near(n)"),
    ],
)
def test_a_definition_inside_a_body_has_a_signature_and_a_body(
    tmp_path: Path, path: str, local: str, signature: str, near: str
) -> None:
    desk = desk_of(tmp_path, {path: LOCAL[path]})
    assert f"{path}:2 {local}: {signature} [same file]" in beside(desk, "outer", "callees")
    (line,) = beside(desk, local, "callees")[1:]
    assert line.endswith(f" near: {near} [same file]")


def test_a_local_class_inherits_nothing_that_its_body_alone_names(tmp_path: Path) -> None:
    texts = {
        "a.py": "class Base:\n    def go(self): ...\n\n\ndef use():\n    class Own:\n        def run(self):\n            Base()\n            self.go()\n"
    }
    assert beside(desk_of(tmp_path, texts), "Base.go", "callers")[1:] == ["a.py:9 in use.Own.run: self.go() [by name]"]


def test_what_a_body_names_without_calling_it_is_no_callee_unless_it_is_known_whose_it_is(tmp_path: Path) -> None:
    texts = {
        "main.rs": "fn one() {}\nmod other;\nfn run() {\n    let with = 1;\n    let a = with;\n    go(one, a)\n}\n",
        "other.rs": "pub struct Cell;\nimpl Cell {\n    pub fn with(&self) {}\n    pub fn a(&self) {}\n}\npub fn go() {}\n",
    }
    assert [line.split()[1] for line in beside(desk_of(tmp_path, texts), "run", "callees")[1:]] == ["one:", "go:"]


def test_uses_that_nothing_speaks_for_are_counted_where_many_definitions_have_the_name(tmp_path: Path) -> None:
    texts = {f"part{n}.py": f"class Part{n}:\n    def fill(self): ...\n" for n in range(6)}
    texts["use.py"] = "def use(some):\n    some.fill()\n    some.fill()\n    Part3.fill(some)\n"
    assert beside(desk_of(tmp_path, texts), "Part3.fill", "callers")[1:] == [
        "use.py:4 in use: Part3.fill(some) [class named]",
        "⋮ 2 more lines use the name, and nothing says whose: 6 definitions are called fill",
    ]


def test_callers_and_tests_of_the_same_package_come_before_those_of_others(tmp_path: Path) -> None:
    tree = {
        "packages/buoy/package.json": '{"name": "@fleet/buoy"}',
        "packages/anchor/package.json": '{"name": "anchor"}',
    }
    tree["packages/buoy/src/drift.ts"] = "export function drift(n) {\n  return n\n}\n"
    tree["packages/buoy/src/index.ts"] = "export { drift } from './drift'\n"
    tree["packages/buoy/src/float.ts"] = (
        "import { drift } from './drift'\n\nexport function float() {\n  return drift(1)\n}\n"
    )
    tree["packages/anchor/src/hold.ts"] = (
        "import { drift } from '@fleet/buoy'\n\nexport function hold() {\n  return drift(2)\n}\n"
    )
    tree["packages/buoy/tests/drift.test.ts"] = "import { drift } from '../src/drift'\n\ntest('it', () => drift(3))\n"
    tree["packages/anchor/tests/hold.test.ts"] = "import { drift } from '@fleet/buoy'\n\ntest('it', () => drift(4))\n"
    desk = Desk(write_tree(tmp_path / "x", tree))
    target = "packages/buoy/src/drift.ts::drift"
    for context, first, second in (("callers", "src/float", "src/hold"), ("tests", "tests/drift", "tests/hold")):
        _, *lines = beside(desk, target, context)
        assert [line.partition(".")[0] for line in lines] == [f"packages/buoy/{first}", f"packages/anchor/{second}"]


@pytest.mark.parametrize(("scope", "is_told"), [("@fleet", True), ("@harbour", False)])
def test_a_package_with_a_scope_is_the_one_whose_manifest_says_so(tmp_path: Path, scope: str, *, is_told: bool) -> None:
    tree = {
        "packages/buoy/package.json": '{"name": "@fleet/buoy"}',
        "packages/anchor/package.json": '{"name": "anchor"}',
    }
    tree["packages/buoy/src/deep/down/drift.ts"] = "export function sink(n) {\n  return n\n}\n"
    tree["packages/buoy/src/index.ts"] = "export * from './deep/down/drift'\n"
    tree["packages/anchor/src/hold.ts"] = (
        f"import {{\n  sink,\n}} from '{scope}/buoy'\n\nexport function hold() {{\n  return sink(2)\n}}\n"
    )
    desk = Desk(write_tree(tmp_path / "x", tree))
    lines = beside(desk, "sink", "callers")[1:]
    assert (lines == ["packages/anchor/src/hold.ts:6 in hold: return sink(2) [imported]"]) is is_told
