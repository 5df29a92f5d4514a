"""How long a ranking takes on many files once they are known.

    python -m benchmarks.recall.speed --folder DIR --files 25000

The files of a folder are taken as often as needed, each time below another name, until there are so many. Times are
processor time of this process, the least of some rounds: what a machine does besides must not count. A plain search of
the same words over all sources, in the same run, is the measure beside it.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from allocator.ranking import Corpus, Reading, rank
from allocator.ranking.words import query_of
from benchmarks.recall.contenders import Tree
from workspace.tiers import Tier

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
    parser.add_argument("--folder", type=Path, required=True, help="any code")
    parser.add_argument("--files", type=int, default=25_000)
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
    return 0


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
