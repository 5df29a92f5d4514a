"""Fits the factors of issues in `allocator.ranking.mix`, to some repositories of Loc-Bench (`sets.FITTED`).

    python -m benchmarks.localisation.tune --histories DIR [--cache DIR] [--most 20]

The model is that of `benchmarks.recall.tune`, a conditional logit, for the functions that a solution changes and for the
files that they are in; it begins at the factors of commits and is drawn back to them. What tests and other files count is
left as it is there, since no issue of the set is solved in them. Short texts count as well, which `get_context` reads as
messages of commits. Printed are the shares of issues whose files, and whose functions, are among the first, with the
factors of commits and with factors that were fitted to other repositories (four folds); then the factors fitted to all.
Of the definitions of a tree those of most weight are compared, and the best of each file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from allocator.ranking.corpus import tiers_of
from allocator.ranking.mix import ASKED_TESTS, FACTORS
from allocator.ranking.signals import signals
from allocator.ranking.unknown import understood
from allocator.ranking.words import Kind, query_of
from benchmarks.localisation.ranking import Repository, Tree
from benchmarks.localisation.sets import Issue, by_repository, clone_of, functions_of, half_of, issues

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

FOLDS = 4
DRAWN_BACK = 1.0
"""The penalty on the square of a factor's distance from that of commits."""
FOR_FILES = 0.4
"""The share of an issue's loss that its files have; its functions have the rest."""
MOST_UNITS, MOST_FILES, MOST_INSIDE = 1500, 800, 400
"""Units of most weight that are compared, files of which the best one is, and units of the files that are looked for."""

NAMES = tuple(FACTORS)
OF_QUESTIONS = frozenset({"called", "named_file", "folder", "located", "package", "language", "defined", "behind"})
"""Signals for questions alone."""
KEPT = frozenset({"rest", "test", "other"}) | OF_QUESTIONS
"""Signals whose factor is not fitted."""
PLAIN = np.array([FACTORS[name].plain for name in NAMES])


def columns_of(names: Collection[str]) -> Longs:
    """The columns of some signals."""
    return np.array([place for place, name in enumerate(NAMES) if name in names], np.int64)


