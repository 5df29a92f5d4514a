"""Explains the rank of a definition: the signals that spoke for it, its words, and its callers.

Nothing is worked out before it is asked for: a call that shows a context asks for none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from allocator.ranking.mix import factors
from allocator.ranking.signals import foremost, signals
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.ranking.arrays import Arrays, Floats, Longs
    from allocator.ranking.history import History
    from allocator.ranking.words import Query

MOST_WORDS = 8
"""Words of a definition that are told."""

MOST_CALLERS = 4
"""Definitions that speak of it, likewise."""

COMPARED = 20
"""Definitions by whose reasons two rankings are compared."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """The reasons for the weight of a definition.

    Attributes:
        file: the place of its file.
        definition: its place among the file's definitions.
        weight: its weight.
        parts: what each signal added to the logarithm of the weight, the largest first; a constant is left out.
        words: words that it holds and that the query is about, as they are written there.
        callers: definitions that speak of it by its name, `path::name`, those of most weight first; of what stands in
            no definition the path alone.
    """

    file: int
    definition: int
    weight: float
    parts: tuple[tuple[str, float], ...]
    words: tuple[str, ...]
    callers: tuple[str, ...]


class Reasons:
    """The reasons of one ranking.

    Args:
        arrays: of all files.
        tiers: of the files.
        query: what was looked up.
        history: the newest commits.
        weights: of all units.
        lifted: for all units what it adds to the logarithm of the weight that the query names some.
        by_path: for each file of the arrays its place among those that were ranked.
    """

    def __init__(
        self,
        arrays: Arrays,
        tiers: Longs,
        query: Query,
        history: History,
        *,
        weights: Floats,
        lifted: Floats,
        by_path: Sequence[int],
    ) -> None:
        self._arrays = arrays
        self._tiers = tiers
        self._query = query
        self._history = history
        self._weights = weights
        self._lifted = lifted
        self._by_path = by_path
        self._factors = factors(query)

    def __eq__(self, other: object) -> bool:
        """Two are alike that tell the same of the definitions of most weight."""
        return isinstance(other, Reasons) and self.foremost(COMPARED) == other.foremost(COMPARED)

    __hash__ = None  # pyright: ignore[reportAssignmentType] - as of anything that is compared by what it holds

    def foremost(self, count: int) -> list[Reason]:
        """The reasons of the definitions of most weight.

        Args:
            count: how many, 1 or more.
        """
        arrays = self._arrays
        weights = np.where(arrays.is_definition, self._weights, -1.0)
        units = foremost(weights, count, arrays.first)
        units = units[arrays.is_definition[units]]
        return [self._reason(unit) for unit in units[np.argsort(-weights[units], kind="stable")[:count]].tolist()]

    def of(self, file: int, definition: int) -> Reason:
        """The reason of one definition.

        Args:
            file: the place of its file.
            definition: its place among the file's definitions.
        """
        return self._reason(int(self._arrays.first[self._line_of[file]]) + definition)

    def _reason(self, unit: int) -> Reason:
        arrays = self._arrays
        file = int(arrays.file[unit])
        parts = [(name, factor * float(self._signals[name][unit])) for name, factor in self._factors.items()]
        if lifted := float(self._lifted[unit]):
            parts.append(("named", lifted))
        return Reason(
            file=self._by_path[file],
            definition=unit - int(arrays.first[file]),
            weight=float(self._weights[unit]),
            parts=tuple(sorted(parts, key=lambda part: -abs(part[1]))),
            words=self._words(unit),
            callers=self._callers(unit),
        )

    def _words(self, unit: int) -> tuple[str, ...]:
        arrays = self._arrays
        found: dict[str, None] = {}
        for units, words in self._entries:
            at = np.flatnonzero(units == unit)
            for word in sorted(arrays.words[int(number)] for number in words[at]):
                found[word] = None
        return tuple(found)[:MOST_WORDS]

    def _callers(self, unit: int) -> tuple[str, ...]:
        back = self._arrays.graph.back
        units = back.ends[int(back.spans[unit]) : int(back.spans[unit + 1])]
        return tuple(map(self._named, units[np.argsort(-self._weights[units], kind="stable")[:MOST_CALLERS]].tolist()))

    def _named(self, unit: int) -> str:
        arrays = self._arrays
        path, name = arrays.paths[int(arrays.file[unit])], int(arrays.name[unit])
        return f"{path}::{arrays.words[name]}" if name >= 0 else path

    @lazy
    def _line_of(self) -> Longs:
        return np.argsort(np.array(self._by_path, dtype=np.int64))

    @lazy
    def _signals(self) -> dict[str, Floats]:
        found = signals(self._arrays, self._tiers, self._query, self._history)
        return {name: found[name] for name in self._factors}

    @lazy
    def _entries(self) -> list[tuple[Longs, Longs]]:
        """For each term of the query, the units that hold it, and the words that it stands in there."""
        arrays = self._arrays
        found: list[tuple[Longs, Longs]] = []
        for term in self._query.terms:
            entries = arrays.entries_of(term, self._query)
            found.append((arrays.entry_unit[entries], np.searchsorted(arrays.spans, entries, side="right") - 1))
        return found
