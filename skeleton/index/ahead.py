"""Has idle workers begin with what a call is going to ask for, while the call still reads its files.

What is found goes where the call looks first. What is not begun when the call comes to it is the call's own work, shared out
as any other; and what a worker dies of is tried again there, where deaths are counted. So nothing depends on this but time.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, TypeVar

from skeleton.index.sharing import loaded_for
from skeleton.index.worker import Batch, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from skeleton.index.worker import Found

MOST_WAITING_BYTES: Final = 8 << 20
"""Sources that wait for a worker; where more comes, it is left to the call."""

_LOOK_SECONDS: Final = 0.05
"""The pause before a call that waits for what is at work looks again whether it is still wanted."""


class Keyed(NamedTuple):
    """A task, and the key under which what is found is kept."""

    key: bytes
    task: Task


class _Waiting(NamedTuple):
    """Tasks that are worked on together, and the languages that are loaded for them."""

    tasks: Sequence[Keyed]
    languages: frozenset[str]

    @classmethod
    def of(cls, tasks: Sequence[Keyed]) -> _Waiting:
        return cls(tasks, frozenset(filter(None, (loaded_for(one.task) for one in tasks))))


class Hand(Protocol):
    """A worker.

    Attributes:
        languages: the names of those that it has loaded.
    """

    languages: set[str]

    def wait_until_ready(self) -> None:
        """Waits until it can be asked; several threads may."""
        ...

    def ask(self, batch: Batch) -> Found:
        """Has it work out a batch: fewer answers than tasks, if it is gone."""
        ...

    def end(self) -> None:
        """Ends it."""
        ...


_Hand = TypeVar("_Hand", bound=Hand)


class Ahead(Generic[_Hand]):
    """Work that is begun ahead of the call that wants it.

    Args:
        hands: the workers.
        encoding: the vocabulary that tokens are counted with.
        memory: bytes that the work on one file may take.
        found: is given what a batch brought: keys and aspects; in a thread of its own.
        give_back: takes a worker that is not needed any more, alive or not.
        more: gives the workers that are free when the call itself waits, once all of the others are ready; none by default.
    """

    def __init__(
        self,
        hands: Sequence[_Hand],
        encoding: str,
        memory: int,
        *,
        found: Callable[[Sequence[tuple[bytes, dict[int, bytes]]]], None],
        give_back: Callable[[_Hand], None],
        more: Callable[[], Sequence[_Hand]] = tuple,
    ) -> None:
        self._more = more
        self._encoding = encoding
        self._memory = memory
        self._found = found
        self._give_back = give_back
        self._hands = [*hands]
        self._waiting: deque[_Waiting] = deque()
        self._waiting_bytes = 0
        self._free = [*hands]
        """Those that have nothing to do, or are not ready yet."""
        self._at_work: list[Sequence[Keyed]] = []
        self._may_come = True
        self._news = threading.Condition()
        for hand in hands:
            threading.Thread(target=self._drive, args=(hand,), name="ahead", daemon=True).start()

    def add(self, tasks: Sequence[Keyed]) -> None:
        """Adds tasks to work on together, unless much is waiting already."""
        with self._news:
            if tasks and self._may_come and self._waiting_bytes < MOST_WAITING_BYTES:
                self._waiting.append(_Waiting.of(tasks))
                self._waiting_bytes += _bytes_of(tasks)
                self._news.notify()

    def close(self) -> None:
        """Says that nothing more will come; what waits is still worked on."""
        with self._news:
            self._may_come = False
            self._news.notify_all()

    def end(self, tick: Callable[[], None] | None = None) -> None:
        """Takes away what waits, gives back who has nothing to do, and returns when nothing is at work any more.

        Args:
            tick: is called while that takes time; what it raises ends the waiting. None to wait for nothing.
        """
        with self._news:
            self._waiting.clear()
            self._may_come = False
            while self._free:
                self._give_back(self._free.pop())
            self._news.notify_all()
            while tick is not None and self._at_work:
                self._news.wait(_LOOK_SECONDS)
                tick()

    def finish(self, tasks: Sequence[Keyed], tick: Callable[[], None]) -> None:
        """Has all of some tasks worked out, if there are more workers for it; else ends. Returns when nothing is at work.

        Args:
            tasks: those that were added as well, and those that are at work.
            tick: is called while that takes time; what it raises ends the waiting.
        """
        more = self._more()
        if more:
            with self._news:
                known = {one.key for batch in self._at_work for one in batch}
                rest = sorted((one for one in tasks if one.key not in known), key=lambda one: -len(one.task.raw))
                self._waiting = deque(_Waiting.of([one]) for one in rest)
                self._waiting_bytes = _bytes_of(rest)
                self._free += more
                self._hands += more
                self._may_come = False
                self._news.notify_all()
            for hand in more:
                threading.Thread(target=self._drive, args=(hand,), name="ahead", daemon=True).start()
            with self._news:
                while self._at_work or (self._waiting and self._free):
                    self._news.wait(_LOOK_SECONDS)
                    tick()
        self.end(tick)

    def _drive(self, hand: _Hand) -> None:
        """Keeps one worker at work; in a thread of its own."""
        hand.wait_until_ready()
        while batch := self._taken_by(hand):
            answers = hand.ask(Batch(self._encoding, tuple(one.task for one in batch), self._memory))
            is_gone = len(answers) < len(batch)
            if is_gone:
                hand.end()
            try:
                self._found([(one.key, aspects) for one, aspects in zip(batch, answers, strict=False)])
            finally:
                self._is_done(hand, batch, is_gone=is_gone)

    def _is_done(self, hand: _Hand, batch: Sequence[Keyed], *, is_gone: bool) -> None:
        with self._news:
            self._at_work = [other for other in self._at_work if other is not batch]
            if (self._may_come or self._waiting) and not is_gone:
                self._free.append(hand)
            else:
                self._give_back(hand)
            self._news.notify_all()

    def _taken_by(self, hand: _Hand) -> Sequence[Keyed]:
        """Waits for what a worker does next; nothing, where it is given back."""
        with self._news:
            while self._may_come and not self._waiting:
                self._news.wait()
            if hand not in self._free:  # it was given back meanwhile
                return ()
            self._free.remove(hand)
            if not self._waiting:
                self._give_back(hand)
                return ()
            batch = self._next_for(hand)
            self._at_work.append(batch)
            self._waiting_bytes -= _bytes_of(batch)
            return batch

    def _next_for(self, hand: _Hand) -> Sequence[Keyed]:
        """Takes what waits away for a worker: what takes a language that nobody has loaded first, as that takes long."""
        loaded = set[str]().union(*(one.languages for one in self._hands))
        of_nobody = (place for place, one in enumerate(self._waiting) if not one.languages <= loaded)
        of_hand = (place for place, one in enumerate(self._waiting) if one.languages <= hand.languages)
        place = next(of_nobody, None)
        if place is None:
            place = next(of_hand, 0)
        batch = self._waiting[place]
        del self._waiting[place]
        hand.languages |= batch.languages
        return batch.tasks


def _bytes_of(tasks: Sequence[Keyed]) -> int:
    return sum(len(one.task.raw) for one in tasks)
