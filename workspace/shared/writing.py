"""Writes to the shared store behind the calls: many values in one round trip, by one thread.

Facts wait in a queue that is bounded in bytes; what does not fit is not written, for anybody can work it out. Records
(snapshots, archives) are few, and others cannot make them: they go first, whoever puts one waits for it as long as his
patience holds, and they are kept until the server takes them, so that an outage costs none of the newest.

A server that answers but takes nothing (it is full, or a copy that may only be read) is still read from. Facts are not
offered to it for a while.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from workspace.shared.breaker import told
from workspace.shared.envelope import sealed
from workspace.shared.patience import came

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workspace.shared.link import Link

MOST_WAITING_BYTES: Final = 64 << 20
"""Facts that wait to be written, in bytes."""

MOST_RECORDS: Final = 8192
MOST_RECORD_BYTES: Final = 64 << 20
"""Records that wait, at the most; the oldest are given up first."""

BATCH_VALUES: Final = 512
BATCH_BYTES: Final = 4 << 20
"""The most bytes of one round trip."""

REFUSED_SECONDS: Final = 5.0
"""For which nothing is offered to a server that takes nothing."""

_LOG: Final = logging.getLogger(__name__)


class Written:
    """A value on its way to the server.

    Args:
        name: what it is found by.
        value: the value.
        seconds: after which the server may forget it.
        key: of its digest.
    """

    __slots__ = ("_ended", "key", "name", "seconds", "value")

    def __init__(self, name: bytes, value: bytes, seconds: int, key: bytes) -> None:
        self.name = name
        self.value = value
        self.key = key
        self.seconds = seconds
        self._ended = threading.Event()

    def end(self) -> None:
        """Tells who waits that it is there, or was refused."""
        self._ended.set()

    def has_ended(self, seconds: float) -> bool:
        """Waits for that; tells whether it came.

        Raises:
            CallCancelledError: the call is not wanted any more.
        """
        return came(self._ended, seconds)


class Writer:
    """Writes to the server of a link. Threads share it.

    Args:
        link: leads to the server.

    Attributes:
        left_out: facts that were not written because too many waited.
        round_trips: how many batches were written.
    """

    def __init__(self, link: Link) -> None:
        self.left_out = 0
        self.round_trips = 0
        self._link = link
        self._facts: deque[Written] = deque()
        self._facts_bytes = 0
        self._records: deque[Written] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_busy = False
        self._is_ending = False
        self._refused_until = 0.0
        self._refusal_was_told = False

    def offer(self, values: Iterable[Written]) -> None:
        """Takes facts to be written some time."""
        if time.monotonic() < self._refused_until:
            return
        with self._changed:
            for one in values:
                if self._facts_bytes + len(one.value) > MOST_WAITING_BYTES:
                    self.left_out += 1
                    continue
                self._facts.append(one)
                self._facts_bytes += len(one.value)
            self._wake()

    def put(self, records: Sequence[Written], seconds: float) -> None:
        """Takes records to be written now, and waits for them.

        Args:
            records: the records.
            seconds: how long at the most; they are written later where that is not enough.
        """
        with self._changed:
            self._records.extend(records)
            self._bound()
            self._wake()
        if records and seconds > 0 and self._link.breaker.is_closed:
            records[-1].has_ended(seconds)

    def flush(self, seconds: float) -> bool:
        """Waits until nothing waits to be written any more; tells whether that came true."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._facts or self._records or self._is_busy), seconds)

    def close(self) -> None:
        """Ends the thread; what still waits is given up."""
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()

    def _bound(self) -> None:
        size = sum(len(one.value) for one in self._records)
        while len(self._records) > MOST_RECORDS or (len(self._records) > 1 and size > MOST_RECORD_BYTES):
            given_up = self._records.popleft()
            size -= len(given_up.value)
            given_up.end()

    def _wake(self) -> None:
        self._is_ending = False
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="shared-store-writer", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._facts or self._records or self._is_ending)
                if self._is_ending:
                    self._thread = None
                    return
            if not self._link.breaker.wait_until_closed(1.0):
                continue
            with self._changed:
                batch, are_records = self._taken()
                self._is_busy = bool(batch)
            if batch and not self._wrote(batch):
                self._put_back(batch, are_records=are_records)

    def _taken(self) -> tuple[list[Written], bool]:
        are_records = bool(self._records)
        source = self._records if are_records else self._facts
        batch: list[Written] = []
        size = 0
        while source and len(batch) < BATCH_VALUES and size < BATCH_BYTES:
            batch.append(source.popleft())
            size += len(batch[-1].value)
        if not are_records:
            self._facts_bytes -= size
        return batch, are_records

    def _put_back(self, batch: list[Written], *, are_records: bool) -> None:
        with self._changed:
            if are_records:
                self._records.extendleft(reversed(batch))
                self._bound()
                return
            self._facts.extendleft(reversed(batch))
            self._facts_bytes += sum(len(one.value) for one in batch)

    def _wrote(self, batch: list[Written]) -> bool:
        """Writes values in one round trip; tells whether the server has answered."""
        stored = [(one.name, sealed(one.name, one.value, one.key), one.seconds) for one in batch]
        try:
            answers = self._link.now(lambda client: client.set_all(stored))
        except Exception as error:  # noqa: BLE001 - whatever a server or a network does, it costs nobody a call
            self._link.breaker.failed(told(error))
            return False
        self.round_trips += 1
        refusals = [answer for answer in answers if isinstance(answer, Exception)]
        if refusals:
            self._note_refusal(refusals[0])
        else:
            self._refusal_was_told = False
        for one in batch:
            one.end()
        return True

    def _note_refusal(self, refusal: Exception) -> None:
        self._refused_until = time.monotonic() + REFUSED_SECONDS
        if not self._refusal_was_told:
            self._refusal_was_told = True
            _LOG.warning(
                "The shared store %s takes nothing more (%s): it is still read from, and asked again by itself. A limit"
                " of memory needs a policy of eviction, such as maxmemory-policy allkeys-lru.",
                self._link.address.shown,
                told(refusal),
            )
