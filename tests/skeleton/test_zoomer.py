from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from skeleton.index import CodeIndex
from skeleton.workers import Workers
from skeleton.zoom import Zoomer, ZoomResult
from workspace.errors import InvalidArgumentError, SymbolNotFoundError, UnreadableFileError
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
        (
            "generic.rs",
            (
                "struct P<T>(T);\nimpl<T: Clone> Size for P<T> {\n    fn size(&self) -> u8 { 1 }\n}\n"
                "impl<'a, M: Size> Size for &'a mut M {\n    fn size(&self) -> u8 { 2 }\n}\n"
                "impl Size for [u8] {\n    fn size(&self) -> u8 { 3 }\n}\n"
            ),
            {
                "P.size": "    fn size(&self) -> u8 { 1 }",
                "M::size": "    fn size(&self) -> u8 { 2 }",
                "&'a mut M.size": "    fn size(&self) -> u8 { 2 }",
                "u8.size": "    fn size(&self) -> u8 { 3 }",
            },
        ),
        (
            "local.ts",
            "export function outer() {\n  const inner = () => {\n    return 1;\n  };\n  return inner;\n}\n",
            {"outer.inner": "  const inner = () => {\n    return 1;\n  };"},
        ),
        (
            "accessors.js",
            "class Box {\n  #size = 1;\n  get size() { return this.#size; }\n  set size(v) { this.#size = v; }\n}\n",
            {
                "Box.size~1": "  get size() { return this.#size; }",
                "Box.size~2": "  set size(v) { this.#size = v; }",
                "Box.#size": "  #size = 1;",
            },
        ),
        (
            "quoted.ts",
            'const bench = {\n  "a.b()"() {\n    return 1;\n  },\n};\n',
            {
                'bench."a.b()"': '  "a.b()"() {\n    return 1;\n  }',
                "bench.a.b()": '  "a.b()"() {\n    return 1;\n  }',
            },
        ),
        (
            "anonymous.ts",
            "export default class {\n  run() {}\n}\nexport const Other = class {\n  stop() {}\n};\n",
            {
                "class=default": "export default class {\n  run() {}\n}",
                "Other.stop": "  stop() {}",
                "default.run": "  run() {}",
            },
        ),
        (
            "Anonymous.java",
            "class Host {\n  Runnable r = new Runnable() {\n    public void run() { go(); }\n  };\n}\n",
            {
                "run": "    public void run() { go(); }",
                "Host.r": "  Runnable r = new Runnable() {\n    public void run() { go(); }\n  };",
            },
        ),
        (
            "macro.rs",
            "#[macro_export]\nmacro_rules! twice {\n    ($x:expr) => {\n        $x + $x\n    };\n}\n",
            {"twice": "#[macro_export]\nmacro_rules! twice {\n    ($x:expr) => {\n        $x + $x\n    };\n}"},
        ),
        (
            "setters.rb",
            "class Name\n  def value\n    1\n  end\n  def value=(v)\n    @v = v\n  end\nend\n",
            {"Name.value=": "  def value=(v)\n    @v = v\n  end", "value=": "  def value=(v)\n    @v = v\n  end"},
        ),
        (
            "methods.go",
            "package p\n\nfunc (b *Box[T]) Size() int { return 1 }\n\nfunc (c Crate) Size() int { return 2 }\n",
            {
                "Box.Size": "func (b *Box[T]) Size() int { return 1 }",
                "Crate.Size": "func (c Crate) Size() int { return 2 }",
            },
        ),
        (
            "overloads.java",
            "class A {\n  void f(int a) { }\n  void f(String a) { }\n}\n",
            {"A.f~1": "  void f(int a) { }", "A.f~2": "  void f(String a) { }"},
        ),
        (
            "qualified.cpp",
            "namespace n {\nstruct V { V(); ~V(); void go(); };\nV::~V() { }\nvoid V::go() { stop(); }\n}\n",
            {"n::V::go~2": "void V::go() { stop(); }", "V::~V~2": "V::~V() { }"},
        ),
        (
            "Rakefile",
            "def depth\n  1\nend\n",
            {"depth": "def depth\n  1\nend"},
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


@pytest.mark.parametrize(
    ("name", "target", "source", "text"),
    [
        (
            "inner.rs",
            "f.g",
            "fn f() {\n    let x = 1; // one\n    /// Doc.\n    #[inline] // why\n    fn g() {}\n}\n",
            "    /// Doc.\n    #[inline] // why\n    fn g() {}",
        ),
        (
            "outer.rs",
            "f",
            "use a;\n\n/// Doc.\n#[a]\n/// More.\n#[b] // why\nfn f() {}\n",
            "/// Doc.\n#[a]\n/// More.\n#[b] // why\nfn f() {}",
        ),
        (
            "inner.js",
            "outer.inner",
            "function outer() {\n  /**\n   * Doc.\n   */\n  // eslint-disable-next-line\n  const inner = () => 1;\n}\n",
            "  /**\n   * Doc.\n   */\n  // eslint-disable-next-line\n  const inner = () => 1;",
        ),
        (
            "box.c",
            "f",
            "int x;\n\n/* ---- */\n/* Doc. */\n/* ---- */\nint f(void) { return 1; }\n",
            "/* ---- */\n/* Doc. */\n/* ---- */\nint f(void) { return 1; }",
        ),
        (
            "two.c",
            "f",
            "int x;\n\n/* Of x,\n   as it was. */\n/* Of f. */\nint f(void) { return 1; }\n",
            "/* Of f. */\nint f(void) { return 1; }",
        ),
        (
            "apart.js",
            "f",
            "let x = 1; /** of x */\nfunction f() {}\n\n/** of nothing */\n\nfunction g() {}\n",
            "function f() {}",
        ),
        (
            "broken.py",
            "A.f",
            "class A:\n    @property\n# MYPY: error\n    def f(self):\n        return 1\n",
            "    @property\n# MYPY: error\n    def f(self):\n        return 1",
        ),
        ("script.sh", "f", "#!/bin/bash\nf() { :; }\n", "f() { :; }"),
    ],
)
def test_what_is_written_directly_above_comes_with_a_definition_and_nothing_else(
    tmp_path: Path, name: str, target: str, source: str, text: str
) -> None:
    assert Desk(write(tmp_path, {name: source})).one(f"{name}::{target}").text == text


def test_a_whole_qualified_name_behind_a_path_means_that_definition_alone(tmp_path: Path) -> None:
    desk = Desk(write(tmp_path, {"a.py": "def load(): ...\n\n\nclass Config:\n    def load(self): ...\n"}))
    assert len(desk.zoom("load").matches) == 2
    assert desk.one("a.py::load").text == "def load(): ..."
    assert desk.one("a.py::load~1").text == "def load(): ..."
    assert desk.one("a.py::Config.load").text == "    def load(self): ..."
    for match in desk.zoom("load").matches:
        assert desk.one(match.target) == match


def test_containers_between_may_be_left_out_where_nothing_is_called_exactly_so(tmp_path: Path) -> None:
    desk = Desk(
        write(tmp_path, {"a.cpp": "namespace n { struct A { struct B { void go() { } }; void stop() { } }; }\n"})
    )
    assert desk.one("n::B::go").text == desk.one("A.go").text == "void go() { }"
    assert desk.one("a.cpp::n.go").text == "void go() { }"
    write(desk.folder, {"b.cpp": "struct A { void go(); };\n"})
    assert desk.one("A.go").path == "b.cpp"
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("B.A.go")


def test_what_differs_by_a_reference_alone_can_be_told_apart(tmp_path: Path) -> None:
    source = "struct T;\nimpl A for T {\n    fn a(&self) { one() }\n}\nimpl A for &T {\n    fn a(&self) { two() }\n}\n"
    desk = Desk(write(tmp_path, {"a.rs": source}))
    matches = desk.zoom("a").matches
    assert [desk.one(match.target) for match in matches] == [*matches]
    assert "two" in desk.one("a.rs::&T.a").text


def test_a_file_with_so_plain_a_name_that_it_could_be_a_container_is_found_by_it(tmp_path: Path) -> None:
    desk = Desk(write(tmp_path, {"Rakefile": "def depth\nend\n", "a.rb": "class Rakefile\n  def depth\n  end\nend\n"}))
    for match in desk.zoom("depth").matches:
        assert desk.one(match.target) == match
    assert desk.one("Rakefile::depth").path == "Rakefile"
    assert desk.one("a.rb::Rakefile::depth").path == "a.rb"


@pytest.mark.parametrize("again", range(3))
def test_an_edit_within_the_same_moment_and_of_the_same_size_is_shown(desk: Desk, again: int) -> None:
    for digit in "123456789":
        write(desk.folder, {"shop/price.py": SHOP["shop/price.py"].replace("return one", f"return on{digit}")})
        assert desk.one("tax").text.endswith(f"return on{digit}")


@pytest.mark.parametrize("left_alone", [False, True])
def test_a_file_put_in_its_place_with_its_size_and_its_time_is_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, left_alone: bool
) -> None:
    if left_alone:
        now = time.time_ns()
        monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    place = desk.folder / "shop" / "price.py"
    for digit in "123":
        before = place.stat()
        new = place.with_suffix(".new")
        new.write_bytes(SHOP["shop/price.py"].replace("return one", f"return on{digit}").encode())
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
        new.replace(place)
        assert desk.one("tax").text.endswith(f"return on{digit}")
        place.write_bytes(SHOP["shop/price.py"].replace("return one", f"return tw{digit}").encode())
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert desk.one("tax").text.endswith(f"return tw{digit}")


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
    desk = Desk(write(tmp_path, CALLS))
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
    write(desk.folder, {"shop/more.py": "def more():\n    return total([])\n"})
    assert callers() == ["Cart.sum:", "more:"]
    write(desk.folder, {"shop/cart.py": "def nothing(): ...\n"})
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
    write(desk.folder, {"wide.py": f"def wide({parameters}):\n    return total([])\n"})
    (line,) = [one for one in desk.zoom("total", context="callers").text.splitlines() if one.startswith("wide.py")]
    assert line.startswith("wide.py:1 wide: def wide(parameter_0, ")
    assert line.endswith("…")
    assert len(line) < 270


