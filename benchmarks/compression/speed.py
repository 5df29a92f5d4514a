"""Times the compression of prompts beside plain llmlingua, in one run: `python -m benchmarks.compression.speed`.

Both run the same model, made on the spot with random weights in the size of
`llmlingua-2-bert-base-multilingual-cased-meetingbank` (177 million parameters), on the same texts and the same processor
threads. The texts are made of words from a seed. Plain llmlingua is given the short texts as one list, which is its fastest
way. Times are of the clock and of the processor; the ratio of the latter suffers less from whatever else the machine does.

The engine keeps other words than llmlingua on purpose (one threshold for a text), so equality is looked at one level below:
llmlingua's own rule is applied to the probabilities of our batches in single precision, and word by word compared with what
it decides itself. What the faster numbers cost is told apart: how many of the words that they keep single precision keeps.
"""

from __future__ import annotations

import argparse
import importlib
import random
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.compression.models import REAL, TEXTS, build_bert
from benchmarks.compression.reference import its_decisions, our_decisions, plain_llmlingua
from compaction.prompt.classifier import load_classifier
from compaction.prompt.lingua import LinguaCompressor
from compaction.prompt.precision import Precision
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = "bert-base-multilingual-cased-random"
_RATE = 0.5
count = token_counter("cl100k_base").count


def text_of(tokens: int, dice: random.Random) -> str:
    """A text of about so many tokens, in sentences."""
    words = [word.strip(".,;") for text in TEXTS for word in text.split()]
    sentences: list[str] = []
    size = 0
    while size < tokens:
        sentence = " ".join(dice.choice(words) for _ in range(dice.randrange(6, 20))) + "."
        sentences.append(sentence)
        size += count(f" {sentence}")
    return " ".join(sentences)


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Seconds of the clock and of the processor, the least of so many rounds each."""
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(rounds):
        started, spent = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - started)
        processor.append(time.process_time() - spent)
    return min(clock), min(processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help=f"a folder for the model, whose name must hold {_NAME[:28]!r}")
    parser.add_argument(
        "--rounds", type=int, default=3, help="rounds on the short texts; the long one has a third of them"
    )
    parser.add_argument("--tokens", type=int, default=20_000, help="tokens of the long text")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = options.model or Path(temporary) / _NAME
        if not (folder / "config.json").exists():
            build_bert(folder, shape=REAL)
        measure(folder, options.rounds, options.tokens)


def measure(folder: Path, rounds: int, tokens: int) -> None:
    torch: Any = importlib.import_module("torch")
    dice = random.Random(11)
    short = [text_of(dice.randrange(30, 110), dice) for _ in range(20)]
    long = text_of(tokens, dice)
    plain = plain_llmlingua(str(folder))
    ours = {
        precision: LinguaCompressor(classifier=load_classifier(folder, precision=precision), count=count)
        for precision in (Precision.AUTO, Precision.FP32)
    }
    print(
        f"threads: {torch.get_num_threads()}, torch {torch.__version__}, fastest: {ours[Precision.AUTO].classifier.precision}"
    )
    compare(plain, ours, [*short[:5], text_of(1_500, dice)])
    for name, texts, times in (
        (f"20 short texts, {sum(map(count, short))} tokens", short, rounds),
        (f"one text of {count(long)} tokens", [long], max(1, rounds // 3)),
    ):
        targets = [count(text) // 2 for text in texts]
        plain.compress_prompt(texts[:1] if len(texts) > 1 else short[:1], rate=_RATE)
        baseline = timed(lambda texts=texts: plain.compress_prompt(texts, rate=_RATE), times)
        print(f"\n{name}\n  {'':22}{'clock s':>9}{'ratio':>7}{'cpu s':>9}{'ratio':>7}")
        print(f"  {'llmlingua':22}{baseline[0]:9.2f}{1.0:7.1f}{baseline[1]:9.2f}{1.0:7.1f}")
        for precision, compressor in ours.items():
            compressor.compress(short[:4], [10] * 4)
            found = timed(lambda c=compressor, t=texts, n=targets: c.compress(t, n), times)
            label = f"ours, {compressor.classifier.precision}{' (default)' if precision is Precision.AUTO else ''}"
            print(
                f"  {label:22}{found[0]:9.2f}{baseline[0] / found[0]:7.1f}{found[1]:9.2f}{baseline[1] / found[1]:7.1f}"
            )


def compare(plain: Any, ours: dict[Precision, LinguaCompressor], texts: list[str]) -> None:
    exact, fast = ours[Precision.FP32], ours[Precision.AUTO]
    same = total = 0
    for text in texts:
        theirs = its_decisions(plain, text, _RATE)
        found = our_decisions(exact.classifier, plain, text, _RATE)
        total += len(theirs)
        same += sum(one == other for one, other in zip(theirs, found, strict=True))
    print(f"fp32, by llmlingua's rule: {same} of {total} words decided as llmlingua decides")
    kept = shared = 0
    for text in texts:
        targets = [count(text) // 2]
        one, other = exact.compress([text], targets)[0].split(), fast.compress([text], targets)[0].split()
        kept += len(one)
        shared += common(one, other)
    print(f"{fast.classifier.precision}, by our rule: {shared} of {kept} words kept as single precision keeps them")


def common(one: list[str], other: list[str]) -> int:
    """The length of the longest common subsequence of two lists of words."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, twin in enumerate(other, start=1):
            before, row[place] = row[place], before + 1 if word == twin else max(row[place], row[place - 1])
    return row[-1]


if __name__ == "__main__":
    main()
