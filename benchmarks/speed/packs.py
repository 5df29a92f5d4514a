"""Times `pack` as a whole process, with an empty and with a full cache, beside the floor and beside its peers.

    python -m benchmarks.speed.packs --repos DIR --repository tokio --repository redis --repomix "npx repomix" --aider PYTHON

The floor (`benchmarks.speed.floor`) is what no run can do without that reads, parses with its bare grammar and counts every text
file once with tiktoken, in one process that has everything loaded; and the same as a process of its own, as `pack` is
one, for what is loaded takes longer than the floor itself where a repository is small. `pack` finds the names and words of every file, most of them without a parser, and
parses, renders and proves those that may be shown: how many of all, without a query, is printed. The
same query is asked again by another process; another query is one that nobody has asked, while the cache knows the first. repomix runs
with `--compress`, aider makes its repository map of as many tokens, from nothing. Ratios are of the medians of one run of this script; clock seconds are printed to
judge them by. Programs have their bytecode, as installed ones do.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.speed.floor import floor
from benchmarks.vocabularies import CACHE_SETTING, tiktoken_cache
from skeleton.index.records import Aspect
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

HERE = Path(__file__).parents[2]
QUERY = ("--query", "where a time-out ends a connection")
ANOTHER_QUERY = ("--query", "how a closed handle is told of its buffer")
BUDGET = 8000

_AIDER = f"""
import json, sys
from aider.repomap import RepoMap
from aider.io import InputOutput
class Counter:
    def token_count(self, text):
        import tiktoken
        return len(tiktoken.get_encoding("cl100k_base").encode(text, disallowed_special=()))
root, files = json.load(sys.stdin)
maps = RepoMap(map_tokens={BUDGET}, root=root, main_model=Counter(), io=InputOutput(yes=True, pretty=False),
               map_mul_no_files=1, refresh="always")
assert maps.get_ranked_tags_map([], files, {BUDGET})
"""


class Packing:
    """Runs `pack` in processes of its own.

    Args:
        folder: what to pack.
        bytecode: a folder for the bytecode of everything that is imported.
    """

    def __init__(self, folder: Path, bytecode: Path) -> None:
        self._folder = folder
        self._environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._environment |= {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONPATH": str(HERE)}

    def run(self, cache: Path, *query: str) -> None:
        """Packs with a cache."""
        self._run("server", "pack", str(self._folder), "--budget", str(BUDGET), *query, cache=cache)

    def floor(self) -> None:
        """Does what the floor does."""
        self._run("benchmarks.speed.floor", str(self._folder))

    def _run(self, *arguments: str, cache: Path | None = None) -> None:
        environment = self._environment | ({"FRACTAL_CONTEXT_CACHE": str(cache)} if cache else {})
        subprocess.run([sys.executable, "-m", *arguments], check=True, capture_output=True, env=environment, cwd=HERE)

    def cold(self, *query: str) -> None:
        """Packs with a cache that is empty."""
        with tempfile.TemporaryDirectory() as empty:
            self.run(Path(empty), *query)

    def parsed(self) -> int:
        """Returns how many files a cold run without a query renders and proves."""
        with tempfile.TemporaryDirectory() as empty:
            self.run(Path(empty))
            (stored,) = Path(empty).glob("*.sqlite3")
            with closing(sqlite3.connect(stored)) as cache:
                of_facts = "SELECT COUNT(*) FROM entries WHERE kind = ?"
                return cache.execute(of_facts, (int(Aspect.FACTS),)).fetchone()[0]


def side_by_side(
    rounds: int, works: Mapping[str, Callable[[], object]], *, before: Callable[[], object]
) -> dict[str, float]:
    """The median seconds that each work takes; they take turns, so that a machine that slows down slows all of them.

    Args:
        rounds: how often each is done.
        works: what is done.
        before: is called before each round, and takes no time that counts.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        before()
        for name, work in works.items():
            began = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - began)
    return {name: statistics.median(times) for name, times in taken.items()}


