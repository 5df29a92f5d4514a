r"""Our BM25, stemmer and PageRank beside libraries: `python -m benchmarks.libraries.ranking --repos DIR`.

The questions are the messages of the newest commits of each repository in `--repos`, the answers the files that each of
them touched, the tree is the newest one, and git's history is kept from the ranking, because it holds the answers. That
is easier than the task of `benchmarks.recall`, where the tree is the one before the commit; it is the same for all here.
A question counts as answered at 10 when all its files (at most five) are among the first ten.

Libraries that are not installed are said so and left out; any of `bm25s snowballstemmer PyStemmer rustworkx` can be
installed beside the project for this. Times are processor time of one process.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from allocator.ranking import words as our_words
from allocator.ranking.arrays import FIELDS, Arrays
from allocator.ranking.corpus import Corpus
from allocator.ranking.rank import rank
from allocator.ranking.signals import importance, matches, personalised
from allocator.ranking.words import query_of
from benchmarks.recall.contenders import Tree
from benchmarks.skeletons.tables import table
from workspace.git.log import newest

MOST_FILES = 5
"""A commit that touches more files is no question."""

FIRST = 10


class Question(NamedTuple):
    """One question and the places of the files that answer it."""

    text: str
    files: frozenset[int]


class Timer:
    """Adds up processor time by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, name: str, call: Callable[[], Any]) -> Any:
        """Calls, and adds what it took."""
        started = time.process_time()
        found = call()
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - started
        return found


def questions(tree: Tree, most: int) -> list[Question]:
    """The newest questions that the history of a tree asks."""
    places = {file.path: place for place, file in enumerate(tree.files)}
    found: list[Question] = []
    for commit in newest(str(tree.folder)).commits:
        files = {places.get(path, -1) for path in commit.paths}
        if 0 < len(files) <= MOST_FILES and -1 not in files:
            found.append(Question(commit.message, frozenset(files)))
    return found[:most]


def answered(order: Sequence[int], question: Question) -> bool:
    """Tells whether all files of an answer are among the first of an order."""
    return question.files <= frozenset(order[:FIRST])


def best_files(arrays: Arrays, units: NDArray[np.float64]) -> list[int]:
    """Files by the best of their units."""
    best = np.maximum.reduceat(units, arrays.first[:-1])
    return np.argsort(-best, kind="stable").tolist()


def term_lists(arrays: Arrays) -> list[list[str]]:
    """The terms of every unit, as often as our fields count them."""
    listed: list[list[str]] = [[] for _ in range(arrays.units)]
    for number, word in enumerate(arrays.words):
        terms = our_words.terms_in(word)
        for entry in range(int(arrays.spans[number]), int(arrays.spans[number + 1])):
            listed[int(arrays.entry_unit[entry])] += [*terms] * int(arrays.entry_weight[entry] / FIELDS[1])
    return listed


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries.ranking", description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, help="a folder of repositories")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what is known of contents")
    parser.add_argument("--questions", type=int, default=60, help="commits of each repository")
    asked = parser.parse_args(arguments)
    trees = [Tree(folder, asked.cache) for folder in sorted(asked.repos.iterdir()) if (folder / ".git").exists()]
    _print_matching(trees, asked.questions)
    _print_stemming(trees, asked.questions)
    _print_walks(trees)
    return 0


def _arrays(tree: Tree) -> Arrays:
    return Corpus().arrays(tree.files, lambda places: [tree.readings[at] for at in places])


def _print_matching(trees: Sequence[Tree], most: int) -> None:
    bm25s, timer = _library("bm25s"), Timer()
    total, ours, theirs = 0, 0, 0
    for tree in trees:
        asked = questions(tree, most)
        _ = tree.readings  # reading and parsing is not what is compared
        arrays = timer.timed("ours: arrays of all words", lambda tree=tree: _arrays(tree))
        total += len(asked)
        for question in asked:
            query = query_of(question.text)
            found = timer.timed("ours: a question", lambda arrays=arrays, query=query: matches(arrays, query))
            ours += answered(best_files(arrays, found.units), question)
        if bm25s is None:
            continue
        listed = timer.timed("bm25s: lists of terms", lambda arrays=arrays: term_lists(arrays))
        model = bm25s.BM25(k1=1.2, b=0.75)
        timer.timed("bm25s: index", lambda model=model, listed=listed: model.index(listed, show_progress=False))
        for question in asked:
            terms = [term for term in query_of(question.text).terms if term in model.vocab_dict]
            if terms:
                scores = timer.timed("bm25s: a question", lambda model=model, terms=terms: model.get_scores(terms))
                theirs += answered(best_files(arrays, np.asarray(scores, dtype=np.float64)), question)
    rows: list[list[object]] = [["ours", f"{100 * ours / total:.1f} %"], ["bm25s", f"{100 * theirs / total:.1f} %"]]
    print(f"\nBM25 alone over definitions, {total} questions on {len(trees)} repositories\n")
    print(table(["BM25", f"answered at {FIRST}"], rows if bm25s else rows[:1]))
    print()
    print(table(["what", "seconds"], [[name, f"{seconds:.2f}"] for name, seconds in timer.seconds.items()]))


