"""Looks whether a larger budget ever shows less: budget by budget, line by line and name by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from allocator import ContextEngine
from allocator.show.formats import MORE
from benchmarks.overview.asked import file_line, indented, is_folder_line, spelled, without_counts_of_folders
from benchmarks.overview.sources import known
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.overview.laws import Places

LEAST, STEP, FINE = 500, 10, 5000
"""The first budget, tokens from one to the next, and the budget up to which they are so close."""

SHARE, MOST = 16, 200_000
"""Above that each budget is larger than the one before by its so many-th part, up to this."""

FILLED = 0.97

_NUMBER = re.compile(r"(\d+)(?: |$)")
_NAME = re.compile(r"[^\W\d]\w*")


class Growth(NamedTuple):
    """Budgets that were asked for, and what became of what the one before showed."""

    budgets: int
    breaks: list[int]
    lost: int
    unfilled: list[int]
    least: float


def shown(text: str) -> set[tuple[str, str]]:
    """Tells what a context in the compact format shows, where its lines have numbers.

    Returns:
        Of files the numbers of the lines that are shown, by path; of the map the folders and files, and by the line that
        it stands on the name of every definition, and every word of what is told of the whole.
    """
    found: set[tuple[str, str]] = set()
    path, told = "", list[str]()
    for line in text.splitlines():
        if line.startswith("+++ "):
            path = line[4:].partition(" [")[0] if not line.startswith("+++ [") else ""
            found.add((path, ""))
        elif path and (number := _NUMBER.match(line)):
            found.add((path, number[1]))
        elif not path and not line.startswith(MORE):
            told.append(line)
    return found | set(_told(told))


def _told(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The facts that the lines of a map tell, but for what counts the rest."""
    for place in indented("\n".join(lines)):
        if " " not in place and not place.rpartition("/")[2].startswith("+"):
            yield place, ""
    for line in without_counts_of_folders("\n".join(lines)).splitlines():
        if not is_folder_line(line):
            file = file_line(line)
            yield from ((file.name, name) for name in _NAME.findall(spelled(file.said)))


def budgets() -> Iterator[int]:
    """The budgets that are asked for, from the smallest."""
    budget = LEAST
    while budget <= MOST:
        yield budget
        budget += STEP if budget < FINE else budget // SHARE


def grown(folder: Path, engine: ContextEngine, budgets: Sequence[int]) -> Growth:
    """Asks for one budget after the other, as long as not all files are shown in full."""
    before: set[tuple[str, str]] = set()
    breaks, unfilled, shares = list[int](), list[int](), list[float]()
    lost = 0
    for budget in budgets:
        result = engine.get_context(
            str(folder), token_budget=budget, format="compact", line_numbers=True, summary=False
        )
        levels = result.metadata.compression_summary
        if not any(levels[level] for level in CompressionLevel if level is not CompressionLevel.FULL):
            break
        now = shown(result.context)
        lost += len(before - now)
        breaks += [budget] if before - now else []
        shares.append(result.tokens_used / budget)
        unfilled += [budget] if shares[-1] < FILLED else []
        before = now
    return Growth(len(shares), breaks, lost, unfilled, min(shares, default=1.0))


def growth_of(bench: Places) -> None:
    """Prints at how many budgets something is shown less than at the one before, and how many are not filled."""
    print(f"Budgets from {LEAST} to {FINE} tokens, in steps of {STEP}, and up to {MOST} in steps of a {SHARE}th.\n")
    print(
        "| repository | budgets | shows less | lines and names lost | least printed | under 97 % | the last of these |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in bench.names:
        folder = bench.tree(name)
        with known(folder, bench.work / "cache") as found:
            engine = ContextEngine(found.index.roots, index=found.index)
            told = grown(folder, engine, [*budgets()])
        last = str(told.unfilled[-1]) if told.unfilled else ""
        print(
            f"| {name} | {told.budgets} | {len(told.breaks)} | {told.lost} | {told.least:.1%} | {len(told.unfilled)} |",
            f"{last} |",
            flush=True,
        )
