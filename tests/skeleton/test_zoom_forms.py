"""The names that people and models write when they mean a definition, a file or a module."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from allocator import ContextEngine
from skeleton.zoom.answers import MOST_WHOLE
from skeleton.zoom.zoomer import Zoomer, zoom
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import (
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.paths import as_word
from workspace.roots import Roots

FILES = {
    "src/shop/__init__.py": "from shop.cart import Cart\n",
    "src/shop/cart.py": "class Cart:\n    def add(self, item):\n        return item\n\n\ndef checkout(cart):\n    return cart\n",
    "src/shop/tax.py": "def rate(country):\n    return 7\n\n\ndef _hidden():\n    return 1\n",
    "net/src/sync/queue/mod.rs": "pub mod bounded;\n",
    "net/src/sync/queue/bounded.rs": "pub fn channel() -> u8 {\n    1\n}\n",
    "net/src/sync/lock.rs": "pub struct Lock {\n    held: bool,\n}\n",
    "net/src/fake/lock.rs": "pub(crate) struct Lock(bool);\n",
    "tests/test_cart.py": "def rate():\n    return 0\n",
    "tests/shop.py": "cart = 1\n",
    "README.md": "# Shop\n\nSells things.\n",
    **{f"plugins/p{number}.py": f"def poll():\n    return {number}\n" for number in range(MOST_WHOLE + 2)},
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def shown(shop: Path, target: str | list[str]) -> list[tuple[str, str]]:
    found = zoom(target, str(shop), roots=Roots([shop]))
    return [(match.path, match.title) for match in found.matches]


CART = ("src/shop/cart.py", "class Cart")
ADD = ("src/shop/cart.py", "method Cart.add")


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("src/shop/cart.py", [("src/shop/cart.py", "")]),
        ("./src/shop/cart.py", [("src/shop/cart.py", "")]),
        ("cart.py", [("src/shop/cart.py", "")]),
        ("README.md", [("README.md", "")]),
        ("shop.cart", [("src/shop/cart.py", "")]),
        ("shop.cart.Cart", [CART]),
        ("shop.cart.Cart.add", [ADD]),
        ("src.shop.cart.Cart.add", [ADD]),
        ("shop.cart.checkout", [("src/shop/cart.py", "function checkout")]),
        ("net::sync::queue::channel", [("net/src/sync/queue/bounded.rs", "function channel")]),
        ("crate::sync::queue::bounded::channel", [("net/src/sync/queue/bounded.rs", "function channel")]),
        ("add()", [ADD]),
        ("Cart.add(item)", [ADD]),
        ("def add", [ADD]),
        ("def add(self, item):", [ADD]),
        ("async def add", [ADD]),
        ("class Cart", [CART]),
        ("class Cart:", [CART]),
        ("pub fn channel", [("net/src/sync/queue/bounded.rs", "function channel")]),
        ("`Cart.add`", [ADD]),
        ("self.add", [ADD]),
        ("Cart#add", [ADD]),
        ("Cart::add", [ADD]),
        ("src/shop/cart.py::Cart.add", [ADD]),
        ("cart.py::Cart.add", [ADD]),
        ("Cart, checkout()", [CART, ("src/shop/cart.py", "function checkout")]),
        ("Cart.add\ncheckout", [ADD, ("src/shop/cart.py", "function checkout")]),
        (["Cart.add", "README.md"], [ADD, ("README.md", "")]),
        (
            ["Cart.add", "src/shop/{cart tax}.py"],
            [ADD, ("src/shop/cart.py", ""), ("src/shop/tax.py", "")],
        ),
        (
            "Cart.add, src/shop/{cart, tax}.py",
            [ADD, ("src/shop/cart.py", ""), ("src/shop/tax.py", "")],
        ),
        ("src/shop/{cart tax}.py", [("src/shop/cart.py", ""), ("src/shop/tax.py", "")]),
        ("file=src/shop/{tax, cart}.py", [("src/shop/tax.py", ""), ("src/shop/cart.py", "")]),
        (
            "{cart tax}.py::{rate checkout}",
            [("src/shop/cart.py", "function checkout"), ("src/shop/tax.py", "function rate")],
        ),
    ],
)
def test_names_are_read_as_people_and_models_write_them(
    shop: Path, target: str | list[str], meant: list[tuple[str, str]]
) -> None:
    assert shown(shop, target) == meant


def test_an_absolute_path_inside_the_root_is_a_file(shop: Path) -> None:
    assert shown(shop, str(shop / "src/shop/tax.py")) == [("src/shop/tax.py", "")]
    assert shown(shop, f"file://{shop}/src/shop/tax.py") == [("src/shop/tax.py", "")]
    assert "src/shop/cart.py:6-7" in zoom(f"file://{shop}/src/shop/cart.py#L6-L7", str(shop), roots=Roots([shop])).text


def test_the_address_of_a_file_is_its_path(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "my shop", {"a b.py": "one\ntwo\n"})
    for written in ("/a%20b.py#L2", "/a%20b.py:2-2"):
        address = f"file://{str(root).replace(' ', '%20')}{written}"
        assert zoom(address, ".", roots=Roots([root])).text.splitlines()[1:] == ["two"]


def test_lines_of_a_file_that_is_gone_are_no_name(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"a.py": "one\n"})
    with pytest.raises(SymbolNotFoundError, match=r"No file is called 'src/gone.py'"):
        zoom("src/gone.py:1-3", ".", roots=Roots([root]))


@pytest.mark.parametrize("target", ["cart.py:6-7", "src/shop/cart.py:6-7", "file=src/shop/cart.py:6-7"])
def test_lines_of_a_file_need_no_word_and_no_whole_path(shop: Path, target: str) -> None:
    found = zoom(target, str(shop), roots=Roots([shop]))
    assert found.text.split("\n", 1)[1] == "def checkout(cart):\n    return cart\n"


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("cart.py:6:5", 6, 6),
        ("cart.py:6:", 6, 6),
        ("cart.py:L6-L7", 6, 7),
        ("cart.py#L6", 6, 6),
        ("cart.py#L6-L7", 6, 7),
        ("cart.py#L6C5-L7C9", 6, 7),
        ("cart.py(6,5)", 6, 6),
        ("cart.py(6)", 6, 6),
        ("cart.py:2-", 2, 7),
    ],
)
def test_a_place_is_read_as_tools_write_it(shop: Path, written: str, first: int, last: int) -> None:
    for target in (written, f"src/shop/{written}", f"file=src/shop/{written}"):
        (match,) = zoom(target, str(shop), roots=Roots([shop])).matches
        assert (match.path, match.first_line, match.last_line) == ("src/shop/cart.py", first, last)


def test_a_header_is_a_target(shop: Path) -> None:
    for target in ("checkout", "src/shop/cart.py", "src/shop/cart.py:2-5"):
        found = zoom(target, str(shop), roots=Roots([shop]))
        header = found.text.partition("\n")[0]
        for sent_back in (header, header.removeprefix("+++ ")):
            if sent_back.startswith("+++ ") or " function " in sent_back:
                again = zoom(sent_back, str(shop), roots=Roots([shop]))
                assert again.matches[0].text.rstrip() == found.matches[0].text.rstrip()
    for marks in ("", " [SKELETON:L1] [SHOWN:1/2] [FULL:Cart, checkout]", " [CHANGED]"):
        assert shown(shop, f"+++ src/shop/cart.py{marks}") == [("src/shop/cart.py", "")]
    with pytest.raises(SymbolNotFoundError):
        zoom("+++ src/shop/gone.py [NEW]", str(shop), roots=Roots([shop]))


def test_what_is_of_another_kind_is_told_and_proposed(shop: Path) -> None:
    with pytest.raises(SymbolNotFoundError) as caught:
        zoom("function=Cart", str(shop), roots=Roots([shop]))
    assert str(caught.value).startswith("No function is called 'Cart', only a class. Did you mean: ")
    assert caught.value.suggestions == ("symbol=src/shop/cart.py::Cart",)
    with pytest.raises(SymbolNotFoundError, match=r"only a method") as caught:
        zoom("class=add", str(shop), roots=Roots([shop]))
    assert shown(shop, caught.value.suggestions[0]) == [("src/shop/cart.py", "method Cart.add")]
    with pytest.raises(SymbolNotFoundError) as caught:
        zoom("class=chekout", str(shop), roots=Roots([shop]))
    assert caught.value.suggestions == ("symbol=src/shop/cart.py::checkout",)


@pytest.mark.parametrize("budget", [None, 300])
def test_where_nobody_looks_for_neighbours_or_finds_any_that_is_said(shop: Path, budget: int | None) -> None:
    engine = ContextEngine(Roots([shop]))

    def last(target: str, beside: str) -> str:
        found = Zoomer(engine.index).zoom(
            target, ".", token_budget=budget, context=beside, folder_map=engine.folder_map
        )
        assert budget is None or found.tokens <= budget
        return found.text.splitlines()[-1]

    for target in ("src/shop/cart.py", "src/shop/cart.py:1-2", "module=shop.cart", "src/shop/"):
        assert last(target, "tests") == "=== tests not looked for: that takes one definition"
    assert last("Cart.add", "callers") == "=== no callers of Cart.add found"


@pytest.mark.parametrize("target", ["src/bare/", "src/bare", "./src/bare/"])
def test_a_folder_that_holds_no_file_is_told_as_it_is_spelled(shop: Path, target: str) -> None:
    (shop / "src/bare").mkdir(exist_ok=True)
    engine = ContextEngine(Roots([shop]))
    with pytest.raises(PathNotFoundError, match=rf"^'{target.rstrip('/')}/' is no folder with files here"):
        Zoomer(engine.index).zoom(target, ".", folder_map=engine.folder_map)


def test_what_is_public_comes_before_what_is_not_and_before_tests(shop: Path) -> None:
    assert [path for path, _ in shown(shop, "Lock")] == ["net/src/sync/lock.rs", "net/src/fake/lock.rs"]
    assert [path for path, _ in shown(shop, "rate")] == ["src/shop/tax.py", "tests/test_cart.py"]


def test_many_definitions_of_a_name_are_listed_by_lines_that_work_when_sent_back(shop: Path) -> None:
    found = zoom("poll", str(shop), roots=Roots([shop]))
    first, *targets = found.text.splitlines()
    assert first.startswith(f"{MOST_WHOLE + 2} definitions")
    for line in targets:
        assert len(zoom(line.split(" ")[0], str(shop), roots=Roots([shop])).matches) == 1


def test_one_of_several_that_names_nothing_costs_the_others_nothing(shop: Path) -> None:
    text = zoom("Cart, Missing, checkout", str(shop), roots=Roots([shop])).text
    assert "class Cart:" in text
    assert "def checkout" in text
    assert "=== Missing: Nothing is called 'Missing'" in text


def test_several_that_all_name_nothing_are_an_error(shop: Path) -> None:
    for targets in ("Missing, chekout", ["Missing", "chekout"]):
        with pytest.raises(SymbolNotFoundError) as caught:
            zoom(targets, str(shop), roots=Roots([shop]))
        first, second = str(caught.value).splitlines()
        assert first.startswith("=== Missing: Nothing is called 'Missing'")
        assert second == "=== chekout: Nothing is called 'chekout'. Did you mean: symbol=src/shop/cart.py::checkout?"
        assert caught.value.suggestions == ("symbol=src/shop/cart.py::checkout",)
    with pytest.raises(InvalidArgumentError, match=r"=== src/shop/cart\.py:90.*\n=== src/shop/tax\.py:90"):
        zoom(["src/shop/cart.py:90", "src/shop/tax.py:90"], str(shop), roots=Roots([shop]))


def test_more_targets_than_a_list_may_hold_are_refused_however_they_are_given(shop: Path) -> None:
    names = [f"name{number}" for number in range(51)]
    braces = "src/{" + " ".join(names[:26]) + "}.py"
    for targets in (", ".join(names), names, [braces, braces.replace("src", "lib")]):
        with pytest.raises(InvalidArgumentError, match="at most 50"):
            zoom(targets, str(shop), roots=Roots([shop]))


def test_what_is_named_twice_is_answered_once(shop: Path) -> None:
    for targets in ("checkout, checkout", ["checkout", "checkout"], ["src/shop/{cart tax}.py", "src/shop/cart.py"]):
        assert zoom(targets, str(shop), roots=Roots([shop])).text.count("+++ src/shop/cart.py") == 1


def test_one_of_several_outside_the_roots_costs_the_others_nothing(shop: Path) -> None:
    text = zoom(["checkout", "../elsewhere.py"], str(shop), roots=Roots([shop])).text
    assert "def checkout" in text
    assert "\n=== ../elsewhere.py: '../elsewhere.py' lies outside the allowed roots" in text
    with pytest.raises(OutsideRootsError):
        zoom(["../elsewhere.py"], str(shop), roots=Roots([shop]))


def test_braces_name_no_more_than_a_list_may_and_a_file_that_is_called_so_itself(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/{a b}.py": "both = 1\n", "src/a.py": "a = 1\n", "src/b.py": "b = 1\n"})
    assert shown(tmp_path, "src/{a b}.py") == [("src/{a b}.py", "")]
    assert shown(tmp_path, ["src/{a b}.py", "src/a.py"]) == [("src/{a b}.py", ""), ("src/a.py", "")]
    assert shown(tmp_path, "src/{b a}.py") == [("src/b.py", ""), ("src/a.py", "")]
    with pytest.raises(InvalidArgumentError, match="64 targets at once"):
        zoom("src/{a b}{a b}{a b}{a b}{a b}{a b}.py", str(tmp_path), roots=Roots([tmp_path]))
    with pytest.raises(SymbolNotFoundError):
        zoom("src/{c d}.py", str(tmp_path), roots=Roots([tmp_path]))


def test_a_file_with_a_comma_in_its_name_is_no_list(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/a, b.py": "both = 1\n", "b.py": "b = 1\n"})
    assert shown(tmp_path, "src/a, b.py") == [("src/a, b.py", "")]


def test_several_answers_hold_the_budget_together(shop: Path) -> None:
    for budget in (60, 90, 150, 400):
        found = zoom(
            "src/shop/cart.py, src/shop/tax.py, README.md", str(shop), roots=Roots([shop]), token_budget=budget
        )
        assert found.tokens <= budget


OF_OTHERS = {
    "strings.kt": "fun String.shout() = 1\nprivate fun String.hush() = 2\nval String.twice get() = 3\nfun List<(Int) -> Int>.all() = 4\n",
    "re2/prog.h": "class Prog {\n public:\n  Prog();\n  bool IsOnePass();\n};\n",
    "re2/onepass.cc": "bool Prog::IsOnePass() {\n  return true;\n}\nint Prog::fanout() {\n  return 1;\n}\nint other() {\n  return 2;\n}\n",
    "list.go": "package a\n\nfunc (m *Matrix[T]) Get() int { return 1 }\n",
    "Headers.swift": "extension Collection<String> {\n    func joined() -> Int { 1 }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("strings.kt::String", ["String.shout", "String.hush", "String.twice"]),
        ("class=strings.kt::String", ["String.shout", "String.hush", "String.twice"]),
        ("strings.kt::List", ["List.all"]),
        ("onepass.cc::Prog", ["Prog.IsOnePass", "Prog.fanout"]),
        ("re2/prog.h::Prog", ["Prog"]),
        ("class=Prog", ["Prog"]),
        ("list.go::Matrix", ["Matrix.Get"]),
        ("Headers.swift::Collection<String>.joined", ["Collection.joined"]),
        ("Collection<String>.joined", ["Collection.joined"]),
        ("List<(Int) -> Int>.all", ["List.all"]),
    ],
)
def test_what_a_file_does_not_define_itself_stands_for_the_members_that_it_gives_it(
    tmp_path: Path, target: str, meant: list[str]
) -> None:
    found = Desk(write_tree(tmp_path, OF_OTHERS)).zoom(target).matches
    assert [match.title.partition(" ")[2] for match in found] == meant


@pytest.mark.parametrize("target", ["function=strings.kt::String", "onepass.cc::Set", "strings.kt::String~2", "String"])
def test_members_are_meant_by_what_they_stand_in_behind_their_file_alone(tmp_path: Path, target: str) -> None:
    with pytest.raises(SymbolNotFoundError):
        Desk(write_tree(tmp_path, OF_OTHERS)).zoom(target)


@pytest.mark.parametrize("name", ["sub folder/na me.py", "class notes.py", "def x.py", "static type.py"])
def test_a_file_whose_name_begins_with_a_word_that_declares_is_a_file(tmp_path: Path, name: str) -> None:
    desk = Desk(write_tree(tmp_path, {name: "def blank():\n    pass\n", "b.py": "class notes: ...\ndef x(): ...\n"}))
    assert desk.one(name).text == "def blank():\n    pass\n"
    assert desk.one(f"{name}:1").text == "def blank():\n"
    assert desk.one(f"{name}::blank").title == "function blank"
    assert desk.one(as_word(name)).path == name
    assert desk.one("class notes").title == "class notes"
    assert desk.one("def x").title == "function x"


def test_a_link_to_a_file_is_a_path_of_its_definitions(tmp_path: Path) -> None:
    desk = Desk(write_tree(tmp_path, {"src/real.py": "class Real:\n    def run(self): ...\n"}))
    (tmp_path / "linked.py").symlink_to("src/real.py")
    assert desk.one("linked.py::Real.run").path == "src/real.py"
    with pytest.raises(SymbolNotFoundError, match="Real"):
        desk.zoom("linked.py::Rael")


def test_a_path_with_a_slip_is_answered_with_the_nearest(shop: Path) -> None:
    for slip in ("src/shop/cart.pyy", "cart.pi", "src/shp/cart.py:3-9"):
        with pytest.raises(SymbolNotFoundError) as caught:
            zoom(slip, str(shop), roots=Roots([shop]))
        assert caught.value.suggestions[0] == "file=src/shop/cart.py"
        assert shown(shop, caught.value.suggestions[0]) == [("src/shop/cart.py", "")]


def test_a_miss_behind_a_file_proposes_what_is_there_or_called_exactly_so(shop: Path) -> None:
    for target, meant in (
        ("src/shop/cart.py::chekout", "symbol=src/shop/cart.py::checkout"),
        ("tax.py::checkout", "symbol=src/shop/cart.py::checkout"),
        ("tax.py::chekout", "file=src/shop/tax.py"),
    ):
        with pytest.raises(SymbolNotFoundError) as caught:
            zoom(target, str(shop), roots=Roots([shop]))
        assert caught.value.suggestions == (meant,)


def test_a_miss_says_where_was_looked(shop: Path) -> None:
    with pytest.raises(SymbolNotFoundError, match=r"^Nothing is called 'Crt' in 'plugins' \(leave `path` out"):
        zoom("Crt", str(shop / "plugins"), roots=Roots([shop]))
    with pytest.raises(SymbolNotFoundError, match=r"^No function is called 'chekout'\. Did you mean"):
        zoom("function=chekout", str(shop), roots=Roots([shop]))
    with pytest.raises(SymbolNotFoundError, match=r"^No module is called 'crt' in 'plugins'"):
        zoom("module=crt", str(shop / "plugins"), roots=Roots([shop]))


def test_what_the_first_of_several_roots_does_not_define_is_looked_for_in_the_next(shop: Path, tmp_path: Path) -> None:
    other = write_tree(tmp_path, {"lib/far.py": "def far_away(): ...\n", "README.md": "# Far\n"})
    roots = Roots([shop, other])
    for target in ("far_away", "lib/far.py::far_away", "lib/far.py"):
        (match,) = zoom(target, ".", roots=roots).matches
        assert match.path == "lib/far.py"
    assert "Sells things" in zoom("README.md", ".", roots=roots).text
    with pytest.raises(SymbolNotFoundError, match="far_away"):
        zoom("far_away", str(shop), roots=roots)
    for slip, meant in (("far_awy", "symbol=lib/far.py::far_away"), ("chekout", "symbol=src/shop/cart.py::checkout")):
        with pytest.raises(SymbolNotFoundError, match="in any root: ") as caught:
            zoom(slip, ".", roots=roots)
        assert str(other) in str(caught.value)
        assert caught.value.suggestions == (meant,)


@pytest.mark.parametrize(
    ("name", "why"), [("image.py", r"binary \(10 bytes\)"), ("pipe.py", "a named pipe"), (".env", "holds credentials")]
)
def test_a_file_that_cannot_be_shown_says_why(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "image.py").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / ".env").write_text("KEY=1\n", encoding="utf-8")
    for target in (name, f"file={name}:1"):
        with pytest.raises(UnreadableFileError, match=why):
            zoom(target, str(tmp_path), roots=Roots([tmp_path]))


def test_a_member_is_not_meant_by_the_module_of_its_class_but_said_to_be_called_so(tmp_path: Path) -> None:
    tree = {
        "shop/routing/method.rs": "pub struct Router {\n    get: u8,\n}\nmake!(get, GET);\n",
        "shop/other.rs": "pub struct Spare {\n    get: u8,\n}\n",
        "shop/inner.rs": "pub mod low {\n    pub fn run() {}\n}\n",
        "okio/Okio.kt": "fun Source.buffer() = 1\nfun buffer(n: Int) = n\nclass Path {\n  companion object {\n    fun String.toPath() = 1\n  }\n}\n",
        "okio/Buffer.kt": "class Buffer {\n  fun buffer() = 1\n}\n",
    }
    write_tree(tmp_path, tree)
    with pytest.raises(
        SymbolNotFoundError, match=r"'shop::routing::get' by itself, but members of its module"
    ) as caught:
        shown(tmp_path, "shop::routing::get")
    assert caught.value.suggestions[0] == "symbol=shop/routing/method.rs::Router.get"
    assert shown(tmp_path, "shop::inner::run") == [("shop/inner.rs", "function low.run")]
    assert {title for _, title in shown(tmp_path, "okio.buffer")} == {"function buffer", "function Source.buffer"}
    assert shown(tmp_path, "okio.Path.toPath") == [("okio/Okio.kt", "method Path.String.toPath")]


def test_what_is_proposed_for_a_slip_stands_in_what_is_written_before_it(tmp_path: Path) -> None:
    tree = {f"a{n}.py": f"class Other{n}:\n    def appender(self): ...\n    def append(self): ...\n" for n in range(9)}
    write_tree(tmp_path, tree | {"z.py": "class Head:\n    def appender(self): ...\n    def init(self): ...\n"})
    with pytest.raises(SymbolNotFoundError) as caught:
        shown(tmp_path, "Head.appendr")
    assert caught.value.suggestions[0] == "symbol=z.py::Head.appender"


def test_types_are_proposed_before_variables_and_no_name_takes_all_the_room(tmp_path: Path) -> None:
    tree = {
        f"a{n}.swift": f"func go{n}() {{\n  class Own {{ var byteBuffer = 1 }}\n}}\nclass C{n} {{ var byteBuffer = 1 }}\n"
        for n in range(9)
    }
    write_tree(
        tmp_path,
        tree | {"b.swift": "extension ByteBuffer {}\n", "c.swift": "struct ByteBuffer {}\nfunc byteBuffers() {}\n"},
    )
    with pytest.raises(SymbolNotFoundError) as caught:
        shown(tmp_path, "ByteBufer")
    assert caught.value.suggestions[:2] == ("symbol=c.swift::ByteBuffer", "symbol=b.swift::ByteBuffer")
    assert "symbol=c.swift::byteBuffers" in caught.value.suggestions


@pytest.mark.parametrize(
    "target", ["docs/guide.md#opening-hours", "guide.md#Opening hours", "file=docs/guide.md#opening-hours"]
)
def test_a_section_of_a_document_is_found_as_links_write_it(tmp_path: Path, target: str) -> None:
    guide = "# Till\n\nOf all.\n\n## Opening hours\n\nFrom eight.\n\n## Feasts\n\nNever.\n"
    root = write_tree(tmp_path, {"docs/guide.md": guide, "till.py": "def opening_hours():\n    return 8\n"})
    [match] = zoom(target, str(root), roots=Roots([str(root)])).matches
    assert (match.first_line, match.last_line) == (5, 7)
    assert match.text == "## Opening hours\n\nFrom eight.\n"
