from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocator.show.formats import FORMATS, FormatName
from allocator.show.framing import Framer, largest
from allocator.show.views import CUT, View, blend, head, view_of
from skeleton import CompressionLevel
from tests.allocator.files import file_of
from tests.allocator.strategies import texts
from workspace.tokens import token_counter

count = token_counter().count
SOURCE = "import os\n\n\ndef a(x):\n    y = x\n    return y\n\n\ndef b():\n    return 1\n"
FULL = view_of(SOURCE)
FOLDED = View(lines=("import os", "def a(x): ...", "def b(): ..."), numbers=(1, 4, 9))


def test_lines_end_at_line_feeds_alone() -> None:
    assert view_of("a\r\nb\x0cc\u2028d\n\n").lines == ("a\r", "b\x0cc\u2028d", "")
    assert view_of("").lines == ()
    assert view_of("a").numbers == (1,)


def test_a_head_counts_what_it_leaves_out() -> None:
    assert head(FOLDED, 1).lines == ("import os", "⋮ 2 more lines")
    assert head(FOLDED, 2).lines == ("import os", "def a(x): ...", "⋮ 1 more line")
    assert head(FOLDED, 1).numbers == (1, 0)
    assert head(FOLDED, 1).marks == ("CUT",)


def test_a_blend_is_full_first_and_folded_after() -> None:
    blended = blend(FOLDED, FULL, 8, "FULL")
    assert blended.lines == (*FULL.lines[:8], "def b(): ...")
    assert blended.numbers == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert blended.marks == ("FULL:1-8",)


def test_a_blend_that_ends_inside_a_body_says_how_many_lines_it_skips() -> None:
    assert blend(FOLDED, FULL, 4, "FULL").lines == (*FULL.lines[:4], "⋮ 4 more lines", "def b(): ...")


def test_a_blend_skips_blank_lines_without_a_word() -> None:
    assert blend(FOLDED, FULL, 6, "FULL").lines == (*FULL.lines[:6], "def b(): ...")


def test_a_head_ends_with_no_mark() -> None:
    marked = View(lines=("a", "⋮ lines 4-5 as written", "d", "e", "f"), numbers=(1, 0, 4, 5, 6))
    assert head(marked, 1).lines == ("a", "⋮ 3 more lines")
    assert head(marked, 2).lines == (*marked.lines[:3], "⋮ 2 more lines")
    assert head(View(lines=marked.lines[:3], numbers=(1, 0, 4)), 2).lines == ("a", "⋮ 1 more line")


def test_a_mark_stays_above_the_lines_that_it_tells_of() -> None:
    marked = View(lines=("a", "⋮ line 4 as written", "d", "⋮ line 9 as written", "i"), numbers=(1, 0, 4, 0, 9))
    assert blend(marked, FULL, 3, "FULL").lines == (*FULL.lines[:3], *marked.lines[1:])
    assert blend(marked, FULL, 4, "FULL").lines == (*FULL.lines[:4], "⋮ 4 more lines", *marked.lines[3:])


EXCERPT = View(lines=("import os", "def a(x):", "⋮ 2 lines", "    return y", "⋮ 9 more lines"), numbers=(1, 4, 0, 6, 0))


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (1, EXCERPT.lines),
        (3, ("import os", "", "", *EXCERPT.lines[1:])),
        (4, ("import os", "", "", *EXCERPT.lines[1:])),
        (5, (*FULL.lines[:5], *EXCERPT.lines[3:])),
        (6, (*FULL.lines[:6], "⋮ 9 more lines")),
        (8, (*FULL.lines[:8], "⋮ 2 more lines")),
    ],
)
def test_what_an_excerpt_leaves_out_is_counted_once_under_a_blend(lines: int, shown: tuple[str, ...]) -> None:
    assert blend(EXCERPT, FULL, lines, "FULL").lines == shown


