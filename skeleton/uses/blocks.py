"""Tells the objects that blocks stand for: in `till.apply { ring() }` and `shop { open() }` a bare name may be a member of these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.kinds import CALLABLE
from skeleton.uses.candidates import last_part
from skeleton.uses.chains import opening_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skeleton.uses.families import Families
    from skeleton.uses.results import Results
    from skeleton.uses.sites import Site, Sites

_BRACES: Final = re.compile(rb"[{}]")
_NAME: Final = re.compile(rb"[A-Za-z_]\w{0,80}\Z")
_NO_CALLS: Final = frozenset(["catch", "do", "else", "finally", "for", "if", "init", "object", "try", "when", "while"])
_OF_WHAT_STANDS_BEFORE: Final = frozenset(["apply", "run"])
"""Functions of the standard library that run a block with what stands before them as its object."""

_TAKES_BLOCK: Final = re.compile(
    r":\s{0,9}(?:suspend\s{1,9})?\(?(?:suspend\s{1,9})?([A-Z][\w.]{0,80})(?:<[^<>()]{0,80}>)?\.\("
)
"""A parameter that is a block with an object: `block: Till.() -> Unit`."""

_LONGEST: Final = 4000
"""Bytes before a name in which the blocks around it begin."""

_MOST_BRACES: Final = 300
_MOST: Final = 6
"""Blocks around a name that are looked at."""


class Blocks:
    """The blocks of a file.

    Args:
        sites: the file.
        families: the types of the folder.
        results: the types of the expressions of the file.
    """

    def __init__(self, sites: Sites, families: Families, results: Results) -> None:
        self._sites = sites
        self._families = families
        self._results = results
        self._at: dict[int, list[frozenset[str]]] = {}
        self._taken: dict[str, frozenset[str]] = {}

    def around(self, site: Site) -> list[frozenset[str]]:
        """The types of the objects of the blocks around a name, the innermost first."""
        if site.at not in self._at:
            self._at[site.at] = [types for begin in self._begins(site) if (types := self._types_of(begin, site))]
        return self._at[site.at]

    def _begins(self, site: Site) -> Iterator[int]:
        """The places of the braces that are open where a name stands, in the function around."""
        user = site.user
        first = max(user.body if user is not None and user.kind in CALLABLE else 0, site.at - _LONGEST)
        braces = [found.start() for found in _BRACES.finditer(self._sites.source, first, site.at)]
        depth = count = 0
        for at in reversed(braces[-_MOST_BRACES:]):
            if self._sites.is_prose(at):
                continue
            depth += 1 if self._sites.source[at] == ord("}") else -1
            if depth < 0:
                yield at
                depth, count = 0, count + 1
            if count == _MOST:
                break

    def _types_of(self, begin: int, site: Site) -> frozenset[str]:
        source = self._sites.source
        end = len(source[:begin].rstrip(b" \t"))
        opening = opening_before(source, end, self._sites.is_prose)
        found = _NAME.search(source, max(0, opening - 100), opening)
        if found is None or (name := found[0].decode()) in _NO_CALLS:
            return frozenset()
        if name == "with" and opening < end:
            return frozenset(one.name for one in self._results.beginning(opening + 1, site))
        if name in _OF_WHAT_STANDS_BEFORE and source[found.start() - 1 : found.start()] == b".":
            return frozenset(one.name for one in self._results.before(site._replace(at=found.start())))
        return self._taken_by(name)

    def _taken_by(self, name: str) -> frozenset[str]:
        """The types of the objects of the blocks that functions of a name take."""
        if name not in self._taken:
            heads = (
                file.source[one.signature : one.body].decode("utf-8", "replace")
                for file, _, one in self._families.defined(name)
                if one.kind in CALLABLE
            )
            found = (block for head in heads for block in _TAKES_BLOCK.findall(head)[-1:])
            self._taken[name] = frozenset(map(last_part, found))
        return self._taken[name]
