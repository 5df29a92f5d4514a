"""Whose a name is that stands behind a namespace, behind a type with what it holds, or in a namespace that a file sees into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_whose_calls import told_beside

if TYPE_CHECKING:
    from pathlib import Path

BARE = {
    "daemon.rs": "pub fn launch(program: &str) -> bool {\n    program.is_empty()\n}\n",
    "event.rs": "use crate::daemon::launch;\npub struct Desk { fd: i32 }\nimpl Desk {\n    fn launch(&self, program: &str) {\n"
    '        launch(program);\n    }\n    fn other(&self) { self.launch("x"); }\n}\n',
    "shop.kt": "fun ring(n: Int) = n\nclass Till {\n  fun ring(n: Int) = n\n  fun sell() = ring(1)\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("daemon.rs::launch", ["event.rs:5 in Desk.launch [imported]"]),
        ("Desk.launch", ["event.rs:7 in Desk.other [same class]"]),
        ("Till.ring", ["shop.kt:4 in Till.sell [same class]"]),
    ],
)
def test_a_method_hides_no_function_of_its_name_where_it_is_used_through_its_object_alone(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, BARE, target) == expected


COMMENTED = {
    "damage.rs": "pub struct Frame { full: bool }\nimpl Frame {\n    pub fn mark(&mut self) {}\n}\npub struct Tracker { f: Frame }\n"
    "impl Tracker {\n    pub fn frame(&mut self) -> &mut Frame { &mut self.f }\n}\n",
    "term.rs": "pub struct Term;\nimpl Term {\n    pub fn mark(&mut self) {}\n}\n",
    "display.rs": "use crate::damage::Tracker;\npub struct Display { tracker: Tracker }\nimpl Display {\n    fn one(&mut self) {\n"
    "        // All of it may have changed.\n        self.tracker.frame().mark();\n    }\n"
    "    fn two(&mut self) {\n        // Else it is new\n        self.tracker.frame().mark();\n    }\n}\n",
}


def test_a_comment_above_a_chain_is_no_part_of_it(tmp_path: Path) -> None:
    assert told_beside(tmp_path, COMMENTED, "Frame.mark") == [
        "display.rs:6 in Display.one [frame() is typed so]",
        "display.rs:10 in Display.two [frame() is typed so]",
    ]
    assert told_beside(tmp_path, COMMENTED, "Term.mark") == []


QUALIFIED = {
    "src/till.rs": "pub struct Till;\nimpl Till {\n    pub fn new() -> Till { Till }\n    pub fn ring(&self) {}\n}\n"
    "pub struct Bell;\nimpl Bell {\n    pub fn ring(&self) {}\n}\n",
    "src/lib.rs": "mod till;\nfn a() { crate::till::Till::new().ring(); }\nfn b() { till::Till::new().ring(); }\n",
    "shop.rb": "module Shop\n  class Cart\n    def toll; end\n  end\n  class Dock\n    def toll; end\n  end\nend\nclass Use\n"
    "  def go\n    Shop::Cart.new.toll\n    Shop::Dock.new(1).toll\n  end\nend\n",
    "Pull.cs": "namespace Shop.Inner {\n  class Pull { public static Pull Make() => new Pull(); public void Go() {} }\n"
    "  class Push<T> { public static Push<T> Of(T t) => new Push<T>(); public void Go() {} public static void Stat(int a) {} }\n"
    "  class Rest { public static void Stat(int a) {} }\n}\n",
    "Use.cs": "class Use {\n  void A() { Shop.Inner.Pull.Make().Go(); }\n  void B() { Push<int>.Of(1).Go(); }\n"
    "  void C() { Push<Dictionary<string, int>>.Stat(2); }\n}\n",
    "box.cpp": "template <typename T> struct Box { static int size(); };\nstruct Bag { static int size(); };\n"
    "int use(int a, int b) { return a < Box<int>::size(); }\nint both() { return Bag::size(); }\n",
    "Sale.scala": "class Desk {\n  def sign(n: Int): Int = n\n}\nclass Wall {\n  def sign(n: Int): Int = n\n}\nclass Sale {\n"
    "  def front(): Desk = new Desk\n}\nobject Open {\n  def run(sale: Sale) = sale.front.sign(2)\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Till.ring", ["src/lib.rs:2 in a [new() is typed so]", "src/lib.rs:3 in b [new() is typed so]"]),
        ("Bell.ring", []),
        ("Shop.Cart.toll", ["shop.rb:11 in Use.go [new is typed so]"]),
        ("Shop.Dock.toll", ["shop.rb:12 in Use.go [new() is typed so]"]),
        ("Shop.Inner.Pull.Go", ["Use.cs:2 in Use.A [Make is typed so]"]),
        ("Shop.Inner.Push.Go", ["Use.cs:3 in Use.B [Of() is typed so]"]),
        ("Shop.Inner.Push.Stat", ["Use.cs:4 in Use.C [class named]"]),
        ("Shop.Inner.Rest.Stat", []),
        ("Box.size", ["box.cpp:3 in use [class named]"]),
        ("Bag.size", ["box.cpp:4 in both [class named]"]),
        ("Desk.sign", ["Sale.scala:11 in Open.run [front is typed so]"]),
        ("Wall.sign", []),
    ],
)
def test_the_type_of_a_chain_is_found_behind_its_namespace_and_before_what_it_holds(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, QUALIFIED, target) == expected


SPACES = {
    "a/Check.cs": "namespace Shop.Utility {\n  static class Check { internal static int That(int a) => a; }\n}\n",
    "b/Check.cs": "namespace Shop.Testing;\nstatic class Check { internal static int That(int a) => a; }\n",
    "c/Check.cs": "namespace Other.Utility {\n  static class Check { internal static int That(int a) => a; }\n}\n",
    "b/Till.cs": "using Shop.Utility;\nnamespace Shop.Zones {\n  class Till { void A() { Check.That(1); } }\n}\n",
    "b/Bell.cs": "namespace Shop.Testing.Deep;\nclass Bell { void A() { Check.That(1); } }\n",
    "a.cpp": "namespace shop {\nstruct Cart { static int count(); };\n}\n",
    "b.cpp": "namespace dock {\nstruct Cart { static int count(); };\n}\n",
    "c.cpp": "namespace dock {\nint all() { return Cart::count(); }\n}\n",
    "d.cpp": "using namespace shop;\nint most() { return Cart::count(); }\n",
    "src/pen.hpp": "namespace desk {\nstruct Pen { int a; };\n}\n",
    "src/write.cpp": "namespace desk {\nint write(Pen &pen) { return 1; }\n}\n",
    "extras/all.hpp": "namespace desk {\nstruct Pen { int a; };\nint draw(Pen &pen) { return 2; }\n}\n",
    "p/Pot.java": "package p;\npublic class Pot { public static void stir() {} }\n",
    "q/Pot.java": "package q;\npublic class Pot { public static void stir() {} }\n",
    "p/Chef.java": "package p;\nimport q.Pot;\nclass Chef { void a() { Pot.stir(); } }\n",
    "p/Wait.java": "package p;\nclass Wait { void a() { Pot.stir(); } }\n",
    "r/Cook.java": "package r;\nimport q.*;\nclass Cook { void a() { Pot.stir(); } }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("a/Check.cs::Check.That", ["b/Till.cs:3 in Shop.Zones.Till.A [class named]"]),
        ("b/Check.cs::Check.That", ["b/Bell.cs:2 in Bell.A [class named]"]),
        ("c/Check.cs::Check.That", []),
        ("a/Check.cs::Check", ["b/Till.cs:3 in Shop.Zones.Till.A [imported]"]),
        ("b/Check.cs::Check", ["b/Bell.cs:2 in Bell.A [same module]"]),
        ("a.cpp::shop.Cart.count", ["d.cpp:2 in most [class named]"]),
        ("b.cpp::dock.Cart.count", ["c.cpp:2 in dock.all [class named]"]),
        ("src/pen.hpp::desk.Pen", ["src/write.cpp:2 in desk.write [same module]"]),
        ("extras/all.hpp::desk.Pen", ["extras/all.hpp:3 in desk.draw [same file]"]),
        ("p/Pot.java::Pot.stir", ["p/Wait.java:2 in Wait.a [class named]"]),
        (
            "q/Pot.java::Pot.stir",
            ["p/Chef.java:3 in Chef.a [class named]", "r/Cook.java:3 in Cook.a [class named]"],
        ),
    ],
)
def test_of_several_types_of_one_name_that_is_meant_whose_namespace_a_file_sees_into(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, SPACES, target) == expected


OF_ITSELF = {
    "src/config/debug.rs": "pub struct Debug { a: bool }\nimpl Debug {\n    pub fn on(&self) {}\n}\n",
    "src/cli.rs": "use std::path::PathBuf;\n#[derive(Debug)]\npub struct Options { a: PathBuf }\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
    "src/config/all.rs": "use super::*;\n#[derive(Debug)]\npub struct All;\n",
}


def test_a_module_that_takes_all_of_its_own_file_takes_nothing_from_others(tmp_path: Path) -> None:
    told = told_beside(tmp_path, OF_ITSELF, "src/config/debug.rs::Debug")
    assert not [one for one in told if "cli.rs" in one]
    assert [one for one in told if "all.rs" in one]


MODULES = {
    "lib/a/b/server.ex": "defmodule A.B.Server do\n  def go!(x), do: x\nend\n",
    "lib/a/c/server.ex": "defmodule A.C.Server do\n  def go!(x), do: x\nend\n",
    "lib/a/use.ex": "defmodule A.Use do\n  def run(x), do: A.B.Server.go!(x)\nend\n",
}


def test_a_function_behind_the_whole_name_of_its_module_is_no_other(tmp_path: Path) -> None:
    assert told_beside(tmp_path, MODULES, "A.B.Server.go!") == ["lib/a/use.ex:2 in A.Use.run [class named]"]
    assert told_beside(tmp_path, MODULES, "A.C.Server.go!") == []


def test_a_member_of_a_type_that_is_imported_is_no_function_of_a_module_beside(tmp_path: Path) -> None:
    texts = {
        "shop/__init__.py": "",
        "shop/flow.py": "def parse(x):\n    return x\n",
        "shop/modes/specs.py": "class Base:\n    @classmethod\n    def parse(cls, x):\n        return x\n\n\nclass Mode(Base):\n    pass\n",
        "shop/use.py": "from shop.modes.specs import Mode\nfrom shop import flow\n\n\ndef run(x):\n    Mode.parse(x)\n    return flow.parse(x)\n",
    }
    assert told_beside(tmp_path, texts, "shop/flow.py::parse") == ["shop/use.py:7 in run [imported]"]


def test_a_member_is_used_through_no_type_that_a_file_imports_from_elsewhere(tmp_path: Path) -> None:
    texts = {
        "shop/Till.kt": "package org.shop\nclass Till {\n  companion object {\n    fun of(a: Int) = Till()\n  }\n}\n",
        "shop/Use.kt": "package org.shop\nimport org.paper.Sheet\nimport org.paper.Folder\n"
        "fun first(): Sheet {\n  val all = mutableListOf<Sheet>()\n  return Sheet.of(1)\n}\n"
        "fun second(): Folder = when (1) {\n  else -> Folder.of(2)\n}\n"
        "fun third() = Till.of(3)\n",
    }
    assert told_beside(tmp_path, texts, "Till.of") == ["shop/Use.kt:11 in third [class named]"]


def test_what_a_module_of_ruby_calls_may_be_of_any_type_that_takes_it_in(tmp_path: Path) -> None:
    texts = {
        "app/till.rb": "class Till\n  include Slots\n  def note(text)\n    puts text\n  end\n  private\n  def own(a)\n    a\n  end\nend\n",
        "app/slots.rb": "module Slots\n  def slot\n    note('a')\n    own(1)\n    icon('b')\n  end\nend\n",
        "app/icons.rb": "module Icons\n  def icon(name)\n    name\n  end\nend\n",
        "app/door.rb": "class Door\n  def shut\n    note('c')\n    icon('d')\n  end\nend\n",
        "spec/till_spec.rb": "describe Till do\n  it 'notes' do\n    note('e')\n  end\nend\n",
    }
    assert told_beside(tmp_path, texts, "Till.note") == ["app/slots.rb:3 in Slots.slot [by name]"]
    assert told_beside(tmp_path, texts, "Icons.icon") == [
        "app/door.rb:4 in Door.shut [by name]",
        "app/slots.rb:5 in Slots.slot [by name]",
    ]


FILES_OF_TYPES = {
    "src/till.zig": (
        'const Till = @This();\nconst Lid = @import("Lid.zig");\n\nlid: Lid,\n\n'
        "pub fn open(self: *Till) void {\n    self.turn(1);\n    self.lid.lift();\n}\n"
        "fn turn(self: *Till, by: u8) void {}\npub const Key = struct {\n    pub fn turn(self: *Key) void {}\n"
        "    pub fn use(self: *Key) void {\n        self.turn();\n    }\n};\n"
    ),
    "src/Lid.zig": "high: u8,\n\npub fn lift(self: *@This()) void {}\n",
    "src/boat.zig": "pub fn lift(a: u8) void {}\n",
    "src/shop.zig": (
        'const Till = @import("till.zig");\n\npub fn serve(first: *Till, shop: anytype) void {\n    first.open();\n'
        "    shop.till.open();\n    shop.anything.open();\n    Till.open(first);\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("src/till.zig::turn", ["src/till.zig:7 in open [same file]"]),
        ("Key.turn", ["src/till.zig:14 in Key.use [same class]"]),
        ("src/Lid.zig::lift", ["src/till.zig:8 in open [lid is typed so]"]),
        ("src/boat.zig::lift", []),
        ("Till.open", ["src/shop.zig:4 in serve [first is typed so]", "src/shop.zig:6 in serve [by name]"]),
    ],
)
def test_a_function_of_a_file_that_is_a_type_is_called_as_a_method(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, FILES_OF_TYPES, target) == expected
