"""The line of a first look that tells what to read next: the types and functions most worth it, as targets that `zoom` takes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from allocator.overview.flow import COMMON_SHARE, LEAST_COMMON
from allocator.overview.grounds import CALLABLE, MAINS, Spot, stem
from allocator.overview.habits import DECLARING
from allocator.overview.importance import SCOPES, VALUES
from allocator.overview.namesakes import NAMELESS
from skeleton.languages.kinds import CLASS, HOLDERS
from skeleton.languages.visibility import Visible
from skeleton.outline.definitions import qualified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from allocator.overview.grounds import Grounds
    from allocator.overview.packages import Packages

LARGEST_TOOL = 1000
"""Bytes of a function that everybody may call without a reader's having to know it."""

MOST_TARGETS = 6

LEAST_FUNCTIONS = 3
"""Functions of a module that is read like a type."""

OF_FAILURES = re.compile(r"(?<=\w)(?:Error|Exception)\Z")
"""The end of the name of what tells of a failure; the one that is called so alone may be all that there is."""

FILES_OF_FAILURES = frozenset({"error", "errors", "exception", "exceptions"})
"""Names of files, without ending and in lower case, that hold such things."""

MEMBERS = frozenset({"method", "constructor", "macro"})
"""Kinds that are read with what they belong to, or where they are used."""


def targets(
    grounds: Grounds, packages: Packages, aside: AbstractSet[int], answering: Spot | None = None
) -> Iterator[str]:
    """The types and functions that are most worth reading, one of a file and of a name.

    Small functions that everybody calls come last; before them functions that others do not see, before those what
    stands in a package too small to be told of, as each of the listings of a book, and before that files of failures.
    Second comes what answers a framework: nothing of the code names it.

    Args:
        grounds: the files.
        packages: those of the files.
        aside: the files that help to build, test or explain the others: these come with small packages.
        answering: a definition that answers what a framework is asked, if the main flow begins with one.
    """
    first, *others = _foremost(grounds, packages, aside) or [""]
    begun = grounds.target(_around(grounds, answering)) if answering is not None else first
    told = filter(None, dict.fromkeys((first, begun, *others)))
    yield from islice(told, MOST_TARGETS)


def _foremost(grounds: Grounds, packages: Packages, aside: AbstractSet[int]) -> list[str]:
    """The targets but for what answers a framework."""
    files, names = set[int](), set[str]()
    large = {file for one in packages.told for file in one.sources}

    foremost: dict[int, str] = {}
    for file, place in grounds.standing.to_read:
        foremost.setdefault(file, grounds.surveys[file].names[place])
    failures = {
        file
        for file, name in foremost.items()
        if OF_FAILURES.search(name) or stem(grounds.files[file].path).lower() in FILES_OF_FAILURES
    }

    def lateness(spot: Spot) -> tuple[bool, bool, bool]:
        return _is_inner(grounds, spot), spot.file not in large or spot.file in aside, spot.file in failures

    found = sorted((Spot(*one) for one in grounds.standing.to_read), key=lateness)
    waiting, tools = deque(found), set[Spot]()
    listed: list[str] = []
    while waiting and len(files) < MOST_TARGETS:
        spot = waiting.popleft()
        name = grounds.surveys[spot.file].names[spot.place]
        if spot.file in files or name in names or not _stands_alone(grounds, spot) or _is_made_elsewhere(grounds, spot):
            continue
        if spot not in tools and _is_tool_of_all(grounds, spot):
            tools.add(spot)
            waiting.append(spot)
            continue
        files.add(spot.file)
        names.add(name)
        listed.append(grounds.target(spot))
    return listed


def _around(grounds: Grounds, spot: Spot) -> Spot:
    """The type that a definition is a member of, where its file defines that; itself where there is none."""
    survey = grounds.surveys[spot.file]
    around = survey.containers[spot.place]
    types = (
        Spot(spot.file, place)
        for place, name in enumerate(survey.names)
        if around and survey.kinds[place] in HOLDERS and qualified(survey.containers[place], name) == around
    )
    return next(types, spot)


def _is_tool_of_all(grounds: Grounds, spot: Spot) -> bool:
    """Tells of a function whether it is small, and so many files name it that it says nothing of any."""
    survey, voters = grounds.surveys[spot.file], grounds.voters
    if grounds.kind(spot) not in CALLABLE or survey.sizes[spot.place] > LARGEST_TOOL:
        return False
    least = max(2 * LEAST_COMMON, len(voters) / COMMON_SHARE)
    return sum(_holds(grounds.surveys[file].words, survey.names[spot.place]) for file in voters) >= least


def _holds(words: Sequence[str], name: str) -> bool:
    """Tells whether a name is one of the words of a file, which are in order."""
    at = bisect_left(words, name)
    return at < len(words) and words[at] == name


def _is_made_elsewhere(grounds: Grounds, spot: Spot) -> bool:
    """Tells of a function whether it is only declared, as in a header of C, and another has its body."""
    if grounds.kind(spot) not in CALLABLE or grounds.has_body(spot):
        return False
    alike = grounds.spots[grounds.surveys[spot.file].names[spot.place]]
    return any(grounds.kind(one) in CALLABLE and grounds.has_body(one) for one in alike)


def _is_inner(grounds: Grounds, spot: Spot) -> bool:
    """Tells of a function whether its file or its folder alone sees it."""
    return grounds.surveys[spot.file].visible[spot.place] != Visible.EVERYWHERE and grounds.kind(spot) in CALLABLE


def _stands_alone(grounds: Grounds, spot: Spot) -> bool:
    """Tells of a type, a function or a module of functions whether it stands in no other but what only groups, tests excepted."""
    survey = grounds.surveys[spot.file]
    around = [*filter(None, survey.containers[spot.place].split("."))]
    scopes = {name for name, kind in zip(survey.names, survey.kinds, strict=True) if kind in SCOPES}
    return (
        (grounds.kind(spot) not in SCOPES | VALUES | MEMBERS or _holds_functions(grounds, spot))
        and survey.names[spot.place] not in NAMELESS.union(MAINS)
        and all(
            name in scopes or (grounds.kind(spot) == CLASS and _is_named_alone(grounds, spot, name)) for name in around
        )
        and not grounds.is_test(spot)
    )


def _is_named_alone(grounds: Grounds, spot: Spot, container: str) -> bool:
    """Tells whether the file of a definition only names what that stands in, and nobody knows a type called so."""
    return container not in grounds.surveys[spot.file].names and grounds.only_groups(container)


def _holds_functions(grounds: Grounds, spot: Spot) -> bool:
    """Tells of a module whether it is the only one of its name, which a type could have, and functions stand in it."""
    survey = grounds.surveys[spot.file]
    name, container = survey.names[spot.place], survey.containers[spot.place]
    declares = DECLARING.search(grounds.files[spot.file].path)
    if survey.kinds[spot.place] != "module" or not name[:1].isupper() or declares or len(grounds.spots[name]) > 1:
        return False
    path = qualified(container, name)
    inside = zip(survey.kinds, survey.containers, strict=True)
    return sum(around == path and kind in CALLABLE for kind, around in inside) >= LEAST_FUNCTIONS
