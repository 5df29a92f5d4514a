"""Compares the places of files with what imports write of them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from skeleton.names.targets import stem

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

NO_PLACE: Final = frozenset(["crate", "index", "lib", "main", "mod", "packages", "self", "src", "super"])
"""Words of an import, or parts of a path, that say nothing about which file is meant."""


def known_parts(paths: Collection[str]) -> frozenset[str]:
    """The names of the folders and files of some paths that an import may hold."""
    return frozenset(part for path in paths for part in places_of(path))


def places_of(path: str) -> frozenset[str]:
    """The parts of a path that an import of the file may hold."""
    return frozenset(part.replace("-", "_") for part in stem(path)) - NO_PLACE


def alike_from_the_end(path: Sequence[str], other: Sequence[str]) -> int:
    """Returns how many parts at their ends two paths share."""
    pairs = zip(reversed(path), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].replace("-", "_") == pair[1].replace("-", "_"), pairs))
