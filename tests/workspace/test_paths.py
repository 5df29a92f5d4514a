from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.paths import as_word, from_word, shown, unshown

names = st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name).map(os.fsdecode)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/a.py", "src/a.py"),
        ("größe 漢字.py", "größe 漢字.py"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("a\\nb", r"a\\nb"),
        (os.fsdecode(b"a\xff"), r"a\xff"),
        ("a\x1b[0m", r"a\x1b[0m"),
        ("a\u202eb\u2028\x85", r"a\u202eb\u2028\u0085"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_a_name_is_shown_on_one_line_of_plain_text_and_can_be_read_back(name: str, text: str) -> None:
    assert shown(name) == text
    assert unshown(text) == name


@given(names)
def test_any_name_survives_being_shown_and_its_text_survives_json(name: str) -> None:
    text = shown(name)
    assert unshown(text) == name
    assert json.loads(json.dumps(text).encode()) == text
    assert text.encode()
    assert "\n" not in text


@pytest.mark.parametrize("text", [r"a\qb", r"a\x00b", r"\ud800", r"\U00110000", "\\", r"\x4"])
def test_what_is_no_escape_stays_as_it_is(text: str) -> None:
    assert unshown(text) == text


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("src/a.py", "src/a.py"),
        ("my notes.md", r"my\x20notes.md"),
        ("a\u00a0b\u3000c", r"a\u00a0b\u3000c"),
        (r"a\\x20b", r"a\\x20b"),
    ],
)
def test_a_path_with_blanks_is_one_word_and_can_be_read_back(path: str, word: str) -> None:
    assert as_word(path) == word
    assert from_word(word) == path


@given(names)
def test_any_path_survives_being_a_word(name: str) -> None:
    word = as_word(shown(name))
    assert word.split() in ([word], [])
    assert from_word(word) == shown(name)


def test_braces_may_be_escaped_and_what_is_no_sign_of_a_word_stays() -> None:
    assert from_word(r"\x7ba\x20b\x7d") == "{a b}"
    for text in (r"a\nb", r"a\x41", r"a\u2028", r"Log\x2", "\\"):
        assert from_word(text) == text
