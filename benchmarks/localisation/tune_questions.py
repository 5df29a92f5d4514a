"""Fits the factors of questions in `allocator.ranking.mix`, to one half of the repositories of semble's benchmark.

    python -m benchmarks.localisation.tune_questions --histories DIR [--cache DIR]

The model is that of `benchmarks.localisation.tune`, for files alone: each file that answers a question is to be likely. It
begins at the factors of commits and is drawn back to them. The questions say nothing about what is meant inside a file, so
what orders the definitions of one is left as it is there, and that of functions before other definitions is set by hand
(`CALLABLE`). Printed is NDCG with the factors of commits and with factors that were fitted to other repositories (four
folds), then the factors fitted to all of this half. The other half is printed by `benchmarks.localisation.questions`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from allocator.ranking.corpus import tiers_of
from allocator.ranking.signals import signals
from allocator.ranking.unknown import understood
from allocator.ranking.words import query_of
from benchmarks.localisation.questions import Question, clone_of, ndcg, places, questions, subjects
from benchmarks.localisation.ranking import Repository, Tree
from benchmarks.localisation.tune import FOLDS, FOR_FILES, NAMES, OF_QUESTIONS, PLAIN, Floats, Sample, columns_of, fit

DRAWN_BACK = 1.0
"""The penalty on the square of a factor's distance from that of commits, for a question that counts whole."""
CALLABLE = 1.5
"""The logarithm of what a function is more likely than another definition; commits have far more of it."""
MOST_FILES = 40
"""Files whose definitions are compared, those of most weight for commits and those called as a question says."""
FILES = ("file_place", "file_best", "file_crowd", "file_units", "path", "history_place", "history", "recent")
UNITS = ("match", "place", "subject", "name", "container", "graph", "size")
FITTED = columns_of({*FILES, *UNITS, *OF_QUESTIONS})
BEGIN = np.where(np.array(NAMES) == "callable", CALLABLE, PLAIN)


def sample_of(question: Question, repository: str, below: str, tree: Tree) -> Sample:
    """Works out the numbers of a question.

    Args:
        question: the question.
        repository: the name of its repository.
        below: what its paths begin with that those of the tree lack.
        tree: the tree.
    """
    arrays = tree.corpus.arrays(tree.files, tree.read)
    query = understood(query_of(question.text), arrays, tree.history).query
    found = signals(arrays, tiers_of(tree.files), query, tree.history)
    columns = np.stack([found[name] for name in NAMES], axis=1)
    paths = [below + file.path for file in tree.files]
    files = np.array([place - 1 for place in places(question.wanted, paths) if place], np.int64)
    foremost = [columns @ factors for factors in (PLAIN, BEGIN + 2 * np.isin(NAMES, ("called", "named_file")))]
    best = [np.maximum.reduceat(scores, arrays.first[:-1]) for scores in foremost]
    compared = np.unique(np.concatenate([files, *(np.argsort(-one, kind="stable")[:MOST_FILES] for one in best)]))
    kept = np.flatnonzero(np.isin(arrays.file, compared))
    return Sample(
        repository=repository,
        signals=columns[kept],
        file=arrays.file[kept],
        callable=arrays.is_callable[kept],
        wanted=np.array([], np.int64),
        files=files,
        about_tests=query.asks_for_tests,
        is_each=True,
    )


def fitted_to(samples: Sequence[Sample]) -> Floats:
    """The factors that make the files that answer most likely."""
    return fit(samples, begin=BEGIN, fitted=FITTED, drawn_back=DRAWN_BACK * FOR_FILES, most_steps=40)


def held_out(samples: Sequence[Sample]) -> list[Floats]:
    """For each sample the factors fitted to the repositories of other folds."""
    repositories = sorted({one.repository for one in samples})
    fold_of = {name: at % FOLDS for at, name in enumerate(repositories)}
    fitted = [fitted_to([one for one in samples if fold_of[one.repository] != fold]) for fold in range(FOLDS)]
    return [fitted[fold_of[one.repository]] for one in samples]


def _gain(sample: Sample, question: Question, factors: Floats) -> float:
    weights = np.bincount(sample.file, weights=sample.likely(factors))
    place = np.empty(len(weights), np.int64)
    place[np.argsort(-weights, kind="stable")] = np.arange(1, len(weights) + 1)
    return ndcg([*place[sample.files].tolist(), *[0] * (len(question.wanted) - len(sample.files))])


def _samples(histories: Path, cache: Path | None) -> Iterator[tuple[Question, Sample]]:
    for subject in subjects(histories):
        clone = clone_of(histories, subject) if subject.half == "tune" else None
        if clone is None:
            continue
        print(f"\r{subject.name}        ", end="", file=sys.stderr)
        tree = Repository(subject.repository, clone, cache).at(subject.commit, subject.folder)
        below = f"{subject.folder}/" if subject.folder else ""
        for one in questions(histories, subject):
            yield one, sample_of(one, subject.name, below, tree)
    print(file=sys.stderr)


def main() -> int:
    """Prints the table and the factors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="clones with their history: DIR/owner+name/repo")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    asked = parser.parse_args()
    pairs = [*_samples(asked.histories, asked.cache)]
    samples = [sample for _, sample in pairs]
    kinds = ["all", *sorted({question.kind for question, _ in pairs})]
    print(f"{len(pairs)} questions about {len({one.repository for one in samples})} repositories\n")
    print(f"| factors | {' | '.join(kinds)} |\n|---|{'--:|' * len(kinds)}")
    for name, factors in (
        ("of commits", [PLAIN] * len(samples)),
        ("of questions, other repositories'", held_out(samples)),
    ):
        gains = [_gain(one, question, by) for (question, one), by in zip(pairs, factors, strict=True)]
        told = [
            fmean(gain for (question, _), gain in zip(pairs, gains, strict=True) if kind in ("all", question.kind))
            for kind in kinds
        ]
        print(f"| {name} | {' | '.join(f'{one:.3f}' for one in told)} |", flush=True)
    factors = fitted_to(samples).tolist()
    print("\n" + "\n".join(f'"{name}": {factor:.3f},' for name, factor in zip(NAMES, factors, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
