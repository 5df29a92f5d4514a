"""Ranks the tree of an issue as `get_context` does for its text, and keeps what it knows from tree to tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.history import History
from allocator.ranking.rank import rank
from allocator.ranking.signals import matches
from allocator.ranking.words import query_of
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.indexed import IndexedFile
from skeleton.index.records import Aspect, Definitions
from skeleton.index.terms import Terms
from skeleton.index.workers import Workers
from skeleton.languages.kinds import CALLABLE
from workspace.files.scan import scan
from workspace.git.log import newest
from workspace.git.repositories import Named, NamedRoots

MOST = 50
"""Files and functions that are kept of a ranking, the first ones."""

Function = tuple[str, str]
"""The path of a function, and its name with what it stands in."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The files and functions that a ranking puts first, best first."""

    files: Sequence[str]
    functions: Sequence[Function]


class Repository:
    """The trees of one repository, read from git's objects.

    Args:
        name: `owner/name`.
        clone: its bare clone.
        cache: a folder that keeps what is known of contents.
    """

    def __init__(self, name: str, clone: Path, cache: Path | None) -> None:
        self._name = name
        self._roots = NamedRoots([Named(name=name, folder=clone.resolve(), shared=True)])
        known = Cache(cache)
        self._index = CodeIndex(self._roots, cache=known, stamps=known, workers=Workers(0))
        self._corpus = Corpus()

    def at(self, commit: str, folder: str = "") -> Tree:
        """The tree of a commit.

        Args:
            commit: its hash.
            folder: the folder below which files are ranked; "" for all of them.
        """
        place = self._roots.resolve(f"repo://{self._name}@{commit}{folder and f':{folder}'}")
        listed, _ = self._index.files(scan(place, roots=self._roots))
        files: list[IndexedFile] = sorted(listed, key=lambda file: file.path)
        project = self._name.rpartition("/")[2]
        return Tree(files, self._index, self._corpus, History(newest(str(place)).commits), project)


class Tree:
    """The tree of one issue.

    Args:
        files: its text files, by path.
        index: knows them.
        corpus: keeps their words.
        history: the newest commits before the issue.
        project: the name of the repository.
    """

    def __init__(
        self, files: Sequence[IndexedFile], index: CodeIndex, corpus: Corpus, history: History, project: str
    ) -> None:
        self.files = files
        self.history = history
        self.project = project
        self.corpus = corpus
        self._index = index

    def read(self, places: Sequence[int]) -> list[Reading]:
        """Definitions and words of some files."""
        wanted = [self.files[place] for place in places]
        sketches = self._index.load(wanted, Aspect.SKETCH, Definitions)
        words = self._index.load(wanted, Aspect.TERMS, Terms)
        return [Reading(sketch.definitions, terms) for sketch, terms in zip(sketches, words, strict=True)]


def ours(tree: Tree, text: str) -> Ranked:
    """Our ranking, as `get_context` spends by it."""
    ranking = rank(tree.files, text, read=tree.read, corpus=tree.corpus, history=tree.history, project=tree.project)
    order = list(ranking.order)[:MOST]
    best: list[tuple[float, int, int]] = []
    for place in ranking.order:
        best += [(weight, place, at) for at, weight in enumerate(ranking.definitions[place])]
    best.sort(key=lambda one: (-one[0], one[1:]))
    # Classes and values stand among them; what is asked for are functions.
    first = best[: 12 * MOST]
    sketches = {place: tree.read([place])[0].definitions for place in {place for _, place, _ in first}}
    functions = dict.fromkeys(
        (tree.files[place].path, sketches[place][at].path)
        for _, place, at in first
        if at < len(sketches[place]) and sketches[place][at].kind in CALLABLE
    )
    return Ranked([tree.files[place].path for place in order], list(functions)[:MOST])


def bm25(tree: Tree, text: str) -> Ranked:
    """Plain BM25 of the words over files, the tests among them."""
    arrays = tree.corpus.arrays(tree.files, tree.read)
    scores = matches(arrays, query_of(text, subject=0.0, later=1.0)).files
    first: list[int] = np.argsort(-scores, kind="stable")[:MOST].tolist()
    return Ranked([tree.files[place].path for place in first], [])
