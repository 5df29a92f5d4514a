"""Compares two records of the same calls, and lists what differs.

python benchmarks/recorded/compare.py before.json after.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each call that differs and a table of how many do; 1 if any does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    chosen = parser.parse_args(arguments)
    before, after = _records(chosen.before), _records(chosen.after)
    kinds: dict[str, int] = {}
    for name in sorted(before.keys() & after.keys()):
        kind = difference(before[name], after[name])
        kinds[kind] = kinds.get(kind, 0) + 1
        if kind != "same":
            print(f"{name}: {kind}: {_told(before[name])} -> {_told(after[name])}: {before[name]['arguments']}")
    print(
        f"\n{len(before.keys() & after.keys())} calls: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    )
    if lonely := before.keys() ^ after.keys():
        print(f"{len(lonely)} calls stand in one record alone")
    return int(kinds.keys() != {"same"} or bool(lonely))


def difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Names how two answers to one call differ."""
    for kind in ("crash", "error"):
        if before.get(kind) != after.get(kind):
            return f"other {kind}"
    if before.get("context") != after.get("context"):
        return "other levels" if before["levels"] != after["levels"] else "other context"
    return "same" if before.get("summary") == after.get("summary") else "other summary"


def _told(record: dict[str, Any]) -> str:
    if "context" not in record:
        return record.get("error") or record.get("crash", "")
    levels = "/".join(str(held) for held in record["levels"].values())
    return f"{record['context_tokens']} of {record['tokens_used']} tokens, {levels}"


def _records(file: Path) -> dict[str, dict[str, Any]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return {record["call"]: record for record in map(json.loads, lines)}


if __name__ == "__main__":
    sys.exit(main())
