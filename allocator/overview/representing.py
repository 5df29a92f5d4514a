"""The definitions that say what each package of a repository is, told before any of them is told in detail.

By importance alone the names come first that many packages have or use, and a package with few files is named late or
never. So the first few of each that are worth reading come before all others, in turns, those of the largest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from allocator.overview.importance import SCOPES, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from allocator.overview.grounds import Grounds
    from allocator.overview.packages import Packages

ROUNDS = 3
"""Definitions of a package that is told of."""

FEW = 1
"""Definitions of a smaller one."""

MOST = 60
"""Definitions that come first."""


def representatives(
    grounds: Grounds, packages: Packages, is_outermost: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Returns the file and the place of definitions that represent their packages; none where there is one package.

    Args:
        grounds: the files.
        packages: those of the files.
        is_outermost: tells of a file and a place in it whether a map names what is there by its name alone.
    """
    told, large = packages.told, packages.sizeable
    if len(large) < 2:
        return []
    of_file = {file: number for number, package in enumerate(large) for file in package.sources}
    most = [ROUNDS if package in told else FEW for package in large]
    names: list[list[str]] = [[] for _ in large]
    rounds: list[list[tuple[int, int, int]]] = [[] for _ in range(ROUNDS)]
    left = sum(most)
    for file, place in grounds.standing.by_reading():
        survey, number = grounds.surveys[file], of_file.get(file)
        if number is None or len(names[number]) == most[number] or survey.kinds[place] in SCOPES | VALUES:
            continue
        if (name := survey.names[place]) not in names[number] and is_outermost(file, place):
            rounds[len(names[number])].append((number, file, place))
            names[number].append(name)
            left -= 1
            if not left:
                break
    return [(file, place) for held in rounds for _, file, place in sorted(held)][:MOST]
