"""Reads where a query points by itself, paths, names of modules and of definitions, and finds those files.

A path in a query may be longer than that of the file, as in a trace of an installed package, or shorter, or begin
elsewhere: the files that share most of its end are meant, and more than their name where it has more.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

MOST_PATHS: Final = 1_000
"""Paths of a query that are read, the first ones."""

MOST_MODULES: Final = 200
"""Names of modules that are read, the first ones."""

MOST_NAMES: Final = 50
"""Names of definitions that are read, the first ones."""

MOST_ALONE: Final = 4
"""Names of a query that is nothing else."""

LONGEST: Final = 500
"""Characters of a path or a name that is read; a longer one is data."""

DEEPEST: Final = 24
"""Parts of a path or a name that are compared, the last ones of a path, the first ones of a name."""

LEAST_SHARED: Final = 2
"""Parts of a path's end that a file has to share with one that begins elsewhere."""

_NOWHERE: Final = frozenset({"", ".", ".."})
"""Parts of a path that lead to no other place than those before, or to one that nobody knows."""

_INDEXES: Final = frozenset({"__init__", "index", "mod", "lib"})
"""Files that stand for their folder."""

# Each alternative begins only where its run of characters does, and never gives one back: linear whatever the text is.
_PATH: Final = re.compile(r"(?<![\w.-])[\w.-]++(?:/[\w.-]++)+|(?<![\w-])[\w-]++\.[A-Za-z]{1,5}\b")
_DOTTED: Final = re.compile(r"(?<![\w./-])[A-Za-z_]\w*+(?>(?:(?:\.|::)[A-Za-z_]\w*+)+)")
_NAME: Final = re.compile(r"(?<![\w./\\:#@$-])[^\W\d][\w$]*+(?>(?:(?:\.|::|#|->)~?[^\W\d][\w$]*+)*)(?![\w$/\\@]|-\w)")
_JOINT: Final = re.compile(r"\.|::|#|->")
_IS_CODE: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|_|\.|::|#|->")
"""The signs of a name in prose, which no plain word has."""
_BETWEEN: Final = re.compile(r"[\s,;`]+")


class Pointers(msgspec.Struct, frozen=True, kw_only=True):
    """The places that a query points at.

    Attributes:
        paths: what is spelt like a file, or like the end of a path.
        modules: names of several parts, `a.b.c`, with slashes between them.
        names: what is written as the name of a definition, each by its parts: `load()`, `Config.load`.
        is_names: whether there is nothing else; then a word by itself is one, too.
    """

    paths: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    is_names: bool = False

    @staticmethod
    def of(text: str) -> Pointers:
        """Reads a query, in time linear in its length."""
        paths = dict.fromkeys(path for path in _PATH.findall(text) if len(path) <= LONGEST)
        dotted = (name for name in _DOTTED.findall(text) if len(name) <= LONGEST)
        modules = dict.fromkeys(name.replace("::", "/").replace(".", "/") for name in dotted)
        alone = _alone(text)
        return Pointers(
            paths=tuple(paths)[:MOST_PATHS],
            modules=tuple(modules)[:MOST_MODULES],
            names=tuple(islice(dict.fromkeys(alone or _names_in(text)), MOST_NAMES)),
            is_names=bool(alone),
        )


def _names_in(text: str) -> Iterator[tuple[str, ...]]:
    """Yields what is written as the name of a definition; one with a mark behind it, `empty?`, with and without that."""
    for match in _NAME.finditer(text):
        name, before, behind = match[0], text[match.start() - 1 : match.start()], text[match.end() : match.end() + 2]
        if len(name) <= LONGEST and (_IS_CODE.search(name) or behind[:1] == "(" or before == behind[:1] == "`"):
            yield tuple(_JOINT.split(name))
            if behind[:1] in {"?", "!"}:
                yield tuple(_JOINT.split(name + behind[0]))


def _alone(text: str) -> list[tuple[str, ...]]:
    """The names of a text that consists of a few, or of one word; none where it says more."""
    if len(text) > MOST_ALONE * LONGEST:
        return []
    words = [word.removesuffix("()") for word in _BETWEEN.split(text.strip(" \t\r\n`")) if word]
    bare = [word.rstrip("?!") for word in words]
    are_names = all(_NAME.fullmatch(word) and (len(words) == 1 or _IS_CODE.search(word)) for word in bare)
    return [tuple(_JOINT.split(word)) for word in words] if len(words) <= MOST_ALONE and are_names else []


def files_at(paths: Sequence[str], wanted: Iterable[str]) -> Mapping[str, Sequence[int]]:
    """The files that paths of a query mean, by the path as it stands there.

    Args:
        paths: of all files, relative, with forward slashes.
        wanted: paths of the query.
    """
    ends = {one: [*_ends(one)] for one in dict.fromkeys(wanted)}
    found = _files_by_end(paths, {end for listed in ends.values() for end in listed})
    return {one: places for one, listed in ends.items() if (places := _first_of(listed, found))}


def files_of_modules(paths: Sequence[str], modules: Iterable[str]) -> frozenset[int]:
    """The places of the files that names of modules mean: for each name those of its longest beginning that is one.

    Args:
        paths: of all files, relative, with forward slashes.
        modules: names, with slashes between their parts.
    """
    beginnings = {name: [*_beginnings(name)] for name in modules}
    named = map(module_at, paths)
    found = _files_by_end(named, {beginning for listed in beginnings.values() for beginning in listed})
    return frozenset(place for listed in beginnings.values() for place in _first_of(listed, found))


def module_at(path: str) -> str:
    """The path of a file without its extension; of one that stands for its folder, the path of that.

    Args:
        path: relative, with forward slashes.
    """
    stem = path.rpartition(".")[0] if "." in path.rpartition("/")[2] else path
    folder, _, name = stem.rpartition("/")
    return folder if name in _INDEXES else stem


def endings(path: str) -> Iterator[str]:
    """A path, and what is left of it below each of its folders."""
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[at + 1 :]
        at = path.find("/", at + 1)


def _files_by_end(paths: Iterable[str], wanted: AbstractSet[str]) -> Mapping[str, Sequence[int]]:
    """The places of the files whose path ends as is wanted, by that end."""
    found: dict[str, list[int]] = {}
    for place, path in enumerate(paths if wanted else ()):
        for end in endings(path):
            if end in wanted:
                found.setdefault(end, []).append(place)
    return found


def _first_of(ends: Iterable[str], found: Mapping[str, Sequence[int]]) -> Sequence[int]:
    """The files of the first end that is one of any."""
    return next((found[end] for end in ends if end in found), ())


def _ends(path: str) -> Iterator[str]:
    """Yields the ends of a file's path that a path in a query may mean, the longest first."""
    parts = [part for part in path.split("/") if part not in _NOWHERE][-DEEPEST:]
    for first in range(max(len(parts) - LEAST_SHARED + 1, min(len(parts), 1))):
        yield "/".join(parts[first:])


def _beginnings(name: str) -> Iterator[str]:
    """A name and its beginnings, the longest first; none of fewer than two parts."""
    parts = name.split("/")[:DEEPEST]
    for count in range(len(parts), 1, -1):
        yield "/".join(parts[:count])
