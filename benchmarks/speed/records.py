"""Times records: to define the class, which every start pays, and to make, hash and change one.

    python -m benchmarks.speed.records

The same five fields as a frozen dataclass with slots, as a `msgspec.Struct` and as a `NamedTuple`, in turns; the least
of many rounds counts. What is printed are microseconds, and how many times those of the struct they are.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from benchmarks.skeletons.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS: Final = 200
TIMES: Final = 200
"""The times that a record is made, hashed or changed in a round."""


def as_dataclass() -> type[Any]:
    """Defines the record as a frozen dataclass."""

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Record:
        path: str
        size: int
        stamp: tuple[int, ...]
        kind: str = ""
        note: str = ""

    return Record


def as_struct() -> type[Any]:
    """Defines it as a struct."""

    class Record(msgspec.Struct, frozen=True, kw_only=True):
        path: str
        size: int
        stamp: tuple[int, ...]
        kind: str = ""
        note: str = ""

    return Record


def as_named_tuple() -> type[Any]:
    """Defines it as a named tuple."""

    class Record(NamedTuple):
        path: str
        size: int
        stamp: tuple[int, ...]
        kind: str = ""
        note: str = ""

    return Record


def _changed(record: Any, **changes: object) -> object:
    return record._replace(**changes)


WAYS: Final[dict[str, tuple[Callable[[], type[Any]], Callable[..., Any]]]] = {
    "dataclass": (as_dataclass, dataclasses.replace),
    "struct": (as_struct, msgspec.structs.replace),
    "named tuple": (as_named_tuple, _changed),
}
"""For each way to define a record, how one with other values is had."""


def costs(define: Callable[[], type[Any]], change: Callable[..., Any]) -> dict[str, float]:
    """Gives the seconds that each step takes once, for one way to define the record."""
    record = define()
    one = record(path="a.py", size=1, stamp=(1, 2))
    steps: dict[str, tuple[Callable[[], object], int]] = {
        "define": (define, 1),
        "make": (lambda: record(path="a.py", size=1, stamp=(1, 2)), TIMES),
        "hash": (lambda: hash(one), TIMES),
        "change": (lambda: change(one, size=2), TIMES),
    }
    return {name: seconds(step, times) for name, (step, times) in steps.items()}


def seconds(step: Callable[[], object], times: int) -> float:
    """Gives the seconds of a step that is taken so many times."""
    start = time.perf_counter()
    for _ in range(times):
        step()
    return (time.perf_counter() - start) / times


def main() -> None:
    """Prints a table."""
    least: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        for way, (define, change) in WAYS.items():
            for step, taken in costs(define, change).items():
                least[way, step] = min(taken, least.get((way, step), taken))
    steps = list(dict.fromkeys(step for _, step in least))
    rows = [
        [way, *(f"{least[way, step] * 1e6:.2f} ({least[way, step] / least['struct', step]:.1f})" for step in steps)]
        for way in WAYS
    ]
    print(table(["", *steps], rows))


if __name__ == "__main__":
    main()
