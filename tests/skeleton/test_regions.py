"""Above what could not be read stands a mark that says which lines are shown as they are written, and it is true."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeleton import Language, Skeleton, skeletons
from skeleton.languages.headers import resolved, text_of
from skeleton.outline.resumed import MOST_READINGS
from skeleton.render.regions import marked
from tests.skeleton.corpus import corpus_names, read_cases

MARK = re.compile(r"⋮ lines? (?P<first>\d+)(?:-(?P<last>\d+))? as written")

PIECE = b"""\
static void first(int a) {
  if (a) {
#if FAST
    go(); /* told */

  }
#endif
  do {
#ifdef SLOW
  } while (0);
}
"""
"""To the grammar of C nothing closes this function, and what stands below it is a part of it."""

TORN = b"struct one { int a; };\n\n" + b"\n".join(
    PIECE.replace(b"first", b"f%d" % number) for number in range(MOST_READINGS + 5)
)
"""A source that is torn more often than it is read again."""


def rows_of(skeleton: Skeleton) -> list[tuple[str, int]]:
    return list(zip(skeleton.text.split("\n"), skeleton.line_numbers, strict=True)) if skeleton.text else []


def told(skeleton: Skeleton, source: bytes) -> list[tuple[int, int]]:
    """The lines that marks tell of, each of them there as it is written, without a line of the file missing."""
    found: list[tuple[int, int]] = []
    if all(skeleton.line_numbers):
        return found
    rows, lines = rows_of(skeleton), source.decode("utf-8", "replace").split("\n")
    for at, (text, number) in enumerate(rows):
        if number:
            continue
        mark = MARK.fullmatch(text)
        assert mark, text
        first, last = int(mark["first"]), int(mark["last"] or mark["first"])
        wanted = [line.rstrip() for line in lines[first - 1 : last] if line.strip()]
        shown = [line for line, _ in rows[at + 1 :] if line][: len(wanted)]
        assert [line.strip() for line in shown] == [line.strip() for line in wanted]
        assert rows[at + 1][1] == first
        found.append((first, last))
    return found


def test_what_could_not_be_read_stands_below_a_mark() -> None:
    every = skeletons(TORN, Language.named("c"))
    for one in (every.plus, every.skeleton):
        (first, last), *others = told(one, TORN)
        assert not others
        assert last == TORN.count(b"\n")
        assert f"f{MOST_READINGS + 4}(int a)" in one.text
        bodies = {number for line, number in rows_of(one) if "go();" in line}
        assert len(bodies) > 1
        assert bodies <= set(range(first, last + 1))
        assert one.unmarked == "\n".join(line for line, number in rows_of(one) if number)


def test_definitions_are_found_where_they_stand_around_marks() -> None:
    source = b"struct one { int a; };\nmake_list(static, one_, struct one, link)\nstruct two { int b; };\n" + TORN
    every = skeletons(source, Language.named("c"))
    for one in (every.plus, every.skeleton):
        assert len(told(one, source)) > 1
        text = one.text.encode()
        for definition in one.definitions:
            assert text[definition.name_start :].startswith(definition.name.encode())
            assert definition.start <= definition.signature <= definition.name_start < definition.end <= len(text)
            assert b"as written" not in text[definition.signature : definition.body]


def test_a_mark_is_put_down_above_lines_that_were_compared_alone() -> None:
    source = b"one\n  two\n\nthree /* gone */\nfour\nfive\n"
    text, numbers = b"one\ntwo\nthree\nfour\nfive", (1, 2, 4, 5, 6)
    lines = marked(text, numbers, source, [(0, len(source) - 6)])
    assert lines.text.decode().split("\n") == [
        "⋮ lines 1-2 as written",
        "one",
        "two",
        "three",
        "⋮ line 5 as written",
        "four",
        "five",
    ]
    assert lines.numbers == (0, 1, 2, 4, 0, 5, 6)
    assert marked(text, numbers, source, []) == (text, numbers, ())


TEARABLE = [name for name in corpus_names() if "begins" in resolved(name, text_of(name))[0]]


@pytest.mark.no_cover
@given(st.sampled_from(TEARABLE), st.data())
@settings(max_examples=25, deadline=None)
def test_wherever_a_source_is_torn_its_marks_are_true(name: str, data: st.DataObject) -> None:
    cases = read_cases(name)
    source = "\n".join(
        case.source for case in data.draw(st.lists(st.sampled_from(cases), min_size=1, max_size=3))
    ).encode()
    at = data.draw(st.integers(0, len(source)))
    torn = source[:at] + source[at + data.draw(st.integers(0, 40)) :]
    every = skeletons(torn, Language.named(name))
    for one in (every.plus, every.skeleton):
        told(one, torn)
        if one.text:
            assert len(one.line_numbers) == one.text.count("\n") + (not one.text.endswith("\n"))


ENDS_EARLY = b"""\
typedef struct { int kind, size; double number; } value;

value number_of(double x) {
  value made = {
#ifdef WITH_FLAGS
    FLAGS_NATIVE,
#else
    KIND_NUMBER,
#endif
    0, {.number = x}
  };
  check(made);
  return made;
}

static int last(int a) {
  int sum = a + 1;
  return sum;
}
"""
"""To the grammar of C the first function ends with the initialiser."""


@pytest.mark.parametrize("level", ["plus", "skeleton"])
def test_the_end_of_a_body_that_ends_too_early_is_told(level: str) -> None:
    one: Skeleton = getattr(skeletons(ENDS_EARLY, Language.named("c")), level)
    assert not one.unproven
    left = {number for text, number in rows_of(one) if text and 9 < number < 15}
    assert left <= {line for first, last in told(one, ENDS_EARLY) for line in range(first, last + 1)}
    assert left
    assert "sum" not in one.text
