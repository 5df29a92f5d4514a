"""Real servers over real pipes: once through the SDK's client, once byte by byte."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.hostile.endings import at_work
from tests.server.commands import MEASURING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

REPOSITORY = Path(__file__).parents[2]
SERVE = ("-m", "server", "serve")
"""A server from its very beginning, as the arguments of Python; see `forked_server` for one without its start."""

MEASURED = {name: value for name, value in os.environ.items() if name == MEASURING}
"""The environment that has a process measure its coverage, whatever test is the first to start it."""

MISBEHAVING = (str(Path(__file__).with_name("misbehaving.py")),)

ERAS = {"2026-07-28": "auto", "2025-11-25": "legacy"}
"""Protocol versions, and the client's mode that leads to each."""

EXIT_TIMEOUT = 250
"""Seconds within which a process must have ended; generous, because it only ever runs out on a failure."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns this process's environment, in which the source tree can be imported from any folder."""
    search = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": search, **(extra or {})}


@cache
def forked_command() -> tuple[str, ...]:
    """Returns the words that run a command without its start; the process that forks for it ends with this one."""
    place = str(Path(tempfile.mkdtemp(), "socket"))
    host = subprocess.Popen(
        [sys.executable, "-m", "tests.server.commands", place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(MEASURED),
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"ready\n"
    atexit.register(host.communicate)
    return sys.executable, "-SE", str(Path(__file__).with_name("commands.py")), place


def forked_server() -> tuple[str, ...]:
    """Returns the arguments of Python for a server without its start, which takes two seconds."""
    return *forked_command()[1:], "serve"


def misbehaving(mischief: str) -> tuple[str, ...]:
    """Returns the arguments of Python for a server whose engine misbehaves, without its start."""
    return *forked_command()[1:], "misbehave", mischief


@asynccontextmanager
async def connected(root: Path, *, era: str = "2026-07-28", flags: Sequence[str] = ()) -> AsyncGenerator[Client]:
    """Gives a client of a server that runs in a process of its own and may read `root`."""
    parameters = StdioServerParameters(
        command=sys.executable, args=[*forked_server(), "--root", str(root), *flags], env=environment(), cwd=root
    )
    async with Client(stdio_client(parameters), mode=ERAS[era], read_timeout_seconds=EXIT_TIMEOUT) as client:
        yield client


class RawServer:
    """A server process spoken to in lines of JSON; every byte that it writes to standard output is checked.

    It is one without its start, unless a program is named, and starts in `root`, which it is told unless `is_rooted` is off.
    """

    def __init__(
        self, root: Path, *, program: Sequence[str] = (), flags: Sequence[str] = (), is_rooted: bool = True
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(program or forked_server()), *(["--root", str(root)] if is_rooted else []), *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=root,
        )
        self._requests = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, method: str, params: dict[str, Any] | None = None, *, request: bool = True) -> int:
        """Writes a request or a notification and returns the request's number."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if request:
            self._requests += 1
            message["id"] = self._requests
        self.write((json.dumps(message) + "\n").encode())
        return self._requests

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Returns the next message; fails on a line that is none."""
        assert self.process.stdout is not None
        return as_message(self.process.stdout.readline())

    def answer_to(self, number: int) -> dict[str, Any]:
        """Returns the result of a request, past any notification."""
        while True:
            message = self.receive()
            if message.get("id") == number:
                assert "result" in message, message
                return message["result"]

    def replies(self, numbers: Sequence[int | str]) -> list[dict[str, Any]]:
        """Returns the answers to several requests, errors among them, past any notification."""
        found: dict[int | str | None, dict[str, Any]] = {}
        while not found.keys() >= set(numbers):
            message = self.receive()
            if "method" not in message:
                found[message["id"]] = message
        return [found[number] for number in numbers]

    def initialize(self, **capabilities: Any) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client}
        result = self.answer_to(self.send("initialize", params))
        self.send("notifications/initialized", request=False)
        return result

    def call(self, tool: str, *, token: str | None = None, **arguments: Any) -> int:
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        return self.send("tools/call", params | ({"_meta": {"progressToken": token}} if token else {}))

    def error_line_with(self, words: str) -> str:
        """Returns the first line on standard error that holds the words."""
        assert self.process.stderr is not None
        seen: list[bytes] = []
        for line in self.process.stderr:
            seen.append(line)
            if words.encode() in line:
                return line.decode()
        raise AssertionError(f"{words!r} is not in {seen}")

    def hang_up(self) -> None:
        """Closes the server's input and leaves the rest to be read."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def rest(self) -> bytes:
        """Closes the server's input, checks every line it still writes and returns what it wrote to standard error."""
        output, errors = self.process.communicate(timeout=EXIT_TIMEOUT)
        for line in output.splitlines():
            as_message(line)
        return errors


def gone(processes: Sequence[int]) -> bool:
    """Waits until none of the processes is at work any more, and tells whether that came true."""
    deadline = time.monotonic() + EXIT_TIMEOUT
    pause = threading.Event()
    while any(at_work(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        pause.wait(0.01)
    return True


def as_message(line: bytes) -> dict[str, Any]:
    """Returns a line as the JSON-RPC message that it must be."""
    message = json.loads(line)
    assert message["jsonrpc"] == "2.0", message
    return message
