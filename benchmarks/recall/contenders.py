"""The contenders: each takes a tree, a message and a budget, and gives the text it would serve.

    ours        `ContextEngine.get_context`, compact format, the message as the query
    ranking     our ranking with the plain allocation below, so that ranking and allocation can be judged apart
    bm25        BM25 of the message over definitions with the same plain allocation
    bm25-lines  the same, spent on signature lines alone
    aider       the repository map of aider, from a Python of its own
    …+names     ours, told besides which symbols a model expected that saw the message alone (`expected.json`)
    …+question  ours, with that model's own question behind the message

The plain allocation spends 60 % of the budget on whole bodies in the order of the ranking, the rest on signature lines,
each in a block of its file; a block costs its header. Tests count half in plain BM25.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from allocator import ContextEngine
from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.history import History
from allocator.ranking.rank import rank
from allocator.ranking.signals import matches
from allocator.ranking.words import query_of
from benchmarks.recall.measure import Blocks, compact_blocks, map_blocks
from benchmarks.vocabularies import CACHE_SETTING, tiktoken_cache
from skeleton import Definition
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.indexed import IndexedFile
from skeleton.index.records import Aspect, Definitions
from skeleton.index.terms import Terms
from skeleton.index.workers import Workers
from workspace.files.scan import scan
from workspace.git.log import newest
from workspace.names.tiers import Tier
from workspace.roots import Roots
from workspace.tokens import token_counter

BODIES = 0.6
"""The share of a budget that the plain allocation spends on whole bodies."""
SUMMARY = 0.07
"""The share that it leaves for a summary, as ours has one."""

PATIENCE = 120
"""Seconds that aider may take for a case; where that is too little it serves nothing."""
MEMORY = 6 << 30
"""Bytes that it may take."""

_AIDER = """
import json, sys
from aider.repomap import RepoMap
from aider.io import InputOutput
class Counter:
    def token_count(self, text):
        import tiktoken
        return len(tiktoken.get_encoding("cl100k_base").encode(text, disallowed_special=()))
asked = json.load(sys.stdin)
words = set(asked["words"])
names = {}
for path in asked["files"]:
    names.setdefault(path.rsplit("/", 1)[-1], []).append(path)
named = {path for word in words for path in names.get(word, ())} | (words & set(asked["relative"]))
answers = []
for budget in asked["budgets"]:
    maps = RepoMap(map_tokens=budget, root=asked["root"], main_model=Counter(), io=InputOutput(yes=True, pretty=False),
                   map_mul_no_files=1, refresh="always")
    answers.append(maps.get_ranked_tags_map([], asked["files"], budget, mentioned_fnames=named, mentioned_idents=words) or "")
