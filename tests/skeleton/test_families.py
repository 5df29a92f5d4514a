"""Members that are used through another type than their own: one below it, one above it, or a field's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.uses.bases import bases_of
from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("class A(B[Conf], metaclass=M):", ["B"]),
        ("class A < Shop::B", ["Shop::B"]),
        ("export class A<T extends Q> extends B<C<D>> implements E, F", ["B", "E", "F"]),
        ("class A(val x: Int): B<C>(), D where T: E", ["B", "D"]),
        ("class A : public shop::B<C>, private D", ["shop::B", "D"]),
        ("extension A: B where T: C", ["B"]),
        ("impl<S> B<S> for A<S> where S: C", ["B"]),
        ("impl A", []),
        ("class A(private val till: Till)", []),
    ],
)
def test_a_head_says_what_a_type_inherits_from(signature: str, expected: list[str]) -> None:
    assert bases_of(signature, "A") == expected


INHERITED = {
    "base.py": "class Base:\n    def go(self): ...\n\n    def run(self):\n        self.go()\n",
    "middle.py": "from base import Base\n\n\nclass Middle(Base):\n    def go(self): ...\n",
    "low.py": "from middle import Middle\n\n\nclass Low(Middle):\n    def work(self):\n        self.go()\n        self.run()\n",
    "use.py": "from low import Low\n\n\ndef use(low: Low):\n    low.go()\n    low.run()\n",
    "other.py": "class Other:\n    def go(self): ...\n\n    def run(self): ...\n",
    "draw.rb": "module Draws\n  def paint; end\nend\n\nclass Pen\n  include Draws\n  def use\n    paint\n  end\nend\n\n"
    "class Wall\n  def paint; end\nend\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Base.run",
            [
                "low.py:7 in Low.work: self.run() [inherited]",
                "use.py:6 in use: low.run() [inherited]",
            ],
        ),
        (
            "Middle.go",
            [
                "low.py:6 in Low.work: self.go() [inherited]",
                "use.py:5 in use: low.go() [inherited]",
                "base.py:5 in Base.run: self.go() [through Base]",
            ],
        ),
        ("Base.go", ["base.py:5 in Base.run: self.go() [same class]"]),
        ("Draws.paint", ["draw.rb:8 in Pen.use: paint [inherited]"]),
    ],
)
def test_a_member_is_used_in_what_inherits_it(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, INHERITED), target, "callers")[1:] == expected


INTERFACES = {
    "eng/eng.go": "package eng\n\ntype Engine interface {\n\tRun(n int)\n\tStop()\n}\n\ntype Fast struct{}\n\n"
    "func (f *Fast) Run(n int) {}\nfunc (f *Fast) Stop() {}\n\ntype Half struct{}\n\nfunc (h *Half) Run(n int) {}\n",
    "web/api.go": 'package web\n\nimport "shop/eng"\n\ntype API struct {\n\tinner eng.Engine\n}\n\n'
    "func (a *API) Serve() {\n\ta.inner.Run(1)\n}\n\nfunc serve(e eng.Engine) {\n\te.Run(2)\n}\n",
    "Store.java": "interface Store {\n  void put(int n);\n}\nclass Disk implements Store {\n  public void put(int n) {}\n}\n"
    "class Other {\n  void put(int n) {}\n}\n",
    "Use.java": "class Use {\n  private final Store kept;\n  void go() { kept.put(1); }\n}\n",
    "draw.rs": "pub trait Draw {\n    fn draw(&self);\n}\npub struct Pen;\nimpl Draw for Pen {\n    fn draw(&self) {}\n}\n"
    "pub struct Ink;\nimpl Ink {\n    fn draw(&self) {}\n}\nfn show(one: &dyn Draw) {\n    one.draw();\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Fast.Run",
            [
                "web/api.go:10 in API.Serve: a.inner.Run(1) [through Engine]",
                "web/api.go:14 in serve: e.Run(2) [through Engine]",
            ],
        ),
        ("Half.Run", []),
        ("Disk.put", ["Use.java:3 in Use.go: void go() { kept.put(1); } [through Store]"]),
        ("Other.put", []),
        ("Pen.draw", ["draw.rs:13 in show: one.draw(); [through Draw]"]),
        ("Ink.draw", []),
    ],
)
def test_a_member_is_used_where_its_interface_is(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, INTERFACES), target, "callers")[1:] == expected


def test_uses_of_an_interface_that_many_types_have_are_counted(tmp_path: Path) -> None:
    names = "ABCDEFGHI"
    texts = {f"{name}.java": f"class {name} implements Store {{\n  public void put(int n) {{}}\n}}\n" for name in names}
    texts |= {name: INTERFACES[name] for name in ("Use.java",)}
    texts["Store.java"] = "interface Store {\n  void put(int n);\n}\n"
    told = "⋮ 1 more use Store.put, which many types have of their own"
    assert beside(desk_of(tmp_path, texts), "C.put", "callers")[1:] == [told]


FIELDS = {
    "till.py": "class Till:\n    def ring(self): ...\n\n\nclass Bell:\n    def ring(self): ...\n",
    "use.py": "from till import Bell, Till\n\n\nclass Desk:\n    def __init__(self, first: Till):\n        self.first = first\n        self.second = Bell()\n\n"
    "    def go(self):\n        self.first.ring()\n        self.second.ring()\n",
    "Till.kt": "class Till {\n  fun ding() {}\n}\n\nclass Bell {\n  fun ding() {}\n}\n",
    "Use.kt": "class Use(private val first: Till) {\n  private val second = Bell()\n  fun go() {\n    first.ding()\n    second.ding()\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Till.ring", ["use.py:10 in Desk.go: self.first.ring() [first is typed so]"]),
        ("Bell.ring", ["use.py:11 in Desk.go: self.second.ring() [second is typed so]"]),
        ("Till.ding", ["Use.kt:4 in Use.go: first.ding() [first is typed so]"]),
        ("Bell.ding", ["Use.kt:5 in Use.go: second.ding() [second is typed so]"]),
    ],
)
def test_a_field_says_whose_a_member_is(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, FIELDS), target, "callers")[1:] == expected


EXTENSIONS = {
    "shop/Types.kt": "package shop\n\nclass Till {\n  fun ring() {}\n}\n\nclass Bell {\n  fun ring() {}\n}\n",
    "shop/inside/Till.kt": "package shop.inside\n\nimport shop.Till\n\nfun Till.twice() {\n  ring()\n}\n",
    "shop/inside/Bell.kt": "package shop.inside\n\nimport shop.Bell\n\nfun Bell.twice() {\n  ring()\n}\n",
    "shop/Use.kt": "package shop\n\nimport shop.inside.twice\n\nfun Bell.thrice() {\n  twice()\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Till.ring", ["shop/inside/Till.kt:6 in Till.twice: ring() [same class]"]),
        ("Till.twice", []),
        ("Bell.twice", ["shop/Use.kt:6 in Bell.thrice: twice() [imported]"]),
    ],
)
def test_an_extension_stands_in_the_type_that_it_extends(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, EXTENSIONS), target, "callers")[1:] == expected


HELD = {
    "a.py": "class A:\n    def repr(self): ...\n\n    def go(self):\n        repr(self)\n        self.repr()\n\n    data = property(repr)\n",
    "b.ts": "class B {\n  parse() {}\n  go() {\n    parse()\n    this.parse()\n  }\n}\n",
    "c.rb": "class C\n  def sort; end\n  def go\n    sort\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("target", "expected"), [("A.repr", ["a.py:6", "a.py:8"]), ("B.parse", ["b.ts:5"]), ("C.sort", ["c.rb:4"])]
)
def test_a_bare_name_is_a_member_where_a_language_reads_it_so(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, HELD), target, "callers")[1:]
    assert [line.partition(" in ")[0].partition(": ")[0] for line in lines] == expected


def test_what_is_asked_of_the_base_itself_is_no_use_of_another_that_overrides_it(tmp_path: Path) -> None:
    bodies = "".join(f"class {name}(Base):\n    def go(self):\n        super().go()\n\n\n" for name in ("A", "B"))
    texts = {"a.py": f"class Base:\n    def go(self): ...\n\n\n{bodies}"}
    assert beside(desk_of(tmp_path, texts), "A.go", "callers")[1:] == []


def test_a_field_is_typed_though_a_function_sets_it_from_a_variable(tmp_path: Path) -> None:
    texts = {
        "a.h": "class Till {\n public:\n  void Close() {}\n};\nclass Other {\n public:\n  void Close() {}\n};\n",
        "b.cc": '#include "a.h"\nclass Desk {\n  Till* const till_;\n  void Go(Till* first) {\n    till_ = first;\n    till_->Close();\n  }\n};\n',
    }
    assert beside(desk_of(tmp_path, texts), "Till.Close", "callers")[1:] == [
        "b.cc:6 in Desk.Go: till_->Close(); [till_ is typed so]"
    ]


def test_a_slice_of_a_type_has_none_of_its_members(tmp_path: Path) -> None:
    texts = {
        "tree.go": (
            "package tree\n\ntype node struct {\n\tkids nodes\n}\n\ntype nodes []*node\ntype byName map[string]node\n"
            "\nfunc (n *node) find() {}\n\nfunc (ns nodes) find() {}\n\nfunc (m byName) find() {}\n\n"
            "func (n *node) all() {\n\tone := n\n\tone.find()\n\tn.kids.find()\n}\n"
        )
    }
    desk = desk_of(tmp_path, texts)
    found = {name: beside(desk, f"{name}.find", "callers")[1:] for name in ("node", "nodes", "byName")}
    assert found == {
        "node": ["tree.go:18 in node.all: one.find() [one is typed so]"],
        "nodes": ["tree.go:19 in node.all: n.kids.find() [kids is typed so]"],
        "byName": [],
    }


def test_no_other_file_has_a_private_extension_or_what_is_private_to_other_tests(tmp_path: Path) -> None:
    texts = {
        "src/main/Lamp.kt": "class Lamp\n",
        "src/main/A.kt": "private fun Lamp.dim() = 1\n\nfun a(lamp: Lamp) = lamp.dim()\n",
        "src/main/B.kt": "private fun Lamp.dim() = 2\n\nfun b(it: Any) = it.lamp.dim()\n",
        "src/test/A.kt": "class ATest {\n    private fun Lamp.dim() = 3\n\n    fun a(lamp: Lamp) = lamp.dim()\n}\n",
        "src/test/B.kt": "private fun Lamp.dim() = 4\n\nfun c(it: Any) = it.lamp.dim()\n",
    }
    desk = desk_of(tmp_path, texts)

    def users(path: str) -> list[str]:
        target = "ATest.Lamp.dim" if path == "src/test/A.kt" else "Lamp.dim"
        return [line.partition(":")[0] for line in beside(desk, f"{path}::{target}", "callers")[1:]]

    assert {path: users(path) for path in texts if path != "src/main/Lamp.kt"} == {
        "src/main/A.kt": ["src/main/A.kt"],
        "src/main/B.kt": ["src/main/B.kt"],
        "src/test/A.kt": ["src/test/A.kt"],
        "src/test/B.kt": ["src/test/B.kt"],
    }
