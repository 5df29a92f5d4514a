"""The main flow: who calls whom, a few calls deep, from where a program starts or from what reaches most of a library."""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.grounds import CALLABLE, Grounds, Spot, stem
from allocator.overview.importance import ROOTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

MOST_CALLEES = 4
"""Names that are told of what one definition calls."""

MOST_CALLERS = 5
"""Definitions whose calls are told."""

DEEPEST = 3
"""Calls from a start, when what it reaches is looked at."""

CANDIDATES = 80
"""The most important functions and methods among which that which reaches most is looked for."""

FOREMOST = 1000
"""Definitions among which these are looked for."""

MOST_BODY = 8_000
"""Bytes of a body in which calls are looked for."""

ENOUGH = 8.0
"""The reach of an entry point whose flow is told without looking for another."""

MOST_RANK = 3.0
"""The most that one file counts for, however often it is named."""

CALL_REACH = 0.3
"""The amount that each definition counts which is reached, besides its file."""

_CALL = re.compile(rb"(?:\b([A-Za-z_]\w{0,63})(?:::|\.))?([A-Za-z_]\w{2,63})\s*(?:::<[^<>()]{0,80}>)?!?\(")
"""A call: the word before the name of what is called, if one stands there, and the name."""

_NO_CODE = re.compile(
    rb"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'|//[^\n]*|/\*.*?\*/|#(?!\[)[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)


class _Start(NamedTuple):
    """A definition that a flow may begin with, and the files and definitions that it reaches, weighed."""

    spot: Spot
    reach: float


class Flow:
    """Follows calls by the names in bodies, those alone that can mean only one definition.

    Args:
        grounds: the files.
        main: the source files among which what reaches most is looked for.
    """

    def __init__(self, grounds: Grounds, main: Collection[int]) -> None:
        self._grounds = grounds
        self._main = main
        self._known: dict[Spot, Sequence[Spot]] = {}

    def calls(self, entries: Iterable[Spot]) -> list[str]:
        """Tells the calls from where it is best to begin, of each definition as `main > load, run`.

        Args:
            entries: where programs start, the first the best.
        """
        best = self._farthest((spot for spot in entries if spot.file in self._main), enough=ENOUGH)
        if best is None or best.reach < ENOUGH:
            other = self._farthest(self._candidates())
            if best is None or (other is not None and other.reach > 2 * best.reach):
                best = other
        return self._told(best.spot) if best is not None else []

    def _farthest(self, spots: Iterable[Spot], enough: float = math.inf) -> _Start | None:
        """The first definition that reaches enough, or the one that reaches most."""
        best: _Start | None = None
        for spot in spots:
            start = _Start(spot, self._reach(spot))
            if best is None or start.reach > best.reach:
                best = start
            if best.reach >= enough:
                break
        return best

    def _candidates(self) -> list[Spot]:
        grounds = self._grounds
        foremost = (Spot(file, place) for file, place in grounds.standing.foremost(FOREMOST))
        open_calls = (
            spot
            for spot in foremost
            if self._is_callable(spot) and spot.file in self._main and not grounds.surveys[spot.file].hidden[spot.place]
        )
        return [*islice(open_calls, CANDIDATES)]

    def _is_callable(self, spot: Spot) -> bool:
        return self._grounds.kind(spot) in CALLABLE and not self._grounds.is_test(spot)

    def _reach(self, start: Spot) -> float:
        """The files that calls from a definition come to, by their ranks, and the definitions, by their number."""
        seen = {start}
        wave = [start]
        for _ in range(DEEPEST):
            wave = [
                one
                for one in dict.fromkeys(called for spot in wave for called in self._called(spot))
                if one not in seen
            ]
            seen.update(wave)
        rank = self._grounds.standing.rank
        files = sorted({spot.file for spot in seen if spot != start})
        return sum(min(MOST_RANK, float(rank[file])) for file in files) + CALL_REACH * (len(seen) - 1)

    def _told(self, start: Spot) -> list[str]:
        waiting, told, said = [start], set[Spot](), list[str]()
        while waiting and len(said) < MOST_CALLERS:
            spot = waiting.pop(0)
            if spot in told:
                continue
            told.add(spot)
            called = self._called(spot)
            if called:
                names = ", ".join(map(self._grounds.short, called))
                said.append(f"{self._grounds.short(spot) if said else self._named(spot)} > {names}")
                waiting += called
        return said

    def _named(self, spot: Spot) -> str:
        """The name of a definition, with its file where others have the same."""
        grounds, survey = self._grounds, self._grounds.surveys[spot.file]
        alone = survey.containers[spot.place] or len(grounds.spots[survey.names[spot.place]]) == 1
        return grounds.short(spot) if alone else grounds.target(spot)

    def _called(self, spot: Spot) -> Sequence[Spot]:
        """The definitions whose names are called in the body of one, those that nothing else can be, the largest."""
        known = self._known.get(spot)
        if known is None:
            known = self._known[spot] = self._found(spot)
        return known

    def _found(self, spot: Spot) -> Sequence[Spot]:
        grounds = self._grounds
        survey = grounds.surveys[spot.file]
        start = survey.bodies[spot.place]
        body = grounds.source(spot.file)[start : min(survey.ends[spot.place], start + MOST_BODY)]
        called: dict[Spot, int] = {}
        for before, name in dict.fromkeys(_CALL.findall(_NO_CODE.sub(b" ", body))):
            meant = grounds.spots.get(name.decode(), ())
            there = [one for one in meant if before and self._stands_in(one, before.decode())]
            near = there or [one for one in meant if one.file == spot.file] or meant
            if len(near) != 1 or near[0] == spot or not self._is_callable(near[0]):
                continue
            if there or near[0].file == spot.file or _is_told_apart(name):
                called[near[0]] = grounds.surveys[near[0].file].sizes[near[0].place]
        largest = sorted(called, key=lambda one: -called[one])[:MOST_CALLEES]
        return [one for one in called if one in largest]

    def _stands_in(self, spot: Spot, name: str) -> bool:
        """Tells whether a definition stands in what has a name: a type, or a module with nothing around it.

        A module is a file, or its folder where the file says what that offers.
        """
        container, path = self._grounds.surveys[spot.file].containers[spot.place], self._grounds.files[spot.file].path
        if container:
            return container.rpartition(".")[2] == name
        own = stem(path)
        return own == name or (own in ROOTS and path.endswith(f"/{name}/{path.rpartition('/')[2]}"))


def _is_told_apart(name: bytes) -> bool:
    """Tells whether a name is no common word, as methods of libraries have them, and none that a file keeps to itself."""
    return not name.startswith(b"_") and (not name.islower() or b"_" in name)
