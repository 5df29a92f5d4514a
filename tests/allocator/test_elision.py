from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from allocator.show.elision import NAMED, Selection, stands_as_shown
from allocator.show.formats import FORMATS, FormatName
from allocator.show.framing import Framer
from allocator.show.views import FileViews, View
from skeleton import CompressionLevel, Language
from tests.allocator.files import file_of
from tests.skeleton.corpus import corpus_names, read_cases
from workspace.tokens import token_counter

L0, L1, L2, _ = CompressionLevel
count = token_counter().count

SOURCE = '''import os
import re

LIMIT = 3


class Config:
    """Settings."""

    name: str

    def load(self, path: str) -> dict[str, int]:
        """Reads it."""
        text = path
        return parse(text)

    def save(self) -> None:
        write(self)


def parse(text: str) -> dict[str, int]:
    return {}


def write(config: Config) -> None:
    print(config)
'''


def chosen(
    file: FileViews, *, shown: tuple[str, ...] | None, raised: tuple[str, ...] = (), level: CompressionLevel = L2
) -> View:
    def places(names: tuple[str, ...]) -> frozenset[int]:
        return frozenset(place for place, one in enumerate(file.definitions) if one.path in names)

    return file.selected(level, Selection(shown=None if shown is None else places(shown), raised=places(raised)))


def test_what_matters_least_is_left_out() -> None:
    view = chosen(file_of(SOURCE), shown=("Config.name", "parse"))
    assert view.lines == ("class Config:", "    name: str", "def parse(text: str) -> dict[str, int]: ...")
    assert view.numbers == (7, 10, 21)
    assert view.marks == ("SHOWN:3/7",)


def test_lines_of_the_file_that_would_look_adjacent_are_kept_apart() -> None:
    file = file_of("class A:\n    x: int\n    y: int\n\n    def z(self): pass\n\n    w: int\n", "a.py")
    assert chosen(file, shown=("A.w",)).lines == ("class A:", "⋮ 3 definitions", "    w: int")
    assert chosen(file, shown=("A.x", "A.w")).lines == ("class A:", "    x: int", "⋮ 2 definitions", "    w: int")
    assert chosen(file, shown=("A.x", "A.y", "A.w")).lines[2:] == ("    y: int", "⋮ 1 definition", "    w: int")


def test_a_short_line_stands_in_the_place_of_its_mark() -> None:
    source = "class Cart\n{}  def add\n    1\n  end\n\n  private\n\n  def total\n    2\n  end\nend\n"
    ruby = Language.named("ruby")

    def shown(above: str) -> tuple[str, ...]:
        file = file_of(source.format(above), "cart.rb", written_in=ruby)
        return chosen(file, shown=(), raised=("Cart.add", "Cart.total")).lines

    add, total = ("  def add", "    1", "  end"), ("  def total", "    2", "  end")
    assert shown("") == ("class Cart", *add, "  private", *total, "end")
    assert shown("  include Comparable\n") == ("class Cart", "⋮ 1 line", *add, "  private", *total, "end")
    assert shown("  private\n  x :a\n")[:2] == ("class Cart", "⋮ 2 lines")


def test_accessors_go_with_their_property() -> None:
    source = "class A {\n  val one: Int\n    get() = 1\n\n  val two: Int\n    get() = 2\n}\n"
    file = file_of(source, "a.kt", written_in=Language.named("kotlin"))
    shown = ("class A {", "⋮ 1 definition", "  val two: Int", "    get() = 2", "}")
    assert chosen(file, shown=("A.two",), level=L1).lines == shown
    assert chosen(file, shown=(), raised=("A.one",)).lines[1:3] == ("  val one: Int", "    get() = 1")


DOCUMENTED = """/** Adds. */
export function add(a) {
  return a;
}

/**
 * Takes away.
 *
 * @param a what to take
 */
@Logged()
export class Taker {
  take(a) {
    return -a;
  }
}

/**
 * Doubles.
 * Always.
 */
export function twice(a) {
  return 2 * a;
}
"""


def test_a_long_doc_above_what_is_shown_in_full_may_be_left_out_and_is_counted_where_it_separates() -> None:
    file = file_of(DOCUMENTED, "sums.ts")
    every = frozenset(range(len(file.definitions)))
    view = file.selected(L2, Selection(shown=every, raised=every, bare=every))
    lines = tuple(DOCUMENTED.split("\n"))
    assert view.lines == (*lines[:4], "⋮ 5 lines", *lines[10:16], "⋮ 4 lines", *lines[21:24])
    assert len(view.full) == len(file.definitions)
    with_docs = file.selected(L2, Selection(shown=every, raised=every))
    assert with_docs.lines == tuple(line for line in lines if line)
    assert with_docs.full == view.full


def test_what_stands_above_or_below_all_that_is_shown_has_no_line() -> None:
    view = chosen(file_of(SOURCE), shown=("parse",))
    assert view.lines == ("def parse(text: str) -> dict[str, int]: ...",)
    assert view.numbers == (21,)
    assert view.marks == ("SHOWN:1/7",)


