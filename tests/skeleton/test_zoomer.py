from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from pathlib import Path


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
    desk = Desk(write_tree(tmp_path, {name: source}))
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
    assert Desk(write_tree(tmp_path, {name: source})).one(f"{name}::{target}").text == text


def test_a_whole_qualified_name_behind_a_path_means_that_definition_alone(tmp_path: Path) -> None:
    desk = Desk(write_tree(tmp_path, {"a.py": "def load(): ...\n\n\nclass Config:\n    def load(self): ...\n"}))
    assert len(desk.zoom("load").matches) == 2
    assert desk.one("a.py::load").text == "def load(): ..."
    assert desk.one("a.py::load~1").text == "def load(): ..."
    assert desk.one("a.py::Config.load").text == "    def load(self): ..."
    for match in desk.zoom("load").matches:
        assert desk.one(match.target) == match


def test_containers_between_may_be_left_out_where_nothing_is_called_exactly_so(tmp_path: Path) -> None:
    desk = Desk(
        write_tree(tmp_path, {"a.cpp": "namespace n { struct A { struct B { void go() { } }; void stop() { } }; }\n"})
    )
    assert desk.one("n::B::go").text == desk.one("A.go").text == "void go() { }"
    assert desk.one("a.cpp::n.go").text == "void go() { }"
    write_tree(desk.folder, {"b.cpp": "struct A { void go(); };\n"})
    assert desk.one("A.go").path == "b.cpp"
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("B.A.go")


def test_what_differs_by_a_reference_alone_can_be_told_apart(tmp_path: Path) -> None:
    source = "struct T;\nimpl A for T {\n    fn a(&self) { one() }\n}\nimpl A for &T {\n    fn a(&self) { two() }\n}\n"
    desk = Desk(write_tree(tmp_path, {"a.rs": source}))
    matches = desk.zoom("a").matches
    assert [desk.one(match.target) for match in matches] == [*matches]
    assert "two" in desk.one("a.rs::&T.a").text


def test_a_file_with_so_plain_a_name_that_it_could_be_a_container_is_found_by_it(tmp_path: Path) -> None:
    desk = Desk(
        write_tree(tmp_path, {"Rakefile": "def depth\nend\n", "a.rb": "class Rakefile\n  def depth\n  end\nend\n"})
    )
    for match in desk.zoom("depth").matches:
        assert desk.one(match.target) == match
    assert desk.one("Rakefile::depth").path == "Rakefile"
    assert desk.one("a.rb::Rakefile::depth").path == "a.rb"


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


def test_of_a_slip_the_nearest_are_suggested_alone(desk: Desk) -> None:
    code = "class Till:\n    def build(self): ...\n\n\nclass Shelf:\n    def build(self): ...\n\n\ndef rebuild_all(): ...\n"
    write_tree(desk.folder, {"till.py": code, "tests/test_till.py": "def test_it():\n    biuld = build = 1\n"})
    with pytest.raises(SymbolNotFoundError) as caught:
        desk.zoom("Till.buidl")
    assert caught.value.suggestions[0] == "symbol=till.py::Till.build"
    with pytest.raises(SymbolNotFoundError) as caught:
        desk.zoom("buidl")
    assert caught.value.suggestions == ("symbol=till.py::Till.build", "symbol=till.py::Shelf.build")


def test_what_is_suggested_first_lies_in_the_file_that_was_asked_for(desk: Desk) -> None:
    write_tree(desk.folder, {"a.js": "exports.find = () => 1;\n", "z.js": "exports.find = () => 2;\n"})
    with pytest.raises(SymbolNotFoundError) as caught:
        desk.zoom("z.js::exports.find")
    assert caught.value.suggestions == ("symbol=z.js::find", "symbol=a.js::find")


def test_a_name_that_holds_an_equals_sign_is_found_bare(tmp_path: Path) -> None:
    desk = Desk(
        write_tree(tmp_path, {"a.cpp": "struct V { bool operator==(const V& o) const; V& operator=(V o); };\n"})
    )
    assert desk.one("operator==").text == desk.one("symbol=V::operator==").text
    assert desk.one("operator=").text == desk.one("V.operator=").text


def test_a_folder_may_stand_before_the_name(desk: Desk) -> None:
    write_tree(desk.folder, {"web/helpers.py": "def tax(): ...\n"})
    assert desk.one("shop/::tax").path == "shop/price.py"
    assert desk.one("web/helpers.py::tax").path == "web/helpers.py"


def test_completions_are_names_that_start_so(desk: Desk) -> None:
    assert desk.zoomer.completions("t", str(desk.folder)) == ["tax", "test_total_of_nothing", "total", "twice"]
    assert desk.zoomer.completions("T", str(desk.folder), limit=2) == ["tax", "test_total_of_nothing"]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("Cart.", ["Cart.sum"]),
        ("Cart.S", ["Cart.sum"]),
        ("cart.s", []),
        ("Cart::s", ["Cart::sum"]),
        ("Cart.t", []),
        ("shop/cart.py::", ["shop/cart.py::Cart", "shop/cart.py::Cart.sum"]),
        ("shop/cart.py::Cart.s", ["shop/cart.py::Cart.sum"]),
        ("shop/price.py::T", ["shop/price.py::tax", "shop/price.py::total"]),
        ("shop/c", ["shop/cart.py"]),
        ("nowhere.py::t", []),
        ("::", []),
        (".", []),
    ],
)
def test_completions_begin_as_they_were_typed_and_can_be_zoomed(desk: Desk, typed: str, values: list[str]) -> None:
    assert desk.zoomer.completions(typed, str(desk.folder)) == values
    for value in values:
        assert value.lower().startswith(typed.lower())
        assert desk.one(value)


def test_lines_of_a_path_that_is_not_whole_are_found_without_a_look_at_definitions(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/deep/a.py": "A = 1\nB = 2\n", "src/b.py": "def f(): ...\n"})
    desk = Desk(tmp_path)
    looks: list[str] = []

    def progress(_done: int, _total: int, stage: str) -> None:
        looks.append(stage)

    found = desk.zoomer.zoom("a.py:2", ".", progress=progress)
    assert "+++ src/deep/a.py:2-2" in found.text
    assert "B = 2" in found.text
    assert not looks
    desk.zoomer.zoom("f", ".", progress=progress)
    assert looks
