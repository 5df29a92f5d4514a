"""Prints what each kind of hostile source costs: processor time and memory of an overview, a query, a zoom and callers.

    python -m tests.hostile.costs [--size 300000] [--only java,parentheses] [--sample]

The exit code is 1 where a call did not come to its end within its limit, or took more memory than its source explains.
Each call is made by a process of its own, forked from one that has loaded the engines, without worker processes and
without a cache: what it takes is what the engine takes. Memory is the most that the process held, less what it held
before.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from allocator import ContextEngine
from skeleton.index.content import Content
from skeleton.index.facts import derive
from skeleton.index.records import Aspect
from skeleton.recognition import language_of
from skeleton.zoom.zoomer import Zoomer
from tests.hostile.sources import HOSTILE_SOURCES, Hostile
from workspace.errors import FractalContextError
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST_TOLD: Final = 20_000
BUDGET: Final = 4000
SIZE: Final = 300_000

LIMIT_SECONDS: Final = 120
"""Of the processor, for each call: what a server gives a call by default."""

ALLOWED_BYTES: Final = 60_000_000
ALLOWED_RATIO: Final = 1500
"""Bytes that a call may take on, whatever the source, and for each of its bytes; nearly all of them are the parser's.

The most is taken where each two bytes are a definition, as in names in a row, which are fields to the grammar of Zig.
"""

SAMPLE: Final = (
    "nested classes a.java",
    "nested namespaces a.cpp",
    "homonyms a.py",
    "calls of one function a.js",
    "NULs a.c",
)
"""The kinds that the usual tests look at, which are cheap."""

CALLS: Final[Mapping[str, Callable[[Path, str], str]]] = {
    "overview": lambda root, _: ContextEngine(Roots([root])).get_context(str(root), token_budget=BUDGET).context,
    "query": lambda root, name: (
        ContextEngine(Roots([root])).get_context(str(root), token_budget=BUDGET, query=f"where is {name}").context
    ),
    "zoom": lambda root, name: _zoomer(root).zoom(name, str(root), token_budget=BUDGET).text,
    "callers": lambda root, name: _zoomer(root).zoom(name, str(root), token_budget=BUDGET, context="callers").text,
}
"""The calls that are made with each source, by their names."""


class Cost(NamedTuple):
    """The costs of one call.

    Attributes:
        seconds: of the processor.
        memory: bytes, the most at one time.
        answer: what was answered, or the error.
        signal: what ended the process, if anything did.
    """

    seconds: float
    memory: int
    answer: str
    signal: int = 0

    def fault(self, size: int) -> str:
        """Returns what is wrong with it, for a source of so many bytes; "" for nothing."""
        if self.signal:
            return f"was ended by signal {self.signal} after {self.seconds:.0f} s"
        if self.memory > ALLOWED_BYTES + ALLOWED_RATIO * size:
            return f"took {self.memory >> 20} MiB"
        return "" if self.answer else "answered nothing"


def _zoomer(root: Path) -> Zoomer:
    return Zoomer(ContextEngine(Roots([root])).index)


def cost_of(call: str, source: Hostile, size: int) -> Cost:
    """Returns what a call over a folder with one hostile file takes, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, source.file).write_bytes(source.content(size))
        return _forked(lambda: CALLS[call](Path(folder), source.name))


def _forked(work: Callable[[], str]) -> Cost:
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(msgspec.msgpack.encode(_cost(work)))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status, used = os.wait4(process, 0)
    if not told:
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss << 10, "", os.WTERMSIG(status) or -1)
    return msgspec.msgpack.decode(told, type=Cost)


def _cost(work: Callable[[], str]) -> Cost:
    """Measures the costs of some work in this process."""
    began, held = time.process_time(), _held("VmRSS")
    try:
        answer = work()
    except FractalContextError as error:
        answer = str(error)
    return Cost(time.process_time() - began, _held("VmHWM") - held, answer[:_MOST_TOLD])


def _held(field: str) -> int:
    """Bytes of memory that this process holds (`VmRSS`) or held at the most (`VmHWM`)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) << 10
    raise AssertionError(field)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=SIZE, metavar="BYTES")
    parser.add_argument("--sample", action="store_true", help="a few kinds that are cheap")
    parser.add_argument("--only", default="", metavar="WORDS", help="parts of what they do or of their endings")
    asked = parser.parse_args()
    words = [word for word in str(asked.only).split(",") if word]
    wrong: list[str] = []
    ContextEngine(Roots([Path.cwd()])).get_context(str(Path(__file__)), token_budget=500, query="warm")
    chosen = [
        source
        for source in HOSTILE_SOURCES
        if (not asked.sample or source.kind in SAMPLE) and (not words or any(word in source.kind for word in words))
    ]
    for source in chosen:  # what is loaded once is no cost of a call
        derive(Content(b"", b""), language_of(source.file, b""), aspects=Aspect, counter=token_counter())
    print("| source | file | " + " | ".join(f"{call}, s | MB" for call in CALLS) + " |", flush=True)
    print("|---|---|" + "--:|--:|" * len(CALLS), flush=True)
    for source in chosen:
        found = {call: cost_of(call, source, asked.size) for call in CALLS}
        cells = " | ".join(f"{one.seconds:.2f} | {one.memory / 1e6:.0f}" for one in found.values())
        print(f"| {source.about} | {source.file} | {cells} |", flush=True)
        wrong += [f"{source.kind}: {call} {fault}" for call, one in found.items() if (fault := one.fault(asked.size))]
    print("\n".join(wrong) or "Nothing went wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
