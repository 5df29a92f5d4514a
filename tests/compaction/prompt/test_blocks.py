"""Indented code and the tags of HTML stay, where no fence and no format says that they are none of the prose around."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction.prompt.blocks import find_blocks, prose_around
from compaction.prompt.engine import CompressionEngine

PROSE = (
    "This is a long introduction that says very little of any substance, and repeats what everybody knows already about "
    "deployments. It is generally considered good practice to think about things before doing them, as many have said. "
    "And so it goes on for a while, in the way of such documents, until nobody reads it any more on any day of the week."
)
LINES = st.lists(
    st.sampled_from(
        ["", "text", "    $ make", "\tls", "- item", "  more", "       deep", "1. First:", "<div>", "</div>"]
    )
)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("Say:\n\n    $ make\n    $ ls\n\nEnd.", ["    $ make\n    $ ls"]),
        ("Say:\n\n\tmake\n\n\tls\nEnd.", ["\tmake\n\n\tls"]),
        ("    $ make\n\nEnd.", ["    $ make"]),
        ("A sentence that is\n    wrapped with an indent.", []),
        ("1. First:\n\n       rm -rf build\n       make\n\n2. Second.", ["       rm -rf build\n       make"]),
        ("1. First:\n\n   More of the first.\n\n2. Second.", []),
        ("- a\n\n  - b\n\n    c\n", []),
        ("- a\n\nOut of the list.\n\n    $ make\n", ["    $ make"]),
        ("Say:\n\n    This is a whole sentence of plain words, only indented.\n", []),
        ("Say:\n\n    - an item\n    - another\n", []),
        ("<div>\n<p>words</p>\n</div>", ["<div>", "</div>"]),
        ("<details><summary>More</summary>\nwords\n</details>", ["<details><summary>More</summary>", "</details>"]),
        ("<p>A paragraph of many words that nobody closes on this line of the text\n<br>\na < b > c", []),
        ("Usage:\nArg: <file>\nor `List<int>`", []),
    ],
)
def test_blocks_are_indented_code_and_tags_without_a_partner(text: str, blocks: list[str]) -> None:
    assert [text[slice(*span)] for span in find_blocks(text)] == blocks


@given(LINES)
def test_blocks_and_the_prose_around_them_are_the_text_but_for_white_space(lines: list[str]) -> None:
    text = "\n".join(lines)
    blocks = find_blocks(text)
    spans = sorted((*blocks, *prose_around(text, blocks)))
    assert "".join("".join(text[slice(*span)].split()) for span in spans) == "".join(text.split())


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.7])
def test_indented_code_stays_byte_for_byte_and_every_tag_with_its_partner(rate: float) -> None:
    code = "    $ make   deploy\n    $ echo  done\n    $ make test"
    nested = "       rm -rf build\n       make install PREFIX=/opt"
    html = f"<details><summary>More</summary>\n\n<p>{PROSE[:120]} Nobody needs it.</p>\n\n</details>"
    text = f"{code}\n\n{PROSE}\n\n1. First:\n\n{nested}\n\n2. {PROSE}\n\n{html}\n\n{PROSE.upper()}\n\n{code}\n\n{PROSE.title()}"
    made = CompressionEngine().compress_context(text, rate=rate, engine="extractive")
    assert made.compressed_tokens < made.original_tokens
    assert made.text.startswith(code)
    assert made.text.count(code) == 2
    assert nested in made.text
    assert made.text.count("<details><summary>More</summary>") == made.text.count("</details>") == 1
    assert made.text.count("<p>") == made.text.count("</p>")


def test_sentences_without_spaces_between_them_stay_without() -> None:
    nouns = "東京", "大阪", "京都", "名古屋", "札幌", "福岡", "神戸", "仙台", "広島", "横浜", "奈良", "金沢"
    sentences = [f"{noun}の文章がここにあります。とても長い{noun}の説明がここで続きます。" for noun in nouns]
    text = "".join(sentences)
    rule = "決して本番のデータを削除しないでください。"
    made = CompressionEngine().compress_context(text + rule, rate=0.4, engine="extractive").text
    assert rule in made
    assert "。 " not in made
