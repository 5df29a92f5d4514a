"""Prints how long skeletons take, as a multiple of the bare parse of the same bytes.

    python -m benchmarks.skeletons.speed --repos DIR [--language …] [--rounds 5]

One round parses all files of a repository with the bare grammar, then makes the outline, both levels and their proofs,
file by file and in turns, so that a change of the machine's clock meets both alike. The median of the rounds' ratios is
printed. The clock is that of the process, so others on the machine count little. Tokens are not counted here. Reading,
language detection and the garbage collector stay outside the clock.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Sequence

from benchmarks.skeletons import engine
from benchmarks.skeletons.corpus import CorpusError, files_of, repository
from benchmarks.skeletons.measure import family_of
from benchmarks.skeletons.recall import arguments_parser, chosen
from benchmarks.skeletons.tables import table
from skeleton import Language

TARGET = 2.0
"""At most so many times the bare parse."""


def round_of(sources: Sequence[tuple[bytes, Language]]) -> tuple[float, float]:
    """Seconds of processor time of the bare parse and of our skeletons, over all files, taken in turns."""
    bare = ours = 0.0
    for source, language in sources:
        parser = engine.parser_for(language)
        start = time.process_time()
        parser.parse(source)
        middle = time.process_time()
        engine.both_levels(source, language)
        end = time.process_time()
        bare += middle - start
        ours += end - middle
    return bare, ours


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_parser()
    parser.description = (__doc__ or "").splitlines()[0]
    parser.add_argument("--rounds", type=int, default=5, help="rounds over each repository; the median counts")
    options = parser.parse_args(arguments)
    rows: list[list[object]] = []
    try:
        for entry, repositories in chosen(options):
            for name in repositories:
                print(f"{entry.name}: {name} …", file=sys.stderr)
                files = [
                    (file.source, language)
                    for file in files_of(repository(options.repos, name), entry, most=options.most)
                    if family_of(file, entry) is entry and (language := engine.language_for(file.path, file.source))
                ]
                if files:
                    rows.append([entry.name, name, *_row(files, options.rounds)])
    except CorpusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(table(["language", "repository", "files", "MB", "bare MB/s", "ours MB/s", "ratio", f"<= {TARGET:g}"], rows))
    return 0


def _row(files: Sequence[tuple[bytes, Language]], rounds: int) -> list[object]:
    round_of(files[: max(1, len(files) // 10)])  # loads grammars and queries
    gc.collect()
    gc.disable()
    try:
        measured = [round_of(files) for _ in range(rounds)]
    finally:
        gc.enable()
    size = sum(len(source) for source, _ in files) / 1e6
    ratio = statistics.median(ours / bare for bare, ours in measured)
    bare, ours = (statistics.median(times) for times in zip(*measured, strict=True))
    speeds = [f"{size / bare:.1f}", f"{size / ours:.1f}"]
    return [len(files), f"{size:.2f}", *speeds, f"{ratio:.2f}", "yes" if ratio <= TARGET else "no"]


if __name__ == "__main__":
    sys.exit(main())
