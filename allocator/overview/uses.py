"""Tells which parts of a repository use which, by the statements of their files that import.

The parts are the packages inside; where there are none, or these say little, folders. A statement means a part where it holds
a path that names the part, or the name of a definition that no other part has and that is no member; a name counts only
beside a word that is at home here, as anything may be called so outside. What statements mean that say more than that is told
in `homes.py`. What next to no file of a part imports is not told.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from allocator.overview.grounds import stem
from allocator.overview.homes import Homes, Part
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import OF_OBJECTS
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

LEAST_PART = 50
"""Of parts beside these, one that holds fewer than one in so many definitions is not told as used."""

DEEP = 3
"""Folders above one of which only the end of its path is told."""

LARGEST_SHARE = 0.6
"""A part that holds more of all definitions than this is parted into its folders."""

LEAST_USING = 3
"""Parts of which fewer use another are parted further."""

SHARE_USING = 0.4
"""The same of parts of which those that use another hold less of all definitions than this."""

SHARE_PARTED = 0.15
"""A part that holds more of all definitions than this is then parted into its folders."""

MOST_PARTED = 2
"""The most times that this is done."""

_SPLIT = re.compile(r"[/\\.:]+")
_HUMPS = re.compile(r"[a-z0-9][A-Z]|[^_]_[^_]")
_BUILD = frozenset({"", "src", "lib", "main", "java", "kotlin", "scala", "source", "sources", "test", "tests"})
SCOPE = "@"
"""The sign of a scope of packages: `@vue/shared`."""

OF_DART = "package:"
"""The beginning of an import of Dart that names a package."""

_MEMBERS = OF_OBJECTS | {"member"}
"""Kinds of what no statement imports by its own name."""

_HERE = frozenset({"crate", "super", "self"})


def uses(grounds: Grounds, packages: Sequence[Package]) -> list[str]:
    """Tells which parts use which, each as `packages/a, packages/b > packages/c`.

    Packages that know next to nothing of one another, as a server and the pages that it serves, are parted into folders.

    Args:
        grounds: the files.
        packages: those that hold source files.
    """
    every = _parts(grounds, packages)
    used = _used(grounds, every)
    for _ in range(MOST_PARTED):
        finer = _finer(grounds, every) if _is_little(every, used) else every
        if len(finer) == len(every):
            break
        every, found = finer, _used(grounds, finer)
        used = found if len(found) > len(used) else used
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for folder, others in used.items():
        alike[tuple(others)].append(folder)
    short = _short(grounds, [*dict.fromkeys(one for folder, others in used.items() for one in (folder, *others))])
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


def _parts(grounds: Grounds, packages: Sequence[Package]) -> list[Part]:
    parts = [Part(one.folder, one.manifest.name, one.sources, one.share) for one in packages]
    total = sum(part.share for part in parts)
    found: list[Part] = []
    for part in parts:
        found += _folders_of(grounds, part) if part.share > total * LARGEST_SHARE else [part]
    return found


def _is_little(parts: Sequence[Part], used: Mapping[str, Sequence[str]]) -> bool:
    """Tells whether what is said of parts says little of the whole: few of them use another, or those that hold little."""
    using = sum(part.share for part in parts if part.folder in used)
    return len(used) < LEAST_USING or using < SHARE_USING * sum(part.share for part in parts)


def _finer(grounds: Grounds, parts: Sequence[Part]) -> list[Part]:
    """The same parts, but for the large ones their folders."""
    total = sum(part.share for part in parts)
    found: list[Part] = []
    for part in parts:
        found += _folders_of(grounds, part) if part.share > total * SHARE_PARTED else [part]
    return found


def _folders_of(grounds: Grounds, part: Part) -> list[Part]:
    """The folders of a part, at the depth at which there are several; of the largest one its folders again, once."""
    folders: dict[str, list[int]] = defaultdict(list)
    paths = [grounds.files[file].path for file in part.files]
    depth = _common_depth(paths)
    for file, path in zip(part.files, paths, strict=True):
        folders["/".join(path.split("/")[:-1][: depth + 1])].append(file)
    found = [
        Part(folder, "", files, sum(len(grounds.surveys[file].names) for file in files))
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


def _used(grounds: Grounds, every: Sequence[Part]) -> Mapping[str, Sequence[str]]:
    """For each of the largest parts the folders of those that its files import, those that most files do first; none for none."""
    parts = sorted(every, key=lambda part: (-part.share, part.folder))
    homes = Homes(grounds, parts)
    by_path = _paths_of(grounds, parts)
    by_name = _names_of_one(grounds, parts)
    home = _HERE | {
        piece for file in grounds.voters for piece in grounds.files[file].path.split("/")[:-1] if piece not in _BUILD
    }
    total = sum(part.share for part in parts)
    told = frozenset(
        part.folder for at, part in enumerate(parts) if at < MOST_PARTS or part.share * LEAST_PART >= total
    )
    folders = frozenset(part.folder for part in parts)
    beside = _beside(grounds, parts)
    exact = {_folders(folder): home for folder, home in beside.items()}
    known: dict[tuple[str, str], frozenset[str]] = {}
    found: dict[str, Sequence[str]] = {}
    for part in parts[:MOST_PARTS]:
        files = Counter[str]()
        for file in part.files:
            path = grounds.files[file].path
            mixes = naming_of(path, b"").mixes
            around = path.rpartition("/")[0]
            meant = set[str]()
            for said in grounds.surveys[file].imports:
                if not homes.is_spelled(said, path):
                    if (mixes, said) not in known:
                        known[mixes, said] = frozenset(_meant(said, by_path[mixes], by_name[mixes], home, exact))
                    meant |= known[mixes, said]
                if said.startswith(".") or " ." in said:
                    meant.update(_nearby(said, around, folders, beside))
                meant.update(homes.meant(said, path))
            files.update(meant & told - {part.folder})
        for other in homes.referred(part.folder) & told - {part.folder}:
            files[other] = max(files[other], -(-len(part.files) // LEAST_SHARE))
        most = sorted(files, key=lambda one: (-files[one], one))
        found[part.folder] = [one for one in most if files[one] * LEAST_SHARE >= len(part.files)][:MOST_USED]
    return {folder: others for folder, others in found.items() if others}


def _paths_of(grounds: Grounds, parts: Sequence[Part]) -> Mapping[str, Mapping[tuple[str, ...], str]]:
    """For languages that use what each other define the paths by which statements name the parts with files of them, with their folders.

    The pages of a server may be a package of the same name as the server itself.
    """
    speaks = {part.folder: {naming_of(grounds.files[file].path, b"").mixes for file in part.files} for part in parts}
    return {
        mixes: {
            key: part.folder
            for part in reversed(parts)
            if not mixes or not speaks[part.folder].isdisjoint((mixes, ""))
            for key in _keys(part)
        }
        for mixes in set[str]().union(*speaks.values())
    }


def _keys(part: Part) -> list[tuple[str, ...]]:
    """The paths by which statements name a part: that of its package, and the end of its folder."""
    named, folder = tuple(_pieces(part.name)), _folders(part.folder)
    return [key for key in (named, folder) if key and (len(key) > 1 or key == named)]


def _folders(path: str) -> tuple[str, ...]:
    """The end of a path, as statements write it."""
    return tuple(piece.replace("-", "_") for piece in path.split("/")[-2:])


def _beside(grounds: Grounds, parts: Sequence[Part]) -> Mapping[str, str]:
    """The folders of parts beside which a file is called the same, each with the part of that: who names both means the file."""
    folders = {part.folder for part in parts}
    return {
        bare: part.folder
        for part in parts
        for file in part.files
        if (bare := grounds.files[file].path.rpartition(".")[0]) in folders
    }


def _names_of_one(grounds: Grounds, parts: Sequence[Part]) -> Mapping[str, Mapping[str, str]]:
    """For languages that use what each other define the names of several words that only one part defines, members left out, with its folder.

    Where a file of another part is called so, a statement may mean that.
    """
    every: defaultdict[str, dict[str, str | None]] = defaultdict(dict)
    called: defaultdict[str, set[str]] = defaultdict(set)
    for part in parts:
        for file in part.files:
            path, survey = grounds.files[file].path, grounds.surveys[file]
            found = every[naming_of(path, b"").mixes]
            called[stem(path)].add(part.folder)
            for name, kind in zip(survey.names, survey.kinds, strict=True):
                if kind not in _MEMBERS and _HUMPS.search(name):
                    found[name] = part.folder if found.get(name, part.folder) == part.folder else None
    return {
        mixes: {
            name: folder
            for name, folder in found.items()
            if folder is not None and called.get(name, {folder}) == {folder}
        }
        for mixes, found in every.items()
    }


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
    path = path.removeprefix(OF_DART)
    scoped = path.startswith(SCOPE)
    pieces = [piece for piece in _SPLIT.split(path.replace("-", "_").lstrip(SCOPE)) if piece]
    if scoped and pieces:  # all of the scope and the name of the package
        scope, _, rest = path.partition("/")
        count = len([piece for piece in _SPLIT.split(scope.lstrip(SCOPE)) if piece])
        return [SCOPE + "/".join(pieces[:count]), *pieces[count:]] if rest else []
    return pieces
