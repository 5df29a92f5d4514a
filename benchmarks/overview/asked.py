"""The wants of a reader of a repository, by others' word: names in its documentation, later changes, cited answers."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.overview.sources import NEWS, PROSE, Known, git
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from skeleton import Definition

SHORTEST_NAME = 4
MOST_HOMONYMS = 10
"""A name with more definitions than this is an everyday word of the code base."""

_CODE = re.compile(r"```.*?```|~~~.*?~~~|``[^`\n]+``|`[^`\n]+`|^(?: {4}|\t)\S.*$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PATH = re.compile(r"[\w][\w./-]*\.(?:py|pyx|rst|toml|cfg|c|h|html|js|json|txt|md|ini|yml|yaml)\b")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ")


class Wanted(NamedTuple):
    """Paths and names that a good overview holds."""

    paths: frozenset[str]
    names: frozenset[str]


def defined(found: Known) -> Counter[str]:
    """Returns how often each name is defined in source that is no test."""
    counted: Counter[str] = Counter()
    for file in found.files:
        if file.tier is Tier.CORE:
            counted.update(one.name for one in found.definitions(file))
    return counted


def documented(folder: Path, found: Known) -> Wanted:
    """The definitions that a project's documentation names in code.

    Args:
        folder: a work tree with the documentation.
        found: the same without it.
    """
    named: set[str] = set()
    for path in git(folder, "ls-files").splitlines():
        place = folder / path
        if PROSE.search(path) and not NEWS.search(path) and place.is_file() and not place.is_symlink():
            for code in _CODE.findall(place.read_text(encoding="utf-8", errors="replace")):
                named.update(_NAME.findall(code))
    return Wanted(frozenset(), known_names(named, defined(found)))


def known_names(named: Iterable[str], counted: Counter[str]) -> frozenset[str]:
    """Those of some names that are defined, and not so often that they mean nothing."""
    return frozenset(name for name in named if len(name) >= SHORTEST_NAME and 0 < counted[name] <= MOST_HOMONYMS)


def later(folder: Path, found: Known, base: str, newest: str) -> Wanted:
    """The source files and definitions of a base that later commits touch.

    Args:
        folder: the repository.
        found: its files at the base.
        base: a commit of the past.
        newest: the commit that it is compared with.
    """
    source = {file.path: file for file in found.files if file.tier is Tier.CORE}
    diff = git(folder, "diff", "--no-renames", "--no-ext-diff", "-U0", base, newest)
    touched: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    path = ""
    for line in diff.splitlines():
        if line.startswith("--- "):
            path = line[6:] if line.startswith("--- a/") else ""
        elif (hunk := _HUNK.match(line)) and path in source:
            first = int(hunk[1])
            touched[path].append((first, first + max(0, int(hunk[2] or 1) - 1)))
    names: set[str] = set()
    for path, ranges in touched.items():
        file = source[path]
        text = found.text(file).encode()
        starts = [0, *(match.end() for match in re.finditer(rb"\n", text))]
        for first, last in ranges:
            begin, end = starts[min(first, len(starts)) - 1], (starts[last] if last < len(starts) else len(text))
            inside = [one for one in found.definitions(file) if one.start < end and one.end > begin]
            inner = [one for one in inside if not any(_holds(one, other) for other in inside)]
            names.update(one.name for one in inner)
    counted = defined(found)
    return Wanted(frozenset(touched), known_names(names, counted))


def _holds(one: Definition, other: Definition) -> bool:
    return (one.start, one.end) != (other.start, other.end) and one.start <= other.start and one.end >= other.end


def cited(answers: Path, found: Known) -> Sequence[Wanted]:
    """Returns the files and the definitions in backticks that SWE-QA's answers cite; answers without are left out.

    Args:
        answers: the file of the repository.
        found: its files.
    """
    paths = [file.path for file in found.files]
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_name[path.rpartition("/")[2]].append(path)
    counted = defined(found)
    wanted: list[Wanted] = []
    for line in answers.read_text(encoding="utf-8").splitlines():
        answer: str = json.loads(line)["answer"]
        files: set[str] = set()
        for said in _PATH.findall(answer):
            ending = said.removeprefix("./")
            meant = [
                path for path in by_name[ending.rpartition("/")[2]] if path == ending or path.endswith(f"/{ending}")
            ]
            files.update(meant if len(meant) == 1 else ())
        names = {name for code in re.findall(r"`([^`\n]+)`", answer) for name in _NAME.findall(code)}
        if files:
            wanted.append(Wanted(frozenset(files), known_names(names, counted)))
    return wanted


class Shown:
    """The names and files that a text shows.

    Args:
        text: it.
        paths: of all files, to tell names of files that several have.
    """

    def __init__(self, text: str, paths: Sequence[str]) -> None:
        self._text = text
        self._words = set(_NAME.findall(text))
        self._pieces = set(re.findall(r"[^\s:,(){}\[\]`\"'=]+", text))
        self._pieces |= {piece.rpartition("/")[2] for piece in self._pieces}
        self._common = Counter(path.rpartition("/")[2] for path in paths)
        folders = {line.strip().split("/ ")[0].rstrip("/") for line in text.splitlines() if "/" in line}
        self._folders = {
            "/".join(way[:depth]) for way in (one.split("/") for one in folders) for depth in range(1, len(way) + 1)
        }

    def names(self, wanted: Iterable[str]) -> int:
        """Returns how many of some definitions are there by name."""
        return sum(name in self._words for name in wanted)

    def files(self, wanted: Iterable[str]) -> int:
        """Returns how many of some files are there: by path, or by name where their folder is there too."""
        return sum(self.names_file(path) for path in wanted)

    def names_file(self, path: str) -> bool:
        """Tells whether a file is there: by its path, or by its name where that is its own or its folder is there too."""
        folder, _, name = path.rpartition("/")
        if path in self._pieces:
            return True
        if name not in self._pieces:
            return False
        return self._common[name] == 1 or self.names_folder(folder)

    def names_folder(self, folder: str) -> bool:
        """Tells whether a folder is there: its path, or the last of its names as a folder."""
        last = folder.rpartition("/")[2]
        return not folder or any(
            piece.rstrip("/") == last or piece.rstrip("/").endswith(f"/{last}") for piece in self._folders
        )
