"""Tells which parts of a repository use which, by the statements of their files that import.

The parts are the packages inside; where there are none, folders. A statement means a part where it holds a path that names
the part, or the name of a definition that no other part has and that is no member; a name counts only beside a word that is
at home here, as anything may be called so outside. A header of C means the part that holds the only file so called, but for
those that come with every compiler or system, which a part may hold in its own form; a package of Java,
Kotlin or C# the one that holds next to all files of the folders that spell it, and a path of Go, which begins with the name of a
module, the one that holds its folder. What next to no file of a part imports is not told.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.manifests import manifest_of
from skeleton.languages.kinds import OF_OBJECTS
from workspace.lazy import lazy
from workspace.paths import as_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.overview.grounds import Grounds
    from allocator.overview.packages import Package

MOST_PARTS = 10
"""The largest parts, which are told."""

MOST_USED = 3
"""The parts that are told of what one uses."""

LEAST_SHARE = 10
"""A part uses another where one in so many of its files imports it."""

DEEP = 3
"""Folders above one of which only the end of its path is told."""

LARGEST_SHARE = 0.6
"""A part that holds more of all definitions than this is parted into its folders."""

_SPLIT = re.compile(r"[/\\.:]+")
_HUMPS = re.compile(r"[a-z0-9][A-Z]|[^_]_[^_]")
_BUILD = frozenset({"", "src", "lib", "main", "java", "kotlin", "scala", "source", "sources", "test", "tests"})
SCOPE = "@"
"""The sign of a scope of packages: `@vue/shared`."""

INCLUDES = "include "
"""The beginning of a statement of C."""

OF_PACKAGES = (".java", ".kt", ".kts", ".scala", ".groovy")
"""Endings of files of languages in which folders spell a package."""

OF_MODULES = ".go"
"""The ending of files that import folders by the name of their module."""

OF_PROJECTS = ".cs"
"""The ending of files whose folders spell a package below the file of a project, which gives that its first names."""

PROJECT = ".csproj"
_ROOT_OF_PROJECT = re.compile(r"<RootNamespace>\s{0,99}([\w.]{1,200})\s{0,99}</RootNamespace>")

MODULE = "go.mod"
"""The name of the manifest that gives a module its name."""

_SOURCES = re.compile(r"(?:^|/)(?:src/(?:[^/]+/)?(?:java|kotlin|scala|groovy)|src|java|kotlin|scala|groovy)/")
"""The folders above those that spell a package."""

HOME_SHARE = 0.75
"""A part that holds more than this of the files of a package is where it is at home."""

_SETTINGS = re.compile(r"[tj]sconfig(?:\.\w{1,20})?\.json")
_PATHS = re.compile(r"\"paths\"\s{0,9}:\s{0,9}\{[^{}]*\}")
_ALIAS = re.compile(r"\"(@[\w.-]{1,80}/[\w./-]{1,80})(?:\*)?\"\s{0,9}:\s{0,9}\[\s{0,40}\"([^\"\n*]{1,200})")
"""A name that settings of TypeScript give to a file, and the path of that."""

_MEMBERS = OF_OBJECTS | {"member"}
"""Kinds of what no statement imports by its own name."""

_HERE = frozenset({"crate", "super", "self"})

_COMMON = (
    "assert complex ctype dirent errno fcntl fenv float getopt inttypes iso646 limits locale math poll pthread sched setjmp "
    "signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings tgmath threads time uchar unistd "
    "wchar wctype windows"
)
COMMON = frozenset(f"{name}.h" for name in _COMMON.split())
"""Headers that come with compilers of C and systems."""


class _Part(NamedTuple):
    """A part of a repository.

    Attributes:
        folder: the path that all its files have in common.
        name: that of its package, or "".
        files: the places of its source files.
        share: the definitions there.
    """

    folder: str
    name: str
    files: Sequence[int]
    share: int


def uses(grounds: Grounds, packages: Sequence[Package]) -> list[str]:
    """Tells which parts use which, each as `packages/a, packages/b > packages/c`.

    Args:
        grounds: the files.
        packages: those that hold source files.
    """
    every = _parts(grounds, packages)
    parts = sorted(every, key=lambda part: (-part.share, part.folder))[:MOST_PARTS]
    used = _used(grounds, parts, _Homes(grounds, every))
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for part in parts:
        if used[part.folder]:
            alike[tuple(used[part.folder])].append(part.folder)
    short = _short(grounds, [part.folder for part in parts])
    return [
        f"{', '.join(short[one] for one in those)} > {', '.join(short[one] for one in these)}"
        for these, those in alike.items()
    ]


def _short(grounds: Grounds, folders: Sequence[str]) -> Mapping[str, str]:
    """The addresses of folders as they are told: of those that lie deep the end alone, where no other ends so."""
    ends = {folder: "/".join(folder.split("/")[-2:]) for folder in folders}
    often = Counter(ends.values())
    return {
        folder: f"…/{as_word(end)}" if folder.count("/") >= DEEP and often[end] == 1 else grounds.folder(folder)
        for folder, end in ends.items()
    }


def _parts(grounds: Grounds, packages: Sequence[Package]) -> list[_Part]:
    parts = [_Part(one.folder, one.manifest.name, one.sources, one.share) for one in packages]
    total = sum(part.share for part in parts)
    found: list[_Part] = []
    for part in parts:
        found += _folders_of(grounds, part) if part.share > total * LARGEST_SHARE else [part]
    return found


def _folders_of(grounds: Grounds, part: _Part) -> list[_Part]:
    """The folders of a part, at the depth at which there are several; of the largest one its folders again, once."""
    folders: dict[str, list[int]] = defaultdict(list)
    paths = [grounds.files[file].path for file in part.files]
    depth = _common_depth(paths)
    for file, path in zip(part.files, paths, strict=True):
        folders["/".join(path.split("/")[:-1][: depth + 1])].append(file)
    found = [
        _Part(folder, "", files, sum(len(grounds.surveys[file].names) for file in files))
        for folder, files in folders.items()
    ]
    if len(found) < 2:
        return [part]
    largest = max(found, key=lambda one: one.share)
    if largest.share <= part.share * LARGEST_SHARE or largest.folder == part.folder or len(found) > MOST_PARTS:
        return found
    return [one for one in found if one is not largest] + _folders_of(grounds, largest)


def _common_depth(paths: Sequence[str]) -> int:
    """The folders that some files have in common."""
    folders = [path.split("/")[:-1] for path in paths]
    depth = 0
    while all(len(one) > depth for one in folders) and len({one[depth] for one in folders}) == 1:
        depth += 1
    return depth


class _Homes:
    """The parts in which headers and packages are at home.

    Args:
        grounds: the files.
        parts: all of them.
    """

    def __init__(self, grounds: Grounds, parts: Sequence[_Part]) -> None:
        self._grounds = grounds
        self._of_file = {grounds.files[file].path: part.folder for part in parts for file in part.files}
        self._known: dict[tuple[str, ...], str | None] = {}

    @lazy
    def _called(self) -> Mapping[str, Sequence[str]]:
        """The paths of files by name."""
        called: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._of_file:
            called[path.rpartition("/")[2]].append(path)
        return called

    @lazy
    def _modules(self) -> Mapping[str, str]:
        """The parts of folders with files of modules, by the paths that import them."""
        grounds = self._grounds
        homes = {path.rpartition("/")[0]: part for path, part in self._of_file.items() if path.endswith(OF_MODULES)}
        roots = {
            path.removesuffix(MODULE).removesuffix("/"): manifest_of(MODULE, _text(grounds, place)).name
            for path, place in (grounds.places.items() if homes else ())
            if f"/{path}".endswith(f"/{MODULE}")
        }
        found: dict[str, str] = {}
        for folder, part in homes.items():
            root = next((one for one in _upwards(folder) if roots.get(one)), None)
            if root is not None:
                found[posixpath.join(roots[root], folder[len(root) :].strip("/")).rstrip("/")] = part
        return found

    @lazy
    def _projects(self) -> Mapping[str, tuple[str, ...]]:
        """The folders of projects of C#, with the first names of the packages that the folders below them spell."""
        grounds, found = self._grounds, dict[str, tuple[str, ...]]()
        for path, place in grounds.places.items():
            if path.endswith(PROJECT):
                folder, _, name = path.rpartition("/")
                said = _ROOT_OF_PROJECT.search(_text(grounds, place))
                found[folder] = tuple((said[1] if said else name.removesuffix(PROJECT)).split("."))
        return found

    def _spelled(self, folder: str, ending: str) -> tuple[str, ...] | None:
        """The package that the path of a folder with files of such an ending spells."""
        if ending != OF_PROJECTS:
            above = _SOURCES.search(folder)
            return tuple(folder[above.end() :].split("/")) if above else None
        root = next((one for one in _upwards(folder) if one in self._projects), None)
        if root is None:
            return None
        return *self._projects[root], *filter(None, folder.removeprefix(root).split("/"))

    @lazy
    def _packages(self) -> Mapping[tuple[str, ...], Counter[str]]:
        """The number of files of each part in the folders that spell a package."""
        endings = (*OF_PACKAGES, OF_PROJECTS)
        folders = Counter(
            (path.rpartition("/")[0], path[path.rfind(".") :], part)
            for path, part in self._of_file.items()
            if path.endswith(endings)
        )
        held: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for (folder, ending, part), count in folders.items():
            spelled = self._spelled(folder, ending)
            if spelled is not None:
                held[spelled][part] += count
        return held

    def meant(self, said: str, path: str) -> Iterator[str]:
        """Returns the folders of the parts that a statement means.

        Args:
            said: the statement.
            path: that of its file.
        """
        if said.startswith(INCLUDES):
            around = path.rpartition("/")[0]
            yield from filter(None, (self._header(one, around) for one in said.split(" ")[1:]))
        elif path.endswith((*OF_PACKAGES, OF_PROJECTS)):
            yield from filter(None, (self._package(tuple(one.strip(".").split("."))) for one in said.split(" ")[1:]))
        elif path.endswith(OF_MODULES):
            yield from (self._modules[one] for one in said.split(" ")[1:] if one in self._modules)

    def _header(self, said: str, around: str) -> str | None:
        """The part of a header: of the one beside the file, or of all that are called so."""
        beside = self._of_file.get(f"{around}/{said}" if around else said)
        if beside is not None or said in COMMON:
            return beside
        end = f"/{said}"
        found = {self._of_file[one] for one in self._called.get(end.rpartition("/")[2], ()) if f"/{one}".endswith(end)}
        return found.pop() if len(found) == 1 else None

    def _package(self, path: tuple[str, ...]) -> str | None:
        """The part of the longest beginning of a path that spells a package."""
        if path not in self._known:
            ends = range(len(path), 0, -1)
            held = next((self._packages[path[:end]] for end in ends if path[:end] in self._packages), Counter[str]())
            home, count = next(iter(held.most_common(1)), (None, 0))
            self._known[path] = home if count > HOME_SHARE * held.total() else None
        return self._known[path]


