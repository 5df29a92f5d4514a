"""Finds what a package exports under a name: `tokio::spawn`, `flask.Flask`, wherever the definition stands.

A package is a file that stands for its folder (`__init__`, `mod`, `index`, `lib`). What it does not define itself it may
import from a module below it, which may have it from another; the imports are followed until a file defines the name.
An import is read as words, in any language: where the name comes from, what it is called there (`a as b`), or that all
names come along (`*`). A file is meant by the words that lead to it from where the import stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from skeleton.names.targets import last_segment, segments
from skeleton.uses.aliases import default_of, paths_in
from skeleton.uses.sites import origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.sites import Sites

_ROOTS: Final = frozenset(["__init__", "mod", "index", "lib"])
"""Names of files that stand for their folder."""

_OF_ROOT: Final = frozenset(["crate"])
"""All that an import says of the module at the root of the package that it stands in."""

_OUTERMOST: Final = ("lib.", "main.")

_LAYOUT: Final = frozenset(["src", "lib"])
"""Folders that no import names."""

_DEEPEST: Final = 8
"""Imports that are followed one after the other."""

_MOST_MODULES: Final = 24
"""Files that one import is looked for in."""

_ALL: Final = re.compile(r"(?<![/*])\*(?![/*])(?!\s+as\b)")


class Source(NamedTuple):
    """The origin of an imported name: the name it has there, and the words that say where."""

    name: str
    words: frozenset[str]
    is_all: bool = False
    """True if all names come along."""


class Known(Protocol):
    """Files whose modules, symbols and imports are known."""

    def modules(self, word: str) -> Sequence[tuple[tuple[str, ...], IndexedFile]]:
        """The files that imports call by a word at the end, each with all the parts; those of "" have no parts."""
        ...

    def symbols(self, files: Sequence[IndexedFile]) -> list[tuple[Definition, ...]]:
        """Every definition of each file, by position."""
        ...

    def sites(self, files: Sequence[IndexedFile]) -> Iterator[Sites]:
        """Each file, to be asked for its imports."""
        ...

    def holders(self, name: str, path: str = "") -> Sequence[IndexedFile]:
        """The files that define a name."""
        ...

    def files_of(self, path: str, here: str) -> Sequence[IndexedFile]:
        """The files that an import in another means by a path."""
        ...


def module_parts(path: str) -> tuple[str, ...]:
    """Returns the parts that imports call a file by: `tokio/src/task/mod.rs` is `tokio`, `task`."""
    *folders, name = path.rsplit(".", 1)[0].split("/")
    parts = [part for part in folders if part not in _LAYOUT]
    if name not in _ROOTS:
        parts.append(name)
    return tuple(part.replace("-", "_") for part in parts)


def stands_for_folder(path: str) -> bool:
    """Tells whether a file stands for the folder that it is in, to imports."""
    return path.rsplit("/", 1)[-1].split(".", 1)[0] in _ROOTS


def exported(known: Known, parts: Sequence[str]) -> tuple[IndexedFile, list[Definition]] | None:
    """Finds what a package gives out.

    Args:
        known: the files.
        parts: the package, the name that it gives out, and what is wanted of that: `tokio`, `spawn`.

    Returns:
        The file and the definitions in it; None where no package has that name, or gives out no such thing.
    """
    plain = [part.replace("-", "_") for part in parts]
    for at in range(len(parts) - 1, 0, -1):
        for root in _roots(known, plain[:at]):
            found = _Following(known).follow(root, parts[at], _DEEPEST)
            if found is not None and (wanted := _inside(known, *found, parts[at + 1 :])):
                return found[0], wanted
    return None


def passed_on(known: Known, path: str, here: str, name: str) -> frozenset[str]:
    """Returns the paths of the files that define what a module gives out under a name and has from them, level by level.

    Args:
        known: the files.
        path: the module, as an import writes it from its file on: `../internal`.
        here: the file with the import.
        name: what it takes of the module.
    """
    defining = {file.path for file in known.holders(name)}
    seen: dict[str, IndexedFile] = {}
    level = known.files_of(path, here)
    while level and defining:
        if found := defining.intersection(file.path for file in level):
            return frozenset(found)
        seen |= {file.path: file for file in level}
        asked = level if len(level) <= _MOST_MODULES else [file for file in level if stands_for_folder(file.path)]
        led = {
            file.path: file
            for sites, giving in zip(known.sites(asked), asked, strict=True)
            for statement in sites.statements
            if name in statement or _ALL.search(statement)
            for further in paths_in(statement, "")
            for file in known.files_of(further, giving.path)
        }
        level = [file for place, file in led.items() if place not in seen]
    return frozenset()


def has_package(known: Known, parts: Sequence[str]) -> bool:
    """Tells whether the first parts of a name are a package."""
    plain = [part.replace("-", "_") for part in parts]
    return any(_roots(known, plain[:at]) for at in range(len(parts) - 1, 0, -1))


def _roots(known: Known, package: Sequence[str]) -> list[IndexedFile]:
    """The files that stand for a package, the outermost first; the folder of all files may be a package itself."""
    wanted = tuple(package)
    found = [
        file
        for parts, file in known.modules(wanted[-1])
        if parts[-len(wanted) :] == wanted and stands_for_folder(file.path)
    ]
    if not found:
        within = wanted[1:]
        found = [
            file
            for parts, file in known.modules(within[-1] if within else "")
            if parts == within and stands_for_folder(file.path) and _folder_of_all(file) == wanted[0]
        ]
    return sorted(found, key=lambda file: (file.tier, file.path.count("/"), file.path))


def _folder_of_all(file: IndexedFile) -> str:
    """The name of the folder that the paths of all files begin in."""
    return file.place.removesuffix(file.path).rstrip("/").rpartition("/")[2].replace("-", "_")


def _inside(known: Known, file: IndexedFile, name: str, rest: Sequence[str]) -> list[Definition]:
    """The definitions of a name at the top of a file, or of what is wanted of it; none of a module, which has files."""
    (every,) = known.symbols([file])
    wanted = (*segments(name), *rest)
    return [one for one in every if one.kind != "module" and segments(one.path) == wanted]


class _Following:
    """One walk along imports; used once."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._seen: set[tuple[str, str]] = set()

    def follow(self, file: IndexedFile, name: str, deepest: int) -> tuple[IndexedFile, str] | None:
        """The file that defines what another gives out under a name, and the name there."""
        if deepest < 0 or (file.path, name) in self._seen:
            return None
        self._seen.add((file.path, name))
        if _inside(self._known, file, name, ()):
            return file, name
        if name == "default" and (given := default_of(file.source, *self._known.symbols([file]))) is not None:
            return file, given.name
        (sites,) = self._known.sites([file])
        for source in _sources(sites.statements, name):
            for module in self._modules(file, source.words):
                found = self.follow(module, source.name, deepest - 1) or self._of_type(module, source)
                if found is not None:
                    return found
            if (found := self._of_type(file, source)) is not None:
                return found
        return None

    def _of_type(self, file: IndexedFile, source: Source) -> tuple[IndexedFile, str] | None:
        """The member of a type that an import brings along with all of its others: `use shape::Kind::*`."""
        (every,) = self._known.symbols([file]) if source.is_all else ((),)
        for one in every:
            around, *rest = segments(one.path)
            if rest == [source.name] and around in source.words:
                return file, one.path
        return None

    def _modules(self, file: IndexedFile, words: frozenset[str]) -> list[IndexedFile]:
        """The files that the words of an import lead to from another, those first that lie nearest to it."""
        here = module_parts(file.path)
        if words == _OF_ROOT:
            around = (here[:size] for size in range(len(here)))
            files = [one for parts in around for own, one in self._known.modules("".join(parts[-1:])) if own == parts]
            return [one for one in files if one.path.rpartition("/")[2].startswith(_OUTERMOST)]
        found: list[tuple[int, int, str, IndexedFile]] = []
        for word in words:
            for parts, other in self._known.modules(word):
                shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, parts, strict=False)))
                rest = parts[shared:]
                if rest and words.issuperset(rest):
                    found.append((-shared, -len(rest), other.path, other))
        return [one for *_, one in sorted(found, key=lambda each: each[:3])[:_MOST_MODULES]]


def _sources(statements: Sequence[str], name: str) -> Iterator[Source]:
    """Yields the possible origins of a name among imports: those that say it before those that bring all along."""
    for statement in statements:
        if name in statement and (source := _source(statement, name)) is not None:
            yield source
    for statement in statements:
        if "*" in statement and _ALL.search(statement):
            yield Source(name, frozenset(re.findall(r"\w+", statement)), is_all=True)


@lru_cache(maxsize=4096)
def _source(statement: str, name: str) -> Source | None:
    """Returns the origin of a name in an import; None where it does not name it, or calls it otherwise here."""
    word = re.escape(name)
    if renamed := re.search(rf"(?<!\w)(\w+)\s+as\s+{word}(?!\w)", statement):
        return Source(renamed[1], origin(statement, renamed[1]))
    if re.search(rf"(?<!\w){word}(?!\w)(?!\s+as\s)", statement):
        return Source(last_segment(name), origin(statement, name))
    return None
