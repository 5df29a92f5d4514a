"""The link to the server: threads of its own do the work, and no caller waits longer than he may.

A socket's timeout bounds one read, not a name that is looked up, a handshake, or an answer that comes in drops. So no
call ever touches a socket: it hands over its work and waits for it as long as its patience holds (`patience`). A thread
that hangs is given up by its own, longer timeout. Nothing is loaded and nobody connects before the link is started.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

from workspace.shared.breaker import Breaker, told
from workspace.shared.patience import came

if TYPE_CHECKING:
    from collections.abc import Callable

    from workspace.shared.address import Address
    from workspace.shared.client import Client

HELD_UP_SECONDS: Final = 0.1
"""A call that waited so long in vain has met a failure, and not the end of its own patience."""

THREADS: Final = 4
_Result = TypeVar("_Result")


class Job(Generic[_Result]):
    """Work that was handed over."""

    __slots__ = ("_ended", "error", "is_dropped", "result", "work")

    def __init__(self, work: Callable[[Client], _Result]) -> None:
        self.work = work
        self.result: _Result | None = None
        self.error: Exception | None = None
        self.is_dropped = False
        self._ended = threading.Event()

    def run(self, client: Callable[[], Client]) -> None:
        """Does the work, unless nobody wants it any more."""
        try:
            if not self.is_dropped:
                self.result = self.work(client())
        except Exception as error:  # noqa: BLE001 - it is the job's outcome; the thread goes on
            self.error = error
        self._ended.set()

    def has_ended(self, seconds: float) -> bool:
        """Waits for the end of the work; tells whether it came.

        Raises:
            CallCancelledError: the call is not wanted any more.
        """
        return came(self._ended, seconds)


class Link:
    """The connections to one server. Threads share it.

    Args:
        address: where the server is.

    Attributes:
        breaker: says whether it may be asked.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self.breaker = Breaker(address.shown, lambda: self._probe())
        self._jobs: queue.SimpleQueue[Job[object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._client: Client | None = None

    def start(self) -> None:
        """Has the client loaded and connected, beside whatever else goes on."""
        self.hand_over(self._greet)

    def hand_over(self, work: Callable[[Client], _Result]) -> Job[_Result]:
        """Has work done by a thread of the link; `outcome` waits for it."""
        job = Job(work)
        with self._lock:
            if not self._threads:
                self._threads = [
                    threading.Thread(target=self._serve, name=f"shared-store-{number}", daemon=True)
                    for number in range(THREADS)
                ]
                for thread in self._threads:
                    thread.start()
        self._jobs.put(cast("Job[object]", job))
        return job

    def outcome(self, job: Job[_Result], seconds: float, *, is_first: bool = True) -> _Result | None:
        """Waits for a job; None where it failed, or takes longer, and nobody wants it any more then.

        Args:
            job: what `hand_over` gave.
            seconds: how long at the most.
            is_first: nothing that was asked for with it has arrived, so that to wait in vain is the server's failure.

        Raises:
            CallCancelledError: the call is not wanted any more.
        """
        is_loaded = (
            self._client is not None
        )  # to load the client takes a tenth of a second, once, and is nobody's failure
        try:
            has_ended = job.has_ended(seconds)
        except BaseException:
            job.is_dropped = True
            raise
        if not has_ended:
            job.is_dropped = True
            if is_first and is_loaded and seconds >= HELD_UP_SECONDS:
                self.breaker.failed(f"no answer within {seconds:.2f} s")
            return None
        if job.error is not None:
            self.breaker.failed(told(job.error))
            return None
        return job.result

    def now(self, work: Callable[[Client], _Result]) -> _Result:
        """Does work in this thread, which is none of a call.

        Raises:
            Exception: whatever the client raises.
        """
        return work(self._connected())

    def close(self) -> None:
        """Ends the threads and gives the connections back; a later job opens them again."""
        with self._lock:
            threads, self._threads = self._threads, []
            client, self._client = self._client, None
        for _ in threads:
            self._jobs.put(None)
        if client is not None:
            client.disconnect()

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run(self._connected)

    def _greet(self, client: Client) -> None:
        try:
            client.ping()
        except Exception as error:  # noqa: BLE001 - whatever a server or a network does, nobody waits for this
            self.breaker.failed(told(error))

    def _probe(self) -> None:
        # Connections from before the failure may hold half an answer, or lead to a server that is gone.
        client = self._connected()
        client.disconnect()
        client.ping()

    def _connected(self) -> Client:
        with self._lock:
            if self._client is None:
                from workspace.shared.client import Client  # loaded by a thread of the link, not by who asks

                self._client = Client(self.address.url)
            return self._client
