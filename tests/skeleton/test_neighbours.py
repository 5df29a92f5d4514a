from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from tests.skeleton.desk import SHOP, Desk
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, UnreadableFileError

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
    heading, *lines = _beside(desk, target, context)
    assert re.fullmatch(rf"{context} of (\w+\.)?{name}", heading)
    assert lines == expected


def _beside(desk: Desk, target: str, context: str) -> list[str]:
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
    assert _beside(desk, target, context)[1:] == expected


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
        return [line.split()[2] for line in _beside(desk, "total", "callers")[1:]]

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
    for line in (_beside(desk, "use", "callees")[1], _beside(desk, "wide", "callers")[1]):
        assert "wide(parameter_0, " in line
        assert line.endswith("… [same file]")
        assert len(line) < 290


def test_a_name_that_so_many_files_define_says_nothing_about_whom_is_called(desk: Desk) -> None:
    write_tree(desk.folder, {f"many/part{n}.py": "def fill(): ...\n" for n in range(5)})
    write_tree(desk.folder, {"use.py": "import many\n\n\ndef use():\n    many.fill()\n    return total()\n"})
    assert _beside(desk, "use", "callees")[1:] == [
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


def _desk(folder: Path, texts: dict[str, str]) -> Desk:
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
    desk = _desk(tmp_path, {"app.py": "class App:\n    def url_for(self, name): ...\n", "use.py": SPOKEN_OF})
    assert _beside(desk, "App.url_for", "callers")[1:] == [
        "use.py:7 in real: print(\"app.url_for('b')\", f\"{app.url_for('c')}\") [app is typed so]",
        'use.py:11: LATE = App().url_for("d") [by name]',
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
    assert _beside(_desk(tmp_path, HOMONYMS), target, "callers")[1:] == expected


def test_what_a_body_names_without_calling_it_is_no_callee_unless_it_is_known_whose_it_is(tmp_path: Path) -> None:
    texts = {
        "main.rs": "fn one() {}\nmod other;\nfn run() {\n    let with = 1;\n    let a = with;\n    go(one, a)\n}\n",
        "other.rs": "pub struct Cell;\nimpl Cell {\n    pub fn with(&self) {}\n    pub fn a(&self) {}\n}\npub fn go() {}\n",
    }
    assert [line.split()[1] for line in _beside(_desk(tmp_path, texts), "run", "callees")[1:]] == ["one:", "go:"]


def test_uses_that_nothing_speaks_for_are_counted_where_many_definitions_have_the_name(tmp_path: Path) -> None:
    texts = {f"part{n}.py": f"class Part{n}:\n    def fill(self): ...\n" for n in range(6)}
    texts["use.py"] = "def use(some):\n    some.fill()\n    some.fill()\n    Part3.fill(some)\n"
    assert _beside(_desk(tmp_path, texts), "Part3.fill", "callers")[1:] == [
        "use.py:4 in use: Part3.fill(some) [class named]",
        "⋮ 2 more lines use the name, and nothing says whose: 6 definitions are called fill",
    ]


MODULES = {
    "a.rs": "fn low() {}\nmod inner {\n    fn low() {}\n    pub fn top() { low() }\n}\nfn out() { low() }\n",
    "b.cpp": "namespace n {\nnamespace {\nint low(int x) { return x; }\n}\nint top(int x) { return low(x); }\n}\n",
    "c.ex": "defmodule A.B do\n  @one low(1)\n  def top(x), do: low(x)\n  defp low(x), do: x\nend\n",
    "d.jl": "module J\nlow(x) = x\ntop(x) = low(x)\nend\n",
    "e.ts": "namespace N {\n  function low(x: number) { return x; }\n  export const top = (x: number) => low(x);\n}\n",
    "f.ml": "module M = struct\n  let low x = x + 1\n  let top x = low x\nend\n",
    "g.rb": "module G\n  def low(x) = x\n  def top(x) = low(x)\nend\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a.rs::inner.low", ["4 in inner.top:"]),
        ("a.rs::low~1", ["6 in out:"]),
        ("b.cpp::low", ["5 in n.top:"]),
        ("c.ex::low", ["2: @one", "3 in A.B.top:"]),
        ("d.jl::low", ["3 in J.top:"]),
        ("e.ts::low", ["3 in N.top:"]),
        ("f.ml::low", ["3 in M.top:"]),
        ("g.rb::low", ["3 in G.top:"]),
    ],
)
def test_functions_of_a_module_are_used_in_it(tmp_path: Path, target: str, expected: list[str]) -> None:
    path = target.partition("::")[0]
    lines = _beside(_desk(tmp_path, MODULES), target, "callers")[1:]
    assert [
        line.removeprefix(f"{path}:")[: len(start)] for line, start in zip(lines, expected, strict=True)
    ] == expected
    assert all(line.endswith(("[same file]", "[same class]")) for line in lines)


