"""Warm calls over many files, of servers in turns: told of changes, looking at every file, and as another tree has it.

    python -m benchmarks.speed.turns [--files 10000] [--rounds 15] [--code TREE]

Each server is a process of its own, asked by the official client over its streams, one after the other with the same
arguments, each about something else, and each was asked once before. Prints for each kind of call the median of the time
of the processor that the server's process takes until shortly after its answer, and what that is of the others. The
answers of the two servers of this tree must be the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent

from benchmarks.speed.processes import family
from benchmarks.speed.watching import SETTLING_SECONDS, made

HERE = Path(__file__).resolve().parents[2]
BUDGET = 8000
QUIET_SECONDS = 0.15
"""The pause behind each answer: two servers that work at the same time on cores which share their parts take longer each."""
LOOKING = """\
import sys
from workspace.files import rescan
from workspace.files.watching import UnwatchableError

class Unwatched:
    def __init__(self, base, folders):
        raise UnwatchableError("this one looks at every file")

rescan.FolderWatch = Unwatched
from server.__main__ import main
main()
"""
"""A server that is told of nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One server, and the client that asks it."""

    client: Client
    process: int

    async def timed(self, tool: str, arguments: dict[str, object]) -> tuple[float, str]:
        """The milliseconds of the processor that a call takes, with what is done behind its answer, and that answer."""
        clock = (~self.process << 3) | 2  # the kernel's number of the clock of a process (clock_getcpuclockid(3))
        began = time.clock_gettime(clock)
        answer = await self.client.call_tool(tool, arguments)
        await anyio.sleep(QUIET_SECONDS)
        took = (time.clock_gettime(clock) - began) * 1000
        first = answer.content[0]
        assert not answer.is_error, answer.content
        assert isinstance(first, TextContent)
        return took, first.text


def call_of(kind: str, number: int) -> tuple[str, dict[str, object]]:
    """A call of a kind, about something else for each number: its tool and arguments."""
    shown: dict[str, object] = {"path": ".", "token_budget": BUDGET}
    name = f"Thing{number}x4"
    if kind == "zoom":
        return "zoom", {"target": name, "path": "."}
    if kind == "focus":
        return "get_context", {**shown, "focus": [name]}
    if kind == "query":
        return "get_context", {**shown, "query": f"where does thing {number}x4 work"}
    return "get_context", {**shown, "token_budget": BUDGET + number}


async def compared(folder: Path, rounds: int, other: Path | None) -> None:
    """Starts the servers and prints what their calls take."""
    serve = ["serve", "--root", str(folder)]
    commands = {
        "told": (HERE, ["-m", "server", *serve]),
        "looking": (HERE, ["-c", LOOKING, *serve]),
        **({"other": (other, ["-m", "server", *serve])} if other is not None else {}),
    }
    async with AsyncExitStack() as stack:
        servers = {
            name: await _started(stack, tree, arguments, stack.enter_context(tempfile.TemporaryDirectory()))
            for name, (tree, arguments) in commands.items()
        }
        print(f"{'ms':<10}{''.join(f'{name:>10}' for name in servers)}{'of looking':>12}{'of other':>10}", flush=True)
        for kind in ("zoom", "focus", "query", "overview"):
            taken: dict[str, list[float]] = {name: [] for name in servers}
            for turn, number in enumerate([*range(rounds)] * 2):
                texts: dict[str, str] = {}
                for name, server in servers.items():
                    took, texts[name] = await server.timed(*call_of(kind, number))
                    taken[name] += [took] * (turn >= rounds)
                assert texts["told"] == texts["looking"]
            medians = {name: median(one) for name, one in taken.items()}
            shares = [medians["told"] / medians[name] for name in ("looking", "other") if name in medians]
            told = "".join(f"{one:>{width}.0%}" for one, width in zip(shares, (12, 10), strict=False))
            print(f"{kind:<10}{''.join(f'{one:>10.1f}' for one in medians.values())}{told}", flush=True)


async def _started(stack: AsyncExitStack, tree: Path, arguments: list[str], cache: str) -> Served:
    before = set(family(os.getpid()))
    environment = {
        **os.environ,
        "FRACTAL_CONTEXT_CACHE": cache,
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(tree))
    client = await stack.enter_async_context(Client(stdio_client(parameters)))
    await client.list_tools()
    return Served(client=client, process=min(set(family(os.getpid())) - before))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15, help="calls of each kind; the median counts (%(default)s)")
    parser.add_argument("--code", type=Path, metavar="TREE", help="another tree of this project")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top).resolve() / "tree"
        made(folder, asked.files)
        time.sleep(SETTLING_SECONDS)  # what is touched later than that is looked at again
        anyio.run(compared, folder, asked.rounds, asked.code.resolve() if asked.code is not None else None)


if __name__ == "__main__":
    main()
