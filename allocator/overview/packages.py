"""The packages of a repository: folders with a manifest of their own that hold source files.

Manifests say what starts a program, what a package offers, and what it is; every path that they name is told only where
a file of the repository lies there. What they name is often the result of a build (`./build/index.js`): then the source
that such results are made of is looked for where projects keep it (`src/index.ts`).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from itertools import islice, product
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.about import is_readme
from allocator.overview.grounds import Grounds
from allocator.overview.importance import NEAR_ROOT, ROOTS, WITHOUT_ROOTS
from allocator.overview.manifests import MANIFESTS, Manifest, manifest_of, sort_of_manifest
from allocator.overview.meanings import HEADERS
from allocator.overview.sayings import in_short, said_in_readme
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from skeleton.index.survey import Survey

MOST_ROOTS = 4
"""Roots of packages that are told."""

MOST_PACKAGES = 16
"""Packages whose descriptions are told."""

LEAST_SHARE = 10
"""A package that holds fewer than one in so many definitions is none that a reader would begin with."""

MOST_INSIDE = 200
"""Paths inside a package that are looked at."""

LEAST_INSIDE = 40
"""A path inside a package that adds fewer than one in so many of its definitions to what it offers is not told."""

ALIKE = 0.8
"""Of several that add so much of what the largest adds, the one with the shortest path is told."""

LEAST_PART = 50
"""One that holds fewer than one in so many is not told of."""

SIZEABLE = 200
"""A package that holds fewer than one in so many is not even said to be there."""

RUNS_APP, OF_APPS = "manage.py", ".py"
"""The name of the file that runs an app of Django, and the ending of those beside and below it that offer nothing to others."""

NO_ROOTS = ("mod.rs", ".html", ".css", ".php", *WITHOUT_ROOTS)
"""Endings of files that are called so and offer nothing to users of the package."""

INCLUDED = ("include", "src/include")
"""The folders of the headers of a package that are for others."""

MODULES = (".ts", ".tsx", ".mts", ".mjs")
"""Endings of files that offer what they say that they export, and nothing else."""

DECLARED = ".d.ts"
"""The ending of files that declare what others hold."""

_SOURCES = ("", "src", "lib")
_ENDINGS = (".ts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
SETUP = "setup.py"
"""A manifest, but inside a package of Python, where it is a module as any other."""

_OTHERS = ("build.gradle", "build.gradle.kts")
_OTHER_ENDING = ".fsproj"
_NAME = re.compile(r"\w+")
_SPECIAL = re.compile(r"__\w+__")
_EXPORTING = frozenset({"__all__", "__getattr__", "export", "exports"})
"""Words of files that offer something though no definition and no import stands there."""


class Package(NamedTuple):
    """A folder with a manifest.

    Attributes:
        folder: its path; "" for that of the whole.
        manifest: what its manifest says.
        share: the definitions of its source files.
        sources: the places of its source files, without those of packages inside it.
    """

    folder: str
    manifest: Manifest
    share: int
    sources: Sequence[int]


class Packages:
    """The packages that hold source files.

    Args:
        grounds: the files.
    """

    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._imports: dict[int, frozenset[int]] = {}

    @lazy
    def largest(self) -> Sequence[Package]:
        """All of them, those with most definitions first; the whole is one in any case."""
        grounds = self._grounds
        manifests: dict[str, list[int]] = {"": []}
        for place, file in enumerate(grounds.files):
            folder, _, name = file.path.rpartition("/")
            if name == SETUP and f"{folder}/__init__.py" in grounds.places:
                continue
            if sort_of_manifest(name):
                manifests.setdefault(folder, []).append(place)
            elif name in _OTHERS or name.endswith(_OTHER_ENDING):
                manifests.setdefault(folder, [])
        sources: dict[str, list[int]] = {}
        shares = Counter[str]()
        for file in grounds.voters:
            folder = grounds.files[file].path.rpartition("/")[0]
            while folder not in manifests:
                folder = folder.rpartition("/")[0]
            sources.setdefault(folder, []).append(file)
            shares[folder] += len(grounds.surveys[file].names)
        found = [
            Package(folder, self._manifest(manifests[folder]), shares[folder], held) for folder, held in sources.items()
        ]
        return sorted(found, key=lambda package: (-package.share, package.folder))

    @lazy
    def told(self) -> Sequence[Package]:
        """Those that are told of."""
        total = sum(package.share for package in self.largest)
        return [one for one in self.largest if one.share * LEAST_PART >= total]

    @lazy
    def sizeable(self) -> Sequence[Package]:
        """Those that are told of, and smaller ones that are to be published."""
        total = sum(package.share for package in self.largest)
        return [
            one
            for one in self.largest
            if one in self.told or (one.share * SIZEABLE >= total and self.unpublished.isdisjoint(one.sources))
        ]

    @lazy
    def names(self) -> Mapping[int, str]:
        """The name by which code calls the package of each source file, by its place, where its manifest names it."""
        named = [one for one in self.largest if one.manifest.name]
        return {file: one.manifest.name.replace("-", "_") for one in named for file in one.sources}

    @lazy
    def main(self) -> frozenset[int]:
        """The source files of packages that hold a tenth of all definitions or more; of those that are told of where none does."""
        total = sum(package.share for package in self.largest)
        large = [package for package in self.largest if package.share * LEAST_SHARE >= total] or self.told
        return frozenset(file for package in large for file in package.sources)

    @lazy
    def apart(self) -> frozenset[int]:
        """The source files of programs that packages do not offer."""
        said = (posixpath.join(one.folder, path).rstrip("/") for one in self.largest for path in one.manifest.apart)
        begins = tuple(f"{posixpath.normpath(path)}/" for path in said)
        return frozenset(
            file for file in self._grounds.voters if begins and self._grounds.files[file].path.startswith(begins)
        )

    @lazy
    def unpublished(self) -> frozenset[int]:
        """The source files of small packages that are not to be published, where most of the code is: they show or try that."""
        total = sum(package.share for package in self.largest)
        private = [one for one in self.largest if one.manifest.is_private and one.folder]
        named = (one.share for one in self.largest if one.manifest.name and one not in private)
        small = (one for one in private if one.share * LEAST_PART < total)
        return frozenset(file for one in small for file in one.sources) if 2 * sum(named) > total else frozenset()

    def starts(self) -> Iterator[tuple[str, str, str]]:
        """The folder of a package, the name of a program and what it starts with, of those near the root."""
        for package in sorted(self.told, key=lambda package: package.folder):
            if package.folder.count("/") <= 1:
                for name, said in package.manifest.starts.items():
                    yield package.folder, name, said

    def roots(self) -> list[str]:
        """The addresses of the files in which the largest packages say what they offer, or of the folders that they do."""
        files = [self._grounds.files[place].address for place in self.root_places]
        return [*files, *self.headers, *self._libraries()][: max(MOST_ROOTS, len(files))]

    def _libraries(self) -> list[str]:
        """The addresses of the folders that others import by their names, those with most definitions first."""
        shares = Counter[str]()
        for package in self.told:
            folders = [posixpath.normpath(posixpath.join(package.folder, one)) for one in package.manifest.libraries]
            for file in package.sources if folders else ():
                path = self._grounds.files[file].path
                for folder in folders:
                    shares[folder] += len(self._grounds.surveys[file].names) * path.startswith(f"{folder}/")
        return [f"{self._grounds.folder(folder)}/" for folder, share in shares.most_common() if share]

    @lazy
    def headers(self) -> Sequence[str]:
        """The innermost folders with all headers that packages put where others include them from."""
        return [*self._headers()]

    def _headers(self) -> Iterator[str]:
        for package in self.told:
            around = tuple(f"{package.folder}/{folder}/".lstrip("/") for folder in INCLUDED)
            paths = [self._grounds.files[file].path for file in package.sources]
            held = [path.rpartition("/")[0] for path in paths if path.startswith(around) and path.endswith(HEADERS)]
            if held:
                yield f"{self._grounds.folder(posixpath.commonpath(held))}/"

    @lazy
    def root_places(self) -> Sequence[int]:
        """The places of these files."""
        found = [path for package in self.told for path in self._roots_of(package)]
        inside = self._inside()[: MOST_ROOTS - len(found)] if len(found) < MOST_ROOTS else []
        return [self._grounds.places[path] for path in (*sorted(found[:MOST_ROOTS]), *inside)]

    @lazy
    def speaking(self) -> Sequence[int]:
        """Likewise, but for one that only hands on another file the place of that."""
        return [self._handed_on(place) for place in self.root_places]

    def _handed_on(self, place: int) -> int:
        handed = self.imported(place)
        return place if self._grounds.surveys[place].names or len(handed) != 1 else next(iter(handed))

    def _inside(self) -> list[str]:
        """The files in which packages say what they offer by paths inside them: those that add most to what came before."""
        found: list[tuple[int, str]] = []
        for package in self.told:
            said = [
                [self.meant(package.folder, path) for path in paths] for paths in package.manifest.inside[:MOST_INSIDE]
            ]
            sources = {self._grounds.files[file].path for file in package.sources}
            places = {path: self._grounds.places[path] for paths in said for path in paths if path in sources}
            left = {path: self._reached(place) for path, place in places.items() if not path.endswith(DECLARED)}
            roots = [self._reached(self._grounds.places[path]) for path in self._roots_of(package)]
            seen = frozenset[int]().union(*roots)
            for _ in range(MOST_ROOTS):
                adds = {path: self._share(reached - seen) for path, reached in left.items()}
                most = max(adds.values(), default=0)
                if not left or most * LEAST_INSIDE < package.share:
                    break
                plainest = min((path for path in left if adds[path] >= ALIKE * most), key=_length)
                found.append((-adds[plainest], plainest))
                seen |= left.pop(plainest)
        return [path for _, path in sorted(found)]

    def _reached(self, file: int) -> frozenset[int]:
        """The source files that a file imports by paths from its own place on, and those that they import, itself included."""
        reached, left = {file}, [file]
        while left:
            new = self.imported(left.pop()) - reached
            reached |= new
            left += new
        return frozenset(reached)

    def imported(self, file: int) -> frozenset[int]:
        """The source files that one of JavaScript imports by paths from its own place on."""
        if file not in self._imports:
            around = self._grounds.files[file].path.rpartition("/")[0]
            said = (one for words in self._grounds.surveys[file].imports for one in words.split(" ") if one[0] == ".")
            paths = (posixpath.normpath(posixpath.join(around, one)) for one in said)
            self._imports[file] = frozenset(place for path in paths if (place := self._module(path)) is not None)
        return self._imports[file]

    def _module(self, path: str) -> int | None:
        """The source file that a path of JavaScript means."""
        bare = path.rpartition(".")[0] if path.endswith(_ENDINGS) else path
        tried = (path, *(f"{one}{ending}" for one in (bare, f"{path}/index") for ending in _ENDINGS))
        places = (self._grounds.places.get(one) for one in tried)
        return next((place for place in places if place in self._voters), None)

    @lazy
    def _voters(self) -> frozenset[int | None]:
        return frozenset(self._grounds.voters)

    def _share(self, files: Iterable[int]) -> int:
        return sum(len(self._grounds.surveys[file].names) for file in files)

    @lazy
    def offered(self) -> frozenset[str]:
        """The names that the files hold in which the packages that are told of say what they offer: imported and own."""
        places = [self._grounds.places[path] for package in self.told for path in self._roots_of(package)]
        surveys = [self._grounds.surveys[place] for place in dict.fromkeys((*places, *map(self._handed_on, places)))]
        imported = {name.group() for survey in surveys for words in survey.imports for name in _NAME.finditer(words)}
        return frozenset(imported.union(*(survey.names for survey in surveys)))

    def described(self) -> list[str]:
        """The folders of packages inside the whole with what they say of themselves, but for very small ones."""
        told = ((one.folder, self._said(one)) for one in self.sizeable if one.folder)
        return [*islice((f"{self._grounds.folder(folder)}: {said}" for folder, said in told if said), MOST_PACKAGES)]

    def _said(self, package: Package) -> str:
        """The sentence in which a package says what it is, in its manifest or its README; "" where it does not."""
        if said := in_short(package.manifest.sentences(), package.folder):
            return said
        place = self._readmes.get(package.folder)
        return said_in_readme(self._grounds.source(place).decode("utf-8", "replace"), package.folder) if place else ""

    @lazy
    def _readmes(self) -> Mapping[str, int]:
        """The places of READMEs by their folders."""
        split = ((place, file.path.rpartition("/")) for place, file in enumerate(self._grounds.files))
        return {folder: place for place, (folder, _, name) in split if is_readme(name)}

    def meant(self, folder: str, said: str) -> str | None:
        """The path of a file that a manifest means, or of that which it is made of; none of one that a program wrote.

        Args:
            folder: of the manifest.
            said: the path, from there.
        """
        files = self._by_hand
        bare = "/".join(piece for piece in said.split("/") if piece not in ("", "."))
        around = f"{folder}/" if folder else ""
        if around + bare in files:
            return around + bare
        inner = bare.partition("/")[2] or bare
        base = inner.rpartition(".")[0] or inner
        tried = (
            f"{around}{source}{'/' if source else ''}{name}{ending}"
            for name, source, ending in product((base, base.rpartition("/")[2], f"{inner}/index"), _SOURCES, _ENDINGS)
        )
        return next((path for path in tried if path in files), None)

    @lazy
    def _by_hand(self) -> frozenset[str]:
        """The paths of the files that no program wrote."""
        return frozenset(path for path, place in self._grounds.places.items() if place not in self._grounds.made)

    def _roots_of(self, package: Package) -> list[str]:
        """The file in which a package says what it offers, by its manifest or its name; several of packages in one."""
        surveys = {self._grounds.files[file].path: self._grounds.surveys[file] for file in package.sources}
        words = {path: len(survey.words) for path, survey in surveys.items() if _offers(path, survey)}
        said = [self.meant(package.folder, path) for path in package.manifest.offers]
        offers = [path for path in said if path in words][:1]
        around = f"{package.folder}/" if package.folder else ""
        if offers:
            roots = [path for path in words if path.startswith(f"{around}src/index.") and is_root(path)]
            sources = [path for path in roots if not path.endswith(DECLARED)]
            return [max((*offers, *sources), key=words.__getitem__)]
        if package.manifest.in_parts:
            return []
        named = [path for path in surveys if is_root(path) and _is_near(path.removeprefix(around))]
        named = [path for path in named if not (path.endswith(OF_APPS) and path.startswith(self._apps))]
        outer = [path for path in _outside_of_others(named) if path in words]
        least = min((path.count("/") for path in outer), default=0)
        outermost = sorted(path for path in outer if path.count("/") == least)
        return outermost if len(outermost) <= MOST_ROOTS else []

    @lazy
    def _apps(self) -> tuple[str, ...]:
        """The folders, as paths begin there, with files that run an app."""
        paths = (self._grounds.files[file].path for file in self._grounds.voters)
        return tuple(path.removesuffix(RUNS_APP) for path in paths if f"/{path}".endswith(f"/{RUNS_APP}"))

    def _manifest(self, places: Sequence[int]) -> Manifest:
        """The first manifest of a folder that says something."""
        grounds = self._grounds
        by_sort: dict[str, int] = {}
        for place in places:
            by_sort.setdefault(sort_of_manifest(grounds.files[place].path.rpartition("/")[2]), place)
        read = (
            manifest_of(
                grounds.files[by_sort[sort]].path.rpartition("/")[2],
                grounds.source(by_sort[sort]).decode("utf-8", "replace"),
            )
            for sort in MANIFESTS
            if sort in by_sort
        )
        return next((manifest for manifest in read if manifest != Manifest()), Manifest())


def _offers(path: str, survey: Survey) -> bool:
    """Tells of a file whether others can have anything of it: a comment and a version are nothing."""
    says = not _EXPORTING.isdisjoint(survey.words)
    if path.endswith(MODULES) and not path.endswith(DECLARED):
        return says
    own = any(not _SPECIAL.fullmatch(name) for name in survey.names)
    return own or bool(survey.imports) or says


def _length(path: str) -> tuple[int, int, str]:
    return path.count("/"), len(path), path


def _outside_of_others(roots: Sequence[str]) -> list[str]:
    """Those roots whose folder lies in that of no other: what is inside a package does not speak for it."""
    folders = {PurePosixPath(path).parent for path in roots}
    return [path for path in roots if folders.isdisjoint(PurePosixPath(path).parent.parents)]


def is_root(path: str) -> bool:
    """Tells whether a file, by its name, says what a package offers: `index.data.ts` and what tools keep in `.vitepress/` do not."""
    own, _, ending = path.rpartition("/")[2].removesuffix(DECLARED).partition(".")
    return own in ROOTS and "." not in ending and not path.endswith(NO_ROOTS) and "/." not in f"/{path}"


def _is_near(path: str) -> bool:
    """Tells of a root by its path in its package whether it can speak for that: of JavaScript one right where sources begin."""
    folder = path.rpartition("/")[0]
    return folder in _SOURCES if path.endswith(_ENDINGS) else path.count("/") <= NEAR_ROOT
