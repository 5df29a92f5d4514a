"""Landmarks: where to begin in a code base and how it hangs together, in a few short lines of names that occur in it.

    begin: redis-server = src/server.c::main, …
    exports: src/flask/__init__.py
    main flow: main > initServer, aeMain; initServer > createClient
    tests: tests/ (24 files, 19 named like source)
    read next: src/flask/app.py::Flask, …
    packages: tokio-macros: Tokio's proc macros; …
    uses: tokio-stream > tokio, tokio-util; …

Every name is one that the code defines, every call one that stands in a body, every target one that `zoom` takes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.flow import Flow
from allocator.overview.grounds import CALLABLE, MAINS, Grounds, Spot, stem
from allocator.overview.habits import DECLARING
from allocator.overview.helping import HELPERS, helping
from allocator.overview.importance import SCOPES
from allocator.overview.manifests import START
from allocator.overview.map_steps import GOES_ON
from allocator.overview.read_next import targets
from allocator.overview.tested import folders_of_tests
from allocator.overview.uses import uses
from skeleton.languages.kinds import CLASS
from skeleton.outline.definitions import qualified
from workspace.lazy import lazy
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from allocator.overview.packages import Package, Packages

PART = "; "
"""Between parts that hold commas."""

MOST_ENTRIES = 6

TESTS = frozenset({"test", "tests"})
"""Words of the name of a file, in lower case, that prepares tests: `tests_start.py`."""

SHOWN_AS_MAIN = frozenset({("Main", ".tsx"), ("Main", ".jsx"), ("Main", ".ts"), ("Main", ".js")})
"""Such a name of what a page shows, which starts nothing, with the endings of the files."""

NO_STARTS_INSIDE = (".py", ".rs", ".go", ".rb", ".js", ".ts")
"""Endings of files of languages in which no method starts a program."""

_PLAY = re.compile(rb"^(?:- |  )(?:hosts|(?:ansible\.builtin\.)?import_playbook):", re.MULTILINE)
_RUNS = re.compile(rb"^if __name__ ==", re.MULTILINE)
_SERVES = re.compile(
    rb"^(?:app|application|celery(?:_app)?|server)(?:: ?\w{1,60})? = (?:\w{1,60}\.)?"
    rb"(?:Celery|FastAPI|Flask|Litestar|ProtocolTypeRouter|Quart|Sanic|Starlette|get_[aw]sgi_application)\(",
    re.MULTILINE,
)
_STATES = re.compile(
    rb"^(?:(?:await|foreach|if|return|try|using var|var)\b|[A-Z]\w{0,60}(?:\.\w{1,60}){0,4}\()", re.MULTILINE
)
_FRONT = re.compile(rb"^\(?(?:\$\w{1,60}->|\$\w{1,60} = require\b|require(?:_once)?\b)", re.MULTILINE)
_SHOWN = re.compile(rb"^export default\b", re.MULTILINE)
_MOUNTS = re.compile(
    rb"\b(?:createRoot|createApp|hydrateRoot|ReactDOM\.render|bootstrapApplication|bootstrapModule)\(|(?<![\w.])render\(<"
)
_MARKED = re.compile(rb"^@main\b(?!\s{1,9}(?:\w{1,20} ){0,3}struct \w{1,99} ?: ?CompilerPlugin\b)", re.MULTILINE)

_CALLED = re.compile(rb"(?<![\w.$])(\w{3,64})\(")
_ENDINGS = (".tsx", ".jsx", ".ts", ".js")


def _of_script(*names: str) -> tuple[str, ...]:
    """The ends of the paths of files of JavaScript that are called so."""
    return tuple(f"/{name}{ending}" for name in names for ending in _ENDINGS)


_PAGES = _of_script("main", "index", "app")

OF_PROJECT = "/Program.cs"
"""The end of the path of what a project of C# starts with, however small the project is: each is a program by itself."""

_STARTS_OTHERS = re.compile(rb"\bDistributedApplication\b")

SERVED: Sequence[tuple[tuple[str, ...], int, re.Pattern[bytes]]] = (
    (("/manage.py",), 2, _RUNS),
    ((".py",), 3, _SERVES),
    ((OF_PROJECT,), 4, _STATES),
)
"""Files that a server or a worker starts with though no function in them is called so: the ends of their paths, the most folders
above them, and a line that says it. Modules of Python that run an app of Django, or make what servers and workers run; and
statements of C# outside of types."""

