from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workspace.test_tokens import run_alone
from workspace import byte_pairs
from workspace.byte_pairs import LONGEST, BytePairCounter, UncountableError
from workspace.tokens import DEFAULT_ENCODING, bundled_vocabulary, encoding_of, token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPORA = Path(__file__).parents[1]
TOKENS = bundled_vocabulary(DEFAULT_ENCODING, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d")
COUNTER = BytePairCounter(TOKENS)
SNIPPETS = (
    *(
        "don't",
        "WE'LL",
        "I'VE",
        "x'S",
        "'",
        "\r\n",
        "\n",
        " ",
        "\t",
        "\x0b",
        "\x1c",
        "\x01",
        "//",
        "/",
        "12345",
        "é",
        "É",
    ),
    *(
        "日",
        "\u0308",
        "ʰ",
        "ǅ",
        "½",
        "\u00a0",
        "\u2028",
        "—",
        "🙂",
        "A",
        "b",
        "_",
        "=" * 9,
        "-" * 80,
        "café'll",
        "CamelCaseHTTP",
    ),
)


def by_tiktoken(text: str) -> int:
    return len(encoding_of(DEFAULT_ENCODING).encode_ordinary(text))


@given(st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=8), max_size=60).map("".join))
def test_what_is_counted_is_counted_as_tiktoken_does(text: str) -> None:
    try:
        assert COUNTER.count(text) == by_tiktoken(text)
    except UncountableError:
        assert any(unicodedata.category(one) in {"Cn", "Cs"} or one == "\u017f" for one in text)


def alphabets() -> Iterator[str]:
    """Every character that this Python knows, 256 together, in whatever may stand beside it; three of those all of a kind."""
    for start in range(0, sys.maxunicode + 1, 256):
        known = [one for one in map(chr, range(start, start + 256)) if unicodedata.category(one) not in {"Cn", "Cs"}]
        if len(set(map(unicodedata.category, known))) == 1:
            known = [known[0], known[len(known) // 2], known[-1]]
        if known:
            yield "".join(
                f"a{one}b {one} {one}{one}\n{one}'s1{one}A{one}/\n  {one}\n !{one}! {one}!{one}1{one}({one}b\t{one}"
                for one in known
                if one != "\u017f"
            )


def test_every_character_is_of_the_kind_that_it_is_of_for_tiktoken() -> None:
    differing = [hex(ord(text[1])) for text in alphabets() if COUNTER.count(text) != by_tiktoken(text)]
    assert not differing


def test_the_corpora_are_counted_as_tiktoken_counts_them() -> None:
    texts = [path.read_bytes().decode("utf-8", "replace") for path in CORPORA.rglob("*") if path.is_file()]
    assert sum(map(len, texts)) > 1_000_000
    for text in texts:
        assert token_counter().count(text) == sum(map(by_tiktoken, pieces_of(text)))


def pieces_of(text: str) -> Iterator[str]:
    from workspace import tokens

    return vars(tokens)["_pieces"](text)


@pytest.mark.parametrize("text", ["\ud800", "ſ", "'ſ", "=" * (LONGEST + 1), "\u0378"])
def test_what_only_tiktoken_can_count_is_refused(text: str) -> None:
    with pytest.raises(UncountableError):
        COUNTER.count(f"a {text} b")
    assert token_counter().count(f"a {text} b") == by_tiktoken(f"a {text} b")


def test_words_are_remembered_until_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_pairs, "MOST_WORDS", 3)
    counter = BytePairCounter(TOKENS)
    text = " ".join(f"word{'x' * number}y" for number in range(20)) * 2
    assert counter.count(text) == by_tiktoken(text)


def test_a_text_of_code_is_counted_without_tiktoken() -> None:
    code = """
        import sys
        from workspace import token_counter
        print(token_counter().count("def café(): return '⋮ — 12 %'"), "tiktoken" in sys.modules)
    """
    assert run_alone(code, {}).endswith(" False")
