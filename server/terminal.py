"""Shows a person at a terminal, besides results, a bar while work goes on, and colours.

Both are there only where the stream is a terminal, and colours only where `NO_COLOR` is not set (no-color.org). What files
say to a terminal does not reach it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from workspace.cancellation import CancelToken, cancellable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import TextIO

CLEAR_LINE = "\r\x1b[2K"
BAR_CELLS = 24
COUNTER_INTERVAL = 0.1
"""Seconds between two looks of a bar."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")
"""Characters that steer a terminal instead of being shown by it; line ends and tabs are text."""


class Colour(StrEnum):
    """The colours of messages, as the terminal's own codes."""

    GOOD = "\x1b[32m"
    BAD = "\x1b[1;31m"


def bar(done: int, total: int, stage: str) -> str:
    """Returns a line that shows how far work is, cut to the width of the terminal."""
    filled = BAR_CELLS * min(done, total) // total if total > 0 else 0
    line = f"{'█' * filled}{'░' * (BAR_CELLS - filled)} {done}/{total} {stage}"
    return CLEAR_LINE + line[: shutil.get_terminal_size().columns - 1]


def coloured(text: str, colour: Colour, stream: TextIO) -> str:
    """Returns the text in a colour where the stream shows colours, else as it is."""
    if os.environ.get("NO_COLOR") or not stream.isatty():
        return text
    return f"{colour}{text}\x1b[0m"


def harmless(text: str, stream: TextIO) -> str:
    """Returns the text with its control characters written out where the stream is a terminal; else as it is.

    A file may hold such codes, to hide what it says or to set a title; a reader of a pipe gets them as they are.
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text) if stream.isatty() else text


@contextmanager
def in_time(seconds: float) -> Generator[Callable[[int, int, str], None]]:
    """Bounds a call by so many seconds, 0 for none, and gives what is to be told how far it is.

    That draws a bar on one line where a terminal is watched, which is wiped at the end.

    Raises:
        TimeLimitError: the call took longer.
    """
    token = CancelToken(seconds or None)
    watched = sys.stderr.isatty()
    due = time.monotonic()

    def show(done: int, total: int, stage: str) -> None:
        nonlocal due
        token.stage = stage
        if watched and time.monotonic() >= due:
            due = time.monotonic() + COUNTER_INTERVAL
            _draw(bar(done, total, stage))

    try:
        with cancellable(token):
            yield show
    finally:
        if watched:
            _draw(CLEAR_LINE)


def _draw(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
