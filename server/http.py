"""The server over HTTP: the same tools behind one gate, as streamable HTTP or, for older clients, as SSE.

Streamable HTTP keeps nothing between two requests, so several worker processes can share one socket. The parent opens
it, and starts a worker again that has died; a worker ends when its parent does. What a worker hands to a client to get
back later (the state of a call that asks the client's model) is sealed with a key that all workers of a server share, and
all replicas that are given one.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import secrets
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from server.app import build_server
from server.draining import TOLD, DrainingServer, drain_first, listen_for_the_end, readiness
from server.ending import end_after
from server.gate import HEALTH_PATH, READY_PATH, guarded
from server.loading import load_soon
from server.logs import log_to_standard_error
from server.settings import Transport
from server.sharing import shared_store, state_key
from server.updates import ENDS
from workspace.collecting import collect_less_often
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from types import FrameType

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from server.settings import Settings

STREAMABLE_PATH = "/mcp"
SSE_PATH = "/sse"
MESSAGE_PATH = "/messages/"
BACKLOG = 2048
GRACE = 0.4
"""Seconds that open requests may take to end once the server was told to stop: it has to be gone within one."""

LAST_GRACE = 0.2
"""Seconds that are left after that for the process to end by itself."""

_ANYTHING = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The transports' own checks are off: the gate has made them."""


def http_app(settings: Settings, *, state_key: bytes | None = None) -> ASGIApp:
    """Returns the whole ASGI application of a server.

    Args:
        settings: what the server is started with.
        state_key: seals what clients carry between two requests; None makes one, for a server of one process.
    """
    if settings.tenants:
        return _app_of_tenants(settings, state_key or secrets.token_bytes(32))
    return guarded(_server_app(settings, state_key), settings)


def _app_of_tenants(settings: Settings, state_key: bytes) -> ASGIApp:
    """Gives the application of all tenants: the gate tells whose token a request carries."""
    from server.tenancy import Tenancy  # few servers have tenants
    from server.tenants import key_of, read_tenants, settings_of

    tenants = read_tenants(settings.tenants)

    def make(name: str) -> Starlette:
        return _server_app(settings_of(settings, tenants[name]), key_of(state_key, name))

    tokens = {digest: tenant.name for tenant in tenants.values() for digest in tenant.digests}
    return guarded(Tenancy(make), settings, tokens=tokens)


def _server_app(settings: Settings, state_key: bytes | None) -> Starlette:
    server = build_server(settings, state_key=state_key)

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(_: Request) -> Response:
        return readiness()

    server.custom_route(HEALTH_PATH, methods=["GET"])(health)
    server.custom_route(READY_PATH, methods=["GET"])(ready)
    if settings.transport is Transport.SSE:
        return server.sse_app(
            sse_path=SSE_PATH,
            message_path=MESSAGE_PATH,
            max_request_body_size=settings.max_request_bytes,
            transport_security=_ANYTHING,
        )
    return server.streamable_http_app(
        streamable_http_path=STREAMABLE_PATH,
        stateless_http=True,
        max_request_body_size=settings.max_request_bytes,
        transport_security=_ANYTHING,
    )