@pytest.mark.parametrize("lines", range(1, 6))
def test_a_blend_over_an_excerpt_counts_to_the_end_with_the_marks_of_either(lines: int) -> None:
    detailed = View(
        lines=("import os", "def a(x):", '    """Does."""', "⋮ 29 lines", "    return y", "⋮ 9 more lines"),
        numbers=(1, 4, 5, 0, 35, 0),
    )
    base = View(
        lines=("import os", "def a(x):", "⋮ 30 lines", "    return y", "⋮ 9 more lines"), numbers=(1, 4, 0, 35, 0)
    )
    left_out = "⋮ 30 lines" if lines < 3 else "⋮ 29 more lines" if lines < 5 else "⋮ 29 lines"
    shown = blend(base, detailed, lines, "L1").lines
    assert [line for line in shown if line.startswith("⋮")] == [left_out, "⋮ 9 more lines"]


def test_a_blend_of_no_line_is_what_was_there() -> None:
    assert blend(FOLDED, FULL, 0, "FULL") is FOLDED


def test_the_smallest_head_of_a_long_line_only_counts() -> None:
    file, framer = file_of("word " * 90 + "\nnext\n", "notes.txt"), Framer(FORMATS[FormatName.COMPACT], count)
    view = file.view(CompressionLevel.FULL)
    floor = framer.floor(file, view)
    assert floor is not None
    assert floor.text == "+++ notes.txt [SKELETON:L2] [CUT]\n⋮ 2 more lines\n"
    assert framer.longest_head(file, view, 60) is None


def test_a_blend_that_ends_in_the_last_definition_counts_to_the_end() -> None:
    assert blend(FOLDED, FULL, 9, "FULL").lines[-1] == "⋮ 1 more line"


@given(st.integers(0, 200), st.integers(0, 250))
def test_largest_finds_the_last_number_that_fits(limit: int, last: int) -> None:
    tried: list[int] = []

    def fits(number: int) -> bool:
        tried.append(number)
        return number <= last

    assert largest(limit, fits) == min(limit, last)
    assert max(tried, default=0) <= min(limit, 2 * last + 1)


def test_line_numbers_stand_before_every_line_of_the_source() -> None:
    framer = Framer(FORMATS[FormatName.COMPACT], count, line_numbers=True)
    portion = framer.portion(file_of(SOURCE), CompressionLevel.SKELETON, head(blend(FOLDED, FULL, 5, "FULL"), 6))
    assert portion.text == (
        "+++ src/a.py [SKELETON:L2] [FULL:1-5] [CUT]\n"
        "1 import os\n2\n3\n4 def a(x):\n5     y = x\n⋮ 3 more lines\n⋮ 1 more line\n"
    )


@given(texts, st.integers(1, 600), st.sampled_from(FormatName))
def test_a_longest_head_is_the_longest_that_fits(text: str, room: int, name: FormatName) -> None:
    file, framer = file_of(text, "notes.txt"), Framer(FORMATS[name], count)
    view = file.view(CompressionLevel.FULL)
    portion = framer.longest_head(file, view, room)
    shown = len(portion.view.lines) - 1 if portion is not None else 0
    if portion is not None:
        assert portion.cost == count(framer.layout.cost_text(portion.text)) <= room
        assert CUT in portion.view.marks
        assert portion.view.lines[:shown] == view.lines[:shown]
    if shown + 1 < len(view.lines):
        assert framer.portion(file, CompressionLevel.SKELETON, head(view, shown + 1)).cost > room


@pytest.mark.no_cover
@given(texts, st.integers(1, 900))
def test_a_widest_blend_fits(text: str, room: int) -> None:
    file, framer = file_of(text), Framer(FORMATS[FormatName.PLUS], count)
    base = framer.portion(file, CompressionLevel.SKELETON, file.view(CompressionLevel.SKELETON))
    portion = framer.widest_blend(base, file.view(CompressionLevel.FULL), "FULL", base.cost + room)
    if portion is not None:
        assert portion.cost <= base.cost + room
        assert portion.level is CompressionLevel.SKELETON


@pytest.mark.parametrize(("text", "marks"), [("", ()), ("x", ("NO-EOL",)), ("x\n", ())])
def test_a_full_file_says_when_its_last_line_is_open(text: str, marks: tuple[str, ...]) -> None:
    assert file_of(text).view(CompressionLevel.FULL).marks == marks


@pytest.mark.parametrize("level", [CompressionLevel.FULL, CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON])
def test_a_file_with_nothing_to_fold_has_all_levels(level: CompressionLevel) -> None:
    file = file_of("import os\n")
    assert file.view(level).lines == ("import os",)