def test_a_member_is_shown_in_its_container() -> None:
    view = chosen(file_of(SOURCE), shown=("Config.save",))
    assert view.lines == ("class Config:", "    def save(self) -> None: ...")
    assert view.marks == ("SHOWN:2/7",)


def test_a_raised_definition_has_the_exact_lines_of_the_source() -> None:
    view = chosen(file_of(SOURCE), shown=("write",), raised=("Config.load",))
    source = SOURCE.split("\n")
    assert view.lines == (
        *("class Config:", "⋮ 1 definition"),
        *source[11:15],
        "def write(config: Config) -> None: ...",
    )
    assert view.numbers == (7, 0, 12, 13, 14, 15, 25)
    assert view.marks == ("SHOWN:3/7", "FULL:Config.load")


def test_a_definition_is_raised_inside_a_whole_skeleton() -> None:
    view = chosen(file_of(SOURCE), shown=None, raised=("parse",), level=L1)
    assert "    return {}" in view.lines
    assert "    def save(self) -> None: ..." in view.lines
    assert view.lines[:4] == ("import os", "import re", "", "LIMIT = 3")
    assert view.marks == ("FULL:parse",)


def test_a_raised_container_holds_its_members() -> None:
    view = chosen(file_of(SOURCE), shown=(), raised=("Config", "Config.save"))
    assert view.lines == tuple(SOURCE.split("\n")[6:18])
    assert view.marks == ("SHOWN:4/7", "FULL:Config")
    assert len(view.full) == 4


def test_a_definition_may_be_shown_up_to_some_line() -> None:
    file = file_of(SOURCE)
    load = next(place for place, one in enumerate(file.definitions) if one.name == "load")
    view = file.selected(L2, Selection(shown=frozenset({load}), partly=load, lines=2))
    assert view.lines == (
        *("class Config:", "⋮ 1 definition", *SOURCE.split("\n")[11:13]),
        "⋮ 2 more lines",
    )
    assert view.marks == ("SHOWN:2/7",)


def test_lines_outside_definitions_come_from_the_first_on() -> None:
    view = file_of(SOURCE).selected(L2, Selection(shown=frozenset(), loose=1))
    assert view.lines == ("import os",)
    assert view.marks == ("SHOWN:0/7",)


def test_a_definition_in_full_is_told_from_others_of_its_name() -> None:
    pair = "class A:\n    @property\n    def x(self):\n        return 1\n\n    @x.setter\n    def x(self, x):\n        self.y = x\n"
    file = file_of(pair)
    members = [place for place, one in enumerate(file.definitions) if one.path == "A.x"]
    second = file.selected(L2, Selection(shown=frozenset(), raised=frozenset(members[1:])))
    assert second.marks == ("SHOWN:2/3", "FULL:A.x~2")
    both = file.selected(L2, Selection(shown=frozenset(), raised=frozenset(members)))
    assert both.marks == ("SHOWN:3/3", "FULL:A.x")


@pytest.mark.parametrize("apart", ["  // by hand\n", "  /* by hand */\n", "  @Deprecated\n  // by hand\n"])
def test_a_definition_in_full_has_its_doc_above_plain_comments(apart: str) -> None:
    source = f"class A {{\n  int y;\n\n  /** Gives one. */\n{apart}  int x() {{\n    return 1;\n  }}\n}}\n"
    view = chosen(file_of(source, "A.java"), shown=(), raised=("A.x",))
    assert "  /** Gives one. */" in view.lines
    assert view.marks[-1] == "FULL:A.x"


def test_a_header_names_a_few_definitions_and_counts_the_rest() -> None:
    file = file_of("".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(NAMED + 3)))
    view = file.selected(L2, Selection(raised=frozenset(range(NAMED + 3))))
    assert view.marks == (f"FULL:{','.join(f'f{number}' for number in range(NAMED))},+3",)


def test_definitions_on_one_line_are_shown_together() -> None:
    file = file_of("function a() { return 1; } function b() { return 2; }\nfunction c() { return 3; }\n", "src/a.js")
    view = chosen(file, shown=("b",))
    assert view.lines[0] in {"function a() { /* ... */ } function b() { /* ... */ }", "function a() {} function b() {}"}
    assert len(view.lines) == 1
    assert view.marks == ("SHOWN:2/3",)
    assert chosen(file, shown=(), raised=("a",)).lines[0] == "function a() { return 1; } function b() { return 2; }"


RUN = re.compile(r"⋮ (\d+) definitions?\Z")


@pytest.mark.no_cover
@pytest.mark.parametrize("language", corpus_names())
def test_what_is_shown_and_what_is_counted_are_all_definitions_in_every_language(language: str) -> None:
    draws = Random(language)
    for case in read_cases(language):
        file = file_of(case.source, "src/a", written_in=Language.named(language))
        everything = range(len(file.definitions))
        for level in (L0, L1, L2):
            shown, raised = (frozenset(place for place in everything if draws.random() < 0.3) for _ in range(2))
            check_selection(file, level, Selection(shown=shown, raised=raised - file.left_out(raised)))
        for share in (0.1, 0.5, 1.0):
            constants, raised, shown = (
                frozenset(place for place in everything if draws.random() < share) for _ in range(3)
            )
            selection = Selection(shown=shown, raised=raised, constants=file.left_out(constants))
            check_selection(file, L2, selection)
            if file.left_out({*constants, *raised}):
                check_selection(file, L2, replace(selection, shown=None))


