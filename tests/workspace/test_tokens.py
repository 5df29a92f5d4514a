from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken import registry

from workspace import (
    BudgetTooSmallError,
    InvalidArgumentError,
    TokenCounter,
    parse_budget,
    token_counter,
    tokens,
)
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.tokens import BUNDLED_ENCODINGS, PIECE, encoding_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tiktoken import Encoding

REPOSITORY = Path(__file__).parents[2]
# A place where nothing answers, for every way to the network that tiktoken knows.
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")

PIECES = ["\n", " ", "    ", "\t", "/", "//", ";", "}", "word", "Word", "'s", "7", "é", "\u2028", "\xa0", "\r", "\x0c"]


def run_alone(code: str, settings: Mapping[str, str]) -> str:
    """Run code in a process of its own, without a network and with only these cache settings."""
    environment = {
        name: value for name, value in os.environ.items() if name not in {"TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"}
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**environment, **NO_NETWORK, "PYTHONPATH": str(REPOSITORY), **settings},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("encoding", BUNDLED_ENCODINGS)
def test_text_is_counted_in_either_vocabulary(encoding: str) -> None:
    counter = token_counter(encoding)
    assert counter.encoding == encoding
    assert counter.count("") == 0
    assert counter.count("hello world") == 2
    assert counter.count(b"hello world") == 2


def test_the_default_is_o200k_and_a_counter_is_made_once() -> None:
    assert token_counter().encoding == "o200k_base"
    assert token_counter() is token_counter()


def test_special_tokens_are_plain_text() -> None:
    assert token_counter().count("<|endoftext|>") > 1
    assert token_counter().count("<|endofprompt|>") > 1


def test_bytes_that_are_not_utf8_are_counted_with_replacement() -> None:
    assert token_counter().count(b"a\xffb") == token_counter().count("a\ufffdb")
    assert token_counter().count("a\ud800b") == token_counter().count("a\ufffdb")


@pytest.mark.parametrize("encoding", BUNDLED_ENCODINGS)
@given(text=st.text(max_size=300))
def test_the_count_is_that_of_tiktoken(encoding: str, text: str) -> None:
    counter = token_counter(encoding)
    count = counter.count(text)
    assert count == len(encoding_of(encoding).encode_ordinary(text))
    assert count == counter.count(text.encode())
    assert count <= len(text.encode())


@given(st.text(max_size=100), st.text(max_size=100))
def test_texts_counted_together_are_never_much_more_than_counted_apart(first: str, second: str) -> None:
    # A pre-token that a join makes has at most one token a byte, so only the pre-tokens at the seam can add anything.
    counter = token_counter()
    assert counter.count(first + second) <= counter.count(first) + counter.count(second) + 4 * 100


@given(st.lists(st.sampled_from(["def f():\n", "    return 1\n", "\n", "# note\n", "x = {}\n"]), max_size=20))
def test_lines_of_code_counted_apart_add_up_to_at_least_the_whole(lines: list[str]) -> None:
    counter = token_counter()
    assert counter.count("".join(lines)) <= sum(counter.count(line) for line in lines)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "A" * 300_000, "漢" * 300_000, "=" * 300_000, "\n" * 300_000, "aGVsbG8" * 50_000]
)
def test_a_long_text_without_a_break_is_counted_exactly(text: str) -> None:
    assert token_counter().count(text) == len(encoding_of("o200k_base").encode_ordinary(text))


@pytest.mark.parametrize("blank", [" ", "\t", "\u3000", " \t"])
def test_millions_of_blanks_are_counted_near_exactly(blank: str) -> None:
    counter = token_counter()
    run = blank * ((3 * PIECE + 5) // len(blank))
    piece = counter.count(run[:PIECE])
    assert 3 * piece <= counter.count(f"x{run}y") <= 3 * piece + 10


def test_a_long_text_with_short_blank_runs_is_counted_exactly() -> None:
    text = ("word " * 10 + "\n" + " " * 1000) * 600
    assert len(text) > 2 * PIECE
    assert token_counter().count(text) == len(encoding_of("o200k_base").encode_ordinary(text))


def test_threads_may_share_a_counter() -> None:
    counter = token_counter("cl100k_base")
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(counter.count, ["hello world"] * 100)) == {2}


def test_a_vocabulary_whose_loading_has_just_begun_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = token_counter("cl100k_base")
    assert counter.count("a")
    assert counter.is_loaded
    monkeypatch.setitem(sys.modules, "tiktoken.registry", ModuleType("tiktoken.registry"))  # as another thread has it
    assert not counter.is_loaded


def test_a_counter_travels_to_another_process() -> None:
    copied: object = pickle.loads(pickle.dumps(token_counter()))
    assert isinstance(copied, TokenCounter)
    assert copied.count("hello world") == 2


def test_an_unknown_encoding_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidArgumentError, match=r"cl100k_base.*o200k_base"):
        token_counter("nonsense")


def test_an_encoding_that_is_not_bundled_loads_as_tiktoken_loads_it(tmp_path: Path) -> None:
    code = """
        from workspace import InvalidArgumentError, token_counter
        try:
            token_counter("p50k_base")
        except InvalidArgumentError as error:
            print(error)
    """
    assert "TIKTOKEN_CACHE_DIR" in run_alone(code, {"TIKTOKEN_CACHE_DIR": str(tmp_path)})


