"""Tells the parameters and variables of functions from what is only called like them, by how they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.kinds import CALLABLE, FIELD, HOLDERS

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition
    from skeleton.uses.sites import Site, Sites

_PARAMETER: Final = re.compile(rb"(?<![\w.])(?!\d)[\w\x80-\xff][\w\x80-\xff?!'-]*(?![\w(.])")
_SET: Final = re.compile(
    rb"(?<![\w.$@-])(?:(?:as|auto|const|each|for|foreach|let|local|my|mut|val|var)\s+\(?(?P<declared>(?:[\w*&]{1,80}\s{0,9},\s{0,9}){0,9}[\w-]+)"
    rb"|(?:lambda|fn)\s(?P<taken>[^:\n]{0,200})"
    rb"|(?P<given>(?:[\w*&]{1,80}\s{0,9},\s{0,9}){0,9}[\w?!'-]{1,200})\s{0,9}[\])}]{0,9}\s{0,9}(?::=|<-|=(?![=~])|->))"
    rb"|\|(?P<block>[^|\n]{1,200})\|"
    rb"|\((?:(?:binding|doseq|fn|for|if-let|if-some|let|letfn|loop|when-let|when-some)\s+(?:[\w-]+\s+)?)?\[(?P<bound>[^\],]{0,400})"
)
"""A place in a body that says what names stand for: they are given a value, count through something, or are parameters."""

_SET_NAME: Final = re.compile(rb"[\w\x80-\xff][\w\x80-\xff?!'-]*")
_MOST_SET: Final = 65_536
"""Bytes of a body in which such places are looked for."""


class Variables:
    """The names that the functions of a file give a meaning themselves; each function is looked into once.

    Args:
        sites: the file.
    """

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._signatures: dict[int, frozenset[str]] = {}
        self._set: dict[int, frozenset[str]] = {}

    def has(self, site: Site, name: str) -> bool:
        """Tells whether a name is a parameter of a function around, or, where it is not called, a variable.

        Such are those of the innermost function, and what a type around is made from.

        Args:
            site: where it stands, with nothing before it.
            name: the name.
        """
        around = [one for one in site.around if one.kind in CALLABLE and one.name_start < site.at]
        if any(name in self._parameters(one) for one in around if one.body <= site.at):
            return True
        if site.called:
            return False
        if any(self._is_taken(one, name) for one in site.around if one.kind in HOLDERS and one.name_start < site.at):
            return True
        if not around:
            return False
        if site.at < around[-1].body:  # a parameter, unless it is what one is by default
            return not self._sites.source[around[-1].name_start : site.at].rstrip().endswith(b"=")
        return name in self._set_in(around[-1])

    def _is_taken(self, one: Definition, name: str) -> bool:
        """Tells whether a type is made from something of a name, as its head says, and keeps no field of that name."""
        if name not in self._parameters(one):
            return False
        fields = (each for each in self._sites.definitions if each.kind == FIELD and each.name == name)
        return not any(each.container == one.path for each in fields)

    def _parameters(self, one: Definition) -> frozenset[str]:
        """The words behind the name of a function that may be parameters."""
        if one.start not in self._signatures:
            start = one.name_start + len(one.name.encode())
            words = _PARAMETER.finditer(self._sites.source, start, max(start, one.body))
            code = (word[0] for word in words if not self._sites.is_prose(word.start()))
            self._signatures[one.start] = frozenset(word.decode("utf-8", "replace") for word in code)
        return self._signatures[one.start]

    def _set_in(self, one: Definition) -> frozenset[str]:
        """The names that a function says the meaning of: its variables, and what the functions in it take."""
        if one.start not in self._set:
            found = _SET.finditer(self._sites.source, one.body, min(one.end, one.body + _MOST_SET))
            texts = (place[place.lastgroup or 0] for place in found if not self._sites.is_prose(place.start()))
            names = (name for text in texts for name in _SET_NAME.findall(text))
            self._set[one.start] = frozenset(name.decode("utf-8", "replace") for name in names)
        return self._set[one.start]
