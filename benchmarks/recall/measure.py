"""Measures which of the functions that a commit changed a served text shows, by the text alone.

The text is cut into blocks, one for each file. The lines of a block are laid on the lines of the source, in order, as
many as can be: a line lies on a source line that it is equal to, or whose text it begins with (a signature joined on one
line, cut off before its body), white space aside. A function is shown when a line lies on the line of its name and holds
it. It is in full when all its lines stand in the block one after the other. A file is shown when it has a block.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.recall.cases import Target
from benchmarks.skeletons.placement import needle, word_pattern

LEAST_BEGINNING = 4
"""Characters of a source line that a longer line must begin with to lie on it."""

_HEADER = re.compile(r"\+\+\+ (.+?)(?: \[[A-Z].*)?$")
_CLOSING = re.compile(r"[\s{:;=…]+$|\{?\s*\.\.\.\s*\}?$")

Blocks = Mapping[str, Sequence[str]]
"""The lines shown of each file, by its path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Of how many files and functions a text shows how many."""

    files: int = 0
    files_shown: int = 0
    functions: int = 0
    functions_shown: int = 0
    functions_full: int = 0

    def __add__(self, other: Shown) -> Shown:
        return Shown(
            files=self.files + other.files,
            files_shown=self.files_shown + other.files_shown,
            functions=self.functions + other.functions,
            functions_shown=self.functions_shown + other.functions_shown,
            functions_full=self.functions_full + other.functions_full,
        )


def compact_blocks(text: str) -> Blocks:
    """The blocks of our compact format."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.split("\n"):
        header = _HEADER.match(line)
        if header:
            lines = blocks.setdefault(header[1], [])
        else:
            lines.append(line.removeprefix("\\") if line.startswith("\\+++ ") else line)
    return blocks


def map_blocks(text: str) -> Blocks:
    """The blocks of a repository map: a path and a colon, then lines after a bar."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.split("\n"):
        if line.endswith(":") and not line.startswith(("│", "⋮", " ")):
            lines = blocks.setdefault(line[:-1], [])
        elif line.startswith("│"):
            lines.append(line[1:])
        elif line and not line.startswith("⋮"):
            blocks.setdefault(line.strip(), [])
    return blocks


def measured(targets: Iterable[Target], blocks: Blocks, source: Callable[[str], str]) -> Shown:
    """Returns how many of some functions, and of their files, the blocks show.

    Args:
        targets: the functions.
        blocks: what is shown.
        source: gives the text of a file.
    """
    by_file: dict[str, list[Target]] = {}
    for target in targets:
        by_file.setdefault(target.path, []).append(target)
    total = Shown()
    for path, wanted in by_file.items():
        block = blocks.get(path)
        total += Shown(files=1, files_shown=int(block is not None), functions=len(wanted))
        if block:
            lines = source(path).split("\n")
            laid = laid_on(block, lines)
            full = [_is_full(target, block, lines) for target in wanted]
            shown = [_is_shown(target, laid) for target in wanted]
            total += Shown(
                functions_shown=sum(map(bool.__or__, shown, full)),
                functions_full=sum(full),
            )
    return total


def laid_on(block: Sequence[str], lines: Sequence[str]) -> Mapping[int, str]:
    """The source lines (from 1) that lines of a block lie on, and the block's lines."""
    where: dict[str, list[int]] = {}
    beginnings: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        plain = _plain(line)
        if plain:
            where.setdefault(plain, []).append(number)
            beginnings.setdefault(plain[:LEAST_BEGINNING], []).append(number)
    pairs: list[tuple[int, int]] = []
    for index, line in enumerate(block):
        plain = _plain(line)
        candidates = where.get(plain) or [
            number
            for number in beginnings.get(plain[:LEAST_BEGINNING], ())
            if len(plain) > LEAST_BEGINNING and _begins(plain, _plain(lines[number - 1]))
        ]
        pairs += [(index, number) for number in reversed(candidates)]
    return {number: block[index] for index, number in _longest_rising(pairs)}


def exactly_shown(wanted: Iterable[int], block: Sequence[str], lines: Sequence[str]) -> set[int]:
    """Which of some lines of a source (from 1) a block shows as they are, white space at their ends aside."""
    laid = laid_on(block, lines)
    return {number for number in wanted if number in laid and laid[number].strip() == lines[number - 1].strip()}


def _begins(shown: str, line: str) -> bool:
    return len(line) >= LEAST_BEGINNING and (shown.startswith(line) or line.startswith(shown))


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs in which both numbers rise; of equally long ones, one that stays low."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, (_, number) in enumerate(pairs):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            ends.append(place)
        else:
            tails[length] = number
            ends[length] = place
    run: list[tuple[int, int]] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        run.append(pairs[place])
        place = before[place]
    return run[::-1]


def _is_shown(target: Target, laid: Mapping[int, str]) -> bool:
    pattern = word_pattern(needle(target.name))
    return any(number in laid and bool(pattern.search(laid[number])) for number in range(target.first, target.line + 1))


def _is_full(target: Target, block: Sequence[str], lines: Sequence[str]) -> bool:
    wanted = [line.strip() for line in lines[target.first - 1 : target.last] if line.strip()]
    had = [line.strip() for line in block if line.strip()]
    starts = (index for index, line in enumerate(had) if line == wanted[0]) if wanted else ()
    return any(had[start : start + len(wanted)] == wanted for start in starts)


def _plain(line: str) -> str:
    return "".join(_CLOSING.sub("", line.strip()).split())
