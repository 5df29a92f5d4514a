"""The parts of a repository in which is at home what statements import, and those that projects say they use.

A header of C means the part that holds the only file so called, but for those that come with every compiler or system, which
a part may hold in its own form; a package of Java, Kotlin, C# or PHP the one that holds next to all files of the folders that
spell it; a path of Go, which begins with the name of a module, the one that holds its folder; and a path of TypeScript that
begins as its settings say, the one that holds the folder which that stands for.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

from allocator.overview.importance import SCOPES
from allocator.overview.manifests import manifest_of, table_in
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.overview.grounds import Grounds

INCLUDES = "include "
"""The beginning of a statement of C."""

OF_PACKAGES = (".java", ".kt", ".kts", ".scala", ".groovy")
"""Endings of files of languages in which folders spell a package."""

OF_MODULES = ".go"
"""The ending of files that import folders by the name of their module."""

OF_PROJECTS = ".cs"
"""The ending of files whose folders spell a package below the file of a project, which gives that its first names."""

PROJECT = ".csproj"
OF_RUNTIME = "System"
"""The first name of the packages that come with C#: a file that puts types into one gives older ones what they lack."""

_REFERS = re.compile(r"<ProjectReference\s{1,99}Include\s{0,9}=\s{0,9}\"([^\"\n]{1,300})\"")
_ROOT_OF_PROJECT = re.compile(r"<RootNamespace>\s{0,99}([\w.]{1,200})\s{0,99}</RootNamespace>")

OF_NAMESPACES = ".php"
"""The ending of files whose folders spell a package below one that a manifest gives a namespace to."""

COMPOSER = "composer.json"
"""The name of that manifest."""

_AUTOLOADED = ("autoload", "autoload-dev")
"""The parts of it that give namespaces, each under `psr-4`."""

MODULE = "go.mod"
"""The name of the manifest that gives a module its name."""

_SOURCES = re.compile(r"(?:^|/)(?:src/(?:[^/]+/)?(?:java|kotlin|scala|groovy)|src|java|kotlin|scala|groovy)/")
"""The folders above those that spell a package."""

SPELLING = (*OF_PACKAGES, OF_PROJECTS, OF_NAMESPACES)
WHOLLY_SPELLED = (*OF_PACKAGES, OF_NAMESPACES)
"""The same of languages in which a file names all packages that it uses: one of C# sees those around its own without a word."""

_NAMED = (OF_PROJECTS, OF_NAMESPACES)
"""Endings of files whose packages begin with names that a manifest says."""

_OF_FILE = "Kt"
"""The end of the name that Java calls a file of Kotlin by."""

_PARTED = re.compile(r"[.\\]")

HOME_SHARE = 0.75
"""A part that holds more than this of the files of a package is where it is at home."""

_SETTINGS = re.compile(r"[tj]sconfig(?:\.\w{1,20})?\.json")
_PATHS = re.compile(r"\"paths\"\s{0,9}:\s{0,9}\{[^{}]*\}")
_BASE = re.compile(r"\"baseUrl\"\s{0,9}:\s{0,9}\"([^\"\n]{1,200})\"")
_ALIAS = re.compile(
    r"\"[#$]?([@\w.-]{1,80}(?:/[\w.-]{1,80}){0,9})(?:/\*)?\"\s{0,9}:\s{0,9}\[\s{0,40}\"([^\"\n*]{1,200})"
)
"""A name that settings of TypeScript give to a file or a folder, and the path of that."""

_COMMON = (
    "assert complex ctype dirent errno fcntl fenv float getopt inttypes iso646 limits locale math poll pthread sched setjmp "
    "signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string strings tgmath threads time uchar unistd "
    "wchar wctype windows"
)
COMMON = frozenset(f"{name}.h" for name in _COMMON.split())
"""Headers that come with compilers of C and systems."""


BUILDS = frozenset({"build.gradle", "build.gradle.kts"})
"""Names of the files that say how a project of Gradle is built."""

