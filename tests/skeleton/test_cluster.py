"""Batches on a Ray cluster: the facts are those of one process, whatever becomes of its workers."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from skeleton.index import cluster
from skeleton.index.cluster import LOCAL, UNDER_WAY, Cluster, ClusterWorkers, connected
from skeleton.index.records import OF_LEVELS, OF_SKETCH
from skeleton.index.worker import AnotherVersionError, Batch, Task, perform, perform_afar
from skeleton.index.worker_process import Death
from workspace.errors import InvalidArgumentError
from workspace.tokens import DEFAULT_ENCODING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

CONTEXT = tuple(sorted(map(int, OF_LEVELS | OF_SKETCH)))
COUNT = 2


def task(number: int, functions: int = 3) -> Task:
    source = "".join(f"def f{number}_{one}(x):\n    return {one}\n\n" for one in range(functions)).encode()
    return Task(f"m{number}.py", source, None, CONTEXT)


def test_batches_hold_every_task_once_and_the_largest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "BATCH_BYTES", 1000)
    monkeypatch.setattr(cluster, "BATCH_FILES", 8)
    tasks = [task(number, functions=number % 40) for number in range(100)]
    parted = list(cluster.batches(tasks))
    assert sorted(index for batch in parted for index in batch) == list(range(100))
    sizes = [[len(tasks[index].raw) for index in batch] for batch in parted]
    assert [one for some in sizes for one in some] == sorted((len(one.raw) for one in tasks), reverse=True)
    assert all(len(some) <= 8 and sum(some[:-1]) < 1000 for some in sizes)


def test_a_machine_with_another_version_works_nothing_out() -> None:
    with pytest.raises(AnotherVersionError):
        perform_afar(msgspec.msgpack.encode(Batch(DEFAULT_ENCODING, (task(1),))), b"of another version")


def test_without_ray_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InvalidArgumentError, match=r"fractal-context\[ray\]"), connected(LOCAL):
        pass


@pytest.mark.parametrize("address", ["nonsense", "ray://127.0.0.1:10001", "127.0.0.1:x"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(InvalidArgumentError, match="HOST:PORT"):
        cluster.reach(address)


def test_an_address_where_nobody_listens_is_known_soon() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ConnectionRefusedError):
        cluster.reach(f"127.0.0.1:{port}")


@pytest.fixture(scope="module")
def ray_cluster() -> Generator[Cluster]:
    """A real cluster of two workers on this machine."""
    pytest.importorskip("ray", reason="Ray is not installed, which is heavy: pip install 'fractal-context[ray]'")
    with connected(LOCAL, COUNT) as opened:
        yield opened


@pytest.fixture
def workers(ray_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Generator[ClusterWorkers]:
    monkeypatch.setattr(cluster, "BATCH_BYTES", 4000)
    pool = ClusterWorkers(ray_cluster)
    yield pool
    pool.close()


def performed(
    pool: ClusterWorkers, tasks: Sequence[Task], tick: Callable[[], None] = lambda: None
) -> tuple[list[dict[int, bytes] | None], dict[int, Death]]:
    found: dict[int, dict[int, bytes]] = {}
    deaths: dict[int, Death] = {}
    pool.perform(tasks, DEFAULT_ENCODING, done=found.__setitem__, died=deaths.__setitem__, tick=tick)
    return [found.get(index) for index in range(len(tasks))], deaths


def alone(tasks: Sequence[Task]) -> list[dict[int, bytes]]:
    return perform(Batch(DEFAULT_ENCODING, tuple(tasks)))


@pytest.mark.no_cover
def test_a_cluster_finds_what_this_process_finds_and_little_is_under_way(
    ray_cluster: Cluster, workers: ClusterWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [task(number, functions=number) for number in range(60)]
    under_way: list[int] = []
    wait = ray_cluster.ray.wait

    def noting(sent: list[Any], **how: Any) -> Any:
        under_way.append(len(sent))
        return wait(sent, **how)

    monkeypatch.setattr(ray_cluster.ray, "wait", noting)
    found, deaths = performed(workers, tasks)
    assert found == alone(tasks)
    assert not deaths
    assert max(under_way) == UNDER_WAY * COUNT < len(list(cluster.batches(tasks)))


@pytest.mark.no_cover
def test_a_worker_that_is_killed_costs_nothing_but_time(workers: ClusterWorkers) -> None:
    tasks = [task(number, functions=400) for number in range(40)]
    killed: list[int] = []

    def kill() -> None:
        for process in at_work() if not killed else ():
            os.kill(process, signal.SIGKILL)
            killed.append(process)

    found, deaths = performed(workers, tasks, kill)
    assert killed
    assert found == alone(tasks)
    assert not deaths


def at_work() -> list[int]:
    """The workers of Ray that are inside a task: Ray names such a process so."""
    return [
        int(place.parent.name)
        for place in Path("/proc").glob("[0-9]*/cmdline")
        if place.exists() and place.read_bytes().startswith(b"ray::perform_afar") and is_mine(int(place.parent.name))
    ]


def is_mine(process: int) -> bool:
    """Tells whether a process descends from this one."""
    while process > 1:
        if process == os.getpid():
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return False


@pytest.mark.no_cover
def test_a_file_that_workers_die_of_costs_its_own_facts_alone(
    workers: ClusterWorkers, capfd: pytest.CaptureFixture[str]
) -> None:
    unheard_of = 99
    tasks = [task(number) for number in range(6)]
    tasks[3] = tasks[3]._replace(aspects=(unheard_of,))
    found, deaths = performed(workers, tasks)
    assert deaths == {3: Death.CRASH}
    assert [one for one in found if one is not None] == alone([*tasks[:3], *tasks[4:]])
    assert "99 is not a valid Aspect" in capfd.readouterr().err


@pytest.mark.no_cover
def test_a_cluster_with_another_version_is_refused(workers: ClusterWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    def salt_of_another(*_: object, **__: object) -> bytes:
        return b"of another version"

    monkeypatch.setattr(cluster, "salt", salt_of_another)
    with pytest.raises(InvalidArgumentError, match="same version"):
        performed(workers, [task(1)])


@pytest.mark.no_cover
def test_giving_up_leaves_the_cluster_ready(workers: ClusterWorkers) -> None:
    class GivenUpError(Exception):
        pass

    def give_up() -> None:
        raise GivenUpError

    with pytest.raises(GivenUpError):
        performed(workers, [task(number, functions=400) for number in range(40)], give_up)
    tasks = [task(number) for number in range(4)]
    assert performed(workers, tasks) == (alone(tasks), {})
