from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.compression.corpus import SAMPLES as ALL_SAMPLES
from benchmarks.compression.corpus import Sample
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.extractive import ExtractiveCompressor
from compaction.prompt.model import EngineName
from compaction.prose.sentences import CONSTRAINT, fact_spans, split
from compaction.prose.units import Kind, units
from tests.compaction.prompt.texts import ODD_TEXTS, PLAN, prose
from workspace.tokens import token_counter

count = token_counter().count
SAMPLES = [sample for sample in ALL_SAMPLES if not sample.held_out]
COMPRESSOR = ExtractiveCompressor(count=count)


@pytest.mark.parametrize("rate", [0.8, 0.6, 0.4, 0.2])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_rule_is_kept_whole_at_any_rate(sample: Sample, rate: float) -> None:
    result = CompressionEngine.get_instance().compress_context(sample.text, rate, engine="extractive", adapters=())
    found = units(sample.text)
    rules = {flat(sample.text[unit.start : unit.end]) for unit in found if unit.kind is not Kind.HEADING}
    kept = flat(result.text)
    assert [rule for rule in rules if CONSTRAINT.pattern.search(rule) and rule not in kept] == []
    assert result.engine is EngineName.EXTRACTIVE or result.text == sample.text
    assert result.compressed_tokens <= 1.1 * rate * result.original_tokens + 2 or result.warnings


@pytest.mark.parametrize("share", [0.7, 0.5, 0.3])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_unit_that_is_kept_is_whole(sample: Sample, share: float) -> None:
    made = COMPRESSOR.compress([sample.text], [int(share * count(sample.text))])[0]
    known = {flat(sample.text[unit.start : unit.end]) for unit in units(sample.text)}
    assert {flat(made[unit.start : unit.end]) for unit in units(made)} <= known


def test_lines_of_a_log_that_differ_in_figures_alone_are_one_line_with_a_count() -> None:
    log = "\n".join(f"[12:00:{second:02}] worker {second % 3} took job {second * 7}" for second in range(50))
    made = COMPRESSOR.compress([f"{log}\nworker 2 crashed: out of memory"], [60])[0]
    assert made.splitlines()[0].endswith("lines like this)")
    assert made.endswith("worker 2 crashed: out of memory")
    assert made.splitlines()[0].startswith("[12:00:00] worker 0 took job 0 (+")


def test_a_target_is_kept_to_and_rules_that_find_no_room_are_told() -> None:
    text = "\n".join(
        f"- Do not delete port {5000 + number}, which the database of tenant {number} uses." for number in range(60)
    )
    result = CompressionEngine.get_instance().compress_context(text, target_token=300, engine="extractive")
    assert 270 <= result.compressed_tokens <= 300
    assert "sentences or lines that say what must or must not be done found no room" in result.warnings[-1]


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
    assert made.count("Never run the migration on production. (+5 more of the same)") == 1


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
    made = COMPRESSOR.compress([text], [target])[0]
    assert made == COMPRESSOR.compress([text], [target])[0]
    plain = _COUNTED.sub("", made)
    assert set(plain.split()) <= set(text.split())


def test_an_exception_stays_with_the_rule_that_it_limits() -> None:
    text = (
        "Except on Fridays, deploys are allowed. However, this does not apply to the billing service. "
        "It is a good idea to keep in mind that many people have opinions. The weather was fine, as everybody said. "
        "Die Zeit vergeht. Никогда не удаляйте таблицу users."
    )
    made = COMPRESSOR.compress([text], [10])[0]
    assert "Except on Fridays, deploys are allowed. However, this does not apply to the billing service." in made
    assert "keep in mind" not in made
    assert ". Никогда" in made


def test_figures_between_letters_without_spaces_and_numbers_of_items_are_read() -> None:
    assert [text for start, end in fact_spans("超时时间为30秒。") if (text := "超时时间为30秒。"[start:end])] == ["30"]
    assert list(split("**9. Files and folders** stay.")) == ["**9. Files and folders** stay."]


_COUNTED = re.compile(r" \(\+\d+ (?:more of the same|lines like this)\)")


def test_rules_come_before_rows_of_tables_where_a_number_of_tokens_is_asked_for() -> None:
    rows = "\n".join(
        f"| {name} | the one that everybody uses and that should work |" for name in ("prod", "test", "dev")
    )
    rules = [
        "The bucket must never be deleted by anybody.",
        "Keys must not be rotated on Fridays.",
        "Never restart it by hand.",
    ]
    table = f"| env | note |\n|---|---|\n{rows}"
    text = f"# Runbook\n\n{' '.join(rules)} {prose(60)}\n\n## Where\n\n{table}\n"
    engine = CompressionEngine.get_instance()
    short = engine.compress_context(text, target_token=60, engine="extractive")
    assert [rule for rule in rules if rule not in short.text] == []
    assert short.compressed_tokens <= 60
    by_rate = engine.compress_context(text, 0.2, engine="extractive")
    assert table in by_rate.text
    assert [rule for rule in rules if rule not in by_rate.text] == []


NOTE = "The office was painted and everybody liked the new colour of the walls very much, as it seems."


def test_a_paragraph_that_goes_takes_its_indentation_with_it() -> None:
    fence = "```sh\nrun --port 8080\n```\n\n"
    text = (
        f"# Install\n\nGet the 2 files of `setup.sh` and never run them as root.\n\n{fence}"
        f"    {NOTE} {NOTE}\n\n## Overview\n\n1. Port 8080 must be free, because the server needs it.\n\n"
        f"{fence}    {NOTE}\n\n    The key must stay in `keys.toml`.\n\n## End\n"
    )
    made = CompressionEngine.get_instance().compress_context(text, 0.4, engine="extractive")
    assert "colour" not in made.text.replace(NOTE, "", 1)
    lines = made.text.split("\n")
    assert [line for line in lines if line.strip().startswith("#")] == ["# Install", "## Overview", "## End"]
    assert "    The key must stay in `keys.toml`." in lines
    assert [line for line in lines if line and not line.strip()] == []


def flat(text: str) -> str:
    return " ".join(text.split())
