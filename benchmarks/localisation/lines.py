"""Prints which lines a context shows of those that experts say an issue needs: ContextBench, recall and precision.

    python -m benchmarks.localisation.lines --histories DIR [--cache DIR] [--table FILE]

ContextBench marks the lines that somebody has to see who solves an issue; Nobbettt/ContextBench holds fifty of its issues
with them (`data/contextbench_verified_test.parquet`, which pyarrow reads: `pip install pyarrow`). The text of the issue is
the query, once, and the tree is that of its base commit, read from git's objects; the lines are those that the answer
numbers. Issues of which no clone is here are left out and counted.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allocator import ContextEngine
from benchmarks.localisation.sets import Issue, clone_of
from benchmarks.recall.history import HistoryError, blob, locate
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.git.repositories import Named, NamedRoots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PUBLISHER = "Nobbettt/ContextBench"
TABLE = "data/contextbench_verified_test.parquet"
BUDGETS = (2000, 8000, 20000)

_NAME = re.compile(r"(?:instance_)?(?P<owner>[^_].*?)__(?P<project>.+?)-(?P<rest>[0-9a-f]+(?:-.*)?)\Z")
_BLOCK = re.compile(r"\+\+\+ (?P<path>.+?)(?: \[[A-Z:0-9/]+.*\])?\Z")
_NUMBERED = re.compile(r"(\d+)(?: |\Z)")

Lines = set[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Case:
    """An issue, and the lines that it needs, by the paths of its tree."""

    issue: Issue
    lines: Lines


def cases(table: bytes, histories: Path) -> Iterator[Case]:
    """Reads the issues of which a clone is here.

    Args:
        table: the bytes of the published file.
        histories: the folder of clones.
    """
    parquet: Any = importlib.import_module("pyarrow.parquet")
    for row in parquet.read_table(io.BytesIO(table)).to_pylist():
        named = _NAME.match(row["original_inst_id"])
        if named is None:
            continue
        issue = Issue(
            name=row["original_inst_id"],
            repository=f"{named['owner']}/{named['project']}",
            commit=row["base_commit"],
            text=row["problem_statement"],
            files=(),
            patch=row["patch"],
        )
        clone = clone_of(histories, issue)
        if clone is not None:
            yield Case(issue, _lines(json.loads(row["gold_context"]), clone, issue.commit))


def _lines(ranges: Sequence[dict[str, Any]], clone: Path, commit: str) -> Lines:
    """The lines of some ranges, whose paths may begin with folders of the machine on which they were marked."""
    found: Lines = set()
    for one in ranges:
        path: str = one["file"].lstrip("/")
        while path and blob(clone, commit, path) is None:
            path = path.partition("/")[2]
        if path:
            found.update((path, line) for line in range(one["start_line"], one["end_line"] + 1))
    return found


def shown(text: str) -> Lines:
    """The lines that a context with numbers shows."""
    found: Lines = set()
    path = ""
    for line in text.splitlines():
        if (block := _BLOCK.match(line)) is not None:
            path = block["path"]
        elif path and (number := _NUMBERED.match(line)) is not None:
            found.add((path, int(number[1])))
    return found


def measured(case: Case, clone: Path, cache: Cache) -> list[tuple[float, float]]:
    """Recall and precision at each of the budgets.

    Args:
        case: the issue.
        clone: holds its tree.
        cache: what is known of contents.
    """
    roots = NamedRoots([Named(name=case.issue.repository, folder=clone.resolve(), shared=True)])
    index = CodeIndex(roots, cache=cache, stamps=cache, workers=Workers(0))
    engine = ContextEngine(roots, index=index)
    pairs: list[tuple[float, float]] = []
    for budget in BUDGETS:
        text = engine.get_context(
            f"repo://{case.issue.repository}@{case.issue.commit}",
            query=case.issue.text,
            token_budget=budget,
            format="compact",
            line_numbers=True,
            summary=False,
        ).context
        found = shown(text)
        both = len(found & case.lines)
        pairs.append((both / max(1, len(case.lines)), both / max(1, len(found))))
    return pairs


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="clones with their history: DIR/owner+name/repo")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    parser.add_argument("--table", type=Path, metavar="FILE", help="another table of the same form")
    asked = parser.parse_args()
    table = asked.table.read_bytes() if asked.table else blob(locate(asked.histories, PUBLISHER), "HEAD", TABLE)
    if not table:
        raise HistoryError(f"{PUBLISHER} lacks {TABLE}")
    cache = Cache(asked.cache)
    rows: list[list[tuple[float, float]]] = []
    print(f"| issue | lines | {' | '.join(f'recall {one:,} | precision' for one in BUDGETS)} |")
    print("|---|--:|" + "--:|" * (2 * len(BUDGETS)))
    for case in cases(table, asked.histories):
        clone = clone_of(asked.histories, case.issue)
        if clone is not None and case.lines:
            rows.append(measured(case, clone, cache))
            _print(case.issue.name, len(case.lines), rows[-1])
    if rows:
        means = [
            (statistics.fmean(one[0] for one in pairs), statistics.fmean(one[1] for one in pairs))
            for pairs in zip(*rows, strict=True)
        ]
        _print(f"mean of {len(rows)}", 0, means)
    return 0


def _print(name: str, lines: int, pairs: Sequence[tuple[float, float]]) -> None:
    cells = " | ".join(f"{recall:.2f} | {precision:.2f}" for recall, precision in pairs)
    print(f"| {name} | {lines or ''} | {cells} |", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HistoryError as failure:
        sys.exit(str(failure))
