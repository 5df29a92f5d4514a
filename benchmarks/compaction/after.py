"""What agents needed after real compactions: `python -m benchmarks.compaction.after CLONES [--sessions N]`.

Claude Code sessions of entireio/cli that were compacted by their host are cut there. What the agent used in its next 40
calls and had seen before (files by their name, and names in backticks of what it said) is looked for in the host's own
summary and in ours, made of the messages before at the number of tokens that the host's summary has.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.compaction.authors import newest
from benchmarks.compaction.real import shown_text
from compaction.history import CompactionEngine, CompactionOptions, Mode, Status
from workspace.tokens import token_counter

_CALLS = 40
_FILE = re.compile(r"[\w.-]+\.(?:go|md|py|ts|sh|json|ya?ml|toml|js)\b")
_LEAST = 2_000


def used(lines: list[dict[str, Any]]) -> set[str]:
    """Return the files that the first calls of some lines name."""
    found: set[str] = set()
    calls = 0
    for line in lines:
        message: Any = line.get("message")
        content: Any = message["content"] if message and "content" in message else None
        blocks: list[Any] = list(content) if isinstance(content, list) else []  # pyright: ignore[reportUnknownArgumentType]
        for block in blocks:
            if calls < _CALLS and isinstance(block, dict):
                given: dict[str, Any] = block  # pyright: ignore[reportUnknownVariableType] - JSON of a host
                if given.get("type") == "tool_use":
                    calls += 1
                    found |= set(_FILE.findall(json.dumps(given.get("input"))))
    return found


def main() -> None:
    """Print the shares."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("clones", type=Path)
    options.add_argument("--sessions", type=int, default=12)
    given = options.parse_args()
    places = [given.clones / name for name in ("entireio+cli/repo", "entireio+cli", "entireio/cli")]
    seen: Counter[str] = Counter()
    cut = [
        raw for raw in newest(next(place for place in places if place.is_dir())) if b'"isCompactSummary":true' in raw
    ]
    for raw in cut[: given.sessions]:
        lines: list[dict[str, Any]] = [json.loads(line) for line in raw.decode().split("\n") if line.strip()]
        place = next(at for at, line in enumerate(lines) if line.get("isCompactSummary"))
        before, summary = lines[:place], str(lines[place]["message"]["content"])
        known = set(_FILE.findall(json.dumps(before)))
        needed = used(lines[place + 1 :]) & known
        target = max(_LEAST, token_counter().count(summary))
        history = "\n".join(map(json.dumps, before)).encode()
        result = CompactionEngine().compact(history, CompactionOptions(mode=Mode.EXTRACT, target_tokens=target))
        if not needed or result.status is not Status.COMPACTED:
            seen[f"left out ({result.status.value})"] += 1
            continue
        ours = shown_text(result.messages or [])
        seen["compactions"] += 1
        seen["files needed"] += len(needed)
        seen["in the host's summary"] += sum(name in summary for name in needed)
        seen["in ours"] += sum(name in ours for name in needed)
        seen["tokens, the host's"] += token_counter().count(summary)
        seen["tokens, ours"] += result.tokens_after
    for what, number in seen.items():
        print(f"{what:40}{number:>8}")


if __name__ == "__main__":
    main()
