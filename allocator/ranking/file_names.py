"""The names of files and of their folders as stems, and those that a word of a query stands for, shortened ones too."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

import numpy as np

from allocator.ranking.pointers import module_at
from allocator.ranking.stems import stems_in
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

SHORTENED = 0.6
"""The share of a name that a word is worth which is a longer or a shorter form of it: `auth`, `authentication`."""
LEAST_LETTERS = 3
"""Letters of a short form."""
LEAST_SHARE = 1 / 3
"""The share of a word's letters that a short form has."""

_WORDS: Final = r"(?:internals?|private|impl|details?)(?=[/_]|$)"
_PRIVATE: Final = re.compile(rf"(?:^|(?<=/))_?{_WORDS}|_{_WORDS}|(?:^|(?<=/))_(?![_/]|$)")
"""The signs in a path that a file or a folder is nobody's business but the project's own."""
_PERHAPS: Final = re.compile("internal|private|impl|detail")
"""Words that are found sooner: one stands in whatever that pattern finds, but for names that begin with `_`."""

_NOWHERE: Final = np.zeros(0, np.int64)


class Names:
    """Some names as stems.

    Args:
        names: the names.
    """

    def __init__(self, names: Iterable[str]) -> None:
        named = [stems_in(name) for name in names]
        self.lengths = np.array([max(len(stems), 1) for stems in named], dtype=np.float64)
        """For each how many stems it has, 1 at the least."""
        found: dict[str, list[int]] = {}
        for place, stems in enumerate(named):
            for stem in stems:
                found.setdefault(stem, []).append(place)
        self._with: Mapping[str, NDArray[np.int64]] = {stem: np.array(places) for stem, places in found.items()}
        self._sorted = sorted(found)

    def saying(self, term: str) -> NDArray[np.int64]:
        """The places of the names with a term in them."""
        return self._with.get(term, _NOWHERE)

    def about(self, term: str) -> Iterator[tuple[NDArray[np.int64], float]]:
        """Yields the places of the names with a term in them, 1; and of those with another form of it, `SHORTENED`."""
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


class FileNames:
    """The names of some files, without extensions, and of their folders; a file that stands for a folder is called as that.

    Args:
        paths: of the files, relative, with forward slashes.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._modules = [module_at(path) for path in paths]
        self._split = [module.rpartition("/") for module in self._modules]

    @lazy
    def files(self) -> Names:
        """The names of the files."""
        return Names(name for _, _, name in self._split)

    @lazy
    def folders(self) -> Names:
        """The names of the folders that they stand in."""
        return Names(folder.rpartition("/")[2] for folder, _, _ in self._split)

    @lazy
    def behind(self) -> NDArray[np.float64]:
        """1 for each private file that a public one is called like, `_internal/_config.py` beside `config.py`; else 0."""
        in_private = {folder for folder in {each[0] for each in self._split} if _PRIVATE.search(folder)}
        private = {
            place: _bare(self._modules[place])
            for place, (folder, _, name) in enumerate(self._split)
            if folder in in_private or ((name[:1] == "_" or _PERHAPS.search(name)) and _PRIVATE.search(name))
        }
        public = {*private.values()}.intersection(self._modules)  # what is bare is private nowhere
        behind = np.zeros(len(self._modules))
        behind[[place for place, module in private.items() if module in public]] = 1.0
        return behind


def _bare(module: str) -> str:
    """The path of a file without what says that it is private: `a/_internal/_config` and `a/config_impl` are `a/config`."""
    return "/".join(part for part in (_PRIVATE.sub("", part) for part in module.split("/")) if part)
