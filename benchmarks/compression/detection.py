"""Times hostile texts of 5 MB: `python -m benchmarks.compression.detection`.

Each text is shown to every adapter's `detect`, then taken apart and put together again with its prose left as it is,
and searched for markers. Seconds of processor time, the largest of `detect` over all adapters.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.compression.hostile import HOSTILE
from compaction.prompt.adapters import known_adapters
from compaction.prompt.adapting import adapt
from compaction.prompt.markers import split_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5.0)
    size = int(parser.parse_args().megabytes * MEGABYTE)
    adapt("Warm up. It loads the vocabulary.", list)
    print(f"{'text of ' + str(size) + ' bytes':28} {'detect':>8} {'slowest':>18} {'adapt':>8} {'markers':>8}")
    worst = 0.0
    for kind, make in HOSTILE.items():
        spent, slowest, whole, markers = _measured(make(size))
        worst = max(worst, spent)
        print(f"{kind:28} {spent:8.3f} {slowest:>18} {whole:8.2f} {markers:8.3f}")
    print(f"slowest detection: {worst:.3f} s")


def _measured(text: str) -> tuple[float, str, float, float]:
    """The slowest detection and whose it is, all of the adapting, and the search for markers."""
    spent, slowest = max((_seconds(partial(adapter.detect, text)), adapter.name) for adapter in known_adapters())
    return spent, slowest, _seconds(partial(adapt, text, list)), _seconds(partial(split_blocks, text))


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
