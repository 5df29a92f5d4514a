"""Times queries of a megabyte of every kind beside a short one, in one process that knows the repository.

    python -m benchmarks.steering.long_queries --repos DIR [--repository tokio] [--size 1000000]

Seconds are those of the processor; of three runs the least counts. The last column says whether a query took at most
half again as long as the short one and half a second. Then two hundred calls with such queries are each given up at a
random time, and the short question is asked behind each: the longest that it had to wait is printed, by the clock.
"""

from __future__ import annotations

import argparse
import base64
import random
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from allocator import ContextEngine
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHORT = "where is the time limit of a call set?"
ROUNDS = 3
GIVEN_UP = 200
AT_MOST_TIMES, AT_MOST_MORE = 1.5, 0.5


def _log(size: int) -> str:
    lines = (
        f"2026-01-0{n % 9 + 1} 10:{n % 60:02}:00 ERROR worker {n}: timeout while polling task {n * 37}\n"
        for n in range(size // 60)
    )
    return "".join(lines)[:size]


def _trace(size: int) -> str:
    frames = (f'  File "src/part_{n % 400}.py", line {n % 900 + 1}, in step_{n % 70}\n' for n in range(size // 40))
    return ("Traceback (most recent call last):\n" + "".join(frames))[:size]


def _diff(size: int) -> str:
    hunks = (
        f"--- a/src/f{n}.rs\n+++ b/src/f{n}.rs\n@@ -{n + 1},2 +{n + 1},2 @@\n-let a = {n};\n+let b = {n};\n"
        for n in range(size // 60)
    )
    return "".join(hunks)[:size]


def _words(size: int) -> str:
    chance = random.Random(7)
    return " ".join("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(size // 8))


KINDS: Mapping[str, Callable[[int], str]] = {
    "one word": lambda size: "a" * size,
    "one word of capitals in turns": lambda size: "aB" * (size // 2),
    "one word of parts": lambda size: "ab_" * (size // 3),
    "a path": lambda size: "ab/" * (size // 3),
    "dots": lambda size: "a." * (size // 2),
    "different words": _words,
    "the same question again and again": lambda size: f"{SHORT} " * (size // len(SHORT)),
    "a log": _log,
    "a stack trace": _trace,
    "a diff": _diff,
    "base64": lambda size: base64.b64encode(random.Random(7).randbytes(size * 3 // 4)).decode(),
    "brackets": lambda size: "([{" * (size // 3),
    "quotes": lambda size: "`\"'" * (size // 3),
    "line breaks": lambda size: "\n" * size,
    "Chinese": lambda size: "路由如何工作" * (size // 6),
    "combining characters": lambda size: "e\u0301" * (size // 2),
}
"""Texts that somebody may paste, by their kind: each of about so many characters."""


def _least(engine: ContextEngine, root: Path, query: str) -> float:
    took: list[float] = []
    for _ in range(ROUNDS):
        began = time.process_time()
        engine.get_context(str(root), query=query, token_budget=8000)
        took.append(time.process_time() - began)
    return min(took)


def _waited(engine: ContextEngine, root: Path, queries: Sequence[str]) -> tuple[float, float]:
    """Seconds by the clock: until a call that was given up had ended, and of the question behind it; the most of each."""
    chance = random.Random(7)
    ended: list[float] = []
    behind: list[float] = []
    for _ in range(GIVEN_UP):
        token = CancelToken()

        def call(token: CancelToken = token, query: str = chance.choice(queries)) -> None:
            try:
                with cancellable(token):
                    engine.get_context(str(root), query=query, token_budget=8000)
            except CallCancelledError:
                return

        thread = threading.Thread(target=call)
        thread.start()
        thread.join(chance.uniform(0, 0.5))
        given_up = time.monotonic()
        token.give_up()
        engine.get_context(str(root), query=SHORT, token_budget=8000)
        behind.append(time.monotonic() - given_up)
        thread.join()
        ended.append(time.monotonic() - given_up)
    return max(ended), max(behind)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="folder of repositories")
    parser.add_argument("--repository", default="tokio", help="one of them")
    parser.add_argument("--size", type=int, default=1_000_000, help="characters")
    asked = parser.parse_args(arguments)
    root = (asked.repos / asked.repository).resolve()
    engine = ContextEngine(Roots([root]))
    engine.get_context(str(root), query=SHORT, token_budget=8000)
    short = _least(engine, root, SHORT)
    print(f"| query | s | allowed |\n|---|---:|---|\n| short | {short:.2f} | |", flush=True)
    texts = [make(asked.size) for make in KINDS.values()]
    for kind, text in zip(KINDS, texts, strict=True):
        took = _least(engine, root, text)
        allowed = "yes" if took <= AT_MOST_TIMES * short + AT_MOST_MORE else "no"
        print(f"| {kind} | {took:.2f} | {allowed} |", flush=True)
    ended, behind = _waited(engine, root, texts)
    print(
        f"\nOf {GIVEN_UP} calls given up, the short question behind them was answered after {behind:.2f} s at the most,"
    )
    print(f"and both had ended after {ended:.2f} s.")


if __name__ == "__main__":
    main()
