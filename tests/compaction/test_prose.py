"""What prose is read by takes a time in proportion to its length, whatever the text: a limit ends what does not."""

from __future__ import annotations

import pytest

from compaction.prose.sentences import fact_spans, names, score, split

LONG = 100_000
"""Characters; what takes the square of its length is not done with them in the time of a test."""


@pytest.mark.parametrize(
    "unit",
    ["a.", "a-", "1.", "a/", "a_", "Aa", "A_", "--a", "`", "`a ", ". ", "A. ", "e.g. ", " ", "\n", "1 ", "must "],
)
def test_hostile_prose_is_read_in_linear_time(unit: str) -> None:
    text = unit * (LONG // len(unit))

    assert len(list(names(text))) >= 0
    assert all(0 <= start < end <= len(text) for start, end in fact_spans(text))
    assert score(text) <= LONG
    assert sum(1 for _ in split(text)) >= 0


def test_names_are_found_whole() -> None:
    text = "See ./src/app.py, ../lib/x; run `make all`, set MAX_SIZE and call read_all with --dry-run."

    assert list(names(text)) == [
        "./src/app.py",
        "../lib/x",
        "make all",
        "MAX_SIZE",
        "read_all",
        "--dry-run",
    ]
