"""Markers, texts that only look like one, and the mark on what was compressed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction.prompt.fences import find_fences
from compaction.prompt.markers import MARK_CLOSING, MARK_OPENING, mark, marked_spans, split_blocks

TAGS = ("<compress>", "</compress>", "<compressed>", "</compressed>")
SNIPPETS = st.lists(st.sampled_from([*TAGS, "```\n", "\n", "\\", "`", " words ", "x"])).map("".join)


def marked(text: str) -> list[str]:
    return [block.text for block in split_blocks(text).blocks if block.compressible]


def test_what_stands_between_markers_is_compressible_and_nothing_else_is() -> None:
    found = split_blocks("Do this.\n<compress>\nA dump.\n</compress>\nThen that. <compress>B</compress>")
    assert [(block.text, block.compressible) for block in found.blocks] == [
        ("Do this.\n", False),
        ("\nA dump.\n", True),
        ("\nThen that. ", False),
        ("B", True),
    ]
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("text", "blocks", "plain", "reason"),
    [
        ("<compress>a <compress>b</compress> c</compress>", ["a <compress>b</compress> c"], None, "nested"),
        ("a <compress>b", [], "a <compress>b", "never closed"),
        ("a</compress> b", [], "a</compress> b", "closes nothing"),
        ("<compress>a <compress>b</compress>", ["b"], "<compress>a b", "never closed"),
        ("\\<compress>a</compress>", [], "\\<compress>a</compress>", "escaped"),
        ("write `<compress>` and `</compress>` around it", [], None, "escaped"),
        ("the `<compress>…</compress>` blocks, ``<compress>`` too", [], None, "escaped"),
        ("\\\\<compress>a</compress>", ["a"], "\\\\a", None),
        ("```\n<compress>a</compress>\n```", [], None, "code fence"),
        ("<compress>a\n```\n</compress>\n```\nb</compress>", ["a\n```\n</compress>\n```\nb"], None, "code fence"),
        ("<compress>a\n```py\nopen fence</compress>", ["a\n```py\nopen fence"], None, None),
        ("<compress></compress>", [], "", None),
        ("<COMPRESS>a</COMPRESS> <compress >b", [], None, None),
    ],
)
def test_what_only_looks_like_a_marker_is_text_and_said_so(
    text: str, blocks: list[str], plain: str | None, reason: str | None
) -> None:
    found = split_blocks(text)
    assert [block.text for block in found.blocks if block.compressible] == blocks
    if plain is not None:
        assert found.plain == plain
    assert ([reason] if reason else []) == [reason for warning in found.warnings if reason and reason in warning]


def test_warnings_count_and_do_not_grow_with_the_text() -> None:
    assert split_blocks("<compress>" * 3).warnings == ("Each of 3 markers is never closed and stays as text.",)


@given(SNIPPETS)
def test_only_the_markers_of_blocks_are_taken_away(text: str) -> None:
    found = split_blocks(text)
    removed = len("<compress></compress>")
    plain = found.plain
    assert (len(text) - len(plain)) % removed == 0
    for block in found.blocks:
        assert block.text in text


@given(SNIPPETS)
def test_marked_text_is_one_span_that_holds_all_of_it(text: str) -> None:
    made = mark(text)
    if not text.strip() or find_fences(text).unclosed:
        return
    spans = marked_spans(made)
    covered = "".join(made[slice(*span)] for span in spans)
    assert covered.strip() == made.strip() or not made.strip()


def test_the_mark_stands_around_the_words_and_inside_the_white_space() -> None:
    assert mark("\n  few words\n") == f"\n  {MARK_OPENING}few words{MARK_CLOSING}\n"
    assert mark(" \n") == " \n"
    assert mark("a <compressed>b</compressed> c") == "<compressed>a b c</compressed>"


def test_the_mark_leaves_fences_their_lines_and_their_bytes() -> None:
    code = "```\n<compressed>\n```"
    assert mark(code) == f"{MARK_OPENING}\n{code}\n{MARK_CLOSING}"
    assert mark("say `x`") == f"{MARK_OPENING}\nsay `x`\n{MARK_CLOSING}"
    assert mark("# a\n\nb") == f"{MARK_OPENING}\n# a\n\nb\n{MARK_CLOSING}"