def _text(grounds: Grounds, place: int) -> str:
    return grounds.source(place).decode("utf-8", "replace")


def _upwards(folder: str) -> Iterator[str]:
    """A folder and those above it, up to the whole, which is ""."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _used(grounds: Grounds, parts: Sequence[_Part], homes: _Homes) -> Mapping[str, Sequence[str]]:
    """For each part the folders of those that its files import, those that most files do first."""
    by_path = _aliases(grounds, parts) | {key: part.folder for part in reversed(parts) for key in _keys(part)}
    by_name = _names_of_one(grounds, parts)
    home = _HERE | {
        piece for file in grounds.voters for piece in grounds.files[file].path.split("/")[:-1] if piece not in _BUILD
    }
    folders = frozenset(part.folder for part in parts)
    beside = _beside(grounds, parts)
    exact = {_folders(folder): home for folder, home in beside.items()}
    known: dict[str, frozenset[str]] = {}
    found: dict[str, Sequence[str]] = {}
    for part in parts:
        files = Counter[str]()
        for file in part.files:
            around = grounds.files[file].path.rpartition("/")[0]
            meant = set[str]()
            for said in grounds.surveys[file].imports:
                if said not in known:
                    known[said] = frozenset(_meant(said, by_path, by_name, home, exact))
                meant |= known[said]
                if said.startswith(".") or " ." in said:
                    meant.update(_nearby(said, around, folders, beside))
                meant.update(homes.meant(said, grounds.files[file].path))
            files.update(meant & folders - {part.folder})
        most = sorted(files, key=lambda one: (-files[one], one))
        found[part.folder] = [one for one in most if files[one] * LEAST_SHARE >= len(part.files)][:MOST_USED]
    return found


def _keys(part: _Part) -> list[tuple[str, ...]]:
    """The paths by which statements name a part: that of its package, and the end of its folder."""
    named, folder = tuple(_pieces(part.name)), _folders(part.folder)
    return [key for key in (named, folder) if key and (len(key) > 1 or key == named)]


def _aliases(grounds: Grounds, parts: Sequence[_Part]) -> dict[tuple[str, ...], str]:
    """The names in a scope by which the settings of TypeScript in the root have code import files, with the parts of these."""
    folders, found = {part.folder for part in parts}, dict[tuple[str, ...], str]()
    for path, place in grounds.places.items():
        if _SETTINGS.fullmatch(path):
            for paths in _PATHS.findall(_text(grounds, place)):
                for name, said in _ALIAS.findall(paths):
                    home = next((one for one in _upwards(posixpath.normpath(said)) if one in folders), None)
                    if home is not None:
                        found.setdefault(tuple(_pieces(name)[:2]), home)
    return found


def _folders(path: str) -> tuple[str, ...]:
    """The end of a path, as statements write it."""
    return tuple(piece.replace("-", "_") for piece in path.split("/")[-2:])


def _beside(grounds: Grounds, parts: Sequence[_Part]) -> Mapping[str, str]:
    """The folders of parts beside which a file is called the same, each with the part of that: who names both means the file."""
    folders = {part.folder for part in parts}
    return {
        bare: part.folder
        for part in parts
        for file in part.files
        if (bare := grounds.files[file].path.rpartition(".")[0]) in folders
    }


def _names_of_one(grounds: Grounds, parts: Sequence[_Part]) -> Mapping[str, str]:
    """The names of several words that only one part defines, members left out, with its folder."""
    found: dict[str, str | None] = {}
    for part in parts:
        for file in part.files:
            survey = grounds.surveys[file]
            for name, kind in zip(survey.names, survey.kinds, strict=True):
                if kind not in _MEMBERS and _HUMPS.search(name):
                    found[name] = part.folder if found.get(name, part.folder) == part.folder else None
    return {name: folder for name, folder in found.items() if folder is not None}


def _meant(
    said: str,
    by_path: Mapping[tuple[str, ...], str],
    by_name: Mapping[str, str],
    home: frozenset[str],
    exact: Mapping[tuple[str, ...], str],
) -> Iterator[str]:
    """The folders of the parts that a statement means."""
    paths = [_pieces(one) for one in said.split(" ")]
    for path in paths:
        if (file := exact.get(tuple(path[-2:]))) is not None:
            yield file
        else:
            yield from _named(path, by_path)
    if "./" in said or " ." in said or any(path[0] in home for path in paths if path):
        for path in paths:
            for name in path:
                if name in by_name:
                    yield by_name[name]


def _nearby(said: str, around: str, folders: frozenset[str], beside: Mapping[str, str]) -> Iterator[str]:
    """The folders of the parts in which the paths lie that a statement gives from its own place on.

    Args:
        said: the statement.
        around: the folder of its file.
        folders: those of the parts.
        beside: of those beside which a file is called the same, the part of that.
    """
    for one in said.split(" "):
        if not one.startswith("."):
            continue
        bare = one.lstrip(".")
        if not bare.startswith("/"):  # of Python: a point for this folder, one more for each above it
            one = "../" * (len(one) - len(bare) - 1) + bare.replace(".", "/")
        path = posixpath.normpath(posixpath.join(around, one))
        path = beside.get(path, path)
        while path and path not in folders:
            path = path.rpartition("/")[0]
        if path:
            yield path


def _named(path: Sequence[str], by_path: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """The folders of the parts that a path names: the package that it begins with, or the end of a folder inside it."""
    if not path:
        return
    whole = by_path.get(tuple(path[:2])) or (by_path.get((path[0],)) if path[0][0] != SCOPE else None)
    if whole is not None:
        yield whole
        return
    for start in range(1, len(path) - 1):
        folder = by_path.get(tuple(path[start : start + 2]))
        if folder is not None:
            yield folder


def _pieces(path: str) -> list[str]:
    """The names in a path; that of a scope keeps its sign."""
    scoped = path.startswith(SCOPE)
    pieces = [piece for piece in _SPLIT.split(path.replace("-", "_").lstrip(SCOPE)) if piece]
    if scoped and pieces:  # all of the scope and the name of the package
        scope, _, rest = path.partition("/")
        count = len([piece for piece in _SPLIT.split(scope.lstrip(SCOPE)) if piece])
        return [SCOPE + "/".join(pieces[:count]), *pieces[count:]] if rest else []
    return pieces