STARTED: Sequence[tuple[tuple[str, ...], int, re.Pattern[bytes]]] = (
    *SERVED,
    (("/config.ru",), 0, re.compile(rb"")),
    ((".yml", ".yaml"), 0, _PLAY),
    ((".py",), 0, _RUNS),
    (("/index.php",), 1, _FRONT),
    (_of_script("app/layout", "app/page", "pages/_app"), 3, _SHOWN),
    (_PAGES, 3, _MOUNTS),
    ((".swift",), 4, _MARKED),
)
"""Likewise all files that a tool starts with: also what a server of Ruby loads; playbooks of Ansible; modules of Python that run;
what a server of PHP answers everything with; the outermost of an app of Next.js; what puts an app into a page of the browser;
and a type of Swift."""

SITES = frozenset({"docs", "homepage", "site", "storybook", "web-site", "website", "www"})
"""Names, in lower case, of the folders of apps that tell of a project."""

OF_NO_CODE = ("config.ru", ".yml", ".yaml")
"""Ends of the paths of those that are no source files."""

ANDROID = "AndroidManifest.xml"
"""The name of the file that says which type an app of Android starts with."""

_LAUNCHED = b"android.intent.action.MAIN"
_CLASS = re.compile(rb"\bandroid:name\s{0,9}=\s{0,9}\"([\w.]{1,200})\"")

LONGEST_LEAD = 20_000
"""Bytes of a file in which that line is looked for."""

_BY_ITSELF = re.compile(rb"^//[ \t]{0,9}(?:go:build|\+build)[ \t]{1,9}ignore\b", re.MULTILINE)
"""The line by which a file of Go says that it is no part of its package: a tool that writes another file of it."""

OF_C = (".c", ".cc", ".cpp", ".cxx", ".m")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(ifdef|if|ifndef|endif)\b([^\n]*)", re.MULTILINE)
_BY_REQUEST = re.compile(rb"DEMO|EXAMPLE|MAIN|STANDALONE|TEST")
"""A word of a condition of C under which a file is a program by itself, to try what it defines: `#ifdef CRC64_TEST_MAIN`."""

_WRITTEN_BY = re.compile(rb"^//go:generate go run\b([^\n]{0,400})", re.MULTILINE)
"""The line by which a file of Go says which program writes another one beside it."""

_STARTS_A_PROGRAM = re.compile(rb"\bmain\s*\(\s*\)")
"""The function of Rust that starts a program: others of that name have parameters."""

USES = "uses"
"""The name of the last of the lines, which tells what uses what."""


def landmarks(grounds: Grounds, packages: Packages) -> tuple[str, ...]:
    """Tells where to begin, in lines and, behind `GOES_ON`, what comes behind those; what would be empty is left out.

    Args:
        grounds: the files.
        packages: those of the files.
    """
    aside = helping(grounds, packages) | packages.apart
    entries = _Entries(grounds, packages, aside).found()
    main = packages.main - aside
    foremost = {file for file, _ in grounds.standing.to_read[:1]}
    first = next(
        (frozenset(one.sources) for one in packages.largest if foremost.intersection(one.sources)), frozenset[int]()
    )
    is_said = any(one.is_named for one in entries)
    within = first
    if packages.headers:  # what starts there shows or tests what others include
        first = frozenset[int]()
    flow = Flow(grounds, main, first, packages.offered, packages.speaking, packages.names)
    named = [one.spot for one in entries if one.is_named and one.spot is not None]
    others = [
        spot
        for one in entries
        if not (one.is_named and one.spot) and (spot := one.spot or flow.farthest(one.inside)) is not None
    ]
    mains = [spot for spot in others if spot.file in within] if is_said else others
    begins = dict.fromkeys(one.label for one in entries)
    calls = flow.calls(named, mains)
    begun = {label.rpartition(" = ")[2] for label in begins}
    told = {
        "begin": _listed(begins),
        "exports": _listed(one for one in packages.roots() if one not in begun),
        "main flow": _listed(calls, PART),
        "tests": _listed(folders_of_tests(grounds)),
        "read next": _listed(targets(grounds, packages, aside, flow.answering)),
        "packages": _listed(packages.described(), PART),
        USES: _listed(uses(grounds, packages.largest), PART),
    }
    return tuple(
        part if behind else f"{name}: {part}" for name, parts in told.items() for behind, part in enumerate(parts)
    )


