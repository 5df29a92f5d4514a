"""Engine calls, made from the event loop without holding it up.

The engines are plain synchronous code. A call runs in a worker thread; its progress comes back through a `Pulse`, which
the thread writes and the event loop reads ten times a second, so that neither ever waits for the other. When the caller
gives up, the event loop goes on at once and the thread ends itself the next time it reports progress.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread
import msgspec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Result = TypeVar("Result")

REPORT_INTERVAL = 0.1
"""Seconds between two progress notifications."""

CONCURRENT_CALLS = 4
"""Engine calls at work at one time. They share one interpreter lock, so more would only make each other slower; fewer
would let a `zoom` wait for a large `get_context`."""


class CallAbandonedError(Exception):
    """Raised inside an engine, through its progress callback, when nobody waits for the call any more."""


class EngineCrashError(Exception):
    """Raised when native code ends a call with something that is no ordinary exception, such as a panic."""


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """One report of progress, in the form that the protocol takes: `done` and `total` only ever grow."""

    done: int
    total: int
    stage: str


class Pulse:
    """What a call last said about itself, and whether anybody still waits for it.

    Written by the thread that works, read by the event loop. Where an engine counts a new stage from zero, the stages
    are added up here, because a client is promised a number that never goes back.

    Attributes:
        latest: the last report, or None before the first.
    """

    def __init__(self) -> None:
        self.latest: Beat | None = None
        self._abandoned = False
        self._done = 0
        self._earlier_stages = 0

    def __call__(self, done: int, total: int, stage: str) -> None:
        """Takes a report of the engine.

        Raises:
            CallAbandonedError: nobody waits any more.
        """
        if self._abandoned:
            raise CallAbandonedError
        if done < self._done:
            self._earlier_stages += self._done
        self._done = done
        self.latest = Beat(done=self._earlier_stages + done, total=self._earlier_stages + max(done, total), stage=stage)

    def abandon(self) -> None:
        """Ends the call at its next report."""
        self._abandoned = True


async def run_call(
    work: Callable[[Pulse], Result],
    *,
    report: Callable[[float, float, str], Awaitable[None]],
    limiter: anyio.CapacityLimiter,
) -> Result:
    """Runs an engine call in a worker thread and returns its result.

    Args:
        work: the call; it is given the pulse to report progress to.
        report: sends one progress notification: done, total, stage. `done` is larger every time; the last report that
            the engine makes is always sent.
        limiter: how many calls may be at work at one time.

    Raises:
        EngineCrashError: native code panicked.
        Exception: whatever the engine raises.
    """
    pulse = Pulse()
    ended = anyio.Event()

    def captured() -> tuple[Result] | BaseException:
        # An error travels as a value, so that it does not come out of the task group wrapped in an exception group.
        try:
            return (work(pulse),)
        except BaseException as error:  # noqa: BLE001 - raised again below, in the task that waits for it
            return error

    outcome: tuple[Result] | BaseException = CallAbandonedError()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, pulse, report, ended)
        try:
            outcome = await anyio.to_thread.run_sync(captured, abandon_on_cancel=True, limiter=limiter)
        finally:
            pulse.abandon()
            ended.set()
    if isinstance(outcome, tuple):
        return outcome[0]
    if isinstance(outcome, Exception):
        raise outcome
    raise EngineCrashError(type(outcome).__name__) from outcome


async def _relay(pulse: Pulse, report: Callable[[float, float, str], Awaitable[None]], ended: anyio.Event) -> None:
    """Sends on what is new in the pulse until the call has ended, and what is left then."""
    sent = -1
    while True:
        last_round = ended.is_set()
        beat = pulse.latest
        if beat is not None and beat.done > sent:
            sent = beat.done
            await report(beat.done, beat.total, beat.stage)
        if last_round:
            return
        with anyio.move_on_after(REPORT_INTERVAL):
            await ended.wait()
