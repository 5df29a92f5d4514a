"""The imports of a file, and what they say of whose a name is: one of the folder that is looked at, or one from outside."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from skeleton.names.targets import stem
from skeleton.uses.aliases import leads_to
from skeleton.uses.candidates import Candidate, Sureness, Verdict
from skeleton.uses.places import NO_PLACE, alike_from_the_end, places_of

if TYPE_CHECKING:
    from skeleton.uses.sites import Sites

LED: Final = 100
"""More words than a path has: an import that leads to a file means no other."""


PassedOn = Callable[[str, str, str], Collection[str]]
"""Gives paths of files by a module, the file that imports it and a name."""

_AROUND: Final = frozenset(["crate", "super"])
"""Words of an import for a module around that of the file."""


class Imports:
    """The imports of a file.

    Args:
        path: of the file.
        sites: its text.
        known_parts: the names of folders and files in the folder that is looked at: what an import of something in it
            holds one of.
        passed_on: gives the files that a module, written as a path from a file on, or a package with a scope has something
            from that it gives out.
    """

    def __init__(self, path: str, sites: Sites, known_parts: AbstractSet[str], passed_on: PassedOn) -> None:
        self._path = path
        self._sites = sites
        self._known_parts = known_parts
        self._passed_on = passed_on
        self._folder = path.rpartition("/")[0]
        self._foreign: dict[str, bool] = {}

    def verdict(self, named: Sequence[Collection[str]], candidate: Candidate, module: str = "") -> Verdict | None:
        """Returns the verdict of some imports on a definition; each is the words that say where a name comes from.

        What is imported may be the `module` that the definition stands in: `from shop import stock`.
        """
        if self._sites.naming.folders:
            return self._in_folder(module, candidate)
        if not module and self._is_rather_its_module(named, candidate):
            return None
        parts = places_of(candidate.file.path)
        near = [part.replace("-", "_") for part in stem(candidate.file.path)[-2:]]
        agreeing = 0
        for words in named:
            shared = parts.intersection((*words, module)) if not parts.isdisjoint(words) else frozenset[str]()
            is_by_the_way = len(shared) == 1 and len(set(words) - NO_PLACE) > 1 and shared.isdisjoint(near)
            if shared and not is_by_the_way:  # one folder of many may be called like a part of what is elsewhere
                agreeing = max(agreeing, 2 * len(shared) + (near[-1] in words))
        leads = bool(named) and self._leads(module or candidate.one.name, candidate.file.path)
        if agreeing or leads:
            return Verdict(Sureness.SURE, "imported", agreeing + LED * leads)
        relative = [words for words in named if not set(words) - NO_PLACE - {candidate.one.name}]
        is_meant = any(self._is_below(candidate) or self._is_above(candidate, words) for words in relative)
        return Verdict(Sureness.SURE, "imported") if is_meant else None

    def _leads(self, name: str, other: str) -> bool:
        """Tells whether an import of a name leads to another file, by a path or by the package that its manifest names."""
        return any(
            leads_to(path, self._path, other) or other in self._passed_on(path, self._path, name)
            for path in self._sites.paths(name)
        ) or any(other in self._passed_on(package, self._path, name) for package in self._sites.packages(name))

    def _is_rather_its_module(self, named: Sequence[Collection[str]], candidate: Candidate) -> bool:
        """Tells whether imports mean the file of a constant that is called like it: `from shop import till`."""
        file, one = candidate
        is_alike = one.kind == "constant" and stem(file.path)[-1:] == (one.name,)
        return is_alike and not any(one.name in words for words in named)

    def taken(self, name: str, module: str = "") -> list[tuple[str, list[frozenset[str]]]]:
        """The names, where they are defined, of that which the file calls by a name, each with the words that say where.

        Args:
            name: as the file calls it.
            module: what stands before it, where that is imported.
        """
        renamed = self._sites.behind(module or name)
        words = [where for _, where in renamed] or self._sites.importing(module or name)
        own = [one for one, _ in renamed] if not module else []
        return [(one, words) for one in own or [name]] if words else []

    def _is_below(self, candidate: Candidate) -> bool:
        return candidate.file.path.startswith(f"{self._folder}/" if self._folder else "")

    def _is_above(self, candidate: Candidate, words: Collection[str]) -> bool:
        """Tells whether a definition stands in a module around the file, where an import says so: `use crate::load`."""
        *folders, name = candidate.file.path.rpartition(".")[0].split("/")
        around = folders if name in NO_PLACE else [*folders, name]
        return not _AROUND.isdisjoint(words) and f"{self._path}/".startswith("/".join((*around, "")))

    def _in_folder(self, module: str, candidate: Candidate) -> Verdict | None:
        """As `verdict`, where what is imported is a folder: it ends as the import does, or it is not meant."""
        own = stem(candidate.file.path)
        agreeing = max((alike_from_the_end(path, own) for path in self._sites.folders(module)), default=0)
        return Verdict(Sureness.SURE, "imported", 2 * agreeing + (agreeing == len(own))) if agreeing else None

    def is_foreign(self, receiver: Sequence[str]) -> bool:
        """Tells whether a receiver begins with what is imported from outside the folder that is looked at."""
        root = receiver[0]
        if root not in self._foreign:
            named = self._sites.importing(root) if root else []
            is_from_outside = (set(words) - NO_PLACE and self._known_parts.isdisjoint(words) for words in named)
            self._foreign[root] = bool(named) and all(is_from_outside)
        return self._foreign[root]