def serve_http(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT, and says on standard error where.

    Raises:
        InvalidArgumentError: the address cannot be listened on.
    """
    listener = listening(settings.host, settings.port)
    config = serving_config(
        functools.partial(_worker_app, settings, state_key(settings) or secrets.token_bytes(32)), settings
    )
    if settings.workers > 1:
        run = _run_workers(config, listener, settings.drain)
    else:
        run = run_here(DrainingServer(config, settings.drain), listener)
    # Whoever reads this may send a signal at once: it is heard from here on.
    host, port = listener.getsockname()[:2]
    place = f"[{host}]" if ":" in host else host
    path = SSE_PATH if settings.transport is Transport.SSE else STREAMABLE_PATH
    sys.stderr.write(f"fractal-context: listening on http://{place}:{port}{path}\n")
    sys.stderr.flush()
    run()
    listener.close()


def serving_config(make_app: Callable[[], ASGIApp], settings: Settings) -> uvicorn.Config:
    """Gives how an application is served: what makes it, and the limits of the settings."""
    return uvicorn.Config(
        make_app,
        factory=True,
        http=HeadInTimeProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        workers=settings.workers,
        limit_concurrency=settings.max_concurrency + 1,  # uvicorn counts the connection that it is about to refuse
        timeout_keep_alive=settings.request_timeout,
        timeout_graceful_shutdown=GRACE,  # pyright: ignore[reportArgumentType] - it waits for fractions as well
    )


def run_here(server: uvicorn.Server, listener: socket.socket) -> Callable[[], None]:
    """Gives what serves in this process; a signal stops it from now on, also before it has begun."""
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn raises again, at the end, what made it stop: that comes here too, and changes nothing any more.
        signal.signal(number, server.handle_exit)
    return functools.partial(server.run, sockets=[listener])


def _run_workers(config: uvicorn.Config, listener: socket.socket, drain: float) -> Callable[[], None]:
    """Gives what starts the workers and watches them; it takes the signals over."""
    supervisor = Multiprocess(config, sockets=[listener])

    def tell(number: int | None) -> None:
        for process in supervisor.processes:
            if process.pid is not None and number is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, number)

    def stop(number: int) -> None:
        tell(
            signal.SIGTERM
        )  # the supervisor looks at its signals twice a second only; the workers hear of the end at once
        supervisor.signal_queue.append(number)

    def hear(number: int, _frame: FrameType | None) -> None:
        drain_first(number, drain, functools.partial(stop, number), tell=functools.partial(tell, TOLD))

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, hear)
    return supervisor.run


class HeadInTimeProtocol(H11Protocol):
    """HTTP whose client has to finish the head of a request within the time that a connection may be idle.

    uvicorn's own clock stops at the first byte, so a client that sends one now and one then, and never finishes, would
    hold its connection for good.
    """

    _head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - as uvicorn's
        """Starts the clock of the first request."""
        super().connection_made(transport)
        self._mind_the_clock()

    def data_received(self, data: bytes) -> None:
        """Stops the clock where the head is whole."""
        super().data_received(data)
        self._mind_the_clock()

    def on_response_complete(self) -> None:
        """Starts the clock of the next request."""
        super().on_response_complete()
        self._mind_the_clock()

    def shutdown(self) -> None:
        """Ends what would go on for ever, and lets the rest finish."""
        if self.cycle is not None:  # pyright: ignore[reportUnnecessaryComparison] - None before the first request
            self.cycle.scope.get(ENDS, lambda: None)()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clock."""
        super().connection_lost(exc)
        self._stop_the_clock()

    def _mind_the_clock(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison] - None before the first request
            self._stop_the_clock()
        elif self._head_due is None and not self.transport.is_closing():
            self._head_due = self.loop.call_later(self.timeout_keep_alive, self.transport.close)

    def _stop_the_clock(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None


def _worker_app(settings: Settings, state_key: bytes) -> ASGIApp:
    """Makes the application in the process that serves it."""
    collect_less_often()
    log_to_standard_error(settings)
    parent = multiprocessing.parent_process()
    if parent is not None:
        listen_for_the_end()
        threading.Thread(target=_stop_with, args=(parent.join,), name="end of parent", daemon=True).start()
    load_soon(settings)
    shared_store(settings)  # connects before the first call
    if settings.published:
        from server.publishing import fetch_ahead  # not for a server that begins with nothing

        fetch_ahead(settings)
    return ending_hard(http_app(settings, state_key=state_key))


def ending_hard(app: ASGIApp) -> ASGIApp:
    """Returns an application whose process ends soon after its service, whatever still runs in it."""

    async def ending(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        if scope["type"] == "lifespan":
            end_after(LAST_GRACE)  # an engine call that never looks up again has no client left

    return ending


def _stop_with(parent_ends: Callable[[], object]) -> None:
    parent_ends()
    os.kill(os.getpid(), signal.SIGTERM)


def listening(host: str, port: int) -> socket.socket:
    """Opens the socket that is served on.

    Raises:
        InvalidArgumentError: the address cannot be listened on.
    """
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise InvalidArgumentError(
            f"{host} port {port} cannot be listened on: {error.strerror}. Another --port may be free; 0 takes any."
        ) from error
