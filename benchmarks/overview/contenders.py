"""The contenders: each is given a folder and some budgets, and gives the text that it serves for each.

    ours         `ContextEngine.get_context` without a question, both text blocks counted
    aider        its repository map, from a Python of its own, at the same number of tokens
    repomix      `repomix --compress`, cut at the budget
    occurrence   signature lines of source that is no test, by the number of files in which the name occurs
    tree         the tree of files, cut at the budget

What is cut is cut at whole lines, and counted with the vocabulary that ours is counted with.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from allocator import ContextEngine
from benchmarks.overview.sources import Known, cache_key, known
from benchmarks.vocabularies import CACHE_SETTING, tiktoken_cache
from workspace.names.tiers import Tier
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PATIENCE = 600
"""Seconds that a peer may take; where that is too little it serves nothing."""

_AIDER = """
import json, sys
from aider.repomap import RepoMap
from aider.io import InputOutput
import tiktoken
encoding = tiktoken.get_encoding("o200k_base")
class Counter:
    def token_count(self, text):
        return len(encoding.encode(text, disallowed_special=()))
root, files, budgets = json.load(sys.stdin)
maps = RepoMap(map_tokens=8000, root=root, main_model=Counter(), io=InputOutput(yes=True, pretty=False),
               map_mul_no_files=1, refresh="always")
out = {str(budget): maps.get_ranked_tags_map([], files, budget) or "" for budget in budgets}
print("\\n@@@" + json.dumps(out))
"""


def ours(folder: Path, budgets: Sequence[int], *, cache: Path) -> Mapping[int, str]:
    """Returns the contexts of the engine."""
    with known(folder, cache) as found:
        engine = ContextEngine(found.index.roots, index=found.index)
        return {
            budget: engine.get_context(str(folder), token_budget=budget, format="compact", summary=False).context
            for budget in budgets
        }


def aider(folder: Path, budgets: Sequence[int], *, cache: Path, python: str) -> Mapping[int, str]:
    """Has aider make its map of the files that we list, and leaves none of its caches behind."""
    with known(folder, cache) as found, tiktoken_cache(["o200k_base"]) as vocabularies:
        files = [str(folder / file.path) for file in found.files]
        try:
            done = subprocess.run(
                [python, "-c", _AIDER],
                input=json.dumps([str(folder), files, list(budgets)]),
                capture_output=True,
                text=True,
                check=True,
                timeout=PATIENCE,
                env={**os.environ, CACHE_SETTING: str(vocabularies)},
            )
        except subprocess.TimeoutExpired:
            return dict.fromkeys(budgets, "")
        finally:
            for left in folder.glob(".aider.tags.cache*"):
                shutil.rmtree(left)
    maps: dict[str, str] = json.loads(done.stdout.rpartition("@@@")[2])
    return {budget: cut(maps[str(budget)], budget) for budget in budgets}


def repomix(folder: Path, budgets: Sequence[int], *, command: Sequence[str]) -> Mapping[int, str]:
    """Runs `repomix --compress` once and cuts what it writes."""
    with tempfile.TemporaryDirectory() as place:
        output = Path(place, "repomix.txt")
        options = ["--compress", "--quiet", "--style", "plain", "-o", str(output)]
        subprocess.run([*command, *options, str(folder)], check=True, capture_output=True, timeout=PATIENCE)
        text = output.read_text(encoding="utf-8", errors="replace")
    return {budget: cut(text, budget) for budget in budgets}


def occurrence(folder: Path, budgets: Sequence[int], *, cache: Path) -> Mapping[int, str]:
    """Signature lines of source that is no test: in as many files as possible does the name occur, few have it."""
    with known(folder, cache) as found:
        source = [file for file in found.files if file.tier is Tier.CORE]
        occurs: Counter[str] = Counter()
        homonyms: Counter[str] = Counter()
        for file in source:
            occurs.update(set(re.findall(r"\w+", found.text(file))))
            homonyms.update(one.name for one in found.definitions(file))
        lines: list[tuple[float, str, int, str]] = []
        for file in source:
            text = found.text(file).encode()
            for one in found.definitions(file):
                end = text.find(b"\n", one.name_start)
                line = text[text.rfind(b"\n", 0, one.name_start) + 1 : end if end >= 0 else len(text)]
                lines.append((-occurs[one.name] / homonyms[one.name], file.path, one.start, line.decode().rstrip()))
    return {budget: _grouped([row[1:] for row in sorted(lines)], budget) for budget in budgets}


def _grouped(lines: Sequence[tuple[str, int, str]], budget: int) -> str:
    """The first so many lines below the names of their files, as many as a budget holds."""
    count = token_counter().count

    def text(number: int) -> str:
        grouped: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for path, start, line in lines[:number]:
            grouped[path].append((start, line))
        return "".join(
            f"{path}:\n" + "".join(f"{line}\n" for _, line in sorted(grouped[path])) for path in sorted(grouped)
        )

    most = bisect_right(range(1, len(lines) + 1), budget, key=lambda number: count(text(number)))
    return text(most)


def tree(folder: Path, budgets: Sequence[int], *, cache: Path) -> Mapping[int, str]:
    """The tree of files: folders once, what is in them indented."""
    with known(folder, cache) as found:
        lines: list[str] = []
        above: list[str] = []
        for path in sorted((file.path for file in found.files), key=lambda path: path.split("/")):
            *folders, name = path.split("/")
            shared = 0
            while shared < min(len(folders), len(above)) and folders[shared] == above[shared]:
                shared += 1
            lines += [f"{'  ' * depth}{folders[depth]}/" for depth in range(shared, len(folders))]
            lines.append(f"{'  ' * len(folders)}{name}")
            above = folders
    return {budget: cut("".join(f"{line}\n" for line in lines), budget) for budget in budgets}


def cut(text: str, budget: int) -> str:
    """The first whole lines of a text that a budget holds."""
    count = token_counter().count
    lines = text.splitlines(keepends=True)
    about = list(accumulate(count(line) for line in lines))
    most = bisect_right(about, budget)
    while most and count("".join(lines[:most])) > budget:
        most -= 1
    return "".join(lines[:most])


class Remembered:
    """The texts of slow contenders, kept on disk by what the contenders were given.

    Args:
        place: the folder; it may be deleted at any time.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def ask(
        self, name: str, folder: Path, budgets: Sequence[int], serve: Callable[[], Mapping[int, str]]
    ) -> Mapping[int, str]:
        """Returns the texts that a contender serves, asked for once."""
        kept = self._place / f"{name}-{cache_key(folder)}-{'-'.join(map(str, budgets))}.json"
        if not kept.exists():
            self._place.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(list(serve().values())), encoding="utf-8")
        return dict(zip(budgets, json.loads(kept.read_text(encoding="utf-8")), strict=True))


__all__ = ["Known", "Remembered", "aider", "cut", "occurrence", "ours", "repomix", "tree"]
