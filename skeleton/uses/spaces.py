"""Tells which namespaces code sees into with nothing before a name: those around it, and those that its file imports whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.index.indexed import IndexedFile
from skeleton.names.fitting import namespace_of
from skeleton.names.targets import segments
from skeleton.uses.candidates import Candidate, Sureness, Verdict
from skeleton.uses.places import alike_from_the_end
from workspace.lazy import lazy

if TYPE_CHECKING:
    from skeleton.uses.sites import Site, Sites

_OPENED: Final = re.compile(
    r"\s*(?:(?:global\s+)?using(?:\s+namespace)?\s+(?P<using>[\w.:]{1,200})|import\s+(?P<every>[\w.]{1,200})\.[*_])\s*;?\s*"
)
"""An import of all that a namespace holds: `using Shop.Till;`, `import shop.till.*`."""

_ALL: Final = re.compile(r"\*(?!\s*as\b)")


class Spaces:
    """The namespaces that the code of a file sees into.

    Args:
        file: the file.
        sites: its text.
    """

    def __init__(self, file: IndexedFile, sites: Sites) -> None:
        self._file = file
        self._sites = sites

    def reason(self, site: Site, candidate: Candidate) -> str:
        """The reason why code sees a definition, or the type that it is a member of; "" where it stands in none of them."""
        space = self._space_of(candidate)
        if not space:
            return ""
        around = next((one.path for one in reversed(site.around) if one.kind == "module"), "")
        is_spread = self._sites.naming.spread_modules
        own = (*self._own, *(segments(around) if around and is_spread else ()))
        is_around = space == (own[: len(space)] if is_spread else own)
        return "same module" if is_around else "imported" if space in self._imported else ""

    def verdict(self, site: Site, candidate: Candidate) -> Verdict | None:
        """Returns the verdict on a definition that code sees: of copies in several folders the nearest is meant."""
        reason = self.reason(site, candidate)
        if not reason:
            return None
        is_spread = self._sites.naming.spread_modules
        folders = (path.split("/")[:-1] for path in (self._file.path, candidate.file.path))
        near = alike_from_the_end(*([*reversed(each)] for each in folders)) if is_spread else 0
        return Verdict(Sureness.SURE, reason, near)

    def is_around(self, candidate: Candidate) -> bool:
        """Tells whether another file says that all its definitions are in the namespace that this one says."""
        file = candidate.file
        return bool(self._own) and isinstance(file, IndexedFile) and namespace_of(file) == self._own

    def may_share(self, candidate: Candidate) -> bool:
        """Tells whether a type may stand in parts, one in this file and one in that of a definition."""
        file = candidate.file
        if not self._sites.naming.spread_modules or not isinstance(file, IndexedFile):
            return False
        return namespace_of(file) == self._own

    @lazy
    def imports_all(self) -> bool:
        """True if an import takes all that another file defines, or a namespace holds."""
        every = zip(self._sites.begins, self._sites.statements, strict=True)
        return any(_ALL.search(one) and not self._takes_from_itself(at, one) for at, one in every)

    def _takes_from_itself(self, at: int, statement: str) -> bool:
        """Tells whether an import in a module of the file takes all from what stands around that: from the file."""
        around = (one for one in self._sites.definitions if one.kind == "module" and one.start < at < one.end)
        return "super::*" in statement and next(around, None) is not None

    @lazy
    def _own(self) -> tuple[str, ...]:
        return namespace_of(self._file)

    @lazy
    def _imported(self) -> frozenset[tuple[str, ...]]:
        """The namespaces that the file imports whole, each in its parts."""
        found = filter(None, map(_OPENED.fullmatch, self._sites.statements))
        return frozenset(tuple(re.split(r"\.|::", one["using"] or one["every"])) for one in found)

    def _space_of(self, candidate: Candidate) -> tuple[str, ...]:
        """The parts of the namespace that a definition stands in, or the type that it is a member of."""
        file, one = candidate
        inside = segments(one.container) if one.container else ()
        inside = inside[:-1] if candidate.is_member or candidate.is_extension else inside
        if inside and not self._sites.naming.spread_modules:
            return ()
        return (*(namespace_of(file) if isinstance(file, IndexedFile) else ()), *inside)
