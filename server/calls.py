"""Makes engine calls from the event loop without holding it up.

The engines are plain synchronous code. A call runs in a worker thread; its progress comes back through a `Pulse`, which
the thread writes and the event loop reads ten times a second, so that neither ever waits for the other. When the caller
gives up, or the call has had all its time, the event loop goes on at once, and the thread ends itself the next time that
it looks at its token (`workspace.cancellation`), within a tenth of a second.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread
import msgspec

from server.ending import at_work
from server.telemetry import under_way
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.errors import TimeLimitError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from server.telemetry import Turn

Result = TypeVar("Result")

REPORT_INTERVAL = 0.1
"""Seconds between two progress notifications."""

CALLS_AT_ONCE = 4
"""Calls that hold a slot at one time. They share one interpreter lock: more of them together end later, all of them, and
take more memory."""

LONG_CALL_SECONDS = 5.0
"""A call that has worked for so long goes on without its slot, so that no other waits for it to end."""

CONCURRENT_CALLS = 64
"""Calls at work at one time in all, with a slot and without; it bounds the threads."""

GRACE_SECONDS = 0.25
"""After so much more than its limit a call is answered even if its thread has not come to look."""


class EngineCrashError(Exception):
    """Raised when native code ends a call with something that is no ordinary exception, such as a panic."""


class Slots:
    """Says which calls may work: a few at a time, the others in the order in which they came.

    Args:
        at_once: how many calls may hold a slot.
        in_all: how many may work, with those that have worked for long and go on without one.
    """

    def __init__(self, at_once: int = CALLS_AT_ONCE, in_all: int = CONCURRENT_CALLS) -> None:
        self.threads = anyio.CapacityLimiter(in_all)
        self._free = anyio.CapacityLimiter(at_once)

    async def take(self) -> object:
        """Waits for a slot; returns what `lend` takes."""
        call = object()
        await self._free.acquire_on_behalf_of(call)
        return call

    async def lend(self, call: object, ended: anyio.Event) -> None:
        """Gives a slot back when its call has ended, or has worked for long."""
        try:
            with anyio.move_on_after(LONG_CALL_SECONDS):
                await ended.wait()
        finally:
            self._free.release_on_behalf_of(call)


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """One report of progress, in the form that the protocol takes: `done` and `total` only ever grow."""

    done: int
    total: int
    stage: str


class Pulse:
    """The last report of a call, and whether anybody still waits for it.

    Written by the thread that works, read by the event loop. Where an engine counts a new stage from zero, the stages
    are added up here, because a client is promised a number that never goes back.

    Args:
        seconds: the call's limit, from now on; None for none.

    Attributes:
        latest: the last report, or None before the first.
        token: ends the call.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.latest: Beat | None = None
        self.token = CancelToken(seconds)
        self._done = 0
        self._earlier_stages = 0

    def __call__(self, done: int, total: int, stage: str) -> None:
        """Takes a report of the engine.

        Raises:
            CallCancelledError: nobody waits any more.
        """
        self.token.look()
        self.token.stage = stage
        if done < self._done:
            self._earlier_stages += self._done
        self._done = done
        self.latest = Beat(done=self._earlier_stages + done, total=self._earlier_stages + max(done, total), stage=stage)


async def run_call(
    work: Callable[[Pulse], Result],
    *,
    report: Callable[[float, float, str], Awaitable[None]],
    slots: Slots,
    seconds: float | None = None,
) -> Result:
    """Runs an engine call in a worker thread and returns its result.

    Args:
        work: the call; it is given the pulse to report progress to.
        report: sends one progress notification: done, total, stage. `done` is larger every time; the last report that
            the engine makes is always sent.
        slots: say when it may begin.
        seconds: how long the call may take once its turn has come, and how long it waits for that; None or 0 for as
            long as it does.

    Raises:
        TimeLimitError: it took longer, or its turn did not come.
        EngineCrashError: native code panicked.
        Exception: whatever the engine raises.
    """
    ended = anyio.Event()
    turn: Turn | None = None
    pulse: Pulse | None = None
    outcome: tuple[Result] | BaseException = CallCancelledError()

    def captured(pulse: Pulse) -> tuple[Result] | BaseException:
        if turn is not None:
            turn.came()
        # An error travels as a value, so that it does not come out of the task group wrapped in an exception group.
        try:
            with at_work(), cancellable(pulse.token):
                return (work(pulse),)
        except BaseException as error:  # noqa: BLE001 - raised again below, in the task that waits for it
            return error

    measured = under_way.get()
    async with anyio.create_task_group() as tasks:
        try:
            with nullcontext() if measured is None else measured.waiting() as turn:
                with anyio.move_on_after(seconds or None):
                    tasks.start_soon(slots.lend, await slots.take(), ended)
                    await slots.threads.acquire_on_behalf_of(ended)
                    pulse = Pulse(seconds or None)
                if pulse is not None:
                    tasks.start_soon(_relay, pulse, report, ended)
                    with anyio.move_on_after(seconds + GRACE_SECONDS if seconds else None):
                        outcome = await anyio.to_thread.run_sync(
                            captured, pulse, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
                        )
        finally:
            if pulse is not None:
                pulse.token.give_up()
                slots.threads.release_on_behalf_of(ended)
            ended.set()
    if pulse is None:
        raise TimeLimitError(
            f"The call was not begun: for {seconds:g} seconds other calls of this server had their turn before it. Call"
            " again, and send fewer at once."
        )
    match outcome:
        case (result,):
            return result
        case CallCancelledError():
            raise pulse.token.late_error()
        case Exception():
            raise outcome
        case _:
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
