"""Remembers counts of tokens, so that the same text is counted once, by whatever process.

Exact counting is what a call that changes nothing spends most of its time on, and a process that has just started spends
a fifth of a second on the vocabulary before the first count. A count depends on the text and the vocabulary alone, so
it is kept under a digest of the text: in memory, and in the cache for other processes. While all texts are known, the
vocabulary is not loaded; once it is, counting is faster than asking the disk, which is then only told.
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, Final

from skeleton.index.records import Aspect
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from skeleton.index.store import FactStore
    from workspace.tokens import TokenCounter

MOST_REMEMBERED: Final = 200_000
"""Counts held in memory; when there are more, the older half is forgotten. About 20 MB."""

_KEY_BYTES: Final = 16
_COUNT_BYTES: Final = 4


class RememberedCounts:
    """Counts tokens as a counter does, and each text once. It may be used by several threads.

    Args:
        counter: counts.
        store: where counts are kept for other processes.
        salt: stands for all that a count depends on beside the text, 64 bytes at the most.
    """

    def __init__(self, counter: TokenCounter, store: FactStore, salt: bytes) -> None:
        self._counter = counter
        self._store = store
        self._salt = salt
        self._known: dict[bytes, int] = {}
        self._new: dict[bytes, int] = {}
        self._lock = threading.Lock()

    def count(self, text: str | bytes) -> int:
        """Return how many tokens a text is, as `TokenCounter.count` does."""
        stop_if_cancelled()
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        key = hashlib.blake2b(content, digest_size=_KEY_BYTES, key=self._salt).digest()
        known = self._known.get(key)
        if known is None:
            known = None if self._counter.is_loaded else self._kept(key)
            if known is None:
                known = self._counter.count(text)
                self._new[key] = known
            self._known[key] = known
        return known

    def keep(self) -> None:
        """Hands what was counted since the last time to the cache."""
        with self._lock:
            new, self._new = self._new, {}
            if len(self._known) > MOST_REMEMBERED:
                self._known = dict(list(self._known.items())[len(self._known) // 2 :])
        if new and not self._store.in_memory:
            self._store.write((Aspect.COUNT, key, count.to_bytes(_COUNT_BYTES, "big")) for key, count in new.items())

    def _kept(self, key: bytes) -> int | None:
        value = self._store.read(Aspect.COUNT, [key]).get(key)
        return int.from_bytes(value, "big") if value is not None and len(value) == _COUNT_BYTES else None
