"""Prints how long a call goes on after it was given up, and where the slowest were.

    python -m benchmarks.calls.giving_up --repos FOLDER [--times 200] [--seed 1]

Calls of every kind are made over the repositories in a folder, in a thread of this process, and given up at a random time
within what such a call takes. The table has the part of them that were gone within a tenth of a second; for those that
were not, the place where the thread stood then is told, as the innermost frames of our own code. Beside the time that
passed stands the processor time that the call's own thread took, which says the same on a machine that does more.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from allocator import ContextEngine
from compaction.history import CompactionEngine, CompactionOptions
from server.compress_command import compressed
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.errors import FractalContextError
from workspace.roots import Roots

ALLOWED_SECONDS = 0.1
OURS = ("allocator", "skeleton", "workspace", "compaction", "server")
PROSE = "The server reads the config and returns a value for every item in the list. Do not delete port 5000. "

Call = tuple[str, Callable[[], object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The ending of one call after it was given up.

    Attributes:
        kind: the kind of call.
        seconds: until its thread ended.
        worked: seconds of processor time that its thread took until then.
        place: where it stood when its time was over; "" where it had ended.
    """

    kind: str
    seconds: float
    worked: float
    place: str


def calls_over(folder: Path, chance: random.Random) -> list[Call]:
    """Returns calls of every kind over one repository, by engines that know nothing yet."""
    roots = Roots([folder])
    index = CodeIndex(roots, workers=Workers(chance.choice([0, 2])))
    engine, zoomer = ContextEngine(roots, index=index), Zoomer(index)
    here = str(folder)
    text = PROSE * chance.choice([100, 2_000])
    history = [{"role": "user" if number % 2 == 0 else "assistant", "content": text[:5000]} for number in range(400)]
    return [
        ("overview", lambda: engine.get_context(here, token_budget=8000)),
        ("everything", lambda: engine.get_context(here)),
        ("query", lambda: engine.get_context(here, token_budget=8000, query="how are errors parsed and told")),
        ("long query", lambda: engine.get_context(here, token_budget=8000, query=text)),
        ("focus", lambda: engine.get_context(here, token_budget=8000, focus=["*.md", "main"])),
        ("changed", lambda: engine.get_context(here, token_budget=8000, changed="HEAD~3")),
        ("globs", lambda: engine.get_context(here, token_budget=2000, include=["**/*a*/**", "*.*"], exclude=["*x*"])),
        ("zoom", lambda: zoomer.zoom("parse", here, token_budget=4000)),
        ("zoom nothing", lambda: zoomer.zoom("no_such_name_at_all", here)),
        ("callers", lambda: zoomer.zoom("parse", here, token_budget=4000, context="callers")),
        ("completion", lambda: zoomer.completions("pa", here)),
        ("compact", lambda: CompactionEngine().compact(history, CompactionOptions(dry_run=True, force=True))),
        ("compress", lambda: compressed(text, {"engine": "extractive"}, None, model="")),
    ]


def given_up(kind: str, call: Callable[[], object], after: float) -> Ending | None:
    """Makes a call, gives it up after some seconds, and tells how it ended; None where it had ended before."""
    token = CancelToken()

    worked = 0.0

    def work() -> None:
        nonlocal worked
        try:
            with cancellable(token):
                call()
        except (CallCancelledError, FractalContextError):
            pass
        worked = time.thread_time()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(after)
    if not thread.is_alive():
        return None
    began = time.perf_counter()
    try:
        before = time.clock_gettime(time.pthread_getcpuclockid(thread.ident or 0))
    except OSError:  # it has ended since
        return None
    token.give_up()
    thread.join(ALLOWED_SECONDS)
    place = _place(thread) if thread.is_alive() else ""
    thread.join()
    return Ending(kind=kind, seconds=time.perf_counter() - began, worked=worked - before, place=place)


def _place(thread: threading.Thread) -> str:
    """The innermost frames of a thread that are ours."""
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what shows other threads
    if frame is None:
        return ""
    ours = [one for one in traceback.extract_stack(frame) if any(f"/{name}/" in one.filename for name in OURS)]
    return " < ".join(f"{Path(one.filename).stem}.{one.name}:{one.lineno}" for one in reversed(ours[-4:]))


def measured(folders: Sequence[Path], times: int, chance: random.Random) -> list[Ending]:
    """Gives up calls at random times."""
    endings: list[Ending] = []
    usual: dict[tuple[Path, str], float] = {}
    while len(endings) < times:
        folder = chance.choice(folders)
        kind, call = chance.choice(calls_over(folder, chance))
        ending = given_up(kind, call, chance.uniform(0, usual.get((folder, kind), 3.0)))
        if ending is None:
            usual[folder, kind] = usual.get((folder, kind), 3.0) / 2
        else:
            endings.append(ending)
    return endings


def main() -> int:
    """Prints the table; 1 where a call went on for longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="FOLDER", help="a folder of repositories")
    parser.add_argument("--times", type=int, default=200, metavar="N", help="calls to give up")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    asked = parser.parse_args()
    folders = sorted(place for place in asked.repos.iterdir() if place.is_dir())
    endings = measured(folders, asked.times, random.Random(asked.seed))
    print("| call | given up | median, ms | slowest, ms | most work, ms | in time |\n|---|---:|---:|---:|---:|---:|")
    for kind in sorted({ending.kind for ending in endings}):
        took = sorted(ending.seconds for ending in endings if ending.kind == kind)
        in_time = sum(seconds <= ALLOWED_SECONDS for seconds in took) / len(took)
        most = max(ending.worked for ending in endings if ending.kind == kind)
        median, slowest = took[len(took) // 2], took[-1]
        print(
            f"| {kind} | {len(took)} | {median * 1000:.0f} | {slowest * 1000:.0f} | {most * 1000:.0f} | {in_time:.0%} |"
        )
    late = Counter(ending.place for ending in endings if ending.seconds > ALLOWED_SECONDS)
    for place, count in late.most_common():
        those = [ending for ending in endings if ending.place == place]
        slowest, most = max(one.seconds for one in those), max(one.worked for one in those)
        print(f"{count} times up to {slowest * 1000:.0f} ms ({most * 1000:.0f} ms of work): {place}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
