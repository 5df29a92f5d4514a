"""Fits the factors of `allocator.ranking.mix` on one half of the repositories, and says what each part is worth.

    python -m benchmarks.recall.tune --histories DIR --typescript DIR/node_modules/typescript --cache DIR
    python -m benchmarks.recall.tune --half report …      # what the factors as they are give on the other half
    python -m benchmarks.recall.tune --near --cases 60 …  # how more commits would move the factors as they are

The model is a conditional logit: among all definitions of the tree before a commit, how likely each is to be changed by
it. Its loss is convex; it is minimised by Newton's method with a small quadratic penalty. Loss is given in nats for a
changed function, always on repositories that were held out of the fit (four folds). The simulated table spends a budget
on definitions alone, with rough costs for headers; `recall` measures served texts.

With `--near` the factors begin from those that there are, and large steps away from them are what is penalised: by signals
of one spread, over the definitions that rank among the first `TOP` today (what all others weigh together stays as it is), and
for messages alone that say what is to be done. `HELD` factors are not moved: cases are changed functions of no test, so they would
say that nothing else is ever wanted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from allocator.ranking.corpus import Corpus, tiers_of
from allocator.ranking.mix import FACTORS
from allocator.ranking.signals import signals
from allocator.ranking.words import Kind, query_of
from benchmarks.recall.cases import Case, Target, cases_of
from benchmarks.recall.contenders import Tree
from benchmarks.recall.history import export, locate
from benchmarks.recall.recall import BUDGETS, CASES, MANIFEST
from benchmarks.skeletons.placement import needle
from benchmarks.skeletons.reading import Tools
from workspace.tokens import token_counter

Floats = NDArray[np.float64]

FOLDS = 4
PENALTY = 0.3
PENALTY_NEAR = 3.0
TOP = 600
HELD = frozenset({"test", "other", "callable"})
HEADER = 12
"""Tokens of a block's header, about."""
ROOM = 0.93
"""The share of a budget that blocks may cost."""

PARTS = {
    "words": ("match", "place", "subject", "name"),
    "container": ("container",),
    "files": ("file_place", "file_best", "file_crowd", "file_units"),
    "paths": ("path", "mentioned"),
    "graph": ("graph",),
    "history": ("history", "history_place"),
    "recency": ("recent",),
    "tiers": ("test", "other"),
    "kind": ("callable",),
    "size": ("size",),
    "inside": ("match_inside", "graph_inside", "name_inside"),
}
"""The signals that are left out together, to see what they are worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A case in numbers, over the definitions of its tree.

    Attributes:
        repository: where it is from.
        signals: a column for each factor.
        wanted: which definitions it changed.
        file: the file of each.
        line, body: tokens of each one's signature and of the whole.
    """

    repository: str
    signals: Floats
    wanted: NDArray[np.int64]
    file: NDArray[np.int64]
    line: Floats
    body: Floats


NAMES = tuple(name for name, factor in FACTORS.items() if factor.plain)


def sample_of(case: Case, tree: Tree) -> Sample:
    """Works out the numbers of a case."""
    arrays = Corpus().arrays(tree.files, lambda places: [tree.readings[at] for at in places])
    found = signals(arrays, tiers_of(tree.files), query_of(case.message), tree.history)
    defined = np.flatnonzero(arrays.is_definition)
    paths = [file.path for file in tree.files]
    count = token_counter("o200k_base").count
    start = {path: int(arrays.first[place]) - place for place, path in enumerate(paths)}
    wanted = [
        start[target.path] + at
        for target in case.sources
        if target.path in start and (at := _at(target, tree, paths.index(target.path))) is not None
    ]
    definitions = [
        (file.source, definition)
        for file, reading in zip(tree.files, tree.readings, strict=True)
        for definition in reading.definitions
    ]
    return Sample(
        repository=case.repository,
        signals=np.stack([found[name][defined] for name in NAMES], axis=1),
        wanted=np.array(wanted, dtype=np.int64),
        file=arrays.file[defined],
        line=np.array(
            [count(b" ".join(source[one.signature : one.body].split())) + 5.0 for source, one in definitions]
        ),
        body=np.array([count(source[one.start : one.end]) + 3.0 for source, one in definitions]),
    )


