"""Reads off an answer of `get_context` or `zoom` what it showed: the headers of its blocks.

The lines below a header are code, and say nothing about how the call went. What stands in the header says what the agent has
seen, and how to see it again: a path, its lines, a definition.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from compaction.history.file_tools import looks_at_code
from compaction.history.programs import shows_code
from compaction.history.shell import command_text, simple_commands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.history.messages import CallRecord

_HEADER: Final = "+++ "
_DIGEST: Final = "md5:"
_SAY_HOW_MUCH: Final = (
    "SKELETON:",
    "L1:",
    "SHOWN:",
    "PART",
    "CUT",
    "OVERVIEW",
    "UNPROVEN",
    "SYNTAX-ERRORS",
    "NO-EOL",
    _DIGEST,
)
"""The beginnings of marks that tell in how much detail a file was shown, and not what of it or what became of it."""

_COUNTED: Final = re.compile(r"\d+ files?: ")
ASIDE: Final = re.compile(r" Below: folder/ files ~tokens; [^\n]*|^\{\"snapshot\":[^\n]*", re.MULTILINE)
"""The words about an answer that name nothing in the code: how to read its map, and the metadata below it."""

_LINES: Final = re.compile(r":\d+-\d+(?: |$)")
_MOST_WORDS: Final = 200


class Block(NamedTuple):
    """One file of an answer, or a map.

    Attributes:
        words: its header, without what says in how much detail it is shown.
        read: the file whose lines are shown as they stand, "" for a skeleton or a map.
    """

    words: str
    read: str = ""


def shown_code(record: CallRecord) -> Sequence[Block]:
    """Return what the answer of a call shows of code, in its order; () where the call asks for something else."""
    if record.result is None or not (looks_at_code(record.call) or _by_command(record)):
        return ()
    return _blocks(record.result.text)


def in_words(blocks: Sequence[Block], most: int = _MOST_WORDS) -> str:
    """Return what was shown, in one line of about so many characters."""
    words = ""
    for place, block in enumerate(blocks):
        if words and len(words) + len(block.words) > most:
            return f"{words}; {len(blocks) - place} more"
        words += f"; {block.words}" if words else block.words
    return words


def _by_command(record: CallRecord) -> bool:
    line = command_text(record.call.arguments, "command", "cmd")
    return "fractal-context" in line and any(map(shows_code, simple_commands(line)))


@lru_cache(maxsize=512)
def _blocks(text: str) -> tuple[Block, ...]:
    found: list[Block] = []
    for line in text.split("\n"):
        if line.startswith(_HEADER):
            where, *marks = line.removeprefix(_HEADER).rstrip("\r").split(" [")
            told = [mark for mark in marks if not mark.startswith(_SAY_HOW_MUCH)]
            is_source = any(mark.startswith(_DIGEST) for mark in marks) and _LINES.search(where)
            if where and not where.startswith("["):
                read = where[: is_source.start()] if is_source else ""
                found.append(Block(" [".join([where, *told]), read))
        elif not found and _COUNTED.match(line) and (legend := ASIDE.search(line)):
            found.append(Block(line[: legend.start()].rstrip(".")))
    return tuple(dict.fromkeys(found))
