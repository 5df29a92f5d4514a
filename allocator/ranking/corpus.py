"""The files known between calls, and the arrays that they come to.

A `Corpus` keeps what it has worked out between calls. A file is known by its path and a key for its content, and is
read once; when files change, the arrays (`allocator.ranking.arrays`) are put together anew from what is known of each.
The result depends on the files alone, not on how a corpus came to know them.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from allocator.ranking.arrays import Arrays
from allocator.ranking.entries import (
    KIND,
    LEAST_SHARED,
    RENEWED,
    TESTS,
    Entry,
    Together,
    key_of,
    kind_of,
    packed,
    unpacked,
)
from allocator.ranking.vocabulary import Vocabulary
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from skeleton.index.terms import Terms
    from skeleton.outline.definitions import Definition
    from workspace.names.tiers import Tier
    from workspace.shared.store import SharedStore

    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

KEPT = 2
LEAST_KEPT = 1000
"""A corpus forgets files that a call does not list when it knows more than this and `KEPT` times those that it does: the
next call may list them again, as the pages of one answer do."""

_LAST_NAME = re.compile(r"(?<![^.:#/\\])[^.:#/\\]+$")
_HOLDER = re.compile(r"(?:\A|[.:#/\\])([^.:#/\\]+)[.:#/\\]+[^.:#/\\]+$")
"""The last name of what a qualified name stands in."""


def _now(work: Callable[[], None]) -> None:
    work()


class RankedFile(Protocol):
    """A file that can be ranked without being read."""

    @property
    def path(self) -> str:
        """Relative to the folder that was asked for, with forward slashes."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier that it has before anything else is known of it."""
        ...

    @property
    def key(self) -> object:
        """Stands for its content: another content has another key."""
        ...


class Reading(NamedTuple):
    """The definitions of a file's sketch and their terms, read once."""

    definitions: Sequence[Definition]
    terms: Terms


class InOrder(NamedTuple):
    """The files of a call in the order of their paths, in which nothing depends on who lists them how."""

    by_path: Sequence[int]
    """The place that each has in the call."""
    files: Sequence[RankedFile]
    line_of: Longs
    """For each place in the call the one here."""
    tiers: Longs
    arrays: Arrays


