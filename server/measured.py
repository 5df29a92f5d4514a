"""The store of facts and the parsers of an index, as they are, with measurements of what goes through them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from skeleton.index.records import Aspect
from workspace.git import log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from opentelemetry.trace import Tracer

    from server.telemetry import Instruments
    from skeleton.index.ahead import Ahead
    from skeleton.index.store import FactStore
    from skeleton.index.worker import Task
    from skeleton.index.worker_process import Death
    from skeleton.index.workers import Parsers


class PassedOn:
    """A store of facts that passes on all but what is asked of it.

    Args:
        store: the store.
    """

    def __init__(self, store: FactStore) -> None:
        self._store = store

    @property
    def problem(self) -> str:
        """The reason why it does not work, or ""."""
        return self._store.problem

    @property
    def in_memory(self) -> bool:
        """Tells whether the store ends with the process."""
        return self._store.in_memory

    @property
    def may_be_elsewhere(self) -> bool:
        """Tells whether others may have worked out what this machine has not."""
        return self._store.may_be_elsewhere

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Stores values, each with its kind and key."""
        self._store.write(entries)

    def prune(self, *, seconds: float) -> int:
        """Removes what was not used for longest."""
        return self._store.prune(seconds=seconds)

    def close(self) -> None:
        """Gives back what is open."""
        self._store.close()


class MeasuredFacts(PassedOn):
    """A store of facts that counts what it finds and what it does not: a `FactStore`.

    Args:
        store: the store.
        instruments: what measures.
        named: attributes of all measurements.
    """

    def __init__(self, store: FactStore, instruments: Instruments, named: Mapping[str, str]) -> None:
        super().__init__(store)
        self._facts = instruments.facts
        kinds = {**{int(aspect): aspect.name.lower() for aspect in Aspect}, log.KIND: "history"}
        self._named = {
            (kind, is_hit): {**named, "kind": name, "outcome": "hit" if is_hit else "miss"}
            for kind, name in kinds.items()
            for is_hit in (True, False)
        }

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values that are stored for some keys."""
        found = self._store.read(kind, keys)
        self._count(kind, len(keys), len(found))
        return found

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value."""
        held = self._store.held(kind, keys)
        self._count(kind, len(keys), len(held))
        return held

    def _count(self, kind: int, asked: int, found: int) -> None:
        for is_hit, number in ((True, found), (False, asked - found)):
            if number:
                self._facts.add(number, self._named[kind, is_hit])


class MeasuredParsers:
    """Parsers whose work is measured, and a span of the call that waits for it: `Parsers`.

    Args:
        parsers: which do it.
        instruments: what measures.
        named: attributes of all measurements.
        tracer: makes spans.
    """

    def __init__(self, parsers: Parsers, instruments: Instruments, named: Mapping[str, str], tracer: Tracer) -> None:
        self.memory = parsers.memory
        self._parsers = parsers
        self._instruments = instruments
        self._named = {**named}
        self._tracer = tracer

    def perform(
        self,
        tasks: Sequence[Task],
        encoding: str,
        *,
        done: Callable[[int, dict[int, bytes]], None],
        died: Callable[[int, Death], None],
        tick: Callable[[], None],
    ) -> None:
        """Works out all tasks; the arguments are those of `Parsers`."""
        began = time.perf_counter()
        with self._tracer.start_as_current_span(
            "parse",
            attributes={
                "fractal_context.files": len(tasks),
                "fractal_context.bytes": sum(len(one.raw) for one in tasks),
            },
            record_exception=False,
            set_status_on_exception=False,
        ):
            try:
                self._parsers.perform(tasks, encoding, done=done, died=died, tick=tick)
            finally:
                self._instruments.parse_seconds.record(time.perf_counter() - began, self._named)
                self._instruments.parsed.add(len(tasks), self._named)

    def prepare(self, size: int, encoding: str) -> None:
        """Makes ready for so many bytes of source."""
        self._parsers.prepare(size, encoding)

    def foresee(self, encoding: str, languages: Sequence[str]) -> None:
        """Makes ready for what may come."""
        self._parsers.foresee(encoding, languages)

    def begin(
        self,
        size: int,
        encoding: str,
        found: Callable[[Sequence[tuple[bytes, dict[int, bytes]]]], None],
        languages: Sequence[str] = (),
    ) -> Ahead[Any] | None:
        """Has work begun ahead, which counts as parsed, too."""

        def counted(answers: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
            self._instruments.parsed.add(len(answers), self._named)
            found(answers)

        return self._parsers.begin(size, encoding, counted, languages)

    def close(self) -> None:
        """Gives back what is not at work."""
        self._parsers.close()
