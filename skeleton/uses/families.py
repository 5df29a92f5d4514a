"""Tells which types inherit from which, and what their fields are typed, by what is written of them (`bases`).

No types are resolved: a type is its name, and one that several files define inherits what any of them says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import CALLABLE, HOLDERS, MEMBERS, OF_OBJECTS, TYPES
from skeleton.names.targets import segments
from skeleton.uses.bases import bases_in
from skeleton.uses.candidates import last_part
from skeleton.uses.giving import bounds_of, given_by
from skeleton.uses.places import places_of
from skeleton.uses.typed import types_of
from skeleton.uses.written import Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Candidate
    from skeleton.uses.sites import Site

_MOST_FILES: Final = 12
"""Files that define a type of one name; of a name that more have, nothing is said."""

_DEEPEST: Final = 8
"""Types above each other that are followed."""


class Families:
    """The types of a folder; what was worked out of one is kept while a call lasts.

    Args:
        holders: gives the files that define something of a name.
        symbols: gives the definitions of files.
    """

    def __init__(
        self,
        holders: Callable[[str], Sequence[IndexedFile]],
        symbols: Callable[[Sequence[IndexedFile]], Sequence[Sequence[Definition]]],
    ) -> None:
        self._holders = holders
        self._symbols = symbols
        self._above: dict[str, Mapping[str, int]] = {}
        self._fields: dict[tuple[str, str, str], frozenset[str]] = {}
        self._members: dict[str, frozenset[str]] = {}
        self._having: dict[tuple[str, str], list[tuple[IndexedFile, Sequence[Definition], Definition]]] = {}
        self._named: dict[str, list[tuple[IndexedFile, Sequence[Definition], Definition]]] = {}

    def knows(self, name: str) -> bool:
        """Tells whether a file of the folder defines something of a name."""
        return bool(self._holders(name))

    def may_be_type(self, name: str) -> bool:
        """Tells whether a file of the folder defines something of a name that is no member of a type."""
        return len(self._holders(name)) > _MOST_FILES or any(
            one.kind not in OF_OBJECTS for _, _, one in self.defined(name)
        )

    def may_meet(self, site: Site, candidate: Candidate) -> bool:
        """Tells whether a member may be one of an object at work in another type: one of the two is a module, which types take in."""
        around = next((one.kind for one in reversed(site.around) if one.kind in HOLDERS), "")
        owners = (one.kind for file, _, one in self.defined(candidate.owner) if file.path == candidate.file.path)
        return "module" in (around, *owners)

    def kinds(self, name: str) -> frozenset[str]:
        """The kinds of the types that files of the folder define under a name."""
        return frozenset(one.kind for _, _, one in self._types(name))

    def stands_in(self, name: str, place: str) -> bool:
        """Tells whether a type stands in a namespace, a module or a folder of a name."""
        return any(
            place in places_of(file.path) or place in segments(one.container)
            for file, _, one in self._types(name)
            if one.kind in TYPES
        )

    def is_parameter(self, name: str) -> bool:
        """Tells whether a name that members stand under is a parameter for any type: `S` of `impl<S> Service for Box<S>`."""
        return len(name) == 1 and name.isupper() and not self.kinds(name) - {"impl"}

    def above(self, name: str) -> Mapping[str, int]:
        """The types that one inherits from, each with how far above it that is: 1 for its own bases."""
        if name not in self._above:
            self._above[name] = found = dict[str, int]()
            nearest = [name]
            for depth in range(1, _DEEPEST + 1):
                nearest = [
                    base
                    for one in nearest
                    for base in self._bases(one)
                    if base != name and found.setdefault(base, depth) == depth
                ]
        return self._above[name]

    def _bases(self, name: str) -> list[str]:
        types = self._types(name)
        return [
            *dict.fromkeys(self._defined_as(last_part(base), found[0]) for found in types for base in bases_in(*found))
        ]

    def _defined_as(self, name: str, file: IndexedFile) -> str:
        """The name of a type where it is defined, which a file may import under another: `Till as Base`."""
        renamed = (
            None
            if self.knows(name)
            else re.search(rb"(\w+)\s{1,9}as\s{1,9}%s\b" % re.escape(name.encode()), file.source)
        )
        return renamed[1].decode("utf-8", "replace") if renamed is not None else name

    def _types(self, name: str) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
        if name not in self._named:
            found = [each for each in self.defined(name) if each[2].kind in HOLDERS]
            self._named[name] = found
        return self._named[name]

    def defined(self, name: str) -> Iterator[tuple[IndexedFile, Sequence[Definition], Definition]]:
        """Yields the definitions of a name, each with its file and all that this defines; none of a name that many files define."""
        files = self._holders(name) if name else ()
        if len(files) <= _MOST_FILES:
            for file, of_file in zip(files, self._symbols(files), strict=True):
                yield from ((file, of_file, one) for one in of_file if last_part(one.name) == name)

    def field(self, owner: str, name: str, path: str = "") -> frozenset[str]:
        """The types that a field of a type is given, as they are written; where a file of a path defines the type, there."""
        key = owner, name, path
        if key not in self._fields:
            files = {file.path: (file, of_file) for file, of_file, _ in self._types(owner)}
            files = {path: files[path]} if path in files else files
            self._fields[key] = frozenset(
                written
                for file, of_file in files.values()
                for start, end in _saying(of_file, owner, name)
                for written in types_of(name, file.source[start:end].decode("utf-8", "replace"))
            )
        return self._fields[key]

    def bounds(self, owner: str, name: str) -> list[Type]:
        """The types that one is said to be which a type takes as a parameter under a name; none if it takes none."""
        if self.kinds(name):
            return []
        found = (bounds_of(file.source, one, name) for file, _, one in self._types(owner))
        return next(filter(None, found), list[Type]())

    def members(
        self, owner: str, name: str, called: bool
    ) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
        """The definitions of a member that a type has, or the nearest above it that has one.

        Args:
            owner: the type.
            name: of the member.
            called: whether it is called: a type may have a field and a method of one name.
        """
        above = sorted(self.above(owner).items(), key=lambda each: each[1])
        for holder in (owner, *(one for one, _ in above)) if owner else ():
            key = holder, name
            if key not in self._having:
                files = {file.path: (file, of_file) for file, of_file, _ in self._types(holder)}
                self._having[key] = _members_in(files.values(), holder, name) or self._elsewhere(holder, name)
            if found := self._having[key]:
                return [each for each in found if (each[2].kind in CALLABLE) is called] or found
        return []

    def _elsewhere(self, owner: str, name: str) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
        """The members that other files give a type than the one that defines it."""
        files = self._holders(name)
        if len(files) > _MOST_FILES:
            return []
        return _members_in(zip(files, self._symbols(files), strict=True), owner, name)

    def functions(self, name: str) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
        """The definitions of a name that are functions of no type."""
        return [each for each in self.defined(name) if each[2].kind == "function"]

    def constants(self, name: str) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
        """The definitions of a name that are values outside of all else."""
        return [each for each in self.defined(name) if each[2].kind == "constant" and not each[2].container]

    def made(self, file: IndexedFile, one: Definition) -> list[Type]:
        """The types of a value that a file defines: those that it is said to have, is made of, or is given by a call."""
        if given := given_by(file.source, one):
            return given
        names = map(last_part, types_of(one.name, file.source[one.start : one.end].decode("utf-8", "replace")))
        found: dict[Type, None] = {}
        for name in (self._defined_as(name, file) for name in names):
            gives = [type_ for each in self.functions(name) for type_ in given_by(each[0].source, each[2])]
            found |= dict.fromkeys([Type(name)] if self.kinds(name) else gives)
        return [*found]

    def stands_for(self, candidate: Candidate, other: Candidate) -> bool:
        """Tells whether a member may be what runs where another of its name is called: one of a type above its own."""
        own, above = candidate.owner, other.owner
        if not (candidate.is_member and other.is_member) or not above or own == above:
            return False
        return above in self.above(own) or self._has_shape(candidate, above)

    def _has_shape(self, candidate: Candidate, name: str) -> bool:
        """Tells whether the type of a member has all that an interface asks for, where it need not say so."""
        if not naming_of(candidate.file.path, b"").shapes:
            return False
        asked = self._asked(name)
        folder = candidate.file.path.rpartition("/")[0]
        return bool(asked) and all(self._has(candidate.owner, folder, one) for one in asked)

    def _asked(self, name: str) -> frozenset[str]:
        """The names of the methods that an interface asks for."""
        if name not in self._members:
            interfaces = [each for each in self._types(name) if each[2].kind == "interface"]
            own = {one.name for _, of_file, it in interfaces for one in of_file if one.container == it.path}
            bases = self._bases(name) if interfaces else []
            self._members[name] = frozenset()  # an interface that asks for itself asks for no more
            self._members[name] = frozenset(own - {*bases}).union(*map(self._asked, bases))
        return self._members[name]

    def _has(self, owner: str, folder: str, name: str) -> bool:
        """Tells whether a type of a folder, or one that it takes members from, has a method."""
        own = {
            last_part(one.container)
            for file in self._holders(name)
            if file.path.rpartition("/")[0] == folder
            for one in self._symbols([file])[0]
            if one.name == name and one.kind in MEMBERS
        }
        return owner in own or bool(own.intersection(self.above(owner)))


def _members_in(
    files: Iterable[tuple[IndexedFile, Sequence[Definition]]], owner: str, name: str
) -> list[tuple[IndexedFile, Sequence[Definition], Definition]]:
    return [
        (file, of_file, one)
        for file, of_file in files
        for one in of_file
        if one.name.lstrip("$") == name and one.container and last_part(one.container) == owner
    ]


def _saying(of_file: Sequence[Definition], owner: str, name: str) -> Iterator[tuple[int, int]]:
    """Yields the parts of a file that may say the type of a field: its own, and what the type is made of."""
    for one in of_file:
        if (one.kind in HOLDERS and last_part(one.name) == owner) or (
            last_part(one.container) == owner and one.kind == "constructor"
        ):
            yield one.signature, one.body
        elif last_part(one.container) == owner and one.name == name:
            yield one.signature, one.end
