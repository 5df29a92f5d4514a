"""A code base as arrays: the words of every definition, and the definitions that speak of each other.

A unit is a definition or, one for each file, the rest of it. All units of all files are numbered through, file by file,
and everything a ranking asks for is an array over units, over files, or over entries: an entry says that a word stands
in a unit, and how often in each place. Entries are sorted by word, so a query reads slices of them and never all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from allocator.ranking.entries import CALLS, KEEPS, TELLS, TESTS, Entry
from allocator.ranking.file_names import FileNames
from allocator.ranking.integers import ranges, sorting, summed
from allocator.ranking.packages import Packages
from allocator.ranking.repeats import announced, gathered, twins
from allocator.ranking.stems import parts_of, words_in
from allocator.ranking.vocabulary import AT_ONCE, Vocabulary
from workspace.cancellation import stop_if_cancelled
from workspace.lazy import lazy
from workspace.names.documents import is_document
from workspace.names.tiers import is_written_by_hand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from allocator.ranking.words import Query

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

MOST_HOMONYMS = 10
"""A name with more definitions than this says nothing about which of them is meant."""
MOST_MENTIONS = 200
"""A name that more units than this speak of is an everyday word of the code base."""
SHORTEST_NAME = 3

FIELDS = np.array([3, 1, 1, 1], dtype=np.uint16)
"""The weight of a word in a name, above a definition, in a signature, in a body."""

_ONCE_EACH = np.ones(4, dtype=np.uint16)

SHORTEST = 16.0
"""Bytes of source below which it makes no difference how short a definition is."""

_Number = TypeVar("_Number", bound=np.generic)


class Edges(NamedTuple):
    """Edges in one direction, sorted by where they begin."""

    spans: Longs
    """For each unit where its edges start; one more at the end."""
    ends: Longs
    """For each edge the unit that it leads to."""
    shares: Floats
    """For each edge its share of all that begin where it does."""

    def step(self, here: Floats) -> Floats:
        """Returns where a walk may be after one step, from the likelihood of each unit; nothing where no edge leads on."""
        begins = np.flatnonzero(here)
        starts, ends = self.spans[begins], self.spans[begins + 1]
        edges = ranges(starts, ends)
        return summed(self.ends[edges], np.repeat(here[begins], ends - starts) * self.shares[edges], len(here))


class PlainWords(NamedTuple):
    """Words in lower case, as they are written, with how many units say them."""

    listed: Sequence[str]
    counts: Mapping[str, int]


class Graph(NamedTuple):
    """The graph of names: an edge leads from a unit to a definition whose name it holds.

    An edge weighs less where several definitions have that name, and where many units hold it.
    """

    forth: Edges
    """To what a unit speaks of."""
    back: Edges
    """To those that speak of it."""


_OF_PATHS = ("place_of", "paths_with", "file_names", "packages", "is_document")
"""The parts of `Arrays` that depend on the paths alone."""


class Arrays:
    """All files of one call, as arrays; see the module.

    Args:
        paths: of the files, in order.
        entries: the files.
        vocabulary: their words.
        before: other arrays with the same vocabulary; what they know of paths is taken over where theirs are the same.

    Attributes:
        paths: of the files, in order.
        vocabulary: all words by number; it may know more by now than these files hold.
        words: each word by its number.
        files: how many files there are.
        units: how many units.
        first: for each file the number of its first unit; one more at the end.
        file: for each unit the number of its file.
        is_definition: for each unit whether it is one.
        is_callable, is_telling, is_constant, is_test: likewise whether it is of these kinds, as `entries` tells them.
        parent: for each unit the unit that it stands in, or -1.
        around: likewise its place among those of its file.
        size: for each unit the bytes of its source.
        head: for each definition the bytes of its signature.
        start: for each definition where its name starts in its file.
        length: for each unit how many words it holds.
        name: for each unit the word that is its name, or -1.
        holder: likewise the word that what it stands in is called by.
        spans: for each word where its entries start; one more at the end.
        entry_unit: for each entry its unit.
        entry_weight: for each entry how often the word stands there, times `FIELDS`.
        entry_in_name, entry_beside_name: whether it stands in the name; whether it stands anywhere else.
    """

    def __init__(
        self,
        paths: Sequence[str],
        entries: Sequence[Entry],
        vocabulary: Vocabulary,
        *,
        before: Arrays | None = None,
    ) -> None:
        if before is not None and before.paths == paths:
            self.__dict__ |= {name: before.__dict__[name] for name in _OF_PATHS if name in before.__dict__}
        self.paths = paths
        self.vocabulary = vocabulary
        words = vocabulary.words
        self.words: Sequence[str] = words
        self.files = len(entries)
        held = np.array([entry.units for entry in entries], dtype=np.int64)
        self.first: Longs = np.concatenate([np.zeros(1, np.int64), np.cumsum(held)])
        self.units = int(self.first[-1])
        self.file: Longs = np.repeat(np.arange(self.files), held)
        self.is_definition: Flags = np.ones(self.units, dtype=np.bool_)
        self.is_definition[self.first[1:] - 1] = False
        kinds = _joined([entry.kinds for entry in entries], np.uint8)
        self.is_callable: Flags = (kinds & CALLS) > 0
        self.is_telling: Flags = (kinds & TELLS) > 0
        self.is_constant: Flags = (kinds & KEEPS) > 0
        self.is_test: Flags = (kinds & TESTS) > 0
        self.size: Floats = _joined([entry.sizes for entry in entries], np.float64)
        self.head: Floats = _joined([entry.heads for entry in entries], np.float64)
        self.start: Floats = _joined([entry.starts for entry in entries], np.int32).astype(np.float64)
        self.name: Ints = _joined([entry.names for entry in entries], np.int32)
        self.holder: Ints = _joined([entry.holders for entry in entries], np.int32)
        inner = _joined([entry.parents for entry in entries], np.int32)
        self.around: Floats = inner.astype(np.float64)
        self.parent: Longs = np.where(inner >= 0, inner + self.first[self.file], -1)
        word = _joined([entry.word for entry in entries], np.int32)
        counted = np.array([len(entry.word) for entry in entries], dtype=np.int64)
        unit = _joined([entry.unit for entry in entries], np.int32) + np.repeat(self.first[:-1], counted)
        order = sorting(word)
        self.entry_unit: Longs = unit[order]
        counts = _joined([entry.counts for entry in entries], np.uint8, (0, 4))[order]
        self.entry_weight: NDArray[np.uint16] = counts @ FIELDS
        self.entry_in_name: Flags = counts[:, 0] > 0
        self.entry_beside_name: Flags = (counts[:, 1] | counts[:, 2] | counts[:, 3]) > 0
        stop_if_cancelled()
        self.spans: Longs = np.searchsorted(word[order], np.arange(len(words) + 1))
        self.length: Floats = summed(self.entry_unit, counts @ _ONCE_EACH, self.units)

    @lazy
    def own_size(self) -> Floats:
        """For each unit the bytes of its source that stand in no definition inside it."""
        own, inner = self.size.copy(), np.flatnonzero(self.parent >= 0)
        np.subtract.at(own, self.parent[inner], self.size[inner])
        return np.maximum(own, 1.0)

    def entries_about(self, term: str) -> Longs:
        """The places of all entries of the words that are about a term."""
        words = np.asarray(self.vocabulary.having(term), dtype=np.int64)
        words = words[words < len(self.spans) - 1]  # others came with files of later calls
        return ranges(self.spans[words], self.spans[words + 1])

    def entries_of(self, term: str, query: Query) -> Longs:
        """The same of a term of a query: of its frame, those in names alone."""
        entries = self.entries_about(term)
        return entries[self.entry_in_name[entries]] if term in query.frame else entries

    def knows(self, term: str) -> bool:
        """Tells whether anything in a file, or a path, is about a term."""
        return term in self.paths_with or len(self.entries_about(term)) > 0

    @lazy
    def plain_words(self) -> PlainWords:
        """The parts of all words of these files, and of their paths; of what nobody wrote, of the paths alone.

        In the digests of a lock file some letters are near to any word.
        """
        counts: dict[str, int] = {}
        made = np.array([not is_written_by_hand(path) for path in self.paths], dtype=np.bool_)
        in_made = np.flatnonzero(made[self.file][self.entry_unit])
        of_made = np.searchsorted(self.spans, in_made, side="right") - 1
        held = np.diff(self.spans) - np.bincount(of_made, minlength=len(self.spans) - 1)
        for start in range(0, len(held), AT_ONCE):
            stop_if_cancelled()
            for word, count in zip(
                self.words[start : start + AT_ONCE], held[start : start + AT_ONCE].tolist(), strict=False
            ):
                for part in parts_of(word) if count else ():
                    counts[part] = counts.get(part, 0) + count
        for path in self.paths:
            for word in words_in(path):
                for part in parts_of(word):
                    counts[part] = counts.get(part, 0) + 1
        return PlainWords(sorted(counts), counts)

    @lazy
    def is_gathered(self) -> Flags:
        """For each file whether it is put together of others, as single headers and bundles are."""
        return gathered(self)

    @lazy
    def twins(self) -> Longs:
        """For each unit the group of definitions to which it belongs that are the same in many files; -1 for none."""
        return twins(self)

    @lazy
    def is_announced(self) -> Flags:
        """For each unit whether it only announces a function that another file holds, as the prototypes of headers do."""
        return announced(self)

    @lazy
    def place_of(self) -> Mapping[str, int]:
        """The place of each file, by its path."""
        return {path: place for place, path in enumerate(self.paths)}

    @lazy
    def by_place(self) -> Floats:
        """Minus the logarithm of each place, for as many as there are units; 0 for the best."""
        return -np.log1p(np.arange(self.units))

    @lazy
    def number_inside(self) -> Longs:
        """For each unit how many of its file come before it."""
        return np.arange(self.units) - self.first[self.file]

    @lazy
    def log_size(self) -> Floats:
        """For each unit the logarithm of its bytes; very short ones are alike."""
        return np.log(np.maximum(self.size, SHORTEST))

    def name_stems(self, units: Longs) -> Floats:
        """Returns how many stems the names of some units have, 1 at the least; endless where one has no name."""
        stems = np.full(len(units), np.inf)
        named = np.flatnonzero(self.name[units] >= 0)
        names, places = np.unique(self.name[units[named]], return_inverse=True)
        stems[named] = np.array(self.vocabulary.stems(names.tolist()), dtype=np.float64)[places]
        return stems

    @lazy
    def log_units(self) -> Floats:
        """For each file the logarithm of how many units it has."""
        return np.log(np.diff(self.first))

    @lazy
    def paths_with(self) -> Mapping[str, Longs]:
        """The files whose path is about a term, by term."""
        found: dict[str, list[int]] = {}
        for place, path in enumerate(self.paths):
            for term in self.vocabulary.about(path):
                found.setdefault(term, []).append(place)
        return {term: np.array(places) for term, places in found.items()}

    @lazy
    def file_names(self) -> FileNames:
        """The names of the files and of their folders."""
        return FileNames(self.paths)

    @lazy
    def packages(self) -> Packages:
        """The packages that they stand in."""
        return Packages(self.paths)

    @lazy
    def is_document(self) -> Flags:
        """For each file whether it is a document, by its name."""
        return np.array([is_document(path) for path in self.paths], dtype=np.bool_)

    @lazy
    def graph(self) -> Graph:
        """The graph of units and the definitions that they name; worked out when it is first asked for."""
        named = np.flatnonzero((self.name >= 0) & self.is_definition)
        named = named[np.argsort(self.name[named], kind="stable")]
        names, starts, homonyms = np.unique(self.name[named], return_index=True, return_counts=True)
        mentions = self.spans[names + 1] - self.spans[names]
        long_enough = np.array([len(self.words[int(name)]) >= SHORTEST_NAME for name in names], dtype=np.bool_)
        kept = (homonyms <= MOST_HOMONYMS) & (mentions <= MOST_MENTIONS) & (mentions > 0) & long_enough
        names, starts, homonyms, mentions = names[kept], starts[kept], homonyms[kept], mentions[kept]
        # each entry of such a name, as often as there are definitions of it
        entries = np.repeat(ranges(self.spans[names], self.spans[names + 1]), np.repeat(homonyms, mentions))
        pairs = mentions * homonyms
        within = np.arange(int(pairs.sum())) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        target = named[np.repeat(starts, pairs) + within % np.repeat(homonyms, pairs)]
        source = self.entry_unit[entries]
        weight = np.repeat(1.0 / (homonyms * np.sqrt(mentions)), pairs)
        spoken = self.entry_beside_name[entries] & (source != target)
        source, target, weight = source[spoken], target[spoken], weight[spoken]
        return Graph(forth=_edges(source, target, weight, self.units), back=_edges(target, source, weight, self.units))


def _edges(begins: Longs, ends: Longs, weights: Floats, units: int) -> Edges:
    order = sorting(begins * units + ends)  # words are numbered as they come; no sum may depend on that
    begins, ends, weights = begins[order], ends[order], weights[order]
    spans: Longs = np.searchsorted(begins, np.arange(units + 1))
    return Edges(spans=spans, ends=ends, shares=weights / summed(begins, weights, units)[begins])


def _joined(parts: Sequence[NDArray[_Number]], like: type[_Number], shape: tuple[int, ...] = (0,)) -> NDArray[_Number]:
    return np.concatenate(parts) if parts else np.zeros(shape, dtype=like)
