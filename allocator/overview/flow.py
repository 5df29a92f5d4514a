"""The main flow: who calls whom, a few calls deep, from where a program starts or from what reaches most of a library."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.calls import Calls
from allocator.overview.grounds import Grounds, Spot
from skeleton.languages.visibility import Visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

MOST_CALLERS = 5
"""Definitions whose calls are told."""

DEEPEST = 3
"""Calls from a start, when what it reaches is looked at."""

CANDIDATES = 80
"""The most important functions and methods among which that which reaches most is looked for."""

FOREMOST = 1000
"""Definitions among which these are looked for."""

ENOUGH = 8.0
"""The reach of an entry point whose flow is told without looking for another."""

MOST_RANK = 3.0
"""The most that one file counts for, however often it is named."""

CALL_REACH = 0.3
"""The amount that each definition counts which is reached, besides its file."""


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
        self._calls = Calls(grounds)
        self._hidden: dict[int, frozenset[str]] = {}

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
            if spot.file in self._main and self._calls.is_callable(spot) and self._is_for_others(spot)
        )
        return [*islice(open_calls, CANDIDATES)]

    def _is_for_others(self, spot: Spot) -> bool:
        """Tells of a definition whether neither it nor what it stands in says that it is not for others."""
        if self._grounds.surveys[spot.file].visible[spot.place] != Visible.EVERYWHERE:
            return False
        hidden = self._hidden_in(spot.file)
        if not hidden:
            return True
        survey = self._grounds.surveys[spot.file]
        around = survey.containers[spot.place]
        return not survey.hidden[spot.place] and not any(
            around == one or around.startswith(f"{one}.") for one in hidden
        )

    def _hidden_in(self, file: int) -> frozenset[str]:
        """The qualified names in a file of what is not for others."""
        if file not in self._hidden:
            survey = self._grounds.surveys[file]
            parts = zip(survey.containers, survey.names, survey.hidden, strict=True)
            self._hidden[file] = frozenset(
                f"{around}.{name}" if around else name for around, name, is_hidden in parts if is_hidden
            )
        return self._hidden[file]

    def _reach(self, start: Spot) -> float:
        """The files that calls from a definition come to, by their ranks, and the definitions, by their number."""
        seen = {start}
        wave = [start]
        for _ in range(DEEPEST):
            wave = [
                one
                for one in dict.fromkeys(called for spot in wave for called in self._calls.of(spot))
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
            called = self._calls.of(spot)
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
