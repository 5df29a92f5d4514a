"""Parses files on a Ray cluster, or in processes that Ray starts on this machine.

Batches of tasks go out as tasks of Ray: it decides where each runs, moves the bytes, and repeats a batch whose worker or
machine is gone. Here is only said how much is under way at once, so that neither the queue nor Ray's store of objects
grows with the code base. What a batch comes to is what a worker of this machine would make of it (`skeleton.index.worker`).

A file that workers die of would take its batch along, however often that is repeated. So a batch that Ray gives up is
worked out here, in a worker process beside this one, which finds out which file it was, and says of it what is always said.

Ray is loaded by this module's functions alone; it comes with an extra, `fractal-context[ray]`.
"""

from __future__ import annotations

import importlib
import logging
import os
import shutil
import socket
import tempfile
from collections import deque
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from skeleton.index.salt import salt
from skeleton.index.worker import AnotherVersionError, Batch, Task, perform_afar
from skeleton.index.worker_process import Death
from skeleton.index.workers import TICK_SECONDS, Workers, worker_count
from workspace.errors import InvalidArgumentError
from workspace.memory import SHARE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from types import ModuleType

LOCAL: Final = "local"
"""The address that means processes on this machine, started for as long as they are needed."""

AUTO: Final = "auto"
"""The address that means the cluster that this machine is a part of."""

REACH_SECONDS: Final = 5.0
"""The time that a cluster has to be reached in."""

RETRIES: Final = 2
"""The times that Ray repeats a batch whose worker is gone, before it is worked out here."""

BATCH_BYTES: Final = 1 << 18
BATCH_FILES: Final = 128
UNDER_WAY: Final = 2
"""Batches for each processor: the one that it works on and the next."""

_LOG: Final = logging.getLogger(__name__)
_HOME: Final = Path(__file__).resolve().parents[2]
_TEMPORARY: Final = (
    "/tmp" if os.name == "posix" else None
)  # the sockets of Ray lie there, and the system takes no long names for sockets
_UNLESS_SAID: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
"""Settings of Ray: it tells nobody of its use, and the workers that it starts here are as urgent as this program's own."""


class Cluster(msgspec.Struct, frozen=True):
    """A connection to Ray.

    Attributes:
        ray: the module.
        count: processors to keep at work; None for as many as the cluster has.
    """

    ray: Any
    count: int | None

    def most(self) -> int:
        """Returns how many batches may be under way."""
        return UNDER_WAY * (self.count or max(1, int(self.ray.cluster_resources().get("CPU", 1))))


