"""The packages that files stand in, and how much of their names a query says: `vue-query`, `crates/parser`.

In a repository of many packages common words match in all of them. Who says the name of one means that one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from allocator.ranking.stems import parts_of, stem
from allocator.ranking.words import rarity_of
from workspace.names.manifests import begins_package

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from allocator.ranking.arrays import Floats
    from allocator.ranking.words import Query

LEAST: Final = 2
"""Packages that can be told apart; where there are fewer, saying the name of one tells nothing."""

OTHER_FORM: Final = 0.5
"""The share of a part of a name that is said by another form of its word: `loaded`, where the package is called `loader`."""


class Packages:
    """The folders with manifests among those of some files. That of all of them is none: it is what the question is asked of.

    Args:
        paths: of the files, relative, with forward slashes.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        split = (path.rpartition("/") for path in paths)
        folders = sorted({folder for folder, _, name in split if folder and begins_package(name)})
        self._folders = folders if len(folders) >= LEAST else []
        self._parts = [(*dict.fromkeys(parts_of(folder.rpartition("/")[2])),) for folder in self._folders]
        self._paths = paths

    def said(self, query: Query) -> Floats:
        """Returns for each file how much a query says of the name of a package that it stands in: 1 is all of it.

        A part of a name counts by how few of the packages have it: what all are called like tells none of them.

        Args:
            query: what is asked.
        """
        shares = dict(zip(self._folders, self._shares(query), strict=True))
        said = {folder: share for folder, share in shares.items() if share}
        found = np.zeros(len(self._paths))
        if said:
            for place, path in enumerate(self._paths):
                found[place] = max((said.get(folder, 0.0) for folder in _above(path)), default=0.0)
        return found

    def _shares(self, query: Query) -> Iterator[float]:
        words = {part.removesuffix("s") for _, parts in query.words for part in parts}
        terms = query.naming.keys() - query.frame
        having = Counter(part for parts in self._parts for part in parts)
        rarity = {part: rarity_of(len(self._parts), count) for part, count in having.items()}
        said = {
            part: (1.0 if part.removesuffix("s") in words else OTHER_FORM) if stem(part) in terms else 0.0
            for part in having
        }
        for parts in self._parts:
            whole = sum(rarity[part] for part in parts)
            yield (sum(rarity[part] * said[part] for part in parts) / whole) ** 2 if whole else 0.0


def _above(path: str) -> Iterator[str]:
    """Yields the folders that a path stands in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