FITTED = columns_of({*NAMES} - KEPT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An issue in numbers, over the units that are compared.

    Attributes:
        repository: where it is from.
        signals: a column for each of `NAMES`.
        file: the file of each unit.
        callable: whether it is a function.
        wanted: those that the solution changes.
        files: the files that it changes; none where one of them is not there.
        is_each: whether each of these files is asked for, and not all of them together.
        about_tests: whether the issue asks for tests.
    """

    repository: str
    signals: Floats
    file: Longs
    callable: NDArray[np.bool_]
    wanted: Longs
    files: Longs
    about_tests: bool
    is_each: bool = False

    def likely(self, factors: Floats) -> Floats:
        """Returns how likely each unit is."""
        if self.about_tests:
            factors = np.where(np.array(NAMES) == "test", ASKED_TESTS, factors)
        scores = self.signals @ factors
        raised = np.exp(scores - scores.max())
        return raised / raised.sum()


def sample_of(issue: Issue, clone: Path, tree: Tree) -> Sample:
    """Works out the numbers of an issue."""
    arrays = tree.corpus.arrays(tree.files, tree.read)
    query = understood(query_of(issue.text, kind=Kind.ISSUE), arrays, tree.history).query
    found = signals(arrays, tiers_of(tree.files), query, tree.history)
    columns = np.stack([found[name] for name in NAMES], axis=1)
    place_of = {file.path: place for place, file in enumerate(tree.files)}
    files = [place_of[path] for path in issue.files if path in place_of]
    wanted: list[int] = []
    for path, name in sorted(functions_of(issue, clone)):
        if (place := place_of.get(path)) is not None:
            outline = tree.read([place])[0].definitions
            wanted += [int(arrays.first[place]) + at for at, one in enumerate(outline) if one.path == name][:1]
    best = np.argsort(-(columns @ PLAIN), kind="stable")
    _, first = np.unique(arrays.file[best], return_index=True)
    inside = best[np.isin(arrays.file[best], files)][:MOST_INSIDE]
    kept = np.unique(
        np.concatenate([best[:MOST_UNITS], best[np.sort(first)[:MOST_FILES]], inside, np.array(wanted, np.int64)])
    )
    return Sample(
        repository=issue.repository,
        signals=columns[kept],
        file=arrays.file[kept],
        callable=arrays.is_callable[kept],
        wanted=np.searchsorted(kept, wanted),
        files=np.array(files if len(files) == len(issue.files) else [], np.int64),
        about_tests=query.asks_for_tests,
    )


def fit(
    samples: Sequence[Sample],
    *,
    begin: Floats = PLAIN,
    fitted: Longs = FITTED,
    drawn_back: float = DRAWN_BACK,
    most_steps: int = 12,
) -> Floats:
    """The factors that make what is asked for most likely, near to those that they begin at.

    Args:
        samples: what is asked for.
        begin: the factors to begin at, by default those of commits.
        fitted: the columns that are fitted.
        drawn_back: the penalty on the square of a factor's distance from where it begins.
        most_steps: of Newton's method.
    """
    factors = begin.copy()
    for _ in range(most_steps):
        loss, slope, curve = _told(samples, factors, begin, fitted, drawn_back)
        step, share = np.linalg.solve(curve, slope), 1.0
        while True:
            after = factors.copy()
            after[fitted] -= share * step
            if share < 0.01 or _told(samples, after, begin, fitted, drawn_back)[0] <= loss:
                break
            share /= 2
        factors = after
        if np.abs(share * step).max() < 0.005:
            break
    return factors


def _told(
    samples: Sequence[Sample], factors: Floats, begin: Floats, fitted: Longs, drawn_back: float
) -> tuple[float, Floats, Floats]:
    """The loss of some factors, its slope, and how that bends, about."""
    away = factors[fitted] - begin[fitted]
    loss = drawn_back / 2 * float(away @ away)
    slope, curve = drawn_back * away, drawn_back * np.eye(len(fitted))
    for one in samples:
        likely, x = one.likely(factors), one.signals[:, fitted]
        mean = likely @ x
        curve += (x * likely[:, None]).T @ x - np.outer(mean, mean)
        sought = one.files.reshape(-1, 1) if one.is_each else one.files.reshape(1, -1)
        for files in sought if one.files.size else ():
            inside = np.flatnonzero(np.isin(one.file, files))
            together = float(likely[inside].sum()) + 1e-300
            loss -= FOR_FILES / len(sought) * float(np.log(together))
            slope += FOR_FILES / len(sought) * (mean - likely[inside] / together @ x[inside])
        if len(one.wanted):
            loss -= (1 - FOR_FILES) * float(np.log(likely[one.wanted] + 1e-300).mean())
            slope += (1 - FOR_FILES) * (mean - x[one.wanted].mean(axis=0))
    return loss, slope, curve


def held_out(samples: Sequence[Sample]) -> list[Floats]:
    """For each sample the factors fitted to the repositories of other folds."""
    repositories = sorted({one.repository for one in samples})
    factors = [PLAIN] * len(samples)
    for fold in range(FOLDS):
        outside = set(repositories[fold::FOLDS])
        fitted = fit([one for one in samples if one.repository not in outside])
        factors = [fitted if one.repository in outside else had for one, had in zip(samples, factors, strict=True)]
    return factors


def _row(name: str, samples: Sequence[Sample], factors: Sequence[Floats]) -> str:
    pairs = [*zip(samples, factors, strict=True)]
    files = [_deepest(np.bincount(one.file, weights=one.likely(by)).astype(np.float64), one.files) for one, by in pairs]
    functions = [
        _deepest(np.where(one.callable, one.likely(by), -1.0), one.wanted) for one, by in pairs if len(one.wanted)
    ]
    cells = [_share(files, first) for first in (1, 3, 5, 10)] + [_share(functions, first) for first in (1, 5, 10, 20)]
    return f"| {name} | {' | '.join(cells)} |"


def _deepest(weights: Floats, wanted: Longs) -> int:
    """The number to look at, those of most weight first, until all that is wanted was seen; 0 for never."""
    place = np.empty(len(weights), np.int64)
    place[np.argsort(-weights, kind="stable")] = np.arange(1, len(weights) + 1)
    return int(place[wanted].max()) if len(wanted) and wanted.max() < len(weights) else 0


def _share(depths: Sequence[int], first: int) -> str:
    return f"{100 * sum(0 < depth <= first for depth in depths) / max(len(depths), 1):.1f} %"


def samples_of(histories: Path, cache: Path | None, most: int, tell: Callable[[str], None]) -> list[Sample]:
    """The issues that factors are fitted to.

    Args:
        histories: the folder of clones.
        cache: a folder that keeps what is known of contents.
        most: issues of each repository.
        tell: is told the name of each issue.
    """
    found: list[Sample] = []
    for name, group in by_repository(issues(histories, "locbench")).items():
        chosen = [(issue, clone) for issue in group if (clone := clone_of(histories, issue))][:most]
        if half_of(name) != "tune" or not chosen:
            continue
        repository = Repository(name, chosen[0][1], cache)
        for issue, clone in chosen:
            tell(issue.name)
            found.append(sample_of(issue, clone, repository.at(issue.commit)))
    return found


def main() -> int:
    """Prints the table and the factors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="clones with their history: DIR/owner+name/repo")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    parser.add_argument("--most", type=int, default=20, help="issues of each repository")
    asked = parser.parse_args()
    samples = samples_of(
        asked.histories, asked.cache, asked.most, lambda name: print(f"\r{name}        ", end="", file=sys.stderr)
    )
    print(f"\n{len(samples)} issues of {len({one.repository for one in samples})} repositories\n")
    print("| factors | files @1 | @3 | @5 | @10 | functions @1 | @5 | @10 | @20 |\n|---|" + "--:|" * 8)
    print(_row("of commits", samples, [PLAIN] * len(samples)), flush=True)
    print(_row("of issues, other repositories'", samples, held_out(samples)), flush=True)
    factors = fit(samples).tolist()
    print("\n" + "\n".join(f'"{name}": {factor:.3f},' for name, factor in zip(NAMES, factors, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
