"""Stack traces, logs and what compilers say: the places that they name are shown first, whatever form they have."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple, SupportsIndex

import pytest

from allocator import ContextEngine
from allocator.question.frames import framed
from allocator.question.traces import Thrown, frame_at, numbered, thrown
from allocator.show.views import FileViews
from allocator.spend.steps import Kind
from tests.trees import write_tree
from workspace.files.scan import scan
from workspace.roots import Roots


def body(line: str) -> str:
    return "".join(f"    {line.format(number)}\n" for number in range(8))


TREE = {
    "src/shop/till.py": f"def opened(value):\n{body('value += {}')}    return value\n\n\n"
    f"def closed(value):\n{body('value -= {}')}    return value\n",
    "src/shop/__init__.py": "from shop.till import closed\n",
    "core/src/main/java/com/shop/Till.java": "package com.shop;\n\nclass Till {\n  static class Drawer {\n"
    f"    void close(int n) {{\n{body('log({});')}    }}\n  }}\n  void close(int n) {{\n{body('print({});')}  }}\n}}\n",
    "core/src/main/java/com/shop/Shelf.java": f"package com.shop;\n\nclass Shelf {{\n  void clear() {{\n{body('log({});')}  }}\n}}\n",
    "core/src/main/java/com/other/Till.java": "package com.other;\n\nclass Till {\n  void close() {}\n}\n",
    "pkg/till/till.go": f"package till\n\nfunc (t *Till) Open() {{\n{body('log({})')}}}\n\nfunc (t *Till) Close() {{\n{body('print({})')}}}\n",
    "crates/till/src/drawer.rs": f"fn open() {{\n{body('log({});')}}}\n\nfn close() {{\n{body('print({});')}}}\n",
    "web/src/drawer.ts": f"export function open() {{\n{body('log({});')}}}\n\nexport function close() {{\n{body('print({});')}}}\n",
    "src/drawer.c": f"void open_drawer(void) {{\n{body('log({});')}}}\n\nint close_drawer(int n) {{\n{body('n += {};')}    return n;\n}}\n",
    "lib/shop/drawer.rb": f"module Shop\n  def self.open\n{body('log({})')}  end\n\n  def self.close\n{body('print({})')}  end\nend\n",
    "Shop/Drawer.cs": f"namespace Shop;\n\nclass Drawer {{\n  void Open() {{\n{body('Log({});')}  }}\n\n  void Close() {{\n{body('Print({});')}  }}\n}}\n",
    "app/Drawer.php": f"<?php\nclass Drawer {{\n  function open() {{\n{body('log({});')}  }}\n\n  function close() {{\n{body('print({});')}  }}\n}}\n",
    "tests/test_till.py": f"def test_closed():\n{body('assert closed({})')}",
} | {f"src/shop/part_{n:02}.py": f"def part_{n}(value):\n{body('value += {}')}    return value\n" for n in range(12)}


class Shop(NamedTuple):
    engine: ContextEngine
    folder: Path


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder = write_tree(tmp_path_factory.mktemp("frames") / "shop", TREE).resolve()
    return Shop(ContextEngine(Roots([folder])), folder)


def meant(shop: Shop, trace: str) -> list[str]:
    """The definitions that a trace leads to, in order."""
    index = shop.engine.index
    listed, _ = index.files(scan(shop.folder, roots=shop.engine.roots))
    files = [FileViews(file) for file in listed]
    wishes = framed(trace, files, str(shop.folder)).wishes
    whole = [files[wish.file].definitions[wish.place].path for wish in wishes if wish.kind is Kind.BODY]
    paths = [files[wish.file].path for wish in wishes if wish.kind is Kind.BODY]
    return [f"{path}::{name}" for path, name in zip(paths, whole, strict=True)]


@pytest.mark.parametrize(
    ("trace", "path", "shown"),
    [
        (
            (
                "Traceback (most recent call last):\n"
                '  File "/home/x/.venv/lib/python3.11/site-packages/requests/api.py", line 5, in get\n    return till()\n'
                '  File "/usr/lib/python3.11/site-packages/shop/till.py", line 14, in closed\n    value -= 2\nValueError: no'
            ),
            "src/shop/till.py",
            "closed",
        ),
        (
            '  File "C:\\Program Files\\Python\\Lib\\shop\\till.py", line 15, in closed',
            "src/shop/till.py",
            "closed",
        ),
        (
            (
                'Exception in thread "main" java.lang.IllegalStateException: no\n'
                "\tat java.base/java.util.Optional.get(Optional.java:143)\n"
                "\tat app//com.shop.Till.close(Till.java:17) ~[shop.jar:?]\n\tat com.shop.Main.main(Main.java:3)"
            ),
            "core/src/main/java/com/shop/Till.java",
            "Till.close",
        ),
        (
            "  at com.shop.Till$Drawer.close (Till.java:7)",
            "core/src/main/java/com/shop/Till.java",
            "Till.Drawer.close",
        ),
        (
            (
                "goroutine 1 [running]:\nruntime/debug.Stack()\n\t/usr/local/go/src/runtime/debug/stack.go:24 +0x65\n"
                "example.com/shop/pkg/till.(*Till).Close(0xc000)\n\t/build/shop@v1.2.3/pkg/till/till.go:16 +0x1d"
            ),
            "pkg/till/till.go",
            "Till.Close",
        ),
        (
            "thread 'main' panicked at 'no', crates/till/src/drawer.rs:14:5\nstack backtrace:\n   0: std::panicking::begin",
            "crates/till/src/drawer.rs",
            "close",
        ),
        (
            "  5: till::drawer::close\n             at /home/x/.cargo/registry/src/index.crates.io-6f17/till-1.29.0/src/drawer.rs:14:9",
            "crates/till/src/drawer.rs",
            "close",
        ),
        (
            "TypeError: no\n    at close (/srv/shop/web/src/drawer.ts:15:11)\n    at node:internal/main:1:2",
            "web/src/drawer.ts",
            "close",
        ),
        ("    at close (/srv/shop/web/dist/drawer.js:2:3000)", "web/src/drawer.ts", "close"),
        ("    at async close (/app/.out/server/web/src/drawer.js:1:50)", "web/src/drawer.ts", "close"),
        ("    at async webpack:///./web/src/drawer.ts?1f2e:15:3", "web/src/drawer.ts", "close"),
        (
            "#0  0x00007f in __kill () from /lib/libc.so.6\n#1  0x000055 in close_drawer (n=3) at drawer.c:14\n#2  main ()",
            "src/drawer.c",
            "close_drawer",
        ),
        ("src/drawer.c(14): warning C4100: 'n': unreferenced", "src/drawer.c", "close_drawer"),
        (
            "/usr/lib/ruby/gems/shop-2.1/lib/shop/drawer.rb:15:in 'Shop.close': no (RuntimeError)\n\tfrom main.rb:1:in '<main>'",
            "lib/shop/drawer.rb",
            "Shop.close",
        ),
        ("drawer.rb:14:in `close'", "lib/shop/drawer.rb", "Shop.close"),
        (
            "   at Shop.Drawer.Close() in C:\\build\\Shop\\Drawer.cs:line 18\n   at System.Main()",
            "Shop/Drawer.cs",
            "Drawer.Close",
        ),
        (
            "PHP Fatal error: no in /var/www/app/Drawer.php:16\n#0 /var/www/app/Drawer.php(16): Drawer->close()",
            "app/Drawer.php",
            "Drawer.close",
        ),
        ("Warning: no in /var/www/app/Drawer.php on line 16", "app/Drawer.php", "Drawer.close"),
        ("2026-01-02T10:11:12.130 ERROR [till.go:15] cannot close", "pkg/till/till.go", "Till.Close"),
        ("tests/test_till.py:4: AssertionError", "tests/test_till.py", "test_closed"),
        (
            r'{"exc": "Traceback:\n  File \"/srv/shop/till.py\", line 900, in closed\n    value -= 2\nValueError: no"}',
            "src/shop/till.py",
            "closed",
        ),
        (
            "till-1  | example.com/shop/pkg/till.(*Till).Close(0xc000)\ntill-1  |  \t/build/pkg/till/till.go:900 +0x1d",
            "pkg/till/till.go",
            "Till.Close",
        ),
        ("    #1 0x55d0 in close_drawer /home/x/shop/src/drawer.c:900:4", "src/drawer.c", "close_drawer"),
        ("see https://github.com/x/shop/blob/v1/src/drawer.c#L14-L16", "src/drawer.c", "close_drawer"),
        (
            "WARN no - IllegalStateException (Shelf:6 < Register:72)",
            "core/src/main/java/com/shop/Shelf.java",
            "Shelf.clear",
        ),
    ],
)
def test_a_frame_leads_to_its_definition(shop: Shop, trace: str, path: str, shown: str) -> None:
    assert meant(shop, trace) == [f"{path}::{shown}"]


def test_the_name_in_a_frame_counts_more_than_a_line_of_another_version(shop: Shop) -> None:
    for line in (912, 14):
        trace = f'  File "/x/site-packages/shop/till.py", line {line}, in opened'
        assert meant(shop, trace) == ["src/shop/till.py::opened"]


def test_what_frames_lead_to_comes_first_and_whole(shop: Shop) -> None:
    trace = "Traceback (most recent call last):\n" + "".join(
        f'  File "/srv/shop/src/shop/part_{number:02}.py", line 3, in part_{number}\n' for number in (7, 3, 5)
    )
    context = shop.engine.get_context(
        str(shop.folder), token_budget=900, query=f"{trace}ValueError: no", format="compact"
    ).context
    assert re.findall(r"^\+\+\+ (\S+)", context, re.MULTILINE)[:3] == [
        f"src/shop/part_{number:02}.py" for number in (5, 3, 7)
    ]
    for number in (7, 3, 5):
        assert TREE[f"src/shop/part_{number:02}.py"] in context


def test_lines_outside_of_definitions_and_in_large_ones_come_with_those_around_them(tmp_path: Path) -> None:
    text = "".join(f"VALUE_{number} = {number}\n" for number in range(200))
    long = "def long(value):\n" + "".join(f"    value += {number}\n" for number in range(600)) + "    return value\n"
    folder = write_tree(tmp_path, {"a.py": text, "b.py": long}).resolve()
    context = (
        ContextEngine(Roots([folder]))
        .get_context(str(folder), token_budget=500, query="a.py:100: no\nb.py:300: no", format="compact")
        .context
    )
    assert "VALUE_93 = 93\nVALUE_94 = 94\n" in context
    assert "VALUE_104 = 104\nVALUE_105 = 105\n" in context
    assert "    value += 292\n    value += 293\n" in context
    assert "VALUE_120" not in context


def test_the_line_of_a_cell_in_a_trace_is_no_line_of_the_notebooks_json(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": [f"def fit_{number}(x):\n", "    return x\n"]} for number in range(90)]
    folder = write_tree(tmp_path, {"train.ipynb": json.dumps({"cells": cells}, indent=1)}).resolve()
    trace = 'Traceback (most recent call last):\n  File "train.ipynb", line 2, in fit_7\nValueError: x'
    context = (
        ContextEngine(Roots([folder])).get_context(str(folder), token_budget=400, query=trace, format="compact").context
    )
    assert "def fit_0(x): ..." in context
    assert '"cell_type"' not in context


@pytest.mark.parametrize(
    "trace",
    [
        "at com.third.Till.close(Till.java:4)",
        '  File "/usr/lib/python3.11/json/till.py", line 3, in load',
        "  /rustc/84c8/library/std/src/thread/drawer.rs:3:5",
        "crates/till/src/nothing.rs:3:5",
        "    at close (/srv/shop/node_modules/other/dist/drawer.js:2:3000)",
        "    at e (/srv/shop/web/dist/drawer.js:2:3000)",
        "version 1.2:3, at 12.30:45, see Drawer.php for more",
        '  File "/x/site-packages/shop/till.py", line 912, in elsewhere',
        "see https://github.com/x/other/blob/v1/src/drawer.c#L14",
        "Till:15, Drawer:16, Shelf:900",
    ],
)
def test_what_is_of_another_folder_is_left_out(shop: Shop, trace: str) -> None:
    assert meant(shop, trace) == []


def test_the_innermost_call_comes_first_in_every_order() -> None:
    calls = ["a.py:1", "b.py:2", "c.py:3"]
    assert [place.path for place in numbered("\n".join(calls))] == ["a.py", "b.py", "c.py"]
    last_first = "Traceback (most recent call last):\n" + "\n".join(calls)
    assert [place.path for place in numbered(last_first)] == ["c.py", "b.py", "a.py"]


CAUSES = [
    (
        (
            "com.shop.Outer: x\n\tat a.B.c(Outer.java:1)\n\tat a.B.d(Outer.java:2)\n"
            "\tSuppressed: com.shop.Other\n\t\tat a.B.c(Other.java:9)\n\tCaused by: com.shop.Late\n\t\tat a.B.c(Late.java:9)\n"
            "Caused by: com.shop.Inner: x\n\tat a.B.c(Inner.java:3)\n\tat a.B.d(Outer.java:2)\n\t... 2 more\n"
            "Caused by: com.shop.Root\n\tat a.B.c(Root.java:4)\n"
        ),
        ["Root.java:4", "Inner.java:3", "Outer.java:2", "Outer.java:1", "Other.java:9", "Late.java:9"],
    ),
    (
        (
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n  File "b.py", line 2, in g\nKeyError: 1\n\n'
            "The above exception was the direct cause of the following exception:\n\n"
            'Traceback (most recent call last):\n  File "c.py", line 3, in h\n    f()\n  File "d.py", line 4, in f\nshop.Lost: 1\n'
        ),
        ["b.py:2", "a.py:1", "d.py:4", "c.py:3"],
    ),
    (
        (
            "Unhandled exception. Shop.Lost: x\n ---> Shop.Root: y\n   at Shop.A.B() in /x/Root.cs:line 4\n"
            "   --- End of inner exception stack trace ---\n   at Shop.A.C() in /x/Outer.cs:line 2\n"
        ),
        ["/x/Root.cs:4", "/x/Outer.cs:2"],
    ),
    (
        "Error: outer\n    at load (/x/outer.ts:1:2) {\n  [cause]: Error: root\n      at read (/x/root.ts:3:4)\n}\n",
        ["/x/root.ts:3", "/x/outer.ts:1"],
    ),
    (
        (
            "Error: cannot load\n\nCaused by:\n    0: cannot read\n    1: no such file\n\nStack backtrace:\n"
            "   0: shop::read\n             at ./src/root.rs:3:5\n   1: shop::load\n             at ./src/outer.rs:4:5\n"
        ),
        ["./src/root.rs:3", "./src/outer.rs:4"],
    ),
    (
        "no such file\nshop.read\n\t/x/root.go:3\nshop.load\n\t/x/outer.go:4\ncannot load\nshop.main\n\t/x/main.go:5\n",
        ["/x/root.go:3", "/x/outer.go:4", "/x/main.go:5"],
    ),
]


@pytest.mark.parametrize(("trace", "order"), CAUSES)
def test_the_calls_of_a_cause_come_before_those_of_what_it_led_to(trace: str, order: list[str]) -> None:
    assert [f"{place.path}:{place.line}" for place in numbered(trace)] == order


@pytest.mark.parametrize(
    ("trace", "called"),
    [
        ('  File "a.py", line 3, in load', ("load",)),
        ('  File "a.py", line 3, in <module>', ()),
        ("a.py:3: in load", ("load",)),
        ("a.rb:3:in `load!'", ("load!",)),
        ("a.rb:3:in 'block (2 levels) in Shop::Till#load?'", ("load?",)),
        ("a.rb:3:in '<class:Till>'", ()),
        ("\tat java.base/com.shop.Till$Drawer.load(A.java:3)", ("load",)),
        ("\tat com.shop.Till.lambda$load$0(A.java:3)", ("load",)),
        ("\tat com.shop.Till.<init>(A.java:3)", ("Till",)),
        ("\tat com.shop.Till.getName(A.kt:3)", ("getName", "Name", "name")),
        ("\tat com.shop.Till$load$1.invokeSuspend(A.kt:3)", ()),
        ("    at async Till.load [as run] (/x/a.ts:3:4)", ("load",)),
        ("    at new Till (/x/a.ts:3:4)", ("Till",)),
        ("    at Object.<anonymous> (/x/a.ts:3:4)", ()),
        ("    at /x/a.ts:3:4", ()),
        ("   at Shop.Till.Load(String name) in C:\\x\\A.cs:line 3", ("Load",)),
        ("   at Shop.Till.<Load>d__3.MoveNext() in C:\\x\\A.cs:line 3", ("Load",)),
        ("   at Shop.Till..ctor() in C:\\x\\A.cs:line 3", ("Till",)),
        ("example.com/shop/v3/till.(*Till).Load(0xc00, 0x0)\n\t/x/a.go:3 +0x1d", ("Load",)),
        ("example.com/shop/till.Load.func1()\n\t/x/a.go:3 +0x1d", ("Load",)),
        ("  1: <shop::Till as core::fmt::Display>::fmt\n             at ./src/a.rs:3:5", ("fmt",)),
        ("  1: shop::Till::load::{{closure}}\n             at ./src/a.rs:3:5", ("load",)),
        ("#1  0x000055 in load (n=3) at a.c:3", ("load",)),
        ("#0  load (n=3) at a.c:3", ("load",)),
        ("    (shop 0.1.0) lib/a.ex:3: Shop.Till.load!/2", ("load!",)),
        ("#0 /x/A.php(3): Till->load()", ()),
        ("src/a.c(3): warning C4100: 'n': unreferenced", ()),
    ],
)
def test_a_frame_says_which_function_it_is_in_where_its_form_does(trace: str, called: tuple[str, ...]) -> None:
    (place,) = numbered(trace)
    frame = frame_at(trace, place)
    assert frame.called == called
    if called:
        assert called[0].strip("!?") in trace[slice(*frame.said)]


NESTED = {
    "shop/till.py": "def opened(value):\n    def wrapper():\n"
    + "        value.open()\n" * 4
    + "    return wrapper\n\n\ndef closed(value):\n    def wrapper():\n"
    + "        value.close()\n" * 4
    + "    return wrapper\n\n\nclass Till:\n    def wrapper(self):\n        return 1\n",
    "web/till.ts": "export function opened() {\n  const wrapper = () => {\n    open();\n    open();\n  };\n  return wrapper;\n}\n\n"
    "export class Till {\n  wrapper() {\n    return 1;\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("trace", "aim"),
    [
        ('  File "/x/shop/till.py", line 4, in wrapper', "shop/till.py::opened"),
        ('  File "/x/shop/till.py", line 13, in wrapper', "shop/till.py::closed"),
        ('  File "/x/shop/till.py", line 19, in wrapper', "shop/till.py::Till.wrapper"),
        ("    at wrapper (/x/web/till.ts:4:5)", "web/till.ts::opened"),
    ],
)
def test_a_function_inside_another_is_meant_where_the_line_is_in_it(tmp_path: Path, trace: str, aim: str) -> None:
    folder = write_tree(tmp_path, NESTED).resolve()
    assert meant(Shop(ContextEngine(Roots([folder])), folder), trace) == [aim]


GONE = [
    ("at com.shop.Till$Drawer.emptied(Till.java:7)", "emptied", "core/src/main/java/com/shop/Till.java"),
    ('  File "/x/src/shop/till.py", line 3, in emptied', "emptied", "src/shop/till.py"),
    ("lib/shop/drawer.rb:4:in `emptied'\nlib/shop/drawer.rb:4:in `block in emptied_twice'", "emptied_twice", "lib/shop/drawer.rb"),
    ("shop/pkg/till.(*Till).Emptied(0xc000)\n\t/x/pkg/till/till.go:5 +0x1d", "Emptied", "pkg/till/till.go"),
]  # fmt: skip


@pytest.mark.parametrize(("trace", "name", "path"), GONE)
def test_nothing_is_shown_for_a_function_that_is_not_here_any_more(
    shop: Shop, trace: str, name: str, path: str
) -> None:
    assert meant(shop, trace) == []
    context = shop.engine.get_context(str(shop.folder), token_budget=600, query=trace, format="compact").context
    assert f"The trace may be of another version: no {name} in {path}.\n" in context


def test_a_place_that_a_library_calls_from_is_that_of_the_call(shop: Shop) -> None:
    trace = "lib/shop/drawer.rb:15:in `exec_params'\nlib/shop/drawer.rb:15:in `block in close'"
    assert meant(shop, trace) == ["lib/shop/drawer.rb::Shop.close"]
    context = shop.engine.get_context(str(shop.folder), token_budget=600, query=trace, format="compact").context
    assert "another version" not in context


def test_the_signatures_of_other_calls_come_before_the_text_of_a_large_one(tmp_path: Path) -> None:
    large = "def large(value):\n" + "".join(f"    value += {number}\n" for number in range(900)) + "    return value\n"
    folder = write_tree(tmp_path, {"shop/a.py": large, "shop/b.py": TREE["src/shop/till.py"]}).resolve()
    trace = (
        "Traceback (most recent call last):\n"
        '  File "/x/shop/b.py", line 14, in closed\n    large(value)\n'
        '  File "/x/shop/a.py", line 500, in large\n    value += 498\nValueError: no'
    )
    context = (
        ContextEngine(Roots([folder])).get_context(str(folder), token_budget=700, query=trace, format="compact").context
    )
    assert "    value += 498\n" in context
    assert f"def closed(value):\n{body('value -= {}')}    return value\n" in context


def test_what_was_thrown_is_shown(tmp_path: Path) -> None:
    others = {f"shop/part_{number}.py": f"class Lost{number}(Exception):\n    pass\n" for number in range(30)}
    tree = {
        "shop/exceptions.py": "class Lost(Exception):\n    def __init__(self, what):\n        self.what = what\n",
        "shop/desk.py": "def sell(value):\n    raise Lost(value)\n",
        "other/exceptions.py": "class Lost(Exception):\n    pass\n",
        "web/TillError.ts": "export class TillError extends Error {\n  code = 1;\n}\n",
        "Shop/Errors.cs": "namespace Shop;\n\nclass Emptied : Exception {\n}\n",
    }
    folder = write_tree(tmp_path, tree | others).resolve()
    shop = Shop(ContextEngine(Roots([folder])), folder)
    place = '  File "/x/shop/desk.py", line 2, in sell\n'
    for last, found in (
        ("shop.exceptions.Lost: 1", "shop/exceptions.py::Lost"),
        ("Uncaught TillError: 1", "web/TillError.ts::TillError"),
        ("Shop.Emptied: 1", "Shop/Errors.cs::Emptied"),
    ):
        assert found in meant(shop, f"{place}{last}")
    assert not any("Lost" in one for one in meant(shop, f"{place}ValueError: Lost"))


def test_the_classes_that_a_trace_says_were_thrown() -> None:
    text = (
        'Exception in thread "main" com.shop.Lost: at the till\n\tat a.b.C.d(C.java:1)\n'
        "Caused by: com.shop.Till$Empty\nshop.exceptions.Gone: x\nno money (Shop::Broke)\nTypeError: no\nWord: x\n"
    )
    assert thrown(text) == [
        Thrown(("com", "shop"), "Lost"),
        Thrown(("com", "shop", "Till"), "Empty"),
        Thrown(("shop", "exceptions"), "Gone"),
        Thrown(("Shop",), "Broke"),
        Thrown((), "TypeError"),
    ]


def test_names_of_places_that_were_found_are_not_looked_up_as_words(shop: Shop) -> None:
    listed, _ = shop.engine.index.files(scan(shop.folder, roots=shop.engine.roots))
    files = [FileViews(file) for file in listed]
    trace = (
        "the till is empty\n"
        '  File "/x/site-packages/requests/api.py", line 5, in get\n    return super().__call__(closed)\n'
        '  File "/x/site-packages/shop/till.py", line 14, in closed\nValueError: no'
    )
    words = framed(trace, files, str(shop.folder)).words
    assert len(words) == len(trace)
    left = trace.replace("in closed", "in").replace("__call__(", "        (").replace("/x/site-packages/shop", " shop")
    assert words.split() == left.split()
    assert framed("call __call__ of closed", files, str(shop.folder)).words == "call __call__ of closed"


def test_a_frame_says_what_stands_beside_it() -> None:
    text = "one two\nat com.shop.Till$Drawer.close(Till.java:12) tail\nafter"
    (place,) = numbered(text)
    frame = frame_at(text, place)
    assert frame.parts == ("com", "shop", "Till.java")
    assert frame.line == 12
    assert {"close", "Drawer", "tail"} <= frame.names
    assert frame.above == {"one", "two"}


class CountedText(str):
    """A text that counts the characters that are taken out of it."""

    __slots__ = ("taken",)

    def __init__(self, _: str) -> None:
        self.taken = 0

    def __getitem__(self, place: SupportsIndex | slice) -> str:
        found = super().__getitem__(place)
        self.taken += len(found)
        return found


@pytest.mark.parametrize("piece", ["a.b:1", ".", "x", ".py:1 ", "(A.java:1)", 'File "a.py", line 1\n', " in "])
def test_a_megabyte_takes_as_much_for_each_of_its_characters_as_a_kilobyte(piece: str) -> None:
    small, large = (CountedText(piece * (size // len(piece))) for size in (10_000, 100_000))
    numbered(small)
    numbered(large)
    assert large.taken <= 12 * small.taken + 1000
