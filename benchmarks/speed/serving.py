"""Times a server as its client sees it: from its start to the first answer, cold and warm calls, edits, giving up.

    python -m benchmarks.speed.serving --repos DIR --repository tokio
    python -m benchmarks.speed.serving --repos DIR --generated 1000 --generated 5000 --plot benchmarks/speed/growth.svg

A generated folder holds copies of the real files of the repositories under other names, each with a line of its own, so
that no two contents are the same. Every folder is asked about through the official client over the streams of a real
process, with a cache that is empty at first. Memory is that of the server and its workers together.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from benchmarks.speed.plot import growth_plot
from benchmarks.speed.processes import Watch, family, processor_seconds
from skeleton.recognition import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGET = 8000
QUERY = "where a time-out ends a connection"
SETTLING_SECONDS = 2.2
"""A file that was touched less than two seconds ago may change again unseen, so it is looked at again."""

GIVEN_UP_AFTER = 1.5
"""Seconds; by then all processes are started."""

LOOKED_AT = 0.5
"""Seconds after a call was given up in which nothing should be worked on any more."""

LARGEST_FILE = 200_000
PER_FOLDER = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The costs of one folder: seconds, and bytes of memory."""

    name: str
    files: int
    size: int
    ready: float
    cold: float
    warm: float
    edited: float
    asked_at_first: float | None
    asked: float | None
    given_up: float
    busy_after: float
    peak: int
    peak_with_query: int


async def served(folder: Path, *, rounds: int, with_query: bool) -> Served:
    """Starts a server for a folder and times it."""
    files = _files(folder)
    edited_file = next(path for path in sorted(files) if language_of(path.name) is not None)
    with tempfile.TemporaryDirectory() as cache:
        before = set(family(os.getpid()))
        began = time.perf_counter()
        async with _client(folder, cache) as client:
            await client.list_tools()
            ready = time.perf_counter() - began
            process = min(set(family(os.getpid())) - before)

            async def call(**arguments: object) -> float:
                started = time.perf_counter()
                answer = await client.call_tool("get_context", {"path": ".", "token_budget": BUDGET, **arguments})
                assert not answer.is_error, answer.content
                return time.perf_counter() - started

            with Watch(process) as watch:
                cold = await call()
                await call()
                await anyio.sleep(SETTLING_SECONDS)  # what was touched later is read again
                await call()
                warm = statistics.median([await call() for _ in range(rounds)])
                edits: list[float] = []
                for number in range(rounds):
                    content = edited_file.read_bytes()
                    edited_file.write_bytes(content + f"\n// {number}\n".encode())
                    edits.append(await call())
                    edited_file.write_bytes(content)
                peak = watch.peak
                asked_at_first = asked = None
                if with_query:
                    asked_at_first = await call(query=QUERY)
                    asked = statistics.median([await call(query=QUERY) for _ in range(rounds)])
                peak_with_query = watch.peak
    given_up, busy_after = await _given_up(folder)
    return Served(
        name=folder.name,
        files=len(files),
        size=sum(path.stat().st_size for path in files),
        ready=ready,
        cold=cold,
        warm=warm,
        edited=statistics.median(edits),
        asked_at_first=asked_at_first,
        asked=asked,
        given_up=given_up,
        busy_after=busy_after,
        peak=peak,
        peak_with_query=peak_with_query,
    )


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]


async def _given_up(folder: Path) -> tuple[float, float]:
    """Seconds until a server answers again after a call was given up, and what it works on for half a second after."""
    with tempfile.TemporaryDirectory() as cache:
        before = set(family(os.getpid()))
        async with _client(folder, cache) as client:
            await client.list_tools()
            process = min(set(family(os.getpid())) - before)
            with anyio.move_on_after(GIVEN_UP_AFTER):
                await client.call_tool("get_context", {"path": ".", "query": QUERY})
            began = time.perf_counter()
            await client.list_tools()
            answered = time.perf_counter() - began
            used = processor_seconds(process)
            await anyio.sleep(LOOKED_AT)
            later = processor_seconds(process)
            return answered, sum(seconds - used.get(one, 0.0) for one, seconds in later.items())


def _client(folder: Path, cache: str) -> Client:
    environment = {**os.environ, "FRACTAL_CONTEXT_CACHE": cache}
    return Client(
        stdio_client(
            StdioServerParameters(
                command=sys.executable, args=["-m", "server", "serve", "--root", str(folder)], env=environment
            )
        )
    )


def generate(folder: Path, number: int, repositories: Sequence[Path], *, largest: int = LARGEST_FILE) -> None:
    """Writes so many files, copies of the code in some repositories with a line of their own, none above so many bytes."""
    originals = [
        path
        for repository in repositories
        for path in sorted(repository.rglob("*"))
        if ".git" not in path.parts
        and path.is_file()
        and not path.is_symlink()
        and path.stat().st_size < largest
        and language_of(path.name) is not None
    ]
    spread = originals[:: max(1, len(originals) // number)]
    for copy, original in enumerate(islice(cycle(spread), number)):
        place = folder / f"part_{copy // PER_FOLDER // PER_FOLDER}" / f"unit_{copy // PER_FOLDER}"
        place.mkdir(parents=True, exist_ok=True)
        content = original.read_bytes()
        (place / f"copy_{copy}{original.suffix}").write_bytes(content + f"\n// {copy}\n".encode())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--generated", action="append", type=int, default=[], help="a folder of N files; repeatable")
    parser.add_argument("--query-up-to", type=int, default=25_000, help="ask no queries of more files (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="calls of each kind; the median counts (%(default)s)")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="draw time and memory over the generated folders")
    asked = parser.parse_args(arguments)
    print(
        "| folder | files | MB | ready, s | cold, s | warm, ms | edited, ms | query, s | query again, ms | given up, ms",
        end="",
    )
    print(
        " | busy after, ms | peak, MB | with query, MB |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        flush=True,
    )
    for name in asked.repository:
        _report(anyio.run(_of_repository, asked.repos / name, asked.rounds))
    grown: list[Served] = []
    for number in asked.generated:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, f"{number} files")
            generate(folder, number, sorted(path for path in asked.repos.iterdir() if path.is_dir()))
            grown.append(anyio.run(_of_generated, folder, asked.rounds, number <= asked.query_up_to))
            _report(grown[-1])
    if asked.plot is not None:
        series = {
            "first call, seconds": [(one.files, one.cold) for one in grown],
            "call when nothing changed, milliseconds": [(one.files, one.warm * 1000) for one in grown],
            "peak memory, MB": [(one.files, one.peak / 1e6) for one in grown],
        }
        asked.plot.write_text(growth_plot(series), encoding="utf-8")


async def _of_repository(folder: Path, rounds: int) -> Served:
    return await served(folder, rounds=rounds, with_query=True)


async def _of_generated(folder: Path, rounds: int, with_query: bool) -> Served:
    return await served(folder, rounds=rounds, with_query=with_query)


def _report(one: Served) -> None:
    first = "–" if one.asked_at_first is None else f"{one.asked_at_first:.2f}"
    again = "–" if one.asked is None else f"{one.asked * 1000:.0f}"
    print(
        f"| {one.name} | {one.files} | {one.size / 1e6:.1f} | {one.ready:.2f} | {one.cold:.2f} | {one.warm * 1000:.0f}"
        f" | {one.edited * 1000:.0f} | {first} | {again} | {one.given_up * 1000:.0f} | {one.busy_after * 1000:.0f}"
        f" | {one.peak / 1e6:.0f} | {one.peak_with_query / 1e6:.0f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
