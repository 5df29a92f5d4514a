"""The patterns of prose take a time in proportion to its length, whatever the text: a limit ends what does not."""

from __future__ import annotations

import pytest

from compaction.prose.choosing import choose
from compaction.prose.sentences import fact_spans, names, score, split
from compaction.prose.units import units
from tests.thoroughness import share_of

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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "The service listens on the port of the settings (see the note:\n5433 on old hosts) and stays there. Next.",
            [
                "The service listens on the port of the settings (see the note:\n5433 on old hosts) and stays there.",
                "Next.",
            ],
        ),
        (
            "Before any of the migrations is run on the live hosts, do this:\nStop the writers.",
            ["Before any of the migrations is run on the live hosts, do this:\nStop the writers."],
        ),
        (
            "for every one of the many hosts that the settings know of:\n    Host.stop()",
            ["for every one of the many hosts that the settings know of:", "    Host.stop()"],
        ),
        (
            "The keys of the file, which are read once and then kept:\n- port",
            ["The keys of the file, which are read once and then kept:", "- port"],
        ),
    ],
    ids=["inside a sentence", "before what it announces", "before a deeper block", "before a list"],
)
def test_a_colon_at_the_end_of_a_line_ends_no_sentence(text: str, found: list[str]) -> None:
    assert [text[unit.start : unit.end] for unit in units(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "大家都有疑问：**它为什么会这么流行？**\n\n答案很简单。",
            ["大家都有疑问：**它为什么会这么流行？**", "答案很简单。"],
        ),
        (
            "6、[为什么不改用别的？](https://example.com/a)（英文）。下一句。",
            ["6、[为什么不改用别的？](https://example.com/a)（英文）。", "下一句。"],
        ),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("設定は必須です。 次に進む。", ["設定は必須です。", "次に進む。"]),
    ],
    ids=["emphasis", "a link", "a quotation", "a space behind the mark"],
)
def test_a_sentence_of_chinese_or_japanese_keeps_the_marks_that_close_it(text: str, found: list[str]) -> None:
    assert [text[unit.start : unit.end] for unit in units(text)] == found


REPORT = """**Left to do**

**This week:**
- Rotate the key of the backup bucket before Friday, as agreed.
- Tell the people of finance that it will be rotated then.

**This month:**
- Move the cron job to UTC, as everybody keeps asking for that.

**Score: 78/100**

Two ways were found:

1. **Over Vegas**
   - Flight: HAT229
   - Price: $130
2. **Over Phoenix**
   - Flight: HAT118
   - Price: $130
"""


@pytest.mark.parametrize("target", range(20, 110, 6))
def test_nothing_that_only_heads_other_lines_is_left_without_them(target: int) -> None:
    kept = choose(REPORT, target, count=lambda text: (len(text) + 3) // 4)
    lines = [line.strip() for line in kept.split("\n") if line.strip()]

    for head, below in (
        ("**Left to do**", "**This"),
        ("**This week:**", "- "),
        ("**This month:**", "- Move"),
        ("Two ways were found:", ("1.", "2.")),
    ):
        assert head not in lines or lines[lines.index(head) + 1].startswith(below)
    for under, head in (("HAT229", "Over Vegas"), ("HAT118", "Over Phoenix"), ("- Rotate", "**This week:**")):
        assert under not in kept or kept.index(head) < kept.index(under)
    assert kept.count("$130") == 0 or "more of the same" not in kept


@pytest.mark.parametrize(
    "unit", ["**a**\n", "a:\n- b\n", "- a\n  - b. C. D. ", "**A. b. C", "a:\n", "1. a:\n```\nb\n```\n"]
)
def test_texts_of_headings_alone_are_chosen_from_in_linear_time(unit: str) -> None:
    assert choose(unit * (share_of(LONG) // len(unit)), 100, count=lambda text: len(text) // 4)
