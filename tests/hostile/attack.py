"""Prints how long a running server takes for each thing that is made to hurt it, and how fast it ends.

    python -m tests.hostile.attack [--only paths,grammars] [--times 20000]

Each case is sent to a real server over HTTP on loopback, one call after the other; then the next call must work. The
table has, for each group, its calls, the slowest of them with what it was about, and the most memory that the server
and its processes held meanwhile. The exit code is 1 where a call took more than ten seconds, an answer held what stands
outside the root, the server fell over, or it took more than a second to end.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from benchmarks.compression.hostile import HOSTILE
from skeleton.languages.headers import language_name_of, language_names
from tests.hostile.cases import (
    BODIES,
    CANARY,
    ESCAPES,
    PATTERNS,
    calls_with,
    plant,
    set_traps,
    snippets,
    swapping,
    uris_with,
)
from tests.hostile.endings import endings
from tests.hostile.soak import sample, serving

ALLOWED_SECONDS = 10
ALLOWED_END = 1
READY_SECONDS = 600
TOKEN = "a-token-for-hostile-cases"
TEXT_FORMATS = ("md", "json", "yaml", "toml", "rst", "ipynb", "html", "xml", "css", "csv", "txt")


@dataclass(slots=True, kw_only=True)
class Group:
    """The outcome of the cases of one kind.

    Attributes:
        name: the kind.
        calls: how many were made.
        slowest: seconds of the slowest.
        about: what that was.
        memory: the most bytes that the server and its processes held after a call.
        leaks: the calls whose answer held what it must not.
        broken: what else went wrong.
    """

    name: str
    calls: int = 0
    slowest: float = 0.0
    about: str = ""
    memory: int = 0
    leaks: list[str] = field(default_factory=list[str])
    broken: list[str] = field(default_factory=list[str])

    @property
    def sound(self) -> bool:
        """True if nothing in it went wrong."""
        return not self.leaks and not self.broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The server that is attacked: a client of it, a plain HTTP client, its address, its process and its root."""

    client: Client
    http: httpx2.AsyncClient
    url: str
    process: int
    root: Path

    async def timed(self, group: Group, about: str, asked: Callable[[], Awaitable[object]]) -> None:
        """Makes one call and notes what it took."""
        began = time.monotonic()
        try:
            with anyio.fail_after(READY_SECONDS):
                said = str(await asked())
        except MCPError as error:
            said = str(error)
        except (TimeoutError, httpx2.HTTPError) as error:
            group.broken.append(f"{about}: {type(error).__name__}")
            said = ""
        took = time.monotonic() - began
        group.calls += 1
        if took > group.slowest:
            group.slowest, group.about = took, about
        if took > ALLOWED_SECONDS:
            group.broken.append(f"{about}: {took:.1f} s")
        if CANARY in said or "root:x:" in said:
            group.leaks.append(about)
        if "is a bug in" in said:
            group.broken.append(f"{about}: a bug")
        group.memory = max(group.memory, sample(self.process, 0).memory)

    async def tool(self, group: Group, about: str, tool: str, arguments: dict[str, Any]) -> None:
        """Calls a tool."""
        await self.timed(group, about, lambda: self.client.call_tool(tool, arguments))


async def paths(target: Target, group: Group, times: int) -> None:
    """A path that leads out, in every argument."""
    del times
    for path in ESCAPES:
        for tool, arguments, _ in calls_with(path):
            await target.tool(group, f"{tool} {path[:30]!r}", tool, arguments)


async def addresses(target: Target, group: Group, times: int) -> None:
    """A path that leads out, in the address of a resource."""
    del times
    for path in ESCAPES:
        for uri in uris_with(path):
            await target.timed(group, uri[:40], lambda uri=uri: target.client.read_resource(uri))


