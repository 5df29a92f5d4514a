"""The names of files as stems, and those that a word of a query stands for, shortened ones too."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from allocator.ranking.pointers import module_at
from allocator.ranking.words import stems_in, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

SHORTENED = 0.6
"""The share of a name that a word is worth which is a longer or a shorter form of it: `auth`, `authentication`."""
LEAST_LETTERS = 3
"""Letters of a short form."""
LEAST_SHARE = 1 / 3
"""The share of a word's letters that a short form has."""


class FileNames:
    """The names of some files, without extensions; a file that stands for its folder has that of the folder.

    Args:
        paths: of the files, relative, with forward slashes.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        named = [tuple(stem for word in words_in(_called(path)) for stem in stems_in(word)) for path in paths]
        self.lengths = np.array([max(len(stems), 1) for stems in named], dtype=np.float64)
        """For each file how many stems its name has, 1 at the least."""
        found: dict[str, list[int]] = {}
        for place, stems in enumerate(named):
            for stem in dict.fromkeys(stems):
                found.setdefault(stem, []).append(place)
        self._with: Mapping[str, NDArray[np.int64]] = {stem: np.array(places) for stem, places in found.items()}
        self._sorted = sorted(found)

    def about(self, term: str) -> Iterator[tuple[NDArray[np.int64], float]]:
        """The files with a term in their name, 1; and those with a longer or shorter form of it there, `SHORTENED`."""
        if term in self._with:
            yield self._with[term], 1.0
        for other in self._forms(term):
            yield self._with[other], SHORTENED

    def _forms(self, term: str) -> Iterator[str]:
        for letters in range(LEAST_LETTERS, len(term)):
            if letters >= LEAST_SHARE * len(term) and term[:letters] in self._with:
                yield term[:letters]
        if len(term) > LEAST_LETTERS:
            at = bisect_right(self._sorted, term)
            while at < len(self._sorted) and self._sorted[at].startswith(term):
                yield self._sorted[at]
                at += 1


def _called(path: str) -> str:
    return module_at(path).rpartition("/")[2]
