"""The entry of the product: `fractal-context COMMAND`, and `python -m server`, which serves when no command is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.cli import run
from server.ending import end_when_still

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

SWITCH_SECONDS: Final = 0.0003
"""The time after which a thread lets another run. A command has a thread at work, and others that hand files to workers
and are done at once: for each word that they say they would wait five milliseconds, and the workers with them."""


def main() -> NoReturn:
    """Runs the command line and ends the process with its exit code."""
    _end_with(sys.argv[1:])


def _end_with(arguments: Sequence[str]) -> NoReturn:
    """Runs a command, and ends the process without taking apart what it holds: that is a tenth of a short run.

    By then files are closed, and workers end with their input. In a server a thread may still be at work for a client
    that is gone, on what would be taken apart: it ends hard a moment later, and what it started with it.
    """
    _open_missing_streams()
    if arguments[:1] != ["serve"]:
        sys.setswitchinterval(SWITCH_SECONDS)
    code = run(arguments)
    if arguments[:1] == ["serve"]:
        end_when_still(code)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python says what could not be written
    os._exit(code)


def _open_missing_streams() -> None:
    """Opens nothing in the place of standard streams that the caller has closed, so that no file gets their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open as long as the process lives
            setattr(sys, name, stream)


if __name__ == "__main__":
    given = sys.argv[1:]
    names_no_command = not given or (given[0].startswith("-") and given[0] not in {"-h", "--help", "--version"})
    _end_with(["serve", *given] if names_no_command else given)
