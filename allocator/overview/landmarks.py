"""Landmarks: where to begin in a code base and how it hangs together, in a few short lines of names that occur in it.

    begin: redis-server = src/server.c::main, …
    exports: src/flask/__init__.py
    main flow: main > initServer, aeMain; initServer > createClient
    tests: tests/ (24 files, 19 named like source)
    read next: src/flask/app.py::Flask, …

Every name is one that the code defines, every call one that stands in a body, every target one that `zoom` takes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from allocator.overview.importance import NEAR_ROOT, SCOPES, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from allocator.overview.importance import Standing, SurveyedFile
    from skeleton.index.survey import Survey

MOST_ENTRIES = 6
MOST_CALLEES = 4
"""Names that are told of what one definition calls."""
MOST_CALLERS = 5
"""Definitions whose calls are told."""
MOST_TARGETS = 6
MOST_ROOTS = 4
"""Packages side by side whose roots are told; of more none is the one to begin with."""
MOST_TEST_FOLDERS = 4
FOREMOST = 400
"""Definitions among which targets and callers are looked for."""
_CALL = re.compile(rb"([A-Za-z_]\w{2,63})\s*(?:::<[^<>()]{0,80}>)?!?\(")
_NO_CODE = re.compile(
    rb"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'|//[^\n]*|/\*.*?\*/|#(?!\[)[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)
_TEST_WORDS = re.compile(r"^(test[_-]?)|([_.-]?(tests?|spec|unittest|it))$", re.IGNORECASE)

CALLABLE = frozenset({"function", "method", "constructor"})

PACKAGE_ROOTS = frozenset({"__init__", "lib", "index", "mod"})
"""Names without ending of the files in which a package says what it offers, and starts nothing."""


HELPERS = frozenset({"build", "ci", "cmake", "contrib", "hack", "misc", "support", "tool", "tools", "util", "utils"})
"""Folders, in lower case, of what helps to build, check and write the rest."""


class Grounds(NamedTuple):
    """The material that landmarks are found in.

    Attributes:
        files: all files, by path.
        surveys: of each.
        voters: the places of the source files.
        tests: those of the tests.
        standing: what is important.
        source: gives the bytes of the file at a place.
    """

    files: Sequence[SurveyedFile]
    surveys: Sequence[Survey]
    voters: Sequence[int]
    tests: Sequence[int]
    standing: Standing
    source: Callable[[int], bytes]


class Spot(NamedTuple):
    """A definition: its file and its place there."""

    file: int
    place: int


def landmarks(grounds: Grounds) -> tuple[str, ...]:
    """Tells where to begin, in lines; those that would be empty are left out."""
    return _Finding(grounds).lines()


class _Finding:
    def __init__(self, grounds: Grounds) -> None:
        self._grounds = grounds
        self._spots: defaultdict[str, list[Spot]] = defaultdict(list)
        for file in grounds.voters:
            for place, name in enumerate(grounds.surveys[file].names):
                self._spots[name].append(Spot(file, place))

    def lines(self) -> tuple[str, ...]:
        entries = self._entries()
        told = {
            "begin": ", ".join(dict.fromkeys(label for label, _ in entries)),
            "exports": ", ".join(self._exports()),
            "main flow": self._flow([spot for _, spot in entries if spot is not None]),
            "tests": self._tests(),
            "read next": ", ".join(self._targets()),
        }
        return tuple(f"{name}: {said}" for name, said in told.items() if said)

    def _entries(self) -> list[tuple[str, Spot | None]]:
        """Returns the entry points of a program: those that manifests name, then functions called main."""
        found: list[tuple[str, Spot | None]] = []
        for place, file in enumerate(self._grounds.files):
            name = file.path.rpartition("/")[2]
            if name in _READERS and file.path.count("/") <= 1:
                try:
                    told = _READERS[name](self._grounds.source(place).decode("utf-8", "replace"))
                    found += [(self._label(script, said), self._meant(said)) for script, said in told.items()]
                except (ValueError, TypeError, AttributeError):
                    continue  # a manifest that cannot be read names nothing
        helps = self._helping()
        starts = [
            spot
            for name in ("main", "Main")
            for spot in self._spots[name]
            if self._is_start(spot) and spot.file not in helps
        ]
        rank = self._grounds.standing.rank
        starts.sort(key=lambda spot: (self._grounds.files[spot.file].path.count("/"), -rank[spot.file], spot))
        meant = {self.target(spot) for _, spot in found if spot is not None}
        found += [(self.target(spot), spot) for spot in starts if self.target(spot) not in meant]
        return found[:MOST_ENTRIES]

    def _helping(self) -> frozenset[int]:
        """Returns the source files that help to build or test the others: where they start is no place to begin."""
        grounds = self._grounds
        among_tools = {file for file in grounds.voters if not HELPERS.isdisjoint(_folders(grounds.files[file].path))}
        if 2 * len(among_tools) > len(grounds.voters):
            among_tools.clear()
        return grounds.standing.minor | among_tools

    def _exports(self) -> list[str]:
        """The outermost files in which packages say what they offer."""
        files = [self._grounds.files[file] for file in self._grounds.voters if self._grounds.surveys[file].words]
        roots = [file for file in files if file.path.count("/") <= NEAR_ROOT and _stem(file.path) in PACKAGE_ROOTS]
        least = min((file.path.count("/") for file in roots), default=0)
        outermost = [file.address for file in roots if file.path.count("/") == least]
        return outermost if len(outermost) <= MOST_ROOTS else []

    def _is_start(self, spot: Spot) -> bool:
        survey = self._grounds.surveys[spot.file]
        return survey.kinds[spot.place] in CALLABLE and survey.containers[spot.place].count(".") == 0

    def _label(self, script: str, said: str) -> str:
        spot = self._meant(said)
        return f"{script} = {self.target(spot) if spot else said}"

    def _meant(self, said: str) -> Spot | None:
        """The definition that `package.module:name` means, or the first one of a file."""
        module, _, name = said.partition(":")
        ending = module.replace(".", "/")
        for spot in self._spots[name.rpartition(".")[2]] if name else ():
            stem = self._grounds.files[spot.file].path.rpartition(".")[0].removesuffix("/__init__")
            if stem == ending or stem.endswith(f"/{ending}"):
                return spot
        return None

    def target(self, spot: Spot) -> str:
        """Returns the target by which `zoom` knows a definition."""
        survey = self._grounds.surveys[spot.file]
        container = survey.containers[spot.place]
        name = survey.names[spot.place]
        return f"{self._grounds.files[spot.file].address}::{f'{container}.{name}' if container else name}"

    def _flow(self, starts: Sequence[Spot]) -> str:
        """Returns the line of calls from the first entry points on."""
        spots = (Spot(file, place) for file, place in self._grounds.standing.foremost(FOREMOST))
        calls = [spot for spot in spots if self._grounds.surveys[spot.file].kinds[spot.place] in CALLABLE]
        return self._calls_from(starts[:2]) or self._calls_from(calls[:3])

    def _calls_from(self, starts: Sequence[Spot]) -> str:
        waiting, told, said = [*starts], set[Spot](), list[str]()
        while waiting and len(said) < MOST_CALLERS:
            spot = waiting.pop(0)
            if spot in told:
                continue
            told.add(spot)
            called = self._called(spot)
            if called:
                names = ", ".join(self._short(one) for one in called)
                said.append(f"{self._short(spot)} > {names}")
                waiting += called
        return "; ".join(said)

    def _short(self, spot: Spot) -> str:
        survey = self._grounds.surveys[spot.file]
        container = survey.containers[spot.place].rpartition(".")[2]
        return f"{container}.{survey.names[spot.place]}" if container else survey.names[spot.place]

    def _called(self, spot: Spot) -> list[Spot]:
        """The definitions whose names are called in the body of one, those that nothing else can be."""
        survey = self._grounds.surveys[spot.file]
        body = self._grounds.source(spot.file)[survey.bodies[spot.place] : survey.ends[spot.place]]
        called: dict[Spot, int] = {}
        for name in _CALL.findall(_NO_CODE.sub(b" ", body)):
            meant = self._spots.get(name.decode(), [])
            near = [one for one in meant if one.file == spot.file] or meant
            is_told_apart = not name.startswith(b"_") and (
                not name.islower() or b"_" in name
            )  # from methods of libraries
            alone = len(near) == 1 and (near[0].file == spot.file or is_told_apart)
            if alone and near[0] != spot:
                survey_of_it = self._grounds.surveys[near[0].file]
                if survey_of_it.kinds[near[0].place] in CALLABLE:
                    called.setdefault(near[0], survey_of_it.sizes[near[0].place])
        largest = sorted(called, key=lambda one: -called[one])[:MOST_CALLEES]
        return [one for one in called if one in largest]

    def _tests(self) -> str:
        """Returns the line of the folders of tests, with the number of tests that are named like a source file."""
        stems = {_stem(self._grounds.files[place].path) for place in self._grounds.voters}
        alike = Counter(map(str.lower, stems))
        folders: defaultdict[str, list[bool]] = defaultdict(list)
        for place in self._grounds.tests:
            path = self._grounds.files[place].address
            stem = _stem(path)
            meant = _TEST_WORDS.sub("", stem).lower()
            itself = stem in stems and stem.lower() == meant
            folders[_folder_of_tests(path)].append(bool(stem) and alike[meant] > itself)
        most = sorted(folders, key=lambda folder: (-len(folders[folder]), folder))[:MOST_TEST_FOLDERS]
        return ", ".join(
            f"{folder}/ ({len(folders[folder])} files"
            + (f", {sum(folders[folder])} named like source)" if any(folders[folder]) else ")")
            for folder in most
        )

    def _targets(self) -> Iterable[str]:
        """The most important definitions that stand in no other but what only groups, one of a file."""
        seen: set[int] = set()
        for file, place in self._grounds.standing.foremost(FOREMOST):
            if file not in seen and len(seen) < MOST_TARGETS and self._stands_alone(Spot(file, place)):
                seen.add(file)
                yield self.target(Spot(file, place))

    def _stands_alone(self, spot: Spot) -> bool:
        survey = self._grounds.surveys[spot.file]
        around = survey.containers[spot.place]
        names = {name for name, kind in zip(survey.names, survey.kinds, strict=True) if kind in SCOPES}
        return survey.kinds[spot.place] not in SCOPES | VALUES and names.issuperset(filter(None, around.split(".")))


def _folders(path: str) -> list[str]:
    return path.lower().split("/")[:-1]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _folder_of_tests(path: str) -> str:
    """The folder of a test down to the one that is called after tests."""
    folders = path.split("/")[:-1]
    for number, folder in enumerate(folders):
        if "test" in folder.lower() or folder.lower() in ("spec", "specs"):
            return "/".join(folders[: number + 1])
    return "/".join(folders) or "."


def _of_pyproject(text: str) -> Mapping[str, str]:
    table = cast("Mapping[str, Any]", tomllib.loads(text))
    poetry: Mapping[str, Any] = table.get("tool", {}).get("poetry", {})
    scripts: Mapping[str, object] = table.get("project", {}).get("scripts") or poetry.get("scripts") or {}
    return {name: said for name, said in scripts.items() if isinstance(said, str)}


def _of_package(text: str) -> Mapping[str, str]:
    table = cast("Mapping[str, Any]", json.loads(text))
    binaries: Any = table.get("bin") or {}
    found = {"bin": binaries} if isinstance(binaries, str) else dict(binaries)
    if isinstance(table.get("main"), str):
        found["main"] = table["main"]
    return {name: said for name, said in found.items() if isinstance(said, str)}


def _of_cargo(text: str) -> Mapping[str, str]:
    table = cast("Mapping[str, Any]", tomllib.loads(text))
    return {one["name"]: one["path"] for one in table.get("bin", []) if "name" in one and "path" in one}


_READERS: Mapping[str, Callable[[str], Mapping[str, str]]] = {
    "pyproject.toml": _of_pyproject,
    "package.json": _of_package,
    "Cargo.toml": _of_cargo,
}
"""The readers of manifests that say what starts a program, by the name of the manifest."""