async def patterns(target: Target, group: Group, times: int) -> None:
    """Globs and regular expressions that explode."""
    del times
    for pattern in (*PATTERNS, *HOSTILE["json"](900).split("\n")):
        for argument in ("include", "exclude", "focus"):
            about = f"{argument} {pattern[:30]!r}"
            await target.tool(group, about, "get_context", {"path": ".", argument: [pattern], "token_budget": 500})
        await target.tool(group, f"query {pattern[:30]!r}", "get_context", {"path": "src", "query": pattern * 20})
        await target.tool(group, f"zoom {pattern[:30]!r}", "zoom", {"target": pattern, "path": "src"})
    await target.tool(group, "5000 globs", "get_context", {"path": "src", "include": ["*"] * 5000})


async def specials(target: Target, group: Group, times: int) -> None:
    """Pipes, sockets, devices and loops."""
    del times
    for name in ("pipe.py", "socket.py", "zero", "loop", "canary.py"):
        await target.tool(group, name, "get_context", {"path": name})
        await target.tool(group, name, "zoom", {"target": f"file={name}", "path": "."})
    await target.tool(group, "all of it", "get_context", {"path": "."})


async def swaps(target: Target, group: Group, times: int) -> None:
    """A link that takes a file's place during a call."""
    del times
    (target.root / "swap").mkdir()
    with swapping(target.root / "swap" / "a.py", target.root.parent / "outside" / "canary.py"):
        for _ in range(50):
            await target.tool(group, "folder", "get_context", {"path": "swap"})
            await target.tool(group, "file", "get_context", {"path": "swap/a.py"})
            await target.tool(group, "zoom", "zoom", {"target": "file=swap/a.py", "path": "."})
            await target.tool(group, "symbol", "zoom", {"target": "CANARY", "path": "swap"})


