from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compaction.prompt.fitting import by_score, fit
from compaction.prompt.layout import lay_out
from tests.compaction.prompt.texts import ODD_TEXTS, PLAN, prose
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from random import Random

count = token_counter().count
_PIECES = st.sampled_from(
    [
        *("word", "Word.", "a,", "…", "é", "文件", "。", "版", "Python", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r"),
        *("- ", "> ", "1. ", "## ", "    ", "\u2028", "\u3000", "☃", "x_y", "(see", "end)", "!?", "\ud800", "\x00"),
    ]
)
_TEXTS = st.lists(_PIECES, max_size=60).map("".join)


@given(text=_TEXTS)
def test_a_text_of_which_every_word_is_kept_comes_back_byte_for_byte(text: str) -> None:
    layout = lay_out(text)
    assert layout.render([True] * len(layout.words)) == text


@given(text=_TEXTS, dice=st.randoms(use_true_random=False))
def test_what_is_kept_are_words_of_the_text_in_their_order_and_none_are_glued(text: str, dice: Random) -> None:
    layout = lay_out(text)
    kept = [dice.random() < 0.5 for _ in layout.words]
    made = layout.render(kept)
    rest = iter(text)
    assert all(any(sign == other for other in rest) for sign in made if not sign.isspace())
    words = {run for whole in text.split() for run in _parts(whole)}
    assert {run for whole in made.split() for run in _parts(whole)} <= words


def _parts(whole: str) -> set[str]:
    """Runs of letters that write spaces between words: what must never be glued."""
    return set("".join(sign if sign.isascii() and (sign.isalnum() or sign == "_") else " " for sign in whole).split())


@given(text=_TEXTS, dice=st.randoms(use_true_random=False))
def test_each_line_that_is_left_has_the_indentation_of_a_line_of_the_text(text: str, dice: Random) -> None:
    layout = lay_out(text)
    made = layout.render([dice.random() < 0.5 for _ in layout.words])
    leads = [text[line.start : line.lead] for line in layout.lines]
    rest = iter(leads)
    for line in lay_out(made).lines:
        if line.first < line.last:
            assert any(made[line.start : line.lead].startswith(lead) for lead in rest)


def test_punctuation_clings_to_what_is_left_before_it() -> None:
    layout = lay_out("a big, old dog.")
    assert [layout.word(number) for number in range(len(layout.words))] == ["a", "big", ",", "old", "dog", "."]
    assert layout.render([False, True, False, False, False, True]) == "big."
    assert layout.render([False, True, True, False, False, True]) == "big,"
    assert layout.render([False, False, True, True, False, False]) == "old"
    assert layout.render([False, False, True, False, False, False]) == ","


def test_words_around_a_dropped_ideograph_are_set_apart() -> None:
    layout = lay_out("使用Python版Java代码")
    kept = [layout.word(number) in {"Python", "Java", "代", "使"} for number in range(len(layout.words))]
    assert layout.render(kept) == "使Python Java代"


def test_blank_lines_stay_one_run_and_a_line_without_words_is_gone() -> None:
    layout = lay_out("a\n\nb\n\n\nc\n\nd")
    assert layout.render([True, False, False, True]) == "a\n\nd"
    assert layout.render([False, False, True, False]) == "c"
    assert layout.render([True, False, True, False]) == "a\n\nc"
    assert lay_out("\n\na\nb\n\n").render([False, True]) == "\n\nb\n\n"


@pytest.mark.parametrize("target", [60, 120, 150])
def test_a_target_is_met_by_counting(target: int) -> None:
    layout = lay_out(PLAN)
    scores = [float(hash_of(layout.word(number))) for number in range(len(layout.words))]
    made = fit(layout, by_score(layout, scores, target, count=count), target, count=count)
    assert 0.9 * target <= count(made) <= target


def hash_of(word: str) -> int:
    return sum(ord(sign) * 31**place for place, sign in enumerate(word)) % 997


def test_the_threshold_is_one_for_the_whole_text() -> None:
    text = prose(1_000)
    layout = lay_out(text)
    half = len(layout.words) // 2
    scores = [1.0 - number / 10_000 if number < half else 0.5 - number / 10_000 for number in range(len(layout.words))]
    made = fit(layout, by_score(layout, scores, count(text) // 2, count=count), count(text) // 2, count=count)
    kept = len(made.split())
    start = text[: layout.words[half].start]
    same = sum(one == other for one, other in zip(made.split(), start.split(), strict=False))
    assert same > 0.6 * kept


def test_each_line_keeps_its_best_word_while_half_of_the_target_lasts() -> None:
    layout = lay_out(PLAN)
    scores = [1.0 / (1 + number) for number in range(len(layout.words))]
    made = fit(layout, by_score(layout, scores, 80, count=count), 80, count=count)
    assert len([line for line in made.splitlines() if line.strip()]) >= 10
    assert "     - It" in made


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_any_text_is_cut_to_a_target(name: str) -> None:
    layout = lay_out(ODD_TEXTS[name])
    target = max(1, count(layout.text) // 2)
    made = fit(layout, by_score(layout, [1.0] * len(layout.words), target, count=count), target, count=count)
    assert count(made) <= max(target, count(layout.text) if len(layout.words) < 2 else target)


@settings(max_examples=30)
@given(text=_TEXTS, target=st.integers(1, 80))
def test_a_target_is_never_passed_but_by_a_single_word(text: str, target: int) -> None:
    layout = lay_out(text)
    made = fit(layout, by_score(layout, [1.0] * len(layout.words), target, count=count), target, count=count)
    assert count(made) <= target or len(lay_out(made).words) <= 1
