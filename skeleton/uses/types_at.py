"""Tells the types that a variable, or a field, is said to have where it is used.

It is said in the function around, in one further out, in what a class gives its fields, or where the file defines the
variable. No types are worked out: a type is its name, as it is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.kinds import CALLABLE, HOLDERS
from skeleton.uses.blocks import Blocks
from skeleton.uses.candidates import last_part
from skeleton.uses.chains import chain_before
from skeleton.uses.results import Results
from skeleton.uses.sites import UNKNOWN
from skeleton.uses.typed import made_of, said_of, types_of
from skeleton.uses.written import ARRAY, TUPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from skeleton.outline.definitions import Definition
    from skeleton.uses.families import Families
    from skeleton.uses.imports import Imports
    from skeleton.uses.sites import Site, Sites

ITSELF: Final = frozenset(["self", "this", "cls", "Self", "static", "$this"])
"""The names of the object, or the class, whose method is at work."""

_MARKS: Final = re.compile(r"\.|::")
_MAKERS: Final = frozenset(["default", "from", "new", "with_capacity"])
"""Names of what makes a value of the type before them."""

_PARAMETER: Final = (
    r"\b(?:class|def|enum|fn|fun|func|function|impl|interface|protocol|record|struct|trait|type)\b"
    r"[^(){{}};=\n]*[<,\[]\s*(?:\w+\s+)?{0}\b|\btypename\s+{0}\b|<[^<>\n]*\b{0}\b[^<>\n]*>\s*\("
)
"""A type that a definition takes as a parameter."""


class Types(NamedTuple):
    """The names of the types that a variable is said to have.

    Attributes:
        own: those that may be defined here, and what stands before any.
        foreign: those of a module, named before them, that is imported from outside the folder that is looked at.
        outside: all that is said, if every one of it is a type that no file of the folder defines; else nothing.
        are_made: whether a value is made of each type that is said: it has no type below that.
    """

    own: frozenset[str]
    foreign: frozenset[str]
    outside: frozenset[str] = frozenset()
    are_made: bool = False


class _Written(NamedTuple):
    """The types of a variable, as they are written.

    Attributes:
        types: all of them.
        made: those that it is made of.
        said: those that it is said to have outright, in a language in which it has no other then.
    """

    types: frozenset[str]
    made: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()


_WITHOUT_NAME: Final = frozenset([ARRAY, TUPLE])
_NOT_WRITTEN: Final = _Written(frozenset())
_NOT_TYPED: Final = Types(frozenset(), frozenset())


class TypesAt:
    """The types of the variables of a file; each is looked for once.

    Args:
        path: of the file.
        sites: the file.
        families: which types inherit from which, and what their fields are typed.
        imports: what the file imports.
        known: the definitions of a name in the file.
    """

    def __init__(
        self,
        path: str,
        sites: Sites,
        families: Families,
        imports: Imports,
        known: Callable[[str], Sequence[Definition]],
    ) -> None:
        self._path = path
        self._sites = sites
        self._families = families
        self._is_foreign = imports.is_foreign
        self._known = known
        self._results = Results(sites, families, imports, known)
        self._blocks = Blocks(sites, families, self._results)
        self._written: dict[tuple[str, int], _Written] = {}
        self._set: dict[tuple[str, int], frozenset[str]] = {}
        self._constants: dict[str, _Written] = {}
        self._parameters: dict[str, bool] = {}
        self._of_language: dict[tuple[str, int], bool] = {}

    def at(self, site: Site) -> Types:
        """The types that what stands before a name is said to have, where it is used or where it is defined."""
        found = self._said_at(site) if site.receiver[-1] != UNKNOWN else _NOT_TYPED
        is_chain = len(site.receiver) > 2 or UNKNOWN in site.receiver
        capital = [one for one in (*found.own, *found.foreign) if one[:1].isupper()]
        if not is_chain and (found.outside or any(map(self._families.kinds, capital))):
            return found
        names = frozenset(one.name for one in self._results.before(site) if one.name not in _WITHOUT_NAME)
        if names.issubset(capital):
            return found  # else what is said with a capital may be a method that is called
        are_all = all(map(self.is_of_others, names))
        return Types(names, frozenset(), names if are_all else frozenset())

    def of_blocks(self, site: Site) -> list[frozenset[str]]:
        """The types of the objects of the blocks around a name, the innermost first; none where blocks have no objects."""
        return self._blocks.around(site) if self._sites.naming.lent_objects else []

    def of_argument(self, start: int, site: Site) -> frozenset[str]:
        """The types of an expression that begins at a place, in what is called there."""
        return frozenset(one.name for one in self._results.beginning(start, site) if one.name not in _WITHOUT_NAME)

    def called_before(self, site: Site) -> str:
        """The name of what stands before one, as a reason tells it: `till()`."""
        links = chain_before(self._sites.source, site.at, self._sites.is_prose)
        if not links or (links[-1].is_made and not links[-1].called):
            return "it"
        return f"{links[-1].name}{'()' if links[-1].called else ''}"

    def is_of_language(self, site: Site) -> bool:
        """Tells whether a variable stands before a name which the nearest function that says so makes one of the language itself."""
        own, (name, *others) = self._sites.naming.own_values, site.receiver
        if not own or others or not name:
            return False
        for one in reversed(site.around):
            key = name, one.start
            if one.kind in CALLABLE and key not in self._of_language:
                text = self._sites.code(one.start, one.end)
                self._of_language[key] = re.search(rf"(?<![\w.$@]){re.escape(name)}{own}", text) is not None
            if self._of_language.get(key, False):
                return True
        return False

    def _said_at(self, site: Site) -> Types:
        *before, last = site.receiver
        if len(before) > 1 or (before and before[0] == UNKNOWN):
            return self._typed(last, site)
        own = _NOT_TYPED if before else self._typed(last, site)
        if any(one[:1].isupper() for one in (*own.own, *own.foreign)):  # what begins small may be another variable
            return own
        holders = self._typed(before[0], site).own if before and before[0] not in ITSELF else {site.owner}
        written = self._of_field(holders, last)
        further = (last_part(one.name) for one in reversed(site.around) if one.kind in HOLDERS) if not before else ()
        written = written or next(filter(None, (self._of_field({one}, last) for one in further)), written)
        for one in site.around if before and before[0] in ITSELF else ():
            if one.kind in HOLDERS:
                written |= self._set_in(one, f"{before[0]}.{last}", last)
        if not written:
            return self._typed(last, site)
        found = self._sorted(_Written(frozenset(written)))
        return found._replace(own=found.own | own.own, foreign=found.foreign | own.foreign)

    def _of_field(self, holders: Iterable[str], name: str) -> set[str]:
        """The types of a field that types have, or those above them."""
        every = [type_ for holder in holders if holder for type_ in (holder, *self._families.above(holder))]
        return {found for one in every for found in self._families.field(one, name, self._path)}

    def _typed(self, name: str, site: Site) -> Types:
        """The types that the nearest function around says that a variable has, or else the file."""
        for one in reversed(site.around):
            if one.kind in CALLABLE and (found := self._in_definition(name, one)).types:
                return self._sorted(found)
        return self._sorted(self._of_constant(name))

    def _in_definition(self, name: str, one: Definition) -> _Written:
        """The types that a definition gives a variable."""
        key = name, one.start
        if key not in self._written:
            text = self._sites.code(one.start, one.end)
            found = types_of(name, text)
            found = found if "Self" not in found else found | {last_part(one.container)}
            self._written[key] = _Written(found, *self._outright(name, text)) if found else _NOT_WRITTEN
        return self._written[key]

    def _of_constant(self, name: str) -> _Written:
        """The types that the file gives a variable which stands outside of all functions."""
        if name not in self._constants:
            ones = [one for one in self._known(name) if one.kind == "constant" and not one.container]
            text = "\n".join(self._sites.code(one.start, one.end) for one in ones) or self._sites.outside
            self._constants[name] = _Written(types_of(name, text), *self._outright(name, text))
        return self._constants[name]

    def _outright(self, name: str, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """The types that a variable is made of, and those that it is said to have where no value has another."""
        naming = self._sites.naming
        is_loose = naming.loose_types or naming.shapes
        made = made_of(name, text, by_call=naming.loose_types)
        return made, frozenset() if is_loose else said_of(name, text)

    def _set_in(self, one: Definition, field: str, name: str) -> frozenset[str]:
        """The types of what a class gives a field of its own: `self.till = Till()`, or a parameter called like the field."""
        key = field, one.start
        if key not in self._set:
            text = self._sites.code(one.start, one.end)
            found = types_of(field, text)
            self._set[key] = found | types_of(name, text) if name in found else found
        return self._set[key]

    def _sorted(self, written: _Written) -> Types:
        """Tells the types of modules from outside from the others."""
        own, foreign, outside = set[str](), set[str](), set[str]()
        are_made = bool(written.types) and written.types <= written.made
        are_all = bool(written.types) and written.types <= written.made | written.said
        for *before, last in (
            [*before, self._sites.original(last)] for *before, last in map(_MARKS.split, written.types)
        ):
            own.update(before)
            (foreign if before and self._is_foreign(before) else own).add(last)
            named = before[-1] if before and last in _MAKERS else last
            outside.add(named)
            are_all = are_all and self.is_of_others(named)
        return Types(frozenset(own), frozenset(foreign), frozenset(outside if are_all else ()), are_made)

    def is_of_others(self, name: str) -> bool:
        """Tells whether a name is that of a type, and of none that the folder defines or a definition takes."""
        if (
            len(name) < len("IO")
            or not name[0].isupper()
            or self._families.may_be_type(name)
            or self._sites.behind(name)
        ):
            return False
        if name not in self._parameters:
            pattern = _PARAMETER.format(re.escape(name)).encode()
            is_imported = bool(self._sites.importing(name))  # `listOf<Block>()` takes nothing then
            self._parameters[name] = not is_imported and re.search(pattern, self._sites.source) is not None
        return not self._parameters[name]
