"""A running `view` of a folder, and what it answers."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import msgspec

from tests.server.pipes import EXIT_TIMEOUT, environment, forked_command

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path


class Viewed(msgspec.Struct, frozen=True, kw_only=True):
    """A view that is served.

    Attributes:
        process: the program; its standard error is open.
        origin: where it listens.
        key: opens it.
    """

    process: subprocess.Popen[str]
    origin: str
    key: str

    @property
    def address(self) -> str:
        return f"{self.origin}/#{self.key}"

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def asked(self, what: str, **question: Any) -> dict[str, Any]:
        """Asks what the page asks, and returns all lines of the answer as one, without progress."""
        answer = httpx2.post(
            f"{self.origin}/{what}", json=question, headers=self.headers, timeout=EXIT_TIMEOUT
        ).raise_for_status()
        lines = [json.loads(line) for line in answer.text.splitlines()]
        return {name: value for line in lines for name, value in line.items() if name != "progress"}

    @contextmanager
    def heard(self) -> Generator[Iterator[int]]:
        """Gives the versions of the folder, as the page hears them."""
        address = f"{self.origin}/changes"
        with httpx2.stream("POST", address, json={}, headers=self.headers, timeout=EXIT_TIMEOUT) as stream:
            yield (json.loads(line)["version"] for line in stream.iter_lines())


@contextmanager
def viewing(folder: Path, *flags: str, browser: str = "") -> Generator[Viewed]:
    """Gives the view of a folder, and ends it.

    Args:
        folder: what is shown.
        flags: of the command.
        browser: the program that it opens; "" for none.
    """
    command = [*forked_command(), "view", str(folder), *([] if browser else ["--no-open"]), *flags]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment({"BROWSER": browser}),
        cwd=folder.parent,
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert " is shown at http://" in line, line + process.stderr.read()
        origin, _, key = line.split()[-1].partition("/#")
        try:
            yield Viewed(process=process, origin=origin, key=key)
        finally:
            process.terminate()
            process.wait(timeout=EXIT_TIMEOUT)