def test_a_name_that_so_many_files_define_says_nothing_about_whom_is_called(desk: Desk) -> None:
    write(desk.folder, {f"many/part{n}.py": "def fill(): ...\n" for n in range(5)})
    write(desk.folder, {"use.py": "import many\n\n\ndef use():\n    many.fill()\n    return many.total()\n"})
    assert desk.zoom("use", context="callees").text.partition("=== ")[2].splitlines()[1:] == [
        "shop/price.py:1 total: def total(items):"
    ]


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


def test_what_is_suggested_first_lies_in_the_file_that_was_asked_for(desk: Desk) -> None:
    write(desk.folder, {"a.js": "exports.find = () => 1;\n", "z.js": "exports.find = () => 2;\n"})
    with pytest.raises(SymbolNotFoundError) as caught:
        desk.zoom("z.js::exports.find")
    assert caught.value.suggestions == ("symbol=z.js::find", "symbol=a.js::find")


def test_a_name_that_holds_an_equals_sign_is_found_bare(tmp_path: Path) -> None:
    desk = Desk(write(tmp_path, {"a.cpp": "struct V { bool operator==(const V& o) const; V& operator=(V o); };\n"}))
    assert desk.one("operator==").text == desk.one("symbol=V::operator==").text
    assert desk.one("operator=").text == desk.one("V.operator=").text


def test_a_folder_may_stand_before_the_name(desk: Desk) -> None:
    write(desk.folder, {"web/helpers.py": "def tax(): ...\n"})
    assert desk.one("shop/::tax").path == "shop/price.py"
    assert desk.one("web/helpers.py::tax").path == "web/helpers.py"


def test_completions_are_names_that_start_so(desk: Desk) -> None:
    assert desk.zoomer.completions("t", str(desk.folder)) == ["tax", "test_total_of_nothing", "total", "twice"]
    assert desk.zoomer.completions("T", str(desk.folder), limit=2) == ["tax", "test_total_of_nothing"]
