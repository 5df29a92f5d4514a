"""The folders that a client declares: asked for once, before its first call, where nobody has named a root.

A client on standard input and output was started by the user and has started this server, so it may say which folders
are the user's project. Nobody else may: named roots stand whatever a client declares, and over HTTP nobody is asked.
Protocol 2026-07-28 has given roots up; its clients start the server in the folder, or name it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
from mcp.shared.exceptions import MCPError
from mcp.types import ListRootsRequest, ListRootsResult, NotificationParams

from server.settings import Transport
from workspace.roots import UnnamedRoots
from workspace.windows import IS_WINDOWS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.mcpserver import Context, MCPServer

    from server.settings import Settings

PATIENCE = 5.0
"""Seconds that a client may take to say what its roots are; a call does not wait longer for it."""


class DeclaredRoots:
    """What the client of one server declares, taken into the roots of its settings.

    Args:
        settings: whose roots they are.
    """

    def __init__(self, settings: Settings) -> None:
        self._roots = settings.roots
        self._is_heard = settings.transport is not Transport.STDIO or not isinstance(settings.roots, UnnamedRoots)
        self._asking = anyio.Lock()

    async def hear(self, ctx: Context[Any, Any]) -> None:
        """Asks the client, unless it was asked before or declares nothing; it comes back when the roots are known."""
        if self._is_heard or not isinstance(self._roots, UnnamedRoots):
            return
        async with self._asking:
            if not self._is_heard:
                for passed in self._roots.declare(await _declared(ctx)):
                    logging.getLogger(__name__).warning(
                        "The client's root %s is not read: it is no folder, or too wide; name it with --root.", passed
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


async def _declared(ctx: Context[Any, Any]) -> list[str]:
    """Returns the folders that the client answers with; none where it declares none, or does not answer."""
    client = ctx.session.client_params
    if client is None or client.capabilities.roots is None:
        return []
    with anyio.move_on_after(PATIENCE):
        try:
            told = await ctx.session.send_request(ListRootsRequest(), ListRootsResult)
        except MCPError:
            return []
        return [folder for root in told.roots if (folder := _folder(str(root.uri)))]
    return []


def _folder(address: str) -> str:
    """Returns the path of a `file:` address; "" for any other."""
    parts = urlsplit(address)
    if parts.scheme != "file":
        return ""
    if parts.netloc in {"", "localhost"}:
        return url2pathname(parts.path)
    return url2pathname(f"//{parts.netloc}{parts.path}") if IS_WINDOWS else ""  # another machine's share
