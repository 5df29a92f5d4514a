"""The main flow: who calls whom, a few calls deep, from where a program starts or from what a library offers.

Of what one definition calls those are told that lead farthest: to the files that much names, and to most definitions.
"""

from __future__ import annotations

import math
import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.about import is_readme
from allocator.overview.answering import answering
from allocator.overview.calls import Calls
from allocator.overview.grounds import Grounds, Spot, stem
from allocator.overview.habits import is_told_apart
from allocator.overview.sections import is_kept
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import HOLDERS
from skeleton.languages.visibility import Visible
from skeleton.outline.definitions import qualified
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

MOST_CALLERS = 5
"""Definitions whose calls are told."""

MOST_WEIGHED = 6
"""Of those that one calls, the ones whose own calls are followed."""

MOST_CALLEES = 4
"""Names that are told of what one definition calls."""

DEEPEST = 5
"""Calls from a start, when what it reaches is looked at."""

MOST_OFFERED = 24
"""The names most worth reading among which what a flow begins with is looked for, and among their members."""

MOST_CANDIDATES = 80
"""The candidates whose calls are followed, those that call most."""

CALLER = 0.6
"""The least that a caller of the best one reaches, in the reach of that, to be begun with in its place."""

ENOUGH = 8.0
"""The reach of an entry point whose flow is told without looking for another."""

LEAST = 2.0
"""The least reach of a start that is told: of what a library offers, where it has files for that, and of an entry point that a manifest
names where there is no better."""

ENOUGH_NAMED = 3.0
"""The same of an entry point that a manifest names."""

FAR_MORE = 4.0
"""So many times the reach of such an entry point, what a library offers is begun with in its place."""

DEEPER = 0.6
"""The part that the reach of a caller counts for each call between it and the start, when the next to be told is chosen."""

MOST_RANK = 3.0
"""The most that one file counts for, however often it is named."""

CALL_REACH = 0.3
"""The amount that each definition counts which is reached, besides its file."""

AGAIN = 1.5
"""The weight of what is called more than once."""

LATER = 0.25
"""The power of its place by which what is less worth reading counts less."""

SHOWN = 2.0
"""The weight of what the README calls, or a root of a package holds itself."""

NOT_OFFERED = 0.5
"""The part that counts of what the roots of packages do not name, where they name others."""

ENTRY = 1.5
"""The weight of what is named after doing the whole work."""

WORKING = 3.0
"""The same of what is called, when the next to be told is chosen."""

_ENTERED = "call dispatch execute handle invoke listen perform process run serve servehttp start"
ENTERED = frozenset(_ENTERED.split())
"""Names, in lower case, of what a program, a server or a framework does its whole work by."""

_WHOLLY = re.compile(
    r"(?<!init)(?<!setup)(?:_loop|(?:_m|(?<=[a-z])M)ain|(?:_r|(?<=[a-z])R)un|(?:_s|(?<=[a-z])S)erve)\Z"
)
"""The end of such a name: `event_loop`, `aeMain`, but not `init_loop`, which prepares it."""

COMMON_SHARE = 10
"""A function that one in so many files names is a tool of everybody: of what one definition calls it is told where nothing else is."""

LEAST_COMMON = 12
"""The fewest files of which that is said."""

_FIRST_ACTIONS = "create handle index list post search show store"
FIRST_ACTIONS = frozenset(_FIRST_ACTIONS.split())
"""Names, in lower case, of members that do what such a type is there for."""

MOST_ACTIONS = 40
"""The largest of those members, whose calls are followed."""

_NO_FLOW = (
    "new init initialize constructor __init__ toString ToString to_s inspect fmt String Error __str__ __repr__ equals Equals __eq__ "
    "hashCode GetHashCode __hash__ close Close dispose Dispose destroy Destroy shutdown Shutdown stop Stop __exit__"
)
NO_FLOW = frozenset(_NO_FLOW.split())
"""Names of what makes a value, says how it looks, or which others are like it, or ends it."""

_INSIDE = re.compile(r"(?:^|/)(?:_[a-z]\w*|internals?)/")
"""A folder of what a package keeps to itself."""

