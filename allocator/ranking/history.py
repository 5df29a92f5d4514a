"""Ranks files by the commits about the same subject as a query, and by how lately they were touched.

Commits are scored by the words that their message shares with the query, rare words most, long messages less. The cube
of that score goes to the files that the commit touched, shared among them: one close commit says more than many that
are far. How lately a file was touched is told apart from all this, and needs no query.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from allocator.ranking.stems import begins_in, haystack_of, needle_of
from allocator.ranking.words import Query, foremost_terms, rarity_of
from workspace.cancellation import still_wanted
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from workspace.git.log import PastCommit

SHARPNESS = 3.0
SHORTEST_MESSAGE = 5
"""Added to the number of words of a message, so that one of two words is not worth everything."""
RECENT = 20.0
"""After so many commits, having been touched is worth half."""


class History(msgspec.Struct, frozen=True, dict=True):
    """The newest commits of a repository, read once."""

    commits: tuple[PastCommit, ...] = ()

    @lazy
    def _haystacks(self) -> tuple[str, ...]:
        return tuple(haystack_of(commit.message) for commit in self.commits)

    @lazy
    def _terms(self) -> dict[int, frozenset[str]]:
        """The terms of those messages that were read."""
        return {}

    def _read(self, wanted: Iterable[str]) -> Iterator[tuple[PastCommit, frozenset[str]]]:
        """The commits that may be about some terms, the newest first, each with all that its message is about."""
        needles, known = [*map(needle_of, wanted)], self._terms
        for place, haystack in enumerate(still_wanted(self._haystacks)):
            if not self._may_be_about(place, haystack, needles):
                continue
            if place not in known:
                known[place] = foremost_terms(self.commits[place].message)
            yield self.commits[place], known[place]

    def _may_be_about(self, place: int, haystack: str, needles: Iterable[str]) -> bool:
        """Tells whether a message may be about a term: one of its needles is in it, where a part of a word may begin."""
        if not haystack.isascii():
            return any(needle in haystack for needle in needles)
        message = self.commits[place].message
        written = f"{message}\n{message.replace('_', '')}" if "_" in message else message
        return any(begins_in(needle, haystack, written) for needle in needles)

    def look_for(self, terms: Iterable[str]) -> None:
        """Reads the commits that may be about some terms, so that they are known when it is asked what is about them."""
        for _ in self._read(terms):
            pass

    def knows(self, term: str) -> bool:
        """Tells whether the message of a commit is about a term."""
        return any(term in terms for _, terms in self._read([term]))

    @lazy
    def _latest(self) -> Mapping[str, float]:
        """The recency of each file that was touched."""
        latest: dict[str, float] = {}
        for age, commit in enumerate(self.commits):
            for path in commit.paths:
                latest.setdefault(path, 1 / (1 + age / RECENT))
        return latest

    def recency(self, place_of: Mapping[str, int]) -> NDArray[np.float64]:
        """Returns how lately each file was touched: 1 in the newest commit, half `RECENT` commits before, 0 never.

        Args:
            place_of: the place of each file, by its path.
        """
        return _placed(self._latest, place_of)

    def about(self, query: Query, place_of: Mapping[str, int]) -> NDArray[np.float64]:
        """Returns how much each file has to do with commits that are about the query; 0 or more, of no fixed scale.

        Args:
            query: what is asked for.
            place_of: the place of each file, by its path.
        """
        wanted = frozenset(query.terms)
        read = [(commit, own, shared) for commit, own in self._read(query.terms) if (shared := own & wanted)]
        held: dict[str, int] = {}
        for _, _, shared in read:
            for term in shared:
                held[term] = held.get(term, 0) + 1
        total = len(self.commits)
        rarity = {term: rarity_of(total, count) for term, count in held.items()}
        worth: dict[str, float] = {}
        for commit, own, shared in read:
            if commit.paths:
                score = sum(query.terms[term] * rarity[term] for term in sorted(shared))
                score /= math.sqrt(SHORTEST_MESSAGE + len(own))
                for path in commit.paths:
                    worth[path] = worth.get(path, 0.0) + score**SHARPNESS / math.sqrt(len(commit.paths))
        return _placed(worth, place_of)


def _placed(values: Mapping[str, float], place_of: Mapping[str, int]) -> NDArray[np.float64]:
    """Values by place; 0 where there is none."""
    placed = np.zeros(len(place_of))
    for path, value in values.items():
        if (place := place_of.get(path)) is not None:
            placed[place] = value
    return placed


NO_HISTORY = History()