async def traps(target: Target, group: Group, times: int) -> None:
    """Files that are made to exhaust a reader."""
    del times
    folder = target.root / "nested"
    set_traps(folder)
    deep = folder / "folders"
    here = os.open(folder, os.O_RDONLY)
    for _ in range(600):  # deeper than a path may be long
        os.mkdir("folders", dir_fd=here)
        below = os.open("folders", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    for file in sorted(folder.iterdir()):
        name = f"nested/{file.name}"
        await target.tool(group, file.name, "get_context", {"path": name, "token_budget": 1000})
        await target.tool(group, f"zoom {file.name}", "zoom", {"target": f"file={name}", "path": "."})
    await target.tool(group, "all of them", "get_context", {"path": "nested", "token_budget": 2000})
    await target.tool(group, "a name in all", "zoom", {"target": "a", "path": "nested"})
    assert deep.is_dir()


def endings_of_languages() -> dict[str, str]:
    """Returns an ending of file names for each language, and for each format of text."""
    found = {ending: ending for ending in TEXT_FORMATS}
    for name in language_names():
        query = (resources.files("skeleton") / "languages" / f"{name}.scm").read_text(encoding="utf-8")
        for ending in re.findall(r"\*\.(\S+)", query.partition("; files:")[2].partition("\n")[0]):
            if language_name_of(f"a.{ending}") == name:
                found[name] = ending
                break
    return found


async def grammars(target: Target, group: Group, times: int) -> None:
    """Asks for texts that grammars and formats choke on, in a file of each language."""
    folder = target.root / "grammars"
    folder.mkdir()
    for language, ending in endings_of_languages().items():
        for number, (about, text) in enumerate(snippets(times)):
            name = f"grammars/a{number}.{ending}"
            (target.root / name).write_text(text, encoding="utf-8")
            await target.tool(group, f"{language} {about}", "get_context", {"path": name, "token_budget": 1000})
            (target.root / name).unlink()


async def prompts(target: Target, group: Group, times: int) -> None:
    """Has texts compressed that the adapters choke on."""
    for name, made in HOSTILE.items():
        arguments = {"text": made(times * 10), "engine": "extractive"}
        await target.tool(group, name, "compress", arguments)


async def requests(target: Target, group: Group, times: int) -> None:
    """Requests that nobody should send, among them 200 at once."""
    del times
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    refused: tuple[tuple[str, dict[str, str], int], ...] = (
        ("foreign host", {"Host": "evil.example"}, 421),
        ("foreign origin", {"Origin": "https://evil.example"}, 403),
        ("no token", {"Authorization": ""}, 401),
        ("wrong token", {"Authorization": f"Bearer {TOKEN}x"}, 401),
    )

    async def post(status: int, **given: Any) -> None:
        answer = await target.http.post(target.url, **given)
        if answer.status_code != status and not (status == 0 and answer.status_code < 500):
            group.broken.append(f"status {answer.status_code} for {str(given)[:60]}")

    for about, headers, status in refused:
        await target.timed(
            group, about, lambda headers=headers, status=status: post(status, json=call, headers=headers)
        )
    await target.timed(group, "oversized", lambda: post(413, content=b"x" * (8 << 20)))
    for body in BODIES:
        about = f"body {body[:12]!r}"
        await target.timed(group, about, lambda body=body: post(0, content=body))
    zoom = call | {"method": "tools/call", "params": {"name": "zoom", "arguments": {"target": "main", "path": "src"}}}

    async def at_once() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(200):
                tasks.start_soon(lambda: post(200, json=zoom))

    await target.timed(group, "200 at once", at_once)
    held = [await anyio.connect_tcp("127.0.0.1", int(target.url.split(":")[2].split("/")[0])) for _ in range(100)]
    for number, connection in enumerate(held):
        await connection.send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"[: 9 + number % 50])
    await target.timed(group, "beside 100 slow clients", lambda: post(200, json=zoom))
    for connection in held:
        await connection.aclose()


GROUPS = (paths, addresses, patterns, specials, swaps, traps, grammars, prompts, requests)


@asynccontextmanager
async def attacked(home: Path) -> AsyncGenerator[Target]:
    """Gives a server over a root full of traps."""
    root = plant(home)
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    limits = httpx2.Limits(max_connections=300)
    with serving(root, home / "cache", FRACTAL_CONTEXT_TOKEN=TOKEN) as (process, url):
        async with (
            httpx2.AsyncClient(timeout=READY_SECONDS, headers=headers, limits=limits) as http,
            Client(streamable_http_client(url, http_client=http), read_timeout_seconds=READY_SECONDS) as client,
        ):
            yield Target(client=client, http=http, url=url, process=process, root=root)


async def attack(names: Sequence[str], times: int) -> list[Group]:
    """Makes the calls of the groups that are named, and returns what came of them; prints each when it is done."""
    done: list[Group] = []
    with tempfile.TemporaryDirectory() as folder:
        async with attacked(Path(folder)) as target:
            for cases in GROUPS:
                if names and cases.__name__ not in names:
                    continue
                group = Group(name=cases.__name__)
                await cases(target, group, times)
                answer = str(await target.client.call_tool("zoom", {"target": "main", "path": "src"}))
                if "return 1" not in answer:
                    group.broken.append("the next call does not work")
                done.append(group)
                print(
                    f"| {group.name} | {group.calls} | {group.slowest:.2f} | {group.about} | {group.memory >> 20} |"
                    f" {'yes' if group.sound else 'NO'} |",
                    flush=True,
                )
    return done


def faults(groups: Sequence[Group]) -> Generator[str]:
    """Gives a line for everything that went wrong."""
    for group in groups:
        yield from (f"{group.name}: {about} told what stands outside" for about in group.leaks)
        yield from (f"{group.name}: {about}" for about in group.broken)


def main() -> int:
    """Prints the tables; 1 where something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="GROUPS", help="names of groups, separated by commas")
    parser.add_argument("--times", type=int, default=20_000, metavar="N", help="how often a snippet is repeated")
    asked = parser.parse_args()
    names = tuple(name for name in str(asked.only).split(",") if name)
    print("| group | calls | slowest, s | which | memory, MiB | sound |\n|---|---:|---:|---|---:|---|", flush=True)

    async def run() -> list[Group]:
        return await attack(names, asked.times)

    wrong = list(faults(anyio.run(run)))
    if not names or "endings" in names:
        print("\n| server | ended by | seconds | processes left | cache |\n|---|---|---:|---:|---|", flush=True)
        for ending in endings():
            print(ending.row, flush=True)
            if ending.left or not ending.whole or ending.seconds > ALLOWED_END:
                wrong.append(f"ending: {ending.row}")
    print("\n".join(wrong) or "Nothing went wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
