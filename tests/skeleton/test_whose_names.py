"""Whose a name is where a language has its own ways: modules, clauses, messages, lists, and what a name may hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

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
    lines = beside(desk_of(tmp_path, MODULES), target, "callers")[1:]
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
        ("a.hs::many", "callees", ["a.hs:3 plain: plain :: Int -> Int [same file]"]),
        ("plain", "callers", ["a.hs:7 in many: many 0 = plain 1 [same file]"]),
        ("a.hs::many", "callers", ["a.hs:11 in last': last' = many 2 [same file]"]),
        ("B.one~1", "callees", ["b.cc:6 B.two: int B::two() [same class]"]),
        ("B.two~1", "callers", ["b.cc:5 in B.one: int B::one() { return two(); } [same class]"]),
        ("inner", "callees", ["c.py:7 help: def help(): [same file]"]),
        ("D.many", "callees", ["d.ex:4 D.low: def low(n) [same file]"]),
        ("D.top", "callees", ["d.ex:2 D.many: def many(0) [same file]"]),
        ("D.many~2", "callers", ["d.ex:5 in D.top: def top(n), do: many(n) [same file]"]),
        ("D.many", "callers", ["d.ex:5 in D.top: def top(n), do: many(n) [same file]"]),
    ],
)
def test_a_definition_in_several_parts_is_asked_about_as_one(
    tmp_path: Path, target: str, context: str, expected: list[str]
) -> None:
    assert beside(desk_of(tmp_path, PARTS), target, context)[1:] == expected


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
    desk = desk_of(tmp_path, {path: NAMED[path]})
    assert [line.split()[1].removesuffix(":") for line in beside(desk, f"{path}::go", "callees")[1:]] == used
    for name in used:
        assert [re.findall(r"in (?:\w\.)?(go):", line) for line in beside(desk, f"{path}::{name}", "callers")[1:]] == [
            ["go"]
        ]
    for name in unused:
        assert beside(desk, f"{path}::{name}", "callers")[1:] == []


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
    lines = beside(desk_of(tmp_path, MESSAGES), target, context)[1:]
    assert [re.sub(r"Shop.m:(.*?): .*(\[.*\])", r"\1 \2", line) for line in lines] == expected


def test_a_statement_uses_nothing_that_a_stumbling_grammar_calls_by_its_word(tmp_path: Path) -> None:
    torn = "int far(int x) {\n  if (x) { return 1; }\n  }\n  else if (x > 2) { return 3; }\n  return 0;\n}\n"
    desk = desk_of(tmp_path, {"a.m": torn, "b.m": "int near(int x) {\n  if (x) { return far(x); }\n  return 0;\n}\n"})
    assert desk.zoom("a.m::if").matches  # the grammar stumbles
    assert [line.split()[1] for line in beside(desk, "near", "callees")[1:]] == ["far:"]


def test_a_comment_above_a_call_is_not_what_it_is_a_member_of(tmp_path: Path) -> None:
    texts = {
        "a.rb": "class A\n  def go\n    # When all is done.\n    wait\n  end\n\n  def wait = 1\nend\n",
        "b.go": "package b\n\nfunc go1() {\n\t// See the notes.\n\twait()\n}\n\nfunc wait() {}\n",
        "c.js": "const go = () =>\n  make()\n    .wait()\nfunction make() {}\nfunction wait() {}\n",
    }
    desk = desk_of(tmp_path, texts)
    assert beside(desk, "A.wait", "callers")[1:] == ["a.rb:4 in A.go: wait [same class]"]
    assert beside(desk, "b.go::wait", "callers")[1:] == ["b.go:5 in go1: wait() [same file]"]
    assert beside(desk, "c.js::wait", "callers")[1:] == []


OTHERS = {
    "shop/cart.py": "from shop.price import Price, total\n\n\ndef sum_up(total):\n    return total\n\n\n"
    "def add(items):\n    for show in items:\n        total = show\n    return total, Price.total(1)\n\n\ndef show(): ...\n",
    "shop/price.py": "def total(items): ...\n\n\nclass Price: ...\n",
    "a.ex": "defmodule A do\n  @type body :: term\n  @spec run(body) :: body\n  def run(x), do: body(x)\n  def body(x), do: x\nend\n",
    "src/lib.rs": "mod kinds;\nuse kinds::Kind;\nimpl std::str::FromStr for Mode {\n    type Err = u8;\n}\n"
    "pub fn run() -> Result<Kind, u8> {\n    if bad() { return Err(1) }\n    Ok(Kind::Format)\n}\nfn bad() -> bool { true }\n",
    "src/kinds.rs": "pub enum Kind { Format }\npub struct Format;\n",
    "web/client/client.ts": "import { join } from './utils'\nexport const go = (a: string) => join(a)\n",
    "web/client/utils.ts": "export const join = (a: string) => a\n",
    "web/utils/url.ts": "export const join = (a: string) => a\n",
    "tests/test_it.py": "def helper(): ...\n",
    "plain.py": "def plain(x):\n    return helper(x)\n",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("sum_up", "callees", []),
        ("add", "callees", ["Price"]),
        ("total", "callers", []),
        ("shop/cart.py::show", "callers", []),
        ("A.run", "callees", ["A.body"]),
        ("src/lib.rs::run", "callees", ["bad", "Kind"]),
        ("go", "callees", ["join"]),
        ("web/utils/url.ts::join", "callers", []),
        ("plain", "callees", []),
    ],
)
def test_what_cannot_be_meant_is_not_said_to_be(tmp_path: Path, target: str, context: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, OTHERS), target, context)[1:]
    assert [line.split()[1].removesuffix(":") for line in lines] == expected


LISP = {
    "src/shop/price.clj": '(ns shop.price)\n(defn total "The total." [items] 1)\n(defn tax [x] x)\n',
    "src/shop/cart.clj": '(ns shop.cart\n  "Holds\n  items."\n  (:require [shop.price :as price :refer [tax]]\n            [clojure.string :as str]))\n'
    "(defn join [x] x)\n(defn sum [items]\n  (price/total (tax items)))\n"
    "(defn say [total]\n  (let [tax (str/join total)] (prn tax (price/total 1))))\n",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("sum", "callees", ["total: [imported]", "tax: [imported]"]),
        ("say", "callees", ["total: [imported]"]),
        ("tax", "callers", ["sum: [imported]"]),
        ("total", "callers", ["sum: [imported]", "say: [imported]"]),
        ("cart.clj::join", "callers", []),
    ],
)
def test_lists_call_what_stands_first_in_them(tmp_path: Path, target: str, context: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, LISP), target, context)[1:]
    assert [re.sub(r"^\S+ (?:in )?(\S+) .*(\[.*\])$", r"\1 \2", line) for line in lines] == expected


REACH = {
    "a.kt": "class Shop\nclass Till(val shop: Shop, val all: List<Shop>) : Desk() {\n  fun go() { lock() }\n}\n",
    "b.kt": "class Shop { fun lock() {} }\nopen class Desk { fun lock() {} }\n",
    "c.cc": "class C {\n  int Kind();\n  int go();\n};\nint C::Kind() { return 1; }\nint C::go() { return Kind::one + near(2); }\n",
    "d.cc": "int far() {\n  Array near(1);\n  return 1;\n}\n",
    "e.pl": "sub go {\n  my $self = shift;\n  $self->wait->rest;\n  Store->wait;\n}\nsub wait { 1 }\nsub rest { 2 }\n\n"
    "1;\n\n=head1 NAME\n\n  wait(1);\n\n=cut\n",
    "f.py": "from shop import load as read, read as load\n\n\ndef use():\n    return load()\n",
    "shop.py": "def load(): ...\ndef read(): ...\n",
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("Till.go", "callees", ["Desk.lock:"]),
        ("C.go~2", "callees", []),
        ("e.pl::wait", "callers", ["go:"]),
        ("e.pl::go", "callees", ["wait:", "rest:"]),
        ("shop.py::load", "callers", []),
    ],
)
def test_what_reaches_no_further_is_not_taken_for_used(
    tmp_path: Path, target: str, context: str, expected: list[str]
) -> None:
    lines = beside(desk_of(tmp_path, REACH), target, context)[1:]
    assert [line.split()[2 if context == "callers" else 1] for line in lines] == expected


def test_no_language_is_said_to_use_what_another_defines_unless_the_two_mix(tmp_path: Path) -> None:
    texts = {
        "a.py": "def go(x):\n    return total(x)\n",
        "b.js": "function total(x) { return x }\n",
        "c.ts": "const go = (x: number) => total(x)\n",
        "d.proto": "message Total {}\n",
        "e.py": "def make(x):\n    return Total(x)\n",
    }
    desk = desk_of(tmp_path, texts)
    assert [line.split()[0] for line in beside(desk, "total", "callers")[1:]] == ["c.ts:1"]
    assert beside(desk, "a.py::go", "callees")[1:] == []
    assert [line.split()[1] for line in beside(desk, "make", "callees")[1:]] == ["Total:"]


def test_an_import_that_shares_one_folder_by_the_way_says_nothing(tmp_path: Path) -> None:
    texts = {
        "src/Text/Shop/Lua/Price.hs": "module Text.Shop.Lua.Price where\n\nempty :: Int\nempty = 1\n",
        "src/Text/Shop/Data.hs": "module Text.Shop.Data where\nimport Data.Text (empty)\n\ngo x = f empty\n",
    }
    assert beside(desk_of(tmp_path, texts), "Price.hs::empty", "callers")[1:] == []


def test_a_free_function_of_the_same_name_hides_no_use_of_a_method_on_what_a_call_gave(tmp_path: Path) -> None:
    texts = {
        "a.py": "class Query:\n    def filter(self, x): ...\n    def limit(self, x): ...\n",
        "b.py": "def go():\n    return make().filter(1).limit(2)\n",
        "c.py": "def limit(x):\n    return x\n",
    }
    assert beside(desk_of(tmp_path, texts), "Query.limit", "callers")[1:] == [
        "b.py:2 in go: return make().filter(1).limit(2) [by name]"
    ]


FOLDERS = {
    "store/remote/store.go": "package remote\n\ntype Store struct{}\n\nfunc (s *Store) Reader() {}\n\nfunc Open() {}\n",
    "store/interface.go": "package store\n\ntype Reader interface{}\n\nfunc Open() {}\n\nfunc Shut() {}\n",
    "cmd/main.go": 'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/shop/store"\n\tfar "example.com/shop/store/remote"\n)\n\n'
    "func main() {\n\tstore.Open()\n\tfar.Open()\n\tfar.Shut()\n}\n",
    "cmd/other/main.go": 'package main\n\nimport "example.com/shop/store/remote"\n\nfunc main() {\n\tremote.Open()\n'
    "\tremote.Shut()\n\tstore := two()\n\tstore.Open()\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("store.Open", ["cmd/main.go:11 in main: store.Open() [imported]"]),
        (
            "remote.Open",
            ["cmd/main.go:12 in main: far.Open() [imported]", "cmd/other/main.go:6 in main: remote.Open() [imported]"],
        ),
        ("store.Shut", []),
    ],
)
def test_an_import_of_a_folder_names_that_folder_alone(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert beside(desk_of(tmp_path, FOLDERS), target, "callers")[1:] == expected


def test_the_name_of_a_file_is_no_module_where_folders_are(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, FOLDERS)
    assert desk.one("store.Reader").target == "symbol=store/interface.go::Reader"
    assert desk.one("store.Open").target == "symbol=store/interface.go::Open"
    assert desk.one("remote.Store.Reader").target == "symbol=store/remote/store.go::Store.Reader"


RENAMED = {
    "lib/a.py": "def make():\n    return 1\n\n\ndef mk(): ...\n",
    "lib/b.py": "def make():\n    return 2\n",
    "b.py": "from lib.a import make as mk\nfrom lib.b import make as other\n\n\ndef go(taken):\n    taken.mk()\n    return mk()\n\n\n"
    "def stay(mk):\n    return mk()\n",
    "x.ts": "export const helper = (x: number) => x\nexport default function main2(s: number) { return s }\n",
    "far/x.ts": "export default function main3(s: number) { return s }\n",
    "far/deep/index.ts": "const make4 = (s: number) => s\nexport default make4\n",
    "y.ts": "import run, { helper as h } from './x'\nimport deep from './far/deep'\nfunction go3() { run(1); h(1) }\n"
    "function go4() { deep(1) }\n",
    "app.js": "function createApp() { return {} }\nmodule.exports = createApp\n",
    "boot.js": "const express = require('./app')\nfunction boot() { return express() }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("lib/a.py::make", ["b.py:7 in go: return mk() [imported]"]),
        ("lib/b.py::make", []),
        ("lib/a.py::mk", []),
        ("helper", ["y.ts:3 in go3: function go3() { run(1); h(1) } [imported]"]),
        ("main2", ["y.ts:3 in go3: function go3() { run(1); h(1) } [imported]"]),
        ("main3", []),
        (
            "make4",
            [
                "far/deep/index.ts:2: export default make4 [same file]",
                "y.ts:4 in go4: function go4() { deep(1) } [imported]",
            ],
        ),
        (
            "createApp",
            [
                "app.js:2: module.exports = createApp [same file]",
                "boot.js:2 in boot: function boot() { return express() } [imported]",
            ],
        ),
    ],
)
def test_callers_are_found_by_the_name_that_their_imports_give(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert beside(desk_of(tmp_path, RENAMED), target, "callers")[1:] == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("b.py::go", ["lib/a.py:1 make:"]),
        ("stay", []),
        ("go3", ["x.ts:2 main2:", "x.ts:1 helper:"]),
        ("go4", ["far/deep/index.ts:1 make4:"]),
        ("boot", ["app.js:1 createApp:"]),
    ],
)
def test_callees_are_what_imports_give_another_name(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, RENAMED), target, "callees")[1:]
    assert [" ".join(line.split()[:2]) for line in lines] == expected
    assert all(line.endswith("[imported]") for line in lines)


def test_an_import_leads_to_a_file_with_a_dash_in_its_name(tmp_path: Path) -> None:
    texts = {
        "src/read-file.ts": "export function readIt(x: number) { return x }\n",
        "src/use.ts": 'import { readIt } from "./read-file.ts"\nfunction use() { return readIt(1) }\n',
        "read/file.ts": "export function readIt(x: number) { return x }\n",
    }
    desk = desk_of(tmp_path, texts)
    assert beside(desk, "src/read-file.ts::readIt", "callers")[1:] == [
        "src/use.ts:2 in use: function use() { return readIt(1) } [imported]"
    ]
    assert beside(desk, "read/file.ts::readIt", "callers")[1:] == []


FIELDS = {
    "a.swift": "class Channel {\n  var pipeline: Int = 1\n  func go() { use(pipeline) }\n}\n"
    "func far(channel: Channel) { use(channel.pipeline) }\nfunc made() { use(make().pipeline) }\n",
    "b.kt": "class Buffer {\n  var size: Long = 0\n  fun empty() = size == 0L\n}\n",
    "c.kt": "import a.Buffer\ndata class Other(\n  val size: Long? = null,\n)\nclass Own {\n  val size = 1\n  fun go(b: Buffer) = b.size + this.size\n}\n",
    "d.py": "class Proxy:\n    current: int\n\n    def run(self, current):\n        return self.current\n\n\n"
    "def use(instance: Proxy):\n    current = 1\n    return instance.current(current)\n",
    "e/e.go": "package e\n\ntype Mem struct {\n\thook func(int) int\n}\n\nfunc (m *Mem) Run() int {\n\treturn m.hook(1)\n}\n",
    "f/one.go": "package f\n\nconst most = 3\n",
    "f/two.go": "package f\n\nfunc Two() int {\n\treturn most\n}\n",
    "g.ts": "enum Kind { One, Two }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Channel.pipeline",
            [
                "a.swift:3 in Channel.go [same class]",
                "a.swift:5 in far [channel is typed so]",
                "a.swift:6 in made [by name]",
            ],
        ),
        ("Buffer.size", ["b.kt:3 in Buffer.empty [same class]", "c.kt:7 in Own.go [b is typed so]"]),
        ("Own.size", ["c.kt:7 in Own.go [same class]"]),
        ("Proxy.current", ["d.py:5 in Proxy.run [same class]", "d.py:10 in use [instance is typed so]"]),
        ("Mem.hook", ["e/e.go:8 in Mem.Run [m is typed so]"]),
        ("most", ["f/two.go:4 in Two [same module]"]),
    ],
)
def test_fields_are_used_through_what_holds_them(tmp_path: Path, target: str, expected: list[str]) -> None:
    lines = beside(desk_of(tmp_path, FIELDS), target, "callers")[1:]
    assert [re.sub(r": .*(\[.*\])$", r" \1", line) for line in lines] == expected


def test_where_little_is_looked_for_it_is_not_said_that_there_is_nothing(tmp_path: Path) -> None:
    text = desk_of(tmp_path, FIELDS).zoom("Kind.Two", context="callers").text
    assert text.endswith("=== no callers of Kind.Two found: only what is sure to mean it was looked for\n")


TERRAFORM = {
    "main.tf": 'variable "size" {\n  type = number\n}\nlocals {\n  twice = 2 * var.size\n}\ndata "disk" "main" {\n  size = local.twice\n}\n'
    'resource "host" "main" {\n  disk = "${data.disk.main.id}-${var.size}"\n  note = "var.size"\n}\n'
    'module "part" {\n  source = "./part"\n}\noutput "all" {\n  value = [module.part.all, host.main.id]\n}\n',
    "part/main.tf": 'variable "size" {\n  type = number\n}\noutput "all" {\n  value = var.size\n}\n',
}


@pytest.mark.parametrize(
    ("target", "context", "expected"),
    [
        ("main.tf::variable.size", "callers", ["main.tf:5", "main.tf:11 in host.main"]),
        ("part/main.tf::variable.size", "callers", ["part/main.tf:5"]),
        ("locals.twice", "callers", ["main.tf:8 in disk.main"]),
        ("disk.main", "callers", ["main.tf:11 in host.main"]),
        ("host.main", "callers", ["main.tf:18"]),
        ("module.part", "callers", ["main.tf:18"]),
        ("part/main.tf::output.all", "callers", ["main.tf:18"]),
        ("main.tf::output.all", "callers", []),
        ("host.main", "callees", ["main.tf:7 disk.main", "main.tf:1 variable.size"]),
    ],
)
def test_what_has_an_address_is_used_by_it_in_its_folder(
    tmp_path: Path, target: str, context: str, expected: list[str]
) -> None:
    lines = beside(desk_of(tmp_path, TERRAFORM), target, context)[1:]
    assert [line.partition(": ")[0] for line in lines] == expected
