"""Names as traces, editors, manifests and documentation write them, by namespaces that files declare, and inherited ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

TREE = {
    "go.mod": "module example.com/yard/shop\n\ngo 1.22\n",
    "till/open.go": "package till\n\ntype Till struct{}\n\nfunc (t *Till) Run() {\n\tgo func() {}()\n}\n\nfunc Open() {}\n",
    "till/agent/open.go": "package agent\n\nfunc Open() {}\n",
    "py/shop/__init__.py": "",
    "py/shop/cart.py": (
        "class Base:\n    def get(self):\n        return 1\n\n    def put(self):\n        return 2\n\n\n"
        "class Mixed:\n    def put(self):\n        return 3\n\n\n"
        "class Cart(Mixed, Base):\n    def add(self):\n        return self.get()\n\n\n"
        "class Other:\n    def add(self):\n        return 0\n"
    ),
    "rs/src/json.rs": (
        "pub struct Json<T>(T);\n\nimpl<T> Read<T> for Json<T> {\n    fn from(one: T) -> Self { Json(one) }\n}\n\n"
        "impl<T> Write for Json<T> {\n    fn from(two: u8) -> u8 { two }\n}\n"
    ),
    "jvm/Buffer.kt": (
        "package yard.io\n\nclass Buffer {\n    class Cursor\n    fun read(a: Int) = a\n    fun read(a: String) =\n        a\n\n"
        '    companion object {\n        fun String.pour() = this\n        @Deprecated("no")\n        fun pour(a: String) = a\n    }\n}\n'
    ),
    "jvm/Tools.kt": "package yard.io\n\nfun Buffer.drain() = 1\n",
    "php/Contracts/Queue/Line.php": "<?php\nnamespace Yard\\Contracts\\Queue;\n\ninterface Line {}\n",
    "php/Queue/Other/Line.php": "<?php\nnamespace Yard\\Queue;\n\nclass Line { function open() {} }\n",
    "api/user.proto": 'syntax = "proto3";\npackage yard.v1;\n\nmessage Sailor { string name = 1; }\n',
    "web/packages/yard-walk/package.json": '{\n  "name": "@yard/walk",\n  "main": "src/index.ts"\n}\n',
    "web/packages/yard-walk/src/index.ts": 'export { default as Path } from "./path";\nexport * from "./steps";\n',
    "web/packages/yard-walk/src/path.ts": "export default class Path {\n  up() { return 1; }\n}\n",
    "web/packages/yard-walk/src/steps.ts": "export function step() { return 1; }\n",
    "web/other/path.ts": "export class Path {}\nexport function step() { return 2; }\n",
    "web/tsconfig.json": '{ "compilerOptions": { "paths": { "@iso/*": ["./shared/iso/*"] } } }\n',
    "web/shared/iso/locate.ts": "export function locate() { return 1; }\n",
    "tf/main.tf": 'variable "zone" {\n  type = string\n}\n\nlocals {\n  wide = 1\n}\n\ndata "aws_region" "here" {\n  name = "x"\n}\n',
    "ex/live.ex": (
        "defmodule Yard.Live do\n  @keys [:a]\n  @type sum :: integer\n  def push(socket, to) do\n    {socket, to}\n  end\n"
        "  def sum(a), do: a\nend\n"
        "defimpl Yard.Open, for: Yard.Live do\n  def open(a), do: a\nend\n"
        "defimpl Yard.Open, for: [Atom, List] do\n  def open(a), do: a\nend\n"
    ),
    "lua/rig/init.lua": "local M = {}\nfunction M.open() end\nreturn M\n",
    "lua/rig/gaff.lua": "local hoister = {}\nhoister.up = function() end\nlocal down = { up = function() end }\nreturn wrapped(hoister, down)\n",
    "scala/Boom.scala": (
        "// of 2024\npackage yard\n\npackage rig\n\nimport yard.Open\n\n"
        "trait Boom {\n  def swing(a: Int): Int = a\n  def ++(b: Boom): Boom = b\n}\nobject Boom {\n  def of(a: Int): Boom = ???\n}\n"
    ),
    "scala/deck/package.scala": "package yard\n\npackage object deck {\n  type Id[A] = A\n}\n",
    "hs/Rope.hs": (
        "module Rope where\n\ndata Rope a = Wet Int | Dry { slack :: Int }\n\npattern Slack n <- Dry n where\n  Slack n = Dry n\n\n"
        'instance Show a => Show (Rope a) where\n  show _ = ""\n\ninstance Show Wire where\n  show _ = ""\n'
    ),
    "dart/lib/src/helm.dart": (
        "class Wheel<A, B> {\n  void turn() {}\n  void hold() {}\n}\nclass Helm<A, B> extends Wheel<A, B> {\n  Helm.of(this.a);\n"
        "  void turn() {\n    run(() {\n      fail();\n    });\n  }\n}\n"
    ),
    "m/Anchor.m": "@implementation Anchor\n- (int)drop:(int)a at:(int)b {\n  return a;\n}\n+ (Anchor *)heavy {\n  return nil;\n}\n@end\n",
    "zig/rigging.zig": "const Rigging = @This();\n\npub const Mast = struct {\n    pub fn step(self: *Mast) void {}\n};\npub fn trim(self: *Rigging) void {}\n",
    "cs/Sail/Sheet.cs": "namespace Yard.Rig;\n\npublic class Sheet<T> {\n  public async Task Trim(int x) { }\n}\n",
    "ps/Winch.ps1": "$script:Spare = 1\nfunction script:Pull-Winch { 1 }\n",
    "java/Jib.java": "package yard.rig;\n\nclass Jib {\n  void hoist() { }\n}\n",
    "cs/Vec.cs": "namespace Yard {\n  class Vec {\n    public static Vec operator +(Vec a, Vec b) { return a; }\n    void M(int x) { }\n  }\n}\n",
}

TILL = "till/open.go::Till.Run"
SHEET, TRIM = "cs/Sail/Sheet.cs::Sheet", "cs/Sail/Sheet.cs::Sheet.Trim"
WRITTEN = {
    "till.(*Till).Run": TILL,
    "till.(*Till).Run.func1": TILL,
    "example.com/yard/shop/till.(*Till).Run.func1": TILL,
    "example.com/yard/shop/till.Open(...)": "till/open.go::Open",
    "example.com/yard/shop/till/agent.Open": "till/agent/open.go::Open",
    "till/open.go:Till.Run": TILL,
    "$script:Spare": "ps/Winch.ps1::Spare",
    "script:Spare": "ps/Winch.ps1::Spare",
    "script:Pull-Winch": "ps/Winch.ps1::Pull-Winch",
    'File "/srv/lib/py/shop/cart.py", line 16, in add': "py/shop/cart.py::Cart.add",
    "cart.py:20 in add": "py/shop/cart.py::Other.add",
    "cart.py:20:in 'add'": "py/shop/cart.py::Other.add",
    "shop.cart:Cart": "py/shop/cart.py::Cart",
    "py/shop/cart.py:Cart.add": "py/shop/cart.py::Cart.add",
    "<Json<T> as Read<T>>::from": "rs/src/json.rs::Json.from~1",
    "<crate::json::Json<T> as crate::Write>::from": "rs/src/json.rs::Json.from~2",
    "yard.io.Buffer$Cursor": "jvm/Buffer.kt::Buffer.Cursor",
    "yard.io.Buffer.Cursor": "jvm/Buffer.kt::Buffer.Cursor",
    "Buffer$Companion": "jvm/Buffer.kt::Buffer",
    "at yard.io.Buffer.read(Buffer.kt:7)": "jvm/Buffer.kt::Buffer.read~2",
    "yard.io.ToolsKt.drain": "jvm/Tools.kt::Buffer.drain",
    "Yard\\Queue\\Line": "php/Queue/Other/Line.php::Line",
    "\\Yard\\Contracts\\Queue\\Line": "php/Contracts/Queue/Line.php::Line",
    "Line@open": "php/Queue/Other/Line.php::Line.open",
    "yard.v1.Sailor": "api/user.proto::Sailor",
    "v1.Sailor": "api/user.proto::Sailor",
    "@yard/walk.Path": "web/packages/yard-walk/src/path.ts::Path",
    "@yard/walk.Path.up": "web/packages/yard-walk/src/path.ts::Path.up",
    "@yard/walk/step": "web/packages/yard-walk/src/steps.ts::step",
    "@iso/locate.locate": "web/shared/iso/locate.ts::locate",
    "var.zone": "tf/main.tf::variable.zone",
    "local.wide": "tf/main.tf::locals.wide",
    "data.aws_region.here": "tf/main.tf::aws_region.here",
    "Yard.Live.push/2": "ex/live.ex::Yard.Live.push",
    "&push/2": "ex/live.ex::Yard.Live.push",
    "c:Yard.Live.push/2": "ex/live.ex::Yard.Live.push",
    "c:Yard.Live.push/2#options": "ex/live.ex::Yard.Live.push",
    "t:Yard.Live.sum/0": "ex/live.ex::Yard.Live.sum~1",
    "m:Yard.Live": "ex/live.ex::Yard.Live",
    "%Yard.Live{}": "ex/live.ex::Yard.Live",
    "Yard.Live.@keys": "ex/live.ex::Yard.Live.keys",
    "Elixir.Yard.Live": "ex/live.ex::Yard.Live",
    "'Elixir.Yard.Live':push/2": "ex/live.ex::Yard.Live.push",
    "(yard 0.1.0-dev) ex/live.ex:4: Yard.Live.push/2": "ex/live.ex::Yard.Live.push",
    "Yard.Open.Yard.Live.open/1": "ex/live.ex::Yard.Open.open~1",
    "Yard.Open.Atom.open": "ex/live.ex::Yard.Open.open~2",
    "Yard.Open.List": "ex/live.ex::Yard.Open~2",
    "Rigging.Mast.step": "zig/rigging.zig::Mast.step",
    "rig.open": "lua/rig/init.lua::M.open",
    'require("rig").open()': "lua/rig/init.lua::M.open",
    "rig.gaff.up": "lua/rig/gaff.lua::hoister.up",
    "require 'rig.gaff':up": "lua/rig/gaff.lua::hoister.up",
    "yard.rig.Boom.swing": "scala/Boom.scala::Boom.swing",
    "yard.rig.Boom$.of": "scala/Boom.scala::Boom.of",
    "yard.rig.Boom.++": "scala/Boom.scala::Boom.++",
    "yard.deck.Id": "scala/deck/package.scala::deck.Id",
    "instance Show Wire": "hs/Rope.hs::Show~2",
    "instance Show (Rope a)": "hs/Rope.hs::Show~1",
    "Rope.Dry": "hs/Rope.hs::Rope.Dry",
    "Wet": "hs/Rope.hs::Rope.Wet",
    "slack": "hs/Rope.hs::Rope.Dry.slack",
    "Slack": "hs/Rope.hs::Slack",
    "new Helm.of": "dart/lib/src/helm.dart::Helm.of",
    "Helm<int, Map<int, int>>.turn": "dart/lib/src/helm.dart::Helm.turn",
    "#1      Helm.turn.<anonymous closure> (package:dart/src/helm.dart:9:7)": "dart/lib/src/helm.dart::Helm.turn",
    "-[Anchor drop:at:]": "m/Anchor.m::Anchor.drop:at:",
    "+[Anchor(Kedge) heavy]": "m/Anchor.m::Anchor.heavy",
    "Anchor drop:at:": "m/Anchor.m::Anchor.drop:at:",
    "Rigging.trim": "zig/rigging.zig::trim",
    "Yard.Rig.Sheet": SHEET,
    "Yard.Rig.Sheet.Trim": TRIM,
    "Rig.Sheet`1": SHEET,
    "at Yard.Rig.Sheet`1.Trim(Int32 x)": TRIM,
    "at Yard.Rig.Sheet`1.Trim[T](Int32 x) in C:\\src\\Sail\\Sheet.cs:line 4": TRIM,
    "M:Yard.Rig.Sheet`1.Trim(System.Collections.Generic.List{`0})": TRIM,
    "Yard.Rig.Sheet`1.<Trim>d__12.MoveNext()": TRIM,
    "at Yard.Rig.Sheet`1.<>c__DisplayClass3_0.<Trim>b__0(Int32 x)": TRIM,
    "yard/rig/Jib.hoist()": "java/Jib.java::Jib.hoist",
    "at Path.up (http://localhost:3000/src/path.ts:2:4)": "web/packages/yard-walk/src/path.ts::Path.up",
    "at async Path.up (webpack-internal:///../../src/path.ts:2:4)": "web/packages/yard-walk/src/path.ts::Path.up",
    "at Yard.Vec.M(Int32 x) in /src/cs/Vec.cs:line 4": "cs/Vec.cs::Yard.Vec.M",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("written"), TREE)


def zoomer(folder: Path, *, only_once: bool) -> Zoomer:
    return Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)), only_once=only_once)


@pytest.mark.parametrize("only_once", [False, True])
@pytest.mark.parametrize(("written", "meant"), WRITTEN.items())
def test_a_name_is_read_as_tools_write_it(folder: Path, written: str, meant: str, *, only_once: bool) -> None:
    found = zoomer(folder, only_once=only_once).zoom(written, ".")
    assert [match.target for match in found.matches] == [f"symbol={meant}"]
    assert found.text.startswith("+++ ")


@pytest.mark.parametrize("only_once", [False, True])
def test_what_is_inherited_is_told_to_be(folder: Path, *, only_once: bool) -> None:
    for written in ("Cart.get", "shop.cart.Cart.get", "py/shop/cart.py::Cart.get"):
        found = zoomer(folder, only_once=only_once).zoom(written, ".")
        assert [match.target for match in found.matches] == ["symbol=py/shop/cart.py::Base.get"]
        assert found.text.partition("\n")[0].endswith("Cart.get is inherited: Base.get")
    found = zoomer(folder, only_once=only_once).zoom("Cart.put", ".")
    assert found.text.partition("\n")[0] == "=== Cart.put is inherited: Mixed.put (also Base.put)"
    assert [match.target for match in found.matches] == ["symbol=py/shop/cart.py::Mixed.put"]
    with pytest.raises(SymbolNotFoundError):
        zoomer(folder, only_once=only_once).zoom("Other.get", ".")


def test_what_is_beside_a_class_is_found_with_what_is_in_it_and_what_is_deprecated_comes_last(folder: Path) -> None:
    found = zoomer(folder, only_once=False).zoom("yard.io.Buffer.Companion.pour", ".")
    assert [match.text.split()[0] for match in found.matches] == ["fun", '@Deprecated("no")']


def test_a_place_that_does_not_fit_is_told(folder: Path) -> None:
    def first(target: str) -> str:
        return zoomer(folder, only_once=True).zoom(target, ".").text.partition("\n")[0]

    assert first("Till.Run (gone.go:3)") == "=== 'gone.go' defines nothing called so here; by its name alone:"
    assert first(r"in cs\Vec.cs:line 4").startswith("+++ cs/Vec.cs:4-4")
    assert first("Buffer.read(Buffer.kt:90)") == "=== line 90 of it is elsewhere now; by its name and its file:"


def test_a_qualifier_that_fits_in_part_is_told(folder: Path) -> None:
    text = zoomer(folder, only_once=True).zoom("Yard\\Contracts\\Line", ".").text
    assert text.startswith(
        "=== no 'Yard::Contracts::Line' here; this fits a part of what stands before its name:\n+++ php/Con"
    )
    with pytest.raises(SymbolNotFoundError, match=r"Nothing is called 'Yard\\Gone\\Line'\."):
        zoomer(folder, only_once=True).zoom("Yard\\Gone\\Line", ".")


def test_a_folder_in_other_letters_is_suggested(tmp_path: Path) -> None:
    desk = Desk(write_tree(tmp_path, {"src/Sub/a.py": "def one():\n    return 1\n"}))
    for wanted in ("SRC/SUB", "src/sub"):
        with pytest.raises(SymbolNotFoundError, match=r"Did you mean: src/Sub/\?"):
            desk.zoom(wanted)
