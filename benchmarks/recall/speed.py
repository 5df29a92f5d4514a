"""Times a ranking of many files that are known, and a ranking with the allocation that follows.

    python -m benchmarks.recall.speed --folder DIR --files 25000

The files of a work tree of git are taken as often as needed, each time below another name, until there are so many.
Times are processor time of this process, the least of some rounds: what a machine does besides must not count. A plain
search of the same words over all sources, in the same run, is the measure beside the ranking.

The second table is of whole calls of the engine over such files on disk, with the history of the work tree, less what
listing the files and looking them up takes: ranking, steps, blocks and their tokens, the summary, what is recorded. With
`--repos` a third one is of as many files of many repositories, each of them once.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from allocator import ContextEngine
from allocator.fileset import FileSet
from allocator.listing import Gathered
from allocator.progress import Stages
from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.rank import rank
from allocator.ranking.words import query_of
from benchmarks.recall.contenders import Tree
from benchmarks.recall.history import export, git
from benchmarks.recall.recall import BUDGETS
from benchmarks.zoom.speed import copied
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from workspace.names.tiers import Tier
from workspace.roots import Roots

ROUNDS = 5
QUERIES = (
    "",
    "Keep the session open when a request is redirected",
    """Parsing fails on comments inside of arrays

    The lexer does not skip comments between values. See `read_value` in src/parser.py: the error is 'expected a value',
    and the position it names is that of the comment. Lists that are written on one line are not affected, nor are
    tables. It should be enough to skip blanks and comments alike.""",
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A file below another name."""

    path: str
    tier: Tier
    key: object


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.speed", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="a work tree of git")
    parser.add_argument("--files", type=int, default=25_000)
    parser.add_argument("--repos", type=Path, help="a folder of work trees of git: so many different files of them too")
    parser.add_argument("--cache", type=Path, help="a folder for what is known of contents")
    asked = parser.parse_args(arguments)
    tree = Tree(asked.folder, asked.cache)
    count = len(tree.files)
    files = [
        Copy(f"copy{at // count}/{tree.files[at % count].path}", tree.files[at % count].tier, at)
        for at in range(asked.files)
    ]
    corpus = Corpus()

    def read(places: Sequence[int]) -> list[Reading]:
        return [tree.readings[place % count] for place in places]

    sources = [file.source for file in tree.files]
    definitions = sum(len(tree.readings[at % count].definitions) for at in range(asked.files))
    first = _seconds(lambda: rank(files, QUERIES[1], read=read, corpus=corpus), rounds=1)
    print(f"{asked.files} files, {definitions} definitions; the first ranking takes {first:.1f} s\n")
    print("| words of the query | ranking | plain search | share |\n|--:|--:|--:|--:|")
    for query in QUERIES:
        ranked = _seconds(lambda query=query: rank(files, query, read=read, corpus=corpus))
        words = [re.compile(re.escape(term).encode(), re.IGNORECASE) for term in query_of(query).terms]
        searched = _seconds(lambda words=words: [word.findall(text) for text in sources for word in words], rounds=1)
        searched *= asked.files / count
        share = f"{ranked / searched:.3f}" if words else "–"
        print(f"| {len(words)} | {1000 * ranked:.0f} ms | {1000 * searched:.0f} ms | {share} |")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        print("\nWhole calls over the same files, on disk:")
        _copy(asked.folder, asked.files, place / "copies")
        _whole_calls(place / "copies", place / "index")
        if asked.repos is not None:
            (place / "tree").mkdir()
            found = copied(asked.repos, place / "tree", asked.files)
            print(f"\nWhole calls over {found} files of many repositories:")
            _whole_calls(place / "tree", place / "index")
    return 0


class _Timed(ContextEngine):
    """An engine that knows when it had gathered the files of its last call."""

    gathered_at = 0.0

    def _file_set(self, gathered: Gathered, stages: Stages, *, narrowed: bool) -> FileSet:
        self.gathered_at = time.process_time()
        return super()._file_set(gathered, stages, narrowed=narrowed)


def _copy(folder: Path, count: int, target: Path) -> None:
    """Writes the files of a work tree of git, and copies of them, until there are so many."""
    export(folder, git(folder, "rev-parse", "HEAD").decode().strip(), target)
    originals = Tree(target, None).files
    for at in range(len(originals), count):
        copy = target / f"copy{at // len(originals)}" / originals[at % len(originals)].path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(originals[at % len(originals)].source)


def _whole_calls(target: Path, index: Path) -> None:
    """Prints what ranking and allocation of calls over the files of a folder take.

    Args:
        target: the folder.
        index: a folder for what is known of them.
    """
    roots = Roots([target])
    known = Cache(index)
    engine = _Timed(roots, index=CodeIndex(roots, cache=known, stamps=known))
    for query in QUERIES:  # all that is worked out once
        engine.get_context(str(target), token_budget=BUDGETS[0], query=query, format="compact")
    print("\n| words of the query | budget | tokens used | ranking and allocation |\n|--:|--:|--:|--:|")
    for query in QUERIES:
        for budget in BUDGETS:
            times: list[float] = []
            tokens = 0
            for _ in range(ROUNDS):
                result = engine.get_context(str(target), token_budget=budget, query=query, format="compact")
                times.append(time.process_time() - engine.gathered_at)
                tokens = result.tokens_used
            print(f"| {len(query_of(query).terms)} | {budget} | {tokens} | {1000 * min(times):.0f} ms |", flush=True)


def _seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least processor time of some rounds."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
