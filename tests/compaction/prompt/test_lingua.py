"""The engine `llmlingua2` with the real llmlingua, a real tokenizer and a small model with random weights."""

from __future__ import annotations

import random
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.compression.models import build_roberta
from benchmarks.compression.reference import its_decisions, our_probabilities, plain_llmlingua
from compaction.prompt.classifier import ModelLoadError, TokenClassifier, load_classifier
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.lingua import LinguaCompressor
from compaction.prompt.model import EngineName
from compaction.prompt.precision import Precision
from tests.compaction.prompt.texts import CODE, ODD_TEXTS, PLAN, prose
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

torch: Any = pytest.importorskip("torch", reason="the extra llmlingua is not installed")
numpy: Any = pytest.importorskip("numpy", reason="the extra llmlingua is not installed")

count = token_counter().count


@pytest.fixture(scope="module")
def exact(model_folder: Path) -> TokenClassifier:
    return load_classifier(model_folder, precision=Precision.FP32)


@pytest.fixture(scope="module")
def compressor(exact: TokenClassifier) -> LinguaCompressor:
    return LinguaCompressor(classifier=exact, count=count)


def test_a_plan_gets_shorter_and_keeps_its_lines_and_their_indentation(with_model: Path) -> None:
    result = CompressionEngine().compress_context(PLAN, adapters=())
    assert result.engine is EngineName.LLMLINGUA2
    assert result.warnings == ()
    assert result.compressed_tokens == count(result.text) < result.original_tokens == count(PLAN)
    leads = [line[: len(line) - len(line.lstrip(" #>-123."))] for line in PLAN.splitlines()]
    assert [line[: len(line) - len(line.lstrip(" #>-123."))] for line in result.text.splitlines()] == leads


def test_fenced_code_stays_byte_for_byte(with_model: Path) -> None:
    text = f"{PLAN}\n{CODE}\n\n{PLAN}\n~~~\nalso  code\n~~~\n"
    result = CompressionEngine().compress_context(text)
    assert CODE in result.text
    assert "\n~~~\nalso  code\n~~~\n" in result.text
    assert result.compressed_tokens < 0.7 * result.original_tokens


def test_fenced_code_is_prose_where_it_need_not_be_preserved(with_model: Path) -> None:
    result = CompressionEngine().compress_context(f"{CODE}\n" * 6, 0.4, preserve_code_blocks=False, adapters=())
    assert result.compressed_tokens < 0.5 * result.original_tokens


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_any_text_is_compressed_without_an_error_and_without_glued_words(name: str, with_model: Path) -> None:
    text = ODD_TEXTS[name]
    result = CompressionEngine.get_instance().compress_context(text, adapters=())
    assert result.compressed_tokens <= result.original_tokens
    words = set(_latin(text))
    assert set(_latin(result.text)) <= words
    if name not in {"empty", "blank", "one long word", "a long word among others", "no spaces at all"}:
        assert 0.4 * result.original_tokens <= result.compressed_tokens <= 0.55 * result.original_tokens


def _latin(text: str) -> list[str]:
    return "".join(sign if sign.isascii() and sign.isalpha() else " " for sign in text).split()


@pytest.mark.parametrize("rate", [0.25, 0.5, 0.8])
def test_the_rate_is_met_over_the_whole_text(rate: float, with_model: Path) -> None:
    text = prose(3_000)
    result = CompressionEngine.get_instance().compress_context(text, rate)
    assert result.compressed_tokens == pytest.approx(rate * result.original_tokens, rel=0.1)
    assert result.ratio == pytest.approx(1 - rate, abs=0.1)


@pytest.mark.parametrize("target", [150, 900, 1_500])
def test_the_target_is_met_over_the_whole_text_code_included(target: int, with_model: Path) -> None:
    text = f"{prose(800)}\n\n{CODE}\n\n{prose(800, seed=4)}\n\n{CODE}\n"
    result = CompressionEngine.get_instance().compress_context(text, target_token=target)
    assert target * 0.9 <= result.compressed_tokens <= target * 1.1 or result.warnings


@pytest.mark.no_cover
def test_a_text_of_200_kilobytes_is_compressed_and_its_words_are_its_own(compressor: LinguaCompressor) -> None:
    text = prose(36_000)
    assert len(text) > 190_000
    target = count(text) // 2
    made = compressor.compress([text], [target])[0]
    assert 0.9 * target <= count(made) <= 1.1 * target
    assert {word.rstrip(".") for word in made.split()} <= {word.rstrip(".") for word in text.split()}


