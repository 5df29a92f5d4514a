"""Who is measured: each takes a tree, a message and a budget, and gives the text it would serve.

    ours        `ContextEngine.get_context`, compact format, the message as the query
    ranking     our ranking with the plain allocation below, so that ranking and allocation can be judged apart
    bm25        BM25 of the message over definitions with the same plain allocation
    bm25-lines  the same, spent on signature lines alone
    aider       the repository map of aider, from a Python of its own

The plain allocation spends 60 % of the budget on whole bodies in the order of the ranking, the rest on signature lines,
each in a block of its file; a block costs its header. Tests count half in plain BM25.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from allocator import ContextEngine
from allocator.ranking import Corpus, History, Reading, rank
from allocator.ranking.signals import matches
from allocator.ranking.words import query_of
from benchmarks.recall.measure import Blocks, compact_blocks, map_blocks
from skeleton import Definition, language_of
from skeleton.languages import Language
from skeleton.members import outline
from skeleton.parsing import GrammarFailureError
from skeleton.terms import terms_of
from workspace.gitlog import past_commits
from workspace.model import Problem
from workspace.reading import read_file
from workspace.roots import Roots
from workspace.scan import scan
from workspace.secrets import is_sensitive
from workspace.tiers import Tier, tier_of
from workspace.tokens import token_counter

BODIES = 0.6
"""The share of a budget that the plain allocation spends on whole bodies."""
SUMMARY = 0.07
"""The share that it leaves for a summary, as ours has one."""

VOCABULARIES = Path(str(resources.files("workspace"))) / "vocabularies"
"""So that aider counts tokens without fetching anything."""

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
    """What a contender serves: its blocks, and the tokens of all its text."""

    blocks: Blocks
    tokens: int


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of a tree, as the ranking wants it."""

    path: str
    source: bytes
    definitions: tuple[Definition, ...]

    @property
    def tier(self) -> Tier:
        """As the engine has it."""
        return tier_of(self.path, self.source)

    @property
    def key(self) -> bytes:
        """The content itself."""
        return self.source


class Tree:
    """The tree of a case, read and parsed at most once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def files(self) -> list[CodeFile]:
        """Every text file that the engine would read."""
        roots = Roots([self.folder])
        found: list[CodeFile] = []
        for scanned in scan(roots.resolve(str(self.folder)), roots=roots).files:
            read = None if is_sensitive(scanned.path) else read_file(scanned, roots=roots)
            if read is not None and not isinstance(read, Problem):
                found.append(CodeFile(read.path, read.source, _definitions(read.path, read.source)))
        return found

    def text(self, path: str) -> str:
        """A file as text."""
        return (self.folder / path).read_bytes().decode("utf-8", "replace")


def _definitions(path: str, source: bytes) -> tuple[Definition, ...]:
    language = language_of(path, source)
    if not isinstance(language, Language):
        return ()
    try:
        return outline(source, language).definitions
    except GrammarFailureError:
        return ()


def ours(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
    """The engine through its public face."""
    engine = ContextEngine(Roots([tree.folder]))
    results = [
        engine.get_context(str(tree.folder), token_budget=budget, query=message, format="compact") for budget in budgets
    ]
    return [Served(compact_blocks(result.context), result.tokens_used) for result in results]


def our_ranking(tree: Tree, message: str, budgets: Sequence[int]) -> list[Served]:
    """Our ranking with the plain allocation."""
    ranking = rank(
        tree.files,
        message,
        read=lambda places: [_reading(tree.files[place]) for place in places],
        history=History(past_commits(str(tree.folder))),
    )
    weights = [
        (weight, file, definition)
        for file, weighed in enumerate(ranking.definitions)
        for definition, weight in enumerate(weighed)
    ]
    return [_plainly(tree, weights, budget, BODIES) for budget in budgets]


def bm25(tree: Tree, message: str, budgets: Sequence[int], share: float = BODIES) -> list[Served]:
    """Plain BM25 with the plain allocation."""
    files = sorted(tree.files, key=lambda file: file.path)
    arrays = Corpus().arrays(files, lambda places: [_reading(files[place]) for place in places])
    scores = matches(arrays, query_of(message, subject=0.0)).units.tolist()
    place_of = {file.path: place for place, file in enumerate(tree.files)}
    weights = [
        (scores[first + definition] * (0.5 if file.tier is Tier.TESTS else 1.0), place_of[file.path], definition)
        for file, first in zip(files, arrays.first.tolist(), strict=False)
        for definition in range(len(file.definitions))
    ]
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
        done = subprocess.run(
            [str(python), "-c", _AIDER],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=True,
            cwd=tree.folder,
            env={**os.environ, "TIKTOKEN_CACHE_DIR": str(VOCABULARIES)},
        )
        count = token_counter("cl100k_base").count
        return [Served(map_blocks(text), count(text)) for text in json.loads(done.stdout.splitlines()[-1])]

    return contender


def _reading(file: CodeFile) -> Reading:
    return Reading(file.definitions, terms_of(file.source, file.definitions))


def _plainly(tree: Tree, weights: Sequence[tuple[float, int, int]], budget: int, share: float) -> Served:
    """The plain allocation."""
    count = token_counter("o200k_base").count
    room = budget * (1 - SUMMARY)
    full: set[tuple[int, int]] = set()
    lines: set[tuple[int, int]] = set()
    opened: set[int] = set()
    used = 0
    ordered = sorted(weights, key=lambda weight: (-weight[0], weight[1], weight[2]))
    for chosen, limit, text_of in ((full, room * share, _body), (lines, room, _line)):
        for _, file, definition in ordered:
            if used >= limit - 4:
                break
            if (file, definition) in full or used + 4 > limit:
                continue
            code = tree.files[file]
            text = text_of(code, code.definitions[definition])
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
        for place, definition in enumerate(code.definitions):
            if (file, place) in full:
                shown += _body(code, definition).split("\n")
            elif (file, place) in lines:
                shown.append(_line(code, definition))
    return Served(blocks, used)


def _body(file: CodeFile, definition: Definition) -> str:
    start = file.source.rfind(b"\n", 0, definition.start) + 1
    return file.source[start : definition.end].decode("utf-8", "replace")


def _line(file: CodeFile, definition: Definition) -> str:
    start = file.source.rfind(b"\n", 0, definition.signature) + 1
    return " ".join(file.source[start : definition.body].decode("utf-8", "replace").split())