def repomix_of(folder: Path, command: Sequence[str]) -> None:
    """Runs `repomix --compress`."""
    with tempfile.TemporaryDirectory() as place:
        output = Path(place, "repomix.xml")
        subprocess.run(
            [*command, "--compress", "--quiet", "-o", str(output), str(folder)], check=True, capture_output=True
        )


def aider_of(folder: Path, python: str, vocabularies: Path) -> None:
    """Has aider make its map of the files that we list, and leaves none of its caches behind."""
    files = [os.fspath(file.absolute) for file in scan(folder, roots=Roots([folder])).files]
    try:
        subprocess.run(
            [python, "-c", _AIDER],
            input=json.dumps([str(folder), files]),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, CACHE_SETTING: str(vocabularies)},
        )
    finally:
        for cache in folder.glob(".aider.tags.cache*"):
            shutil.rmtree(cache)


def measured(folder: Path, rounds: int, repomix: Sequence[str], aider: str) -> str:
    """Returns one row of the table."""
    files, size = floor(folder)  # loads the grammars and the vocabulary
    with (
        tempfile.TemporaryDirectory() as full,
        tempfile.TemporaryDirectory() as copies,
        tempfile.TemporaryDirectory() as bytecode,
        tiktoken_cache(["cl100k_base"]) as vocabularies,
    ):
        packing, place, copy = Packing(folder, Path(bytecode)), Path(full), Path(copies, "copy")
        parsed = packing.parsed()
        packing.run(place, *QUERY)
        packing.run(place)
        packing.floor()
        works: dict[str, Callable[[], object]] = {
            "floor": lambda: floor(folder),
            "process": packing.floor,
            "cold": packing.cold,
            "repomix": lambda: repomix_of(folder, repomix),
            "aider": lambda: aider_of(folder, aider, vocabularies),
            "cold, query": lambda: packing.cold(*QUERY),
            "warm": lambda: packing.run(place),
            "same query": lambda: packing.run(place, *QUERY),
            "another query": lambda: packing.run(copy, *ANOTHER_QUERY),
        }

        def forget() -> None:
            """Makes the other query one that nobody asked."""
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(place, copy)

        absent = {name for name, command in (("repomix", repomix), ("aider", aider)) if not command}
        times = side_by_side(rounds, {name: work for name, work in works.items() if name not in absent}, before=forget)
    least, cold, asked, process = (times[name] for name in ("floor", "cold", "cold, query", "process"))
    ours = (times[name] for name in ("cold", "cold, query", "warm", "same query", "another query"))
    peers = (times.get(name) for name in ("repomix", "aider"))
    cells = " | ".join(f"{taken:.2f} ({taken / least:.2f})" for taken in ours)
    beside = " | ".join(f"{taken:.2f} ({taken / cold:.1f})" if taken else "–" for taken in peers)
    return f"| {folder.name} | {files} | {parsed} | {size / 1e6:.1f} | {least:.2f} | {process:.2f} | {cold / process:.2f} | {asked / process:.2f} | {cells} | {beside} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; the median counts (%(default)s)")
    parser.add_argument(
        "--repomix", default="", metavar="COMMAND", help="how repomix is started, where it is installed"
    )
    parser.add_argument("--aider", default="", metavar="PYTHON", help="an interpreter that can import aider")
    asked = parser.parse_args(arguments)
    print(
        "| repository | files | parsed | MB | floor, s | floor as a process, s | cold of that | cold, query of that | cold, s (of floor) | cold, query | warm | same query | another query",
        end="",
    )
    print(
        " | repomix, s (of cold) | aider, s (of cold) |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    for name in asked.repository or sorted(path.name for path in asked.repos.iterdir() if path.is_dir()):
        print(measured(asked.repos / name, asked.rounds, shlex.split(asked.repomix), asked.aider), flush=True)


if __name__ == "__main__":
    main()
