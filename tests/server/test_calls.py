"""Engine calls in worker threads: progress, cancellation and errors."""

from __future__ import annotations

import re
import threading
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.calls import EngineCrashError, Pulse, Slots, run_call
from workspace.cancellation import CallCancelledError, stop_if_cancelled
from workspace.errors import TimeLimitError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


async def ignore(*_: object) -> None:
    pass


async def test_the_result_of_the_engine_is_returned() -> None:
    assert await run_call(lambda _: 42, report=ignore, slots=Slots()) == 42


async def test_an_error_of_the_engine_comes_out_as_it_is() -> None:
    def fail(_: Pulse) -> None:
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        await run_call(fail, report=ignore, slots=Slots())


async def test_a_panic_becomes_an_ordinary_exception() -> None:
    class PanicError(BaseException):
        pass

    def panic(_: Pulse) -> None:
        raise PanicError

    with pytest.raises(EngineCrashError, match="PanicError"):
        await run_call(panic, report=ignore, slots=Slots())


async def test_the_last_report_is_always_sent() -> None:
    sent: list[tuple[float, float, str]] = []

    async def note(done: float, total: float, stage: str) -> None:
        sent.append((done, total, stage))

    def work(pulse: Pulse) -> None:
        for done in range(11):
            pulse(done, 10, "reading")
        pulse(3, 5, "rendering")

    await run_call(work, report=note, slots=Slots())
    assert sent[-1] == (13, 15, "rendering")


async def test_an_engine_that_reports_nothing_sends_nothing() -> None:
    sent: list[object] = []

    async def note(*report: object) -> None:
        sent.append(report)

    await run_call(lambda _: None, report=note, slots=Slots())
    assert sent == []


async def test_a_cancelled_call_returns_at_once_and_ends_its_thread_at_the_next_look() -> None:
    started, resume, stopped = threading.Event(), threading.Event(), threading.Event()

    def work(_: Pulse) -> None:
        started.set()
        resume.wait()
        try:
            stop_if_cancelled()  # deep inside an engine, which was handed nothing
        except CallCancelledError:
            stopped.set()
            raise

    async with anyio.create_task_group() as tasks:

        async def call() -> None:
            await run_call(work, report=ignore, slots=Slots())

        tasks.start_soon(call)
        await anyio.to_thread.run_sync(started.wait)
        tasks.cancel_scope.cancel()
    assert not stopped.is_set()
    resume.set()
    assert await anyio.to_thread.run_sync(stopped.wait, 60)


async def test_a_call_ends_at_its_limit_and_says_what_it_was_doing() -> None:
    def work(pulse: Pulse) -> None:
        pulse(1, 2, "ranking")
        while True:
            stop_if_cancelled()

    seconds, told = 0.1, ""
    while "(it was ranking)" not in told:  # a machine that does much else may take all of the time to begin
        seconds *= 2
        with pytest.raises(TimeLimitError) as late:
            await run_call(work, report=ignore, slots=Slots(), seconds=seconds)
        told = str(late.value)
    assert re.search(rf"limit of {seconds} seconds \(it was ranking\).*--time-limit", told)


async def test_a_call_that_never_looks_is_answered_at_its_limit_all_the_same() -> None:
    resume = threading.Event()
    with pytest.raises(TimeLimitError):
        await run_call(lambda _: resume.wait(60), report=ignore, slots=Slots(), seconds=0.1)
    resume.set()


async def test_calls_wait_for_a_slot_in_the_order_in_which_they_came() -> None:
    slots, began, has_begun, resume = Slots(1), list[int](), threading.Event(), threading.Event()

    def work(number: int) -> None:
        began.append(number)
        has_begun.set()
        resume.wait(60)

    async with anyio.create_task_group() as tasks:
        for number in range(4):

            async def call(number: int = number) -> None:
                await run_call(lambda _: work(number), report=ignore, slots=slots)

            tasks.start_soon(call)
        await anyio.to_thread.run_sync(has_begun.wait)
        assert began == [0]
        resume.set()
    assert began == [0, 1, 2, 3]


@asynccontextmanager
async def working(slots: Slots) -> AsyncGenerator[None]:
    """Has a call at work as long as the block runs."""
    has_begun, resume = threading.Event(), threading.Event()

    def work(_: Pulse) -> bool:
        has_begun.set()
        return resume.wait(60)

    async def call() -> None:
        assert await run_call(work, report=ignore, slots=slots)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await anyio.to_thread.run_sync(has_begun.wait)
        yield
        resume.set()


async def test_a_long_call_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.calls.LONG_CALL_SECONDS", 0.01)
    slots = Slots(1)
    async with working(slots):
        for _ in range(3):
            assert await run_call(lambda _: 42, report=ignore, slots=slots) == 42
    assert await run_call(lambda _: 42, report=ignore, slots=slots) == 42


async def test_a_call_whose_turn_does_not_come_says_so() -> None:
    slots = Slots(1)
    async with working(slots):
        with pytest.raises(TimeLimitError, match=r"was not begun: for 0\.1 seconds other calls"):
            await run_call(lambda _: 42, report=ignore, slots=slots, seconds=0.1)
    assert await run_call(lambda _: 42, report=ignore, slots=slots) == 42


@pytest.mark.parametrize(("at_once", "in_all"), [(1, 2), (2, 1)])
async def test_waiting_for_its_turn_takes_nothing_of_the_time_of_a_call(at_once: int, in_all: int) -> None:
    slots, seconds, ended, told = Slots(at_once, in_all), 0.25, list[float](), list[str]()

    def work(_: Pulse) -> None:
        try:
            while True:
                stop_if_cancelled()
        finally:
            ended.append(time.monotonic())

    async def call() -> None:
        with pytest.raises(TimeLimitError) as late:
            await run_call(work, report=ignore, slots=slots, seconds=seconds)
        told.append(str(late.value))

    turn = 0.0
    while not ended or "stopped at its limit" not in told[-1]:  # a busy machine may not come to its turn in that time
        seconds *= 2
        ended.clear()
        async with anyio.create_task_group() as tasks, working(slots):
            tasks.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            turn = time.monotonic()
    assert ended[-1] - turn >= seconds


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.sampled_from(["scan", "read", "render"]))))
def test_the_numbers_never_go_back_whatever_the_engine_reports(reports: list[tuple[int, int, str]]) -> None:
    pulse = Pulse()
    before = -1
    for done, total, stage in reports:
        pulse(done, total, stage)
        assert pulse.latest is not None
        assert before <= pulse.latest.done <= pulse.latest.total
        before = pulse.latest.done
