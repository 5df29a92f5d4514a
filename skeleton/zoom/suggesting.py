"""The targets that are suggested for a name which nothing has: by their letters, then by a part that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from skeleton.languages.kinds import CALLABLE, USABLE
from skeleton.names.targets import last_segment, segments
from workspace.cancellation import still_wanted
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

MOST_SUGGESTED: Final = 8

_LIKE_ENOUGH: Final = 70.0
"""Of a hundred: how alike two names must be to be suggested for each other."""

_LIKE_ENOUGH_AROUND: Final = 80.0
"""The same of what two names stand in."""

_LONGEST_LIKE: Final = 300
"""Characters of a name that nothing is like if it is longer."""

_AT_ONCE: Final = 5000
"""Names that are compared between two looks at whether the call is still wanted."""

_MOST_OF_ONE: Final = 3
"""Definitions of one name that are suggested before those of another."""

_MOST_READ: Final = 256
"""Files in which definitions of a name that is suggested are looked for."""

_LETTERS_PER_SLIP: Final = 9

_LONG_ENOUGH: Final = 3
"""Characters that a part of a name must have to suggest the name."""


class Table(Protocol):
    """The part of a table of symbols that is needed here."""

    @property
    def names(self) -> Iterable[str]:
        """All names that something is defined by."""
        ...

    def holders(self, name: str, path: str = "") -> list[IndexedFile]:
        """Returns the files that define a name."""
        ...

    def symbols(self, files: Sequence[IndexedFile]) -> list[tuple[Definition, ...]]:
        """Returns the definitions of some files."""
        ...


def targets_like(
    table: Table,
    name: str,
    kinds: Iterable[str],
    path: str,
    around: Sequence[str],
    limit: int,
) -> list[str]:
    """Returns targets of definitions with names like one: by their letters, then by a part that they share.

    Args:
        table: knows the definitions.
        name: what was asked for.
        kinds: what they may be; none for anything.
        path: the file or folder that was asked for; what is in it comes first.
        around: what is written before the name; what stands in something called like the last of it comes first.
        limit: how many at most.
    """
    from rapidfuzz import fuzz, process  # serves names that nobody defines

    if len(name) > _LONGEST_LIKE:
        return []
    wanted = name.lower()
    lowered = {one: one.lower() for one in table.names}
    known = [*lowered]
    near = [
        match
        for start in still_wanted(range(0, len(known), _AT_ONCE))
        for match in process.extract(
            wanted,
            {one: lowered[one] for one in known[start : start + _AT_ONCE]},
            scorer=fuzz.ratio,
            score_cutoff=_LIKE_ENOUGH,
            limit=limit,
        )
    ]
    near.sort(key=lambda match: (-match[1], -fuzz.ratio(name, match[2])))
    names = [match[2] for match in near[:limit]]
    slips = [one for one in names if _is_slip(wanted, lowered[one])]
    if found := _targets(table, slips, frozenset(kinds), limit, path, around):
        best = min(found.values())
        return [one for one, order in found.items() if order == best]
    if len(wanted) >= _LONG_ENOUGH and len(names) < limit:
        names += sorted(
            (one for one, low in still_wanted(lowered.items()) if one not in names and _is_part(wanted, low)),
            key=lambda one: (abs(len(one) - len(name)), one),
        )[: limit - len(names)]
    if path:
        here = {one for one in names if table.holders(one, path)}
        names.sort(key=lambda one: one not in here)
    return [*_targets(table, names, frozenset(kinds), limit, path, around)]


def _targets(
    table: Table, names: Sequence[str], kinds: frozenset[str], limit: int, path: str, around: Sequence[str]
) -> dict[str, tuple[float, bool, bool]]:
    """Targets of what has some names: a few of each, before more of the first; variables of functions and tests last.

    Of each is told how far it is from what it was looked for in, and whether it is such a variable, or a test.
    """
    first: dict[str, tuple[float, bool, bool]] = {}
    more: dict[str, tuple[float, bool, bool]] = {}
    for name in names:
        near = {one.path for one in table.holders(name, path)} if path else set[str]()
        files = sorted(table.holders(name), key=lambda one: (one.path not in near, one.tier, one.path))[:_MOST_READ]
        found = [
            (
                _distance(around[-1:], segments(one.container)[-1:]),
                file.path not in near,
                _is_minor(one, of_file),
                number,
                file,
                one,
            )
            for number, (file, of_file) in enumerate(zip(files, table.symbols(files), strict=True))
            for one in of_file
            if last_segment(one.name) == name and (not kinds or one.kind in kinds)
        ]
        found.sort(key=lambda each: (*each[:4], each[5].start))
        targets = {
            f"symbol={file.address}::{one.path}": (distance, minor > 1, file.tier is Tier.TESTS)
            for distance, _, minor, _, file, one in found
        }
        for target, order in targets.items():
            kept = first if len(first.keys() & targets.keys()) < _MOST_OF_ONE else more
            kept.setdefault(target, order)
    every = {**first, **more} if len(first) < limit else first
    return dict(sorted(every.items(), key=lambda each: each[1])[:limit])


def _distance(wanted: Sequence[str], own: Sequence[str]) -> float:
    """Tells how far what something stands in is from what is written before a name: 0 for the same, 1 for nothing like it."""
    if not wanted or not own or wanted == own:
        return 0.0 if wanted == own or not wanted else 1.0
    from rapidfuzz import fuzz  # as above

    alike = fuzz.ratio(wanted[0].lower().strip("_"), own[0].lower().strip("_"))
    return 1.0 - alike / 100 if alike >= _LIKE_ENOUGH_AROUND else 1.0


def _is_minor(one: Definition, of_file: Sequence[Definition]) -> int:
    """Tells how little a definition matters: 0 for one that code calls or makes, 2 for a variable of a function."""
    if one.kind in USABLE:
        return 0
    is_local = one.container and any(other.path == one.container and other.kind in CALLABLE for other in of_file)
    return 2 if is_local else 1


def _is_slip(wanted: str, name: str) -> bool:
    """Tells whether a name is one with a slip or two of the keys: letters that are missing, too many, others or in another order."""
    from rapidfuzz.distance import OSA  # as above

    return OSA.distance(wanted, name) <= 1 + len(wanted) // _LETTERS_PER_SLIP


def _is_part(wanted: str, name: str) -> bool:
    return wanted in name or (len(name) >= _LONG_ENOUGH and name in wanted)
