"""The sentence in which a package says what it is."""

from __future__ import annotations

import pytest

from allocator.overview.sayings import in_short, said_in_readme


@pytest.mark.parametrize(
    ("readme", "said"),
    [
        ("# Buoy\n\nMarks deep water. It floats.\n", "Marks deep water"),
        ("# Buoy\n\nMarks where the water is\ndeep.\n", "Marks where the water is deep"),
        ("Buoy - marks of deep water for boats\n\nPurposes:\n\n* Marks\n", "Buoy - marks of deep water for boats"),
        ("# Buoy, a mark of deep water\n\n* an item of a list\n", "Buoy, a mark of deep water"),
        ("# @fleet/buoy\n\nThe buoy package\n", ""),
        ("# Buoy\n\n" + "Marks deep water, and " * 20 + "so on.\n", ""),
        ("", ""),
    ],
)
def test_a_readme_says_it_in_its_first_sentence_or_in_its_heading(readme: str, said: str) -> None:
    assert said_in_readme(readme, "packages/buoy") == said


def test_a_description_says_it_where_it_is_no_path_in_other_words() -> None:
    assert in_short(["Marks deep water.", "It floats."], "packages/buoy") == "Marks deep water"
    assert in_short(["The buoy module of packages."], "packages/buoy") == ""
    assert in_short([], "packages/buoy") == ""
