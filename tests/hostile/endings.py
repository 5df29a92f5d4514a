"""Ends a server in the midst of its work, and measures how fast all goes that it started and what its cache is worth.

A server of each transport indexes a tree, with worker processes. As soon as these are at work it loses its client or
its input, or is sent a signal. What is measured runs from there until none of its processes is left. The cache that it
leaves must pass SQLite's own check, and a later call over it must give what one without any cache gives.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from server.ending import descendants
from tests.hostile.soak import serving, source

FILES: Final = 1500
PATIENCE: Final = 120.0
_WORKER: Final = b"skeleton.index.worker"
_CALL: Final = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "get_context", "arguments": {"path": ".", "token_budget": 4000}},
}
_INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}},
}
_CLIENT: Final = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(server.pid, flush=True)
for line in sys.stdin.buffer:
    server.stdin.write(line)
    server.stdin.flush()
server.stdin.close()
server.wait()
"""
"""A client that hands on what it is told, and hangs up when it is told nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The ending of a server.

    Attributes:
        server: which one.
        by: what ended it.
        seconds: from there until none of its processes was left.
        left: how many were left after all.
        whole: whether the cache is sound, and gives what no cache gives.
    """

    server: str
    by: str
    seconds: float
    left: int
    whole: bool

    @property
    def row(self) -> str:
        """The ending as a row of the table."""
        whole = "whole" if self.whole else "DAMAGED"
        return f"| {self.server} | {self.by} | {self.seconds:.2f} | {self.left} | {whole} |"


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A server at work: its process, and what can be done to it."""

    process: int
    strikes: dict[str, Callable[[], None]]


def at_work(process: int) -> bool:
    """Tells whether a process is there and no zombie that waits for its parent."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Waits until something is true, and tells whether it came to that."""
    pause = threading.Event()
    due = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > due:
            return False
        pause.wait(0.005)
    return True


def has_workers(process: int) -> bool:
    """Tells whether a server has started processes that parse."""
    for one in descendants(process):
        try:
            if _WORKER in Path(f"/proc/{one}/cmdline").read_bytes():
                return True
        except OSError:
            continue  # it has ended meanwhile
    return False


def lines(*messages: object) -> bytes:
    """Returns messages as a client writes them to a pipe."""
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


@contextmanager
def over_stdio(root: Path, cache: Path) -> Generator[Working]:
    """Gives a server at work whose client is a process of its own."""
    command = [sys.executable, "-m", "server", "serve", "--root", str(root)]
    with subprocess.Popen(
        [sys.executable, "-c", _CLIENT, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "FRACTAL_CONTEXT_CACHE": str(cache)},
    ) as client:
        stdin, stdout = _pipe(client.stdin), _pipe(client.stdout)
        process = int(stdout.readline())
        stdin.write(lines(_INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, _CALL))
        stdin.flush()
        yield Working(
            process=process,
            strikes={
                "client killed": client.kill,
                "end of input": stdin.close,
                "SIGTERM": lambda: os.kill(process, signal.SIGTERM),
                "SIGINT": lambda: os.kill(process, signal.SIGINT),
                "SIGKILL": lambda: os.kill(process, signal.SIGKILL),
            },
        )
        client.kill()


@contextmanager
def over_http(root: Path, cache: Path, *flags: str) -> Generator[Working]:
    """Gives a server at work for a client of HTTP, which waits for the answer."""
    with serving(root, cache, flags=flags) as (process, url), ExitStack() as opened:
        address = ("127.0.0.1", int(url.split(":")[2].split("/")[0]))
        path = "/" + url.split("/", 3)[3]
        if "sse" in flags:
            events = opened.enter_context(socket.create_connection(address, timeout=PATIENCE))
            events.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
            received = b""
            while b"session_id=" not in received or not received.endswith(b"\n"):
                received += events.recv(4096)
            path = "/messages/" + received.partition(b"/messages/")[2].split()[0].decode()
            for message in (_INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}, _CALL):
                _post(opened, address, path, message)
        else:
            _post(opened, address, path, _CALL)
        yield Working(
            process=process,
            strikes={
                "SIGTERM": lambda: os.kill(process, signal.SIGTERM),
                "SIGINT": lambda: os.kill(process, signal.SIGINT),
                "SIGKILL": lambda: os.kill(process, signal.SIGKILL),
            },
        )


def _post(opened: ExitStack, address: tuple[str, int], path: str, message: object) -> None:
    """Sends a message over a connection that stays open, and reads nothing."""
    connection = opened.enter_context(socket.create_connection(address, timeout=PATIENCE))
    body = json.dumps(message).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode() + body)
    if path.startswith("/messages"):
        connection.recv(64)  # in their order


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def packed(root: Path, cache: str) -> bytes:
    """Returns what the command prints for a tree."""
    command = [sys.executable, "-m", "server", "pack", str(root), "--budget", "4000", "--cache", cache]
    return subprocess.run(command, check=True, capture_output=True).stdout


def is_whole(root: Path, cache: Path, expected: bytes) -> bool:
    """Tells whether a cache is a sound database, and one that gives the bytes that none gives."""
    for file in cache.glob("index-*.sqlite3"):
        with closing(sqlite3.connect(file)) as database:
            if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return False
    return packed(root, str(cache)) == expected and not list(cache.glob("*.damaged"))


SERVERS: Final[Mapping[str, Callable[[Path, Path], AbstractContextManager[Working]]]] = {
    "stdio": over_stdio,
    "sse": lambda root, cache: over_http(root, cache, "--transport", "sse"),
    "streamable-http": over_http,
    "streamable-http, 2 workers": lambda root, cache: over_http(root, cache, "--workers", "2"),
}

WAYS: Final[Mapping[str, Sequence[str]]] = {
    server: (*(("client killed", "end of input") if server == "stdio" else ()), "SIGTERM", "SIGINT", "SIGKILL")
    for server in SERVERS
}
"""The endings of each of them."""


def endings(*, files: int = FILES, servers: Mapping[str, Sequence[str]] = WAYS) -> Generator[Ending]:
    """Ends servers at work in every way there is, and gives how each ended.

    Args:
        files: how large the tree is.
        servers: which of `SERVERS`, and what ends each.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        root.mkdir()
        for number in range(files):
            (root / f"module{number}.py").write_text(source(number, number), encoding="utf-8")
        expected = packed(root, "off")
        for server, ways in servers.items():
            for by in ways:
                yield _ended(server, by, root, Path(folder, f"cache of {server} {by}"), expected)


def _ended(server: str, by: str, root: Path, cache: Path, expected: bytes) -> Ending:
    with SERVERS[server](root, cache) as working:
        assert wait_for(lambda: has_workers(working.process)), "no worker was started"
        threading.Event().wait(0.2)  # until files were read and facts stored
        processes = [working.process, *descendants(working.process)]
        began = time.monotonic()
        working.strikes[by]()
        wait_for(lambda: not any(map(at_work, processes)))
        seconds = time.monotonic() - began
        left = [process for process in processes if at_work(process)]
        for process in left:
            os.kill(process, signal.SIGKILL)
    return Ending(server=server, by=by, seconds=seconds, left=len(left), whole=is_whole(root, cache, expected))
