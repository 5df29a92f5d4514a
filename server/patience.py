"""A limit to the wait for a client's model.

The framework asks that model between a resolver and its tool, outside of what `server.calls` runs and ends.
"""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from mcp.types import REQUEST_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Awaitable

Result = TypeVar("Result")

_waiting: ContextVar[anyio.CancelScope | None] = ContextVar("_waiting", default=None)


async def patiently(call: Awaitable[Result]) -> Result:
    """Waits for a call that may ask the client's model.

    Raises:
        MCPError: the model did not answer within the seconds that `ask` was given.
    """
    with anyio.CancelScope() as scope:
        before = _waiting.set(scope)
        try:
            return await call
        finally:
            _waiting.reset(before)
    raise MCPError(
        code=REQUEST_TIMEOUT, message="The client's model did not answer within the time that a call may take."
    )


def ask(seconds: float) -> None:
    """Begins to wait for the client's model, for so many seconds from now on; 0 for as long as it takes."""
    _set_deadline(anyio.current_time() + seconds if seconds else math.inf)


def hear() -> None:
    """Ends the wait: the model has answered, or nobody asked it."""
    _set_deadline(math.inf)


def _set_deadline(deadline: float) -> None:
    scope = _waiting.get()
    if scope is not None:
        scope.deadline = deadline