json.dump(answers, sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Served:
    """The text that a contender serves: its blocks, and the tokens of all its text."""

    blocks: Blocks
    tokens: int


class Tree:
    """The tree of a case: what contenders ask of it is read and parsed at most once.

    Args:
        folder: where it lies.
        cache: a folder that keeps what is known of contents from case to case.
    """

    def __init__(self, folder: Path, cache: Path | None) -> None:
        self.folder = folder
        self._cache = cache

    @cached_property
    def roots(self) -> Roots:
        """It alone may be read."""
        return Roots([self.folder])

    @cached_property
    def index(self) -> CodeIndex:
        """Knows its files."""
        known = Cache(self._cache)
        return CodeIndex(self.roots, cache=known, stamps=known, workers=Workers(0))

    @cached_property
    def files(self) -> list[IndexedFile]:
        """Every text file, by path."""
        found = scan(self.roots.resolve(str(self.folder)), roots=self.roots)
        listed, _ = self.index.files(found)
        return sorted(listed, key=lambda file: file.path)

    @cached_property
    def readings(self) -> list[Reading]:
        """Definitions and words of every file."""
        sketches = self.index.load(self.files, Aspect.SKETCH, Definitions)
        words = self.index.load(self.files, Aspect.TERMS, Terms)
        return [Reading(sketch.definitions, terms) for sketch, terms in zip(sketches, words, strict=True)]

    @cached_property
    def history(self) -> History:
        """The newest commits before the case."""
        return History(newest(str(self.folder)).commits)

    def text(self, path: str) -> str:
        """A file as text."""
        return (self.folder / path).read_bytes().decode("utf-8", "replace")


def ours(tree: Tree, message: str, budgets: Sequence[int], names: Sequence[str] = ()) -> list[Served]:
    """The engine through its public face."""
    engine = ContextEngine(tree.roots, index=tree.index)
    results = [
        engine.get_context(str(tree.folder), token_budget=budget, query=message, names=names, format="compact")
        for budget in budgets
    ]
    return [Served(compact_blocks(result.context), result.tokens_used) for result in results]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The thoughts of a language model on a task when it had seen its message and nothing of the code.

    Attributes:
        question: its own, in one sentence.
        names: symbols.
    """

    question: str
    names: list[str]


def informed(
    expected: Mapping[str, Expected], *, names: bool, question: bool
) -> Callable[[Tree, str, Sequence[int]], list[Served]]:
    """Returns our engine as a model calls it that has thoughts of its own.

    Args:
        expected: what it expected, by message.
        names: whether it tells the symbols.
        question: whether its question stands behind the message.
    """

    def served(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
        thought = expected[message]
        query = f"{message}\n\n{thought.question}" if question else message
        return ours(tree, query, budgets, names=thought.names if names else ())

    return served


def our_ranking(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
    """Our ranking with the plain allocation."""
    ranking = rank(tree.files, message, read=lambda places: [tree.readings[at] for at in places], history=tree.history)
    return [_plainly(tree, list(ranking.definitions), budget, BODIES) for budget in budgets]


def bm25(tree: Tree, message: str, budgets: Sequence[int], share: float = BODIES) -> list[Served]:
    """Plain BM25 with the plain allocation."""
    arrays = Corpus().arrays(tree.files, lambda places: [tree.readings[at] for at in places])
    scores = matches(arrays, query_of(message, subject=0.0)).units
    scores = np.where(np.array([file.tier is Tier.TESTS for file in tree.files])[arrays.file], scores / 2, scores)
    first = arrays.first.tolist()
    weights = [scores[start : end - 1].tolist() for start, end in itertools.pairwise(first)]
    return [_plainly(tree, weights, budget, share) for budget in budgets]


def bm25_lines(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
    """Plain BM25, spent on signature lines alone."""
    return bm25(tree, message, budgets, share=0.0)


def aider(python: Path) -> Callable[[Tree, str, Sequence[int]], list[Served]]:
    """The repository map of aider.

    Args:
        python: an interpreter that can import it.
    """

    def contender(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
        asked = {
            "root": str(tree.folder),
            "files": [str(tree.folder / file.path) for file in tree.files],
            "relative": [file.path for file in tree.files],
            "words": [word.strip("`'\"(),:;.") for word in message.split()],
            "budgets": list(budgets),
        }
        try:
            with tiktoken_cache(["cl100k_base"]) as vocabularies:  # so that it counts without fetching anything
                done = subprocess.run(
                    [str(python), "-c", _AIDER],
                    input=json.dumps(asked),
                    capture_output=True,
                    text=True,
                    check=True,
                    cwd=tree.folder,
                    env={**os.environ, CACHE_SETTING: str(vocabularies)},
                    timeout=PATIENCE,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
                )
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            print(f"\naider serves nothing for {tree.folder.name}: {type(error).__name__}", file=sys.stderr)
            return [Served({}, 0) for _ in budgets]
        count = token_counter("cl100k_base").count
        return [Served(map_blocks(text), count(text)) for text in json.loads(done.stdout.splitlines()[-1])]

    return contender


def _plainly(tree: Tree, weights: Sequence[Sequence[float]], budget: int, share: float) -> Served:
    """The plain allocation."""
    count = token_counter("o200k_base").count
    room = budget * (1 - SUMMARY)
    full: set[tuple[int, int]] = set()
    lines: set[tuple[int, int]] = set()
    opened: set[int] = set()
    used = 0
    ordered = sorted(
        ((file, definition) for file, weighed in enumerate(weights) for definition in range(len(weighed))),
        key=lambda at: (-weights[at[0]][at[1]], at),
    )
    for chosen, limit, text_of in ((full, room * share, _body), (lines, room, _line)):
        for file, definition in ordered:
            if used >= limit - 4:
                break
            if (file, definition) in full or used + 4 > limit:
                continue
            code = tree.files[file]
            text = text_of(code, tree.readings[file].definitions[definition])
            if len(text) > 12 * limit:
                continue
            cost = count(f"{text}\n") + (0 if file in opened else count(f"+++ {code.path}\n"))
            if used + cost <= limit:
                used += cost
                opened.add(file)
                chosen.add((file, definition))
    blocks: dict[str, list[str]] = {}
    for file in sorted(opened):
        code = tree.files[file]
        shown = blocks.setdefault(code.path, [])
        for place, definition in enumerate(tree.readings[file].definitions):
            if (file, place) in full:
                shown += _body(code, definition).split("\n")
            elif (file, place) in lines:
                shown.append(_line(code, definition))
    return Served(blocks, used)


def _body(file: IndexedFile, definition: Definition) -> str:
    start = file.source.rfind(b"\n", 0, definition.start) + 1
    return file.source[start : definition.end].decode("utf-8", "replace")


def _line(file: IndexedFile, definition: Definition) -> str:
    start = file.source.rfind(b"\n", 0, definition.signature) + 1
    return " ".join(file.source[start : definition.body].decode("utf-8", "replace").split())
