"""Real servers over HTTP on loopback, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import httpx2
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tests.server.pipes import ERAS, EXIT_TIMEOUT, environment, forked_server

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
    from pathlib import Path

    from mcp.client.session import SamplingFnT

TOKEN = "a-token-for-tests-only"
PATHS = {"streamable-http": "/mcp", "sse": "/sse"}

# A busy machine answers late: the five seconds that httpx waits of its own accord are not enough for it.
get = partial(httpx2.get, timeout=EXIT_TIMEOUT)
post = partial(httpx2.post, timeout=EXIT_TIMEOUT)
options = partial(httpx2.options, timeout=EXIT_TIMEOUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server process that is listening.

    Attributes:
        process: the process; its standard error is open.
        transport: what it speaks.
        origin: where it listens, without a path.
    """

    process: subprocess.Popen[str]
    transport: str
    origin: str

    @property
    def url(self) -> str:
        return self.origin + PATHS[self.transport]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])


@contextmanager
def listening(
    root: Path | None,
    transport: str = "streamable-http",
    *,
    cwd: Path | None = None,
    flags: Sequence[str] = (),
    program: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
) -> Generator[Served]:
    """Gives a server that listens on a free port of loopback, and ends it; without its start, unless a program is named.

    It runs in its root, or in `cwd`; where there is no root, its flags say what it reads.
    """
    command = [
        sys.executable,
        *(program or forked_server()),
        *(("--root", str(root)) if root is not None else ()),
        "--transport",
        transport,
        "--port",
        "0",
        *flags,
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(variables),
        cwd=cwd or root,
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "listening on http://" in line, line + process.stderr.read()
        origin = line.split()[-1].removesuffix(PATHS[transport]).replace("0.0.0.0", "127.0.0.1")
        try:
            yield Served(process=process, transport=transport, origin=origin)
        finally:
            process.terminate()
            process.wait(timeout=EXIT_TIMEOUT)


@asynccontextmanager
async def visiting(
    served: Served, *, era: str = "2026-07-28", token: str = "", sampling: SamplingFnT | None = None
) -> AsyncGenerator[Client]:
    """Gives a client of a server that listens; `sampling` is its model."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if served.transport == "sse":
        transport = sse_client(served.url, headers=headers)
        async with Client(
            transport, mode=ERAS[era], read_timeout_seconds=EXIT_TIMEOUT, sampling_callback=sampling
        ) as client:
            yield client
    else:
        async with httpx2.AsyncClient(headers=headers, timeout=EXIT_TIMEOUT) as http:
            transport = streamable_http_client(served.url, http_client=http)
            async with Client(
                transport, mode=ERAS[era], read_timeout_seconds=EXIT_TIMEOUT, sampling_callback=sampling
            ) as client:
                yield client
