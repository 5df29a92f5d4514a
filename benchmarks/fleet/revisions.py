"""Commits of real repositories, read from git's objects, beside checkouts of them.

For each repository so many commits are taken, evenly over its history. Of each the context without a question, the
context with one, and a zoom are made twice: through the bare repository, and through a checkout. What is printed is how
many of them differ by a byte, and the median times of both ways, warm and cold facts as they come.

    python -m benchmarks.fleet.revisions BARE [BARE …] [--commits 50] [--budget 8000]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from allocator import ContextEngine
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from workspace import Roots
from workspace.errors import FractalContextError
from workspace.git.repositories import Named, NamedRoots

if TYPE_CHECKING:
    from collections.abc import Callable

QUERY = "where are errors in the configuration reported?"


class Side:
    """One way to read commits.

    Args:
        roots: where they lie.
    """

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self._cache = Cache(None)
        self.seconds: list[float] = []

    def answers(self, path: str, target: str, budget: int) -> list[str]:
        """Returns what three calls say of a path, and notes their time.

        Each commit has engines of its own, over the facts of all: nothing was shown before.
        """
        index = CodeIndex(self._roots, cache=self._cache, stamps=self._cache, workers=Workers(0))
        engine = ContextEngine(self._roots, index=index)
        calls: list[Callable[[], str]] = [
            lambda: _text(engine, path, budget, ""),
            lambda: _text(engine, path, budget, QUERY),
            lambda: Zoomer(index).zoom(target, path, token_budget=2000).text,
        ]
        began = time.perf_counter()
        said = [_said(call) for call in calls]
        self.seconds.append(time.perf_counter() - began)
        return said


def _text(engine: ContextEngine, path: str, budget: int, query: str) -> str:
    result = engine.get_context(path, token_budget=budget, query=query)
    return result.context + result.summary


def _said(call: Callable[[], str]) -> str:
    try:
        return call()
    except FractalContextError as error:
        return type(error).__name__


def compared(bare: Path, commits: int, budget: int) -> str:
    """Returns a row of the table for one repository."""
    every = _git(bare, "rev-list", "HEAD").split()
    chosen = [every[len(every) * number // commits] for number in range(min(commits, len(every)))]
    named = Named(name=f"bench/{bare.parent.name.rpartition('+')[2]}", folder=bare.resolve(), shared=True)
    with tempfile.TemporaryDirectory() as made:
        clone = Path(made, named.title)
        _git(bare, "clone", "-q", "--no-checkout", "--shared", str(bare), str(clone))
        objects, disk = Side(NamedRoots([named])), Side(Roots([clone]))
        differing = calls = 0
        for commit in reversed(chosen):
            _git(clone, "checkout", "-q", "--force", "--detach", commit)
            _git(clone, "rm", "-q", "-r", "-f", "--cached", "--ignore-unmatch", ".")
            _git(clone, "clean", "-qffdx")
            _git(clone, "reset", "-q", "--hard", commit)  # what other attributes alone change is written again
            largest = max(clone.rglob("*.*"), key=lambda file: file.stat().st_size if file.is_file() else -1)
            target = f"{largest.relative_to(clone).as_posix()}:1-40"
            ours = objects.answers(f"repo://{named.name}@{commit}", target, budget)
            theirs = disk.answers(".", target, budget)
            differing += sum(one != other for one, other in zip(ours, theirs, strict=True))
            calls += len(ours)
    files = len(_git(bare, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    times = [f"{statistics.median(side.seconds):.2f}" for side in (objects, disk)]
    return f"| {named.title} | {files} | {len(chosen)} | {calls} | {differing} | {' | '.join(times)} |"


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def main() -> None:
    """Prints the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("bare", nargs="+", type=Path)
    asked.add_argument("--commits", type=int, default=50)
    asked.add_argument("--budget", type=int, default=8000)
    given = asked.parse_args()
    print("| repository | files | commits | calls | differ | s of three calls, objects | checkout |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for bare in given.bare:
        print(compared(bare, given.commits, given.budget), flush=True)


if __name__ == "__main__":
    main()