def test_many_texts_share_their_budget(compressor: LinguaCompressor) -> None:
    texts = [prose(12, seed=seed) for seed in range(40)]
    targets = [count(text) // 2 for text in texts]
    made = compressor.compress(texts, targets)
    assert sum(map(count, made)) == pytest.approx(sum(targets), rel=0.1)


def test_the_same_text_gives_the_same_bytes(with_model: Path) -> None:
    first, second = (CompressionEngine().compress_context(prose(900)).text for _ in range(2))
    assert first == second


# What is known of llmlingua 0.2.2, one by one.


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("words", [60, 1_500])
def test_our_probabilities_decide_as_llmlingua_does(
    words: int, exact: TokenClassifier, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    state = random.getstate()
    try:
        plain = plain_llmlingua(str(model_folder))
    finally:
        random.setstate(state)
    text = prose(words)
    ours, its = our_probabilities(exact, plain, text, 0.5), its_decisions(plain, text, 0.5)
    assert [word for word, _, _ in ours] == [word for word, _ in its]
    # Rounding puts a probability that is the threshold, of one word or of many, on either side of it. Nor may a full stop
    # stand right behind the last token that fits: see `TokenClassifier.borders`.
    sure = [
        (word, kept, probability > threshold)
        for (word, probability, threshold), (_, kept) in zip(ours, its, strict=True)
        if abs(probability - threshold) > 1e-5
    ]
    assert sure
    assert [one for one in sure if one[1] != one[2]] == []


def test_no_code_from_the_folder_of_a_model_is_run(model_folder: Path, tmp_path: Path) -> None:
    import json

    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["auto_map"] = {"AutoConfig": "evil.Evil", "AutoModelForTokenClassification": "evil.Evil"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    ran = tmp_path / "ran"
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Evil: pass\n", "utf-8")
    load_classifier(folder)
    assert not ran.exists()


def test_random_generators_are_left_alone(model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    before = random.getstate(), torch.random.get_rng_state().tolist(), numpy.random.get_state()[1].tolist()
    classifier = load_classifier(model_folder)
    classifier.score([PLAN])
    after = random.getstate(), torch.random.get_rng_state().tolist(), numpy.random.get_state()[1].tolist()
    assert after == before
    assert "PYTHONHASHSEED" not in os.environ
    assert len(classifier.tokenizer) == classifier.model.config.vocab_size, "no untrained tokens were added"


def test_the_device_is_one_that_exists(exact: TokenClassifier) -> None:
    assert exact.device == next(exact.model.parameters()).device.type
    assert exact.device in {"cpu", "cuda", "mps"}
    assert (exact.device == "cpu") is not (torch.cuda.is_available() or torch.backends.mps.is_available())


def test_the_name_of_the_folder_means_nothing(model_folder: Path, tmp_path: Path, exact: TokenClassifier) -> None:
    shutil.copytree(model_folder, tmp_path / "m")
    other = load_classifier(tmp_path / "m", precision=Precision.FP32)
    assert other.score([PLAN]) == exact.score([PLAN])


def test_a_roberta_with_a_sentencepiece_tokenizer_works_too(tmp_path: Path) -> None:
    classifier = load_classifier(build_roberta(tmp_path / "any name"), precision=Precision.FP32)
    assert classifier.positions == 512
    text = prose(1_200)
    target = count(text) // 2
    made = LinguaCompressor(classifier=classifier, count=count).compress([text], [target])[0]
    assert count(made) == pytest.approx(target, rel=0.1)
    assert set(_latin(made)) <= set(_latin(text))


def test_short_texts_are_padded_to_the_longest_beside_them(exact: TokenClassifier) -> None:
    shapes: list[tuple[int, int]] = []

    def noted(_module: object, _arguments: object, named: dict[str, Any]) -> None:
        shapes.append(tuple(named["input_ids"].shape))

    hook = exact.model.register_forward_pre_hook(noted, with_kwargs=True)
    try:
        exact.score(["five words are not many"])
        exact.score(["five words are not many", prose(100), "nor are these"])
        exact.score([prose(3_000), *["five words are not many"] * 20])
    finally:
        hook.remove()
    assert shapes[0][1] <= 32
    assert sum(rows for rows, _ in shapes[1:2]) == 3
    assert shapes[1][1] < 400
    # a few may fill the batch of the last piece of the long text, whose length depends on how the vocabulary was learnt
    assert sum(rows for rows, width in shapes[2:] if width <= 32) >= 15, "the short texts go in a batch of their own"


def test_texts_without_tokens_and_empty_ones_have_no_scores(exact: TokenClassifier) -> None:
    assert [len(found.spans) for found in exact.score(["", " \n ", "word"])][:2] == [0, 0]


@pytest.mark.parametrize("precision", [Precision.BF16, Precision.INT8, Precision.AUTO])
def test_faster_numbers_decide_nearly_the_same(
    precision: Precision, model_folder: Path, exact: TokenClassifier, compressor: LinguaCompressor
) -> None:
    text = prose(600)
    fast = load_classifier(model_folder, precision=precision)
    target = count(text) // 2
    made = LinguaCompressor(classifier=fast, count=count).compress([text], [target])[0].split()
    wanted = compressor.compress([text], [target])[0].split()
    same = len(set(enumerate(made)) & set(enumerate(wanted)))
    assert count(" ".join(made)) == pytest.approx(target, rel=0.1)
    worst = max(
        abs(one - other)
        for one, other in zip(fast.score([text])[0].probabilities, exact.score([text])[0].probabilities, strict=True)
    )
    assert worst < 0.1
    assert same > 0


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", "{"),
        ("config.json", '{"model_type": "nothing known"}'),
        ("tokenizer.json", "{"),
        ("model.safetensors", "no weights"),
    ],
)
def test_a_broken_model_costs_the_compression_and_not_the_call(
    file: str, content: str, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    (folder / file).write_text(content, "utf-8")
    with pytest.raises(ModelLoadError):
        load_classifier(folder)
    monkeypatch.setenv("FRACTAL_CONTEXT_MODEL", str(folder))
    result = CompressionEngine().compress_context(PLAN)
    assert result.text == PLAN
    assert result.engine is EngineName.NONE
    assert len(result.warnings) == 1
    assert str(folder) in result.warnings[0]


def test_a_model_that_is_no_token_classifier_is_refused(model_folder: Path, tmp_path: Path) -> None:
    import json

    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"architectures": ["BertLMHeadModel"]}), "utf-8")
    with pytest.raises(ModelLoadError, match="not one with two"):
        load_classifier(folder)


# Many calls at once.


def test_sixteen_calls_share_one_model_and_give_what_each_gives_alone(with_model: Path) -> None:
    texts = [prose(150, seed=seed) for seed in range(16)]
    alone = [CompressionEngine.get_instance().compress_context(text).text for text in texts]
    engine = CompressionEngine()
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(engine.compress_context, texts))
        models = set(map(id, pool.map(engine.classifier, [with_model] * 16)))
    assert [result.text for result in together] == alone
    assert len(models) == 1