@contextmanager
def connected(address: str, count: int | None = None) -> Generator[Cluster]:
    """Gives a connection to a cluster, and ends it.

    Args:
        address: `HOST:PORT` of a cluster that runs, `auto` for the one of this machine; `local` for processes that Ray
            starts on this machine and ends afterwards.
        count: processors to keep at work.

    Raises:
        InvalidArgumentError: Ray is not installed, this is no address of it, or nothing answers there.
    """
    ray = _ray()
    for name, value in _UNLESS_SAID.items():
        os.environ.setdefault(name, value)
    folder = tempfile.mkdtemp(prefix="fractal-ray-", dir=_TEMPORARY) if address == LOCAL else None
    try:
        # Its workers look for packages where this process stands when it connects, before they look elsewhere. Here that
        # is our own place, and never the project that is looked at.
        with chdir(_HOME):
            if folder is None:
                reach(address)
                ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
            else:
                count = count or max(1, worker_count(beside=0))
                ray.init(
                    address=LOCAL,
                    num_cpus=count,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    _node_ip_address="127.0.0.1",
                    _temp_dir=folder,
                )
        yield Cluster(ray, count)
    except (OSError, ray.exceptions.RayError) as error:
        raise InvalidArgumentError(
            f"Ray at {address} does not answer this machine ({type(error).__name__}). Where the cluster has a token,"
            " RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH tells it; `--ray local` works on this machine alone."
        ) from error
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class ClusterWorkers:
    """Works out tasks on a cluster: `Parsers`.

    Args:
        cluster: the connection, which stays open.
        memory: bytes that the work on one file may take.
    """

    def __init__(self, cluster: Cluster, *, memory: int = SHARE_BYTES) -> None:
        self.memory = memory
        self._ray = cluster.ray
        self._most = cluster.most
        self._perform = cluster.ray.remote(num_cpus=1, max_retries=RETRIES)(perform_afar)
        self._here = Workers(1, isolated=True, memory=memory)

    def perform(
        self,
        tasks: Sequence[Task],
        encoding: str,
        *,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        """Works out all tasks there; the arguments are those of `Parsers`.

        Raises:
            InvalidArgumentError: a machine of the cluster has another version, or none.
        """
        waiting = deque(batches(tasks))
        under_way: dict[Any, list[int]] = {}
        given_up: list[int] = []
        most = self._most()
        try:
            while waiting or under_way:
                while waiting and len(under_way) < most:
                    batch = waiting.popleft()
                    under_way[self._sent([tasks[index] for index in batch], encoding)] = batch
                tick()
                for ready in self._ray.wait([*under_way], num_returns=1, timeout=TICK_SECONDS)[0]:
                    batch = under_way.pop(ready)
                    answers = self._answers(ready, encoding)
                    if answers is None:
                        given_up += batch
                        continue
                    for index, answer in zip(batch, answers, strict=True):
                        done(index, msgspec.msgpack.decode(answer, type=dict[int, bytes]))
        finally:
            for sent in under_way:
                self._ray.cancel(sent)
        if given_up:
            _LOG.warning("Ray gave up on batches with %d files; they are parsed here.", len(given_up))
        self._here.perform(
            [tasks[index] for index in given_up],
            encoding,
            done=lambda number, aspects: done(given_up[number], aspects),
            died=lambda number, of: died(given_up[number], of),
            tick=tick,
        )

    def prepare(self, size: int, encoding: str) -> None:
        """Does nothing: Ray starts workers as it needs them."""

    def foresee(self, encoding: str, languages: Sequence[str]) -> None:
        """Does nothing likewise."""

    def begin(self, size: int, encoding: str, found: object, languages: Sequence[str] = ()) -> None:
        """Begins nothing ahead: Ray is not asked twice for the same."""

    def close(self) -> None:
        """Ends the process beside this one; the connection is its maker's."""
        self._here.close()

    def _sent(self, tasks: Sequence[Task], encoding: str) -> Any:
        batch = Batch(encoding, tuple(tasks), self.memory)
        salted = salt(encoding, redact=all(task.redact for task in tasks), memory=self.memory)
        return self._perform.remote(msgspec.msgpack.encode(batch), salted)

    def _answers(self, sent: Any, encoding: str) -> list[bytes] | None:
        """Returns the answers of a batch; None where it cannot be worked out there."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(sent)
        except AnotherVersionError as error:
            raise _other_version() from error
        except errors.RayTaskError as error:
            self._try(encoding, error)
            return None
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.ObjectLostError, errors.NodeDiedError):
            return None

    def _try(self, encoding: str, after: Exception) -> None:
        """Tells a batch that cannot be worked out from a cluster that can work out none."""
        try:
            self._ray.get(self._sent((), encoding))
        except self._ray.exceptions.RayTaskError:
            raise _other_version() from after


def reach(address: str) -> None:
    """Tells soon whether anybody listens: Ray itself tries for minutes.

    Raises:
        InvalidArgumentError: this is no address.
        OSError: nobody does.
    """
    if address == AUTO:
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise InvalidArgumentError(f"{address} is no address of Ray. It is {LOCAL}, {AUTO} or HOST:PORT.")
    socket.create_connection((host, int(port)), timeout=REACH_SECONDS).close()


def _other_version() -> InvalidArgumentError:
    return InvalidArgumentError(
        "A machine of the Ray cluster cannot work out what this one would: install the same version of fractal-context, and"
        " of what it depends on, on all of them."
    )


def batches(tasks: Sequence[Task]) -> Iterator[list[int]]:
    """Parts tasks into batches, the largest first, so that all processors come to an end together."""
    batch: list[int] = []
    size = 0
    for index in sorted(range(len(tasks)), key=lambda index: -len(tasks[index].raw)):
        batch.append(index)
        size += len(tasks[index].raw)
        if size >= BATCH_BYTES or len(batch) == BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _ray() -> ModuleType:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise InvalidArgumentError(
            "Ray is not installed here. Install fractal-context[ray], with the same version on all machines of the cluster."
        ) from error
