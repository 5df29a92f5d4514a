"""Loads what the first calls of a server over HTTP need, before it says that it is ready for clients.

A server over pipes belongs to one client, who starts it and may never call: it loads with the first call. One behind a
balancer gets calls from its first moment on, and none of them should pay for modules and a vocabulary.
"""

from __future__ import annotations

import logging
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Final

from workspace.tokens import token_counter

if TYPE_CHECKING:
    from server.settings import Settings

_LOG: Final = logging.getLogger(__name__)

MODULES: Final = (
    "server.indexing",
    "skeleton.zoom.zoomer",
    "allocator.ranking.by_query",
    "workspace.secrets.searching",
)
"""The modules that calls load, with all that these import."""

_pending: Final = threading.Event()


def load_soon(settings: Settings) -> None:
    """Begins to load, in a thread of its own; a call that comes meanwhile waits for no more than it needs."""
    _pending.set()
    threading.Thread(target=_load, args=(settings,), name="loading", daemon=True).start()


def is_loading() -> bool:
    """Tells whether it has begun and not ended."""
    return _pending.is_set()


def _load(settings: Settings) -> None:
    try:
        for name in MODULES:
            import_module(name)
        token_counter(settings.encoding).count("ready")
    except Exception as error:  # noqa: BLE001 - the call that needs it will say what is wrong
        _LOG.warning("Not all could be loaded before the first call (%s).", type(error).__name__)
    finally:
        _pending.clear()
