"""What a person at a terminal sees besides results: a bar while work goes on, and colours.

Both are there only where the stream is a terminal, and colours only where `NO_COLOR` is not set (no-color.org).
"""

from __future__ import annotations

import os
import shutil
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

CLEAR_LINE = "\r\x1b[2K"
BAR_CELLS = 24


class Colour(StrEnum):
    """What is said in which colour, as the terminal's own codes."""

    GOOD = "\x1b[32m"
    BAD = "\x1b[1;31m"
    QUIET = "\x1b[2m"


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
