"""Compares counting the default vocabulary with tiktoken: whether each count is the same, how fast, and how soon.

    python -m benchmarks.speed.counting DIR…

Every text file below the folders is counted by both, in turns. To load takes a process of its own each time; the least of the
rounds counts, in seconds of the processor.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from workspace.files.reading import read_file
from workspace.files.scan import scan
from workspace.model import Problem
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING, PIECE, encoding_of, token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parents[2]
LOADS = {
    "ours": f"from workspace.tokens import token_counter; token_counter({DEFAULT_ENCODING!r}).count('one')",
    "tiktoken": f"from workspace.tokens import encoding_of; encoding_of({DEFAULT_ENCODING!r}).encode_ordinary('one')",
}
_TIMED = "import msgspec, workspace, time; began = time.process_time(); {}; print(time.process_time() - began)"


def texts(folder: Path) -> Iterator[str]:
    """Every text of a folder that both count in one piece, and the pieces of longer ones."""
    roots = Roots([folder])
    for file in scan(folder, roots=roots).files:
        read = read_file(file, roots=roots)
        if not isinstance(read, Problem):
            text = read.source.decode("utf-8", "replace")
            yield from (text[start : start + PIECE] for start in range(0, len(text), PIECE))


def loading(rounds: int) -> dict[str, float]:
    """The seconds that each takes to load."""
    taken: dict[str, list[float]] = {name: [] for name in LOADS}
    for _ in range(rounds):
        for name, code in LOADS.items():
            done = subprocess.run(
                [sys.executable, "-c", _TIMED.format(code)], check=True, capture_output=True, text=True, cwd=HERE
            )
            taken[name].append(float(done.stdout))
    return {name: min(times) for name, times in taken.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--rounds", type=int, default=5, help="processes that load (%(default)s)")
    asked = parser.parse_args(arguments)
    ours, theirs = token_counter().count, encoding_of(DEFAULT_ENCODING).encode_ordinary
    ours("one")
    size = pieces = differing = 0
    times = dict.fromkeys(LOADS, 0.0)
    for folder in asked.folders:
        for text in texts(folder):
            began = time.process_time()
            counted = ours(text)
            between = time.process_time()
            differing += counted != len(theirs(text))
            times["ours"] += between - began
            times["tiktoken"] += time.process_time() - between
            size += len(text.encode("utf-8", "replace"))
            pieces += 1
    loads = loading(asked.rounds)
    print(f"{size / 1e6:.0f} MB in {pieces} texts; counted otherwise: {differing}")
    for name, taken in times.items():
        print(f"{name}: {loads[name] * 1000:.0f} ms to load, {size / taken / 1e6:.1f} MB/s")


if __name__ == "__main__":
    main()