@pytest.mark.parametrize("setting", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", "NONE", "EMPTY"])
def test_the_bundled_vocabularies_need_no_network_and_leave_the_user_s_settings_alone(
    tmp_path: Path, setting: str
) -> None:
    settings = {"NONE": {}, "EMPTY": {"TIKTOKEN_CACHE_DIR": ""}}.get(setting, {setting: str(tmp_path)})
    code = """
        import os
        before = dict(os.environ)
        from workspace import token_counter
        print([token_counter(name).count("hello world") for name in ("o200k_base", "cl100k_base")])
        import tiktoken
        print(len(tiktoken.get_encoding("cl100k_base").encode("hello world")), dict(os.environ) == before)
    """
    assert run_alone(code, {**settings, "TMPDIR": str(tmp_path)}) == "[2, 2]\n2 True"
    assert not list(tmp_path.iterdir())


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = """
        import sys
        import workspace
        print(sorted({"tiktoken", "regex", "requests", "pathspec"} & set(sys.modules)))
    """
    assert run_alone(code, {}) == "[]"


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        (8000, 8000),
        (64, 64),
        (10**30, 10**30),
        ("8000", 8000),
        (" 8k ", 8000),
        ("8K", 8000),
        ("8 k", 8000),
        ("1.5M", 1_500_000),
        ("1.2345k", 1234),
        ("0.5k", 500),
        ("8_000", 8000),
        ("9" * 50, int("9" * 50)),
        (0, None),
        ("0", None),
        ("0k", None),
        ("Unlimited", None),
    ],
)
def test_a_budget_is_read_from_numbers_and_words(value: int | str, tokens: int | None) -> None:
    assert parse_budget(value) == tokens


def test_no_budget_is_the_default() -> None:
    assert parse_budget(None) is None
    assert parse_budget(None, default=20000) == 20000


@pytest.mark.parametrize("value", [1, 63, "63", "0.01k"])
def test_a_budget_below_the_least_names_it(value: int | str) -> None:
    with pytest.raises(BudgetTooSmallError, match="64") as refused:
        parse_budget(value)
    assert refused.value.minimum == 64


@pytest.mark.parametrize(
    "value",
    [-1, True, False, "", " ", "abc", "-5", "1e3", "8kk", "1.5", "8000.0", ".5k", "k", "8,000", "_8", "8_", "٨", "nan", "inf", "9" * 5000, 8.5, float("nan"), b"8", [8]],
)  # fmt: skip
def test_what_is_no_budget_is_refused(value: object) -> None:
    with pytest.raises(InvalidArgumentError, match="no token budget") as refused:
        parse_budget(cast("int", value))
    assert len(str(refused.value)) < 300


@given(st.integers() | st.text(max_size=20) | st.from_regex(r"\s*[0-9_]{1,8}(\.[0-9]+)?\s*[kKmM]?\s*", fullmatch=True))
def test_every_budget_is_a_number_or_a_refusal(value: int | str) -> None:
    try:
        tokens = parse_budget(value)
    except InvalidArgumentError:
        return
    assert tokens is None or tokens >= 64


def test_a_call_that_is_given_up_does_not_wait_for_the_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    load: Callable[[str], Encoding] = vars(tokens)["_bundled"]
    released = threading.Event()

    def held_up(name: str) -> Encoding:
        released.wait()
        return load(name)

    class Leaving(CancelToken):
        looks = 0

        def look(self) -> None:
            self.looks += 1
            if self.looks == 2:
                self.give_up()
            super().look()

    monkeypatch.setattr(tokens, "_bundled", held_up)
    monkeypatch.delitem(registry.ENCODINGS, "cl100k_base", raising=False)
    with cancellable(Leaving()), pytest.raises(CallCancelledError):
        TokenCounter("cl100k_base").count("one")
    released.set()
    assert TokenCounter("cl100k_base").count("one two") == 2


def test_a_vocabulary_that_cannot_be_loaded_is_told_to_each_call_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []

    def damaged(name: str) -> Encoding:
        tried.append(name)
        raise ImportError("damaged")

    monkeypatch.setattr(tokens, "_bundled", damaged)
    monkeypatch.delitem(registry.ENCODINGS, "cl100k_base", raising=False)
    for _ in range(2):
        with pytest.raises(ImportError, match="damaged"):
            TokenCounter("cl100k_base").count("one")
    assert len(tried) == 2


@pytest.mark.parametrize("text", ["", "a", "word " * 30, "日本語" * 9, "\ud800" * 7, "<|endoftext|>" * 3, "\0" * 40])
def test_what_fits_is_what_counting_says(text: str) -> None:
    counter = token_counter()
    tokens = counter.count(text)
    for budget in (0, tokens - 1, tokens, tokens + 1, 3 * len(text), float("inf")):
        assert counter.fits(text, budget) == (tokens <= budget)


@given(
    st.sampled_from(BUNDLED_ENCODINGS),
    st.lists(st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), min_size=1, max_size=5), max_size=6),
)
def test_neighbours_are_counted_together_as_one_text(encoding: str, texts: list[list[str]]) -> None:
    counter = token_counter(encoding)
    encoded = ["".join(f"{line}\n" for line in lines).encode() for lines in texts]
    each = [counter.count(text) for text in encoded]
    assert counter.count_neighbours(encoded) == (each, counter.count(b"".join(encoded)))