def check_selection(file: FileViews, level: CompressionLevel, selection: Selection) -> None:
    view, units = file.selected(level, selection), file.units(level)
    if constants := file.left_out({*selection.constants, *selection.raised}) if level is L2 else ():
        units = file.units_with_constants
    runs = [RUN.match(line) for line, number in zip(view.lines, view.numbers, strict=True) if not number]
    elided = sum(int(run[1]) for run in runs if run)
    told = len(view.full) + len(view.signatures)
    lines = [at for at in zip(view.numbers, view.lines, strict=True) if at[0]]
    hidden = [units.units[units.of[place]].source_first for place in units.of.keys() - {*view.full, *view.signatures}]
    exact = {number for number, line in lines if stands_as_shown(line, file.lines[number - 1])}
    between = [
        (one, other)
        for (one, above), (other, below) in pairwise(lines)
        if exact.issuperset((one, other)) or above.rstrip()[-1:] + below.lstrip()[:1] in ("{}", "()", "[]")
    ]
    assert elided == sum(above < first <= below for first in hidden for above, below in between)
    assert not told or (view.numbers[0] and view.numbers[-1])
    counted = f"SHOWN:{told}/{len(file.definitions)}"
    is_counted = file.definitions and (constants or selection.shown is not None)
    assert view.marks[:1] == (counted,) if is_counted else counted not in view.marks
    assert (selection.shown or frozenset()) & units.of.keys() <= {*view.full, *view.signatures}
    assert {*constants} <= {*view.full, *view.signatures}
    assert selection.raised & units.of.keys() <= {*view.full}
    shown = dict(zip(view.numbers, view.lines, strict=True))
    for place in view.full:
        unit = units.units[units.of[place]]
        for number in range(unit.source_first, unit.source_last + 1):
            assert shown[number] == file.lines[number - 1]


@pytest.mark.no_cover
@settings(deadline=None)
@given(st.integers(20, 400), st.sampled_from(FormatName))
def test_a_widest_selection_fits_and_uses_its_room(room: int, name: FormatName) -> None:
    file, framer = file_of(SOURCE), Framer(FORMATS[name], count)
    portion = framer.widest_selection(file, L2, file.order, room)
    if portion is None:
        assert framer.selected(file, L2, Selection(shown=frozenset(file.order[:1]))).cost > room
        return
    assert portion.cost == count(framer.layout.cost_text(portion.text)) <= room
    assert portion.elided
    assert "write(self)" not in portion.text


UNREAD = """int whole(void) {
  int counted = 1;
  return counted;
}
make_list(static, one_, struct one, link)
struct pair { int first; };
"""


def test_a_mark_above_what_could_not_be_read_goes_with_its_lines() -> None:
    file = file_of(UNREAD, "a.c")
    mark, line = "⋮ line 5 as written", UNREAD.split("\n")[4]
    assert file.view(L2).lines == ("int whole(void);", mark, line, "struct pair { int first; };")
    places = frozenset(place for place, one in enumerate(file.definitions) if one.name == "whole")
    lines = {loose: file.selected(L2, Selection(shown=places, loose=loose)).lines for loose in range(3)}
    assert lines == {
        0: ("int whole(void);",),
        1: ("int whole(void);",),
        2: ("int whole(void);", mark, line),
    }
    without = file.selected(L2, Selection(shown=frozenset(range(9)) - places)).lines
    assert without == ("struct pair { int first; };",)


@pytest.mark.parametrize(
    ("shown", "line", "stands"),
    [
        ("  int set;", "  int set; /* what it is for */", True),
        ("  kOpSet,", "  kOpSet = 3, // next", True),
        ("    name: str", "    name: str = field()  # told", True),
        ("def load(self): ...", "def load(self):", False),
        ("  int set;", "  int settings;", False),
        ("  void run();", "  void run() {", False),
    ],
)
def test_a_line_without_its_value_or_comment_is_that_of_the_file(shown: str, line: str, stands: bool) -> None:
    assert stands_as_shown(shown, line) is stands


def test_members_that_are_left_out_are_counted_where_comments_stand_behind_the_others() -> None:
    members = "".join(f"  int part_{number}; /* what it is for */\n" for number in range(9))
    file = file_of(f"struct easy {{\n{members}}};\n", "easy.h")
    assert [line.strip() for line in chosen(file, shown=("easy.part_3", "easy.part_6")).lines] == [
        "struct easy {", "⋮ 3 definitions", "int part_3;", "⋮ 2 definitions", "int part_6;", "⋮ 2 definitions", "};",
    ]  # fmt: skip


def test_a_block_that_holds_something_does_not_stand_there_as_if_it_were_empty() -> None:
    file = file_of("public static class Breaker\n{\n    public static void Open() { Go(); }\n}\n", "src/Breaker.cs")
    assert chosen(file, shown=("Breaker",)).lines == ("public static class Breaker {", "⋮ 1 definition", "}")