_DEPENDS = re.compile(
    r"^[ \t]{0,40}(\w{0,40}(?:[aA]pi|[iI]mplementation|[cC]ompile(?:Only)?))[ \t(]{1,9}(?:projects((?:\.\w{1,60}){1,6})|project\((?:path ?[=:] ?)?[\"']((?::[\w.-]{1,60}){1,6})[\"'])",
    re.MULTILINE,
)
"""A line by which such a project depends on another: for what, and the path of that in either form."""


class Part(NamedTuple):
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


class Homes:
    """The parts in which headers and packages are at home.

    Args:
        grounds: the files.
        parts: all of them.
    """

    def __init__(self, grounds: Grounds, parts: Sequence[Part]) -> None:
        self._grounds = grounds
        self._of_file = {grounds.files[file].path: part.folder for part in parts for file in part.files}
        self._folders = frozenset(part.folder for part in parts)
        self._known: dict[tuple[tuple[str, ...], bool], str | None] = {}

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
            root = next((one for one in upwards(folder) if roots.get(one)), None)
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

    @lazy
    def _namespaces(self) -> Mapping[str, tuple[str, ...]]:
        """The folders that manifests of PHP give namespaces to, with the names of these."""
        grounds, found = self._grounds, dict[str, tuple[str, ...]]()
        for path, place in grounds.places.items():
            if f"/{path}".endswith(f"/{COMPOSER}"):
                around = path.removesuffix(COMPOSER)
                for name, folder in _namespaces_in(_text(grounds, place)):
                    found[_plain(around + folder)] = tuple(filter(None, name.split("\\")))
        return found

    @lazy
    def _with_source(self) -> frozenset[str]:
        """The folders with source files in or below them."""
        return frozenset(chain.from_iterable(map(upwards, {path.rpartition("/")[0] for path in self._of_file})))

    @lazy
    def _aliases(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The names that settings of TypeScript give to files and folders, each with the folders of the settings and the paths."""
        found = defaultdict[str, list[tuple[str, str]]](list)
        for path, place in self._grounds.places.items():
            folder, _, name = path.rpartition("/")
            if _SETTINGS.fullmatch(name):
                for alias, target in self._named_in(folder, _text(self._grounds, place)):
                    found[alias].append((folder, target))
        return found

    def _named_in(self, folder: str, text: str) -> Iterator[tuple[str, str]]:
        """The names that settings give, with the paths that they stand for; the folders where bare paths begin are some.

        Args:
            folder: that of the settings.
            text: these.
        """
        base = _BASE.search(text)
        around = _plain(posixpath.join(folder, base[1] if base else ""))
        begins = f"{around}/" if around else ""
        for one in self._with_source if base else ():
            if one.startswith(begins) and one.count("/") == begins.count("/"):
                yield one[len(begins) :], one
        for paths in _PATHS.findall(text):
            for alias, said in _ALIAS.findall(paths):
                yield alias, _plain(posixpath.join(around, said))

    def _spelled(self, folder: str, ending: str) -> tuple[str, ...] | None:
        """The package that the path of a folder with files of such an ending spells."""
        if ending not in _NAMED:
            above = _SOURCES.search(folder)
            return tuple(folder[above.end() :].split("/")) if above else None
        named = self._projects if ending == OF_PROJECTS else self._namespaces
        root = next((one for one in upwards(folder) if one in named), None)
        if root is None:
            return None
        return *named[root], *filter(None, folder.removeprefix(root).split("/"))

    @lazy
    def _packages(self) -> Mapping[tuple[str, ...], Counter[str]]:
        """The number of files of each part in the packages that they say they are of, or else that their folders spell."""
        held: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for package, path in self._in_packages:
            held[package][self._of_file[path]] += 1
        return held

    @lazy
    def _defined(self) -> Mapping[tuple[str, ...], frozenset[str]]:
        """The names that the files of each package define."""
        found: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for package, path in self._in_packages:
            found[package].update(self._grounds.surveys[self._grounds.places[path]].names)
        return {package: frozenset(names) for package, names in found.items()}

    @lazy
    def _in_packages(self) -> Sequence[tuple[tuple[str, ...], str]]:
        """The packages of files, with the paths of these."""
        spelled = dict[tuple[str, str], tuple[str, ...] | None]()
        found: list[tuple[tuple[str, ...], str]] = []
        for path in self._of_file:
            if path.endswith(SPELLING):
                key = path.rpartition("/")[0], path[path.rfind(".") :]
                if key not in spelled:
                    spelled[key] = self._spelled(*key)
                said = spelled[key]
                found += [(one, path) for one in self._declared(path) or ([said] if said else [])]
        return found

    def _declared(self, path: str) -> list[tuple[str, ...]]:
        """The packages that a file of C# puts its types into."""
        if not path.endswith(OF_PROJECTS):
            return []
        survey = self._grounds.surveys[self._grounds.places[path]]
        named = zip(survey.names, survey.kinds, survey.containers, strict=True)
        packages = [tuple(name.split(".")) for name, kind, around in named if kind in SCOPES and not around]
        ours = [names for names in self._projects.values() if names[0] == OF_RUNTIME]
        return [one for one in packages if one[0] != OF_RUNTIME or any(one[: len(own)] == own for own in ours)]

    def referred(self, folder: str) -> frozenset[str]:
        """The folders of the parts that the project of C# or Gradle in a folder says that it uses."""
        return self._folders & self._references.get(folder, frozenset[str]())

    @lazy
    def _references(self) -> Mapping[str, frozenset[str]]:
        """The folders of projects, with those of the projects that they say they use."""
        found = defaultdict[str, frozenset[str]](frozenset)
        for path, place in self._grounds.places.items():
            folder, _, name = path.rpartition("/")
            if name.endswith(PROJECT):
                found[folder] |= self._referred_by(folder, _text(self._grounds, place))
            elif name in BUILDS:
                found[folder] |= self._depended_on(_text(self._grounds, place))
        return found

    def _referred_by(self, folder: str, text: str) -> frozenset[str]:
        """The folders of the projects that one of C# in a folder refers to."""
        said = (path.replace("\\", "/") for path in _REFERS.findall(text))
        paths = (posixpath.normpath(posixpath.join(folder, path)) for path in said)
        return frozenset(path.rpartition("/")[0] for path in paths if path in self._grounds.places)

    def _depended_on(self, text: str) -> frozenset[str]:
        """The folders of the parts that a build of Gradle depends on, those for its tests alone left out."""
        said = ("".join(names) for sort, *names in _DEPENDS.findall(text) if "test" not in sort.lower())
        known = self._by_letters
        return frozenset(known[one] for path in said if (one := _letters(path)) in known)

    @lazy
    def _by_letters(self) -> Mapping[str, str]:
        """The folders of parts by their paths without the marks between words, which Gradle leaves out."""
        return {_letters(folder): folder for folder in self._folders}

    def _around(self, package: tuple[str, ...], path: str) -> tuple[str, ...]:
        """The whole name of a package of C#, which a file may leave the beginning out of that it has in common with its own."""
        for own in self._declared(path):
            for end in range(len(own), 0, -1):
                if (*own[:end], *package) in self._packages:
                    return *own[:end], *package
        return package

    def meant(self, said: str, path: str) -> Iterator[str]:
        """Returns the folders of the parts that a statement means.

        Args:
            said: the statement.
            path: that of its file.
        """
        if said.startswith(INCLUDES):
            around = path.rpartition("/")[0]
            yield from filter(None, (self._header(one, around) for one in said.split(" ")[1:]))
        elif path.endswith(SPELLING):
            wholly = path.endswith(WHOLLY_SPELLED)
            named = (self._around(one, path) for one in _packages_in(said))
            yield from filter(None, (self._package(one, wholly=wholly) for one in named))
        elif path.endswith(OF_MODULES):
            yield from (self._modules[one] for one in said.split(" ")[1:] if one in self._modules)
        elif self._aliases:
            yield from filter(None, (self._aliased(one, path) for one in said.split(" ")))

    def is_spelled(self, said: str, path: str) -> bool:
        """Tells of a statement whether it names by a whole path what it means: then it means what is there, or nothing.

        Args:
            said: the statement.
            path: that of its file.
        """
        if path.endswith(OF_MODULES):  # what lies in no module that is here is of others, be it called as a file is
            return bool(self._modules)
        return path.endswith(WHOLLY_SPELLED) and any(self._begun(one) for one in _packages_in(said))

    def _aliased(self, said: str, path: str) -> str | None:
        """The part of a path that begins with a name of the nearest settings that know it."""
        for begun in upwards(said):
            known = [one for one in self._aliases.get(begun, ()) if not one[0] or path.startswith(f"{one[0]}/")]
            if known:
                target = posixpath.normpath(max(known)[1] + said[len(begun) :])
                return next((one for one in upwards(target) if one in self._folders), None)
        return None

    def _header(self, said: str, around: str) -> str | None:
        """The part of a header: of the one beside the file, or of all that are called so."""
        beside = self._of_file.get(f"{around}/{said}" if around else said)
        if beside is not None or said in COMMON:
            return beside
        end = f"/{said}"
        found = {self._of_file[one] for one in self._called.get(end.rpartition("/")[2], ()) if f"/{one}".endswith(end)}
        return found.pop() if len(found) == 1 else None

    def _package(self, path: tuple[str, ...], *, wholly: bool) -> str | None:
        """The part of the longest beginning of a path that spells a package.

        Args:
            path: the names in it.
            wholly: what stands behind the package has to be defined there: else it is of others, as a package inside it.
        """
        key = path, wholly
        if key not in self._known:
            begun = self._begun(path)
            rest = path[len(begun) :]
            defined = self._defined.get(begun) if wholly else None
            is_of = not rest or not defined or rest[0] in defined or rest[0].endswith(_OF_FILE)
            held = self._packages.get(begun, Counter[str]()) if is_of else Counter[str]()
            home, count = next(iter(held.most_common(1)), (None, 0))
            self._known[key] = home if count > HOME_SHARE * held.total() else None
        return self._known[key]

    def _begun(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """The longest beginning of a path that spells a package."""
        return next((path[:end] for end in range(len(path), 0, -1) if path[:end] in self._packages), ())


def _namespaces_in(text: str) -> Iterator[tuple[str, str]]:
    """The namespaces that a manifest of PHP names, each with a folder whose files are of it; none of one that cannot be read."""
    try:
        manifest = table_in(json.loads(text))
    except (ValueError, RecursionError):
        return
    for part in _AUTOLOADED:
        for name, those in table_in(table_in(manifest.get(part)).get("psr-4")).items():
            for folder in cast("list[object]", those) if isinstance(those, list) else [those]:
                if isinstance(folder, str):
                    yield name, folder


def _packages_in(said: str) -> Iterator[tuple[str, ...]]:
    """The packages and types that a statement names, each as its names."""
    for one in said.split(" ")[1:]:
        yield tuple(_PARTED.split(one.strip(".\\")))


def _plain(path: str) -> str:
    """A path without points and strokes that say nothing; "" for the whole."""
    return posixpath.normpath(path).removeprefix(".").strip("/")


def _letters(path: str) -> str:
    """A path without marks inside its names, and those of Gradle between these as strokes."""
    return re.sub(r"[-_]", "", path.replace(".", "/").replace(":", "/")).lower().strip("/")


def _text(grounds: Grounds, place: int) -> str:
    return grounds.source(place).decode("utf-8", "replace")


def upwards(folder: str) -> Iterator[str]:
    """A folder and those above it, up to the whole, which is ""."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