def _listed(parts: Iterable[str], between: str = ", ") -> list[str]:
    """The parts of a line, each with what stands before it."""
    return [f"{GOES_ON}{between}{part}" if number else part for number, part in enumerate(filter(None, parts))]


class _Entry(NamedTuple):
    """A place where a program starts.

    Attributes:
        label: the text that tells of it.
        spot: its definition, if there is one.
        is_named: whether a manifest names it.
        inside: the definitions of a file without one that it holds, and those that it calls.
    """

    label: str
    spot: Spot | None
    is_named: bool = True
    inside: Sequence[Spot] = ()


class _Entries:
    """Finds the entry points of a program: those that manifests name, functions called main, and what tools start otherwise."""

    def __init__(self, grounds: Grounds, packages: Packages, helping: frozenset[int]) -> None:
        self._grounds = grounds
        self._packages = packages
        self._helping = helping

    def found(self) -> list[_Entry]:
        """Returns those that are told."""
        grounds, packages = self._grounds, self._packages
        named = [one for folder, name, said in packages.starts() if (one := self._named(folder, name, said))]
        starts = [
            spot
            for name in MAINS
            for spot in grounds.spots.get(name, ())
            if self._is_start(spot) and spot.file not in self._helping
        ]
        rank = grounds.standing.rank
        paths = {spot: grounds.files[spot.file].path for spot in starts}
        starts.sort(key=lambda one: (_only_helps(paths[one]), paths[one].count("/"), -rank[one.file], one))
        meant = {grounds.target(one.spot) for one in named if one.spot is not None}
        others = [spot for spot in starts if grounds.target(spot) not in meant]
        mains = [_Entry(self._called.get(spot.file, "") + grounds.target(spot), spot, False) for spot in others]
        told = [*named, *mains, *self._launched()]
        if not told:
            return [*self._by_convention()][:MOST_ENTRIES]
        begun = {spot.file for one in told for spot in (one.spot, *one.inside[:1]) if spot is not None}
        programs = (file for file in grounds.voters if grounds.files[file].path.endswith(OF_PROJECT))
        served = [*self._by_convention(SERVED, packages.main.union(programs) - packages.unpublished - begun)]
        return [*named, *served, *told[len(named) :], *self._pages(told)][:MOST_ENTRIES]

    @lazy
    def _called(self) -> Mapping[int, str]:
        """The names that manifests of packages, small ones too, give to programs, as labels begin, by the files that these start with."""
        packages, places = self._packages, self._grounds.places
        return {
            places[path]: f"{name} = "
            for package in packages.largest
            for name, said in package.manifest.starts.items()
            if name != START and ":" not in said and (path := packages.meant(package.folder, said)) is not None
        }

    def _pages(self, told: Sequence[_Entry]) -> Iterator[_Entry]:
        """The beginnings of apps in the browser, the pages that a server serves: of packages and their folders where no program begins."""
        files = self._grounds.files
        begun = {spot.file for one in told for spot in (one.spot, *one.inside[:1]) if spot is not None}
        apart = set[int]()
        for one in self._packages.largest:
            parts = {self._part(one, file) for file in begun.intersection(one.sources)}
            apart.update(file for file in one.sources if not parts or self._part(one, file) not in {*parts, ""})
        sources = self._packages.main.intersection(apart) - self._helping
        for place in sorted(sources, key=lambda one: (files[one].path.count("/"), one)):
            if f"/{files[place].path}".endswith(_PAGES) and self._is_started(place):
                yield _Entry(files[place].address, None, False)

    def _part(self, package: Package, file: int) -> str:
        """The folder of a package in which a file of it lies, of the outermost ones; "" for what lies in none."""
        path = self._grounds.files[file].path[len(package.folder) :].lstrip("/")
        return path.partition("/")[0] if "/" in path else ""

    def _by_convention(
        self,
        started: Sequence[tuple[tuple[str, ...], int, re.Pattern[bytes]]] = STARTED,
        within: frozenset[int] | None = None,
    ) -> Iterator[_Entry]:
        """The files that a tool starts with, those nearest to the root first.

        Args:
            started: says which these are.
            within: the source files among which they are looked for; all of them, and what is none, by default.
        """
        grounds, rank = self._grounds, self._grounds.standing.rank
        sources = (frozenset(grounds.voters) if within is None else within) - self._helping
        places = [
            place
            for place, file in enumerate(grounds.files)
            if (place in sources or (within is None and file.path.endswith(OF_NO_CODE)))
            and self._is_started(place, started)
        ]
        for place in sorted(
            places, key=lambda one: (not self._starts_others(one), grounds.files[one].path.count("/"), -rank[one])
        ):
            yield _Entry(grounds.files[place].address, None, is_named=False, inside=self._inside(place))

    def _starts_others(self, file: int) -> bool:
        """Tells of a program of C# whether it starts those of other projects."""
        is_program = self._grounds.files[file].path.endswith(OF_PROJECT)
        return is_program and _STARTS_OTHERS.search(self._grounds.source(file), 0, LONGEST_LEAD) is not None

    def _inside(self, file: int) -> list[Spot]:
        """The definitions of a file, and those that it calls of the files that it imports by paths."""
        surveys = self._grounds.surveys
        called = frozenset(name.decode() for name in _CALLED.findall(self._grounds.source(file), 0, LONGEST_LEAD))
        imported = (
            Spot(other, place)
            for other in sorted(self._packages.imported(file) - {file})
            for place, name in enumerate(surveys[other].names)
            if name in called and not surveys[other].containers[place]
        )
        return [*(Spot(file, place) for place in range(len(surveys[file].names))), *imported]

    def _is_started(
        self, place: int, started: Sequence[tuple[tuple[str, ...], int, re.Pattern[bytes]]] = STARTED
    ) -> bool:
        """Tells of a file whether a tool starts with it; an app of JavaScript inside a package that offers something only shows that."""
        path = self._grounds.files[place].path
        if path.endswith(_ENDINGS) and self._offers and not self._is_app(place):
            return False
        return any(
            f"/{path}".endswith(ends)
            and path.count("/") <= deepest
            and says.search(self._grounds.source(place), 0, LONGEST_LEAD)
            for ends, deepest, says in started
        )

    def _is_app(self, place: int) -> bool:
        """Tells of a file whether it lies in a package that says what it is, offers nothing to others and is no site for readers."""
        package = self._package_of.get(place)
        if package is None or not package.folder or not package.manifest.name:
            return False
        return (
            not package.manifest.offers
            and not package.manifest.inside
            and SITES.isdisjoint(package.folder.lower().split("/"))
        )

    @lazy
    def _package_of(self) -> Mapping[int, Package]:
        """The packages of source files, but for those too small to be told of."""
        return {file: one for one in self._packages.told for file in one.sources}

    @lazy
    def _offers(self) -> bool:
        """Tells whether packages offer something by files that are here: `"main": "index.js"` may only be what a tool has written."""
        told, meant = self._packages.told, self._packages.meant
        said = ((one.folder, path) for one in told for path in one.manifest.offers)
        return any(one.manifest.inside for one in told) or any(meant(*one) is not None for one in said)

    def _launched(self) -> Iterator[_Entry]:
        """The types that the manifests of apps of Android say to start with, each with what is called then; that of the app last.

        Those of the app with most definitions beside and below its manifest come first.
        """
        grounds = self._grounds
        said = [
            (file.path.rpartition("/")[0], place)
            for place, file in enumerate(grounds.files)
            if file.path.rpartition("/")[2] == ANDROID and file.tier is not Tier.TESTS
        ]
        held = {
            folder: sum(
                len(grounds.surveys[file].names)
                for file in grounds.voters
                if grounds.files[file].path.startswith(f"{folder}/")
            )
            for folder, _ in said
        }
        for folder, place in sorted(said, key=lambda one: (-held[one[0]], one)):
            if held[folder]:
                app, *activities = grounds.source(place).split(b"<activity")
                launched = [said for said in activities if _LAUNCHED in said.partition(b"</activity")[0]]
                for said in (*launched, *([app.partition(b"<application")[2]] if launched else [])):
                    yield from self._created(folder, said)

    def _created(self, folder: str, said: bytes) -> Iterator[_Entry]:
        """The types below a folder that the beginning of an element names, each with what is called when it is made."""
        grounds = self._grounds
        named = _CLASS.search(said.partition(b">")[0])
        for spot in grounds.spots.get(named[1].rpartition(b".")[2].decode(), ()) if named else ():
            path = grounds.files[spot.file].path
            if path.startswith(f"{folder}/") and spot.file not in self._helping and grounds.kind(spot) == CLASS:
                survey = grounds.surveys[spot.file]
                created = (one for one in grounds.spots.get("onCreate", ()) if one.file == spot.file)
                inside = (one for one in created if survey.containers[one.place] == survey.names[spot.place])
                yield _Entry(grounds.target(spot), next(inside, None), False)

    def _named(self, folder: str, name: str, said: str) -> _Entry | None:
        """An entry point that a manifest names; None where the repository has nothing of the kind."""
        grounds = self._grounds
        if ":" in said:
            spot = self._function(said)
            return _Entry(f"{name} = {grounds.target(spot) if spot else said}", spot)
        path = self._packages.meant(folder, said)
        file = grounds.places[path] if path is not None else -1
        if path is None or (name == START and (file in self._helping or file not in grounds.voters)):
            return None
        mains = [spot for spot in grounds.spots.get("main", ()) if spot.file == file and self._is_start(spot)]
        if mains:
            return _Entry(f"{name} = {grounds.target(mains[0])}", mains[0])
        return _Entry(f"{name} = {grounds.files[file].address}", None, inside=self._inside(file))

    def _function(self, said: str) -> Spot | None:
        """The definition that `package.module:name` means, or the first one of a file: its own, or what the module imports."""
        module, _, called = said.partition(":")
        name = called.rpartition(".")[2]
        spots = self._grounds.spots.get(name, ()) if name else ()
        statements = (
            words.split(" ")
            for file in (self._grounds.voters if spots else ())
            if self._is_module(file, module)
            for words in self._grounds.surveys[file].imports
        )
        imported = (word for words in statements if name in words and "as" not in words for word in words)
        return next(
            (spot for one in (module, *imported) for spot in spots if self._is_module(spot.file, one.lstrip("."))), None
        )

    def _is_module(self, file: int, module: str) -> bool:
        """Tells whether a file is what a program calls `package.module`, or ends so."""
        path = self._grounds.files[file].path.rpartition(".")[0].removesuffix("/__init__")
        return f"/{path}".endswith(f"/{module.replace('.', '/')}")

    def _is_start(self, spot: Spot) -> bool:
        survey, path = self._grounds.surveys[spot.file], self._grounds.files[spot.file].path
        inside = survey.containers[spot.place]
        if survey.kinds[spot.place] not in CALLABLE or (inside and path.endswith(NO_STARTS_INSIDE)):
            return False
        if (survey.names[spot.place], path[path.rfind(".") :]) in SHOWN_AS_MAIN or DECLARING.search(path):
            return False
        around = inside.rpartition(".")[0]
        scopes = {
            qualified(*one)
            for *one, kind in zip(survey.containers, survey.names, survey.kinds, strict=True)
            if kind in SCOPES
        }
        if around and around not in scopes:
            return False
        if path.endswith(OF_C) and _is_tried(self._grounds.source(spot.file), survey.starts[spot.place]):
            return False
        if path.endswith(".go") and self._is_tool(spot.file, path):
            return False
        if not path.endswith(".rs"):
            return True
        body = survey.bodies[spot.place]
        return _STARTS_A_PROGRAM.search(self._grounds.source(spot.file)[survey.starts[spot.place] : body]) is not None

    def _is_tool(self, file: int, path: str) -> bool:
        """Tells of a file of Go whether it is no part of its package, or a file in the folder above says that it writes one there."""
        if _BY_ITSELF.search(self._grounds.source(file), 0, LONGEST_LEAD):
            return True
        above, _, name = path.rpartition("/")[0].rpartition("/")
        said = (one for beside in self._of_go[above] for one in _WRITTEN_BY.findall(self._grounds.source(beside)))
        return bool(name) and any(f"./{name}".encode() in one.split() for one in said)

    @lazy
    def _of_go(self) -> Mapping[str, Sequence[int]]:
        """The files of Go by their folders."""
        found = defaultdict[str, list[int]](list)
        for file in self._grounds.voters:
            folder, _, name = self._grounds.files[file].path.rpartition("/")
            if name.endswith(".go"):
                found[folder].append(file)
        return found


def _only_helps(path: str) -> bool:
    """Tells of a file whether its name says that it helps to build or to test the rest."""
    name = stem(path)
    return name in HELPERS or not TESTS.isdisjoint(re.split(r"[-_.]", name.lower()))


def _is_tried(source: bytes, start: int) -> bool:
    """Tells of a place in a file of C whether what is there is read on request alone, when somebody tries the file."""
    around: list[bytes] = []
    for found in _CONDITION.finditer(source, 0, start):
        if found[1] != b"endif":
            around.append(b"" if found[1] == b"ifndef" or b"!" in found[2] else found[2])
        elif around:
            around.pop()
    return any(map(_BY_REQUEST.search, around))
