"""Opens the one store that all engines of this process share with other replicas, when the first of them is made."""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, Final

from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from server.settings import Settings
    from workspace.shared.address import Address
    from workspace.shared.store import SharedStore

_STATE: Final = b"fractal-context state of calls"
_opened: dict[tuple[str, str], SharedStore] = {}
_lock = threading.Lock()


def shared_store(settings: Settings) -> SharedStore | None:
    """Returns the store that the settings name, the same for all who ask; None where they name none.

    It is connected beside whatever goes on; nobody waits for it here.

    Raises:
        InvalidArgumentError: the client is not installed.
    """
    if settings.store is None:
        return None
    return _store(settings.store, settings.store_key)


def state_key(settings: Settings) -> bytes | None:
    """Returns what all replicas seal the state of a call with, so that any of them may go on with it.

    None where the settings name no key that replicas share.
    """
    if settings.store is None or not settings.store_key:
        return None
    return hashlib.blake2b(_STATE, digest_size=32, key=hashlib.sha256(settings.store_key.encode()).digest()).digest()


def close_shared() -> None:
    """Gives what waits to be written a moment, and the connections back."""
    with _lock:
        stores = [*_opened.values()]
        _opened.clear()
    for store in stores:
        store.close()


def _store(address: Address, key: str) -> SharedStore:
    from importlib.util import find_spec

    from workspace.shared.store import SharedStore

    if find_spec("redis") is None:
        raise InvalidArgumentError(
            "The setting `store` needs the client of Redis: pip install 'fractal-context[redis]', or leave the setting out."
        )
    with _lock:
        store = _opened.get((address.url, key))
        if store is None:
            # Of tenants each has a key; connections and threads are those of the process.
            beside = next((other for (url, _), other in _opened.items() if url == address.url), None)
            store = _opened[address.url, key] = SharedStore(address, key.encode(), beside=beside)
            store.start()
        return store
