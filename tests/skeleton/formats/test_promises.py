"""The promises of `skeleton.formats` for every content of every format."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skeleton.formats import FORMATS, PLAIN_TEXT, Reduction, TextFormat, format_of, reductions
from skeleton.formats.lines import Line
from skeleton.levels import CompressionLevel
from tests.skeleton.formats.strategies import FILES, HOSTILE
from tests.thoroughness import examples, share_of

LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
NAMES = sorted(FILES)


def text_of(reduction: Reduction) -> str:
    return "\n".join(line.text for line in reduction.lines)


def the_format(name: str) -> TextFormat:
    text_format = format_of(name)
    assert text_format
    return text_format


def check_promises(text_format: TextFormat, text: str) -> None:
    source = text.encode(errors="replace")
    text = source.decode()
    at_level = reductions(text_format, source)
    assert at_level == reductions(text_format, source)
    sizes = [len(text_of(at_level[level]).encode()) for level in CompressionLevel]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= len(source)
    for level in LEVELS:
        lines = at_level[level].lines
        assert all(first.number <= second.number for first, second in pairwise(lines))
        assert all(1 <= line.number <= text.count("\n") + 1 for line in lines)
        assert not any("\n" in line.text for line in lines)
        again = reductions(text_format, text_of(at_level[level]).encode(errors="replace"))[level]
        assert len(text_of(again).encode()) <= len(text_of(at_level[level]).encode())


@pytest.mark.no_cover
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@examples(60)
def test_the_promises_hold_for_well_formed_files(name: str, data: st.DataObject) -> None:
    check_promises(the_format(name), data.draw(FILES[name]))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@examples(60)
def test_an_outline_of_a_well_formed_file_does_not_change_when_it_is_made_again(name: str, data: st.DataObject) -> None:
    text_format = the_format(name)
    source = data.draw(FILES[name]).encode()
    for level in LEVELS:
        reduction = reductions(text_format, source)[level]
        if reduction.level is level:
            assert text_of(reductions(text_format, text_of(reduction).encode())[level]) == text_of(reduction)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", NAMES)
@given(text=HOSTILE)
@examples(150)
def test_the_promises_hold_for_any_text(name: str, text: str) -> None:
    check_promises(the_format(name), text)


@pytest.mark.parametrize("name", NAMES)
@given(source=st.binary(max_size=60))
@example(source=b"a,b\r1,2\r3,4\n5,6\r")
@examples(30)
def test_bytes_that_are_no_text_are_outlined_too(name: str, source: bytes) -> None:
    assert {*reductions(the_format(name), source)} == {*CompressionLevel}


MANY = share_of(100_000)

BOMBS = {
    "deep": "[" * MANY + "]" * MANY,
    "open": '{"a":' * MANY,
    "deep flow": "a: " + "{a: " * MANY,
    "deep dashes": "- " * MANY,
    "deep quotes": "> " * MANY + "a",
    "deep tags": "<a>" * MANY + "</a>" * MANY,
    "open tags": "<a " * (2 * MANY),
    "open comments": "<!--" * MANY,
    "deep rules": "a{" * (2 * MANY),
    "deep indent": "".join(f"{' ' * depth}a:\n" for depth in range(1500)),
    "one line": "x" * (10 * MANY),
    "one line of spaces": "# " + " " * (5 * MANY) + "x",
    "ticks": "`" * (3 * MANY),
    "quotes": '"' * (3 * MANY + 1),
    "escapes": '"' + "\\" * (3 * MANY + 1),
    "headers": "[a" * (2 * MANY),
    "brackets": "![" * (2 * MANY),
    "pipes": "|" * (3 * MANY),
    "rules": "-- |" * MANY,
    "adornments": "=\n" * MANY,
    "titles": "a\n===\n" * (MANY // 2),
    "commas": "," * (3 * MANY),
    "keys": '{"a", ' * 1 + '"b", ' * MANY,
    "stars": "/*" * (2 * MANY),
    "equal signs": "a = = " * MANY,
    "yaml bomb": "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [{','.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 50)),
    "xml bomb": "<!DOCTYPE a ["
    + "".join(f'<!ENTITY b{n} "{f"&b{n - 1};" * 10}">' for n in range(1, 50))
    + "]><a>&b49;</a>",
}


@pytest.mark.no_cover
@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_costs_neither_the_stack_nor_the_day(name: str, bomb: str) -> None:
    at_level = reductions(the_format(name), BOMBS[bomb].encode())
    for level in LEVELS:
        assert len(text_of(at_level[level])) <= len(BOMBS[bomb])


def test_level_zero_is_every_line_and_level_three_none() -> None:
    source = b"a\n\nb\n"
    assert reductions(PLAIN_TEXT, source)[CompressionLevel.FULL].lines == [Line(1, "a"), Line(2, ""), Line(3, "b")]
    assert reductions(PLAIN_TEXT, source)[CompressionLevel.DROP].lines == []


def test_a_level_that_does_not_save_gives_way_to_the_one_above() -> None:
    reduction = reductions(the_format("a.md"), b"# Title\n")[CompressionLevel.SKELETON]
    assert reduction.lines == [Line(1, "# Title")]
    assert reduction.level is CompressionLevel.FULL


def test_a_text_that_is_not_of_its_format_is_outlined_as_plain_text() -> None:
    source = "".join(f"line {number}\n" for number in range(100)).encode()
    reduction = reductions(the_format("a.json"), source)[CompressionLevel.SKELETON]
    assert reduction.fell_back
    assert reduction.lines == reductions(PLAIN_TEXT, source)[CompressionLevel.SKELETON].lines
    assert not reductions(PLAIN_TEXT, source)[CompressionLevel.SKELETON].fell_back


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("docs/README.md", b"", "markdown"),
        ("a/B.YML", b"", "yaml"),
        ("package.json", b"", "json"),
        (".prettierrc", b"", "json"),
        ("Cargo.lock", b"", "toml"),
        ("pom.xml", b"", "xml"),
        ("a.csproj", b"", "xml"),
        ("a.ipynb", b"", "notebook"),
        ("a.log", b"", "text"),
        ("a.scss", b"", "css"),
        ("a.tsv", b"", "csv"),
        ("index.html", b"", "html"),
        ("docs/index.rst", b"", "restructuredtext"),
        ("config", b'{"a": 1}', "json"),
        ("config", b"<?xml version='1.0'?>", "xml"),
        ("a.py", b'{"a": 1}', None),
        ("Makefile", b"all:\n", None),
    ],
)
def test_a_format_is_found_by_name_and_then_by_the_first_bytes(path: str, source: bytes, expected: str | None) -> None:
    text_format = format_of(path, source)
    assert (text_format and text_format.name) == expected


def test_every_format_has_a_name_of_its_own() -> None:
    names = [text_format.name for text_format in FORMATS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("line", ["## {0}.0 (May)\n\n### Fixed\n\n- {1}\n", "## {0}\n\n{1}\n\n#### Deep {0}\n"])
def test_the_first_skeleton_of_a_long_document_shows_every_heading_that_the_second_does(line: str) -> None:
    changelog = "# Changes\n\nAll of them.\n\n" + "".join(
        line.format(at, "Mended a leak of it, " * 6) for at in range(150)
    )
    text_format = format_of("CHANGELOG.md")
    assert text_format
    at_level = reductions(text_format, changelog.encode())
    first, second = (
        {each.number: each.text for each in at_level[level].lines if not each.text.startswith("…")}
        for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
    )
    assert len(second) > 100
    assert second.items() < first.items()
