"""Times `index` over Ray beside the same work in one pool of processes, and asks whether the facts are the same.

    python -m benchmarks.fleet.ahead --repos DIR --files 20000 --rounds 2
    python -m benchmarks.fleet.ahead --repos DIR --files 100000 --largest 2000 --kill

The folder holds copies of the real files of all repositories, each with a line of its own. Both work it out with the same
number of workers, in turns, each time into an empty cache, Ray from its start to its end. Processor time is that of the
command and of everything that it started, Ray's own processes included. With `--kill` a worker of Ray is killed in the
middle of one more run. What the caches hold is compared fact by fact.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from benchmarks.fleet.packs import size
from benchmarks.speed.processes import family, processor_seconds
from benchmarks.speed.serving import LARGEST_FILE, SETTLING_SECONDS, generate

LIMIT_MIB = "65536"
"""Of the caches, so that none forgets."""

TASK = b"ray::perform_afar"
LOOK_SECONDS = 0.25
"""Between two looks at the time that processes have used; what one uses after the last is not counted."""


def indexed(root: Path, cache: Path, workers: int, flags: list[str], *, kill: bool = False) -> tuple[float, float]:
    """Runs `index` into an empty cache and returns its seconds, and those of all processors."""
    shutil.rmtree(cache, ignore_errors=True)
    command = [sys.executable, "-m", "server", "index", str(root), "--workers", str(workers), *flags]
    used: dict[int, float] = {}
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, "--cache", str(cache), "--cache-limit", LIMIT_MIB], stdout=subprocess.DEVNULL
    ) as process:
        if kill:
            threading.Thread(target=_kill_one, args=(process, cache), daemon=True).start()
        while process.poll() is None:
            used |= processor_seconds(process.pid)
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_SECONDS)
    seconds = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"index ended with {process.returncode}.")
    return seconds, sum(used.values())


def _kill_one(process: subprocess.Popen[bytes], cache: Path) -> None:
    """Kills a worker of Ray once the first facts have been written."""
    while process.poll() is None:
        if any(cache.glob("index-*")) and facts(cache)[0] > 0:
            working = [one for one in family(process.pid) if _title(one).startswith(TASK)]
            if working:
                os.kill(working[0], signal.SIGKILL)
                print(f"Killed worker {working[0]} of Ray.", flush=True)
                return
        time.sleep(0.5)  # nothing tells from outside when work has begun


def _title(process: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


def facts(cache: Path) -> tuple[int, str]:
    """Returns how many facts a cache holds, and the digest of them all."""
    digest, number = hashlib.blake2b(digest_size=16), 0
    (file,) = (file for file in cache.glob("index-*") if file.suffix not in {".sqlite3-wal", ".sqlite3-shm"})
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
        for kind, key, value in opened.execute("SELECT kind, key, value FROM entries ORDER BY kind, key"):
            digest.update(b"%d %s %d " % (kind, key, len(value)) + value)
            number += 1
    return number, digest.hexdigest()


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("--repos", type=Path, required=True)
    asking.add_argument("--files", type=int, default=100_000)
    asking.add_argument("--largest", type=int, default=LARGEST_FILE, help="bytes of the largest file that is copied")
    asking.add_argument("--workers", type=int, default=2)
    asking.add_argument("--rounds", type=int, default=1)
    asking.add_argument("--kill", action="store_true", help="kill a worker of Ray in one more run")
    asked = asking.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "tree")
        repositories: list[Path] = sorted(folder for folder in asked.repos.iterdir() if folder.is_dir())
        generate(root, asked.files, repositories, largest=asked.largest)
        time.sleep(SETTLING_SECONDS)  # what was touched later is read again
        print(f"{asked.files:,} files, {size(root):.0f} MB, {asked.workers} workers.", flush=True)
        ways: dict[str, list[str]] = {"one pool": [], "Ray": ["--ray", "local"]}
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        held: set[tuple[int, str]] = set()
        for number in range(asked.rounds):
            for name in list(ways)[:: 1 if number % 2 == 0 else -1]:
                taken[name].append(indexed(root, Path(scratch, "cache"), asked.workers, ways[name]))
                held.add(facts(Path(scratch, "cache")))
                print(f"{name}: {taken[name][-1][0]:.0f} s, {taken[name][-1][1]:.0f} s of processors", flush=True)
        if asked.kill:
            seconds, _ = indexed(root, Path(scratch, "cache"), asked.workers, ways["Ray"], kill=True)
            held.add(facts(Path(scratch, "cache")))
            print(f"Ray, with a worker killed: {seconds:.0f} s", flush=True)
        took = size(Path(scratch, "cache"))
    if len(held) != 1:
        raise SystemExit(f"The facts differ: {held}")
    print(f"All caches hold the same {held.pop()[0]:,} facts, in {took:.0f} MB.")
    print("| | seconds | of one pool | seconds of processors | of one pool |\n|---|---:|---:|---:|---:|")
    medians = {name: [statistics.median(column) for column in zip(*some, strict=True)] for name, some in taken.items()}
    for name, (wall, used) in medians.items():
        base = medians["one pool"]
        print(f"| {name} | {wall:,.0f} | {wall / base[0]:.2f} | {used:,.0f} | {used / base[1]:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