PARTS = {
    "a.hs": "module A where\n\nplain :: Int -> Int\nplain x = x\n\n"
    "many :: Int -> Int\nmany 0 = plain 1\nmany n = many (n - 1)\n\nlast' :: Int\nlast' = many 2\n",
    "b.cc": "class B {\n  int two();\n  int one();\n};\nint B::one() { return two(); }\nint B::two() { return 2; }\n",
    "c.py": "def outer():\n    def inner(base=other):\n        return help()\n    return inner()\n\n\ndef help(): ...\ndef other(): ...\n",
    "d.ex": "defmodule D do\n  def many(0), do: low(0)\n  def many(n), do: many(n - 1)\n  def low(n), do: n\n"
    "  def top(n), do: many(n)\nend\n",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("many", "callees", ["a.hs:4 plain: plain x [same file]"]),
        ("plain", "callers", ["a.hs:7 in many: many 0 = plain 1 [same file]"]),
        ("a.hs::many", "callers", ["a.hs:11 in last': last' = many 2 [same file]"]),
        ("B.one~1", "callees", ["b.cc:6 B.two: int B::two() [same class]"]),
        ("B.two~1", "callers", ["b.cc:5 in B.one: int B::one() { return two(); } [same class]"]),
        ("inner", "callees", ["c.py:7 help: def help(): [same file]"]),
        ("D.many", "callees", ["d.ex:4 D.low: def low(n) [same file]"]),
        ("D.many", "callers", ["d.ex:5 in D.top: def top(n), do: many(n) [same file]"]),
    ],
)
def test_a_definition_in_several_parts_is_asked_about_as_one(
    tmp_path: Path, target: str, context: str, expected: list[str]
) -> None:
    assert _beside(_desk(tmp_path, PARTS), target, context)[1:] == expected


NAMED = {
    "a.clj": "(ns a)\n(defn help-me [x] x)\n(defn ok? [x] (= x 1))\n(defn help [x] x)\n(defn me [x] x)\n"
    "(defn go [x]\n  (help-me x)\n  (when (ok? x) {:help x}))\n",
    "b.rb": "class B\n  def ok(x) = x\n  def ok?(x) = x\n  def go(x)\n    ok?(x) if @ok\n    put(ok: 1)\n  end\n  def put(x) = x\nend\n",
    "c.ex": "defmodule C do\n  def ok(x), do: x\n  def ok!(x), do: x\n  def go(x) do\n    ok!(x)\n    {:ok, ok: @ok}\n  end\nend\n",
    "d.hs": "module D where\n\nok x = x\nok' x = x\ngo x = ok' (Just x)\n",
    "e.js": "function $ok(x) { return x }\nfunction ok(x) { return x }\nfunction go(x) { return $ok({ ok: x }) }\n",
    "f.php": "<?php\nfunction ok($x) { return $x; }\nfunction go($ok) { return most($ok); }\nfunction most($x) { return $x; }\n",
    "g.jl": "ok(x) = x\nok!(x) = x\nfunction go(x)\n    ok!(x)\nend\n",
    "h.py": "def ok(x): ...\ndef größe(x): ...\ndef go(x):\n    größe(ok=x)\n",
    "i.pl": "sub ok { 1 }\nsub most { 2 }\nsub go {\n  my ($ok) = @_;\n  most($ok->{ok}, ok => 1);\n}\n",
    "j.R": "ok.me <- function(x) x\nok <- function(x) x\ngo <- function(x) {\n  ok.me(x)\n}\n",
    "k.sh": "ok-me() {\n  echo\n}\nok() {\n  echo\n}\ngo() {\n  ok-me $ok\n}\n",
    "l.ml": "let ok x = x\nlet ok' ~ok:y = y\nlet go x = ok' ~ok:x\n",
    "m.swift": "func ok(x: Int) {}\nfunc put(ok: Int) {}\nfunc go(x: Int) {\n    put(ok: x)\n}\n",
}


