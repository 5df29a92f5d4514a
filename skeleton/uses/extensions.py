"""Tells whether a function is meant that a file gives a type from outside of it: `fun Lamp.dim(by: Int)`, called as `lamp.dim(3)`.

Such a function has to be seen where it is called, and what stands before it has to be of its type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.uses.candidates import BY_NAME, Candidate, Candidates, Sureness, Verdict
from skeleton.uses.imports import LED
from skeleton.uses.types_at import ITSELF

if TYPE_CHECKING:
    from skeleton.uses.families import Families
    from skeleton.uses.imports import Imports
    from skeleton.uses.sites import Site, Sites
    from skeleton.uses.spaces import Spaces
    from skeleton.uses.types_at import Types, TypesAt

_OF_ALL: Final = frozenset(["Any", "Object"])
"""Types that all others are below."""

_INSIDE: Final = re.compile(rb"<[^<>]*>")
_BOUND: Final = re.compile(rb"\s*:.*", re.DOTALL)


class Extensions:
    """The functions of other types, as a file sees them.

    Args:
        path: of the file.
        sites: its text.
        imports: what it imports.
        spaces: the namespaces that it sees into.
        families: which types inherit from which.
        types: the types of what stands before names in it.
    """

    def __init__(
        self, path: str, sites: Sites, imports: Imports, spaces: Spaces, families: Families, types: TypesAt
    ) -> None:
        self._path = path
        self._sites = sites
        self._imports = imports
        self._spaces = spaces
        self._families = families
        self._types = types

    def verdict(self, site: Site, candidate: Candidate, candidates: Candidates) -> Verdict | None:
        """Returns the verdict on such a function where its name stands behind something; None where it cannot be meant."""
        owner = candidate.owner
        if site.receiver[-1] == owner:
            return Verdict(Sureness.SURE, "class named")
        seen = self._seen(site, candidate)
        if seen is None or self._imports.is_foreign(site.receiver[:1]):
            return None
        typed = self._types.at(site)
        own = typed.own | ({site.owner} if len(site.receiver) == 1 and site.receiver[0] in ITSELF else frozenset[str]())
        if owner in own or any(owner in self._families.above(one) for one in own):
            said = site.receiver[-1] or self._types.called_before(site)
            return Verdict(Sureness.SURE, f"{said} is typed so", 2 * LED + seen.agreeing)
        is_of_any = owner in _OF_ALL or self._is_parameter(candidate)
        if not is_of_any and (not own.isdisjoint(candidates.owners) or self._are_others(own, owner, typed)):
            return None
        if self._sites.importing(candidate.one.name):
            return seen._replace(sureness=Sureness.LIKELY, why="likely: imported") if candidates.has_methods else seen
        return BY_NAME

    def bare(self, candidate: Candidate) -> Verdict | None:
        """Returns the verdict on one of the file itself where its name stands alone: it is called on the object at work."""
        return Verdict(Sureness.SURE, "same file") if candidate.file.path == self._path else None

    def _seen(self, site: Site, candidate: Candidate) -> Verdict | None:
        if candidate.file.path == self._path:
            return Verdict(Sureness.SURE, "same file")
        if named := self._sites.importing(candidate.one.name):
            return self._imports.verdict(named, candidate)
        return self._spaces.verdict(site, candidate)

    def _are_others(self, types: frozenset[str], owner: str, typed: Types) -> bool:
        """Tells whether types have nothing to do with one: they are known here, with all above them, or it is and they are not."""
        if not types:
            return False
        if typed.outside:
            return bool(self._families.kinds(owner))
        every = [one for type_ in types for one in (type_, *self._families.above(type_))]
        return all(map(self._families.kinds, every))

    def _is_parameter(self, candidate: Candidate) -> bool:
        """Tells whether a function is one of any type that it takes as a parameter."""
        finds = self._sites.naming.type_parameters
        if finds is None:
            return False
        source, one = getattr(candidate.file, "source", b""), candidate.one
        found = finds.search(source[one.signature : one.name_start])
        each = _INSIDE.sub(b"", found[1]).split(b",") if found is not None else ()
        return any(_BOUND.sub(b"", one).split()[-1:] == [candidate.owner.encode()] for one in each)
