"""Reads the use of processes from `/proc`: memory and processor time of a program and all that it started."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

INTERVAL = 0.02
"""Seconds between two looks."""

_TICKS = os.sysconf("SC_CLK_TCK")


def family(process: int) -> list[int]:
    """The numbers of a process and of all that it started, directly or not, and that still run."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (fields := _stat(int(entry.name))):
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [process]
    for one in found:
        found += parents.get(one, [])
    return found


def memory(process: int) -> int:
    """Bytes of memory that a process and its family hold now; what several of them share is divided among them."""
    return sum(map(_proportional, family(process)))


def _proportional(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def processor_seconds(process: int) -> dict[int, float]:
    """Seconds of processor time that a process and each of its family have used, by their numbers."""
    used = {one: _stat(one) for one in family(process)}
    return {one: (int(fields[11]) + int(fields[12])) / _TICKS for one, fields in used.items() if fields}


class Watch:
    """Looks at the memory of a family of processes as long as the block runs.

    Attributes:
        peak: the most bytes seen at one time.
    """

    def __init__(self, process: int) -> None:
        self.peak = 0
        self._process = process
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(INTERVAL):
            self.peak = max(self.peak, memory(self._process))


def _stat(process: int) -> list[str]:
    """The fields of a process from its state on; none where it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2].split()
    except OSError:
        return []