def _stemmers() -> Iterable[tuple[str, Callable[[str], str]]]:
    yield "ours", our_words.stem
    yield "none", str
    snowball = _library("snowballstemmer")
    if snowball is not None:
        yield "snowballstemmer", snowball.stemmer("english").stemWord
    compiled = _library("Stemmer")
    if compiled is not None:
        yield "PyStemmer", compiled.Stemmer("english").stemWord


def _print_stemming(trees: Sequence[Tree], most: int) -> None:
    rows: list[list[object]] = []
    kept = our_words.stem
    for name, stem in _stemmers():
        our_words.stem = stem  # pyright: ignore[reportAttributeAccessIssue] - a cached function is more than a function
        answers, total, seconds = 0, 0, 0.0
        try:
            for tree in trees:
                started = time.process_time()
                asked, corpus = questions(tree, most), Corpus()
                for question in asked:
                    ranking = rank(
                        tree.files,
                        question.text,
                        read=lambda places, tree=tree: [tree.readings[at] for at in places],
                        corpus=corpus,
                    )
                    answers += answered(ranking.order, question)
                seconds += time.process_time() - started
                total += len(asked)
        finally:
            our_words.stem = kept
        rows.append([name, f"{100 * answers / total:.1f} %", f"{seconds:.1f}"])
    print("\nThe whole ranking without history, by stemmer; seconds hold all questions and all arrays\n")
    print(table(["stemmer", f"answered at {FIRST}", "seconds"], rows))


def _print_walks(trees: Sequence[Tree]) -> None:
    rustworkx, timer = _library("rustworkx"), Timer()
    alike: list[float] = []
    for tree in trees:
        arrays = _arrays(tree)
        graph = timer.timed("ours: edges from arrays", lambda arrays=arrays: arrays.graph)
        mine = timer.timed("ours: importance", lambda g=graph, a=arrays: importance(g, a.units))
        seeds = np.zeros(arrays.units)
        seeds[:: max(1, arrays.units // 100)] = 1.0
        timer.timed("ours: personalised, 2 steps", lambda g=graph, s=seeds: personalised(g, s))
        if rustworkx is None:
            continue
        forth = graph.forth

        def built(arrays: Arrays = arrays, forth: Any = forth) -> Any:
            made = rustworkx.PyDiGraph()
            made.add_nodes_from(range(arrays.units))
            begins = np.repeat(np.arange(arrays.units), np.diff(forth.spans))
            made.add_edges_from(list(zip(begins.tolist(), forth.ends.tolist(), forth.shares.tolist(), strict=True)))
            return made

        digraph = timer.timed("rustworkx: graph from edges", built)
        theirs = timer.timed(
            "rustworkx: pagerank", lambda made=digraph: rustworkx.pagerank(made, alpha=0.85, weight_fn=float, tol=1e-8)
        )
        timer.timed(
            "rustworkx: personalised pagerank",
            lambda made=digraph, s=seeds: rustworkx.pagerank(
                made,
                alpha=0.5,
                weight_fn=float,
                personalization={int(at): 1.0 for at in np.flatnonzero(s)},
                tol=1e-6,
            ),
        )
        order = np.argsort(-np.array([theirs[unit] for unit in range(arrays.units)]), kind="stable")[:100]
        alike.append(len({*order.tolist()} & {*np.argsort(-mine, kind="stable")[:100].tolist()}) / len(order))
    print(f"\nWalks over the graph of names of {len(trees)} repositories\n")
    print(table(["what", "seconds"], [[name, f"{seconds:.2f}"] for name, seconds in timer.seconds.items()]))
    if alike:
        print(f"\nof the 100 most important definitions both name {100 * sum(alike) / len(alike):.0f} %")


if __name__ == "__main__":
    raise SystemExit(main())
