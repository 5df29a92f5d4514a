"""Times `pack` as a whole process, with an empty and with a full cache, beside the floor and beside repomix.

    python -m benchmarks.speed.packs --repos DIR --repository tokio --repository redis --repomix "npx repomix"

The floor is what no cold run can do without: every text file is read, parsed with its bare grammar and counted once, in
one process that has everything loaded. Ratios are of the medians of one run of this script; clock seconds are printed
to judge them by.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import tree_sitter

from skeleton.languages import Language
from skeleton.recognition import language_of
from workspace.model import Problem
from workspace.reading import read_file
from workspace.roots import Roots
from workspace.scan import scan
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def floor(folder: Path) -> tuple[int, int]:
    """Reads, parses and counts every file once; returns files and bytes."""
    count = token_counter().count
    roots = Roots([folder])
    files = size = 0
    for file in scan(folder, roots=roots).files:
        read = read_file(file, roots=roots)
        if isinstance(read, Problem):
            continue
        language = language_of(file.path, read.source)
        if isinstance(language, Language):
            tree_sitter.Parser(language.grammar).parse(read.source)
        count(read.source)
        files += 1
        size += len(read.source)
    return files, size


def pack(folder: Path, cache: Path, *query: str) -> None:
    command = [sys.executable, "-m", "server", "pack", str(folder), "--budget", "8k", *query]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "FRACTAL_CONTEXT_CACHE": str(cache)})


def median(rounds: int, work: Callable[[], object]) -> float:
    taken: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def measured(folder: Path, rounds: int, repomix: Sequence[str]) -> str:
    """Returns one row of the table."""
    files, size = floor(folder)  # loads the grammars and the vocabulary
    least = median(rounds, lambda: floor(folder))
    with tempfile.TemporaryDirectory() as place:

        def cold(*query: str) -> None:
            with tempfile.TemporaryDirectory() as empty:
                pack(folder, Path(empty), *query)

        asked = ("--query", "where a time-out ends a connection")
        at_first = median(rounds, cold)
        asked_at_first = median(rounds, lambda: cold(*asked))
        pack(folder, Path(place), *asked)
        again = median(rounds, lambda: pack(folder, Path(place)))
        asked_again = median(rounds, lambda: pack(folder, Path(place), *asked))
        peer = "–"
        if repomix:
            output = Path(place, "repomix.xml")
            command = [*repomix, "--compress", "--quiet", "-o", str(output), str(folder)]
            peer = f"{median(rounds, lambda: subprocess.run(command, check=True, capture_output=True)):.2f}"
    times = (at_first, asked_at_first, again, asked_again)
    cells = " | ".join(f"{taken:.2f} ({taken / least:.2f})" for taken in times)
    return f"| {folder.name} | {files} | {size / 1e6:.1f} | {least:.2f} | {cells} | {peer} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; the median counts (%(default)s)")
    parser.add_argument(
        "--repomix", default="", metavar="COMMAND", help="how repomix is started, where it is installed"
    )
    asked = parser.parse_args(arguments)
    print("| repository | files | MB | floor, s | cold, s (of floor) | cold, query | warm | warm, query | repomix, s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in asked.repository or sorted(path.name for path in asked.repos.iterdir() if path.is_dir()):
        print(measured(asked.repos / name, asked.rounds, shlex.split(asked.repomix)), flush=True)


if __name__ == "__main__":
    main()
