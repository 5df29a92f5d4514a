"""Prints how often all files, and all functions, in which an issue is solved are among the first of a ranking.

    python -m benchmarks.localisation --histories DIR --set lite [--cache DIR] [--every 4] [--repository NAME …] [--half report]

The text of the issue is the query, the tree is read from git's objects at the commit that it was written about, with the
history up to there. No model is asked, and nothing is written. Published rankings of the same issues stand beside ours,
with how often one has all files among its first five and the other has not.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.localisation.ranking import Ranked, Repository, bm25, ours
from benchmarks.localisation.sets import (
    HALVES,
    SETS,
    Issue,
    by_repository,
    chronorepo,
    clone_of,
    functions_of,
    half_of,
    issues,
    locagent,
)
from benchmarks.recall.history import HistoryError

FIRST = (1, 3, 5, 10, 20)
PAIRED = 5
"""Files among which all have to be, where two systems are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of an issue.

    Attributes:
        name: that of the issue.
        repository: `owner/name`.
        seconds: of the processor, for ours.
        files: for each system how many of its first files have to be looked at until all are seen; 0 for never.
        functions: likewise for functions, of ours; None where the issue is solved in no function that was there.
    """

    name: str
    repository: str
    seconds: float
    files: dict[str, int]
    functions: int | None


def main() -> int:
    """Runs the benchmark."""
    parser = _arguments()
    asked = parser.parse_args()
    if asked.half and asked.set != "locbench":
        parser.error("--half is for --set locbench: nothing was fitted to the other sets")
    found = issues(asked.histories, asked.set)
    if asked.repository:
        found = [issue for issue in found if issue.repository in asked.repository]
    if asked.half:
        found = [issue for issue in found if half_of(issue.repository) == asked.half]
    ranked = chronorepo(asked.histories, asked.set)
    published = {"chronorepo": ranked} if ranked else {}
    if asked.set == "lite":
        published["locagent, Claude 3.5"] = locagent(asked.histories)
    outcomes: list[Outcome] = []
    missing = 0
    for name, group in by_repository(found[:: asked.every]).items():
        chosen = [(issue, clone) for issue in group if (clone := clone_of(asked.histories, issue))]
        missing += len(group) - len(chosen)
        repositories: dict[Path, Repository] = {}
        for issue, clone in chosen:
            if clone not in repositories:
                repositories[clone] = Repository(name, clone, asked.cache)
            outcomes.append(_outcome(issue, clone, repositories[clone], published))
            print(
                f"\r{len(outcomes)} of {len(found[:: asked.every])}: {issue.name}", end="", file=sys.stderr, flush=True
            )
    print(file=sys.stderr)
    if asked.out:
        asked.out.write_text("".join(f"{json.dumps(asdict(one))}\n" for one in outcomes), encoding="utf-8")
    if not outcomes:
        print("no clone holds the tree of any of these issues", file=sys.stderr)
        return 1
    _print(outcomes, missing)
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="clones with their history: DIR/owner+name/repo")
    parser.add_argument("--set", choices=SETS, required=True)
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    parser.add_argument("--repository", action="append", default=[], help="only this one (repeatable)")
    parser.add_argument("--half", choices=HALVES, help="of Loc-Bench: factors were fitted to `tune`")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth issue")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what came of each issue, a line of JSON each")
    return parser


def _outcome(
    issue: Issue, clone: Path, repository: Repository, published: Mapping[str, Mapping[str, list[str]]]
) -> Outcome:
    began = time.process_time()
    tree = repository.at(issue.commit)
    mine = ours(tree, issue.text)
    seconds = time.process_time() - began
    ranked = {"ours": mine, "bm25": bm25(tree, issue.text)}
    ranked |= {name: Ranked(every.get(issue.name, []), []) for name, every in published.items()}
    wanted = functions_of(issue, clone)
    return Outcome(
        name=issue.name,
        repository=issue.repository,
        seconds=round(seconds, 2),
        files={name: _depth(issue.files, one.files) for name, one in ranked.items()},
        functions=_depth(wanted, mine.functions) if wanted else None,
    )


def _depth(wanted: Iterable[object], ranked: Sequence[object]) -> int:
    """The number of a ranking to look at until all that is wanted was seen; 0 where it is not all there."""
    places = {one: place for place, one in reversed([*enumerate(ranked, 1)])}
    return max((places.get(one, 0) or len(ranked) + 1 for one in wanted), default=0) % (len(ranked) + 1)


def _print(outcomes: Sequence[Outcome], missing: int) -> None:
    seconds = [one.seconds for one in outcomes]
    said = f"; {missing} have no clone here" if missing else ""
    print(f"{len(outcomes)} issues{said}. Ours, processor: {statistics.median(seconds):.1f} s in the median.\n")
    print(f"| all of an issue's | by | {' | '.join(f'@{first}' for first in FIRST)} |")
    print("|---|---|" + "--:|" * len(FIRST))
    for name in outcomes[0].files:
        print(_row("files", name, [one.files[name] for one in outcomes]))
    functions = [one.functions for one in outcomes if one.functions is not None]
    if len(functions) > len(outcomes) / 2:  # they are known of Python alone
        print(_row("functions", "ours", functions))
    print(f"\n| all files among the first {PAIRED} | ours alone | the other alone |\n|---|--:|--:|")
    for name in [*outcomes[0].files][1:]:
        pairs = [(_within(one.files["ours"]), _within(one.files[name])) for one in outcomes]
        print(f"| {name} | {pairs.count((True, False))} | {pairs.count((False, True))} |")


def _within(depth: int) -> bool:
    return 0 < depth <= PAIRED


def _row(what: str, name: str, depths: Sequence[int]) -> str:
    shares = (sum(0 < depth <= first for depth in depths) / max(len(depths), 1) for first in FIRST)
    return f"| {what} | {name} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HistoryError as failure:
        sys.exit(str(failure))