@pytest.mark.parametrize(
    ("path", "used", "unused"),
    [
        ("a.clj", ["help-me", "ok?"], ["help", "me"]),
        ("b.rb", ["B.ok?", "B.put"], ["B.ok"]),
        ("c.ex", ["C.ok!"], ["C.ok"]),
        ("d.hs", ["ok'"], ["ok"]),
        ("e.js", ["$ok"], ["ok"]),
        ("f.php", ["most"], ["ok"]),
        ("g.jl", ["ok!"], ["ok"]),
        ("h.py", ["größe"], ["ok"]),
        ("i.pl", ["most"], ["ok"]),
        ("j.R", ["ok.me"], ["ok"]),
        ("k.sh", ["ok-me"], ["ok"]),
        ("l.ml", ["ok'"], ["ok"]),
        ("m.swift", ["put"], ["ok"]),
    ],
)
def test_names_are_what_a_language_calls_one(tmp_path: Path, path: str, used: list[str], unused: list[str]) -> None:
    desk = _desk(tmp_path, {path: NAMED[path]})
    assert [line.split()[1].removesuffix(":") for line in _beside(desk, f"{path}::go", "callees")[1:]] == used
    for name in used:
        assert [re.findall(r"in (?:\w\.)?(go):", line) for line in _beside(desk, f"{path}::{name}", "callers")[1:]] == [
            ["go"]
        ]
    for name in unused:
        assert _beside(desk, f"{path}::{name}", "callers")[1:] == []


MESSAGES = {
    "Shop.h": "@interface Shop : NSObject\n- (void)sell:(int)it for:(int)price;\n- (void)sell:(int)it;\n- (void)close;\n@end\n",
    "Shop.m": """#import "Shop.h"
@implementation Shop
- (void)sell:(int)it for:(int)price { [self close]; }
- (void)sell:(int)it { [self sell:it ? [self ask:@"sell:]"] : 2 for:3]; }
- (int)ask:(NSString *)what { return 1; }
- (void)close { [door close]; [[Shop alloc] sell:
    1 for:2]; }
- (void)wait { [timer call:self with:@selector(sell:for:)]; [other sell:1 to:2]; }
@end
""",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        (
            "sell:for:",
            "callers",
            ["4 in Shop.sell: [same class]", "6 in Shop.close [class named]", "8 in Shop.wait [by name]"],
        ),
        ("Shop.sell:", "callers", []),
        ("close", "callers", ["3 in Shop.sell:for: [same class]"]),
        ("ask:", "callers", ["4 in Shop.sell: [same class]"]),
        ("Shop.sell:", "callees", ["3 Shop.sell:for: [same class]", "5 Shop.ask: [same class]"]),
        ("wait", "callees", ["3 Shop.sell:for: [by name]"]),
        ("Shop.close", "callees", ["3 Shop.sell:for: [class named]"]),
    ],
)
def test_the_parts_of_a_message_are_one_name(tmp_path: Path, target: str, context: str, expected: list[str]) -> None:
    lines = _beside(_desk(tmp_path, MESSAGES), target, context)[1:]
    assert [re.sub(r"Shop.m:(.*?): .*(\[.*\])", r"\1 \2", line) for line in lines] == expected


def test_a_statement_uses_nothing_that_a_stumbling_grammar_calls_by_its_word(tmp_path: Path) -> None:
    torn = "int far(int x) {\n#if A\n  if (x) { return 1; }\n  else\n#endif\n  if (x > 1) { return 2; }\n#if B\n  else if (x > 2) { return 3; }\n#endif\n  return 0;\n}\n"
    desk = _desk(tmp_path, {"a.m": torn, "b.m": "int near(int x) {\n  if (x) { return far(x); }\n  return 0;\n}\n"})
    assert desk.zoom("a.m::if").matches  # the grammar stumbles
    assert [line.split()[1] for line in _beside(desk, "near", "callees")[1:]] == ["far:"]


def test_a_comment_above_a_call_is_not_what_it_is_a_member_of(tmp_path: Path) -> None:
    texts = {
        "a.rb": "class A\n  def go\n    # When all is done.\n    wait\n  end\n\n  def wait = 1\nend\n",
        "b.go": "package b\n\nfunc go1() {\n\t// See the notes.\n\twait()\n}\n\nfunc wait() {}\n",
        "c.js": "const go = () =>\n  make()\n    .wait()\nfunction make() {}\nfunction wait() {}\n",
    }
    desk = _desk(tmp_path, texts)
    assert _beside(desk, "A.wait", "callers")[1:] == ["a.rb:4 in A.go: wait [same class]"]
    assert _beside(desk, "b.go::wait", "callers")[1:] == ["b.go:5 in go1: wait() [same file]"]
    assert _beside(desk, "c.js::wait", "callers")[1:] == []