class _GivenUpError(Exception):
    pass


def test_a_call_that_is_given_up_ends_and_leaves_the_others_alone(with_model: Path) -> None:
    engine = CompressionEngine()
    text = prose(6_000)
    seen: list[tuple[int, int, str]] = []
    wanted = engine.compress_context(prose(400)).text

    def give_up(done: int, total: int, stage: str) -> None:
        seen.append((done, total, stage))
        if done:
            raise _GivenUpError

    with ThreadPoolExecutor(4) as pool:
        given_up = pool.submit(engine.compress_context, text, progress=give_up)
        others = [pool.submit(engine.compress_context, prose(400)) for _ in range(3)]
        assert [other.result().text for other in others] == [wanted] * 3
        with pytest.raises(_GivenUpError):
            given_up.result()
    assert 0 < seen[-1][0] < seen[-1][1], "it ended before its last batch"
    assert engine.compress_context(prose(400)).text == wanted


def test_a_call_that_waits_for_its_turn_can_be_given_up(exact: TokenClassifier) -> None:
    asked = threading.Event()

    def give_up(_done: int, _total: int, _stage: str) -> None:
        asked.set()
        raise _GivenUpError

    others_are_done = threading.Event()
    others = [exact.workers.submit(others_are_done.wait) for _ in range(exact.width)]
    try:
        with pytest.raises(_GivenUpError):
            exact.score([PLAN], progress=give_up)
    finally:
        others_are_done.set()
    assert all(other.result() for other in others)
    assert asked.is_set()
    assert exact.score([PLAN])[0].spans


@pytest.mark.no_cover
async def test_the_event_loop_goes_on_while_threads_compress(with_model: Path) -> None:
    import asyncio

    engine = CompressionEngine.get_instance()
    calls = [asyncio.create_task(asyncio.to_thread(engine.compress_context, prose(1_500, seed))) for seed in range(16)]
    rounds = 0
    while not all(call.done() for call in calls):
        rounds += 1
        await asyncio.sleep(0)
    assert all(call.result().compressed_tokens < call.result().original_tokens for call in calls)
    assert rounds > 100
