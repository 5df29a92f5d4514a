"""Stack traces, logs and what compilers say: the places that they name are shown first, whatever form they have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple, SupportsIndex

import pytest

from allocator import ContextEngine
from allocator.question.frames import frame_at, numbered, wishes_of_frames
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
    wishes = wishes_of_frames(trace, files, str(shop.folder))
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


@pytest.mark.parametrize(
    "trace",
    [
        "at com.third.Till.close(Till.java:4)",
        '  File "/usr/lib/python3.11/json/till.py", line 3, in load',
        "  /rustc/84c8/library/std/src/thread/drawer.rs:3:5",
        "crates/till/src/nothing.rs:3:5",
        "version 1.2:3, at 12.30:45, see Drawer.php for more",
        '  File "/x/site-packages/shop/till.py", line 912, in elsewhere',
    ],
)
def test_what_is_of_another_folder_is_left_out(shop: Shop, trace: str) -> None:
    assert meant(shop, trace) == []


def test_the_innermost_call_comes_first_in_every_order() -> None:
    calls = ["a.py:1", "b.py:2", "c.py:3"]
    assert [place.path for place in numbered("\n".join(calls))] == ["a.py", "b.py", "c.py"]
    last_first = "Traceback (most recent call last):\n" + "\n".join(calls)
    assert [place.path for place in numbered(last_first)] == ["c.py", "b.py", "a.py"]


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
