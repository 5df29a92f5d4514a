"""The meaning of a name among some files: definitions, files, or lines of files.

`zoom`, `focus` and all else that takes a name ask here, so what one of them accepts all accept, and mean the same by it.
A name that is spelt like a path (with a slash or an ending) is a file's first; any other is a definition's first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.formats import holds_code
from skeleton.index.deprecation import is_deprecated
from skeleton.languages.headers import language_name_of
from skeleton.languages.kinds import HOLDERS
from skeleton.names.targets import (
    EXACTLY,
    PLACES,
    check_range,
    in_module,
    is_member_of,
    line_range,
    segments,
    split_word,
    symbol_target,
)
from workspace.names.tiers import Tier
from workspace.paths import from_word, slashed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.names.targets import SymbolTarget
    from skeleton.outline.definitions import Definition
    from skeleton.zoom.symbols import SymbolTable

    Pair = tuple[IndexedFile, Definition]

CALLED: Final = frozenset(["function", "method"])

MOST_PLACES: Final = 20
"""Files that one name may mean."""

_SPELT_LIKE_A_PATH: Final = re.compile(r"/|\\|\w\.\w")
_PUBLIC: Final = re.compile(rb"\s*(?:pub|public|open|export)\b")
_NARROWED: Final = re.compile(rb"\s*(?:pub\s*\(|(?:private|protected|internal|fileprivate|local)\b)")
_LONGEST_MODIFIER: Final = 80
"""Bytes at the beginning of a definition in which a word may say who sees it."""


class Place(NamedTuple):
    """A file, or lines of it."""

    path: str
    first: int = 1
    last: int = 0
    """0 for the last line of the file."""


class Meaning(NamedTuple):
    """The meaning of a name: definitions, or places, the best first; nothing where both are empty."""

    definitions: Sequence[tuple[IndexedFile, Definition]] = ()
    places: Sequence[Place] = ()


def meaning(target: str, table: SymbolTable, paths: Sequence[str], base: str) -> Meaning:
    """Reads a name.

    Args:
        target: as `skeleton.names.targets` tells.
        table: the symbols of the files.
        paths: of the files, relative to the folder.
        base: the folder's absolute path, for names that begin with it.

    Raises:
        InvalidArgumentError: the target is of no known form.
    """
    word, name = split_word(target, lambda plain: bool(place_spelt(from_word(plain), paths, base)))
    if word == "module":
        return Meaning(places=modules(name, paths))
    if word in PLACES:
        return Meaning(places=place_spelt(name, paths, base) or places_ending(name, paths))
    if word == "symbol" and is_spelt_like_a_path(name) and (places := place_spelt(name, paths, base)):
        return Meaning(places=places)
    wanted = symbol_target(word, name)
    definitions = best_first(table.definitions(wanted), wanted)
    if word == "symbol" and (not definitions or is_rather_a_module(name, definitions)):
        places = places_ending(name, paths)
        if places:
            return Meaning(places=places)
    return Meaning(definitions=definitions)


def is_spelt_like_a_path(name: str) -> bool:
    """Tells whether a name has a slash or an ending."""
    return _SPELT_LIKE_A_PATH.search(name) is not None


def is_rather_a_module(name: str, definitions: Sequence[tuple[IndexedFile, Definition]]) -> bool:
    """Tells whether a dotted name is looked for among modules, since nothing but tests defines it."""
    return "." in name and all(file.tier is Tier.TESTS for file, _ in definitions)


def place_spelt(name: str, paths: Sequence[str], base: str) -> list[Place]:
    """Returns the file, or the lines of it, whose path is spelt out, from the folder on or from the root of the disk.

    Raises:
        InvalidArgumentError: the lines are no range.
    """
    whole = slashed(name).removeprefix(f"{slashed(base).rstrip('/')}/").removeprefix("./")
    if whole in paths:
        return [Place(whole)]
    ranged = line_range(whole)
    if ranged is None or ranged[0] not in paths:
        return []
    check_range(name, *ranged[1:])
    return [Place(*ranged)]


def places_ending(name: str, paths: Sequence[str]) -> list[Place]:
    """Returns the files whose path ends as a name does, or which are the module that it spells, or lines of them.

    Raises:
        InvalidArgumentError: the lines are no range.
    """
    ranged = line_range(name)
    path, first, last = ranged or (name, 1, 0)
    if "\\" in path and not any(one.endswith(path) for one in paths):
        path = path.replace("\\", "/")
    path = path.strip("/").removeprefix("./")
    found = [Place(one, first, last) for one in paths if f"/{one}".endswith(f"/{path}")] if path else []
    if found and ranged:
        check_range(name, first, last)
    parts = segments(path) if not found and (first, last) == (1, 0) else ()
    if parts:
        is_alone = len(parts) == 1  # a word is the name of a module, but of no text or picture
        found = [
            Place(one)
            for one in paths
            if in_module(one, parts) == EXACTLY and not (is_alone and language_name_of(one, b"") is None)
        ]
    return sorted(found, key=lambda place: (place.path.count("/"), place.path))[:MOST_PLACES]


def modules(name: str, paths: Sequence[str]) -> list[Place]:
    """Returns the files that are a module: `pkg.mod`, `pkg::mod` or `pkg/mod`."""
    parts = tuple(part for part in re.split(r"::|[./]", name) if part)
    return [Place(one) for one in paths if parts and in_module(one, parts) == EXACTLY]


def best_first(found: Sequence[Pair], wanted: SymbolTarget) -> list[Pair]:
    """Puts the definitions that a target names in order.

    What is declared in one file and defined in another, as in a header of C, is meant where it is defined, unless the
    target says in which file. Members of what a file does not define itself stay in the order of the file.
    """
    found = _without_constructors(found)
    if wanted.path and all(is_member_of(one.container, wanted) for _, one in found):
        return [*found]
    if wanted.path or len(found) == 1:
        return sorted(found, key=rank)
    bodies = {(one.path, one.kind): file.path for file, one in found if one.body < one.end}
    return sorted(
        (
            (file, one)
            for file, one in found
            if one.body < one.end or one.kind not in CALLED or bodies.get((one.path, one.kind), file.path) == file.path
        ),
        key=rank,
    )


def _without_constructors(found: Sequence[Pair]) -> Sequence[Pair]:
    """The same without the constructors of classes that are among them: those show them."""
    classes = {(file.path, one.path) for file, one in found if one.kind in HOLDERS}
    return [
        (file, one) for file, one in found if one.kind != "constructor" or (file.path, one.container) not in classes
    ]


def rank(pair: tuple[IndexedFile, Definition]) -> tuple[object, ...]:
    """Gives the place of a definition among homonyms; smaller is better.

    Source comes before tests, code that others can use before that of a notebook, what is still in use before what is deprecated, public before private, outer before inner, near the root before far from it.
    """
    file, one = pair
    reach = _reach(file.source[one.signature : one.signature + _LONGEST_MODIFIER], one.name)
    depth = one.path.count(".")
    return (
        file.tier is Tier.TESTS,
        holds_code(file.path),
        is_deprecated(file.source, one.start, one.body),
        reach,
        depth,
        file.tier,
        file.path.count("/"),
        file.path,
        one.start,
    )


def _reach(opening: bytes, name: str) -> int:
    """Returns how far a definition is seen, by its first words: 0 everywhere, 1 not said, 2 not everywhere."""
    if _NARROWED.match(opening) or (name.startswith("_") and not name.endswith("__")):
        return 2
    return 0 if _PUBLIC.match(opening) else 1
