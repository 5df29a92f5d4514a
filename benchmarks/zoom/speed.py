"""Prints how soon a zoom answers in a folder that the server has never seen, and how soon the next ones do.

    python -m benchmarks.zoom.speed --repos DIR [--files 5000] [--calls 20] [--rounds 2]

Real files are copied into a folder of their own, which git then lists. A round has three parts, each with a cache of its
own: the folder is indexed once, in this process, as the server does it; the first zoom is asked of a real server over
stdio, which has said hello and nothing else; then come zooms of other names, with callers beside, completions, and zooms
after an edit. All that is timed by the client: what the transport and the rest of the machine cost is in it. So the same
calls are made of the engine in this process, too, and timed by the clock of the processor.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import PromptReference

from benchmarks.skeletons.corpus import LARGEST
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.tables import table
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.records import Aspect, Definitions
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from workspace.files.rescan import RememberedScan
from workspace.files.scan import scan
from workspace.roots import Roots

_ENDINGS: Final = tuple(sorted({ending for entry in LANGUAGES.values() for ending in entry.files}))
_SETTLING: Final = 2.5
"""Seconds after which a file's status can be trusted to show every later write."""


def copied(repos: Path, tree: Path, most: int) -> int:
    """Copies the source files of whole repositories into one folder, until there are enough; returns how many."""
    chosen: list[Path] = []
    for folder in sorted(one for one in repos.iterdir() if one.is_dir()):
        names = subprocess.run(["git", "-C", str(folder), "ls-files", "-z"], capture_output=True, check=True).stdout
        paths = [folder / name for name in names.decode("utf-8", "replace").split("\0") if name.endswith(_ENDINGS)]
        chosen += [path for path in paths if path.is_file() and not path.is_symlink() and path.stat().st_size < LARGEST]
    del chosen[most:]
    for path in chosen:
        place = tree / path.relative_to(repos)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    for words in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", str(tree), *words], check=True, capture_output=True)
    return len(chosen)