class Corpus:
    """The files known between calls. Threads may share it: what is known is replaced, and never changed.

    Args:
        shared: where replicas that begin find the files put together by others; None for nowhere.
        together: where processes of this machine that begin find those of the folder; None for nowhere.
        later: does what no call waits for; at once by default.
    """

    def __init__(
        self,
        shared: SharedStore | None = None,
        together: Together | None = None,
        *,
        later: Callable[[Callable[[], None]], None] = _now,
    ) -> None:
        self._shared = shared
        self._together = together
        self._later = later
        self._vocabulary = Vocabulary()
        self._in_order: tuple[object, InOrder | None] = None, None
        self._known: dict[tuple[str, object], Entry] = {}
        self._latest: tuple[list[str], list[object], Arrays] | None = None

    def in_order(
        self,
        files: Sequence[RankedFile],
        read: Callable[[Sequence[int]], Iterable[Reading | Entry]],
        *,
        same: object = None,
        is_whole: bool = False,
    ) -> InOrder:
        """The files of a call by their paths, with their arrays.

        Args:
            files: the files, in any order.
            read: as of `arrays`.
            same: stands for the files: they are those of the last call that brought it; None for nothing.
            is_whole: as of `arrays`.
        """
        known, found = self._in_order
        if found is not None and known is same is not None:
            return found
        by_path = sorted(range(len(files)), key=[file.path for file in files].__getitem__)
        listed = [files[place] for place in by_path]
        arrays = self.arrays(listed, lambda places: read([by_path[place] for place in places]), is_whole=is_whole)
        line_of = np.argsort(np.array(by_path, dtype=np.int64))
        found = InOrder(by_path, listed, line_of, tiers_of(listed), arrays)
        if same is not None:
            self._in_order = same, found
        return found

    def arrays(
        self,
        files: Sequence[RankedFile],
        read: Callable[[Sequence[int]], Iterable[Reading | Entry]],
        *,
        is_whole: bool = False,
    ) -> Arrays:
        """All files of a call; the same object as long as they are the same.

        Args:
            files: the files, in any order.
            read: is given the places of files that are not known, and gives their readings, or what `entry` made of them.
            is_whole: they are all files of a folder, which others are likely to ask about as well.
        """
        paths, keys = [file.path for file in files], [file.key for file in files]
        latest = self._latest
        if latest is not None and keys == latest[1] and paths == latest[0]:
            return latest[2]
        listed = list(zip(paths, keys, strict=True))
        known = self._known
        unknown = [place for place, each in enumerate(listed) if each not in known]
        begins = is_whole and not known and len(listed) >= LEAST_SHARED
        entries = self._of_others(listed) if begins else None
        if entries is None:
            if begins and self._together is not None:
                known = self._together.entries(self._vocabulary.numbered)
                unknown = [place for place, each in enumerate(listed) if each not in known]
            entries = [one if isinstance(one, Entry) else self.entry(one) for one in read(unknown)]
            if begins and self._shared is not None:
                self._shared.offer([(KIND, key_of(listed), packed(entries, self._vocabulary.words))])
        is_new = begins and len(unknown) * RENEWED > len(listed)
        known = known | {listed[place]: entry for place, entry in zip(unknown, entries, strict=True)}
        if is_new and self._together is not None:
            found = [known[each] for each in listed]
            self._later(partial(self._together.keep, listed, found, self._vocabulary.words))
        before = latest[2] if latest is not None else None
        arrays = Arrays(paths, [known[each] for each in listed], self._vocabulary, before=before)
        self._known = known if len(known) <= KEPT * len(listed) + LEAST_KEPT else {each: known[each] for each in listed}
        self._latest = paths, keys, arrays
        return arrays

    def _of_others(self, listed: Sequence[tuple[str, object]]) -> list[Entry] | None:
        """Returns what another replica has found in some files; None where none has, or does not tell in time."""
        if self._shared is None:
            return None
        found = self._shared.fetch([(KIND, key_of(listed))])
        (value,) = found.values() or (None,)
        return None if value is None else unpacked(value, len(listed), self._vocabulary.numbered)

    def entry(self, reading: Reading) -> Entry:
        """Returns what a reading comes to, whose words it numbers."""
        stop_if_cancelled()
        definitions, terms = reading
        words = np.array(self._vocabulary.numbered(terms.words), dtype=np.int32)
        last_names = (_LAST_NAME.search(definition.name) for definition in definitions)
        count = len(definitions)
        names = np.full(count + 1, -1, dtype=np.int32)
        names[:count] = self._vocabulary.numbered(
            found[0] if found else definition.name for found, definition in zip(last_names, definitions, strict=True)
        )
        holders = np.full(count + 1, -1, dtype=np.int32)
        held = [(at, found[1]) for at, one in enumerate(definitions) if (found := _HOLDER.search(one.path))]
        holders[[at for at, _ in held]] = self._vocabulary.numbered(name for _, name in held)
        parents = np.full(count + 1, -1, dtype=np.int32)
        kinds = np.zeros(count + 1, dtype=np.uint8)
        sizes = np.ones(count + 1)
        heads = np.zeros(count + 1)
        starts = np.zeros(count + 1, dtype=np.int32)
        by_path: dict[str, int] = {}
        for place, definition in enumerate(definitions):
            parents[place] = by_path.get(definition.container, -1)
            kinds[place] = kind_of(definition)
            sizes[place] = definition.end - definition.signature
            heads[place] = definition.body - definition.signature
            starts[place] = definition.name_start
            by_path.setdefault(definition.path, place)
        if terms.tests:
            kinds[:count] += TESTS * np.frombuffer(terms.tests, dtype=np.uint8)
        indices = np.frombuffer(terms.indices, dtype=np.uint32)
        return Entry(
            units=count + 1,
            unit=np.frombuffer(terms.units, dtype=np.uint32).astype(np.int32),
            word=words[indices] if len(words) else np.zeros(0, np.int32),
            counts=np.frombuffer(terms.counts, dtype=np.uint8).reshape(-1, 4),
            names=names,
            kinds=kinds,
            sizes=sizes,
            heads=heads,
            parents=parents,
            holders=holders,
            starts=starts,
        )


def tiers_of(files: Sequence[RankedFile]) -> Longs:
    """The tier of each file."""
    return np.fromiter((file.tier for file in files), dtype=np.int64, count=len(files))
