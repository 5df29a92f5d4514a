"""Times an allocation over many files whose costs are known, as they are after a warm index.

    python -m benchmarks.allocation.speed --files 25000

The files are copies of our own modules under other names, so that what is shown is real code, framed and counted.
Processor time is told, which other work on the machine does not change; ranking is not part of it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from allocator.assemble import assemble
from allocator.fileset import ContextRequest, FileSet
from allocator.progress import Stages
from allocator.show.formats import FormatName, Pricing
from allocator.show.views import FileViews
from allocator.spend.needs import Needs
from allocator.spend.steps import ceiling
from skeleton import CompressionLevel
from skeleton.index.code_index import CodeIndex
from skeleton.index.indexed import IndexedFile
from skeleton.index.workers import Workers
from workspace.files.scan import scan
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING, token_counter

BUDGETS = (2000, 8000, 20000)
FOLDERS = 97
HERE = Path(__file__).parents[2]


class Copy(FileViews):
    """A file under another path, with everything that is known of the one it is a copy of."""

    def __init__(self, original: FileViews, path: str) -> None:
        self.__dict__.update(original.__dict__)
        self.path = self.address = path


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.allocation.speed", description=__doc__)
    parser.add_argument("--files", type=int, default=25_000, help="how many (%(default)s)")
    number = parser.parse_args(arguments).files
    count = token_counter().count
    folder = HERE / "allocator"
    roots = Roots([folder])
    found, _ = CodeIndex(roots, workers=Workers(0)).files(scan(folder, roots=roots, include=["*.py"]))
    originals = [_known(file) for file in found]
    files = [
        Copy(originals[place % len(originals)], f"src/part_{place % FOLDERS}/module_{place}.py")
        for place in range(number)
    ]
    draws = random.Random(1)
    definitions = [[draws.random() ** 8 for _ in file.weights.unit] for file in files]
    weights = [max(row, default=0.0) for row in definitions]
    order = sorted(range(number), key=lambda place: -weights[place])

    def ceilings(pricing: Pricing) -> list[float]:
        return [ceiling(most, most, sum(row), pricing) for most, row in zip(weights, definitions, strict=True)]

    needs = Needs(order=order, files=weights, definitions=definitions.__getitem__, ceilings=ceilings)
    print("| files | budget | steered | milliseconds | tokens used |\n|--:|--:|---|--:|--:|")
    for budget in BUDGETS:
        for steered in (True, False):
            request = ContextRequest(token_budget=budget, format=FormatName.COMPACT)
            started = time.process_time()
            result = assemble(
                FileSet(files=files, needs=needs if steered else None),
                request,
                encoding=DEFAULT_ENCODING,
                count=count,
                stages=Stages(None, number),
            )
            spent = 1000 * (time.process_time() - started)
            print(f"| {number} | {budget} | {'yes' if steered else 'no'} | {spent:.0f} | {result.tokens_used} |")
    return 0


def _known(file: IndexedFile) -> FileViews:
    """A file of which everything is worked out that an index keeps."""
    views = FileViews(file)
    for level in (CompressionLevel.FULL, CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
        views.view(level)
        views.units(level)
    kept = (views.weights, views.facts, views.order, views.lines)
    assert len(kept) == 4
    return views


if __name__ == "__main__":
    sys.exit(main())
