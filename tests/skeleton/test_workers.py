from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

import skeleton.index.starting
from skeleton.index.records import OF_LEVELS, OF_SKETCH, Aspect
from skeleton.index.worker import Batch, Task, perform, read_message, serve, write_message
from skeleton.index.workers import MOST_WORKERS, Workers, worker_count
from workspace.tokens import DEFAULT_ENCODING

if TYPE_CHECKING:
    from collections.abc import Generator

WORTH_STARTING_BYTES = 1 << 16
"""In these tests less source is worth a process than it is elsewhere."""

CONTEXT = tuple(sorted(map(int, OF_LEVELS | OF_SKETCH)))


def task(number: int, functions: int = 3, aspects: tuple[int, ...] = CONTEXT) -> Task:
    source = "".join(f"def f{number}_{one}(x):\n    return {one}\n\n" for one in range(functions)).encode()
    return Task(f"m{number}.py", source, None, aspects)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Generator[Workers]:
    monkeypatch.setattr("skeleton.index.workers.WORTH_STARTING_BYTES", WORTH_STARTING_BYTES)
    pool = Workers(2)
    yield pool
    pool.close()


def enough() -> list[Task]:
    """Tasks that are worth two workers, the first one by far the largest."""
    return [task(0, functions=WORTH_STARTING_BYTES // 16), *(task(number) for number in range(1, 40))]


def performed(pool: Workers, tasks: list[Task]) -> tuple[dict[int, dict[int, bytes]], list[int]]:
    found: dict[int, dict[int, bytes]] = {}
    deaths: list[int] = []
    pool.perform(
        tasks, DEFAULT_ENCODING, done=found.__setitem__, died=lambda index, _: deaths.append(index), tick=lambda: None
    )
    return found, deaths


@pytest.mark.no_cover
def test_workers_find_what_this_process_finds(workers: Workers) -> None:
    tasks = [*enough(), task(99, aspects=(int(Aspect.SYMBOLS),))]
    found, deaths = performed(workers, tasks)
    assert [found[index] for index in range(len(tasks))] == perform(Batch(DEFAULT_ENCODING, tuple(tasks)))
    assert not deaths


def test_little_work_starts_no_process(workers: Workers) -> None:
    found, _ = performed(workers, [task(1), task(2)])
    assert len(found) == 2
    assert workers.started == 0


def test_a_worker_that_is_killed_costs_nothing_but_time(workers: Workers) -> None:
    tasks = enough()
    workers.prepare(2 * WORTH_STARTING_BYTES, DEFAULT_ENCODING)
    for process in workers.processes():
        os.kill(process, signal.SIGKILL)
    found, deaths = performed(workers, tasks)
    assert sorted(found) == list(range(len(tasks)))
    assert not deaths


def test_a_file_that_workers_die_of_is_reported_and_costs_no_other_file(capfd: pytest.CaptureFixture[str]) -> None:
    unheard_of = 99
    tasks = enough()
    tasks[0] = tasks[0]._replace(aspects=(unheard_of,))
    pool = Workers(2, isolated=True)
    try:
        found, deaths = performed(pool, tasks)
    finally:
        pool.close()
    assert deaths == [0]
    assert sorted(found) == list(range(1, len(tasks)))
    assert "99 is not a valid Aspect" in capfd.readouterr().err


def test_a_grammar_that_ends_its_process_costs_its_file_and_not_this_process() -> None:
    pool = Workers(2, isolated=True)
    try:
        hostile = Task("hostile.pl", b'"${' * 400, None, CONTEXT)
        found, deaths = performed(pool, [hostile, task(1), task(2)])
    finally:
        pool.close()
    assert sorted(found) in ([1, 2], [0, 1, 2])  # a grammar that was mended meanwhile is welcome
    assert deaths == [index for index in range(3) if index not in found]


def test_isolated_work_is_done_here_only_where_no_process_is_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    pool = Workers(2, isolated=True)
    found, deaths = performed(pool, [task(1), task(2)])
    assert len(found) == 2
    assert not deaths
    assert pool.started == 0


@pytest.mark.no_cover
def test_giving_up_leaves_no_worker_busy(workers: Workers) -> None:
    class GivenUpError(Exception):
        pass

    workers.prepare(2 * WORTH_STARTING_BYTES, DEFAULT_ENCODING)
    started = workers.processes()

    def give_up() -> None:
        raise GivenUpError

    found: dict[int, dict[int, bytes]] = {}
    deaths: list[int] = []
    with pytest.raises(GivenUpError):
        workers.perform(
            enough(), DEFAULT_ENCODING, done=found.__setitem__, died=lambda index, _: deaths.append(index), tick=give_up
        )
    found, deaths = performed(workers, enough())
    assert len(found) == 40
    assert not deaths
    assert len(started) == 2


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = """
import os, signal
from skeleton.index.workers import Workers, WORTH_STARTING_BYTES
from workspace.tokens import DEFAULT_ENCODING
workers = Workers(2)
workers.prepare(2 * WORTH_STARTING_BYTES, DEFAULT_ENCODING)
print(*workers.processes(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    pids = tmp_path / "pids"
    with pids.open("w") as output:
        subprocess.run([sys.executable, "-c", program], stdout=output, check=False)
    (*listed,) = map(int, pids.read_text().split())
    assert len(listed) == 2
    deadline = time.monotonic() + 250
    while any(map(alive, listed)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.05)


def alive(process: int) -> bool:
    try:
        with Path(f"/proc/{process}/stat").open() as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_worker_serves_until_its_input_ends() -> None:
    requests, replies = BytesIO(), BytesIO()
    batch = Batch(DEFAULT_ENCODING, (task(1), task(2)))
    for _ in range(2):
        write_message(requests, msgspec.msgpack.encode(batch))
    requests.write(b"\0\0")  # the parent died in the middle of a message
    requests.seek(0)
    serve(requests, replies)
    replies.seek(0)
    for expected in perform(batch) * 2:
        message = read_message(replies)
        assert message is not None
        assert msgspec.msgpack.decode(message, type=dict[int, bytes]) == expected
    assert read_message(replies) is None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers of processor time")
def test_a_file_that_takes_far_too_long_is_given_up_at_once_and_costs_no_other_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    impatient = (
        "import sys; sys.path[:] = sys.argv[2:]; import skeleton.index.worker as worker; worker.LONGEST_SECONDS = 1.0;"
        " worker.LONGEST_SECONDS_PER_MEGABYTE = 0; worker.main(sys.argv[1])"
    )
    monkeypatch.setattr(skeleton.index.starting, "_STARTER", impatient)
    pool = Workers(1, isolated=True)
    try:
        found, deaths = performed(pool, [task(0), task(1, functions=20_000), task(2)])
    finally:
        pool.close()
    assert deaths == [1]
    assert sorted(found) == [0, 2]


def test_without_a_word_there_is_a_worker_for_each_other_processor() -> None:
    assert 0 <= worker_count() <= MOST_WORKERS
    assert worker_count(beside=0) == min(worker_count() + 1, MOST_WORKERS)
