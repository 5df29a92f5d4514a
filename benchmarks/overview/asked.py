"""The wants of a reader of a repository, by others' word: names in its documentation, later changes, cited answers."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.meanings import HEADERS
from benchmarks.overview.sources import NEWS, PROSE, Known, git
from skeleton.index.visibility import visibilities
from skeleton.languages.headers import language_name_of
from workspace.names.tiers import Tier
from workspace.paths import from_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from skeleton import Definition

SHORTEST_NAME = 4
MOST_HOMONYMS = 10
"""A name with more definitions than this is an everyday word of the code base."""

_CODE = re.compile(r"```.*?```|~~~.*?~~~|``[^`\n]+``|`[^`\n]+`|^(?: {4}|\t)\S.*$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PATH = re.compile(r"[\w][\w./-]*\.(?:py|pyx|rst|toml|cfg|c|h|html|js|json|txt|md|ini|yml|yaml)\b")
_BRACES = re.compile(r"[^\s{}]*(?:\{[^\s{}]+(?: [^\s{}]+)+\}[^\s{}]*)+")
"""Several names written as one: `test_{a b}.py`."""
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_FOLDER_LINE = re.compile(r"( *)(\S(?:.*\S)?)/(?: \d[^:]* ~[\d.kM]+(?:: (.*))?)?")
"""A line of a map or of a tree that names a folder, and perhaps files of it."""
_FOLDERS_LEFT = re.compile(r"(?:^ *\+\d+ folders?\n|:? \+\d+ folders?$)", re.MULTILINE)
"""The count of folders that a map does not tell, at the end of a line."""
_MEMBERS = re.compile(r"(\S+?)\(((?:[^()]|\([^()]*\))+)\)")
"""The name of a file on a line of a map, with the members of the definition that it is named after."""
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


def seen_elsewhere(found: Known) -> frozenset[str]:
    """The names of definitions of which at least one is seen outside its folder: those that documentation can mean."""
    seen: set[str] = set()
    for file in found.files:
        definitions = found.definitions(file) if file.tier is Tier.CORE else ()
        source = found.text(file).encode() if definitions else b""
        signatures = [source[one.signature : one.body] for one in definitions]
        told = visibilities(language_name_of(file.path, source) or "", source, definitions, signatures)
        is_header = file.path.endswith(HEADERS)
        seen.update(one.name for one, width in zip(definitions, told, strict=True) if is_header or not width)
    return frozenset(seen)


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
    by_name = by_last_name(file.path for file in found.files)
    counted = defined(found)
    wanted: list[Wanted] = []
    for line in answers.read_text(encoding="utf-8").splitlines():
        answer: str = json.loads(line)["answer"]
        if files := cited_files(answer, by_name):
            wanted.append(Wanted(files, known_names(named_in(answer), counted)))
    return wanted


def by_last_name(paths: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Some paths by what stands behind their last slash."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def cited_files(answer: str, by_name: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Returns the paths that an answer cites, by as much of their ends as means one file.

    Args:
        answer: a text.
        by_name: all paths by their last names.
    """
    files: set[str] = set()
    for said in _PATH.findall(answer):
        ending = said.removeprefix("./")
        listed = by_name.get(ending.rpartition("/")[2], ())
        meant = [path for path in listed if path == ending or path.endswith(f"/{ending}")]
        files.update(meant if len(meant) == 1 else ())
    return frozenset(files)


def named_in(answer: str) -> frozenset[str]:
    """The names that a text has in grave accents."""
    return frozenset(name for code in re.findall(r"`([^`\n]+)`", answer) for name in _NAME.findall(code))


class Shown:
    """The names and files that a text shows.

    Args:
        text: it.
        paths: of all files, to tell names of files that several have.
    """

    def __init__(self, text: str, paths: Sequence[str]) -> None:
        self._words = set(_NAME.findall(spelled(text)))
        self._pieces = set(re.findall(r"[^\s:,(){}\[\]`\"'=]+", spelled(text)))
        self._pieces |= {piece.rpartition("/")[2] for piece in self._pieces}
        self._common = Counter(path.rpartition("/")[2] for path in paths)
        self._below = indented(text)
        self._folders = {folder for one in (*self._pieces, *self._below) for folder in _around(one)}

    def names(self, wanted: Iterable[str]) -> int:
        """Returns how many of some definitions are there by name."""
        return sum(name in self._words for name in wanted)

    def files(self, wanted: Iterable[str]) -> int:
        """Returns how many of some files are there."""
        return sum(self.names_file(path) for path in wanted)

    def names_file(self, path: str) -> bool:
        """Tells whether a reader learns of a file: by its path, a name that it alone has, or its name below its folder."""
        name = path.rpartition("/")[2]
        return path in self._pieces or path in self._below or (name in self._pieces and self._common[name] == 1)

    def names_folder(self, folder: str) -> bool:
        """Tells whether a folder is there: by its path, or by its name below the folder that it lies in."""
        return not folder or folder in self._folders


def spelled(text: str) -> str:
    """A text with all names that stand in braces together written one by one."""
    return _BRACES.sub(lambda found: " ".join(_each(found[0])), text)


def _each(joined: str) -> list[str]:
    """The names that one with braces stands for."""
    found = _IN_BRACES.search(joined)
    if found is None:
        return [joined]
    return [each for one in found[1].split() for each in _each(joined[: found.start()] + one + joined[found.end() :])]


def indented(text: str) -> set[str]:
    """The paths of files and folders that a text names by lines that are indented below those of their folders.

    Folders end with `/`, and blanks in names are told as they are; several may share a line. Lines of files hold one name, several, or one with what the file defines: the members of its namesake in brackets, the rest behind a colon.
    """
    found: set[str] = set()
    above: list[tuple[int, Sequence[str]]] = []
    for line in without_counts_of_folders(text).splitlines():
        depth = len(line) - len(line.lstrip(" "))
        while above and above[-1][0] >= depth:
            above.pop()
        around = above[-1][1] if above else ("",)
        folder = _FOLDER_LINE.fullmatch(line)
        said = line.strip()
        if folder is not None:
            around = [f"{one}{from_word(each)}/" for one in around for each in _folders(folder[2])]
            above.append((depth, around))
            found.update(around)
            said = folder[3] or ""
        file = file_line(said)
        words = spelled(said).split()
        listed = {word for word in words if word.endswith("/")}
        names = {file.name} if file.said else listed or {said, *words} - {""}
        found.update(f"{one}{from_word(name)}" for one in around for name in names)
    return found


def without_counts_of_folders(text: str) -> str:
    """A text without what counts the folders that a map does not tell: `+8 folders`."""
    return _FOLDERS_LEFT.sub("", text)


class FileLine(NamedTuple):
    """A line of a map that tells of one file: its name, and all that it says of the file's definitions."""

    name: str
    said: str


def file_line(line: str) -> FileLine:
    """Reads a line that names a file with what it defines; where it is another one, it says nothing of definitions."""
    before, _, after = line.strip().partition(": ")
    found = _MEMBERS.fullmatch(before)
    return FileLine(found[1], f"{found[2]} {after}") if found else FileLine(before, after)


def is_folder_line(line: str) -> bool:
    """Tells whether a line of a map names a folder."""
    return _FOLDER_LINE.fullmatch(line) is not None


def _folders(label: str) -> list[str]:
    """The folders that a line calls by a label: `test-{a b}`, or one with blanks."""
    return _each(label) if _BRACES.fullmatch(label) else [label]


def _around(path: str) -> Iterator[str]:
    """The folders around a path, itself where it ends with `/`."""
    while path:
        path = path.rpartition("/")[0]
        yield path
