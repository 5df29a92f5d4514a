"""The beginnings and ends of code in Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compaction.prompt.fences import find_fences, outside

LINES = st.lists(st.sampled_from(["```", "```py", "````", "~~~", "  ```", "> ```", "- ```", "text", "", "a ``` b"]))


@pytest.mark.parametrize(
    ("text", "closed", "unclosed"),
    [
        ("a\n```py\nx = 1\n```\nb", ["```py\nx = 1\n```"], None),
        ("```\na\n```\n~~~\nb\n~~~", ["```\na\n```", "~~~\nb\n~~~"], None),
        ("````md\n```\ninner\n```\n````", ["````md\n```\ninner\n```\n````"], None),
        ("Use\n~~~\n\nIt is easy.\n\nTitles\n~~~~~~\n\nMore.", [], None),
        ("Use:\n~~~~\nx = 1\n~~~~", ["~~~~\nx = 1\n~~~~"], None),
        ("Use it so\n~~~\n\nx\n~~~", ["~~~\n\nx\n~~~"], None),
        ("```\na\n~~~\nb\n```", ["```\na\n~~~\nb\n```"], None),
        ("```\na\n```py\n```", ["```\na\n```py\n```"], None),
        ("  ```\r\n  a\r\n  ```\r\nb", ["  ```\r\n  a\r\n  ```"], None),
        ("> ```\n> a\n> ```", ["> ```\n> a\n> ```"], None),
        ("- ```sh\n  ls\n  ```", ["- ```sh\n  ls\n  ```"], None),
        ("1. ```sh\n   ls\n   ```", ["1. ```sh\n   ls\n   ```"], None),
        ("inline ```code``` here\n```a`b\nno fence", [], None),
        ("say\n```py\nx = 1\n", [], "```py\nx = 1\n"),
        ("```\n```\n```", ["```\n```"], "```"),
    ],
)
def test_fences_are_those_of_commonmark(text: str, closed: list[str], unclosed: str | None) -> None:
    found = find_fences(text)
    assert [text[slice(*span)] for span in found.closed] == closed
    assert (None if found.unclosed is None else text[slice(*found.unclosed)]) == unclosed


@given(LINES)
def test_a_text_is_the_sum_of_what_is_inside_and_outside_of_its_fences(lines: list[str]) -> None:
    text = "\n".join(lines)
    cut = list(outside(text, find_fences(text).all))
    assert "".join(text[slice(*span)] for span, _ in cut) == text
    assert all(span.start < span.end for span, _ in cut)


@given(LINES)
def test_only_the_last_fence_can_be_open(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = find_fences(text)
    assert found.unclosed is None or all(span.end <= found.unclosed.start for span in found.closed)
