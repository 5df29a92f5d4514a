"""Types of what calls give and fields hold, link by link, as signatures say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from skeleton.uses.chains import chain_before, chain_from
from skeleton.uses.giving import ARROW
from skeleton.uses.results import EACH
from skeleton.uses.written import types_in
from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

CHAINS = {
    "Ref.java": (
        "class Ref<T> { T held; T get() { return held; } Ref<T> same() { return this; } }\n"
        "class Till { void ring() {} Till next() { return this; } static Till open() { return new Till(); } }\n"
        "class Bell { void ring() {} }\n"
        "class Desk {\n"
        "  Ref<Till> ref; java.util.Optional<Bell> bell;\n"
        "  java.util.List<Bell> bells;\n"
        "  void go() {\n"
        "    ref.get().ring();\n"
        "    ref.same().get().next().ring();\n"
        "    bell.get().ring();\n"
        "    var t = ref.get();\n"
        "    t.ring();\n"
        "    for (var b : bells) { b.ring(); }\n"
        "    Till.open().ring();\n"
        "    ref.held.ring();\n"
        "  }\n"
        "}\n"
    ),
    "a.ts": (
        "export class Till { ring(): void {} next(): Till { return this } }\n"
        "export class Bell { ring(): void {} }\n"
        "export async function openTill(n: number): Promise<Till> { return new Till() }\n"
        "export const openBell = (n: number): Bell => new Bell()\n"
        "export class Desk {\n"
        "  private tills: Map<string, Till> = new Map()\n"
        "  async go() {\n"
        "    const t = await openTill(1)\n"
        "    t.ring()\n"
        "    openBell(2).ring()\n"
        "    this.tills.get('a')!.ring()\n"
        "    for (const each of this.tills.values()) each.ring()\n"
        "    t.next().next().ring()\n"
        "  }\n"
        "}\n"
    ),
    "a.py": (
        "from __future__ import annotations\n"
        "class Till:\n"
        "    def ring(self) -> None: ...\n"
        '    def next(self) -> "Till": ...\n'
        "    @property\n"
        "    def bell(self) -> Bell | None: ...\n"
        "class Bell:\n"
        "    def ring(self) -> None: ...\n"
        "def open_till() -> Till: ...\n"
        "class Desk:\n"
        "    tills: dict[str, Till]\n"
        "    def go(self, t: Till):\n"
        "        open_till().ring()\n"
        "        t.bell.ring()\n"
        "        t.next().bell.ring()\n"
        "        x = open_till()\n"
        "        x.ring()\n"
        "        for one in self.all():\n"
        "            one.ring()\n"
        "    def all(self) -> list[Bell]: ...\n"
    ),
    "b.py": (
        "from a import Till, Bell, open_till\n"
        "class Shop:\n"
        "    def __init__(self, till: Till, other):\n"
        "        self.till = till\n"
        "        self.made = open_till()\n"
        "        self.other = other\n"
        "    def go(self, other: Bell):\n"
        "        self.till.next().ring()\n"
        "        self.made.next().ring()\n"
        "        self.other.next().ring()\n"
    ),
    "a.rs": (
        "use std::sync::{Arc, Mutex};\n"
        "pub struct Till { bell: Arc<Mutex<Bell>> }\n"
        "pub struct Bell {}\n"
        "impl Till { pub fn new() -> Result<Self, ()> { todo!() } pub fn ring(&self) {} pub fn bell(&self) -> &Bell { todo!() } pub fn two(self) -> Option<Till> { None } }\n"
        "impl Bell { pub fn ring(&self) {} }\n"
        "fn go(tills: &[Till]) -> Option<()> {\n"
        "    Till::new().unwrap().ring();\n"
        "    let t = Till::new()?;\n"
        "    t.bell().ring();\n"
        "    t.bell.lock().unwrap().ring();\n"
        "    t.two()?.ring();\n"
        "    for one in tills { one.ring(); }\n"
        "    if let Some(ref one_more) = t.two() { one_more.ring(); }\n"
        "    let Ok(last) = Till::new() else { return None };\n"
        "    last.part().ring();\n"
        "    None\n"
        "}\n"
        "pub struct Part<'a> { till: &'a Till }\n"
        "impl Till { fn part(&self) -> Part<'_> { Part { till: self } } }\n"
        "impl<'a> Part<'a> { pub fn ring(&self) {} }\n"
    ),
    "a.go": (
        "package p\n"
        "type Till struct{ bell *Bell }\n"
        "type Bell struct{}\n"
        "func NewTill() (*Till, error) { return nil, nil }\n"
        "func (t *Till) Ring() {}\n"
        "func (t *Till) Bell() *Bell { return nil }\n"
        "func (b *Bell) Ring() {}\n"
        "func use(tills []*Till) {\n"
        "\tt, err := NewTill()\n"
        "\tt.Ring()\n"
        "\tt.Bell().Ring()\n"
        "\tt.bell.Ring()\n"
        "}\n"
        "type Shop interface{\n\tOpen() *Till\n\tGiven() reflect.Value\n}\n"
        "func sell(s Shop) {\n"
        "\topened := s.Open()\n"
        "\topened.Ring()\n"
        "\tother := s.Given()\n"
        "\tother.Ring()\n"
        "}\n"
        "func both() (*Till, *Bell, error) { return nil, nil, nil }\n"
        "func all() {\n"
        "\tone, two, err := both()\n"
        "\tone.Ring()\n"
        "\ttwo.Ring()\n"
        "\terr.Other()\n"
        "}\n"
    ),
    "quoted.py": (
        "class Till:\n"
        "    def ring(self) -> None: ...\n"
        "class Bell:\n"
        "    def ring(self) -> None: ...\n"
        "    def next(self) -> None: ...\n"
        'def use(one: "Till", two: \'Bell | None\' = None, *, three: "words of it" = ""):\n'
        "    one.ring()\n"
        "    two.ring()\n"
        "\n"
        "def local(given):\n"
        '    one: "Till" = given\n'
        "    one.ring()\n"
        'def other(bells: "Bell", three: "Till or not"):\n'
        "    three.ring()\n"
        "    bells.ring()\n"
    ),
    "above.py": (
        "LIMIT = 3\n"
        "class Till:\n"
        "    def ring(self): ...\n"
        "    def clone(self) -> 'Till':\n"
        "        return Till()\n"
        "class Bell:\n"
        "    def ring(self): ...\n"
        "def use(one: Till):\n"
        "    def is_open():\n"
        "        return False\n"
        "    till = one.clone()\n"
        "    till.ring()\n"
        "    most = LIMIT\n"
        "    bell = one.clone()\n"
        "    bell.ring()\n"
    ),
    "held.go": (
        "package p\n"
        "type Till struct{ bells map[string]*Bell }\n"
        "type Bell struct{}\n"
        "func (t *Till) Ring() {}\n"
        "func (b *Bell) Ring() {}\n"
        "func open() (t *Till, err error) { return }\n"
        "func both() (one, two *Bell, err error) { return }\n"
        "func use(first, last *Till, n int, tills []*Till) {\n"
        "\tfirst.Ring()\n"
        "\tlast.Ring()\n"
        "\tt, err := open()\n"
        "\tt.Ring()\n"
        "\tone, two, err := both()\n"
        "\ttwo.Ring()\n"
        "\tfor _, each := range tills {\n"
        "\t\teach.Ring()\n"
        "\t\tfor name, held := range each.bells {\n"
        "\t\t\theld.Ring()\n"
        "\t\t}\n"
        "\t}\n"
        "}\n"
    ),
    "as.go": (
        "package p\n"
        "type Till struct{}\n"
        "type bell struct{}\n"
        "type Rope interface{ Pull(n int) }\n"
        "func (t *Till) Ring() {}\n"
        "func (b *bell) Ring() {}\n"
        "func use(ctx Context, pool Pool, v any) {\n"
        "\tt, _ := ctx.Value(key).(*Till)\n"
        "\tt.Ring()\n"
        "\tb := pool.Get().(*bell)\n"
        "\tb.Ring()\n"
        "\tif r, ok := v.(Rope); ok {\n"
        "\t\tr.Ring()\n"
        "\t\tok.Ring()\n"
        "\t}\n"
        "\tswitch each := v.(type) {\n"
        "\tdefault:\n"
        "\t\teach.Ring()\n"
        "\t}\n"
        "}\n"
    ),
    "a.php": (
        "<?php\n"
        "class Till { public function ring(): void {} public function bell(): ?Bell { } public function same(): static { return $this; } }\n"
        "class Bell { public function ring(): void {} }\n"
        "function open_till(): Till { }\n"
        "class Desk {\n"
        "  private Till $till;\n"
        "  function go() {\n"
        "    open_till()->ring();\n"
        "    $this->till->bell()->ring();\n"
        "    $t = open_till();\n"
        "    $t->same()->ring();\n"
        "    $b = $this->till->bell();\n"
        "    $b->ring();\n"
        "  }\n"
        "}\n"
    ),
    "a.kt": (
        "class Till {\n"
        "  fun ring() {}\n"
        "  fun bell(): Bell = Bell()\n"
        "  companion object {\n"
        "    fun open(): Till = Till()\n"
        "  }\n"
        "}\n"
        "class Bell { fun ring() {} }\n"
        "fun openTill(): Till? = null\n"
        "class Desk(private val till: Till) {\n"
        "  fun go() {\n"
        "    openTill()?.ring()\n"
        "    till.bell().ring()\n"
        "    val b = till.bell()\n"
        "    b.ring()\n"
        "    Till.open().ring()\n"
        "  }\n"
        "}\n"
    ),
    "a.cc": (
        "#include <memory>\n"
        "class bell { public: void ring() {} };\n"
        "class till { public: void ring() {} std::shared_ptr<bell> get_bell() { return b_; } static till &instance(); \n"
        " std::shared_ptr<bell> b_; };\n"
        "void go() {\n"
        "  till::instance().ring();\n"
        "  till::instance().get_bell()->ring();\n"
        "  auto b = till::instance().get_bell();\n"
        "  b->ring();\n"
        "}\n"
        "namespace shop { namespace inner { class door { public: void ring() {} static door &instance(); }; } }\n"
        "void other() {\n"
        "  shop::inner::door::instance().ring();\n"
        "  inner::door::instance().ring();\n"
        "  auto d = std::make_shared<shop::inner::door>();\n"
        "  auto c = std::make_unique<bell>(1);\n"
        "  d->ring();\n"
        "  c->ring();\n"
        "}\n"
    ),
    "a.swift": (
        "protocol Driver { func create(_ n: Int) -> Int }\n"
        "final class Other { func create(_ n: Int) -> Int { 1 } }\n"
        "final class Middle {\n"
        "    let session: any Driver\n"
        "    var maybe: (any Driver)?\n"
        "    init(_ d: any Driver) { self.session = d }\n"
        "    func a() -> Int { self.session.create(1) }\n"
        "    func b(_ x: some Driver) -> Int { x.create(2) }\n"
        "    func c(_ y: inout Other) -> Int { y.create(3) }\n"
        "    func d() -> Int { maybe?.create(4) ?? 0 }\n"
        "    func e(_ list: [any Driver]) { for one in list { one.create(5) } }\n"
        "    func f() -> any Driver { session }\n"
        "    func g() { f().create(6) }\n"
        "}\n"
    ),
    "a.cs": (
        "class Till { public void Ring() {} public Bell Bell { get; } public static Task<Till> Open() { return null; } }\n"
        "class Bell { public void Ring() {} }\n"
        "class Desk {\n"
        "  async Task Go() {\n"
        "    var t = await Till.Open();\n"
        "    t.Ring();\n"
        "    t.Bell.Ring();\n"
        "  }\n"
        "}\n"
    ),
}


def lines_of(found: list[str]) -> list[str]:
    """The numbers of lines, and how the first is known, of each caller."""
    numbers = (re.findall(r"^\S+?:(\d+)|\(also ([\d, ]+)\)", line) for line in found)
    marks = (line[line.rindex("[") :] for line in found)
    return [
        f"{', '.join(first or more for first, more in each)} {mark}" for each, mark in zip(numbers, marks, strict=True)
    ]


@pytest.mark.parametrize(
    ("names", "target", "expected"),
    [
        (["Ref.java"], "Till.ring", ["8, 9, 12, 14, 15 [get() is typed so]"]),
        (["Ref.java"], "Bell.ring", ["10, 13 [get() is typed so]"]),
        (["a.ts"], "Till.ring", ["9, 11, 12, 13 [t is typed so]"]),
        (["a.ts"], "Bell.ring", ["10 [openBell() is typed so]"]),
        (["a.py"], "Till.ring", ["13, 17 [open_till() is typed so]"]),
        (["a.py"], "Bell.ring", ["14, 15, 19 [bell is typed so]"]),
        (
            ["a.py", "b.py"],
            "a.py::Till.ring",
            ["13, 17 [open_till() is typed so]", "8, 9 [next() is typed so]", "10 [by name, 1 of 2]"],
        ),
        (["quoted.py"], "Till.ring", ["7 [one is typed so]", "12 [one is typed so]", "14 [by name, 1 of 2]"]),
        (["above.py"], "Till.ring", ["12, 15 [till is typed so]"]),
        (["a.rs"], "Till.ring", ["7, 11, 12, 13 [unwrap() is typed so]"]),
        (["a.rs"], "Part.ring", ["15 [part() is typed so]"]),
        (["a.rs"], "Bell.ring", ["9, 10 [bell() is typed so]"]),
        (["a.go"], "Till.Ring", ["10 [t is typed so]", "20 [opened is typed so]", "27 [one is typed so]"]),
        (["a.go"], "Bell.Ring", ["11, 12 [class named]", "28 [two is typed so]"]),
        (["held.go"], "Till.Ring", ["9, 10, 12, 16 [first is typed so]"]),
        (["held.go"], "Bell.Ring", ["14, 18 [two is typed so]"]),
        (["as.go"], "Till.Ring", ["9 [t is typed so]", "13, 14, 18 [by name, 1 of 2]"]),
        (["as.go"], "bell.Ring", ["11 [b is typed so]", "13, 14, 18 [by name, 1 of 2]"]),
        (["a.php"], "Till.ring", ["8, 11 [open_till() is typed so]"]),
        (["a.php"], "Bell.ring", ["9, 13 [bell() is typed so]"]),
        (["a.kt"], "Till.ring", ["12, 16 [openTill() is typed so]"]),
        (["a.kt"], "Bell.ring", ["13, 15 [bell() is typed so]"]),
        (["a.cc"], "till.ring", ["6 [instance() is typed so]"]),
        (["a.cc"], "bell.ring", ["7, 9 [get_bell() is typed so]", "18 [c is typed so]"]),
        (["a.cc"], "shop.inner.door.ring", ["13, 14, 17 [instance() is typed so]"]),
        (
            ["a.swift"],
            "Driver.create",
            [
                f"{line} [{by} is typed so]"
                for line, by in zip((7, 8, 10, 11, 13), ("session", "x", "maybe", "one", "f()"), strict=True)
            ],
        ),
        (["a.swift"], "Other.create", ["9 [y is typed so]"]),
        (["a.cs"], "Till.Ring", ["6 [t is typed so]"]),
    ],
)
def test_what_calls_give_says_whose_a_member_is(
    tmp_path: Path, names: list[str], target: str, expected: list[str]
) -> None:
    desk = desk_of(tmp_path, {name: CHAINS[name] for name in names})
    assert lines_of(beside(desk, target, "callers")[1:]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ref<Till> ref", [("Ref", ("Till",))]),
        ("?\\Shop\\Till", [("Till", ())]),
        ("Optional[Till] = None", [("Till", ())]),
        ("'Till'", [("Till", ())]),
        ("&'a Till", [("Till", ())]),
        ("Till | None", [("Till", ())]),
        ("const std::shared_ptr<shop::till> &", [("shared_ptr", ("till",))]),
        ("&'a mut [Till]", [("[]", ("Till",))]),
        ("[]*Till", [("[]", ("Till",))]),
        ("map[string]*Till", [("map", ("string", "Till"))]),
        ("map[string][]Till, n int", [("map", ("string", "[]"))]),
        ("Till[] tills", [("[]", ("Till",))]),
        ("(*Till, error)", [("()", ("Till", "error"))]),
        ("static", [("static", ())]),
        ("= 1", []),
    ],
)
def test_types_are_read_as_they_are_written(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(one.name, tuple(each.name for each in one.inside)) for one in types_in(text)] == expected


def test_a_chain_is_read_backwards_over_brackets_strings_andlines_of() -> None:
    source = b'x = Shop.open(")", f(1))\n    .till<Big>(2)?.ring()'
    links = chain_before(source, source.index(b"ring"), lambda at: 14 <= at < 17)
    assert [(one.name, one.called, one.is_opened) for one in links] == [
        ("Shop", False, False),
        ("open", True, False),
        ("till", True, True),
    ]
    assert chain_from(b"a.b() + 1;", 0, lambda _: False) == []


MADE = {
    "a.php": "<?php\nclass Till {\n  public function __construct(int $n) {}\n}\nfunction open_it() { return new Till(1); }\n",
    "a.swift": "class Till {\n  init(n: Int) { }\n}\nfunc openIt() -> Till { return Till(n: 1) }\n",
    "a.py": "class Till:\n    def __init__(self, n):\n        pass\n\ndef open_it(kind=Till):\n    return Till(1)\n",
    "a.rb": "class Till\n  def initialize(n)\n  end\nend\ndef open_it\n  Till.new(1)\nend\n",
    "a.ts": "class Till {\n  constructor(n: number) {}\n}\nfunction openIt(old: Till) {\n  return new Till(1)\n}\n",
    "a.cc": "class Till { public: Till(int n) : n_(n) {} int n_; };\nTill* make() { return new Till(1); }\n",
}


@pytest.mark.parametrize(
    ("name", "member", "line"),
    [
        ("a.php", "__construct", 5),
        ("a.swift", "init", 4),
        ("a.py", "__init__", 6),
        ("a.rb", "initialize", 6),
        ("a.ts", "constructor", 5),
        ("a.cc", "Till", 2),
    ],
)
def test_callers_of_a_constructor_are_where_values_are_made(tmp_path: Path, name: str, member: str, line: int) -> None:
    found = beside(desk_of(tmp_path, {name: MADE[name]}), f"Till.{member}", "callers")[1:]
    assert lines_of(found) == [f"{line} [same file]"]


def test_what_stands_before_a_name_and_comes_from_elsewhere_has_no_member_of_a_class_here(tmp_path: Path) -> None:
    tree = {
        "Till.java": "import java.io.Serializable;\nimport java.util.List;\npublic class Till implements Serializable {\n"
        "  static Till valueOf(String s) { return null; }\n  int size() { return 1; }\n}\n"
        "class Desk {\n  void go(List<Till> tills) {\n    tills.size();\n    Integer.valueOf(1);\n    tills.get(0).size();\n  }\n}\n"
    }
    desk = desk_of(tmp_path, tree)
    assert lines_of(beside(desk, "Till.size", "callers")[1:]) == ["11 [get() is typed so]"]
    assert beside(desk, "Till.valueOf", "callers") == ["no callers of Till.valueOf found"]


def test_a_module_that_lists_what_it_gives_out_keeps_the_rest(tmp_path: Path) -> None:
    tree = {
        "a.ts": "type Fault = string;\nexport const one: Fault = ''\n",
        "b.ts": "export function two() {\n  return new Fault()\n}\n",
        "c.ts": "type Sort = Kind | Other;\ninterface Kind {}\n",
    }
    desk = desk_of(tmp_path, tree)
    assert beside(desk, "two", "callees") == ["no callees of two found"]
    assert beside(desk, "Sort", "callees")[1:] == ["c.ts:2 Kind: interface Kind [same file]"]


@pytest.mark.parametrize("text", ["for{}y x", "foreach ({}y x", "def x({}y"])
def test_blanks_take_no_longer_than_other_text(text: str) -> None:
    source = text.format(" " * 30_000)
    assert not [*re.finditer(EACH.replace("NAME", "x"), source)]  # the square or the cube of so many would not end
    assert ARROW.match(source[-9_000:]) is None
