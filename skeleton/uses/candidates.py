"""The definitions that a name may mean, and how sure it is that one of them is meant."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import FIELD
from skeleton.names.targets import segments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skeleton.outline.definitions import Definition, Span
    from skeleton.uses.sites import Site
    from workspace.names.tiers import Tier


MOST_COMPARED: Final = 40
"""Definitions of one name that a use is weighed against; where there are more, it is counted and not listed."""

_EXTENDS: Final = re.compile(rb"\(\s*this\s")
"""A first parameter that makes a function a member of its type."""

_TYPE: Final = re.compile(rb"\s{0,9}(?:(?:ref|in|scoped|readonly)\s{1,9}){0,3}(?:\w{1,200}\.){0,8}(?P<type>\w{1,200})")
"""The type of such a parameter, or of what a block lends to."""


class Sureness(IntEnum):
    """The degrees of certainty that a definition is meant."""

    BY_NAME = 0
    LIKELY = 1
    SURE = 2


class Verdict(NamedTuple):
    """The certainty that a definition is meant, and its reason."""

    sureness: Sureness
    why: str
    agreeing: int = 0
    """The number of words of an import that say so, or how far inside what stands around it is defined."""
    types: frozenset[str] = frozenset()
    """The types one of which has it from above; none where nothing says so."""


BY_NAME: Final = Verdict(Sureness.BY_NAME, "by name")
IMPORTED: Final = Verdict(Sureness.SURE, "imported")
INHERITED: Final = Verdict(Sureness.SURE, "inherited")


class Holder(Protocol):
    """The file of a definition: one that is there, or was."""

    @property
    def path(self) -> str:
        """Relative to the folder."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier that its name puts it in."""
        ...


class Candidate(NamedTuple):
    """A definition that a name may mean, and its file."""

    file: Holder
    one: Definition

    @property
    def owner(self) -> str:
        """The class or the like that it is a member of, without what that stands in; "" for none."""
        return last_part(self.one.container)

    @property
    def extends_a_type(self) -> bool:
        """True if it is used as a member of a type that it stands outside of."""
        return bool(self.extended)

    @property
    def extended(self) -> str:
        """The type that it stands outside of and is used as a member of, without what that stands in; "" for none."""
        source, one = getattr(self.file, "source", b""), self.one
        if found := _EXTENDS.search(source, one.signature, one.body):
            return _type_at(source, found.end())
        begins = naming_of(self.file.path, b"").lends
        around = _lent(source, begins) if begins is not None else ()
        return next((_type_at(source, start) for start, end in around[::-1] if start < one.signature < end), "")

    @property
    def is_of_type_alone(self) -> bool:
        """True if it is a member of its type, and of no value of that."""
        source, one, finds = getattr(self.file, "source", b""), self.one, naming_of(self.file.path, b"").of_types
        is_one = finds is not None and finds.search(source, one.signature, one.name_start) is not None
        return is_one and not self.extends_a_type

    @property
    def is_extension(self) -> bool:
        """True if it is a function that says itself which type it is used as a member of: `fun Lamp.dim()`."""
        if self.one.kind != "function" or not self.one.container or not naming_of(self.file.path, b"").extensions:
            return False
        source, at = getattr(self.file, "source", b""), self.one.name_start
        return source[max(0, at - 2) : at].rstrip(b"`").endswith(b".")

    @property
    def is_member(self) -> bool:
        """True if it is used through an object or a class."""
        return self.one.kind == "method" or self.is_field

    @property
    def is_field(self) -> bool:
        """True if objects hold it."""
        return self.one.kind == FIELD and bool(self.one.container)


def _type_at(source: bytes, at: int) -> str:
    """The type that is written at a place of a source; a blank where it is no name."""
    found = _TYPE.match(source, at)
    return found["type"].decode("utf-8", "replace") if found is not None else " "


@lru_cache(maxsize=16)
def _lent(source: bytes, begins: re.Pattern[bytes]) -> tuple[Span, ...]:
    """The blocks of a file that lend all that stands in them to other types."""
    ends = ((found.end(), source.find(b"\n%b}" % found[1], found.end())) for found in begins.finditer(source))
    return tuple((start, end if end >= 0 else len(source)) for start, end in ends)


@lru_cache(maxsize=16_384)
def last_part(name: str) -> str:
    """The last part of a qualified name, without what it stands in; "" of none."""
    parts = segments(name) if name else ()
    return parts[-1] if parts else ""


class Candidates:
    """The definitions that a name may mean.

    Attributes:
        name: the name.
        every: the definitions that a use is weighed against.
        count: how many there are, with those that it is not.
        owners: the classes or the like that they are members of.
        has_methods: whether one of them is a method.
    """

    def __init__(self, name: str, every: Iterable[Candidate], count: int = 0) -> None:
        self.name = name
        self.every = tuple(every)
        self.count = count or len(self.every)
        self.owners = frozenset(one.owner for one in self.every if one.owner)
        self.has_methods = any(one.one.kind == "method" for one in self.every)


class Meant(NamedTuple):
    """A use of a name, and those definitions that it may mean of which it is most sure."""

    site: Site
    found: list[tuple[Candidate, Verdict]]
