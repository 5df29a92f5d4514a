"""Servers over HTTP and the store that they share, in processes of their own, for the scripts of this folder."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that listens.

    Attributes:
        url: where its tools are called.
        process: its number.
    """

    url: str
    process: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a call.

    Attributes:
        text: of all its blocks.
        metadata: what rides beside them.
        is_error: whether it is one.
        seconds: how long it took.
    """

    text: str
    metadata: Mapping[str, Any]
    is_error: bool
    seconds: float


@contextmanager
def store_server(*flags: str) -> Generator[str]:
    """Gives the address of a Valkey or Redis server that keeps nothing on disk, and ends it."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if program is None:
        raise SystemExit("Neither valkey-server nor redis-server is installed: apt-get install redis-server")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "store.sock")
        command = [program, "--port", "0", "--unixsocket", str(place), "--save", "", "--dir", folder, *flags]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while not place.exists():
                time.sleep(0.01)  # a start has no other sign here
            try:
                yield f"unix://{place}"
            finally:
                process.terminate()


def store_bytes(address: str) -> int:
    """Returns what the values of a store take of its memory, in bytes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address.removeprefix("unix://"))
        connection.sendall(b"INFO memory\r\n")
        said = connection.recv(1 << 16).decode()
    return int(said.partition("used_memory_dataset:")[2].split("\r")[0])


@contextmanager
def serving(
    roots: Sequence[Path], cache: Path, *, store: str = "", flags: Sequence[str] = (), errors: Path | None = None
) -> Generator[Server]:
    """Gives a server that listens on a free port of loopback, and ends it.

    Args:
        roots: what it may read.
        cache: the folder of its cache; its home folder lies beside it.
        store: the address of the shared store; "" for none.
        flags: more options.
        errors: where its log is written from its first word on; nowhere by default.
    """
    variables = {**os.environ, "FRACTAL_CONTEXT_CACHE": str(cache), "HOME": str(cache.with_suffix(".home"))}
    if store:
        variables["FRACTAL_CONTEXT_STORE"] = store
    command = [
        *(sys.executable, "-m", "server", "serve", "--transport", "streamable-http", "--port", "0"),
        *(word for root in roots for word in ("--root", str(root))),
        *flags,
    ]
    with (
        tempfile.TemporaryFile() if errors is None else errors.open("wb+") as told,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=told, env=variables) as process,
    ):
        try:
            yield Server(url=_told_url(told, process), process=process.pid)
        finally:
            process.terminate()


def _told_url(told: Any, process: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and process.poll() is None:
        said = os.pread(told.fileno(), 4096, 0).decode()
        if "listening on " in said and said.endswith("\n"):
            url = said.partition("listening on ")[2].split()[0]
            while httpx2.get(url.removesuffix("/mcp") + "/ready").status_code != 200:
                time.sleep(0.01)
            return url
        time.sleep(0.01)  # it tells when it listens
    raise SystemExit("A server did not start.")


def call(client: httpx2.Client, url: str, tool: str, **arguments: object) -> Answer:
    """Makes one call and times it.

    Args:
        client: keeps the connections.
        url: of a server or a balancer.
        tool: its name.
        arguments: of the tool.
    """
    began = time.perf_counter()
    answer = client.post(url, json=_body(tool, arguments), headers=HEADERS)
    return _read(answer, time.perf_counter() - began)


async def acall(client: httpx2.AsyncClient, url: str, tool: str, **arguments: object) -> Answer:
    """Makes one call among others, as `call` does."""
    began = time.perf_counter()
    answer = await client.post(url, json=_body(tool, arguments), headers=HEADERS)
    return _read(answer, time.perf_counter() - began)


def _body(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def _read(answer: httpx2.Response, seconds: float) -> Answer:
    if answer.status_code != 200:
        return Answer(text=answer.text, metadata={}, is_error=True, seconds=seconds)
    lines = [line for line in answer.text.splitlines() if line.startswith("data:")]
    message = json.loads(lines[-1].removeprefix("data:") if lines else answer.text)
    result = message.get("result")
    if result is None:
        return Answer(text=json.dumps(message.get("error")), metadata={}, is_error=True, seconds=seconds)
    meta: dict[str, dict[str, Any]] = result.get("_meta") or {}
    return Answer(
        text="\n".join(block.get("text", "") for block in result["content"]),
        metadata=meta.get("metadata", {}),
        is_error=bool(result.get("isError")),
        seconds=seconds,
    )