_SHOWN = re.compile(rb"\b([A-Za-z_]\w{2,63}[?!]?)\(")
_VARIANT = re.compile(r"(?<=[^\W_])(?:_with(?:_|\Z)|With(?:(?=[A-Z])|\Z))")
"""The end of a name that begins with that of a plainer one, which does the same with less: `prompt_with_options`."""

_FAILURE = re.compile(r"(?:Error|Exception)$")
_PUBLIC = re.compile(rb"\b(?:pub(?!\s*\()|public|open|export)\b")
_SAYS: Mapping[str, re.Pattern[bytes]] = {".rs": _PUBLIC, ".swift": _PUBLIC, ".cs": _PUBLIC}
"""The words before a name by which a language says that it is for others, by the endings of its files."""


class _Start(NamedTuple):
    """A definition that a flow may begin with, and the files and definitions that it reaches, weighed."""

    spot: Spot
    reach: float


class Flow:
    """Follows calls by the names in bodies, those alone that can mean only one definition.

    Args:
        grounds: the files.
        main: the source files among which what a library offers is looked for.
        first: those of the package that holds what is most worth reading.
        offered: the names that the roots of packages hold; none where there are no roots.
        roots: the places of these, or of the files that they hand on.
        packages: what code calls the packages of files, by the places of these.

    Attributes:
        answering: the definition that the calls were told from, if it answers what a framework is asked.
    """

    def __init__(
        self,
        grounds: Grounds,
        main: Collection[int],
        first: AbstractSet[int],
        offered: Collection[str],
        roots: Collection[int] = (),
        packages: Mapping[int, str] | None = None,
    ) -> None:
        self._grounds = grounds
        self._main = main
        self._first = first
        self._offered = offered
        self._roots = roots
        self._calls = Calls(grounds, packages or {})
        self._reached: dict[tuple[Spot, int], float] = {}
        self.answering: Spot | None = None

    def calls(self, named: Iterable[Spot], mains: Sequence[Spot]) -> list[str]:
        """Tells the calls from where it is best to begin, of each definition as `main > load, run`.

        Args:
            named: where the programs start that manifests name, the first the best.
            mains: where others do.
        """
        best: _Start | None = None
        others: list[_Start] = []
        for spot in named:
            reach = self._reach(spot, DEEPEST, ENOUGH_NAMED)
            if self._is_beside(spot):
                others.append(_Start(spot, NOT_OFFERED * self._reach(spot, DEEPEST, ENOUGH)))
            elif reach >= ENOUGH_NAMED or (reach >= LEAST and not self._is_little(reach)):
                return self._told(spot)
        for spot in mains:
            start = _Start(spot, self._reach(spot, DEEPEST, ENOUGH))
            if spot.file not in self._first:
                others.append(start._replace(reach=NOT_OFFERED * start.reach))
            elif start.reach >= ENOUGH:
                return self._told(spot)
            else:
                best = max(best or start, start, key=lambda one: one.reach)
        library = self._of_library()
        framework = self._of_framework()
        others += filter(None, (library, framework))
        other = max(others, key=lambda one: one.reach, default=None)
        if best is None or (other is not None and other.reach > 2 * best.reach):
            best = other
        if best is not None and best is library:
            large = (one for one in mains if one.file in self._main)
            best = next((best._replace(spot=one) for one in large if self._comes_to(one, best.spot)), best)
        if best is not None and best is framework:
            self.answering = best.spot
        return self._told(best.spot) if best is not None and best.reach else []

    def _is_beside(self, start: Spot) -> bool:
        """Tells of a program whether its calls come to nothing of what is most worth reading, which another package offers."""
        if not self._first or not self._offered or start.file in self._first:
            return False
        return self._first.isdisjoint(spot.file for spot in self._called_from(start))

    def _comes_to(self, start: Spot, end: Spot) -> bool:
        """Tells whether the calls of a program come to a definition."""
        return end in self._called_from(start)

    def _called_from(self, start: Spot) -> set[Spot]:
        """The definitions that the calls of one come to, and itself."""
        seen, wave = {start}, [start]
        for _ in range(DEEPEST):
            wave = [one for one in dict.fromkeys(chain.from_iterable(map(self._calls.of, wave))) if one not in seen]
            seen.update(wave)
        return seen

    def _is_little(self, reach: float) -> bool:
        """Tells whether a start reaches little beside what a library offers, as one whose calls are not followed does."""
        library = self._of_library()
        return library is not None and library.reach > FAR_MORE * reach

    def _of_library(self) -> _Start | None:
        """The candidate that reaches most, or one that calls it and reaches next to as much."""
        weights = dict(self._candidates())
        near = sorted(weights, key=lambda spot: -weights[spot] * self._reach(spot, 1))[:MOST_CANDIDATES]
        least = min(LEAST, len(self._main) / 2)
        starts = [
            _Start(spot, weights[spot] * reach) for spot in near if (reach := self._reach(spot, DEEPEST)) >= least
        ]
        best = max(starts, key=lambda one: one.reach, default=None)
        while best is not None:
            callers = [
                one
                for one in starts
                if best.spot in self._calls.of(one.spot) and one.reach >= CALLER * best.reach and one.spot != best.spot
            ]
            if not callers:
                break
            starts = [one for one in starts if one != best]
            best = max(callers, key=lambda one: one.reach)
        return best

    def _of_framework(self) -> _Start | None:
        """The member that reaches most of those that answer what a framework is asked: nothing here calls them."""
        grounds = self._grounds
        actions = [
            spot
            for file in answering(grounds, self._main)
            for place in range(len(grounds.surveys[file].names))
            if self._is_of_library(spot := Spot(file, place))
            and self._calls.is_callable(spot)
            and self._is_for_others(spot)
        ]
        actions.sort(key=lambda one: (-grounds.surveys[one.file].sizes[one.place], one))
        starts = (
            _Start(one, self._reach(one, DEEPEST) * (ENTRY if self._name(one).lower() in FIRST_ACTIONS else 1))
            for one in actions[:MOST_ACTIONS]
        )
        return max((one for one in starts if one.reach >= LEAST), key=lambda one: one.reach, default=None)

    def farthest(self, spots: Iterable[Spot]) -> Spot | None:
        """Returns that of some definitions which reaches most; None where none calls anything."""
        callable_ = filter(self._calls.is_callable, dict.fromkeys(spots))
        best = max(
            (_Start(one, self._reach(one, DEEPEST)) for one in callable_), key=lambda one: one.reach, default=None
        )
        return best.spot if best is not None and best.reach else None

    def _candidates(self) -> Iterator[tuple[Spot, float]]:
        """The callables most worth reading, and the members of types among those, with what their reach is worth."""
        grounds = self._grounds
        foremost = [Spot(file, place) for file, place in grounds.standing.to_read]
        foremost = [spot for spot in foremost if self._is_of_library(spot)]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(map(self._name, foremost)))}
        of_roots = [Spot(file, place) for file in self._roots for place in range(len(grounds.surveys[file].names))]
        of_roots += [spot for name in sorted(self._offered) for spot in grounds.spots.get(name, ())]
        seen = set[Spot]()
        for spot in (*foremost, *filter(self._is_of_library, of_roots)):
            name = self._name(spot)
            number = numbers.get(name, MOST_OFFERED)
            if spot.file in self._roots or name in self._shown or name in self._offered:
                number = min(number, MOST_OFFERED)
            if number > MOST_OFFERED or _FAILURE.search(name):
                continue
            is_offered = not self._offered or name in self._offered
            weight = (1 + number) ** -LATER * (1 if is_offered else NOT_OFFERED)
            is_type = grounds.kind(spot) in HOLDERS and not self._calls.is_callable(spot)
            alike = (one for one in grounds.spots[name] if grounds.kind(one) == grounds.kind(spot))
            if not is_type and len({one.file for one in alike if self._is_made(one)}) > 1:
                continue
            for one in self._members(spot) if is_type else [spot]:
                if one not in seen and self._calls.is_callable(one) and self._is_for_others(one):
                    seen.add(one)
                    is_first = self._name(one) in self._shown or one.file in self._roots
                    yield one, weight * (SHOWN if is_first else 1) * (ENTRY if self._is_entered(one) else 1)

    @lazy
    def _shown(self) -> frozenset[str]:
        """The names that READMEs call."""
        grounds = self._grounds
        readmes = (place for place, file in enumerate(grounds.files) if is_readme(file.path))
        return frozenset(name.decode() for place in readmes for name in _SHOWN.findall(grounds.source(place)))

    def _is_made(self, spot: Spot) -> bool:
        return self._grounds.has_body(spot) and self._calls.is_callable(spot)

    def _name(self, spot: Spot) -> str:
        return self._grounds.surveys[spot.file].names[spot.place]

    def _is_entered(self, spot: Spot) -> bool:
        """Tells of a definition whether it is named after doing the whole work."""
        return self._name(spot).strip("_!").lower() in ENTERED

    def _is_common(self, spot: Spot) -> bool:
        """Tells of a function that is no member whether very many files name it: its name is told apart, or they import its folder."""
        name, surveys = self._name(spot), self._grounds.surveys
        if surveys[spot.file].containers[spot.place]:
            return False
        least = max(LEAST_COMMON, len(self._main) / COMMON_SHARE)
        if is_told_apart(name):
            return sum(name in surveys[file].words for file in self._main) >= least
        imported = self._as_imported(spot)
        using = [file for file in self._main if imported and name in surveys[file].words]
        return sum(any(imported in said for said in surveys[file].imports) for file in using) >= least

    def _as_imported(self, spot: Spot) -> str:
        """The end of what imports the folder of a definition, where its language names that: who holds the name too may mean it."""
        path = self._grounds.files[spot.file].path
        folder = path.rpartition("/")[0].rpartition("/")[2]
        return f"/{folder}" if folder and naming_of(path, b"").folders else ""

    def _is_of_library(self, spot: Spot) -> bool:
        """Tells whether a definition stands in the main files, in no folder that a package keeps to itself, and is no test."""
        path = self._grounds.files[spot.file].path
        return spot.file in self._main and not _INSIDE.search(path) and not self._grounds.is_test(spot)

    def _members(self, spot: Spot) -> list[Spot]:
        """The members of a type in its file."""
        survey = self._grounds.surveys[spot.file]
        own = qualified(survey.containers[spot.place], survey.names[spot.place])
        return [Spot(spot.file, place) for place, around in enumerate(survey.containers) if around == own]

    def _is_for_others(self, spot: Spot) -> bool:
        """Tells of a definition whether it says that it is for others, where its language asks that, or does not deny it now."""
        survey = self._grounds.surveys[spot.file]
        if (
            survey.visible[spot.place] != Visible.EVERYWHERE
            or survey.hidden[spot.place]
            or survey.deprecated[spot.place]
            or is_kept(self._grounds, spot)
        ):
            return False
        name = survey.names[spot.place]
        if name in NO_FLOW or name.startswith("#") or self._grounds.kind(spot) == "constructor":
            return False
        path = self._grounds.files[spot.file].path
        says = _SAYS.get(path[path.rfind(".") :])
        start = survey.starts[spot.place]
        above = max(0, survey.bodies[spot.place] - survey.heads[spot.place])
        return says is None or says.search(self._grounds.source(spot.file), above, start) is not None

    def _reach(self, start: Spot, depth: int, enough: float = math.inf) -> float:
        """The files that so many calls from a definition come to, by their ranks, and the definitions, by their number.

        Args:
            start: the definition.
            depth: how many calls one behind the other are followed.
            enough: with so much no more calls are followed.
        """
        known = self._reached.get((start, depth))
        if known is not None:
            return known
        rank = self._grounds.standing.rank
        seen = {start}
        wave = [start]
        found = 0.0
        for _ in range(depth):
            called = dict.fromkeys(one for spot in wave for one in self._calls.of(spot))
            wave = [one for one in called if one not in seen]
            seen.update(wave)
            files = sorted({spot.file for spot in seen if spot != start})
            found = sum(min(MOST_RANK, float(rank[file])) for file in files) + CALL_REACH * (len(seen) - 1)
            if found >= enough:
                return found
        self._reached[start, depth] = found
        return found

    def _called(self, spot: Spot) -> list[Spot]:
        """Those that a definition calls which lead farthest, in the order of the calls; what is called again counts more.

        The last that does the whole work by its name is one of them, and what everybody uses is none where there are others.
        """
        every = self._plain(self._beyond(spot))
        called = {one: times for one, times in every.items() if not self._is_common(one)} or every
        works = [one for one in called if self._working(one) > 1]
        sizes = {one: self._grounds.surveys[one.file].sizes[one.place] for one in called}
        near = sorted(called, key=lambda one: (-self._reach(one, 1), -sizes[one]))[:MOST_WEIGHED]
        far = {one: self._reach(one, DEEPEST - 1) * (AGAIN if called[one] > 1 else 1) for one in near}
        farthest = sorted(near, key=lambda one: (-far[one], -sizes[one]))
        alike = dict[str, Spot]()
        for one in (*works[-1:], *farthest):
            alike.setdefault(self._grounds.short(one), one)
        most = [*alike.values()][:MOST_CALLEES]
        return [one for one in called if one in most]

    def _plain(self, called: Mapping[Spot, int]) -> Mapping[Spot, int]:
        """Those that are called without the variants of others among them."""
        targets = {self._grounds.target(one) for one in called}
        plainer = {one: _VARIANT.search(self._name(one)) for one in called}
        return {
            one: times
            for one, times in called.items()
            if (found := plainer[one]) is None
            or self._grounds.target(one)[: found.start() - len(found.string)] not in targets
        }

    def _working(self, spot: Spot) -> float:
        """The weight of what is called: more for what does the whole work by its name, and calls others for it."""
        is_named = self._is_entered(spot) or _WHOLLY.search(self._name(spot)) is not None
        return WORKING if is_named and self._calls.of(spot) else 1

    def _beyond(self, spot: Spot) -> Mapping[Spot, int]:
        """The calls of a definition, and in place of overloads of its own those that they make."""
        own = self._grounds.short(spot)
        waiting, seen, called = [spot], {spot}, dict[Spot, int]()
        while waiting:
            for one, times in self._calls.of(waiting.pop()).items():
                if self._grounds.short(one) != own:
                    called[one] = called.get(one, 0) + times
                elif one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return called

    def _told(self, start: Spot) -> list[str]:
        """The calls from a start; of those that wait, what leads farthest is told next, and what is near before what is deep."""
        waiting, told, said = {start: 1.0}, set[Spot](), list[str]()
        names: dict[str, Spot] = {}
        while waiting and len(said) < MOST_CALLERS:
            spot = max(waiting, key=lambda one: waiting[one] * self._reach(one, DEEPEST - 1) * self._working(one))
            near = waiting.pop(spot)
            told.add(spot)
            called = self._called(spot)
            if called:
                caller, *listed = (self._told_apart(one, names) for one in (spot, *called))
                said.append(f"{caller if said else self._named(spot)} > {', '.join(dict.fromkeys(listed))}")
                for one in called:
                    if one not in told:
                        waiting.setdefault(one, near * DEEPER)
        return said

    def _told_apart(self, spot: Spot, names: dict[str, Spot]) -> str:
        """The name of a definition, or its target where another of that name is told already.

        Args:
            spot: the definition.
            names: those that are told, with what they mean; this one is added.
        """
        short, target = self._grounds.short(spot), self._grounds.target(spot)
        return short if self._grounds.target(names.setdefault(short, spot)) == target else target

    def _named(self, spot: Spot) -> str:
        """The name of a definition, with its file where others have the same."""
        grounds, survey = self._grounds, self._grounds.surveys[spot.file]
        alike = grounds.spots[survey.names[spot.place]]
        if survey.containers[spot.place]:
            short = grounds.short(spot)
            alike = [one for one in alike if grounds.short(one) == short and grounds.has_body(one)]
        places = {path.rpartition("/")[0] + stem(path) for path in (grounds.files[one.file].path for one in alike)}
        return grounds.short(spot) if len(places) <= 1 else grounds.target(spot)
