"""Times a large history, and checks that token targets hold: `python -m benchmarks.compaction.speed [--code TREE]`.

The history has 4000 messages and about 10 MB: user messages, assistant prose, file reads, shell output, screenshots. The
work is done once cold (the vocabulary is loaded before) and the best of three warm runs is printed too; then the same
history is compacted under a row of targets, and what came out is compared with what was asked.

With `--code`, another work tree of this project is measured in the same run: each of the two by processes of its own, in
turn, by the seconds of the processor that the best of three takes at the default size and at each target.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from compaction.history import CompactionEngine, CompactionOptions

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject

MESSAGES = 4_000
BYTES = 10_000_000
TARGETS = (2_000, 5_000, 8_000, 12_000, 20_000, 30_000, 60_000)
_WORDS = [
    "server",
    "request",
    "config",
    "cache",
    "token",
    "index",
    "parser",
    "module",
    "user",
    "session",
    "file",
    "path",
    "query",
    "result",
    "error",
    "value",
    "worker",
    "because",
    "decided",
    "must",
    "never",
    "port",
    "timeout",
    "retry",
    "schema",
    "migration",
    "deploy",
    "release",
    "branch",
    "commit",
    "test",
    "failed",
    "passed",
]


def history(seed: int = 7) -> list[JsonObject]:
    """The made-up history, the same for the same seed."""
    dice = random.Random(seed)
    messages: list[JsonObject] = []
    output = BYTES // (MESSAGES // 4) - 600

    def words(count: int) -> str:
        return " ".join(dice.choice(_WORDS) for _ in range(count))

    def code(size: int) -> str:
        lines: list[str] = []
        length = 0
        while length < size:
            line = f"    {dice.choice(_WORDS)}_{dice.randrange(999)} = {dice.choice(_WORDS)}({dice.randrange(10_000)})"
            lines.append(line)
            length += len(line) + 1
        return "\n".join(lines)

    for number in range(MESSAGES // 4):
        path = f"src/{dice.choice(_WORDS)}/{dice.choice(_WORDS)}_{number}.py"
        messages.append({"role": "user", "content": f"Request {number}: {words(20)}. Keep port {5000 + number} free."})
        call: JsonObject = {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": "read_file", "arguments": f'{{"file_path": "{path}"}}'},
        }
        calls: list[Json] = [call]
        messages.append({"role": "assistant", "content": f"{words(25)}.", "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": code(output)})
        messages.append(
            {"role": "assistant", "content": f"I decided to change {path} because {words(12)}. {words(20)}."}
        )
    return messages


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--code", type=Path, help="another work tree of this project")
    options.add_argument(
        "--only-measure", action="store_true", help="print the seconds of the code that is imported, as JSON"
    )
    given = options.parse_args()
    if given.only_measure:
        print(json.dumps(measured()))
    elif given.code is not None:
        _beside(given.code.resolve())
    else:
        _alone()


def measured() -> dict[str, float]:
    """Return the seconds of the processor that the best of three compactions takes, by target."""
    messages = history()
    engine = CompactionEngine()
    engine.compact(messages[:8])
    found: dict[str, float] = {}
    for target in (None, *TARGETS):
        seconds: list[float] = []
        for _ in range(3):
            start = time.process_time()
            engine.compact(messages, CompactionOptions(target_tokens=target))
            seconds.append(time.process_time() - start)
        found["default" if target is None else str(target)] = min(seconds)
    return found


def _beside(other: Path) -> None:
    trees = {"this": Path(__file__).resolve().parents[2], "other": other}
    best: dict[str, dict[str, float]] = {}
    for _ in range(2):
        for name, tree in trees.items():
            done = subprocess.run(
                [sys.executable, str(Path(__file__).resolve()), "--only-measure"],
                cwd=tree,
                env=os.environ | {"PYTHONPATH": str(tree)},
                capture_output=True,
                check=True,
            )
            found: dict[str, float] = json.loads(done.stdout)
            best[name] = {label: min(took, best.get(name, found)[label]) for label, took in found.items()}
    print(f"{'target':10}{'this':>8}{'other':>8}  seconds of the processor")
    for label, took in best["this"].items():
        print(f"{label:10}{took:>8.2f}{best['other'][label]:>8.2f}")


def _alone() -> None:
    messages = history()
    engine = CompactionEngine()
    engine.compact(messages[:8])
    seconds: list[float] = []
    result = engine.compact(messages)
    for _ in range(4):
        start = time.perf_counter()
        result = engine.compact(messages)
        seconds.append(time.perf_counter() - start)
    size = sum(len(str(message)) for message in messages)
    print(f"{len(messages)} messages, {size / 1e6:.1f} MB, {result.tokens_before} tokens -> {result.tokens_after}")
    print(f"first {seconds[0]:.2f} s, best of the next three {min(seconds[1:]):.2f} s")
    for target in TARGETS:
        made = engine.compact(messages, CompactionOptions(target_tokens=target))
        outcome = (
            f"{made.tokens_after} tokens" if made.messages else f"{made.status.value}, minimum {made.minimum_tokens}"
        )
        print(f"target {target}: {outcome}")


if __name__ == "__main__":
    main()
