"""Tells which types others build on, and which definition with a body stands behind one that is only declared.

A language says in the signature of a type what it builds on; Go alone says it nowhere, and there a type has all methods of
an interface. Of several types that build on one, that is meant which is called after it (`IFactory` and `Factory`,
`Chain` and `RealChain`); where none is, or several are, the declared definition stays what it is.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from allocator.overview.importance import ADDING
from skeleton.languages.kinds import HOLDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from allocator.overview.grounds import Grounds, Spot

MOST_ABOVE = 3
"""Types one above the other that are looked at."""

MOST_SIGNATURE = 2_000
"""Bytes of the signature of a type that are read."""

AROUND = ("{}", "{}Impl", "Default{}", "Real{}", "Base{}", "Abstract{}", "Standard{}", "Simple{}", "{}Base")
"""The names of types that are called after one that they build on, the first the nearest."""

STRUCTURAL = ".go"
"""The ending of files of a language in which no type says what it builds on."""

MIXED: Mapping[str, re.Pattern[bytes]] = {
    ".rb": re.compile(rb"^[ \t]{1,40}(?:include|prepend)[ (]([A-Z][\w:, ]{0,200})", re.MULTILINE),
    ".php": re.compile(rb"^[ \t]{1,40}use ([A-Z\\][\w\\, ]{0,200})[;{\n]", re.MULTILINE),
}
"""The lines in the body of a type by which it takes in the members of others, by the endings of files."""

MOST_MIXED = 40_000
"""Bytes of a body in which these are looked for."""

_IN_BRACKETS = re.compile(rb"\([^()]*\)")
_TYPE = re.compile(rb"[A-Z]\w*")
_PATH = re.compile(rb"[A-Z]\w*(?![\w:\\])")
"""The last name of a path."""

OF_INTERFACE = re.compile(r"^I(?=[A-Z][a-z])|(?<=\w)Interface$")
"""The part of the name of a type that only says that it is an interface."""


class Implementing:
    """Knows what types build on.

    Args:
        grounds: the files.
        owner: gives the type that a definition is a member of; "" for none.
    """

    def __init__(self, grounds: Grounds, owner: Callable[[Spot], str]) -> None:
        self._grounds = grounds
        self._owner = owner
        self._bases: dict[str, frozenset[str]] = {}
        self._known: dict[Spot, Spot] = {}

    def bases(self, name: str) -> frozenset[str]:
        """The names of the types that the types of a name build on, and what those build on."""
        known = self._bases.get(name)
        if known is None:
            found, wave = set[str](), {name}
            for _ in range(MOST_ABOVE):
                wave = {base for one in wave for base in self._said(one)} - found - {name}
                found |= wave
            known = self._bases[name] = frozenset(found)
        return known

    def is_nearest(self, name: str, file: int, using: int) -> bool:
        """Tells whether no type of a name is defined nearer than in a file: a server and its pages each have a `Model`.

        Args:
            name: the type.
            file: the place of the file.
            using: that of the one to which it is near.
        """
        grounds = self._grounds
        defining = {spot.file for spot in grounds.spots.get(name, ()) if grounds.kind(spot) in HOLDERS}
        near = {one: self._common(one, using) for one in defining | {file}}
        return near[file] == max(near.values())

    def _common(self, file: int, other: int) -> int:
        """The length of the path that two files have in common."""
        return len(posixpath.commonpath(f"/{self._grounds.files[one].path}" for one in (file, other)))

    def _said(self, name: str) -> set[str]:
        """The names of types in the signatures of those of a name, without what stands in brackets there."""
        grounds, said = self._grounds, set[str]()
        for spot in grounds.spots.get(name, ()):
            if grounds.kind(spot) in HOLDERS or grounds.kind(spot) in ADDING:
                survey = grounds.surveys[spot.file]
                begin = survey.bodies[spot.place]
                head = grounds.source(spot.file)[max(0, begin - survey.heads[spot.place]) : begin][:MOST_SIGNATURE]
                said.update(word.decode() for word in _TYPE.findall(_IN_BRACKETS.sub(b" ", head)))
                said.update(self._mixed(spot))
        return {one for one in said if one in grounds.spots}

    def _mixed(self, spot: Spot) -> Iterator[str]:
        """The names of those whose members a type takes in, in its own body and in that of no type inside it."""
        grounds, survey = self._grounds, self._grounds.surveys[spot.file]
        path = grounds.files[spot.file].path
        pattern = MIXED.get(path[path.rfind(".") :])
        if pattern is None:
            return
        begin, end = survey.bodies[spot.place], survey.ends[spot.place]
        inner = [
            (survey.bodies[place], survey.ends[place])
            for place, kind in enumerate(survey.kinds)
            if kind in HOLDERS and begin < survey.starts[place] < end
        ]
        for found in pattern.finditer(grounds.source(spot.file), begin, min(end, begin + MOST_MIXED)):
            if not any(first <= found.start() < last for first, last in inner):
                for name in _PATH.findall(found[1]):
                    yield name.decode()

    def of(self, declared: Spot) -> Spot:
        """The definition with a body that a call of a declared one comes to; itself where it has one, or several may be meant."""
        known = self._known.get(declared)
        if known is None:
            known = self._known[declared] = self._found(declared)
        return known

    def _found(self, declared: Spot) -> Spot:
        grounds, owner = self._grounds, self._owner(declared)
        if not owner or grounds.has_body(declared):
            return declared
        survey = grounds.surveys[declared.file]
        named = [
            one
            for one in grounds.spots.get(survey.names[declared.place], ())
            if grounds.has_body(one) and self._owner(one) not in ("", owner) and not grounds.is_test(one)
        ]
        behind: dict[str, Spot] = {}
        for one in named:
            if self._builds_on(self._owner(one), declared):
                behind.setdefault(self._owner(one), one)
        if len(behind) > 1:
            container = survey.containers[declared.place]
            plain = (OF_INTERFACE.sub("", owner), container.replace(".", ""))
            called = [behind[name] for form in AROUND for one in plain if (name := form.format(one)) in behind]
            return called[0] if called else declared
        return next(iter(behind.values()), declared)

    def _builds_on(self, name: str, declared: Spot) -> bool:
        grounds = self._grounds
        if grounds.files[declared.file].path.endswith(STRUCTURAL):
            return all(
                any(self._owner(one) == name for one in grounds.spots[method]) for method in self._asked(declared)
            )
        return self._owner(declared) in self.bases(name)

    def _asked(self, declared: Spot) -> Sequence[str]:
        """The names of what the interface of a declared definition asks for."""
        survey = self._grounds.surveys[declared.file]
        around = survey.containers[declared.place]
        return [name for name, container in zip(survey.names, survey.containers, strict=True) if container == around]
