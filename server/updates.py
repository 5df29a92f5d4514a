"""Tells a client when a resource that it follows would be read differently from before, and of nothing else.

Clients of 2026-07-28 open a stream (`subscriptions/listen`), older ones subscribe to an address (`resources/subscribe`).
As long as somebody follows anything the roots are looked at twice a second, which costs next to nothing where the system
tells of changes (`workspace.files.watching`). When something has changed, and then nothing more for one look, what is
followed is read again, and told of where its text is another one: a file that was only touched, or that the context does
not show, is no news.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, UnexpectedResourceError
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    EmptyResult,
    InputRequiredResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from server.calls import Slots, run_call
from workspace.errors import FractalContextError

if TYPE_CHECKING:
    from collections.abc import Collection

    from mcp.server.context import ServerRequestContext
    from mcp.server.mcpserver import MCPServer
    from mcp.server.session import ServerSession

    from server.calls import Pulse
    from server.declared import DeclaredRoots
    from server.settings import Settings
    from workspace.files.rescan import RememberedScans
    from workspace.files.scan import ScannedFile

LOOK_SECONDS: Final = 0.5
"""Between two looks at the roots."""

REST: Final = 4
"""After a look or a reading that took long, so many times as long nothing is done: a fifth of one processor at most."""

LONGEST_WAIT: Final = 3.0
"""Seconds after which is told of a change even if the changes do not stop."""

MOST_FOLLOWED: Final = 64
"""Different addresses that are followed at one time."""

ENDS: Final = "fractal_context.ends"
"""The key under which a request over HTTP that goes on until it is ended says how; see `server.http`."""

_ABSENT: Final = b"absent"
_UNKNOWN: Final = b""
"""The digest of what could not be read in time, or by a bug: it counts as changed with any change."""


class Silent(Context[Any, Any]):
    """The context of a reading that no request waits for."""

    def __init__(self, ctx: ServerRequestContext[Any, Any] | None = None, server: MCPServer[Any] | None = None) -> None:
        super().__init__(request_context=ctx, mcp_server=server)

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tells nobody."""


class Followed:
    """A resource that is followed.

    Attributes:
        ctx: the request that asked for it first.
        state: stands for what was last read.
    """

    def __init__(self, ctx: ServerRequestContext[Updates, Any], state: bytes) -> None:
        self.ctx = ctx
        self.state = state


