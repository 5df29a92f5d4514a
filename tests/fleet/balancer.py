"""A round-robin balancer over real servers, on loopback: each request goes to the next one."""

from __future__ import annotations

import itertools
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from starlette.requests import Request

_NOT_PASSED_ON = {"host", "connection", "transfer-encoding", "content-length", "content-encoding"}
_SECONDS = 120


@contextmanager
def balancing(origins: Sequence[str]) -> Generator[tuple[str, list[int]]]:
    """Gives the address that leads to all origins in turn, and how many requests each had so far."""
    turns = itertools.cycle(range(len(origins)))
    served = [0] * len(origins)

    async def passed_on(request: Request) -> Response:
        turn = next(turns)
        served[turn] += 1
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_PASSED_ON}
        body = await request.body()
        async with httpx2.AsyncClient(timeout=_SECONDS) as client:
            answer = await client.request(
                request.method, origins[turn] + request.url.path, content=body, headers=headers
            )
        kept = {name: value for name, value in answer.headers.items() if name not in _NOT_PASSED_ON}
        return Response(answer.content, answer.status_code, kept)

    app = Starlette(routes=[Route("/{path:path}", passed_on, methods=["GET", "POST", "DELETE"])])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False, lifespan="off", ws="none"))
    started = threading.Event()
    startup = server.startup

    async def told_startup(*arguments: object, **named: object) -> None:
        await startup(*arguments, **named)  # pyright: ignore[reportArgumentType] - handed through
        started.set()

    server.startup = told_startup
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert started.wait(_SECONDS)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", served
    finally:
        server.should_exit = True
        thread.join()
