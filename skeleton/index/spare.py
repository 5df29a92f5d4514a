"""A bounded store in memory for values that the disk does not take; the oldest are forgotten first."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BYTES: Final = 128 << 20
"""Bytes of values held; the oldest are forgotten first, and worked out again when they are asked for."""


class Spare:
    """A bounded store of values in memory. Threads may share it."""

    def __init__(self) -> None:
        self._held: dict[tuple[int, bytes], bytes] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def keep(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Takes values, each with its kind and key."""
        with self._lock:
            for kind, key, value in entries:
                self._bytes += len(value) - len(self._held.pop((kind, key), b""))
                self._held[kind, key] = value
            while self._bytes > MOST_BYTES:
                self._bytes -= len(self._held.pop(next(iter(self._held))))

    def find(self, kind: int, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Returns those of some values that are held."""
        if not self._held:
            return {}
        with self._lock:
            return {key: self._held[kind, key] for key in keys if (kind, key) in self._held}

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._held.clear()
            self._bytes = 0
