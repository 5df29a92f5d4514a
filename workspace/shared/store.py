"""The shared store: values by the digest of what they depend on, and records by their names, on one Redis or Valkey.

Every name begins with the version of what this module writes, and then with a digest of the store's key: programs of
another version, and tenants with another key, meet none of its values. What follows is a digest as well, keyed by the
same key, so that names tell nothing of what they stand for, and nobody without the key can ask whether a content is known.

A value is believed when its digest fits (`workspace.shared.envelope`). Every value has a time after which the server may
forget it, and the server's own policy of eviction says what goes earlier; this side removes nothing.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Final

import msgspec

from workspace.shared.client import SOCKET_SECONDS
from workspace.shared.envelope import MOST_BYTES, opened
from workspace.shared.link import Link
from workspace.shared.patience import FOR_FACTS, MOST_SECONDS, patience
from workspace.shared.writing import Writer, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workspace.shared.address import Address
    from workspace.shared.client import Client

VERSION: Final = b"fractal1"
"""Of names and envelopes; another one is another store."""

FACT_SECONDS: Final = 30 * 86_400
"""After which a fact that nobody wrote again is forgotten."""

LARGEST_FACT: Final = 16 << 20
"""Bytes; a larger one stays on its machine."""

_CHUNK: Final = 128
"""Values that are asked for in one command."""

_NAME_BYTES: Final = 16
_KEY_BYTES: Final = 32


class SharedStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of this process's use of the store.

    Attributes:
        hits, misses: values asked for that were and were not there.
        damaged: values that were there and were not what had been put there.
        round_trips: commands and batches sent.
        left_out: facts that were not written because too many waited.
        problem: why it is not used now, or "".
    """

    hits: int
    misses: int
    damaged: int
    round_trips: int
    left_out: int
    problem: str


