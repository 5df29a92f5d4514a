"""Times and memory of one reader on one text, each in a process of its own, so that one that hangs costs its row alone."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from typing import Any, NamedTuple

PATIENCE = 20
"""Seconds of processor time after which a reader is ended."""

MEMORY = 4 << 30
"""Bytes of memory that it may take."""


class Measured(NamedTuple):
    """The outcome and the costs of one reading.

    Attributes:
        outcome: `read`, `refused` with the error's name, `over N s`, or how the process ended.
        seconds: of processor time.
        megabytes: of peak memory beyond what the process had before.
        answer: what the reader returned, where it returned.
    """

    outcome: str
    seconds: float
    megabytes: float
    answer: Any = None

    @property
    def cell(self) -> str:
        """One cell of a table: seconds, or why there are none."""
        return f"{self.seconds:.2f}" if self.outcome == "read" else self.outcome


def measured(read: Callable[[Any], Any], given: Any) -> Measured:
    """Calls a reader in a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_call, args=(read, given, theirs))
    process.start()
    theirs.close()
    try:
        found: Measured = ours.recv() if ours.poll(3 * PATIENCE) else Measured(f"over {PATIENCE} s", PATIENCE, 0.0)
    except EOFError:
        process.join()
        late = process.exitcode in (-24, -9)
        outcome = f"over {PATIENCE} s" if late else f"ended by signal {-(process.exitcode or 0)}"
        found = Measured(outcome, float(PATIENCE), 0.0)
    process.kill()
    process.join()
    return found


def _call(read: Callable[[Any], Any], given: Any, answers: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    outcome, answer = "read", None
    try:
        answer = read(given)
    except (Exception, RecursionError) as error:  # noqa: BLE001 - any way of refusing is an outcome
        outcome = f"refused ({type(error).__name__})"
    seconds = time.process_time() - started
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    answers.send(Measured(outcome, seconds, peak, answer))
