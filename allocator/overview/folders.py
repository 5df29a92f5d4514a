"""The folders of a map: what each holds, and which are told together.

A folder that holds nothing but another folder shares its line. Folders of one folder that hold files of the same names,
of none of which the map may name a definition, are a *family*, told on one line:

    messages/ 9 ~2.1k
      {bad-name empty-body}/ 6 ~1.2k: {bad good}.py details.rst

So are folders that hold folders, where these hold the same, too: what lies in them is told once, with the counts of all.

    docs/ 61 ~1.2M: index.md
      {de fr ja}/ 60 ~1.2M: index.md
        {api guide}/ 57 ~1.1M: README.md setup.md

Many folders that look alike, of which no definition is named, are a *crowd*: a few of them stand for all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from allocator.overview.joined import alone, is_safe, shared_beginning
from workspace.names.tiers import Tier, tier_of
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

BYTES_PER_TOKEN = 3.6
"""Of source text, about; the map tells sizes with two digits and counts nothing."""

LEAST_TESTS = 5
"""Tests in a folder that is one of tests, whatever it is called."""

TESTS_FOR_A_SOURCE = 8
"""Tests there for each source file beside them, or more."""

OF_PERL = "t/"
"""The outermost folder that holds the tests of projects of Perl, and of some others; a folder inside may be called so by its letter."""

MOST_ALIKE = 12
"""Folders of a crowd that are named at once."""

MOST_APART = 64
"""Folders of one folder that look alike and are no crowd: fewer are all named, as those of other kinds are."""

_SPECIFICATION = re.compile(r"((?:[^/]+/)*?)specs?/")
"""The outermost folder of a path that holds specifications, or tests that are called so; its group is what it lies in."""

_SCRIPTS = re.compile(r"((?:[^/]+/)+)scripts?/(?=[^/]+\.py\Z)")
"""The folder of a module of Python that lies in one of scripts, inside another; its group is that other."""

_SITE = re.compile(r"((?:[^/]+/)+)(?:docusaurus|\.(?:vitepress|vuepress)/config)\.(?:config\.)?[cm]?[jt]s\Z")
"""The settings of what makes a site of documentation; its group is the folder of that."""

_DATA = "data.json"
"""A name that says nothing but what sort of folder it lies in."""

_OF_PACKAGE = "__init__.py"
"""The file that makes a folder a package of Python."""

TESTS_BRING = 50
"""Tests that may bring a source file along: a folder with one in more of them is one of tests."""

_OF_CODE = frozenset({Tier.CORE, Tier.TESTS})


class Sort(StrEnum):
    """The sorts of files that the reader of a map tells apart."""

    SOURCE = "source"
    TEST = "tests"
    PROSE = "other"
    MADE = "generated"


class MapFile(NamedTuple):
    """A file on the map."""

    path: str
    bytes: int
    sort: Sort


_SORTS = tuple(Sort)


def group_of(file: MapFile) -> tuple[bool, int]:
    """Returns what files that are no source are put in order by: whether one lies in a folder, and the place of its sort."""
    return "/" in file.path, _SORTS.index(file.sort)


class Folder(msgspec.Struct):
    """A folder: its path, what its line calls it, how deep it is indented, and what is below it.

    Attributes:
        family: the number of the first folder of its family; its own where it has none.
        begins: what the names of its family begin with, all of them.
        around: the number of the folder that it lies in; -1 for the root.
        holds_folders: whether there are folders in it.
        is_told: whether its line is drawn; it is not where its like in the first folder of a family stands for it.
    """

    path: str
    label: str
    depth: int
    files: int = 0
    bytes: int = 0
    counts: dict[Sort, int] = msgspec.field(default_factory=dict[Sort, int])
    family: int = -1
    begins: str = ""
    around: int = -1
    holds_folders: bool = False
    is_told: bool = True

    @property
    def holds_source(self) -> bool:
        """True if there is source in or below it that is more than what tests bring along."""
        return 0 < self.counts.get(Sort.SOURCE, 0) >= self.counts.get(Sort.TEST, 0) / TESTS_BRING

    @property
    def line(self) -> str:
        """Its line: its name and its counts."""
        return f"{self.counted} ~{in_short(self.bytes / BYTES_PER_TOKEN)}"

    @property
    def counted(self) -> str:
        """Its name and how many files are below it."""
        said = "".join(
            f", {self.counts[sort]} {sort}"
            for sort in (Sort.TEST, Sort.MADE)
            if 0 < self.counts.get(sort, 0) < self.files
        )
        all_of = next((f" {sort}" for sort in (Sort.TEST, Sort.MADE) if self.counts.get(sort, 0) == self.files), "")
        return f"{self.label} {self.files}{all_of}{said}"


def helpers_of_tests(files: Sequence[tuple[str, Sort]]) -> frozenset[int]:
    """Returns the places of the source files that help tests: what lies in or below a folder of next to nothing but tests, or in `t/`.

    Args:
        files: the path of each, from the folder that was asked for, and its sort by its own name.
    """
    folders = [path.rpartition("/")[0] for path, _ in files]
    held = Counter(zip(folders, (sort for _, sort in files), strict=True))
    of_tests = {
        folder
        for (folder, sort), tests in held.items()
        if folder and sort is Sort.TEST and tests >= max(LEAST_TESTS, TESTS_FOR_A_SOURCE * held[folder, Sort.SOURCE])
    }
    inside = Counter(sort for path, sort in files if path.startswith(OF_PERL))
    is_perl = inside[Sort.TEST] >= max(LEAST_TESTS, inside[Sort.SOURCE])
    if not of_tests and not is_perl:
        return frozenset()
    sources = [place for place, (_, sort) in enumerate(files) if sort is Sort.SOURCE]
    begins = (*(f"{folder}/" for folder in of_tests), *([OF_PERL] if is_perl else []))
    found = frozenset(place for place in sources if files[place][0].startswith(begins))
    return found if 2 * len(found) <= len(sources) else frozenset()


def specifications(files: Sequence[tuple[str, Sort]]) -> frozenset[int]:
    """Returns the places of the files that say what is to hold and test nothing: in a folder `spec` without any code.

    Args:
        files: the path of each, from the folder that was asked for, and its sort by its own name.
    """
    held: defaultdict[str, list[int]] = defaultdict(list)
    for place, (path, sort) in enumerate(files):
        if (
            sort is Sort.TEST
            and (folder := _SPECIFICATION.match(path))
            and tier_of(path[: folder.end(1)] + _DATA) is Tier.CONFIG
        ):
            held[folder[0]].append(place)
    tiers = {
        folder: {tier_of(files[place][0].rpartition("/")[2]) for place in places} for folder, places in held.items()
    }
    return frozenset(
        chain.from_iterable(places for folder, places in held.items() if tiers[folder].isdisjoint(_OF_CODE))
    )


def sites(files: Sequence[tuple[str, Sort]]) -> frozenset[int]:
    """Returns the places of the source files and tests of sites that document the project: what lies beside their settings and below.

    Args:
        files: the path of each, from the folder that was asked for, and its sort by its own name.
    """
    begins = tuple(found[1] for path, _ in files if (found := _SITE.match(path)))
    if not begins:
        return frozenset()
    code = [place for place, (_, sort) in enumerate(files) if sort in (Sort.SOURCE, Sort.TEST)]
    found = frozenset(place for place in code if files[place][0].startswith(begins))
    return found if 2 * len(found) <= len(code) else frozenset()


def modules_called_scripts(files: Sequence[tuple[str, Sort]]) -> Mapping[int, Sort]:
    """Returns the places of the files of a package of Python that is called `scripts` and lies in another, with their sorts.

    They are what others install, and no scripts for those who write the project.

    Args:
        files: the path of each, from the folder that was asked for, and its sort by its own name.
    """
    apart = [(place, found) for place, (path, _) in enumerate(files) if (found := _SCRIPTS.match(path))]
    if not apart:
        return {}
    packages = {path.removesuffix(_OF_PACKAGE) for path, _ in files if path.endswith(f"/{_OF_PACKAGE}")}
    return {
        place: Sort.TEST if tier_of(found.string.rpartition("/")[2]) is Tier.TESTS else Sort.SOURCE
        for place, found in apart
        if found[0] in packages and found[1] in packages and files[place][1] is Sort.PROSE
    }


def folders_of(files: Sequence[MapFile], defining: AbstractSet[int]) -> list[Folder]:
    """Returns all folders in the order of the map, those that share a line joined.

    Args:
        files: all of them.
        defining: the places of those whose definitions a map may name; a family holds none of them.
    """
    held: defaultdict[str, list[int]] = defaultdict(list)
    below: dict[str, set[str]] = {"": set()}
    with_source: set[str] = set()
    for place, file in enumerate(files):
        folder = file.path.rpartition("/")[0]
        held[folder].append(place)
        around = folder
        while file.sort is Sort.SOURCE and around and around not in with_source:
            with_source.add(around)
            around = around.rpartition("/")[0]
        while folder and folder not in below.setdefault(above := folder.rpartition("/")[0], set()):
            below[above].add(folder)
            below.setdefault(folder, set())
            folder = above
    folders: list[Folder] = []
    waiting = [("", "", -1, -1)]
    while waiting:
        path, label, depth, number = waiting.pop()
        inner = sorted(below[path], key=lambda one: (one not in with_source, one), reverse=True)
        if path and len(inner) == 1 and not held[path]:
            waiting.append((inner[0], f"{label}{_named(inner[0])}", depth, number))
            continue
        if path:
            around, number = number, len(folders)
            folders.append(Folder(path, label, depth, family=number, around=around, holds_folders=bool(inner)))
        waiting += [(one, _named(one), depth + 1, number) for one in inner]
    _count(folders, files)
    inside = _inside(folders)
    looks = _looks(folders, inside, files, held, defining)
    _join(folders, looks)
    _tell_once(folders, inside)
    return folders


def crowds_of(folders: Sequence[Folder], held: Mapping[int, Sequence[str]]) -> list[list[int]]:
    """Returns the crowds by their numbers, more than `MOST_APART` folders each, in the order of the map.

    A crowd are folders of one folder that hold no folders, and mostly files that are called as those of others, whatever
    their names end in.

    Args:
        folders: all of them, in the order of the map.
        held: the names of the files of each that may be in a crowd, by its number.
    """
    around: defaultdict[int, list[int]] = defaultdict(list)
    for number, folder in enumerate(folders):
        if number in held and not folder.holds_folders:
            around[folder.around].append(number)
    crowds: list[list[int]] = []
    for numbers in around.values():
        called = {number: {name.partition(".")[0] or name for name in held[number]} for number in numbers}
        often = Counter(chain.from_iterable(called.values()))
        crowd = [number for number, own in called.items() if 2 * sum(often[one] > 1 for one in own) > len(own)]
        if len(crowd) > MOST_APART:
            crowds.append(crowd)
    return crowds


def families_of(folders: Sequence[Folder]) -> dict[int, list[int]]:
    """Returns the folders of each family, by the number of its first."""
    families: defaultdict[int, list[int]] = defaultdict(list)
    for number, folder in enumerate(folders):
        families[folder.family].append(number)
    return families


def families_above(
    folders: Sequence[Folder], families: Mapping[int, Sequence[int]], number: int
) -> list[Sequence[int]]:
    """Returns the families of a folder and of those that it lies in, of more than one folder each.

    Args:
        folders: all of them.
        families: what `families_of` gives.
        number: that of the folder.
    """
    found: list[Sequence[int]] = []
    while number >= 0:
        if len(family := families[folders[number].family]) > 1:
            found.append(family)
        number = folders[number].around
    return found


def _named(path: str) -> str:
    """The name of a folder as its line calls it."""
    return f"{alone(path.rpartition('/')[2])}/"


def together(folders: Sequence[Folder]) -> Folder:
    """Returns what the line of some folders of one family tells."""
    first = folders[0]
    if len(folders) == 1:
        return first
    counts: dict[Sort, int] = {}
    for sort in Sort:
        if number := sum(folder.counts.get(sort, 0) for folder in folders):
            counts[sort] = number
    own = " ".join(folder.label[len(first.begins) : -1] for folder in folders)
    return Folder(
        path=first.path,
        label=f"{first.begins}{{{own}}}/",
        depth=first.depth,
        files=sum(folder.files for folder in folders),
        bytes=sum(folder.bytes for folder in folders),
        counts=counts,
    )


def _count(folders: Sequence[Folder], files: Sequence[MapFile]) -> None:
    """Counts for each folder the files below it."""
    by_path = {folder.path: folder for folder in folders}
    for file in files:
        folder = file.path.rpartition("/")[0]
        while folder:
            if (known := by_path.get(folder)) is not None:
                known.files += 1
                known.bytes += file.bytes
                known.counts[file.sort] = known.counts.get(file.sort, 0) + 1
            folder = folder.rpartition("/")[0]


def _inside(folders: Sequence[Folder]) -> list[list[int]]:
    """The folders in each, by its number."""
    inside: list[list[int]] = [[] for _ in folders]
    for number, folder in enumerate(folders):
        if folder.around >= 0:
            inside[folder.around].append(number)
    return inside


def _looks(
    folders: Sequence[Folder],
    inside: Sequence[Sequence[int]],
    files: Sequence[MapFile],
    held: Mapping[str, Sequence[int]],
    defining: AbstractSet[int],
) -> dict[int, int]:
    """A number for all names that lie in a folder, of each that may have a family: folders that look alike have the same."""
    known: dict[tuple[object, ...], int] = {}
    looks: dict[int, int] = {}
    for number in range(len(folders) - 1, -1, -1):  # what is in a folder comes behind it
        path, inner = folders[number].path, inside[number]
        places = held.get(path, ())
        if not defining.isdisjoint(places) or not all(one in looks for one in inner):
            continue
        names = tuple([files[place].path[len(path) + 1 :] for place in places])
        if all(map(is_safe, names)):
            look = names, tuple([(folders[one].label, looks[one]) for one in inner])
            looks[number] = known.setdefault(look, len(known))
    return looks


def _join(folders: Sequence[Folder], looks: Mapping[int, int]) -> None:
    """Makes families of folders.

    Args:
        folders: all of them, each before those in it.
        looks: a number for each that may have a family; those that look alike have the same.
    """
    families: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, folder in enumerate(folders):
        if folder.around >= 0:
            above = folders[folder.around]
            folder.is_told = above.is_told and above.family == folder.around
        if folder.is_told and number in looks and folder.label.count("/") == 1 and is_safe(folder.label[:-1]):
            family = families[folder.around, looks[number]]
            family.append(number)
            folder.family = family[0]
    for numbers in families.values():
        if len(numbers) > 1:
            begins = shared_beginning([folders[number].label[:-1] for number in numbers])
            for number in numbers:
                folders[number].begins = begins


def _tell_once(folders: Sequence[Folder], inside: Sequence[Sequence[int]]) -> None:
    """Adds the counts of folders that are not told to those of the folders that stand for them."""
    like: dict[int, int] = {}
    for number, folder in enumerate(folders):
        other = like.get(number, folder.family)
        if other != number:
            like.update(zip(inside[number], inside[other], strict=True))
    for number, other in like.items():
        while other in like:
            other = like[other]
        _add(folders[other], folders[number])


def _add(folder: Folder, other: Folder) -> None:
    folder.files += other.files
    folder.bytes += other.bytes
    for sort, count in other.counts.items():
        folder.counts[sort] = folder.counts.get(sort, 0) + count


def in_short(number: float) -> str:
    """A number with two digits: `850`, `6.2k`, `62k`, `1.4M`."""
    for unit, suffix in ((1e6, "M"), (1e3, "k")):
        if number >= 0.995 * unit:
            return f"{number / unit:.1f}{suffix}" if number < 9.95 * unit else f"{number / unit:.0f}{suffix}"
    return str(round(number, -1 if number >= 100 else 0)).partition(".")[0]


def headline(files: Sequence[MapFile]) -> str:
    """Tells in one line of how many files a map is, and how to read it."""
    counts = {sort: [file.bytes for file in files if file.sort is sort] for sort in Sort}
    told = ", ".join(
        f"{len(sizes)} {sort} ~{in_short(sum(sizes) / BYTES_PER_TOKEN)}" for sort, sizes in counts.items() if sizes
    )
    return (
        f"{number_of(len(files), 'file')}: {told} tokens. Below: folder/ files ~tokens; file(members of its namesake): "
        "definitions(members); x_{a b}.py: x_a.py x_b.py; +n more files."
    )
