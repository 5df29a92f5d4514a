"""Measures the memory that this process holds, and bounds what a piece of work may add to it.

Two bounds stand one behind the other. A `memory_share` is asked for (`share_is_spent`) by whoever can stop in order. The
system keeps a `bounded_growth` for what cannot: then the process may end. Where a system says nothing of its processes,
nothing is bound.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

try:
    import resource
except ImportError:  # Windows
    resource = None

if TYPE_CHECKING:
    from collections.abc import Generator

SHARE_BYTES: Final = 1 << 30
"""The memory that the work on one file may add by default: ten times what the largest file takes that people write."""

_STATM: Final = "/proc/self/statm"
_STATM_BYTES: Final = 256
_SIZE, _RESIDENT = 0, 1

_LOOK_SECONDS: Final = 0.01
"""The least time between two questions to the system."""

_work = threading.local()


def held_bytes() -> int:
    """Returns how many bytes of memory this process holds; 0 where the system does not tell."""
    return _pages(_RESIDENT)


@contextmanager
def memory_share(share: int) -> Generator[None]:
    """Says how many bytes this process may add while this thread does some work; of nested shares the outer stands."""
    if hasattr(_work, "most"):
        yield
        return
    _work.most, _work.share, _work.look = held_bytes() + share, share, 0.0
    try:
        yield
    finally:
        del _work.most, _work.share, _work.look


def share_is_spent() -> int:
    """Returns the share in bytes, where this process has added more than that; 0 elsewhere. Cheap to ask often."""
    now = time.monotonic()
    if now < getattr(_work, "look", now):
        return 0
    most: int = getattr(_work, "most", 0)
    if not most:
        return 0
    if held_bytes() > most:
        return _work.share
    _work.look = now + _LOOK_SECONDS
    return 0


@contextmanager
def bounded_growth(most: int) -> Generator[None]:
    """Has the system refuse this process more than so many bytes of addresses on top of those that it has.

    Python raises `MemoryError` then; most libraries end the process.

    Args:
        most: bytes.
    """
    size = _pages(_SIZE)
    if resource is None or not size:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    _, hard = before
    resource.setrlimit(
        resource.RLIMIT_AS, (size + most if hard == resource.RLIM_INFINITY else min(size + most, hard), hard)
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _pages(field: int) -> int:
    """Returns the memory of this process as the system tells it, in bytes; 0 where it tells nothing."""
    if resource is None:
        return 0
    try:
        place = os.open(_STATM, os.O_RDONLY)
    except OSError:
        return 0
    try:
        said = os.read(place, _STATM_BYTES)
    finally:
        os.close(place)
    return int(said.split()[field]) * resource.getpagesize()
