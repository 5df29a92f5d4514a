"""The laws of every overview: complete at its own scale, no filler, the budget used and never exceeded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from allocator import ContextEngine
from benchmarks.overview.asked import Shown, spelled
from benchmarks.overview.sources import Known, git, known
from workspace.names.tiers import Tier
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

BUDGETS = (500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 200000)

_FILLER = re.compile(
    r"^\s*(import\b|from \S+ import|use [\w:{]|pub use\b|#include\b|require\b|require_relative\b|using [\w.]+;|package\b|@file:|#!?\[|export \* from|export \{|mod \w+;|\+\+\+ |--- )"
)
"""Lines of frames, imports and attributes."""


class Places(Protocol):
    """The part of a run that is needed here."""

    names: Sequence[str]
    work: Path

    def tree(self, name: str, revision: str = "HEAD", *, prose: bool = True, label: str = "whole") -> Path:
        """A work tree of a repository."""
        ...


def map_of(bench: Places) -> None:
    """Prints how complete the map is, and what is spent on filler."""
    print(
        "| repository | files | source files | folders at 8000 | source files at 20000 | files at 20000 | filler at 8000 | empty frames |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in bench.names:
        folder = bench.tree(name)
        with known(folder, bench.work / "cache") as found:
            engine = ContextEngine(found.index.roots, index=found.index)
            texts = {
                budget: engine.get_context(str(folder), token_budget=budget, format="compact", summary=False).context
                for budget in (8000, 20000)
            }
            paths = [file.path for file in found.files]
            source = [file.path for file in found.files if file.tier is Tier.CORE]
        folders = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(1, path.count("/") + 1)}
        at_8, at_20 = Shown(texts[8000], paths), Shown(texts[20000], paths)
        cells = [
            _share(sum(at_8.names_folder(one) for one in folders), len(folders)),
            _share(at_20.files(source), len(source)),
            _share(at_20.files(paths), len(paths)),
            _share(filler(texts[8000]), token_counter().count(texts[8000])),
            str(empty_frames(texts[8000])),
        ]
        print(f"| {name} | {len(paths)} | {len(source)} |", " | ".join(cells), "|", flush=True)


def _share(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.1%}"


def filler(text: str) -> int:
    """Tokens of frames, imports and attributes."""
    count = token_counter().count
    return sum(count(line + "\n") for line in text.splitlines() if _FILLER.match(line))


def empty_frames(text: str) -> int:
    """Headers without a line below them."""
    lines = text.splitlines()
    return sum(
        line.startswith("+++ ") and (number + 1 == len(lines) or lines[number + 1].startswith(("+++ ", "--- ")))
        for number, line in enumerate(lines)
    )


def budgets_of(bench: Places) -> None:
    """Prints how much of each budget is printed, and whether more budget ever shows less."""
    print("| repository | tokens of all |", " | ".join(map(str, BUDGETS)), "| over | less with more |")
    print("|---|---:|" + "---:|" * len(BUDGETS) + "---:|---:|")
    for name in bench.names:
        folder = bench.tree(name)
        count = token_counter().count
        cells: list[str] = []
        over = less = 0
        before: set[str] = set()
        with known(folder, bench.work / "cache") as found:
            engine = ContextEngine(found.index.roots, index=found.index)
            everything = count(engine.get_context(str(folder)).context)
            for budget in BUDGETS:
                text = engine.get_context(str(folder), token_budget=budget, format="compact", summary=False).context
                tokens = count(text)
                over += tokens > budget
                words = set(re.findall(r"\w+", spelled(text)))
                less += bool(before - words)
                before = words
                cells.append(f"{tokens / budget:.1%}")
        print(f"| {name} | {everything} |", " | ".join(cells), f"| {over} | {less} |", flush=True)


def signature_lines(found: Known, wanted: Sequence[str]) -> Mapping[str, set[str]]:
    """The lines of source, bare of white space around them, that hold the names of some definitions."""
    lines: dict[str, set[str]] = {name: set() for name in wanted}
    for file in found.files:
        if file.tier is not Tier.CORE:
            continue
        for one in found.definitions(file):
            if one.name in lines:
                text = found.text(file).encode()
                end = text.find(b"\n", one.name_start)
                line = text[text.rfind(b"\n", 0, one.name_start) + 1 : end if end >= 0 else len(text)]
                lines[one.name].add(bare(line.decode("utf-8", "replace")))
    return lines


def bare(line: str) -> str:
    """A line without what formats and levels add to it or take from it."""
    return line.removeprefix("+ ").strip().lstrip("│█ ").rstrip("{:;").removesuffix(" ...").rstrip("{:;").strip()


def without_prose(text: str) -> str:
    """A text without what the README says in it."""
    text = re.sub(
        r"(?ims)^readme[^\n/ ]*: .*?(?=^(?:begin|main flow|uses|tests|read next): |^\S+/ \d|^\+\+\+ )", "", text
    )
    return re.sub(r"(?ims)^\+\+\+ readme[^\n]*\n.*?(?=^\+\+\+ |\Z)", "", text)


__all__ = ["budgets_of", "git", "map_of", "signature_lines", "without_prose"]
