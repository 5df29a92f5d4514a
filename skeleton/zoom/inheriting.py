"""Finds members that a class has from those it inherits from: `Ordered.get`, where `class Ordered(Base)` and `Base.get` are written.

Each base that a class says it has (`bases`) is looked for by its name, near the class first; those of the bases follow.
Where several have the member, the nearest is meant, and the others are told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import FIELD, TYPES
from skeleton.names.targets import last_segment, segments
from skeleton.uses.bases import bases_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

    Pair = tuple[IndexedFile, Definition]

_DEEPEST: Final = 12
"""Classes above each other."""

_MOST_BASES: Final = 64
"""Classes that one member is looked for in."""

_MOST_ALIKE: Final = 4
"""Classes of one name, above which none of them is taken for a base."""


_RENAMES: Final = re.compile(
    rb"[\w$]{1,200}\s{0,9}(?::[^=\n]{0,200})?=\s{0,9}(?:[A-Za-z_]\w{0,200}(?:\.|::)){0,8}(?P<other>[A-Za-z_]\w{0,200})[\s;]{0,9}\Z"
)
"""A constant that is another name for something: `Store = shop.Shop`."""


class Inherited(NamedTuple):
    """A member that classes have from one above them: the definitions, and who else above has one of its name."""

    pairs: list[Pair]
    others: tuple[str, ...]


class Known(Protocol):
    """Files whose symbols are known."""

    def holders(self, name: str, path: str = "") -> list[IndexedFile]:
        """The files that define a name."""
        ...

    def symbols(self, files: Sequence[IndexedFile]) -> list[tuple[Definition, ...]]:
        """Every definition of each file, by position."""
        ...


def inherited(known: Known, classes: Sequence[Pair], name: str) -> Inherited | None:
    """Finds a member in the classes above some.

    Args:
        known: the files.
        classes: those that the member is asked of.
        name: of the member.

    Returns:
        None where none of them has it, or no base is known.
    """
    members = _definitions(known, name)
    found = [own for level in levels_above(known, classes) for pair in level if (own := _members(members, pair))]
    if not found:
        return None
    first, *rest = found
    own = {(file.path, one.start) for file, one in first}
    others = {one.path: None for pairs in rest for file, one in pairs if (file.path, one.start) not in own}
    return Inherited(first, tuple(others))


def levels_above(known: Known, classes: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Yields the classes above some, the nearest first: those that they inherit from, then those that these do."""
    seen = {(file.path, one.start) for file, one in classes}
    level = [*classes]
    for _ in range(_DEEPEST):
        above: list[Pair] = []
        for file, one in level:
            for base in bases_in(file, known.symbols([file])[0], one):
                for pair in _meant(known, base, file):
                    if (key := (pair[0].path, pair[1].start)) not in seen and len(seen) < _MOST_BASES:
                        seen.add(key)
                        above.append(pair)
        if above:
            yield above
        level = above


def _definitions(known: Known, name: str) -> list[Pair]:
    files = known.holders(name)
    return [
        (file, one)
        for file, every in zip(files, known.symbols(files), strict=True)
        for one in every
        if last_segment(one.name) == name
    ]


def _types(known: Known, name: str) -> list[Pair]:
    """The types of a name; where there are none, those that a constant of this name is another name for."""
    every = _definitions(known, name)
    found = [pair for pair in every if pair[1].kind in TYPES]
    others = () if found else filter(None, dict.fromkeys(map(another_name, every)))
    return found or [pair for other in others for pair in _definitions(known, other) if pair[1].kind in TYPES]


def _meant(known: Known, base: str, here: IndexedFile) -> list[Pair]:
    """The classes that a file may mean by the name of a base, nearest first; none where too many are called so."""
    parts = segments(base.replace("\\", "."))
    mixes = naming_of(here.path, b"").mixes
    fitting = [
        (file, one)
        for file, one in _types(known, parts[-1])
        if naming_of(file.path, b"").mixes == mixes and one.body < one.end
    ]
    qualified = [pair for pair in fitting if segments(pair[1].path)[-len(parts) :] == parts]
    near = [pair for pair in qualified or fitting if pair[0].path == here.path]
    folder = here.path.rpartition("/")[0]
    near = near or [pair for pair in qualified or fitting if pair[0].path.rpartition("/")[0] == folder]
    every = near or [pair for pair in qualified or fitting if pair[0].tier == here.tier] or fitting
    return every if len(every) <= _MOST_ALIKE else []


def _members(members: Sequence[Pair], owner: Pair) -> list[Pair]:
    """The definitions among some that stand in a class, or in what adds to it; those of its file before all others."""
    file, one = owner
    mixes = naming_of(file.path, b"").mixes
    own = [pair for pair in members if pair[1].container == one.path and naming_of(pair[0].path, b"").mixes == mixes]
    return [pair for pair in own if pair[0].path == file.path] or own


def another_name(pair: Pair) -> str:
    """Returns the name that a constant is another one of, the last part of it: `Shop` of `Store = shop.Shop`; "" for none."""
    file, one = pair
    found = _RENAMES.match(file.source, one.name_start, one.end) if one.kind in ("constant", FIELD) else None
    other = found["other"].decode("utf-8", "replace") if found is not None else ""
    return "" if other == one.name else other


def is_class(pair: Pair) -> bool:
    """Tells whether a definition may inherit from others."""
    return pair[1].kind in TYPES
