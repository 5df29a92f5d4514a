"""Measures the part of a budget that a format leaves for code: the same calls in `compact` and in `plus`."""

from __future__ import annotations

import re
import statistics
from typing import TYPE_CHECKING, NamedTuple

from allocator import ContextEngine
from allocator.show.formats import MORE
from benchmarks.overview.asked import documented
from benchmarks.overview.sources import known
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.overview.laws import Places

BUDGETS = (2000, 8000, 20000)

FORMATS = ("compact", "plus")

_NAME = re.compile(r"[A-Za-z_]\w*")


class Spent(NamedTuple):
    """Tokens of one context, by what they are for."""

    code: int
    prefixes: int
    frames: int
    all: int


def spent(text: str, layout: str) -> Spent:
    """Tells what the tokens of a context are spent on.

    Args:
        text: the context.
        layout: its format, `compact` or `plus`.

    Returns:
        Tokens of the files' own lines, of what stands before them, of headers and footers; and of all, the map and the
        lines that count what is left out among them.
    """
    count = token_counter().count
    code: list[str] = []
    written: list[str] = []
    frames: list[str] = []
    is_file = False
    for line in text.splitlines():
        if line.startswith("+++ "):
            is_file = not line.startswith("+++ [")
            frames += [line] if is_file else []
        elif is_file and layout == "plus" and line.startswith("--- "):
            frames.append(line)
        elif is_file:
            bare = line[2:] if layout == "plus" else line
            if not bare.startswith(MORE):
                code.append(bare)
                written.append(line)
    bare_tokens, tokens = (count("".join(f"{line}\n" for line in lines)) for lines in (code, written))
    return Spent(
        code=bare_tokens,
        prefixes=tokens - bare_tokens,
        frames=count("".join(f"{line}\n" for line in frames)),
        all=count(text),
    )


def layouts_of(bench: Places) -> None:
    """Prints the tokens of code that each format buys, and the share of documented definitions that is shown."""
    print("| repository | budget | format | tokens of code | prefixes | headers and footers | documented names |")
    print("|---|---:|---|---:|---:|---:|---:|")
    rows: dict[tuple[int, str], list[tuple[Spent, float]]] = {}
    for name in bench.names:
        folder = bench.tree(name, prose=False, label="code")
        with known(folder, bench.work / "cache") as found:
            wanted = documented(bench.tree(name), found).names
            engine = ContextEngine(found.index.roots, index=found.index)
            for budget in BUDGETS:
                for layout in FORMATS:
                    text = engine.get_context(str(folder), token_budget=budget, format=layout, summary=False).context
                    shown = len(wanted & set(_NAME.findall(text))) / max(1, len(wanted))
                    row = (spent(text, layout), shown)
                    rows.setdefault((budget, layout), []).append(row)
                    _print(name, budget, layout, *row)
    for (budget, layout), listed in rows.items():
        means = Spent(*(round(statistics.fmean(column)) for column in zip(*(row for row, _ in listed), strict=True)))
        _print("mean", budget, layout, means, statistics.fmean(shown for _, shown in listed))
    _print_gains(rows)


def _print(name: str, budget: int, layout: str, row: Spent, shown: float) -> None:
    print(
        f"| {name} | {budget} | {layout} | {row.code} | {row.prefixes} | {row.frames} | {shown:.1%} |",
        flush=True,
    )


def _print_gains(rows: Mapping[tuple[int, str], Sequence[tuple[Spent, float]]]) -> None:
    for budget in BUDGETS:
        compact, plus = (sum(row.code for row, _ in rows[budget, layout]) for layout in FORMATS)
        print(f"\nAt {budget} tokens `compact` buys {compact / max(1, plus) - 1:.1%} more tokens of code than `plus`.")
