"""Times the first question of a machine that begins with a tree pack, beside a warm one and one that begins with nothing.

    python -m benchmarks.fleet.packs --repos DIR --repository flask --repository gin --files 25000

A git repository of so many files is made of the real files of some repositories, each with a line of its own, and its
tree is published into a folder. Then processes of their own answer the overview of it: a warm one, whose cache knows
every file and its stamp; a cold one, with an empty cache and the pack fetched in the same run; the same once more with
the pack at hand, in an empty index; and one that has neither. Texts must be the same; medians of the rounds are told,
with the sizes of the pack and of the cache, and of both once a second work tree, in which a file of a hundred differs,
is published and asked about.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed.serving import SETTLING_SECONDS, generate

BUDGET = "8k"
KEY = "a-key-for-benchmarks"


def command(words: list[str], cache: Path) -> tuple[float, bytes]:
    """Runs a command and returns its seconds and what it printed."""
    variables = {**os.environ, "FRACTAL_CONTEXT_CACHE": str(cache), "FRACTAL_CONTEXT_STORE_KEY": KEY}
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "server", *words],
        env=variables,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return time.perf_counter() - began, done.stdout


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def size(*folders: Path) -> float:
    """Returns the megabytes of all files below some folders."""
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return sum(file.stat().st_size for file in files) / 1e6


def asked(root: Path, cache: Path, target: Path | None, texts: set[bytes]) -> float:
    """Asks for the overview in a process of its own and returns its seconds."""
    words = ["pack", str(root), "--budget", BUDGET, "--time-limit", "0"]
    seconds, text = command(words if target is None else [*words, "--published", str(target)], cache)
    texts.add(text)
    return seconds


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("--repos", type=Path, required=True)
    asking.add_argument("--repository", action="append", required=True)
    asking.add_argument("--files", type=int, default=25_000)
    asking.add_argument("--rounds", type=int, default=5)
    given = asking.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        root, target, warm = place / "tree", place / "target", place / "warm"
        generate(root, given.files, [given.repos / name for name in given.repository])
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "all")
        time.sleep(SETTLING_SECONDS)  # what was touched later is read again
        publishing, told = command(["index", str(root), "--publish", str(target)], warm)
        print(told.decode().strip().replace(str(root), "the tree"))
        print(
            f"It took {publishing:.0f} s; the pack has {size(target):.1f} MB, the sources {size(root) - size(root / '.git'):.1f} MB."
        )
        texts: set[bytes] = set()
        asked(root, warm, None, texts)
        rows: dict[str, list[float]] = {
            "warm": [],
            "cold, the pack fetched": [],
            "cold, the pack at hand": [],
            "with nothing": [],
        }
        cold = place / "cold"
        for _ in range(given.rounds):
            shutil.rmtree(cold, ignore_errors=True)
            rows["warm"].append(asked(root, warm, None, texts))
            rows["cold, the pack fetched"].append(asked(root, cold, target, texts))
            for file in cold.glob("index-*"):
                file.unlink()
            rows["cold, the pack at hand"].append(asked(root, cold, target, texts))
        rows["with nothing"].append(asked(root, place / "nothing", None, texts))
        if len(texts) != 1:
            raise SystemExit("The answers differ.")
        print("| first question of a process | seconds | of the warm one |\n|---|---:|---:|")
        medians = {name: statistics.median(times) for name, times in rows.items()}
        for name, seconds in medians.items():
            print(f"| {name} | {seconds:.2f} | {seconds / medians['warm']:.2f} |")
        _second_tree(root, target, place, cold)


def _second_tree(root: Path, target: Path, place: Path, cold: Path) -> None:
    """Tells what another work tree adds."""
    before = size(target), size(cold)
    second = place / "second"
    git(root, "worktree", "add", "-q", "-b", "second", str(second))
    files = [file for file in sorted(second.rglob("*")) if file.is_file() and file.name != ".git"]
    for file in files[::100]:
        file.write_bytes(file.read_bytes() + b"\n\n// another\n")
    git(second, "commit", "-q", "-a", "-m", "second")
    time.sleep(SETTLING_SECONDS)  # what was touched later is read again
    command(["index", str(second), "--publish", str(target)], place / "warm")
    asked(second, cold, target, set())
    print(
        f"A second work tree, one file of a hundred changed: packs {before[0]:.1f} -> {size(target):.1f} MB,"
        f" the cache of a machine that uses both {before[1]:.1f} -> {size(cold):.1f} MB."
    )


if __name__ == "__main__":
    sys.exit(main())