class SharedStore:
    """The store as one process uses it. Threads share it, and none of its methods raises on what a network does.

    Args:
        address: where the server is.
        key: what names and digests are keyed with; empty for content that is no secret.
        beside: a store on the same server, whose connections and threads this one uses; None for its own.
    """

    def __init__(self, address: Address, key: bytes = b"", *, beside: SharedStore | None = None) -> None:
        self.address = address
        self._key = hashlib.blake2b(key, digest_size=_KEY_BYTES).digest() if key else b""
        mark = hashlib.blake2b(b"names", digest_size=4, key=self._key).hexdigest().encode() if key else b"open"
        self._prefix = VERSION + b":" + mark + b":"
        link = Link(address)
        self._link, self._writer = (link, Writer(link)) if beside is None else beside.connections
        self._hits = self._misses = self._damaged = self._round_trips = 0

    @property
    def problem(self) -> str:
        """The reason why it is not used now, or ""."""
        return "" if self._link.breaker.is_closed else self._link.breaker.problem

    @property
    def connections(self) -> tuple[Link, Writer]:
        """The link to the server, for another store on it."""
        return self._link, self._writer

    def start(self) -> None:
        """Connects, beside whatever else goes on."""
        self._link.start()

    def fetch(self, wanted: Sequence[tuple[int, bytes]]) -> dict[tuple[int, bytes], bytes]:
        """Returns those of some facts that are there and arrive before this call's patience for facts ends.

        Args:
            wanted: the kind and the key of each.
        """
        names = {self._name(b"%d" % kind, key): (kind, key) for kind, key in wanted}
        found = {names[name]: value for name, value in self._read([*names], FOR_FACTS).items()}
        self._hits += len(found)
        self._misses += len(wanted) - len(found)
        return found

    def offer(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Takes facts, each with its kind and key, to be written behind this call."""
        self._writer.offer(
            Written(self._name(b"%d" % kind, key), value, FACT_SECONDS, self._key)
            for kind, key, value in entries
            if len(value) <= LARGEST_FACT
        )

    def get(self, shelf: str, name: str) -> bytes | None:
        """Returns a record; None where there is none, or it does not arrive in time."""
        (found,) = self._read([self._name(shelf.encode(), name.encode())], MOST_SECONDS).values() or (None,)
        return found

    def put(self, shelf: str, name: str, content: bytes, *, seconds: int) -> None:
        """Puts a record there, before the answer that names it is given where that is possible in time.

        Args:
            shelf: the kind of record.
            name: its name; the same name stands for the same content.
            content: the record; one of more than 64 MiB is left out.
            seconds: after which it may be forgotten.
        """
        if len(content) <= MOST_BYTES:
            self._put([Written(self._name(shelf.encode(), name.encode()), content, seconds, self._key)])

    def note(self, entries: Iterable[tuple[int, bytes, bytes]], *, seconds: int) -> None:
        """Puts small values there that `fetch` finds, as `put` does a record; a later one takes the place of an earlier.

        Args:
            entries: their kinds, their keys and themselves.
            seconds: after which they may be forgotten.
        """
        self._put([Written(self._name(b"%d" % kind, key), value, seconds, self._key) for kind, key, value in entries])

    def _put(self, records: Sequence[Written]) -> None:
        self._writer.put(records, patience())

    def examined(self) -> tuple[bool, str]:
        """Asks the server how it is; tells whether it answered, and what it said in words."""

        def look(client: Client) -> tuple[float, dict[str, object]]:
            client.ping()  # connects
            began = time.monotonic()
            told_of = client.memory()
            return time.monotonic() - began, told_of

        answer = self._link.outcome(self._link.hand_over(look), SOCKET_SECONDS)
        if answer is None:
            return False, f"not used, every call works without it ({self._link.breaker.problem or 'no answer'})"
        seconds, told_of = answer
        taken = int(str(told_of.get("used_memory", 0))) / 1e6
        limit = int(str(told_of.get("maxmemory", 0))) / 1e6
        policy = f", {told_of.get('maxmemory_policy')}" if limit else ""
        room = f"of {limit:.1f} MB" if limit else "without a limit"
        return True, f"answers in {seconds * 1e3:.1f} ms; {taken:.1f} MB used {room}{policy}"

    def flush(self, seconds: float) -> bool:
        """Waits until what was offered is written; tells whether that came true."""
        return self._writer.flush(seconds)

    def close(self) -> None:
        """Gives what was offered a moment to be written, and the connections back; a later call opens them again."""
        if self._link.breaker.is_closed:
            self._writer.flush(patience())
        self._writer.close()
        self._link.close()

    def statistics(self) -> SharedStatistics:
        """Returns the numbers of this process so far."""
        return SharedStatistics(
            hits=self._hits,
            misses=self._misses,
            damaged=self._damaged,
            round_trips=self._round_trips + self._writer.round_trips,
            left_out=self._writer.left_out,
            problem=self.problem,
        )

    def _name(self, kind: bytes, key: bytes) -> bytes:
        digest = hashlib.blake2b(kind + b"\0" + key, digest_size=_NAME_BYTES, key=self._key).digest()
        return self._prefix + kind + b":" + digest

    def _read(self, names: Sequence[bytes], most: float) -> dict[bytes, bytes]:
        """Returns the values of names, as many as arrive in time; all chunks are on their way at once."""
        if not names or not self._link.breaker.is_closed or patience(most) <= 0:
            return {}
        chunks = [names[start : start + _CHUNK] for start in range(0, len(names), _CHUNK)]
        jobs = [self._link.hand_over(_getting(chunk)) for chunk in chunks]
        self._round_trips += len(jobs)
        found: dict[bytes, bytes] = {}
        try:
            for chunk, job in zip(chunks, jobs, strict=True):
                left = patience(most)
                if left <= 0 or not self._link.breaker.is_closed:
                    break
                values = self._link.outcome(job, left, is_first=job is jobs[0])
                found |= self._opened(chunk, values or ())
        finally:
            for job in jobs:
                job.is_dropped = True
        return found

    def _opened(self, names: Sequence[bytes], values: Sequence[bytes | None]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for name, stored in zip(names, values, strict=False):
            if stored is None:
                continue
            value = opened(name, stored, self._key)
            if value is None:
                self._damaged += 1
            else:
                found[name] = value
        return found


def _getting(names: Sequence[bytes]) -> Callable[[Client], list[bytes | None]]:
    return lambda client: client.get_all(names)
