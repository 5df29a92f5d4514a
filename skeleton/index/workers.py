"""Parses files in several processes at once.

Parsing holds the interpreter's lock, so threads do not help: where there is enough to parse, worker processes
(`skeleton.index.worker`) share the work with the process that called. The caller does not wait for them: while they start it
takes tasks itself, and it goes on as long as there are any. A thread for each worker only waits for its pipe.

A process takes a third of a second to load what it needs, so it is started when it is foreseen (`prepare`), and takes
part from the moment that it is ready: no call waits for one that is not, as long as there is another hand.

A worker that dies costs nothing but time. The file that it worked on is tried again, alone; one that workers died of
three times is reported as such, and the caller's own process is not let near it. So is one that took far too long, or
more memory than a file may take (`workspace.memory`), at once. When a call is given up, workers that are still busy
are ended: they hold nothing.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from skeleton.index.ahead import Ahead
from skeleton.index.records import OF_SKETCH
from skeleton.index.sharing import Shares
from skeleton.index.starting import can_fork, started
from skeleton.index.worker import Batch, Task, perform
from skeleton.index.worker_process import Death, WorkerProcess, end_all, twins_of
from workspace.memory import SHARE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORTH_STARTING_BYTES: Final = 1 << 19
"""Below so much source a process would take longer to start than the work takes."""

WORTH_SENDING_BYTES: Final = 1 << 15
"""Below so much source for each, workers that are there are not asked either."""

TICK_SECONDS: Final = 0.05
"""The pause before a call that waits for workers looks again whether it is still wanted."""

MOST_WORKERS: Final = 7
_BATCH_BYTES: Final = 1 << 17
_BATCH_FILES: Final = 32
_BATCHES: Final = 4
"""Batches, at the least, in which a hand takes its part of what is left, so that all come to an end together."""

_LIVES: Final = 3


def worker_count(*, beside: int = 1) -> int:
    """Returns the number of workers to start: as many as there are processors beside some that are used otherwise, seven at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(usable - beside, 1 - beside), MOST_WORKERS)


