"""Measures the savings and losses of compressed prompts, engine by engine: `python -m benchmarks.compression.quality`.

The first table is about the texts of `corpus`: tokens saved, and how many of the facts that were marked by hand are still
there, for each engine and rate. The model is that of `FRACTAL_CONTEXT_MODEL` or of the local cache; where there is none, a
small one with random weights takes its place, which shows what words drop when nobody knows which matter.

With `--cce DIR`, a checkout of context-compression-engine with its dependencies and `tsx` installed, it takes part in the
first table, and a second one has its own published scenarios: characters before and after (as it counts them) and whether the
originals come back, its own way and ours. Its code is run where it lies.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.compression.corpus import SAMPLES, retained
from benchmarks.compression.models import build_bert
from compaction.prompt.engine import CompressionEngine
from compaction.prompt.model import EngineName
from compaction.prompt.uncompress import uncompress
from compaction.prompt.weights import MODEL_VARIABLE, find_model
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Sequence

_RATES = (0.8, 0.6, 0.5, 0.4, 0.3)
_MARK = "@@answer "
_CCE_RUN = """
const samples: string[] = JSON.parse(readFileSync(process.argv[2], 'utf-8'));
const told = (content: string) => {
  const cr = compress([msg('assistant', content)], { recencyWindow: 0 });
  return cr.messages[0].content;
};
const scenarios = buildScenarios().map((scenario) => {
  const cr = compress(scenario.messages, { recencyWindow: 0 });
  const er = uncompress(cr.messages, cr.verbatim);
  return {
    name: scenario.name,
    messages: scenario.messages,
    after: chars(cr.messages),
    returns: JSON.stringify(er.messages) === JSON.stringify(scenario.messages),
  };
});
console.log('@@answer ' + JSON.stringify({ samples: samples.map(told), scenarios }));
"""

count = token_counter().count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cce", type=Path, help="a checkout of context-compression-engine")
    options = parser.parse_args()
    cce: Any = cce_answers(options.cce) if options.cce else None
    with tempfile.TemporaryDirectory() as temporary:
        corpus_table(model_name(Path(temporary)), cce["samples"] if cce else None)
    if cce:
        scenario_table(cce["scenarios"])


def model_name(folder: Path) -> str | None:
    """Returns the name of the model engine in the table; None where its packages are missing."""
    if find_model().folder is not None:
        return "llmlingua2"
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("llmlingua") is None:
        return None
    os.environ[MODEL_VARIABLE] = str(build_bert(folder / "random"))
    return "llmlingua2, random weights"


def corpus_table(model: str | None, cce: Sequence[str] | None) -> None:
    tokens = sum(count(sample.text) for sample in SAMPLES)
    print(f"{len(SAMPLES)} texts, {tokens} tokens; facts of the texts it was made with, and of those held out\n")
    print(f"{'engine':30}{'rate':>6}{'saved':>8}{'facts kept':>14}{'held out':>14}")
    engine = CompressionEngine.get_instance()
    for name, label in ((EngineName.EXTRACTIVE, "extractive"), (EngineName.LLMLINGUA2, model)):
        for rate in _RATES if label else ():
            made = [engine.compress_context(sample.text, rate, engine=name, adapters=()).text for sample in SAMPLES]
            print_row(str(label), f"{rate:.1f}", made)
    if cce is not None:
        print_row("context-compression-engine", "-", cce)


def print_row(label: str, rate: str, made: Sequence[str]) -> None:
    before = sum(count(sample.text) for sample in SAMPLES)
    cells = ""
    for held_out in (False, True):
        pairs = [(sample, text) for sample, text in zip(SAMPLES, made, strict=True) if sample.held_out is held_out]
        kept = sum(len(retained(sample, text)) for sample, text in pairs)
        cells += f"{kept:>6} of {sum(len(sample.must) for sample, _ in pairs):4}"
    print(f"{label:30}{rate:>6}{1 - sum(map(count, made)) / before:8.1%}  {cells}")


def scenario_table(scenarios: Sequence[Any]) -> None:
    print("\ncharacters before / after, and whether the originals come back; ours is the extractive engine")
    print(
        f"{'scenario':26}{'characters':>11}{'theirs':>9}{'back':>6}"
        + "".join(f"{f'ours {rate}':>10}{'back':>6}" for rate in (0.5, 0.2))
    )
    for scenario in scenarios:
        messages: list[Any] = scenario["messages"]
        marked = [
            message | {"content": f"<compress>{message['content']}</compress>"}
            if message["role"] != "system" and message.get("content")
            else message
            for message in messages
        ]
        size = characters(messages)
        line = f"{scenario['name']:26}{size:>11}{size / scenario['after']:9.2f}{answer(scenario['returns']):>6}"
        for rate in (0.5, 0.2):
            made = CompressionEngine.get_instance().compress_messages(marked, {"engine": "extractive", "rate": rate})
            back = uncompress(made.messages, made.store)
            line += f"{size / characters(made.messages):10.2f}{answer(back == marked):>6}"
        print(line)


def characters(messages: Sequence[Any]) -> int:
    return sum(len(message["content"]) for message in messages if isinstance(message.get("content"), str))


def answer(truth: bool) -> str:
    return "yes" if truth else "NO"


def cce_answers(checkout: Path) -> Any:
    """Run its scenarios and our samples through its own code, from a file beside its benchmark that is removed again."""
    source = (checkout / "bench" / "run.ts").read_text("utf-8")
    script = checkout / "bench" / "side-by-side.ts"
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as samples:
        json.dump([sample.text for sample in SAMPLES], samples)
        samples.flush()
        script.write_text(source[: source.rindex("run().catch(")] + _CCE_RUN, "utf-8")
        try:
            told = subprocess.run(
                [checkout / "node_modules" / ".bin" / "tsx", script, samples.name],
                check=True,
                capture_output=True,
                text=True,
                encoding="utf-8",
            ).stdout
        finally:
            script.unlink()
    return json.loads(next(line for line in told.splitlines() if line.startswith(_MARK)).removeprefix(_MARK))


if __name__ == "__main__":
    main()