class Updates:
    """The resources that the clients of one run of a server follow.

    Args:
        server: reads the resources.
        settings: its settings.
        declared: what the client says of the user's folders.
    """

    def __init__(self, server: MCPServer[Any], settings: Settings, declared: DeclaredRoots) -> None:
        self._server = server
        self._settings = settings
        self._declared = declared
        self._bus = InMemorySubscriptionBus()
        self._stream = ListenHandler(self._bus)
        self._scans: RememberedScans | None = None
        self._slots = Slots(1, 1)
        self._seen: list[tuple[ScannedFile, ...]] = []
        self._followed: dict[str, Followed] = {}
        self._users: Counter[str] = Counter()
        self._subscribed: dict[str, ServerSession] = {}
        self._looking: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Ends the looking, with the server."""
        if self._looking is not None:
            self._looking.cancel()

    async def listen(
        self, ctx: ServerRequestContext[Updates, Any], params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serves one stream of events, until its client or the server ends it."""
        wanted = [*dict.fromkeys(params.notifications.resource_subscriptions or ())]
        await self._follow(ctx, wanted)
        if ctx.request is not None:
            ctx.request.scope[ENDS] = self._stream.close
        try:
            return await self._stream(ctx, params)
        finally:
            self._leave(wanted)

    async def subscribe(self, ctx: ServerRequestContext[Updates, Any], params: SubscribeRequestParams) -> EmptyResult:
        """Has the client told of one resource; asked twice for the same one, it is told once."""
        if params.uri not in self._subscribed:
            await self._follow(ctx, {params.uri})
            self._subscribed[params.uri] = ctx.session
        return EmptyResult()

    async def unsubscribe(self, params: UnsubscribeRequestParams) -> EmptyResult:
        """Ends what `subscribe` began, if it did."""
        if self._subscribed.pop(params.uri, None) is not None:
            self._leave({params.uri})
        return EmptyResult()

    async def _follow(self, ctx: ServerRequestContext[Updates, Any], addresses: Collection[str]) -> None:
        """Notes what the addresses hold now; it comes back when every later change will be told of.

        Raises:
            MCPError: that would be too many.
        """
        new = [address for address in addresses if address not in self._followed]
        if len(self._followed) + len(new) > MOST_FOLLOWED:
            raise MCPError(
                INVALID_PARAMS,
                f"At most {MOST_FOLLOWED} resources are followed at one time; follow a folder instead of its files.",
            )
        self._users.update(addresses)
        try:
            await self._declared.hear(self._silent(ctx))
            if new and self._looking is None:
                self._seen = await self._look()  # before anything is read, so that no change falls in between
            for address in new:
                self._followed[address] = Followed(ctx, await self._read(ctx, address))
        except BaseException:
            self._leave(addresses)
            raise
        if self._followed and self._looking is None:
            # A task of its own: it outlives the request, and what becomes of it does not end the server.
            self._looking = asyncio.create_task(self._keep_looking(), name="updates of resources")

    def _leave(self, addresses: Collection[str]) -> None:
        self._users.subtract(addresses)
        for address in addresses:
            if not self._users[address]:
                del self._users[address]
                self._followed.pop(address, None)

    def _silent(self, ctx: ServerRequestContext[Updates, Any]) -> Silent:
        return Silent(ctx, self._server)

    async def _keep_looking(self) -> None:
        """Looks at the roots until nobody follows anything any more."""
        changed_at: float | None = None
        pause = LOOK_SECONDS
        try:
            while self._followed:
                await anyio.sleep(pause)
                began = anyio.current_time()
                found = await self._look()
                is_calm, self._seen = found == self._seen, found
                if not is_calm and changed_at is None:
                    changed_at = began
                if changed_at is not None and (is_calm or began - changed_at >= LONGEST_WAIT):
                    changed_at = None
                    await self._tell()
                pause = max(LOOK_SECONDS, REST * (anyio.current_time() - began))
        finally:
            self._looking = None

    async def _tell(self) -> None:
        """Reads what is followed again, and tells of what has changed."""
        for address, followed in [*self._followed.items()]:
            state = await self._read(followed.ctx, address)
            if state == followed.state != _UNKNOWN:
                continue
            followed.state = state
            await self._bus.publish(ResourceUpdated(uri=address))
            session = self._subscribed.get(address)
            if session is not None:
                with anyio.move_on_after(LONGEST_WAIT):  # who does not read does not hold the others up
                    await session.send_resource_updated(address)

    async def _look(self) -> list[tuple[ScannedFile, ...]]:
        """Returns the files of every root, with their stamps; of none where a root is gone."""

        def work(_: Pulse) -> list[tuple[ScannedFile, ...]]:
            from workspace.files.rescan import RememberedScans  # loaded by who follows something, not by the handshake

            self._scans = self._scans or RememberedScans(self._settings.roots)
            return [self._scans.scan(root).files for root in self._settings.roots.current()]

        try:
            return await run_call(
                work,
                report=Silent().report_progress,
                slots=self._slots,
                seconds=self._settings.time_limit,
            )
        except (FractalContextError, OSError) as error:
            logging.getLogger(__name__).info("The roots cannot be looked at: %s", error)
            return []

    async def _read(self, ctx: ServerRequestContext[Updates, Any], address: str) -> bytes:
        """Returns what stands for the text of a resource as it is now."""
        try:
            read = await self._server.read_resource(address, self._silent(ctx))
        except ResourceNotFoundError:
            return _ABSENT
        except (ResourceError, UnexpectedResourceError, MCPError):
            return _UNKNOWN
        digest = hashlib.sha256()
        for part in read if not isinstance(read, InputRequiredResult) else ():
            digest.update(part.content if isinstance(part.content, bytes) else part.content.encode())
        return digest.digest()


def add_updates(server: MCPServer[Any], *, keeps_connections: bool) -> None:
    """Has a server serve who follows its resources; each of its runs has to hold an `Updates`.

    Args:
        server: the server.
        keeps_connections: whether an older client can be told of anything after its request was answered.
    """
    ways = server._lowlevel_server  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - there is no other door

    async def listen(
        ctx: ServerRequestContext[Updates, Any], params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        return await ctx.lifespan_context.listen(ctx, params)

    async def subscribe(ctx: ServerRequestContext[Updates, Any], params: SubscribeRequestParams) -> EmptyResult:
        return await ctx.lifespan_context.subscribe(ctx, params)

    async def unsubscribe(ctx: ServerRequestContext[Updates, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        return await ctx.lifespan_context.unsubscribe(params)

    ways.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, listen)
    if keeps_connections:
        ways.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
        ways.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)
