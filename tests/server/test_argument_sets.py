"""A real server, asked what nobody should ask, and given up on in between: it answers, in time, and goes on."""

from __future__ import annotations

import json
import os
import random
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.argument_sets import arguments
from tests.server.pipes import SERVE, RawServer

if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORIES = "FRACTAL_CONTEXT_TEST_REPOS"
"""The environment variable that names a folder of repositories for the long test."""

SETS = 3000
CANCELLED = 0.1
"""The part of the calls that are given up."""

LIMIT = 60
"""Seconds, the time limit of the server."""

ALLOWED_BESIDE = 5.0
"""Seconds that an answer may take more than the limit: to be read, to be written, and for a machine that does more."""

ALLOWED_GROWTH = 1.25
"""The memory that the last quarter of the calls may take, as a part of what the second took."""


class Answered(RawServer):
    """A server over pipes whose complaints are kept out of the way, and the answers to it."""

    def __init__(self, root: Path, *flags: str) -> None:
        super().__init__(root, program=SERVE, flags=flags)
        self.said: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.initialize()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(self.process.stderr)

    def ask(self, tool: str, given: dict[str, Any]) -> tuple[str, float]:
        """Makes a call; its whole answer as text, and the seconds that it took."""
        began = time.monotonic()
        number = self.call(tool, **given)
        (answer,) = self.replies([number])
        return json.dumps(answer), time.monotonic() - began

    def give_up(self, tool: str, given: dict[str, Any], after: float) -> None:
        """Makes a call and cancels it after some seconds."""
        number = self.call(tool, **given)
        threading.Event().wait(after)
        self.send("notifications/cancelled", {"requestId": number, "reason": "test"}, request=False)

    def worked(self) -> float:
        """Seconds of the processor that the server and its workers have taken, those that have ended included."""
        number = self.process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
        ticks = 0
        for one, fields in ((str(number), 4), *((child, 2) for child in children)):
            try:
                status = Path(f"/proc/{one}/stat").read_text(encoding="utf-8", errors="replace")
            except OSError:  # it has ended meanwhile, and will be counted with those of its parent
                continue
            ticks += sum(map(int, status.rpartition(")")[2].split()[11 : 11 + fields]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def held(self) -> tuple[int, int]:
        """Bytes of memory and threads of the server's own process."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        return int(fields["VmRSS"].split()[0]) << 10, int(fields["Threads"])


def broken(answer: str) -> bool:
    """Tells whether an answer owns up to a fault of the server's."""
    return (
        "is a bug in" in answer
        or '"code": -32603' in answer
        or 'Traceback (most recent call last):\\\\n  File \\\\"/' in answer
    )


def paths_of(root: Path) -> list[str]:
    return [".", *sorted(place.name for place in root.iterdir() if place.is_dir() and not place.name.startswith("."))]


@pytest.mark.no_cover
def test_a_server_answers_whatever_it_is_asked(tree: Path) -> None:
    chance = random.Random(15)
    with Answered(tree, "--cache", "off", "--parsers", "1") as server:
        for number in range(30):
            tool, given = arguments(chance, paths_of(tree), longest=100_000)
            if number % 10 == 9:
                server.give_up(tool, given, chance.random() / 20)
                continue
            answer, _ = server.ask(tool, given)
            assert not broken(answer), (tool, str(given)[:200], answer[:500])
        answer, _ = server.ask("zoom", {"target": "Config.load", "path": "."})
        assert "def load" in answer
    assert not any(b"Traceback" in line for line in server.said)


def report(slowest: Sequence[tuple[float, str]], ratios: Sequence[float], held: Sequence[tuple[int, int]]) -> str:
    """The figures of a long run, in lines."""
    lines = [f"{seconds:6.1f} s: {about}" for seconds, about in sorted(slowest, reverse=True)[:10]]
    if ratios:
        lines.append(
            f"the call after one that was given up: median {statistics.median(ratios):.2f}, most {max(ratios):.2f} of usual"
        )
    lines.append("memory, MiB: " + " ".join(str(memory >> 20) for memory, _ in held))
    lines.append("threads: " + " ".join(str(threads) for _, threads in held))
    return "\n".join(lines)


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.skipif(not os.environ.get(REPOSITORIES), reason=f"{REPOSITORIES} names no folder of repositories")
def test_thousands_of_hostile_sets_over_real_repositories(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(os.environ[REPOSITORIES])
    sets = int(os.environ.get("FRACTAL_CONTEXT_TEST_SETS", SETS))
    chance = random.Random(int(os.environ.get("FRACTAL_CONTEXT_TEST_SEED", "15")))
    paths = paths_of(root)[1:]
    took: list[tuple[float, str]] = []
    faults: list[str] = []
    ratios: list[float] = []
    held: list[tuple[int, int]] = []
    kinds: Counter[str] = Counter()
    began = time.monotonic()
    with Answered(root, "--time-limit", str(LIMIT)) as server:
        for number in range(sets):
            tool, given = arguments(chance, paths)
            about = f"{tool} {str({name: str(value)[:40] for name, value in given.items()})[:200]}"
            if chance.random() < CANCELLED:
                kinds["given up"] += 1
                path = chance.choice(paths)
                probe = ("get_context", {"path": path, "token_budget": 1000})
                server.ask(*probe)
                usual = statistics.median(server.ask(*probe)[1] for _ in range(3))  # of this minute, not of the first
                server.give_up(tool, given, chance.random() * 2)
                earlier = server.worked()
                answer, seconds = server.ask(*probe)
                worked = server.worked() - earlier
                ratios.append(seconds / usual)
                # A machine that does more makes a call late as well; one that waits for what was given up is late with work.
                if min(seconds, worked) > 2 * usual + 0.5:
                    faults.append(
                        f"{seconds:.2f} s ({worked:.2f} of the processor) after a call was given up, {usual:.2f} s usually: {about}"
                    )
            else:
                answer, seconds = server.ask(tool, given)
                kinds["refused" if '"isError": true' in answer else "answered"] += 1
                took.append((seconds, about))
                if seconds > LIMIT + ALLOWED_BESIDE:
                    faults.append(f"{seconds:.1f} s: {about}")
            if broken(answer):
                faults.append(f"a fault of the server's: {about}: {answer[:300]}")
            if number % max(1, sets // 40) == 0:
                held.append(server.held())
                with capsys.disabled():
                    print(f"\n{number} of {sets} in {time.monotonic() - began:.0f} s: {faults}", flush=True)  # noqa: T201 - it takes an hour
    quarter = len(held) // 4
    with capsys.disabled():
        print(f"\n{dict(kinds)}\n{report(took, ratios, held)}\n" + "\n".join(faults))  # noqa: T201 - its figures are what it is for
    assert not faults
    before = statistics.median(memory for memory, _ in held[quarter : 2 * quarter])
    after = statistics.median(memory for memory, _ in held[-quarter:])
    assert after <= before * ALLOWED_GROWTH
    assert statistics.median(threads for _, threads in held[-quarter:]) <= max(
        threads for _, threads in held[quarter : 2 * quarter]
    )
