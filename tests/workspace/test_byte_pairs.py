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
from workspace.byte_pairs import LONGEST, BytePairCounter, PackedTokens, UncountableError, index_of, ranks_of
from workspace.tokens import DEFAULT_ENCODING, bundled_vocabulary, encoding_of, token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPORA = Path(__file__).parents[1]
TOKENS = bundled_vocabulary(DEFAULT_ENCODING, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d")
COUNTER = BytePairCounter(ranks_of(TOKENS))
VOCABULARY = Path(byte_pairs.__file__).parent / "vocabularies" / DEFAULT_ENCODING
CONTENT, INDEX = (VOCABULARY.with_suffix(ending).read_bytes() for ending in (".msgpack", ".index"))
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
    counter = BytePairCounter(ranks_of(TOKENS))
    text = " ".join(f"word{'x' * number}y" for number in range(20)) * 2
    assert counter.count(text) == by_tiktoken(text)


def test_the_bundled_index_is_that_of_the_bundled_vocabulary() -> None:
    assert index_of(TOKENS, CONTENT.index(TOKENS[0]) - 2) == INDEX


def test_tokens_are_found_in_the_file_and_in_the_order_of_their_ranks() -> None:
    packed = PackedTokens(CONTENT, INDEX)
    found = [packed.get(token, -1) for token in TOKENS]
    assert found[0] >= 0
    assert found == sorted(set(found))
    assert [packed.get(one, -1) for one in (b"", b"\xc4\x01", b"no such token", b"x" * 300)] == [-1] * 4


@given(st.lists(st.sampled_from(SNIPPETS) | st.text(max_size=8), max_size=60).map("".join))
def test_few_words_are_counted_from_the_file_as_many_are(text: str) -> None:
    packed = BytePairCounter(PackedTokens(CONTENT, INDEX))
    try:
        assert packed.count(text) == COUNTER.count(text)
    except UncountableError:
        with pytest.raises(UncountableError):
            COUNTER.count(text)


def test_a_dict_is_built_once_many_words_were_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []

    def many() -> dict[bytes, int]:
        built.append(1)
        return ranks_of(TOKENS)

    monkeypatch.setattr(byte_pairs, "FEW_WORDS", 3)
    counter = BytePairCounter(PackedTokens(CONTENT, INDEX), many)
    assert counter.count("one two three") == 3
    assert not built
    assert counter.count(" four five six") == 3
    assert built == [1]
    counter.expect_many()
    assert built == [1]


def test_a_text_of_code_is_counted_without_tiktoken() -> None:
    code = """
        import sys
        from workspace import token_counter
        print(token_counter().count("def café(): return '⋮ — 12 %'"), "tiktoken" in sys.modules)
    """
    assert run_alone(code, {}).endswith(" False")
