"""Prints what a long service costs: memory, open files and threads of a server over many mixed calls.

    python -m tests.hostile.soak [--calls 10000] [--files 200] [--seed 1]

A real server runs over HTTP on loopback, over a tree of generated files. The calls are of every kind, wrong ones among
them; after every tenth a file is written, renamed or removed. Memory and open files count the server and all processes
that it has started. The verdict compares the last quarter with the second: the first one warms the caches.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import PromptReference

from server.ending import descendants

SAMPLES = 40
CALLS_PER_EDIT = 10
ALLOWED_GROWTH = 1.10
"""The memory that the last quarter may take, as a part of what the second took."""

PROSE = (
    "The cart holds what a customer wants to buy. It never forgets a price, and it must not be larger than 100 rows. "
)
HISTORY = [{"role": "user", "content": "Please look at load()."}, {"role": "assistant", "content": "I am reading it."}]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The resources of the server and its processes after some calls: bytes of memory, open files, threads."""

    calls: int
    memory: int
    open_files: int
    threads: int


def source(number: int, salt: int) -> str:
    """Returns the text of a generated file."""
    functions = "\n\n".join(
        f"def part_{number}_{index}(value: int) -> int:\n    # {salt}\n    total = value * {index + salt}\n    return total"
        for index in range(12)
    )
    return f'"""Module {number}."""\n\nimport os\n\n\nclass Config{number}:\n    """Settings."""\n\n    limit = {salt}\n\n\n{functions}\n'


def edit(root: Path, files: int, chance: random.Random) -> None:
    """Writes, renames or removes one file of the tree, which stays about as large as it is."""
    number = chance.randrange(files)
    place = root / f"package{number % 8}" / f"module{number}.py"
    match chance.randrange(4):
        case 0 if place.exists():
            place.unlink()
        case 1 if place.exists():
            place.replace(place.with_name(f"renamed{number}.py"))
        case _:
            place.parent.mkdir(exist_ok=True)
            place.write_text(source(number, chance.randrange(1_000_000)), encoding="utf-8")


async def call(client: Client, files: int, chance: random.Random) -> str:
    """Makes one call and returns what kind it was and how it ended."""
    number = chance.randrange(files)
    tools: Sequence[tuple[str, dict[str, Any]]] = (
        ("get_context", {"path": ".", "token_budget": chance.choice([500, 2000, "8k"])}),
        ("get_context", {"path": f"package{number % 8}", "format": chance.choice(["plus", "compact", "json"])}),
        ("get_context", {"path": ".", "token_budget": 1000, "include": [f"*{number}.py"]}),
        ("zoom", {"target": f"Config{number}", "path": "."}),
        ("zoom", {"target": f"part_{number}_3", "path": f"package{number % 8}"}),
        ("zoom", {"target": f"Confg{number}", "path": "."}),
        ("get_context", {"path": "/etc"}),
        ("compact_history", {"messages": HISTORY, "dry_run": True, "summarizer": "extractive"}),
        ("compress", {"text": PROSE * (1 + number % 5), "engine": "extractive", "rate": 0.5}),
    )
    kind = chance.randrange(len(tools) + 2)
    if kind == len(tools):
        try:
            await client.read_resource(f"skeleton://package{number % 8}")
        except MCPError:
            return "resource: refused"
        return "resource: answered"
    if kind == len(tools) + 1:
        await client.complete(PromptReference(name="explore_code"), {"name": "path", "value": "pack"})
        return "completion: answered"
    tool, arguments = tools[kind]
    result = await client.call_tool(tool, arguments)
    return f"{tool}: {'refused' if result.is_error else 'answered'}"


def sample(process: int, calls: int) -> Sample:
    """Looks at a process and its descendants."""
    memory = open_files = threads = 0
    for one in (process, *descendants(process)):
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii")
            open_files += sum(1 for _ in Path(f"/proc/{one}/fd").iterdir())
        except OSError:
            continue  # it has ended meanwhile
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        memory += int(fields.get("VmRSS", "0 kB").split()[0]) << 10
        threads += int(fields["Threads"])
    return Sample(calls=calls, memory=memory, open_files=open_files, threads=threads)


@contextmanager
def serving(root: Path, cache: Path, *, flags: Sequence[str] = (), **given: str) -> Generator[tuple[int, str]]:
    """Gives the number of a server's process and its address; flags and environment variables can be given."""
    command = [
        sys.executable,
        "-m",
        "server",
        "serve",
        "--transport",
        "streamable-http",
        "--port",
        "0",
        "--root",
        str(root),
        *flags,
    ]
    variables = {**os.environ, "FRACTAL_CONTEXT_CACHE": str(cache), **given}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=variables
    ) as process:
        assert process.stderr is not None
        try:
            yield process.pid, process.stderr.readline().split()[-1]
        finally:
            process.terminate()


async def soak(*, calls: int, files: int, seed: int = 1) -> tuple[list[Sample], Counter[str]]:
    """Makes the calls and returns the samples, and how many calls of each kind ended how."""
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        for number in range(files):
            place = root / f"package{number % 8}" / f"module{number}.py"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(source(number, number), encoding="utf-8")
        with serving(root, Path(folder, "cache")) as (process, url):
            async with (
                httpx2.AsyncClient(timeout=120) as http,
                Client(streamable_http_client(url, http_client=http), read_timeout_seconds=120) as client,
            ):
                for number in range(1, calls + 1):
                    outcomes[await call(client, files, chance)] += 1
                    if number % CALLS_PER_EDIT == 0:
                        edit(root, files, chance)
                    if number % max(1, calls // SAMPLES) == 0:
                        samples.append(sample(process, number))
    return samples, outcomes


def verdict(samples: Sequence[Sample]) -> tuple[float, int]:
    """Returns the memory of the last quarter as a part of the second's, and how many more files are open (medians)."""
    quarter = len(samples) // 4
    second, last = samples[quarter : 2 * quarter], samples[-quarter:]
    memory = statistics.median(one.memory for one in last) / statistics.median(one.memory for one in second)
    opened = statistics.median(one.open_files for one in last) - statistics.median(one.open_files for one in second)
    return memory, round(opened)


def main() -> int:
    """Prints the table and the verdict; 1 where something grew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()

    async def run() -> tuple[list[Sample], Counter[str]]:
        return await soak(calls=asked.calls, files=asked.files, seed=asked.seed)

    samples, outcomes = anyio.run(run)
    print("| calls | memory, MiB | open files | threads |\n|---:|---:|---:|---:|")
    for one in samples:
        print(f"| {one.calls} | {one.memory / (1 << 20):.1f} | {one.open_files} | {one.threads} |")
    for kind, count in sorted(outcomes.items()):
        print(f"{kind}: {count}")
    memory, opened = verdict(samples)
    print(f"{asked.calls} calls in {time.monotonic() - began:.0f} s.")
    print(f"Last quarter against the second: memory x {memory:.3f}, open files {opened:+d}.")
    return 0 if memory <= ALLOWED_GROWTH and opened <= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
