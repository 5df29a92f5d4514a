"""Times `pack --changed` and `zoom --context callers` of several names as whole processes where everything is known.

    python -m benchmarks.steering.speed --repos DIR [--repository tokio] [--code TREE] [--rounds 5]

`--code` names another work tree of this project, whose runs take turns with ours; whether both print the same is printed
too. Seconds are those of the processor, of the process and all that it waited for; the median counts. Programs have their
bytecode, as installed ones do.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.overview.sources import git

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parents[2]
REPOSITORIES = ("okhttp", "tokio", "pydantic", "redis")
TARGETS = {
    "okhttp": "Dispatcher.enqueue, RealCall.execute, Cache.get, ConnectionPool, Request.newBuilder",
    "tokio": "Builder.build, spawn_blocking, Semaphore.acquire, Notify.notified, mpsc::channel",
    "pydantic": "BaseModel.model_validate, TypeAdapter, FieldInfo, create_model, GenerateSchema.generate_schema",
    "redis": "createObject, dictFind, addReply, lookupKeyRead, serverLog",
}


def run(code: Path, command: Sequence[str], cache: Path) -> tuple[float, str]:
    """One run: seconds of the processor, and what it printed."""
    started = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(code), "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-m", "server", *command, "--cache", str(cache), "--time-limit", "0"],
        cwd=code,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime, done.stdout


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument(
        "--repository", action="append", default=[], choices=REPOSITORIES, help="one of them; repeatable"
    )
    parser.add_argument("--code", type=Path, metavar="TREE", help="another work tree of this project")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each")
    asked = parser.parse_args(arguments)
    codes = [HERE, *([asked.code.resolve()] if asked.code else [])]
    others = " other, s | same text |" if asked.code else ""
    print(
        f"| repository | files of the diff | what | s |{others}\n|---|---:|---|---:|{'---:|---|' if asked.code else ''}"
    )
    with tempfile.TemporaryDirectory() as caches:
        for name in asked.repository or REPOSITORIES:
            folder = (asked.repos / name).resolve()
            files = len(git(folder, "diff", "--name-only", "HEAD~1").splitlines())
            commands = {
                "pack --changed HEAD~1": ["pack", str(folder), "--changed", "HEAD~1", "--budget", "8k"],
                "zoom of five, callers": ["zoom", TARGETS[name], str(folder), "--context", "callers"],
            }
            for what, command in commands.items():
                rooted = [*command, "--root", str(folder)]
                places = [Path(caches) / str(number) for number in range(len(codes))]
                texts = [run(code, rooted, place)[1] for code, place in zip(codes, places, strict=True)]
                seconds: list[list[float]] = [[] for _ in codes]
                for _ in range(asked.rounds):
                    for number, (code, place) in enumerate(zip(codes, places, strict=True)):
                        seconds[number].append(run(code, rooted, place)[0])
                columns = [f"{statistics.median(some):.2f}" for some in seconds]
                same = ["yes" if len({*texts}) == 1 else "no"] if asked.code else []
                print(f"| {name} | {files} | {what} | {' | '.join((*columns, *same))} |", flush=True)


if __name__ == "__main__":
    main()
