"""Prints how well short questions and symbols find their files: semble's public benchmark, counted as semble counts it.

    python -m benchmarks.localisation.questions --histories DIR [--cache DIR] [--half report] [--misses]

The questions, the commits and the published figures are read from a clone of the repository that publishes them, the trees
from git's objects; a repository of which no clone holds the commit is left out, and counted. A question is ranked as
`get_context` ranks it, over the folder that the benchmark names, with the history up to the commit. NDCG at 10 is over
places: each file that is wanted, secondary ones too, gives 1 / log2(1 + its place) where it is among the first ten, divided
by what the best order gives.

What is learnt from these questions is learnt on one half of the repositories: those whose name's SHA-256 is even.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks.localisation.ranking import Repository, bm25, ours
from benchmarks.recall.history import HistoryError, git, locate

PUBLISHER: Final = "michalfedyna/semble"
FIRST: Final = 10
"""Places that NDCG looks at."""
FEW: Final = 5
"""Places that recall looks at."""
PUBLISHED: Final = {
    "semble, BM25 alone": ("semble-ablations-1ea77add4c1b", "bm25"),
    "semble, BM25 and its order": ("semble-ablations-215a04760692", "semble-bm25"),
    "semble, with its model": ("semble-hybrid-0332378809c5", None),
    "CodeRankEmbed and BM25": ("coderankembed-0332378809c5", "hybrid"),
}
"""The systems of which results for every repository are published, each with its file and its name there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A repository of the benchmark.

    Attributes:
        name: what the benchmark calls it.
        language: that of its questions.
        repository: `owner/name`.
        commit: the tree.
        folder: the folder that is searched; "" for all of it.
    """

    name: str
    language: str
    repository: str
    commit: str
    folder: str

    @property
    def half(self) -> str:
        """Returns whether it is one that may be learnt from, by a rule that knows its name alone."""
        return "report" if hashlib.sha256(self.name.encode()).digest()[-1] % 2 else "tune"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the files that answer it.

    Attributes:
        text: the question.
        kind: what the benchmark calls it: architecture, semantic or symbol.
        wanted: the paths of its files, as the benchmark writes them, the most relevant first.
    """

    text: str
    kind: str
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question, and where its files stand.

    Attributes:
        subject: its repository.
        question: the question.
        by: for each ranking the place of every file that is wanted, from 1 on; 0 where it is not among the first.
        first: the files that we put first.
    """

    subject: Subject
    question: Question
    by: dict[str, tuple[int, ...]]
    first: tuple[str, ...]


def subjects(histories: Path) -> list[Subject]:
    """All repositories of the benchmark, by name."""
    told: list[dict[str, str]] = json.loads(_published(histories, "repos.json"))
    found = (
        Subject(
            name=one["name"],
            language=one["language"],
            repository="/".join(one["url"].removesuffix(".git").split("/")[-2:]),
            commit=one["revision"],
            folder=one.get("benchmark_root") or "",
        )
        for one in told
    )
    return sorted(found, key=lambda one: one.name)


def questions(histories: Path, subject: Subject) -> list[Question]:
    """The questions about a repository, in the order of the benchmark."""
    return [
        Question(
            text=told["query"],
            kind=told["category"],
            wanted=tuple(one if isinstance(one, str) else one["path"] for one in told["relevant"] + told["secondary"]),
        )
        for told in json.loads(_published(histories, f"annotations/{subject.name}.json"))
    ]


def clone_of(histories: Path, subject: Subject) -> Path | None:
    """The clone that holds the tree of a repository; None where there is none."""
    try:
        clone = locate(histories, subject.repository)
        git(clone, "cat-file", "-e", f"{subject.commit}^{{tree}}")
    except HistoryError:
        return None
    return clone


def places(wanted: Sequence[str], ranked: Sequence[str]) -> tuple[int, ...]:
    """The place of each file that is wanted, the first that its path means, from 1 on; 0 where it is not there."""
    return tuple(next((at for at, path in enumerate(ranked, 1) if is_meant(path, one)), 0) for one in wanted)


def is_meant(path: str, wanted: str) -> bool:
    """Tells whether a path means a file: it is its path, or the end of it, or the other way round."""
    return f"/{path}".endswith(f"/{wanted}") or f"/{wanted}".endswith(f"/{path}")


def ndcg(found: Sequence[int], first: int = FIRST) -> float:
    """The discounted gain of files at some places, of what the best order gives; two at one place count once.

    Args:
        found: the place of each file that is wanted, 0 for none.
        first: places that are looked at.
    """
    best = sum(1 / math.log2(1 + place) for place in range(1, min(len(found), first) + 1))
    return sum(1 / math.log2(1 + place) for place in {*found} if 0 < place <= first) / best if best else 0.0


def recall(found: Sequence[int], first: int = FEW) -> float:
    """The share of the files that are wanted that are among the first.

    Args:
        found: the place of each, 0 for none.
        first: places that are looked at.
    """
    return sum(0 < place <= first for place in found) / max(len(found), 1)


def answered(histories: Path, subject: Subject, clone: Path, cache: Path | None) -> Iterator[Answered]:
    """Ranks all questions about a repository."""
    tree = Repository(subject.repository, clone, cache).at(subject.commit, subject.folder)
    below = f"{subject.folder}/" if subject.folder else ""
    for one in questions(histories, subject):
        ranked = {"ours": ours(tree, one.text).files, "bm25": bm25(tree, one.text).files}
        yield Answered(
            subject=subject,
            question=one,
            by={name: places(one.wanted, [below + path for path in files]) for name, files in ranked.items()},
            first=tuple(ranked["ours"][:FEW]),
        )


def published(histories: Path, found: Sequence[Answered]) -> dict[str, dict[str, float]]:
    """The published results for the same repositories: the mean over our questions of each kind, by system and by kind."""
    told: dict[str, dict[str, float]] = {}
    for name, (file, mode) in PUBLISHED.items():
        rows: list[dict[str, Any]] = json.loads(_published(histories, f"results/{file}.json"))["repos"]
        of = {row["repo"]: row for row in rows if row.get("mode") == mode}
        told[name] = {"all": fmean(of[one.subject.name]["ndcg10"] for one in found)}
        for kind in _kinds(found):
            alike = (one.subject.name for one in found if one.question.kind == kind)
            told[name][kind] = fmean(of[repository]["by_category"][kind] for repository in alike)
    return told


def _published(histories: Path, path: str) -> str:
    return git(locate(histories, PUBLISHER), "show", f"HEAD:benchmarks/{path}").decode()


def _kinds(found: Iterable[Answered]) -> list[str]:
    return sorted({one.question.kind for one in found})


def _print(histories: Path, found: Sequence[Answered]) -> None:
    kinds = _kinds(found)
    of = {"all": found} | {kind: [one for one in found if one.question.kind == kind] for kind in kinds}
    print(f"| NDCG@{FIRST} | {' | '.join(f'{name} ({len(ones)})' for name, ones in of.items())} | recall@{FEW} |")
    print(f"|---|{'--:|' * (len(of) + 1)}")
    for name in found[0].by:
        cells = " | ".join(f"{fmean(ndcg(one.by[name]) for one in ones):.3f}" for ones in of.values())
        print(f"| {name} | {cells} | {fmean(recall(one.by[name]) for one in found):.3f} |")
    for name, told in published(histories, found).items():
        print(f"| {name} | {' | '.join(f'{told[one]:.3f}' for one in of)} | |")
    print(f"\n| language | repositories | questions | ours | bm25 | {' | '.join(PUBLISHED)} |")
    print(f"|---|{'--:|' * (4 + len(PUBLISHED))}")
    for language in sorted({one.subject.language for one in found}):
        alike = [one for one in found if one.subject.language == language]
        own = [f"{fmean(ndcg(one.by[name]) for one in alike):.3f}" for name in alike[0].by]
        theirs = [f"{told['all']:.3f}" for told in published(histories, alike).values()]
        repositories = len({one.subject.name for one in alike})
        print(f"| {language} | {repositories} | {len(alike)} | {' | '.join([*own, *theirs])} |")


def _tell_misses(found: Iterable[Answered]) -> None:
    for one in sorted(found, key=lambda one: ndcg(one.by["ours"])):
        if (score := ndcg(one.by["ours"])) < 1:
            wanted = ", ".join(
                f"{path} ({place})" for path, place in zip(one.question.wanted, one.by["ours"], strict=True)
            )
            print(f"{score:.2f} {one.subject.name} {one.question.kind}: {one.question.text}\n  {wanted}")
            print(f"  first: {', '.join(one.first)}")


def main() -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=Path, required=True, help="clones with their history: DIR/owner+name/repo")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    parser.add_argument("--half", choices=["tune", "report"], help="only the repositories of one half")
    parser.add_argument("--repository", action="append", default=[], help="only this one (repeatable)")
    parser.add_argument("--misses", action="store_true", help="print the questions whose files are not all first")
    asked = parser.parse_args()
    every = subjects(asked.histories)
    chosen = [
        one
        for one in every
        if asked.half in (None, one.half) and (not asked.repository or one.name in asked.repository)
    ]
    there = [(one, clone) for one in chosen if (clone := clone_of(asked.histories, one))]
    found: list[Answered] = []
    for subject, clone in there:
        print(f"\r{subject.name}                ", end="", file=sys.stderr, flush=True)
        found += answered(asked.histories, subject, clone, asked.cache)
    print(file=sys.stderr)
    if not found:
        print("no clone holds the tree of any of these repositories", file=sys.stderr)
        return 1
    total = sum(len(questions(asked.histories, one)) for one in every)
    print(f"{len(found)} of {total} questions, about {len(there)} of {len(every)} repositories\n")
    _print(asked.histories, found)
    if asked.misses:
        _tell_misses(found)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HistoryError as failure:
        sys.exit(str(failure))
