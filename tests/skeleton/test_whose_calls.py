"""Whose a name is where imports rename it, a value comes from another module, or a call says it by what it passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton import Language, skeletons
from tests.skeleton.sketching import sketch
from tests.skeleton.test_neighbours import beside, desk_of
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

RUST = {
    "src/main.rs": "mod cmd;\nfn folder() -> u8 { 1 }\n",
    "src/cmd/clean.rs": "use crate::folder;\npub struct Queue { back: Option<u8> }\nimpl Queue {\n    fn back(&mut self) { self.back = None; }\n"
    "    fn next(&mut self) -> u8 { self.back.take();\n    self.back(); folder() }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("folder", ["src/cmd/clean.rs:6 in Queue.next [imported]"]),
        ("Queue.back~2", ["src/cmd/clean.rs:6 in Queue.next [same class]"]),
    ],
)
def test_what_stands_in_the_module_around_is_imported_and_a_field_is_no_method(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, RUST, target) == expected


def told_beside(folder: Path, texts: dict[str, str], target: str, context: str = "callers") -> list[str]:
    """The places that are told beside a definition, each with how it is known."""
    lines = beside(desk_of(folder, texts), target, context)[1:]
    return [f"{line.partition(': ')[0]} [{line.rpartition('[')[2]}" for line in lines]


OVERLOADS = {
    "A.java": "class A {\n  void put(String a) {}\n  void put(int a) {}\n  void put(String a, int... more) {}\n  void put(Function<String, A> f) {}\n"
    '  void put(A other) {}\n  void use(A mine) {\n    put("x" + 1);\n    put(1);\n    put("x", 1, 2);\n    put(s -> mine);\n    put(mine);\n    put(unknown());\n  }\n}\n',
    "b.kt": 'class B {\n  fun put(a: String, f: (Int) -> Int) = 1\n  fun put(a: Int = 3, b: String = "") = 2\n  fun put(f: (Int) -> Int) = 3\n'
    '  fun use() {\n    put("x") { it }\n    put(b = "y")\n    put { it }\n  }\n}\n',
    "c.cpp": "struct C {\n  void put(const std::string &a);\n  void put(int a, int b = 2);\n};\nvoid C::put(const std::string &a) { }\n"
    "void C::put(int a, int b) {}\nvoid use(C &c) {\n  c.put(std::string(a, n));\n  c.put(1);\n}\n",
}
ANOTHER = "[same class, this overload or another]"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("A.put~1", ["A.java:8 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~2", ["A.java:9 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~3", ["A.java:10 in A.use [same class]"]),
        ("A.put~4", ["A.java:11 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~5", ["A.java:12 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("B.put~1", ["b.kt:6 in B.use [same class]"]),
        ("B.put~2", ["b.kt:7 in B.use [same class]"]),
        ("B.put~3", ["b.kt:8 in B.use [same class]"]),
        ("c.cpp::C.put~3", ["c.cpp:8 in use [c is typed so]"]),
        ("c.cpp::C.put~4", ["c.cpp:9 in use [c is typed so]"]),
    ],
)
def test_what_a_call_passes_says_which_overload_it_means(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert told_beside(tmp_path, OVERLOADS, target) == expected


RENAMED = {
    "shop/till.py": "class Till:\n    def ring(self, n): ...\n\n\ndef total(items): ...\n\n\ntill = Till()\n",
    "shop/use.py": "import shop.till as t\nfrom shop.till import Till as Box, till, total as add_up\n\n\ndef a(x: Box):\n    t.total([add_up([1])])\n    x.ring(1)\n"
    "\n\ndef b():\n    till.ring(2)\n    t.till.ring(3)\n\n\nclass Sub(Box):\n    def c(self):\n        self.ring(4)\n\n\n"
    'if __name__ == "__main__":\n    box = Box()\n    box.ring(5)\n',
    "other.py": "class Other:\n    def ring(self, n): ...\n",
    "rs/src/bell.rs": "pub struct Bell;\nimpl Bell {\n    pub fn new() -> Self { Bell }\n    pub fn toll(&self) {}\n}\nstruct Other;\nimpl Other {\n    fn new() -> Self { Other }\n    fn toll(&self) {}\n}\n",
    "rs/src/lib.rs": "mod bell;\nuse crate::bell::{self as b, Bell as Gong};\nfn a() { Gong::new().toll() }\nfn c(x: &Gong) { x.toll() }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Till.ring",
            [
                *("shop/use.py:7 in a [x is typed so]", "shop/use.py:11 in b [till is typed so]"),
                *("shop/use.py:17 in Sub.c [inherited]", "shop/use.py:22 [box is typed so]"),
            ],
        ),
        ("shop/till.py::Till", ["shop/till.py:8 [same file]", "shop/use.py:5 in a [imported]", "shop/use.py:15 in Sub [imported]", "shop/use.py:21 [imported]"]),
        ("shop/till.py::till", ["shop/use.py:11 in b [imported]"]),
        ("Bell.new", ["rs/src/lib.rs:3 in a [class named]"]),
        ("Bell.toll", ["rs/src/lib.rs:3 in a [new() is typed so]", "rs/src/lib.rs:4 in c [x is typed so]"]),
    ],
)  # fmt: skip
def test_what_an_import_renames_and_what_a_module_makes_is_what_it_is_there(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, RENAMED, target) == expected


GIVEN_OUT = {
    "a.erl": "-module(a).\n-export([sh/2, go/0]).\nsh(A, B) -> A + B.\ngo() -> fun sh/2.\n",
    "b.js": "function low(x) { return x }\nfunction top(x) { return low(x) }\nexport { low, top }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"), [("a.erl::sh", ["a.erl:4 in go [same file]"]), ("b.js::low", ["b.js:2 in top [same file]"])]
)
def test_what_a_file_gives_out_it_does_not_call(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert told_beside(tmp_path, GIVEN_OUT, target) == expected


BARRELS = {
    "shop/src/internal.ts": 'export { die } from "./errors"\nexport * from "./core/till"\nexport * from "./types"\n',
    "shop/src/types/index.ts": 'export * from "./price"\n',
    "shop/src/errors.ts": "export function die() {}\n",
    "shop/src/core/till.ts": "export class Till { constructor() {} }\nObject.defineProperty(Till, 'x', { set: function (a) {} })\n",
    "shop/src/types/price.ts": "export function price() {}\n",
    "shop/src/other/price.ts": "export function price() {}\n",
    "shop/src/api/open.ts": 'import { die, Till, price } from "../internal"\n'
    "export function open(map) { new Till(); price(); die(); map.get(1).set(2) }\n",
    "shop/compat.py": "from .spelling import text\n",
    "shop/spelling.py": "def text(): pass\n",
    "shop/main.py": "from .compat import text\ndef main(): text()\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("die", ["shop/src/api/open.ts:2 in open [imported]"]),
        ("Till.constructor", ["shop/src/api/open.ts:2 in open [imported]"]),
        ("types/price.ts::price", ["shop/src/api/open.ts:2 in open [imported]"]),
        ("other/price.ts::price", []),
        ("set", ["shop/src/api/open.ts:2 in open [by name]"]),
        ("spelling.text", ["shop/main.py:2 in main [imported]"]),
    ],
)
def test_a_module_that_gives_out_what_others_define_is_no_other_place(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, BARRELS, target) == expected


NESTED = {
    "Annotatable.kt": "interface Annotatable {\n  interface Builder<T> {\n    fun add(a: Int): T\n  }\n}\n",
    "Par.kt": "class Par private constructor(builder: Builder, private val tags: Tags = builder.tags()) {\n  val name = builder.name\n"
    "  class Builder : Annotatable.Builder<Builder> {\n    override fun add(a: Int): Builder = super.add(a)\n  }\n"
    "  companion object {\n    fun builder(name: String) = Builder()\n  }\n  fun copy() = builder(name)\n}\n",
    "Fun.kt": "class Fun {\n  class Builder : Annotatable.Builder<Builder> {\n    override fun add(a: Int): Builder = super.add(a)\n  }\n}\n",
    "service.rs": "pub trait Service { type Reply; fn ready(&mut self); }\nimpl<S: Service> Service for Box<S> {\n    type Reply = S::Reply;\n"
    "    fn ready(&mut self) { (**self).ready() }\n}\n",
    "impl.rs": "pub struct Slow<S> { service: S }\nimpl<S: Service> Service for &mut S {\n    type Reply = S::Reply;\n    fn ready(&mut self) {}\n}\n"
    "impl<S: Service> Service for Slow<S> {\n    type Reply = S::Reply;\n    fn ready(&mut self) { self.service.ready() }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Annotatable.Builder.add",
            ["Fun.kt:3 in Fun.Builder.add [inherited]", "Par.kt:4 in Par.Builder.add [inherited]"],
        ),
        ("Fun.Builder.add", []),
        ("Par.Companion.builder", ["Par.kt:9 in Par.copy [same class]"]),
        ("Service.ready", ["impl.rs:8 in Slow.ready [inherited]"]),
        ("impl.rs::&mut S.Reply", []),
    ],
)
def test_what_is_only_called_like_the_type_around_or_a_parameter_of_it_is_another(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert [one for one in told_beside(tmp_path, NESTED, target) if "by name" not in one] == expected


EXTENSIONS = {
    "Ext.cs": "static class Ext\n{\n    extension(Stream stream)\n    {\n        public void Pour(Stream other) { }\n        public int Size => 3;\n    }\n"
    "    extension<T>(List<T> list) where T : class\n    {\n        public bool Bare() => true;\n    }\n    public static void Seal(int a) { }\n}\n",
    "Use.cs": "class Use\n{\n    void Run(Stream source, Stream other)\n    {\n        source.Pour(other);\n        source.Seal(1);\n    }\n}\n",
}


def test_what_stands_in_an_extension_is_used_through_values_of_other_types(tmp_path: Path) -> None:
    assert told_beside(tmp_path, EXTENSIONS, "Ext.Pour") == ["Use.cs:5 in Use.Run [by name]"]
    assert told_beside(tmp_path, EXTENSIONS, "Ext.Seal") == []


def test_extensions_are_read_and_proven() -> None:
    source = EXTENSIONS["Ext.cs"].encode()
    made = skeletons(source, Language.named("csharp"))
    names = [one.path for one in made.full.definitions]
    assert (made.full.syntax_errors, made.plus.unproven, made.skeleton.unproven) == (False, "", "")
    assert names == ["Ext", "Ext.Pour", "Ext.Size", "Ext.Bare", "Ext.Seal"]
    assert [one.path for one in sketch(source, "csharp")] == names
    assert "    extension<T>(List<T> list) where T : class\n" in made.skeleton.text


STATIC = {
    "src/money.ts": "export class Money {\n  static from(n: number) { return new Money(); }\n  static make() { return this.from(1); }\n}\n"
    "export class Till {\n  get(key: string) { return 1; }\n  pop() { return 2; }\n}\n",
    "src/use.ts": "import { Money, Till } from './money';\nexport function a() { return Money.from(3); }\nexport function b(source) { return source.from(1); }\n"
    "export function c(list: number[], plain) {\n  const held = [];\n  plain.pop();\n  return list.pop() ?? held.pop();\n}\n"
    "export function d(map: Map<string, number[]>, other: Map<string, Till> | Till) {\n  return map.get('x') ?? other.get('y');\n}\n"
    "export function e(klass) { return klass.from(1); }\n",
    "lib/A.java": "class A {\n  static A of(int a) { return null; }\n  static class B { void put() { A.of(1); other.of(2); } }\n}\n",
    "py/box.py": "class Box:\n    def get(self, key):\n        return 1\n\n    def pop(self):\n        return 2\n",
    "py/use.py": "def a(options: dict[str, int], other: dict[str, int] | Box, box):\n    rows = []\n    rows.pop()\n    box.pop()\n"
    "    return options.get('x') or other.get('y')\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Money.from",
            [
                "src/money.ts:3 in Money.make [same class]",
                "src/use.ts:2 in a [class named]",
                "src/use.ts:12 in e [by name]",
            ],
        ),
        ("A.of", ["lib/A.java:3 in A.B.put [class named]"]),
        ("Till.pop", ["src/use.ts:6 in c [by name]"]),
        ("Till.get", ["src/use.ts:10 in d [other is typed so]"]),
        ("Box.pop", ["py/use.py:4 in a [likely: box]"]),
        ("Box.get", ["py/use.py:5 in a [other is typed so]"]),
    ],
)
def test_a_member_of_a_type_alone_and_a_value_of_the_language_are_not_matched_by_name(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, STATIC, target) == expected


def test_a_name_that_many_types_have_for_themselves_alone_says_nothing_by_itself(tmp_path: Path) -> None:
    statics = "".join(f"export class S{number} {{\n  static put(x) {{ return x; }}\n}}\n" for number in range(4))
    source = f"export class Till {{\n  put(x) {{ return x; }}\n}}\n{statics}"
    desk = desk_of(tmp_path, {"a.ts": source, "b.ts": "export function a(q) { return q.put(1); }\n"})
    lines = beside(desk, "Till.put", "callers")
    assert not any("b.ts:1" in line for line in lines)
    assert "1" in "".join(lines)


LIKE_ANOTHER = (
    "package t\n\ntype node struct{ n int }\n\nfunc (n *node) Walk() int { return n.n }\n\ntype leaf node\n\ntype same = node\n\n"
    "type tree struct {\n\tnode\n}\n\ntype Walker interface {\n\tWalk() int\n}\n\ntype Named Walker\n\n"
    "func use(t *tree, s *same) {\n\tt.Walk()\n\ts.Walk()\n}\n\nfunc wrong(l *leaf) { l.Walk() }\n"
)


def test_a_type_of_go_that_is_made_like_a_struct_inherits_none_of_its_methods(tmp_path: Path) -> None:
    files = {"go.mod": "module t\n", "t/a.go": LIKE_ANOTHER}
    inherited = [line for line in told_beside(tmp_path, files, "node.Walk") if line.endswith("[inherited]")]
    assert inherited == ["t/a.go:22 in use [inherited]"]
    with pytest.raises(SymbolNotFoundError):
        beside(desk_of(tmp_path, files), "leaf.Walk", "callers")
    assert beside(desk_of(tmp_path, files), "Named.Walk", "callers")  # an interface like another has its methods
