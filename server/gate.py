"""The gate that every HTTP request passes before the protocol sees it: host, origin, token, time and size.

One gate stands before every path of both HTTP transports, so none can be forgotten. A page in a browser can reach a
server on loopback through a name of its own that it lets point there: the Host header tells (421), and the Origin
header where the page does not hide (403). Whoever may ask sends the bearer token (401), and sends the whole request
within the time (408) and the size (413) that the settings allow. `/health` and `/ready` alone need no token, and say
nothing but that the server is up, and that new clients may come.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

import anyio
from mcp.server.transport_security import (
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from server.settings import Settings

HEALTH_PATH = "/health"
READY_PATH = "/ready"
TENANT = "fractal_context.tenant"
"""The key under which the gate tells whose token a request carries."""

_REFUSALS = {
    421: "Invalid Host header: the server answers to names of loopback and to the address it listens on."
    " Started with --allowed-host NAME it answers to another (NAME:* with any port).",
    403: "Invalid Origin header: the server answers to pages of loopback. Started with --allowed-origin ORIGIN it"
    " answers to another.",
}
"""The words beside a status for whom the check of the SDK turns away; they tell no stranger which program this is."""

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
WILDCARD_ADDRESSES = frozenset({"0.0.0.0", "::", ""})


def guarded(
    app: ASGIApp,
    settings: Settings,
    *,
    open_paths: Collection[str] = (HEALTH_PATH, READY_PATH),
    tokens: Mapping[bytes, str] | None = None,
) -> ASGIApp:
    """Returns the application behind its gate.

    Args:
        app: what stands behind it.
        settings: its token, its limits, and whom it lets in.
        open_paths: the paths that need no token.
        tokens: the tenants by the SHA-256 of their tokens; the request says whose it is behind the gate.
    """
    inner: ASGIApp = _InTime(RequestBodyLimitMiddleware(app, settings.max_request_bytes), settings.request_timeout)
    if tokens is not None:
        inner = _WithTokens(inner, tokens, open_paths)
    elif settings.token:
        inner = _WithToken(inner, settings.token, open_paths)
    if settings.allowed_origins:
        # A browser asks first whether it may send the headers of the protocol, and that question carries no token.
        inner = CORSMiddleware(
            inner,
            allow_origins=settings.allowed_origins,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),
            expose_headers=("Mcp-Session-Id",),
        )
    return _FromAllowed(inner, security(settings))


def security(settings: Settings) -> TransportSecuritySettings:
    """Returns the hosts and origins that are let in: those of loopback, the address listened on, and the allowed ones."""
    names: list[str] = [*LOOPBACK_NAMES]
    if settings.host not in WILDCARD_ADDRESSES:
        names.append(f"[{settings.host}]" if ":" in settings.host else settings.host)
    hosts = [spelling for name in dict.fromkeys(names) for spelling in (name, f"{name}:*")]
    origins = [f"http://{spelling}" for name in LOOPBACK_NAMES for spelling in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *settings.allowed_hosts],
        allowed_origins=[*origins, *settings.allowed_origins],
    )


class _FromAllowed:
    """Refuses a request whose Host or Origin is none of ours."""

    def __init__(self, app: ASGIApp, allowed: TransportSecuritySettings) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = await self._check.validate_request(Request(scope))
            if refusal is not None:
                words = _REFUSALS.get(refusal.status_code)
                answer = PlainTextResponse(words, status_code=refusal.status_code) if words else refusal
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


class _WithToken:
    """Refuses a request that does not carry the bearer token."""

    def __init__(self, app: ASGIApp, token: str, open_paths: Collection[str]) -> None:
        self._app = app
        self._token = token.encode()
        self._open_paths = open_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in self._open_paths and not self._carried(scope):
            refusal = PlainTextResponse(
                "This server needs its token: send the header `Authorization: Bearer TOKEN`.",
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _carried(self, scope: Scope) -> bool:
        # In a time that does not tell how much of the token was right.
        return hmac.compare_digest(_bearer(scope), self._token)


class _WithTokens(_WithToken):
    """Refuses a request that carries the token of no tenant, and notes whose it carries."""

    def __init__(self, app: ASGIApp, tokens: Mapping[bytes, str], open_paths: Collection[str]) -> None:
        super().__init__(app, "", open_paths)
        self._tokens = tokens

    def _carried(self, scope: Scope) -> bool:
        # Looked up by its digest: how long that takes tells nothing of the tokens that there are.
        tenant = self._tokens.get(hashlib.sha256(_bearer(scope)).digest())
        scope[TENANT] = tenant
        return tenant is not None


def _bearer(scope: Scope) -> bytes:
    """The token that a request carries; empty where it carries none, or more than one."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    sent = [value for name, value in headers if name == b"authorization"]
    scheme, _, token = sent[0].partition(b" ") if len(sent) == 1 else (b"", b"", b"")
    return token.strip() if scheme.lower() == b"bearer" else b""


class _InTime:
    """Gives up on a request whose body does not arrive within some seconds."""

    def __init__(self, app: ASGIApp, seconds: int) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        due = anyio.current_time() + self._seconds
        whole = False
        late = False

        async def receive_in_time() -> Message:
            nonlocal whole, late
            if whole:
                return await receive()
            with anyio.move_on_at(due):
                message = await receive()
                whole = message["type"] != "http.request" or not message.get("more_body", False)
                return message
            late = True
            raise TimeoutError

        try:
            await self._app(scope, receive_in_time, send)
        except TimeoutError:
            if not late:
                raise
            refusal = PlainTextResponse(
                f"The request did not arrive within {self._seconds} seconds.",
                status_code=408,
                headers={"Connection": "close"},
            )
            await refusal(scope, receive, send)
