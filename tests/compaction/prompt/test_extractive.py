from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.compression.corpus import SAMPLES as ALL_SAMPLES
from benchmarks.compression.corpus import Sample, retained
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.extractive import ExtractiveCompressor
from compaction.prompt.layout import lay_out
from compaction.prompt.model import EngineName
from tests.compaction.prompt.texts import ODD_TEXTS, PLAN, prose
from workspace.tokens import token_counter

count = token_counter().count
SAMPLES = [sample for sample in ALL_SAMPLES if not sample.held_out]
COMPRESSOR = ExtractiveCompressor(count=count)


@pytest.mark.parametrize("rate", [0.8, 0.6, 0.4, 0.2])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_constraint_figure_identifier_and_path_is_kept_at_any_rate(sample: Sample, rate: float) -> None:
    result = CompressionEngine.get_instance().compress_context(sample.text, rate, engine="extractive", adapters=())
    assert [fact for fact in sample.must if fact not in retained(sample, result.text)] == []
    assert result.engine is EngineName.EXTRACTIVE
    assert result.compressed_tokens <= 1.1 * rate * result.original_tokens + 2 or result.warnings


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_third_of_the_text_can_go_without_a_fact_lost(sample: Sample) -> None:
    made = COMPRESSOR.compress([sample.text], [1])[0]
    assert count(made) < 0.66 * count(sample.text)


def test_a_generous_target_keeps_whole_sentences() -> None:
    sample = SAMPLES[0]
    made = COMPRESSOR.compress([sample.text], [int(0.7 * count(sample.text))])[0]
    sentences = {sentence.strip() for sentence in sample.text.replace("\n", " ").split(". ")}
    kept = [sentence.strip() for sentence in made.replace("\n", " ").split(". ")]
    assert len(set(kept) & sentences) >= 0.7 * len(kept)


def test_small_talk_goes_first() -> None:
    sample = SAMPLES[1]
    made = COMPRESSOR.compress([sample.text], [int(0.75 * count(sample.text))])[0]
    assert "pleasure" not in made


def test_a_constraint_that_is_said_twice_is_kept_once() -> None:
    text = (
        "Never run the migration on production. " * 6
        + "The weather was fine on that day, and people were pleased. " * 4
    )
    made = COMPRESSOR.compress([text], [20])[0]
    assert made.count("Never run the migration on production") == 1


def test_a_sentence_that_is_wrapped_is_one_sentence() -> None:
    text = (
        "The people who had come to the meeting were glad to see each other, and the coffee\nwas good. "
        "Never restart the broker while a\nrebalance is running.\n"
    )
    assert "Never restart the broker while a\nrebalance is running." in COMPRESSOR.compress([text], [16])[0]


def test_headings_stay_above_what_is_kept() -> None:
    text = "# First\n\nThe weather was fine, and everybody said so.\n\n## Second\n\nKeep port 5433 free.\n"
    assert COMPRESSOR.compress([text], [14])[0] == "# First\n\n## Second\n\nKeep port 5433 free.\n"


def test_a_text_without_facts_is_cut_to_its_best_sentences() -> None:
    text = prose(400).replace("never", "often").replace("Never", "Often").replace("keep", "have").replace("not ", "")
    made = COMPRESSOR.compress([text], [count(text) // 4])[0]
    assert 0.15 * count(text) <= count(made) <= 0.25 * count(text) + 1


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_any_text_is_compressed_without_an_error(name: str) -> None:
    text = ODD_TEXTS[name]
    made = COMPRESSOR.compress([text], [max(1, count(text) // 2)])[0]
    assert count(made) <= count(text)
    assert bool(made.strip()) == bool(text.strip())


@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(
        st.sampled_from([*PLAN.splitlines(keepends=True), *SAMPLES[4].text.split(". "), "\n"]), max_size=20
    ).map("".join),
    target=st.integers(1, 200),
)
def test_equal_texts_give_equal_bytes_and_words_of_the_text(text: str, target: int) -> None:
    made, again = COMPRESSOR.compress([text, text], [target, target])
    assert made == again
    assert set(_words(made)) <= set(_words(text))


def _words(text: str) -> list[str]:
    layout = lay_out(text)
    return [layout.word(number) for number in range(len(layout.words))]
