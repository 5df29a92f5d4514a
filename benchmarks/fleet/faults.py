"""Tells what a failing store costs calls: how long they wait for it, whether their bytes stay the same, and when it is back.

    python -m benchmarks.fleet.faults

Each row is a replica with an empty cache that begins while something is wrong with a real server that another replica has
filled, makes seven calls over thirty files, of which some go on with what others gave, and makes them again when the server
is well. What a call waits is what it notes itself, in all. A row is told of as many rounds.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fleet.replicas import PATIENT_SECONDS, Replica, conversation, project
from tests.fleet.servers import Relay, StoreServer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

PASSWORD = "a-password-for-benchmarks"


class Warnings(logging.Handler):
    """Counts warnings."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Counts one."""
        del record
        self.seen += 1


Fault = tuple[str, "Callable[[], object]"]
"""The address of the server while something is wrong, and what mends it."""


@contextmanager
def well(store: StoreServer) -> Generator[Fault]:
    yield store.url, lambda: None


@contextmanager
def down(store: StoreServer) -> Generator[Fault]:
    store.stop()
    yield store.tcp_url, store.start


@contextmanager
def slow(store: StoreServer, seconds: float) -> Generator[Fault]:
    with Relay(store.port) as relay:
        relay.seconds = seconds
        yield relay.url, partial(setattr, relay, "seconds", 0.0)


@contextmanager
def cut(store: StoreServer, let_through: int) -> Generator[Fault]:
    with Relay(store.port) as relay:
        relay.left = let_through
        yield relay.url, partial(setattr, relay, "left", None)


@contextmanager
def full(store: StoreServer) -> Generator[Fault]:
    store.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    store.ask("CONFIG", "SET", "maxmemory", "1")
    yield store.url, lambda: store.ask("CONFIG", "SET", "maxmemory", "0")


@contextmanager
def locked(store: StoreServer) -> Generator[Fault]:
    store.ask("CONFIG", "SET", "requirepass", PASSWORD)
    yield store.tcp_url, lambda: None  # who comes without one stays outside


@contextmanager
def flushed(store: StoreServer) -> Generator[Fault]:
    store.ask("FLUSHALL")
    yield store.url, lambda: None


@contextmanager
def restarted(store: StoreServer) -> Generator[Fault]:
    def again() -> None:
        store.stop()
        store.start()

    yield store.tcp_url, again


FAULTS = {
    "none": well,
    "it is down": down,
    "it answers after 5 s": partial(slow, seconds=5.0),
    "it answers after 0.15 s": partial(slow, seconds=0.15),
    "cut after 0 bytes": partial(cut, let_through=0),
    "cut after 700 bytes": partial(cut, let_through=700),
    "cut after 20,000 bytes": partial(cut, let_through=20_000),
    "it is full": full,
    "wrong password": locked,
    "it was flushed": flushed,
    "it is restarted between": restarted,
}


def main() -> None:
    asking = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asking.add_argument("--rounds", type=int, default=5)
    rounds: int = asking.parse_args().rounds
    warnings = Warnings()
    logging.getLogger("workspace.shared").addHandler(warnings)
    logging.getLogger("workspace.shared").propagate = False
    print("| store | calls | differ | longest wait of a call, ms | warnings | used again after, s |")
    print("|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        root = project(Path(scratch, "project"))
        with Replica(root, Path(scratch, "alone")) as alone:
            expected = conversation(alone)
        for name, fault in FAULTS.items():
            calls = differ = 0
            waits: list[float] = []
            back: list[float] = []
            before = warnings.seen
            for number in range(rounds):
                state = Path(scratch, name.replace(" ", "-"), str(number))
                with StoreServer() as store:
                    with Replica(root, state / "before", store.url) as other:
                        conversation(other)
                        other.written()
                    with fault(store) as (url, mend), Replica(root, state / "one", url) as one:
                        first = conversation(one)
                        mend()
                        began = time.monotonic()
                        assert one.store is not None
                        link = one.store.connections[0]
                        if name != "wrong password":  # which no server mends
                            link.breaker.wait_until_closed(PATIENT_SECONDS)
                            back.append(time.monotonic() - began)
                        second = conversation(one)
                        waits += one.waited
                # Who has shown a file says less of it the second time, as the replica without a store does.
                differ += sum(a != b for a, b in zip((*first, *second[1:]), (*expected, *expected[1:]), strict=True))
                calls += len(first) + len(second)
            told = f"{max(back):.1f}" if back else "-"
            seen = (warnings.seen - before) / rounds
            print(f"| {name} | {calls} | {differ} | {max(waits) * 1e3:.0f} | {seen:g} | {told} |", flush=True)


if __name__ == "__main__":
    main()
