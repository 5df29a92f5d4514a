"""Many tenants in one process: each has a server of its own, made when its first request comes.

The gate has found whose token a request carries (`server.gate`) and says so in the request's scope. What one tenant asks
reaches that tenant's server alone: its tools, resources, completions, subscriptions and conversations know of no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anyio
from starlette.responses import JSONResponse, PlainTextResponse

from server.draining import readiness
from server.gate import HEALTH_PATH, READY_PATH, TENANT

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.abc import TaskGroup, TaskStatus
    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

_NOT_UP: Final = "This server is not up."


class Tenancy:
    """An ASGI application that hands each request to its tenant's.

    Args:
        make: makes the application of a tenant by its name.
    """

    def __init__(self, make: Callable[[str], Starlette]) -> None:
        self._make = make
        self._apps: dict[str, Starlette] = {}
        self._starting = anyio.Lock()
        self._tasks: TaskGroup | None = None
        self._ends = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request, or the life of the process."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and scope["path"] == HEALTH_PATH:
            await JSONResponse({"status": "ok"})(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == READY_PATH:
            await readiness()(scope, receive, send)
        elif scope["type"] == "http" and (app := await self._app(scope[TENANT])) is not None:
            await app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(_NOT_UP, status_code=503)(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Lives as long as the process serves; the servers of all tenants live inside."""
        await receive()
        async with anyio.create_task_group() as self._tasks:
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self._ends.set()
        self._tasks = None
        await send({"type": "lifespan.shutdown.complete"})

    async def _app(self, name: str) -> Starlette | None:
        if name not in self._apps:
            async with self._starting:
                if name not in self._apps and self._tasks is not None and not self._ends.is_set():
                    app = self._make(name)
                    await self._tasks.start(self._run, app)
                    self._apps[name] = app
        return self._apps.get(name)

    async def _run(self, app: Starlette, *, task_status: TaskStatus[Any]) -> None:
        async with app.router.lifespan_context(app):
            task_status.started()
            await self._ends.wait()
