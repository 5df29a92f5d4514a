"""Prints how many of the lines that a commit touches in long functions a context shows, with excerpts of them and without.

python -m benchmarks.recall.lines --histories DIR --typescript DIR/node_modules/typescript --half tune --cache DIR

The cases are those of `benchmarks.recall.recall` that change a function of more than `LONG` lines. Of each such function
the share of its lines that the commit touches counts which stand in the served text, exactly; where a commit only adds
lines, those on either side of them. Beside it stand the files and functions of the same cases, as `recall` counts them.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from allocator import ContextEngine
from allocator.ranking import by_query
from benchmarks.recall.cases import Case, cases_of
from benchmarks.recall.contenders import Tree
from benchmarks.recall.history import HistoryError, export, locate, touched
from benchmarks.recall.measure import Shown, compact_blocks, exactly_shown, measured
from benchmarks.recall.recall import BUDGETS, MANIFEST
from benchmarks.skeletons.reading import Tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from allocator.ranking.rank import Ranking
    from allocator.spend.needs import Needs
    from benchmarks.recall.measure import Blocks

LONG = 60
"""Lines of a function from which on it counts."""

NEEDS_OF = by_query.needs_of
"""Says what a reader needs, excerpts among it."""

Row = tuple[Shown, list[float]]
"""The files and functions of a case, and for each long one the share of the lines touched that is shown."""


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="the folder of the repositories")
    parser.add_argument("--typescript", type=Path, default=Tools().typescript, help="the npm package")
    parser.add_argument("--half", choices=["tune", "report"], default="report")
    parser.add_argument("--cases", type=int, default=40, help="commits of each repository")
    parser.add_argument("--cache", type=Path, help="a folder that keeps cases and what is known of contents")
    asked = parser.parse_args()
    rows: dict[tuple[str, int], list[Row]] = {}
    count = 0
    for count, case in enumerate(_cases(asked), 1):
        print(f"\r{count} {case.repository} {case.commit[:10]}        ", end="", file=sys.stderr)
        for place, row in _measured(case, asked.histories, asked.cache):
            rows.setdefault(place, []).append(row)
    print(
        f"\n{count} commits\n\n| | budget | files | shown | in full | lines touched in long functions |\n|---|{'--:|' * 5}"
    )
    for (name, budget), found in rows.items():
        both = sum((row[0] for row in found), Shown())
        shares = [share for row in found for share in row[1]]
        shown = (both.files_shown / both.files, both.functions_shown / both.functions)
        figures = (*shown, both.functions_full / both.functions, sum(shares) / len(shares))
        print(f"| {name} | {budget} | {' | '.join(f'{100 * one:.1f} %' for one in figures)} |")
    return 0


def _cases(asked: argparse.Namespace) -> Iterator[Case]:
    """The cases of a half that change a long function, those of all repositories in turn."""
    cache, tools = asked.cache / "cases" if asked.cache else None, Tools(typescript=asked.typescript)
    found: list[list[Case]] = []
    for name in tomllib.loads(MANIFEST.read_text(encoding="utf-8"))[asked.half]:
        try:
            place = locate(asked.histories, name)
        except HistoryError as error:
            print(error, file=sys.stderr)
            continue
        cases = cases_of(name, place, tools, most=asked.cases, cache=cache)
        found.append([case for case in cases if any(one.last - one.first >= LONG for one in case.sources)])
    return (case for turn in itertools.zip_longest(*found) for case in turn if case)


def _measured(case: Case, histories: Path, cache: Path | None) -> Iterator[tuple[tuple[str, int], Row]]:
    repository = locate(histories, case.repository)
    lines = {one.path: touched(repository, case.parent, case.commit, one.path) for one in case.sources}
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder) / case.repository.rpartition("/")[2], cache / "index" if cache else None)
        export(repository, case.parent, tree.folder)
        engine = ContextEngine(tree.roots, index=tree.index)
        for name, needs in (("without", _without_excerpts), ("with", NEEDS_OF)):
            by_query.needs_of = needs
            for budget in BUDGETS:
                result = engine.get_context(str(tree.folder), token_budget=budget, query=case.message, format="compact")
                blocks = compact_blocks(result.context)
                yield (name, budget), (measured(case.sources, blocks, tree.text), _shares(case, blocks, tree, lines))


def _without_excerpts(ranking: Ranking) -> Needs:
    return replace(NEEDS_OF(ranking), passages=None)


def _shares(case: Case, blocks: Blocks, tree: Tree, lines: Mapping[str, set[int]]) -> list[float]:
    """For each long function of a case the share of the lines touched that is shown."""
    shares: list[float] = []
    for one in case.sources:
        source = tree.text(one.path).split("\n")
        wanted = {line for line in lines[one.path] if one.line < line <= one.last and source[line - 1].strip()}
        if one.last - one.first >= LONG and wanted:
            shares.append(len(exactly_shown(wanted, blocks.get(one.path, ()), source)) / len(wanted))
    return shares


if __name__ == "__main__":
    sys.exit(main())