def indexed(tree: Path, cache: Path) -> tuple[float, list[str]]:
    """Seconds that the index takes for every symbol of a folder, from nothing; and names of functions, evenly spread."""
    began = time.perf_counter()
    known = Cache(cache)
    index = CodeIndex(Roots([tree]), cache=known, stamps=known, workers=Workers(isolated=True))
    files, _ = index.files(scan(tree, roots=index.roots))
    records = index.load(files, Aspect.SYMBOLS, Definitions)
    seconds = time.perf_counter() - began
    index.close()
    seen: dict[str, int] = {}
    for record in records:
        for one in record.definitions:
            if one.kind in {"function", "method"} and one.name.isidentifier():
                seen[one.name] = seen.get(one.name, 0) + 1
    names = sorted(name for name, times in seen.items() if times == 1 and len(name) > 5)
    return seconds, [names[number * len(names) // 100] for number in range(100)]


async def _timed(call: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


def processor_time(tree: Path, cache: Path, names: Sequence[str], calls: int) -> dict[str, list[float]]:
    """Seconds of the processor for each kind of call of the engine that the server asks, in this process."""
    known = Cache(cache)
    index = CodeIndex(Roots([tree]), cache=known, stamps=known, workers=Workers(0))
    zoomer = Zoomer(index)
    zoomer.completions("", str(tree))
    remembered = RememberedScan(tree, index.roots)
    found: dict[str, list[float]] = {}
    for kind, context in (
        ("zoom", ""),
        ("with callers", "callers"),
        ("with callees", "callees"),
        ("with tests", "tests"),
    ):
        zoomer.zoom(names[0], str(tree), context=context)
        found[kind] = [
            _processor(partial(zoomer.zoom, name, str(tree), token_budget=20000, context=context))
            for name in names[1 : calls + 1]
        ]
    found["completions"] = [_processor(partial(zoomer.completions, name[:2], str(tree))) for name in names[:calls]]
    found["the look at every file's status in each"] = [_processor(remembered.current) for _ in range(calls)]
    index.close()
    return found


def _processor(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def edit(tree: Path) -> None:
    """Adds a line to a file."""
    place = max(tree.rglob("*.py"))
    place.write_bytes(place.read_bytes() + b"\n")


async def served(tree: Path, cache: Path, names: Sequence[str], calls: int) -> dict[str, list[float]]:
    """Seconds of each kind of call, and the number of progress notifications of the first."""
    command = ["-m", "server", "serve", "--root", str(tree), "--cache", str(cache)]
    parameters = StdioServerParameters(command=sys.executable, args=command, env={**os.environ})
    found: dict[str, list[float]] = {}
    heard_of: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        del total, message
        heard_of.append(progress)

    wanted = iter([*names] * 20)
    async with Client(stdio_client(parameters), read_timeout_seconds=600) as client:

        async def zoom(**more: object) -> None:
            result = await client.call_tool(
                "zoom", {"target": next(wanted), "path": ".", **more}, progress_callback=heard
            )
            assert not result.is_error, result.content

        async def complete(letters: str) -> None:
            await client.complete(PromptReference(name="explore_code"), {"name": "target", "value": letters})

        async def edited() -> float:
            edit(tree)
            return await _timed(zoom)

        found["first zoom"] = [await _timed(zoom)]
        found["progress"] = [float(len(heard_of))]
        await anyio.sleep(_SETTLING)  # nor is what was listed a moment ago trusted
        found["second zoom"] = [await _timed(zoom)]
        found["next zooms"] = [await _timed(zoom) for _ in range(calls)]
        found["first with callers"] = [await _timed(lambda: zoom(context="callers"))]
        found["next with callers"] = [await _timed(lambda: zoom(context="callers")) for _ in range(calls)]
        found["next with callees"] = [await _timed(lambda: zoom(context="callees")) for _ in range(calls)]
        found["next with tests"] = [await _timed(lambda: zoom(context="tests")) for _ in range(calls)]
        found["completions"] = [await _timed(partial(complete, name[:2])) for name in names[:calls]]
        found["tools/list"] = [await _timed(client.list_tools) for _ in range(calls)]
        found["after an edit"] = [await edited() for _ in range(5)]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of git work trees to take files from")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        tree.mkdir()
        files = copied(options.repos, tree, options.files)
        size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and ".git" not in path.parts)
        # Only time makes a file old: ctime cannot be set, and what was just written is read by every call.
        time.sleep(_SETTLING)
        once: list[float] = []
        calls: dict[str, list[float]] = {}
        inside: dict[str, list[float]] = {}
        for number in range(options.rounds):
            seconds, names = indexed(tree, Path(folder, f"index{number}"))
            once.append(seconds)
            for kind, values in processor_time(tree, Path(folder, f"index{number}"), names, options.calls).items():
                inside.setdefault(kind, []).extend(values)
            found = anyio.run(served, tree, Path(folder, f"server{number}"), names, options.calls)
            for kind, values in found.items():
                calls.setdefault(kind, []).extend(values)
    print(f"{files} files, {size / 1e6:.1f} MB, {options.rounds} rounds\n")
    base = statistics.median(once)
    first = statistics.median(calls.pop("first zoom"))
    notes = calls.pop("progress")
    print(
        table(
            ["", "seconds", "of indexing"],
            [
                ["indexing once", f"{base:.2f}", "1.00"],
                ["first zoom through the server", f"{first:.2f}", f"{first / base:.2f}"],
            ],
        )
    )
    print(f"\nProgress notifications during the first zoom: {', '.join(f'{one:.0f}' for one in notes)}\n")
    rows = [
        [
            kind,
            f"{1000 * statistics.median(values):.1f}",
            f"{1000 * max(values):.1f}",
            f"{statistics.median(values) / base:.4f}",
        ]
        for kind, values in calls.items()
    ]
    print(table(["call", "median, ms", "worst, ms", "of indexing"], rows))
    print("\nInside the server, by the clock of the processor:\n")
    rows = [
        [kind, f"{1000 * statistics.median(values):.1f}", f"{1000 * max(values):.1f}"]
        for kind, values in inside.items()
    ]
    print(table(["call", "median, ms", "worst, ms"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