class Parsers(Protocol):
    """Works out tasks for an index: the processes of one program (`Workers`), or a cluster.

    Attributes:
        memory: bytes that the work on one file may take.
    """

    memory: int

    def perform(
        self,
        tasks: Sequence[Task],
        encoding: str,
        *,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        """Works out all tasks.

        Args:
            tasks: what to do.
            encoding: the vocabulary that tokens are counted with.
            done: is told the index of a task and its aspects; in the calling thread.
            died: is told the index of a task that cannot be worked out, and what its workers died of; in the calling
                thread.
            tick: is called between tasks; what it raises ends the work.
        """
        ...

    def prepare(self, size: int, encoding: str) -> None:
        """Makes ready for so many bytes of source, counted with a vocabulary."""
        ...

    def foresee(self, encoding: str, languages: Sequence[str]) -> None:
        """Makes ready for files of some languages that may have to be parsed in a while, where that takes no time."""
        ...

    def begin(
        self,
        size: int,
        encoding: str,
        found: Callable[[Sequence[tuple[bytes, dict[int, bytes]]]], None],
        languages: Sequence[str] = (),
    ) -> Ahead[Any] | None:
        """Makes ready likewise, and for tasks that may be begun before they are asked for.

        Args:
            size: bytes of source.
            encoding: the vocabulary that tokens are counted with.
            found: is given what was found ahead.
            languages: the names of those that will be parsed later.

        Returns:
            What takes such tasks; None where nobody is free to begin.
        """
        ...

    def close(self) -> None:
        """Gives back what is not at work."""
        ...


class Workers:
    """The worker processes of one program; started when they are first worth it, and kept.

    Args:
        count: how many there may be; None for as many as `worker_count` says.
        isolated: parse in workers alone, however little there is, as long as one is to be had: a grammar that ends its
            process then never ends this one.
        memory: bytes that the work on one file may take, in whatever process.
        forks: whether workers may be forks of this process, which is there for one call (`skeleton.index.starting`).
    """

    def __init__(
        self, count: int | None = None, *, isolated: bool = False, memory: int = SHARE_BYTES, forks: bool = False
    ) -> None:
        self.memory = memory
        self._forks = forks
        self._isolated = isolated
        self._count = worker_count(beside=0 if isolated else 1) if count is None else count
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._loading: list[WorkerProcess] = []
        self._started = 0
        self._languages: set[str] = set()
        """Those that this process has loaded for tasks."""
        weakref.finalize(self, end_all, self._idle)  # who forgets to close a pool leaves no process behind

    def perform(
        self,
        tasks: Sequence[Task],
        encoding: str,
        *,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        """Works out all tasks, here and in the workers; the arguments are those of `Parsers`."""
        size = sum(len(task.raw) for task in tasks)
        is_left = self._isolated or (self._has_twin and any(not OF_SKETCH.issuperset(task.aspects) for task in tasks))
        wanted = max(self._worth(size), 1) if is_left else min(self._worth(size), len(tasks) - 1)
        hands = self._taken(min(wanted, self._count, len(tasks)), encoding)
        twins = twins_of(hands) if is_left and not self._isolated else []
        takes_part = not (hands if self._isolated else twins)
        _Call(tasks, encoding, self.memory, [*hands, *twins], self._languages, takes_part=takes_part).run(
            self._give_back, done=done, died=died, tick=tick
        )

    @property
    def _has_twin(self) -> bool:
        """Tells whether a worker that is idle has a twin, or will have one."""
        with self._lock:
            return any(worker.has_twin for worker in self._idle)

    def prepare(self, size: int, encoding: str) -> None:
        """Starts workers, where so many bytes of source are worth them, so that they are ready when they are needed.

        Args:
            size: bytes of source.
            encoding: the vocabulary that tokens will be counted with.
        """
        self._give_back(*self._taken(self._worth(size), encoding))

    def foresee(self, encoding: str, languages: Sequence[str]) -> None:
        """Forks a worker that loads the first of some languages, and a twin of it, where nobody is there yet.

        This process loads nothing for it: there may be nothing to do.

        Args:
            encoding: the vocabulary that tokens will be counted with.
            languages: their names, the one that most is written in first; the others are loaded by who comes to them.
        """
        if not (self._forks and self._count > self._started == 0 and can_fork()):
            return
        (hand,) = self._taken(1, encoding, loads=False) or (None,)
        if hand is not None:
            hand.load(languages[:1])
            self._give_back(hand)

    def begin(
        self,
        size: int,
        encoding: str,
        found: Callable[[Sequence[tuple[bytes, dict[int, bytes]]]], None],
        languages: Sequence[str] = (),
    ) -> Ahead[Any] | None:
        """Starts workers likewise, and has them begin; the arguments are those of `Parsers`."""
        hands = self._taken(self._worth(size), encoding)
        if not hands:
            return None
        for hand in hands if languages else ():
            hand.load(languages[:1])
        more = partial(twins_of, hands)
        return Ahead(hands, encoding, self.memory, found=found, give_back=self._give_back, more=more)

    def _worth(self, size: int) -> int:
        """The number of workers that so many bytes of source are worth, as far as they are to be had."""
        wanted = max(size // WORTH_STARTING_BYTES, min(len(self._idle), size // WORTH_SENDING_BYTES))
        return min(self._count, max(wanted, int(self._isolated and size > 0)))

    @property
    def started(self) -> int:
        """The number of processes that there are."""
        return self._started

    def processes(self) -> list[int]:
        """The process numbers of the workers that are idle."""
        with self._lock:
            return [worker.process.pid for worker in self._idle]

    def close(self) -> None:
        """Ends all workers that are idle, or not ready yet."""
        with self._lock:
            self._started -= len(self._idle)
            end_all(self._idle)
            for worker in self._loading:
                if not worker.is_ready:
                    worker.process.kill()  # who waits for it hears that it is gone, and ends it
            self._loading.clear()

    def _taken(self, wanted: int, encoding: str, *, loads: bool = True) -> list[WorkerProcess]:
        with self._lock:
            alive: list[WorkerProcess] = []
            for worker in self._idle:
                if worker.process.poll() is None:
                    alive.append(worker)
                else:
                    worker.end()
            self._started -= len(self._idle) - len(alive)
            alive.sort(key=lambda worker: not worker.may_have_twin)
            taken, self._idle[:] = alive[:wanted], alive[wanted:]
            while len(taken) < wanted and self._started < self._count:
                try:
                    self._loading = [worker for worker in self._loading if not worker.is_ready]
                    process = started(encoding, forks=self._forks, has_twin=not self._started, loads=loads)
                    self._loading.append(WorkerProcess(process, encoding))
                    taken.append(self._loading[-1])
                except OSError:
                    break  # no process is to be had now; the work is done here
                self._started += 1
            return taken

    def _give_back(self, *workers: WorkerProcess) -> None:
        with self._lock:
            for worker in workers:
                if worker.is_twin:
                    continue
                if worker.process.poll() is None:
                    self._idle.append(worker)
                else:
                    worker.end()
                    self._started -= 1


class _Call:
    """One run over a list of tasks.

    Args:
        tasks: what to do.
        encoding: the vocabulary that tokens are counted with.
        memory: bytes that the work on one file may take.
        hands: the workers.
        languages: the names of those that this process has loaded.
        takes_part: whether this process works, too.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        encoding: str,
        memory: int,
        hands: Sequence[WorkerProcess],
        languages: set[str],
        *,
        takes_part: bool,
    ) -> None:
        self._takes_part = takes_part
        self._memory = memory
        self._tasks = tasks
        self._encoding = encoding
        own = languages if takes_part else set[str]()
        loads = next((worker for worker in hands if worker.may_have_twin), None) if takes_part else None
        self._waiting = Shares(tasks, {None: own, **{worker: worker.languages for worker in hands}}, loads=loads)
        self._suspects: deque[int] = deque()
        self._deaths = [0] * len(tasks)
        self._answers: deque[tuple[int, dict[int, bytes] | Death]] = deque()
        self._news = threading.Condition()
        self._busy: set[WorkerProcess] = set()
        self._hands = hands
        self._driven = 0
        self._loading: set[WorkerProcess] = set()
        self._given_up = False

    def run(
        self,
        give_back: Callable[..., None],
        *,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        self._driven = len(self._hands)
        self._loading = {*self._hands}
        for worker in self._hands:
            threading.Thread(target=self._drive, args=(worker, give_back), daemon=True).start()
        try:
            self._work_here(done, died, tick)
            while self._unfinished():
                tick()
                self._deliver(done, died)
            self._deliver(done, died)
            self._takes_part = True  # should no worker be left, though there is work
            self._work_here(done, died, tick)
        finally:
            self._give_up()
            with self._news:
                give_back(*self._loading)  # who is not ready yet is at another call's service
                self._loading.clear()

    def _work_here(
        self,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        while (index := self._taken_here()) is not None:
            tick()
            done(index, perform(Batch(self._encoding, (self._tasks[index],), self._memory))[0])
            self._deliver(done, died)

    def _taken_here(self) -> int | None:
        with self._news:
            return self._waiting.take(None) if self._takes_part else None

    def _unfinished(self) -> bool:
        """Waits a little for news; whether there may be more. Nobody waits for a worker that has nothing to do."""
        with self._news:
            if not (self._busy or self._waiting or self._suspects or self._answers):
                return False
            if self._driven and not self._answers:
                self._news.wait(TICK_SECONDS)
            if not self._driven:
                # Nobody is left to try what a worker died of.
                self._answers.extend((index, Death.CRASH) for index in self._suspects)
                self._suspects.clear()
            return self._driven > 0

    def _deliver(self, done: Callable[[int, dict[int, bytes]], None], died: Callable[[int, Death], None]) -> None:
        while self._answers:
            index, aspects = self._answers.popleft()
            if isinstance(aspects, Death):
                died(index, aspects)
            else:
                done(index, aspects)

    def _give_up(self) -> None:
        """Ends what still works; nothing does after a run that came to its end."""
        with self._news:
            self._given_up = True
            self._waiting.clear()
            self._suspects.clear()
            busy = tuple(self._busy)
        for worker in busy:
            worker.end()

    def _drive(self, worker: WorkerProcess, give_back: Callable[..., None]) -> None:
        """Keeps one worker at work; in a thread of its own."""
        worker.wait_until_ready()
        with self._news:
            if worker not in self._loading:
                return
            self._loading.remove(worker)
        hand = worker
        while batch := self._next_batch(worker, hand):
            found = worker.ask(Batch(self._encoding, tuple(self._tasks[index] for index in batch), self._memory))
            is_gone = len(found) < len(batch)
            death = worker.death() if is_gone else Death.CRASH
            with self._news:
                self._busy.discard(worker)
                self._answers.extend(zip(batch, found, strict=False))
                if is_gone:
                    self._bury(batch[len(found)], death)
                    self._waiting.put_back(batch[len(found) + 1 :])
                self._news.notify()
                given_up = self._given_up
            if is_gone:
                worker.end()
                if given_up or worker.is_twin:
                    break
                try:
                    process = started(self._encoding, forks=False)
                    worker = WorkerProcess(process, self._encoding)  # the next one takes its place
                except OSError:
                    break  # none is to be had now: those that are left do the rest
        give_back(worker)
        with self._news:
            self._waiting.release(hand)
            self._driven -= 1
            self._news.notify()

    def _next_batch(self, worker: WorkerProcess, hand: WorkerProcess) -> list[int]:
        """Takes what a worker does next, which may stand for the hand that it was at first."""
        with self._news:
            if self._given_up:
                return []
            batch: list[int] = []
            if self._suspects:
                batch.append(self._suspects.popleft())
            else:
                size, most = 0, min(_BATCH_BYTES, self._waiting.bytes_each // _BATCHES)
                while len(batch) < _BATCH_FILES and size <= most:
                    if (index := self._waiting.take(hand)) is None:
                        break
                    batch.append(index)
                    size += len(self._tasks[index].raw)
                    if self._waiting.is_loading:
                        break  # others do what comes next sooner
            if batch:
                self._busy.add(worker)
            return batch

    def _bury(self, index: int, death: Death) -> None:
        """Notes that a worker died of a file; it is tried again, alone, unless it took too much or died too often."""
        self._deaths[index] += 1
        if death is Death.CRASH and self._deaths[index] < _LIVES:
            self._suspects.append(index)
        else:
            self._answers.append((index, death))
