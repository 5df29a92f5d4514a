from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.paths import shown, unshown

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
