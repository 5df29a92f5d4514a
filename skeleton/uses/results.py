"""Tells the types of expressions: what a call gives, what a field holds, link by link (`chains`), as signatures say it.

Nothing is worked out that nobody wrote: where a link has no type that is written, or several definitions disagree,
the expression has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.kinds import CALLABLE, HOLDERS, TYPES
from skeleton.uses.candidates import Candidate
from skeleton.uses.chains import Link, chain_before, chain_from
from skeleton.uses.giving import bounds_of, given_by, is_property, parameters_of, said_before, takes_type
from skeleton.uses.places import places_of
from skeleton.uses.written import ARRAY, MOST_DEEP, SEEN_THROUGH, TUPLE, Type, types_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.families import Families
    from skeleton.uses.imports import Imports
    from skeleton.uses.sites import Site, Sites

    Found = tuple[IndexedFile, Sequence[Definition], Definition]

_ITSELF: Final = frozenset(["$this", "Self", "cls", "self", "static", "this"])
_OPENING: Final = frozenset(
    (
        *("at", "await", "back", "borrow", "borrow_mut", "deref", "expect", "first", "front", "get", "getOrThrow"),
        *("getValue", "join", "last", "load", "lock", "next", "orElse", "orElseGet", "orElseThrow", "peek", "pop"),
        *("read", "take", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "value", "write"),
    )
)
"""Members that give what a type holds, where no file says what they give."""

_EVERY: Final = frozenset(["into_iter", "iter", "iter_mut", "stream", "values"])
"""Members that give all that a type holds, likewise."""

_SAME: Final = frozenset(["as_mut", "as_ref", "borrow", "borrow_mut", "clone", "expect", "to_owned", "unwrap"])
"""Members that give the value itself, where its type has none of that name."""

_MAKERS: Final = frozenset(["default", "from", "new", "with_capacity"])
_OF_ENUMS: Final = _MAKERS | {"tryFrom", "valueOf"}
_DEEPEST: Final = 6
_LONGEST: Final = 400
"""Characters of a type that is read."""

_MOST_PLACES: Final = 4
"""Places in a function in which a variable is given a value."""

_SET: Final = r"(?<![\w.$@>])NAME(?P<others>(?:\s*,\s*\w+)*)\s*(?::[^=\n;(){}]{0,80})?:?=(?![=>])\s*"
_ONE_BEFORE: Final = re.compile(r"(?<![\w.$@>])\w{1,80}\s{0,9},\s{0,9}\Z")
_WINDOW: Final = 120
"""Characters before a variable in which the one before it stands."""

_MOST_AT_ONCE: Final = 16
"""Variables that are counted which one statement gives values."""

_HELD: Final = r"\b(?:Some|Ok)\(\s{0,9}(?:(?:ref|mut)\s{1,9}){0,2}NAME\s{0,9}\)\s{0,9}=(?![=>])\s{0,9}"
"""A pattern that takes out what a value may hold: `if let Some(till) = self.till`."""

EACH: Final = (
    r"\bfor(?:each)?[\s(]{0,40}(?:(?:const|final|let|var|auto|val)\b)?[\s&*]{0,40}NAME\s{0,40}(?:\bin\b|\bof\b|:)\s*"
    r"|\bfor\s{1,9}\w{1,80}\s{0,9},\s{0,9}NAME\s{0,9}:?=\s{0,9}range\s{1,9}"
    r"|\bforeach\s{0,9}\((?P<of>[^()]{0,200}(?:\([^()]{0,200}\)[^()]{0,200}){0,4}?)\s{1,9}as\s{1,9}(?:\$\w+\s{0,9}=>\s{0,9})?NAME\s*\)"
)
"""Blanks are bounded: a text that is made of them takes no longer than another."""

_SAID: Final = r"(?<![\w.$@])NAME\??\s*:(?![:=])[ \t]*(?=[^\s])|(?<![\w.$@])NAME[ ]+(?=\*|\[\]|(?:\w+\.)?[A-Z])"

_SHARED: Final = r"(?<![\w.$@])NAME(?:[ ]?,[ ]?\w{1,80}){1,8}[ ](?=\*|\[\]|(?:\w{1,80}\.)?[A-Z])"
"""A variable before others of its type: `to, from *Till`."""

_BEFORE_TYPE: Final = r"(?<![\w.$@])NAME\s{0,9}:(?![:=])"
_ONE_QUOTED: Final = r"[\w.]{1,80}(?:\[[\w., |\[\]]{1,100}\])?"
_QUOTED: Final = re.compile(
    rf"[ \t]{{0,9}}(?P<quote>[\"'])(?P<type>{_ONE_QUOTED}(?:[ ]\|[ ]{_ONE_QUOTED}){{0,6}})(?P=quote)[ \t]{{0,9}}[,)=\n]".encode()
)


class Results:
    """The types of the expressions of a file; what was worked out is kept.

    Args:
        sites: the file.
        families: which types inherit from which, and what they hold.
        imports: what the file imports.
        known: the definitions of a name in the file.
    """

    def __init__(
        self, sites: Sites, families: Families, imports: Imports, known: Callable[[str], Sequence[Definition]]
    ) -> None:
        self._sites = sites
        self._families = families
        self._imports = imports
        self._known = known
        self._before: dict[int, list[Type]] = {}
        self._variables: dict[tuple[str, int], list[Type]] = {}

    def before(self, site: Site) -> list[Type]:
        """The types of what stands before a name, behind which that is a member."""
        if site.at not in self._before:
            self._before[site.at] = []  # one that leads to itself has none
            links = chain_before(self._sites.source, site.at, self._sites.is_prose)
            self._before[site.at] = self._of_chain(links, site, 0)
        return self._before[site.at]

    def beginning(self, start: int, site: Site) -> list[Type]:
        """The types of the expression that begins at a place, in what is called where a name is used."""
        return self._of_chain(chain_from(self._sites.source, start, self._sites.is_prose), site, 0)

    def _of_chain(self, links: Sequence[Link], site: Site, depth: int) -> list[Type]:
        if not links or depth > _DEEPEST:
            return []
        links = self._behind_namespace(links)
        root, *others = links
        found = self._of_root(root, site, depth)
        if not found and others and others[0].called and not root.called:
            root, *others = others
            found = self._of_function(root.name, links[0].name)
        if not (found or not others or others[0].called or root.called) and (
            found := self._of_elsewhere(others[0].name, root.name)
        ):
            root, *others = others
        found = self._opened(found, root)
        for place, link in enumerate(others):
            types = self._members(found, link)
            if not types and not place and root.name in _ITSELF and not link.called:
                types = self._of_own(f"{root.name}.{link.name}", link.name, site, depth)
            found = self._opened(types, link)
        return found

    def _behind_namespace(self, links: Sequence[Link]) -> Sequence[Link]:
        """The links without the namespaces and modules that stand before a type: `shop::Till::new()`."""
        for place, link in enumerate(links):
            if place and self._families.stands_in(link.name, links[place - 1].name):
                return links[place:]
            if link.called:
                break
        return links

    def _of_own(self, field: str, name: str, site: Site, depth: int) -> list[Type]:
        """The types of what a class around gives a field of its own: `self.till = Till()`, or a parameter called like it."""
        for one in reversed(site.around):
            if one.kind in HOLDERS:
                found = self._in_definition(field, one, site, depth)
                return found or self._taken(field, name, one)
        return []

    def _taken(self, field: str, name: str, one: Definition) -> list[Type]:
        """The types of a parameter that a class keeps in a field of its name, as the method says that does so."""
        text = self._sites.code(one.start, one.end)
        kept = re.search(rf"(?<![\w.]){re.escape(field)}\s*=\s*{re.escape(name)}\b", text)
        at = one.start + len(text[: kept.start()].encode()) if kept is not None else -1
        methods = [each for each in self._sites.definitions if each.kind in CALLABLE and each.start <= at < each.end]
        return self._said(name, methods[-1]) if methods else []

    def _of_root(self, link: Link, site: Site, depth: int) -> list[Type]:
        name = link.name
        named = self._sites.original(name)
        if link.is_made or (link.called and self._families.kinds(named) & TYPES):
            return [Type(named)]
        if link.called:
            own = self._members([Type(site.owner)], link) if site.owner and self._may_be_bare(site) else []
            return own or self._of_function(name)
        if name in _ITSELF:
            return [Type(site.owner)] if site.owner else []
        return (
            self._of_variable(name, site, depth)
            or (self._members([Type(site.owner)], link) if site.owner and self._sites.naming.bare_members else [])
            or ([Type(named)] if self._families.kinds(named) & TYPES else [])
            or self._of_imported(link)
        )

    def _of_imported(self, link: Link) -> list[Type]:
        """The types of a member of a type that an import names, too: `import static shop.Till.FIRST`."""
        types = [
            word for words in self._sites.importing(link.name) for word in words if self._families.kinds(word) & TYPES
        ]
        return self._members(map(Type, types), link) if len(types) == 1 else []

    def _may_be_bare(self, site: Site) -> bool:
        return not self._sites.naming.held_members and bool(site.around)

    def _opened(self, found: Iterable[Type], link: Link) -> list[Type]:
        """The same without what may hold nothing, or comes later, where the link says that it is taken out."""
        ones = [self._seen(one) for one in found]
        if not link.is_opened:
            return ones
        return [self._seen(one.inside[0]) if one.inside and not self._families.kinds(one.name) else one for one in ones]

    def _seen(self, one: Type) -> Type:
        """The type whose members one has: a pointer that counts has those of what it points to."""
        for _ in range(MOST_DEEP):
            if one.name not in SEEN_THROUGH or not one.inside or self._families.kinds(one.name):
                break
            one = one.inside[0]
        return one

    # Variables

    def _of_variable(self, name: str, site: Site, depth: int) -> list[Type]:
        """The types that the functions around say that a variable has, or those of what they make it of."""
        for one in reversed(site.around):
            if one.kind in CALLABLE and (found := self._in_definition(name, one, site, depth)):
                return found
        constants = [one for one in self._known(name) if one.kind == "constant" and not one.container]
        if not constants:
            return self._of_elsewhere(name)
        return next(filter(None, (self._in_definition(name, one, site, depth) for one in constants)), list[Type]())

    def _of_elsewhere(self, name: str, module: str = "") -> list[Type]:
        """The types of what other modules make once for all: `till`, which is imported, or `shop.till` of one that is."""
        found: list[tuple[int, list[Type]]] = []
        for original, words in self._imports.taken(name, module):
            for file, _, one in self._families.constants(original):
                verdict = self._imports.verdict(words, Candidate(file, one), module)
                if verdict is not None:
                    found.append((verdict.agreeing, self._families.made(file, one)))
        most = max((agreeing for agreeing, _ in found), default=0)
        return _agreed(types for agreeing, types in found if agreeing == most)

    def _in_definition(self, name: str, one: Definition, site: Site, depth: int) -> list[Type]:
        key = name, one.start
        if key not in self._variables:
            self._variables[key] = []
            said = [type_._replace(name=self._sites.original(type_.name)) for type_ in self._said(name, one)]
            said = [bound for type_ in said for bound in self._bounds(type_, site.around)]
            self._variables[key] = said or self._set(name, one, site, depth)
        return self._variables[key]

    def _said(self, name: str, one: Definition) -> list[Type]:
        """The types that a definition says that a variable has."""
        text = self._sites.code(one.start, one.end)
        if name not in text:
            return []
        forms = (_SAID, _SHARED) if self._sites.naming.shared_types else (_SAID,)
        places = (found.end() for form in forms for found in self._places(form, name, text))
        behind = (types_in(text[end : end + _LONGEST]) for end in places)
        if types := next((types for types in behind if types and self._is_one(types[0])), list[Type]()):
            return types
        if types := self._quoted(name, one, text):
            return types
        ends = re.finditer(rf"(?<=[\s&*?]){re.escape(name)}(?!\w)", text)
        for found in ends:
            before = text[max(0, found.start() - 200) : found.start()]
            ends_line = before.rstrip("&*? \t").endswith("\n")  # then it is the end of what stands above
            types = said_before(before) if not ends_line else []
            if types and self._is_one(types[0]):
                return types
        return []

    def _quoted(self, name: str, one: Definition, text: str) -> list[Type]:
        """The types that stand in quotes behind a variable, where they are those of the folder: `till: "Till"`."""
        for found in self._places(_BEFORE_TYPE, name, text):
            at = one.start + len(text[: found.end()].encode())
            quoted = _QUOTED.match(self._sites.source, at)
            types = types_in(quoted["type"].decode("utf-8", "replace")) if quoted is not None else []
            if types and all(self._families.kinds(self._sites.original(each.name)) & TYPES for each in types):
                return types
        return []

    def _bounds(self, one: Type, around: Sequence[Definition]) -> list[Type]:
        """The types that one is said to be which the definitions around take as a parameter; itself if they do not."""
        if self._families.kinds(one.name):
            return [one]
        heads = (each for each in reversed(around) if each.kind in CALLABLE or each.kind in HOLDERS)
        bounds = (bounds_of(self._sites.source, each, one.name) for each in heads)
        found = next(filter(None, bounds), [one])
        return [each for each in found if self._families.kinds(each.name)] or found

    def _is_one(self, one: Type) -> bool:
        """Tells whether what stands where a type may stand is one."""
        return bool(
            one.name[:1].isupper() or one.inside or self._families.kinds(self._sites.original(one.name)) & TYPES
        )

    def _set(self, name: str, one: Definition, site: Site, depth: int) -> list[Type]:
        """The types of what a definition makes a variable of, or lets it count through."""
        found: list[Type] = []
        text = self._sites.code(one.start, one.end)
        if name not in text:
            return found
        source, gives = self._sites.source, self._sites.naming.gives
        for place in [*self._places(_SET, name, text)][:_MOST_PLACES]:
            at = one.start + len(text[: place.end()].encode())
            links = chain_from(source, at, self._sites.is_prose)
            is_elsewhere = one.kind in HOLDERS and bool(links) and not (links[0].called or links[0].is_made)
            named = gives.match(text, place.end()) if gives is not None else None
            given = [] if is_elsewhere else types_in(named[1]) if named else self._of_chain(links, site, depth + 1)
            before = _count_before(text[: place.start()])
            if named:
                given = given if not before else []  # the second is whether it is of that type: `till, ok := x.(*Till)`
            elif before or place["others"] or any(each.name == TUPLE for each in given):
                given = [each.inside[before] for each in given if each.name == TUPLE and before < len(each.inside)]
            found += given
        for place in [*self._places(_HELD, name, text)][:_MOST_PLACES] if not found else ():
            at = one.start + len(text[: place.end()].encode())
            links = chain_from(source, at, self._sites.is_prose)
            held = [each for each in self._of_chain(links, site, depth + 1) if not self._families.kinds(each.name)]
            found += [each.inside[0 if each.name == "Result" else -1] for each in held if each.inside]
        for place in [*self._places(EACH, name, text)][:_MOST_PLACES] if not found else ():
            at = one.start + len(text[: place.start("of") if place["of"] else place.end()].encode())
            links = chain_from(source, at, self._sites.is_prose) or (self._of_each(source, at) if place["of"] else [])
            found += [each.inside[-1] for each in self._of_chain(links, site, depth + 1) if each.inside]
        return list(dict.fromkeys(found))

    def _of_each(self, source: bytes, at: int) -> list[Link]:
        end = source.find(b" as ", at)
        return chain_before(source, end, self._sites.is_prose) if end >= 0 else []

    def _places(self, pattern: str, name: str, text: str) -> Iterator[re.Match[str]]:
        return re.finditer(pattern.replace("NAME", re.escape(name)), text)

    # Functions and members

    def _of_function(self, name: str, module: str = "") -> list[Type]:
        """The types that a function gives which is called with nothing before its name, or its module."""
        own = [one for one in self._known(name) if one.kind in CALLABLE and one.kind != "method"]
        if own and not module:
            return _agreed(given_by(self._sites.source, one) for one in own)
        functions = self._families.functions(name)
        if module:
            functions = [each for each in functions if module in places_of(each[0].path)]
        return _agreed(given_by(file.source, one) for file, _, one in functions)

    def _members(self, types: Iterable[Type], link: Link) -> list[Type]:
        """The types of a member of some types; nothing where one of them does not say."""
        every = [self._member(one, link) for one in types]
        return [] if not all(every) else list(dict.fromkeys(one for each in every for one in each))

    def _member(self, holder: Type, link: Link) -> list[Type]:
        found = self._families.members(holder.name, link.name, link.called)
        if not found:
            kinds = self._families.kinds(holder.name)
            is_known = bool(kinds)
            is_call = link.called or self._sites.naming.bare_calls
            if is_call and is_known and link.name in (_OF_ENUMS if "enum" in kinds else _MAKERS):
                return [holder]
            if is_call and link.name in _SAME and (is_known or not holder.inside):
                return [holder]
            if is_call and link.name in _OPENING and not is_known and holder.inside:
                return [holder.inside[0 if holder.name == "Result" else -1]]
            if is_call and link.name in _EVERY and not is_known and holder.inside:
                return [Type(ARRAY, holder.inside[-1:])]
            written = () if link.called else sorted(self._families.field(holder.name, link.name))
            types = types_in(written[0]) if len(written) == 1 else []
            return [bound for one in types for bound in self._families.bounds(holder.name, one.name) or [one]]
        return _agreed(
            [type_ for given in self._given(each, link) for type_ in self._filled(given, holder, each)]
            for each in found
        )

    def _given(self, found: Found, link: Link) -> list[Type]:
        """The types that a member gives: a field itself, a method where it is called."""
        file, of_file, one = found
        if one.kind in TYPES:
            return [Type(one.name)]
        if one.kind not in CALLABLE:
            holder = next((each for each in of_file if each.path == one.container), None)
            if holder is not None and holder.kind == "enum" and not given_by(file.source, one):
                return [Type(holder.name)]
            return [] if link.called else given_by(file.source, one)
        if not (link.called or self._sites.naming.bare_calls or is_property(file.source, one)):
            return []
        return given_by(file.source, one)

    def _filled(self, given: Type, holder: Type, found: Found) -> list[Type]:
        """A type that a member gives, with what its holder is said to hold in the place of its parameters."""
        if given.name in _ITSELF:
            return [holder]
        file, of_file, one = found
        own = next((each for each in of_file if each.path == one.container and each.kind in HOLDERS), None)
        parameters = parameters_of(file.source, own) if own is not None else []
        if own is not None and given.name in parameters:
            place = parameters.index(given.name)
            return [holder.inside[place]] if place < len(holder.inside) else bounds_of(file.source, own, given.name)
        if takes_type(file.source, one, given.name):
            return []
        inside = tuple(type_ for each in given.inside for type_ in self._filled(each, holder, found)[:1])
        return [given._replace(inside=inside)]


def _count_before(text: str) -> int:
    """The number of variables before one, where several are set at once: 1 for `err` of `till, err := open()`."""
    end = len(text)
    for count in range(_MOST_AT_ONCE):
        found = _ONE_BEFORE.search(text, max(0, end - _WINDOW), end)
        if found is None:
            return count
        end = found.start()
    return _MOST_AT_ONCE


def _agreed(every: Iterable[Sequence[Type]]) -> list[Type]:
    """The types that all of some definitions give; none where they give different types, or one does not say."""
    ones = {tuple(each) for each in every}
    return [*next(iter(ones))] if len(ones) == 1 else []
