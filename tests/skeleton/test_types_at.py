"""Types that say whose a member is not: those from outside, and those that a file would import."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

TREE = {
    "a.rs": "use http::HeaderMap;\npub struct Names { all: Vec<u8> }\nimpl Names {\n    pub fn insert(&mut self) {}\n    pub fn fixed() -> u8 { 1 }\n}\n"
    "pub struct Wire;\nimpl Sink for Wire {\n    fn flush(&mut self) {}\n}\n"
    "fn made() {\n    let mut held = HeaderMap::new();\n    held.insert();\n    HeaderValue::fixed();\n}\n"
    "fn taken(held: HeaderMap) {\n    // Names held\n    held.insert();\n}\n"
    "fn any<Held: Sized>(held: Held) {\n    held.insert();\n}\n"
    "fn sunk(to: Sink) {\n    to.flush();\n}\n",
    "b.ts": "export class Cart {\n  set(key: string) {}\n}\nexport const make = () => {\n  const seen: WeakMap<object, string> = new WeakMap()\n"
    "  const put = (key: string) => {\n    seen.set(key)\n  }\n  return put\n}\n"
    "const kept = new Map()\nexport const keep = () => {\n  kept.set('a')\n}\nexport const say = (it: Logger) => {\n  it.set('a')\n}\n"
    "const cart = new Cart()\nexport const fill = () => {\n  cart.set('b')\n}\n",
    "types/c.ts": "export interface Response {\n  ok: boolean\n}\n",
    "global.d.ts": "interface Env {\n  port: number\n}\n",
    "web/d.ts": "import { make } from '../b'\nexport const get = (env: Env): Response => {\n  return make(env)\n}\n",
    "web/e.ts": "import type { Response } from '../types/c'\nexport const ask = (): Response => {\n  return make()\n}\n",
    "f.ts": "export class Page {}\n",
    "deep/f.ts": "export class Page {}\n",
    "deep/er/g.ts": "import { Page } from '../f'\nexport const open = () => {\n  return new Page()\n}\n",
    "pkg/h.py": "class Sheet:\n    pass\n",
    "pkg/sub/h.py": "class Sheet:\n    pass\n",
    "pkg/sub/i.py": "from ..h import Sheet\n\n\ndef lay():\n    return Sheet()\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Names.insert", ["a.rs:21 in any [by name]"]),
        ("Names.fixed", []),
        ("Wire.flush", ["a.rs:24 in sunk [by name]"]),
        ("Cart.set", ["b.ts:20 in fill [cart is typed so]", "b.ts:16 in say [by name]"]),
        ("Response", ["web/e.ts:2 in ask [imported]"]),
        ("Env", ["web/d.ts:2 in get [by name]"]),
        ("f.ts::Page", []),
        ("deep/f.ts::Page", ["deep/er/g.ts:3 in open [imported]"]),
        ("pkg/h.py::Sheet", ["pkg/sub/i.py:5 in lay [imported]"]),
        ("pkg/sub/h.py::Sheet", []),
    ],
)
def test_a_type_from_elsewhere_says_whose_a_name_is_not(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, TREE), target, "callers")[1:]
    assert [re.sub(r": .* \[", " [", line) for line in lines] == expected


def test_what_a_factory_gives_may_be_anything(tmp_path: Path) -> None:
    tree = {
        "a.go": 'package a\n\nimport "x/store"\n\ntype Shelf struct{}\n\nfunc (s *Shelf) Fill() {}\n\n'
        "func Run() {\n\ts := store.NewShelf()\n\ts.Fill()\n}\n\nfunc Other() {\n\ts := store.Box{}\n\ts.Fill()\n}\n",
        "B.cs": "class Shelf {\n  public void Lock() { }\n  void Run() {\n    var it = Assert.Is<Shelf>(x);\n    it.Lock();\n  }\n"
        "  void Other() {\n    var it = new Box();\n    it.Lock();\n  }\n}\n",
    }
    desk = desk_of(tmp_path, tree)
    assert [line.split(" in ")[1].split(":")[0] for line in beside(desk, "Fill", "callers")[1:]] == ["Run"]
    assert [line.split(" in ")[1].split(":")[0] for line in beside(desk, "Lock", "callers")[1:]] == ["Shelf.Run"]


def test_a_field_of_a_class_further_out_is_typed(tmp_path: Path) -> None:
    tree = {
        "Till.java": "class Till {\n  private final Store own;\n  void run() {\n    go(new Runnable() {\n      @Override public void run() {\n"
        "        own.open();\n      }\n    });\n  }\n}\n",
        "Store.java": "interface Store {\n  void open();\n}\n",
        "a.rb": "module Shop\n  class Process\n    def go\n      ::Process.clock\n      Process.new\n    end\n  end\nend\n",
    }
    desk = desk_of(tmp_path, tree)
    (line,) = beside(desk, "Store.open", "callers")[1:]
    assert line.endswith("[own is typed so]")
    (line,) = beside(desk, "Shop.Process", "callers")[1:]
    assert line.startswith("a.rb:5 ")


NESTED = {
    "Call.java": "interface Call {\n  class Maker { static int raw() { return 1; } int use() { return 1; } }\n}\n",
    "Item.java": "interface Item {\n  class Maker { static int raw() { return 2; } int use() { return 2; } }\n}\n",
    "Own.java": "class Own extends Call.Maker {\n  int get() { return raw(); }\n  int two() { return Item.Maker.raw(); }\n"
    "  int own(Item.Maker it) { return it.use(); }\n}\n",
    "Reply.java": "class Reply {\n  Reply body(int n) { return this; }\n}\n",
    "Ask.java": "import far.MockReply;\nclass Ask {\n  void one() { new MockReply(f(1)).body(2); }\n  void two() { new Reply().body(2); }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Call.Maker.raw", ["Own.java:2 in Own.get [inherited]"]),
        ("Item.Maker.raw", ["Own.java:3 in Own.two [class named]"]),
        ("Call.Maker.use", []),
        ("Item.Maker.use", ["Own.java:4 in Own.own [it is typed so]"]),
        ("Reply.body", ["Ask.java:4 in Ask.two [class named]"]),
    ],
)
def test_a_nested_type_and_a_new_value_are_told_apart(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, NESTED), target, "callers")[1:]
    assert [re.sub(r": .* \[", " [", line) for line in lines] == expected


def test_a_type_of_the_same_package_is_no_import_away(tmp_path: Path) -> None:
    java = "package {0};\n\nimport java.util.List;\n\nclass {1} {{\n{2}}}\n"
    tree = {
        "a/src/main/x/Shelf.java": java.format("x", "Shelf", "  void fill() { }\n"),
        "b/src/main/y/Shelf.java": java.format("y", "Shelf", "  void fill() { }\n"),
        "a/src/more/x/Shop.java": java.format(
            "x", "Shop", "  Shelf own;\n  void open() { new Shelf(); own.fill(); }\n"
        ),
        "b/src/more/y/Shop.java": java.format("y", "Shop", "  Rack own;\n"),
        "b/src/more/y/Rack.java": java.format("y", "Rack", "  void fill() { }\n"),
    }
    desk = desk_of(tmp_path, tree)
    (_, line) = beside(desk, "a/src/main/x/Shelf.java::Shelf", "callers")[1:]
    assert line.endswith("void open() { new Shelf(); own.fill(); } [same module]")
    assert beside(desk, "b/src/main/y/Shelf.java::Shelf", "callers") == ["no callers of Shelf found"]
    assert beside(desk, "Rack.fill", "callers") == ["no callers of Rack.fill found"]


HEADS = {
    "a.ts": "export const memo = (f: any) => f\nconst zero = () => 1\nexport const View = memo((props: any) => {\n  return props\n})\n"
    "export function other(x = zero()) {\n  return x\n}\n",
    "b.py": "def now():\n    return 1\n\n\ndef go(x=now()):\n    return x\n",
    "c.kt": "fun now(): Int { return 1 }\nclass A(x: Int = now()) : B(now()) { }\nopen class B(y: Int)\n",
}


@pytest.mark.parametrize(
    ("target", "expected"), [("View", ["memo:"]), ("other", ["zero:"]), ("go", ["now:"]), ("A", ["now:", "B:"])]
)
def test_what_a_head_calls_is_a_callee(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, HEADS), target, "callees")[1:]
    assert [line.split()[1] for line in lines] == expected


def test_of_several_types_of_one_name_the_nearest_or_the_imported_is_meant(tmp_path: Path) -> None:
    till = "class Till:\n    def open(self):\n        return 1\n"
    tree = {
        "a/till.py": till,
        "b/till.py": till,
        "a/shop.py": "from a.till import Till\n\n\ndef go(till: Till):\n    till.open()\n",
        "a/other.py": "from b.till import Till\n\n\ndef far(own: Till):\n    own.open()\n",
    }
    desk = desk_of(tmp_path, tree)
    (line,) = beside(desk, "b/till.py::Till.open", "callers")[1:]
    assert line.startswith("a/other.py:5 ")
    assert line.endswith("[own is typed so]")
