"""Asks a client, once and before its first call, for the folders that it declares, where nobody has named a root.

A client on standard input and output was started by the user and has started this server, so it may say which folders
are the user's project. Nobody else may: named roots stand whatever a client declares, and over HTTP nobody is asked.
Protocol 2026-07-28 lets no server ask in the middle of a call: there the first call is answered with the question, and
comes again with the answer.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import anyio
from mcp.shared.exceptions import MCPError
from mcp.types import InputRequiredResult, ListRootsRequest, ListRootsResult, NotificationParams

from server.settings import Transport
from workspace.addresses import path_at
from workspace.roots import UnnamedRoots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.server.context import ServerRequestContext
    from mcp.server.mcpserver import Context, MCPServer

    from server.settings import Settings

_KEY = "roots"
"""Stands for the question among those that a call is answered with."""

PATIENCE = 5.0
"""Seconds that a client may take to say what its roots are; a call does not wait longer for it."""


class DeclaredRoots:
    """The folders that the client of one server declares, taken into the roots of its settings.

    Args:
        settings: whose roots they are.
    """

    def __init__(self, settings: Settings) -> None:
        self._roots = settings.roots
        self._is_heard = settings.transport is not Transport.STDIO or not isinstance(settings.roots, UnnamedRoots)
        self._asking = anyio.Lock()

    async def hear(self, ctx: Context[Any, Any]) -> InputRequiredResult | None:
        """Asks the client, unless it was asked before or declares nothing; it comes back when the roots are known.

        Returns:
            What the call has to be answered with, so that it comes again with the roots; None where they are known.
        """
        if self._is_heard or not isinstance(self._roots, UnnamedRoots):
            return None
        async with self._asking:
            if self._is_heard or not _declares(ctx):
                return None
            if ctx.session.can_send_request:
                self._take(self._roots, await _asked(ctx))
            elif ctx.input_responses is None:
                return InputRequiredResult(input_requests={_KEY: ListRootsRequest()})
            else:
                told = ctx.input_responses.get(_KEY)
                declared = told.roots if isinstance(told, ListRootsResult) else []
                self._take(self._roots, [str(root.uri) for root in declared])
        return None

    def _take(self, roots: UnnamedRoots, addresses: Sequence[str]) -> None:
        folders = {address: path_at(address) for address in addresses}
        passed = [address for address, folder in folders.items() if not folder]
        for one in [*passed, *roots.declare([folder for folder in folders.values() if folder])]:
            logging.getLogger(__name__).warning(
                "The client's root %s is not read: it is no folder of this machine, or too wide; name it with --root.",
                one,
            )
        self._is_heard = True

    def follow(self, server: MCPServer[Any]) -> None:
        """Has the server ask again when its client says that its folders have changed."""
        if self._is_heard:
            return

        async def changed(ctx: ServerRequestContext[Any], params: NotificationParams | None) -> None:
            del ctx, params
            self._is_heard = False

        server._lowlevel_server.add_notification_handler(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - there is no other door
            "notifications/roots/list_changed", NotificationParams, changed
        )


def _declares(ctx: Context[Any, Any]) -> bool:
    """Tells whether the client has folders to declare."""
    able = ctx.client_capabilities
    return able is not None and able.roots is not None


async def _asked(ctx: Context[Any, Any]) -> list[str]:
    """Returns the addresses that the client answers with in the middle of the call; none where it gives no list."""
    told: dict[str, Any] = {}
    # Typed, the whole answer would be refused for one root that is no `file:` address, as virtual folders are.
    outbound = ctx.session._connection.outbound  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - there is no other door
    with anyio.move_on_after(PATIENCE), suppress(MCPError):
        told = await outbound.send_raw_request(ListRootsRequest().method, None)
    roots: list[Any] = told["roots"] if isinstance(told.get("roots"), list) else []
    addresses: list[Any] = [cast("dict[str, Any]", root).get("uri") for root in roots if isinstance(root, dict)]
    return [address for address in addresses if isinstance(address, str)]
