"""Asks what the extractive summary keeps: `python -m benchmarks.compaction.recall [--missing]`.

Every scenario is compacted without a model; a question counts as answered when its words stand in the text of the new
history. Printed are the share of questions answered and the share of tokens kept, for the scenarios the summary was
tuned on and for those it was not.
"""

from __future__ import annotations

import sys

from benchmarks.compaction.scenarios import SCENARIOS, Scenario
from compaction.history import CompactionEngine, CompactionOptions, Mode


def measure(scenario: Scenario) -> tuple[list[str], int, int]:
    """The questions that the new history does not answer, and the tokens before and after."""
    result = CompactionEngine().compact(scenario.messages, CompactionOptions(mode=Mode.EXTRACT))
    texts = [
        str(block["text"])
        for message in result.messages or []
        if isinstance(message["content"], list)
        for block in message["content"]
        if isinstance(block, dict) and block.get("type") == "text"
    ]
    shown = " ".join("\n".join(texts).split())
    missing = [f"{question}: {answer}" for question, answer in scenario.asked if answer not in shown]
    return missing, result.tokens_before, result.tokens_after


def main() -> None:
    """Print the table."""
    for title, held_out in (("tuned on", False), ("held out", True)):
        asked = answered = before = after = 0
        worst = 0.0
        for scenario in SCENARIOS:
            if scenario.held_out is not held_out:
                continue
            missing, old, new = measure(scenario)
            asked += len(scenario.asked)
            answered += len(scenario.asked) - len(missing)
            before, after, worst = before + old, after + new, max(worst, new / old)
            if "--missing" in sys.argv and (missing and not held_out):
                print(f"  {scenario.name} ({old} -> {new}): {missing}")
        share = f"{answered} of {asked} questions answered ({100 * answered / asked:.1f} %)"
        print(
            f"{title}: {share}, {before} -> {after} tokens ({100 * after / before:.1f} %, at worst {100 * worst:.1f} %)"
        )


if __name__ == "__main__":
    main()