def _at(target: Target, tree: Tree, place: int) -> int | None:
    """The place of the definition that a changed function is, in its file."""
    source = tree.files[place].source
    near = [
        (abs(source.count(b"\n", 0, definition.name_start) + 1 - target.line), at)
        for at, definition in enumerate(tree.readings[place].definitions)
        if needle(definition.name) == needle(target.name)
    ]
    return min(near)[1] if near else None


def fit(samples: Sequence[Sample], columns: Sequence[int]) -> Floats:
    """The factors of some columns that make the changed definitions most likely."""
    factors = np.zeros(len(columns))
    for _ in range(30):
        gradient, curvature = PENALTY * factors, PENALTY * np.eye(len(columns))
        for one in samples:
            if len(one.wanted):
                x = one.signals[:, columns]
                likely = _likely(x, factors)
                mean = likely @ x
                gradient += mean - x[one.wanted].mean(axis=0)
                curvature += (x * likely[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        before = _loss(samples, columns, factors)
        while _loss(samples, columns, factors - step) > before and np.abs(step).max() > 1e-6:
            step /= 2
        factors = factors - step
        if np.abs(step).max() < 1e-4:
            break
    return factors


def near(samples: Sequence[Sample], start: Floats, columns: Sequence[int]) -> Floats:
    """The factors, not far from those of `start`, that make the changed definitions most likely.

    Args:
        samples: the cases.
        start: the factors of all columns.
        columns: those that may change.
    """
    tops = [_top(one, start) for one in samples]
    tops = [top for top in tops if top.wanted.any()]
    spread = np.concatenate([top.signals[:, columns] for top in tops]).std(axis=0) + 1e-9
    moved = np.zeros(len(columns))
    for _ in range(30):
        gradient, curvature = PENALTY_NEAR * moved, PENALTY_NEAR * np.eye(len(columns))
        for top in tops:
            x = top.signals[:, columns] / spread
            raised = np.exp(top.scores + x @ moved)
            likely = raised / (raised.sum() + top.rest)
            mean = likely @ x
            gradient += mean - x[top.wanted].mean(axis=0)
            curvature += (x * likely[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        moved -= step
        if np.abs(step).max() < 1e-4:
            break
    factors = start.copy()
    factors[columns] += moved / spread
    return factors


@dataclass(frozen=True, slots=True, kw_only=True)
class _Top:
    """The definitions of a case that rank first.

    Attributes:
        signals: a column for each factor.
        scores: their scores, 0 for the highest.
        wanted: whether each is one that the case changed.
        rest: what all others weigh, where the first weighs 1.
    """

    signals: Floats
    scores: Floats
    wanted: NDArray[np.bool_]
    rest: float


def _top(sample: Sample, factors: Floats) -> _Top:
    scores = sample.signals @ factors
    scores = scores - scores.max()
    order = np.argsort(-scores, kind="stable")
    first = np.sort(order[:TOP])
    return _Top(
        signals=sample.signals[first],
        scores=scores[first],
        wanted=np.isin(first, sample.wanted),
        rest=float(np.exp(scores[order[TOP:]]).sum()),
    )


def _print_near(samples: Sequence[Sample]) -> None:
    """Prints what today's factors give, what others give on repositories that they were not moved for, and those."""
    start = np.array([FACTORS[name].plain for name in NAMES])
    columns = [column for column, name in enumerate(NAMES) if name not in HELD]
    repositories = sorted({one.repository for one in samples})
    moved: list[Floats] = [np.zeros(0)] * len(samples)
    for fold in range(FOLDS):
        outside = set(repositories[fold::FOLDS])
        factors = near([one for one in samples if one.repository not in outside], start, columns)
        for place, one in enumerate(samples):
            if one.repository in outside:
                moved[place] = _likely(one.signals, factors)
    print(f"{len(samples)} commits; shown and in full by {WAY}, body {BODY}\n\n| factors | {_BUDGETS} |")
    print(f"|---|{'--:|' * len(BUDGETS)}")
    today = [_likely(one.signals, start) for one in samples]
    for name, likelihoods in (("as they are", today), ("moved, held out", moved)):
        print(f"| {name} | " + " | ".join(_told(samples, likelihoods, WAYS[WAY], BODY)) + " |")
    factors = near(samples, start, columns)
    print("\n" + "\n".join(f'"{name}": {factor:.3f},' for name, factor in zip(NAMES, factors.tolist(), strict=True)))


def _loss(samples: Sequence[Sample], columns: Sequence[int], factors: Floats) -> float:
    """Returns the number that the fit makes small: the loss, and the penalty on large factors."""
    loss = PENALTY * float(factors @ factors) / 2
    for one in samples:
        if len(one.wanted):
            scores = one.signals[:, columns] @ factors
            most = scores.max()
            loss += float(most + np.log(np.exp(scores - most).sum()) - scores[one.wanted].mean())
    return loss


def _likely(x: Floats, factors: Floats) -> Floats:
    scores = x @ factors
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def held_out(samples: Sequence[Sample], columns: Sequence[int]) -> tuple[float, list[Floats]]:
    """The mean loss on repositories left out of the fit, and the likelihoods of every sample's definitions."""
    repositories = sorted({one.repository for one in samples})
    likelihoods: list[Floats] = [np.zeros(0)] * len(samples)
    for fold in range(FOLDS):
        outside = set(repositories[fold::FOLDS])
        factors = fit([one for one in samples if one.repository not in outside], columns)
        for place, one in enumerate(samples):
            if one.repository in outside:
                likelihoods[place] = _likely(one.signals[:, columns], factors)
    losses = [
        -float(np.log(likely[one.wanted]).mean())
        for one, likely in zip(samples, likelihoods, strict=True)
        if len(one.wanted)
    ]
    return float(np.mean(losses)), likelihoods


def simulated(sample: Sample, weights: Floats, budget: int, body: float) -> tuple[int, int]:
    """Returns how many changed definitions a greedy allocation shows, and in full; a body gains `body` weights."""
    count = len(weights)
    gains = np.concatenate([weights / sample.line, body * weights / np.maximum(sample.body - sample.line, 1)])
    left = budget * ROOM
    shown, full, opened = np.zeros(count, np.bool_), np.zeros(count, np.bool_), set[int]()
    for step in np.argsort(-gains, kind="stable").tolist():
        one = step % count
        if (full if step >= count else shown)[one]:
            continue
        cost = sample.line[one] if step < count else sample.body[one] - (sample.line[one] if shown[one] else 0)
        cost += 0 if int(sample.file[one]) in opened else HEADER
        if cost <= left:
            left -= cost
            opened.add(int(sample.file[one]))
            shown[one] = True
            full[one] |= step >= count
        if left < 8:
            break
    return int(shown[sample.wanted].sum()), int(full[sample.wanted].sum())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.tune", description=__doc__)
    parser.add_argument("--histories", type=Path, required=True, help="the folder of the repositories")
    parser.add_argument("--typescript", type=Path, default=Tools().typescript, help="the npm package")
    parser.add_argument("--half", choices=["tune", "report"], default="tune")
    parser.add_argument(
        "--near", action="store_true", help="begin from the factors that there are, and keep some of them"
    )
    parser.add_argument("--cases", type=int, default=CASES, help="commits of each repository")
    parser.add_argument("--most", type=int, default=CASES, help="take only so many of them")
    parser.add_argument(
        "--cache", type=Path, required=True, help="a folder for cases and for what is known of contents"
    )
    asked = parser.parse_args(arguments)
    samples = list(_samples(asked))
    columns = list(range(len(NAMES)))
    if asked.near:
        _print_near(samples)
        return 0
    if asked.half == "report":
        factors = np.array([FACTORS[name].plain for name in NAMES])
        _print_spending(samples, [_likely(one.signals, factors) for one in samples])
        return 0
    loss, likelihoods = held_out(samples, columns)
    print(f"{len(samples)} commits; shown and in full by {WAY}, body {BODY}\n")
    print(f"| left out | loss | worse by | {_BUDGETS} |\n|---|--:|--:|{'--:|' * len(BUDGETS)}")
    print(f"| nothing | {loss:.4f} | | " + " | ".join(_told(samples, likelihoods, WAYS[WAY], BODY)) + " |")
    for part, names in PARTS.items():
        without, rest = held_out(samples, [column for column in columns if NAMES[column] not in names])
        told = " | ".join(_told(samples, rest, WAYS[WAY], BODY))
        print(f"| {part} | {without:.4f} | {without - loss:+.4f} | {told} |", flush=True)
    _print_spending(samples, likelihoods)
    factors = fit(samples, columns)
    print("\n" + "\n".join(f'"{name}": {factor:.3f},' for name, factor in zip(NAMES, factors.tolist(), strict=True)))
    return 0


def _print_spending(samples: Sequence[Sample], likelihoods: Sequence[Floats]) -> None:
    print(f"\n| gain | {_BUDGETS} |\n|---|" + "--:|" * len(BUDGETS))
    for name, way in WAYS.items():
        for body in (0.3, 0.6, 1.0):
            told = " | ".join(_told(samples, likelihoods, way, body))
            print(f"| {name}, body {body} | {told} |", flush=True)


def _samples(asked: argparse.Namespace) -> Iterator[Sample]:
    manifest = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    for name in manifest[asked.half]:
        place = locate(asked.histories, name)
        tools = Tools(typescript=asked.typescript)
        for case in cases_of(name, place, tools, most=asked.cases, cache=asked.cache / "cases")[: asked.most]:
            print(f"\r{case.repository} {case.commit[:10]}        ", end="", file=sys.stderr)
            if asked.near and query_of(case.message).kind is not Kind.PLAIN:
                continue
            with tempfile.TemporaryDirectory() as folder:
                export(place, case.parent, Path(folder) / "tree")
                yield sample_of(case, Tree(Path(folder) / "tree", asked.cache / "index"))
    print(file=sys.stderr)


def _told(
    samples: Sequence[Sample], likelihoods: Sequence[Floats], way: Callable[[Floats], Floats], body: float
) -> list[str]:
    cells: list[str] = []
    total = sum(len(one.wanted) for one in samples)
    for budget in BUDGETS:
        pairs = [simulated(one, way(likely), budget, body) for one, likely in zip(samples, likelihoods, strict=True)]
        shown, full = (100 * sum(pair[side] for pair in pairs) / total for side in (0, 1))
        cells.append(f"{shown:.1f} % / {full:.1f} %")
    return cells


def _by_place(weights: Floats) -> Floats:
    places = np.empty(len(weights))
    places[np.argsort(-weights, kind="stable")] = np.arange(1, len(weights) + 1)
    return 1 / places


WAYS: dict[str, Callable[[Floats], Floats]] = {
    "weight": lambda weights: weights,
    "weight to the power of 0.8": lambda weights: weights**0.8,
    "root of the weight": np.sqrt,
    "1 / place": _by_place,
}
"""The gains that showing a definition may be taken to have."""
WAY = "weight to the power of 0.8"
BODY = 1.0
"""The gain of a body in the engine (`allocator.spend.needs`, `allocator.spend.steps`)."""
_BUDGETS = " | ".join(f"{budget} tokens" for budget in BUDGETS)


if __name__ == "__main__":
    sys.exit(main())
