"""Tells when a folder has changed: it is looked at for as long as somebody wants to hear it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from workspace.errors import FractalContextError
from workspace.files.rescan import RememberedScans

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from workspace.roots import Roots

LOOK_SECONDS = 0.1
"""Between two looks; where the system tells of changes a look costs next to nothing."""

SHARE = 3
"""A look may take a part of the time: after it so many times as long as it took is waited, or longer."""


class Following:
    """The versions of a folder, counted from 0 on.

    Args:
        roots: the allowed roots.
        base: the folder or the file.
        is_over: tells whether the program ends, and nobody is to be told any more.
    """

    def __init__(self, roots: Roots, base: Path, is_over: Callable[[], bool]) -> None:
        self._base = base
        self._is_over = is_over
        self._scans = RememberedScans(roots)
        self._seen: object = None
        self._version = 0
        self._looking = anyio.Lock()
        self._took = 0.0
        self._told = 0

    async def version(self) -> int:
        """Returns a version that whoever reads the folder from now on sees, or a later one that is told of."""
        return self._version if self._told else await self.look()

    async def look(self) -> int:
        """Returns the version of now."""
        async with self._looking:
            seen = await anyio.to_thread.run_sync(self._look)
            if seen != self._seen:
                self._seen = seen
                self._version += 1
            return self._version

    async def tell(self, hear: Callable[[int], Awaitable[None]]) -> None:
        """Says the version of now and each that follows, until the program ends."""
        told = await self.look()
        await hear(told)
        self._told += 1
        try:
            while not self._is_over():
                # No system wakes who waits for a whole folder; see `workspace.files.watching`.
                await anyio.sleep(max(LOOK_SECONDS, SHARE * self._took))
                version = await self.look()
                if version != told:
                    told = version
                    await hear(version)
        finally:
            self._told -= 1

    def _look(self) -> object:
        began = time.monotonic()
        try:
            return self._scans.scan(self._base).files
        except FractalContextError as error:
            return str(error)  # gone; it may come again
        finally:
            self._took = time.monotonic() - began
