"""Many clients at once over replicas that share a store: how long calls take, what fails, and what memory does.

    python -m benchmarks.fleet.load --repos DIR --replicas 2 --clients 50 --seconds 300
    python -m benchmarks.fleet.load --repos DIR --replicas 1 --clients 50 --seconds 300

The replicas are servers over HTTP on this machine, with caches of their own and one store, over the first repositories
of the folder. Each client sends call after call, each to the next replica: overviews, queries, single definitions and
files, and calls that go on with a snapshot or a cursor of its own, which mostly another replica gave. Before the clock
starts every replica has answered every query about every repository, and the clients have called for a while: what is
told is what warm replicas do. Memory is that of a replica with all its workers.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from benchmarks.fleet.serving import SECONDS, Answer, Server, acall, serving, store_bytes, store_server
from benchmarks.speed.processes import memory

if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGETS = (1000, 2000, 4000, 8000)
QUERIES = ("where errors are turned into messages", "parse the configuration", "close the connection", "tests of time")
KINDS = ("overview", "query", "query", "since", "cursor", "cursor", "file", "file", "folder")
LOOK_SECONDS = 10.0
"""Between two looks at the memory."""


class Reader:
    """One client: what it calls, and what it remembers of the answers.

    Args:
        roots: the repositories.
        seed: decides what it calls.
    """

    def __init__(self, roots: Sequence[Path], seed: int) -> None:
        self._roots = roots
        self._chance = random.Random(seed)
        self._snapshots: list[tuple[str, str]] = []
        self._cursors: list[tuple[str, str]] = []
        self._files: list[tuple[str, str]] = []

    def next(self) -> tuple[str, str, dict[str, object]]:
        """Returns the kind of the next call, its tool and its arguments."""
        root = str(self._chance.choice(self._roots))
        kind = self._chance.choice(KINDS)
        budget = self._chance.choice(BUDGETS)
        if kind == "since" and self._snapshots:
            root, snapshot = self._snapshots[-1]
            return kind, "get_context", {"path": root, "since": snapshot, "token_budget": budget}
        if kind == "cursor" and self._cursors:
            root, cursor = self._cursors.pop()
            return kind, "get_context", {"path": root, "cursor": cursor, "token_budget": budget}
        if kind == "file" and self._files:
            root, path = self._chance.choice(self._files)
            return kind, "zoom", {"path": root, "target": f"file={path}", "token_budget": budget}
        if kind == "folder":
            return kind, "zoom", {"path": root, "target": "./", "token_budget": budget}
        if kind == "query":
            asked = self._chance.choice(QUERIES)
            return kind, "get_context", {"path": root, "query": asked, "token_budget": budget}
        return "overview", "get_context", {"path": root, "token_budget": budget}

    def hears(self, arguments: dict[str, object], answer: Answer) -> None:
        """Remembers what an answer gives to go on with."""
        root = str(arguments["path"])
        if snapshot := answer.metadata.get("snapshot"):
            self._snapshots = [*self._snapshots[-4:], (root, str(snapshot))]
        if cursor := answer.metadata.get("next_cursor"):
            self._cursors = [*self._cursors[-4:], (root, str(cursor))]
        shown: dict[str, list[str]] = answer.metadata.get("compression_summary") or {}
        paths = [path for level in ("L0", "L1", "L2") for path in shown.get(level, ())]
        self._files = [*self._files[-50:], *((root, path) for path in paths[:10])]


async def load(
    servers: Sequence[Server], roots: Sequence[Path], clients: int, seconds: float, before: float
) -> tuple[dict[str, list[float]], list[str], list[list[int]]]:
    """Returns the seconds of all calls by their kinds, the errors, and the memory of the servers again and again."""
    times: dict[str, list[float]] = {}
    errors: list[str] = []
    memories: list[list[int]] = []
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(timeout=SECONDS, limits=limits) as http:
        for server in servers:
            for root in roots:
                for asked in ({}, *({"query": query} for query in QUERIES)):
                    await acall(http, server.url, "get_context", path=str(root), token_budget=8000, **asked)
        begin = time.monotonic() + before
        until = begin + seconds

        async def client(number: int) -> None:
            reader = Reader(roots, number)
            turn = number
            while time.monotonic() < until:
                kind, tool, arguments = reader.next()
                counts = time.monotonic() >= begin
                answer = await acall(http, servers[turn % len(servers)].url, tool, **arguments)
                turn += 1
                if counts:
                    times.setdefault(kind, []).append(answer.seconds)
                if answer.is_error:
                    errors.append(f"{kind} {arguments}: {answer.text[:200]}")
                reader.hears(arguments, answer)

        async def look() -> None:
            await anyio.sleep(before)
            while time.monotonic() < until:
                memories.append(await anyio.to_thread.run_sync(lambda: [memory(server.process) for server in servers]))
                await anyio.sleep(LOOK_SECONDS)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(look)
            for number in range(clients):
                tasks.start_soon(client, number)
    return times, errors, memories


def _row(kind: str, times: Sequence[float]) -> str:
    cuts = statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else [times[0]] * 99
    shown = " | ".join(f"{cut * 1e3:,.0f}" for cut in (cuts[49], cuts[89], cuts[98], max(times)))
    return f"| {kind} | {len(times):,} | {shown} | {cuts[98] / cuts[49]:.1f} |"


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("--repos", type=Path, required=True)
    asking.add_argument("--repositories", type=int, default=20)
    asking.add_argument("--replicas", type=int, default=2)
    asking.add_argument("--clients", type=int, default=50)
    asking.add_argument("--seconds", type=float, default=300.0)
    asking.add_argument("--before", type=float, default=60.0, help="seconds of calls that are not counted")
    asked = asking.parse_args()
    folders: list[Path] = sorted(folder for folder in asked.repos.absolute().iterdir() if folder.is_dir())
    roots = folders[: asked.repositories]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(store_server())
        servers = [
            stack.enter_context(serving(roots, folder / f"cache{number}", store=store))
            for number in range(asked.replicas)
        ]
        times, errors, memories = anyio.run(load, servers, roots, asked.clients, asked.seconds, asked.before)
        held = store_bytes(store)
    everything = [one for some in times.values() for one in some]
    print(
        f"{asked.replicas} replicas, {asked.clients} clients, {len(roots)} repositories, {asked.seconds:.0f} s:"
        f" {len(everything) / asked.seconds:.1f} calls a second, {len(errors)} errors; the store holds {held / 1e6:.1f} MB."
    )
    print("| call | number | p50 ms | p90 ms | p99 ms | longest ms | p99 / p50 |\n|---|---:|---:|---:|---:|---:|---:|")
    for kind in sorted(times):
        print(_row(kind, times[kind]))
    print(_row("all", everything))
    for number, series in enumerate(zip(*memories, strict=True)):
        line = " ".join(f"{one / 1e6:.0f}" for one in series[:: max(1, len(series) // 12)])
        print(f"Memory of replica {number + 1}, MB over time: {line}; at the end {series[-1] / 1e6:.0f}.")
    for error in errors[:10]:
        print(error)


if __name__ == "__main__":
    sys.exit(main())
