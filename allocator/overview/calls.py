"""Tells which definitions a body calls, by what stands before the names of what is called; no types are worked out.

A name alone is a function of the same file, an imported one, or in some languages a member of the class around. Behind a
mark it is what the word before says: the type or module of that name, the own class, or the type that a variable is
written with. Where nothing written says so, nothing is told.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.code import Code, with_held
from allocator.overview.grounds import CALLABLE, Grounds, Spot, stem
from allocator.overview.habits import (
    ABOVE,
    CALLING,
    DECLARING,
    HOLDING,
    ITSELF,
    is_function,
    is_told_apart,
)
from allocator.overview.implementing import OF_INTERFACE, Implementing
from allocator.overview.importance import ROOTS
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import HOLDERS
from skeleton.uses.typed import types_of
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from skeleton.languages.headers import Naming

MOST_BODY = 24_000
"""Bytes of a body in which calls are looked for."""

MOST_LOOKED_AT = 4
"""Definitions of one name that are all looked at, whatever their types are called."""

LONGEST_CALL = 400
"""Bytes of a call that another is made to the value of."""

MOST_LINKS = 8
"""Calls one behind the other, each to the value of the one before, that are followed back."""

MOST_DEFINING = 2
"""Other files that define a type of a name, in which the types of its fields are looked for."""

LEAST_OF_TYPE = 3
"""Letters of a variable that is called like its type, or that a file says the type of, at the least."""

_CALL = re.compile(
    rb"(?:(?:\b([A-Za-z_]\w{0,63})(?:(?<=super)\(\))?|([])}\"'`]))\s*[?!&]?(?:\.|->|::)\s*#?|(?<![\w.>:$@#]))"
    rb"([A-Za-z_]\w{2,63})(?:(?:::)?<[^<>()]{0,80}>|\s*)!?\("
)
"""A call: the word before the name of what is called, or the end of what is none, and the name."""

_CALLED = re.compile(
    rb"(?:(?:\b([A-Za-z_]\w{0,63})|(\)))\s*[?!]?(?:\.|->|::)\s*|(?<![\w.:>$@#]))([A-Za-z_]\w*)\s*(?:<[^<>]*>)?\Z"
)
"""The same at the end of a text, without the bracket."""

_OPEN, _CLOSE = b"()"

_GIVES = re.compile(
    rb"\)\s*(?::|->)\s*(?:[?&]\s*)?(?:(?:\w+::)*(?:Option|Promise|Result)<\s*)?(?:\w+(?:\.|::))*(\w+)|\)\s*\(?\*?(?:\w+\.)?([A-Z]\w*)[,{)\s]*\Z"
)
_GIVES_BEFORE = re.compile(rb"\b([A-Z]\w*)(?:<[^<>;(){}]*>)?[&*?\s]+\Z")
"""The type that a function gives, behind or before its name; behind it that in what may hold an error, nothing, or it later."""

_BARE_CALL = re.compile(
    rb"(?:(?:\b([A-Za-z_]\w{0,63})|([])}\"'`?!]))\s*&?(?:\.|::)\s*|(?<![\w.:>$@#]))"
    rb"([A-Za-z_]\w{2,63}[?!]?)(?![\w?!]|:(?!:)|[ \t]*(?:[-+*/|&]|\|\||&&)?=(?![=~>]))"
)
"""Likewise where brackets may be left out: any name that is no key and that nothing is assigned to."""

_IS_FIRST = re.compile(rb"(?<![\w.:>$@#&])[a-z_]\w{2,63}\s*&?\.")
"""A word with a mark behind it that nothing stands before: in such a language it may be a call itself."""

_OF_BLOCK = re.compile(rb"(?:\bdo|\{)[ \t]*\|([^|\n]*)\|")
"""The parameters of a block."""

_OWN = re.compile(
    rb"\b(?:def|fn|fun|func|function|let|const|var|val|local|auto)\s+(?:mut\s+)?\*?([A-Za-z_]\w*)"
    rb"|(?:^|[;{])[ \t]*([A-Za-z_]\w*)\s*:?=(?![=>])",
    re.MULTILINE,
)
"""A name that a body defines."""

_WORD = re.compile(rb"\w+")
_MARKS = re.compile(r"\.|::")
_NAMES = re.compile(r"\w+")


class _Call(NamedTuple):
    """A call in a body: the name of what is called, and the word before it.

    Attributes:
        is_alone: True if nothing stands before the name; with `before` empty it is no word that does.
        through: the call to whose value this one is made, where what stands before the name is a call.
    """

    name: str
    before: str
    is_alone: bool
    through: _Call | None = None


class _Body:
    """A definition that calls others.

    Args:
        grounds: the files.
        spot: the definition.
        code: the code of its file, without texts and comments.
        around: gives that of other files in which the type that it is a member of is defined.
    """

    def __init__(self, grounds: Grounds, spot: Spot, code: Code, around: Callable[[], Iterable[Code]]) -> None:
        survey = grounds.surveys[spot.file]
        begin = survey.bodies[spot.place]
        self.file = spot.file
        self.container = survey.containers[spot.place]
        self.naming = code.naming
        self._named = grounds.spots
        self._code = code
        self._around = around
        self._body = code.without_texts(begin, min(survey.ends[spot.place], begin + MOST_BODY))
        self._head = code.source[max(0, begin - survey.heads[spot.place]) : begin]
        name_end = survey.starts[spot.place] + len(survey.names[spot.place].encode())
        self._parameters = code.source[name_end:begin]
        self._types: dict[str, frozenset[str]] = {}
        self.made: dict[str, str] = {}

    def calls(self) -> Mapping[_Call, int]:
        """The calls of names that are defined, in order, and how often each stands there."""
        found = Counter[_Call]()
        is_bare = self.naming.bare_statements
        for one in (_BARE_CALL if is_bare else _CALL).finditer(self._body):
            if is_bare and one[1] and _IS_FIRST.match(self._body, one.start()):
                found[_Call(one[1].decode(), "", is_alone=True)] += 1
            name = one[3].decode()
            if self.naming.kept_handlers or name in self._named or f"#{name}" in self._named or name in CALLING:
                found[self._call(one)] += 1
        return found

    def _call(self, found: re.Match[bytes], links: int = MOST_LINKS) -> _Call:
        before, mark, name = (part.decode() if part else "" for part in found.groups())
        if before and name in CALLING and self.naming.function_values:
            return _Call(before, "", is_alone=True)
        through = self._ends_at(found.end(2), links - 1) if mark == ")" and links else None
        return _Call(name, before, is_alone=not before and not mark, through=through)

    def _ends_at(self, end: int, links: int) -> _Call | None:
        """The call whose brackets end at a place of the body."""
        depth = 0
        for at in range(end - 1, max(0, end - LONGEST_CALL), -1):
            depth += (self._body[at] == _CLOSE) - (self._body[at] == _OPEN)
            if not depth:
                found = _CALLED.search(self._body, max(0, at - LONGEST_CALL), at)
                return self._call(found, links) if found else None
        return None

    @lazy
    def own(self) -> frozenset[str]:
        """The names that the body or the parameters define."""
        named = {one or other for one, other in _OWN.findall(self._body)}
        named.update(_WORD.findall(self._parameters))
        if self.naming.bare_statements:
            named.update(word for found in _OF_BLOCK.findall(self._body) for word in _WORD.findall(found))
        return frozenset(name.decode("utf-8", "replace") for name in named)

    @lazy
    def _text(self) -> str:
        return with_held((self._head + self._body).decode("utf-8", "replace"))

    def types(self, variable: str) -> frozenset[str]:
        """The types that a variable is written with here, or else in the file, or where the type around it is defined."""
        if variable not in self._types:
            near = types_of(variable, self._text)
            if not near and len(variable) >= LEAST_OF_TYPE:
                codes = chain((self._code,), self._around())
                near = next(filter(None, (code.types(variable) for code in codes)), near)
            self._types[variable] = near
        return self._types[variable]


class Calls:
    """Finds what definitions call.

    Args:
        grounds: the files.
        packages: what code calls the packages of files, by the places of these.
    """

    def __init__(self, grounds: Grounds, packages: Mapping[int, str]) -> None:
        self._grounds = grounds
        self._packages = packages
        self._known: dict[Spot, Mapping[Spot, int]] = {}
        self._owners: dict[Spot, str] = {}
        self._owners_of: dict[tuple[str, bool], list[tuple[str, str]]] = {}
        """Of definitions of one name, by that and whether its language declares what it links, the types, and in small letters."""
        self._types: dict[str, bool] = {}
        self._callable: dict[Spot, bool] = {}
        self._codes: dict[int, Code] = {}
        self._mixing: dict[int, str] = {}
        self._imported: dict[int, frozenset[str]] = {}
        self._implementing = Implementing(grounds, self._owner)

    def of(self, spot: Spot) -> Mapping[Spot, int]:
        """The definitions that the body of one calls, those that nothing else can be, in order, and how often it does."""
        known = self._known.get(spot)
        if known is None:
            known = self._known[spot] = self._found(spot)
        return known

    def is_callable(self, spot: Spot) -> bool:
        """Tells whether something may call a definition, and it is no test and nothing that only declares."""
        known = self._callable.get(spot)
        if known is None:
            known = self._callable[spot] = self._may_be_called(spot)
        return known

    def _may_be_called(self, spot: Spot) -> bool:
        grounds = self._grounds
        path, kind = grounds.files[spot.file].path, grounds.kind(spot)
        return (
            (kind in CALLABLE or (kind in HOLDING and self._is_function(spot, path)))
            and not grounds.is_test(spot)
            and not DECLARING.search(path)
        )

    def _is_function(self, spot: Spot, path: str) -> bool:
        """Tells of a value whether it may be called, by how it begins, or holds what is."""
        survey = self._grounds.surveys[spot.file]
        value = survey.bodies[spot.place], survey.ends[spot.place]
        return is_function(self._grounds.source(spot.file), *value, naming_of(path, b""))

    def _code(self, file: int) -> Code:
        code = self._codes.get(file)
        if code is None:
            code = self._codes[file] = Code(self._grounds.files[file].path, self._grounds.source(file))
        return code

    def _mixes(self, file: int) -> str:
        """A word for the languages that use what each other's files define, that of a file among them; "" for one of all."""
        known = self._mixing.get(file)
        if known is None:
            known = self._mixing[file] = naming_of(self._grounds.files[file].path, b"").mixes
        return known

    def _around(self, spot: Spot) -> Iterable[Code]:
        """The code of the other files in which the type that a definition is a member of is defined."""
        owner = self._owner(spot)
        grounds = self._grounds
        types = (one for one in grounds.spots.get(owner, ()) if grounds.kind(one) in HOLDERS and grounds.has_body(one))
        files = {one.file for one in types}
        return map(self._code, sorted(files - {spot.file})[:MOST_DEFINING])

    def _found(self, spot: Spot) -> Mapping[Spot, int]:
        grounds = self._grounds
        body = _Body(grounds, spot, self._code(spot.file), partial(self._around, spot))
        called: dict[Spot, int] = {}
        for call, times in body.calls().items():
            one = self._one_meant(call, body)
            if one is not None:
                called[one] = called.get(one, 0) + times
        called.pop(spot, None)
        return called

    def _one_meant(self, call: _Call, body: _Body) -> Spot | None:
        """The definition that a call means; None where it may be another."""
        grounds = self._grounds
        if call.through is not None:
            call = _Call(call.name, self._given(call.through, body), is_alone=False)
        if call.before and (old := self._code(body.file).renamed.get(call.before)) is not None:
            call = call._replace(before=old)
        named = self._defined(call.name, body.naming) or grounds.spots.get(f"#{call.name}", ())
        if call.before and call.before not in ITSELF | ABOVE and len(named) > MOST_LOOKED_AT:
            named = self._owned(call, named, body)
        meant = [*filter(self.is_callable, filter(partial(self._is_meant, call, body), named))]
        if call.is_alone or call.before in ITSELF:
            meant = [one for one in meant if self._is_of_own(one, body)] or meant
            meant = [one for one in meant if one.file == body.file] or meant
        elif len(meant) > 1:
            meant = [one for one in meant if self._owner(one) == call.before] or meant
        meant = [*filter(grounds.has_body, meant)] or meant
        path = grounds.files[body.file].path
        if not self._are_twins(meant):
            return self._handling(call, body)
        owner = self._owner(meant[0])
        if call.before and owner not in ("", call.before) and call.before not in ITSELF | ABOVE:
            made = self._made(call.before, body)
            if made and made != owner and owner not in self._implementing.bases(made):
                return self._one_meant(call._replace(before=made), body)
        behind = self._implementing.of(max(meant, key=partial(self._weight, path)))
        return behind if self.is_callable(behind) else None

    def _handling(self, call: _Call, body: _Body) -> Spot | None:
        """The value of the same folder that holds functions, and through which something of others is called."""
        if not body.naming.kept_handlers or not call.before or call.before in body.own:
            return None
        grounds = self._grounds
        named = (one for one in grounds.spots.get(call.before, ()) if grounds.kind(one) in HOLDING)
        held = [one for one in named if grounds.are_beside(one.file, body.file)]
        return held[0] if len(held) == 1 and self.is_callable(held[0]) else None

    def _made(self, variable: str, body: _Body) -> str:
        """The type of a variable that a call gives its value, where what the call means says so; "" for none."""
        known = body.made.get(variable)
        if known is None:
            body.made[variable] = known = ""  # of one that is made of itself
            for said in sorted(body.types(variable)):
                *before, last = _MARKS.split(said)
                if last in self._grounds.spots and not self._is_type(last):
                    call = _Call(last, before[-1] if before else "", is_alone=not before)
                    known = known or self._given(call, body)
            known = body.made[variable] = known if known and self._is_type(known) else ""
        return known

    def _given(self, call: _Call, body: _Body) -> str:
        """The type of what a call gives: that which it makes, or which the signature of what it means says; "" for none."""
        if self._is_type(call.name):
            return call.name
        one = self._one_meant(call, body)
        if one is None:
            return ""
        survey, source = self._grounds.surveys[one.file], self._grounds.source(one.file)
        start, begin = survey.starts[one.place], survey.bodies[one.place]
        said = _GIVES.search(source, start, begin) or _GIVES_BEFORE.search(source, max(0, start - LONGEST_CALL), start)
        given = (said[1] or said[said.lastindex or 1]).decode() if said else ""
        return self._owner(one) if given in ITSELF else given

    def _owned(self, call: _Call, named: Sequence[Spot], body: _Body) -> list[Spot]:
        """Those of many definitions that a call on a variable may mean by the name of their type: a few words are looked at."""
        plain = call.before.strip("_").lower().replace("_", "")
        words = {call.before, ""}.union(*map(_MARKS.split, body.types(call.before)))
        key = call.name, body.naming.one_program
        owners = self._owners_of.get(key)
        if owners is None:
            owners = self._owners_of[key] = [(owner := self._owner(one), owner.lower()) for one in named]
        return [
            one
            for one, (owner, in_small) in zip(named, owners, strict=True)
            if owner in words or in_small.endswith(plain)
        ]

    def _weight(self, path: str, spot: Spot) -> tuple[int, float, int]:
        """Tells which twin a file calls: that beside it, else that which much is named of, else the largest."""
        beside = len(posixpath.commonpath([path, self._grounds.files[spot.file].path]))
        rank = float(self._grounds.standing.rank[spot.file])
        return beside, rank, self._grounds.surveys[spot.file].sizes[spot.place]

    def _are_twins(self, spots: Sequence[Spot]) -> bool:
        """Tells whether definitions of one name are one, written anew for other systems, conditions or parameters.

        They stand in one file, or in files whose paths differ in one folder alone (`os/unix`, `os/win32`).
        """
        if len(spots) <= 1:
            return bool(spots)
        grounds = self._grounds
        paths = [grounds.files[one.file].path.split("/") for one in spots]
        return (
            len({grounds.surveys[one.file].containers[one.place] for one in spots}) == 1
            and len({(len(path), path[-1]) for path in paths}) == 1
            and sum(len({*pieces}) > 1 for pieces in zip(*paths, strict=True)) <= 1
        )

    def _is_meant(self, call: _Call, body: _Body, one: Spot) -> bool:
        """Tells whether what is written says that a call may be one of a definition."""
        own, other = self._mixes(body.file), self._mixes(one.file)
        if own != other and own and other:
            return False
        owner = self._owner(one)
        if call.is_alone:
            return self._is_in_reach(call.name, body, one, owner)
        if not call.before:
            return False
        if call.before in ITSELF or call.before in ABOVE:
            is_own = self._is_of_own(one, body)
            if is_own or not owner:
                return is_own and call.before in ITSELF
            if owner in self._implementing.bases(body.container.rpartition(".")[2]):
                is_made = call.before not in ABOVE or self._grounds.has_body(one)
                return is_made and self._implementing.is_nearest(owner, one.file, body.file)
            return owner in self._grounds.surveys[body.file].words and self._is_alone(one) and is_told_apart(call.name)
        if owner:
            is_named = owner == call.before or self._is_called_after(call, owner)
            return (is_named or self._is_typed(call.before, owner, one, body)) and self._is_that_type(owner, one, body)
        is_own_folder = body.naming.folders and self._grounds.are_beside(one.file, body.file)
        return not is_own_folder and call.before in self._modules(one)

    def _is_of_own(self, one: Spot, body: _Body) -> bool:
        """Tells whether a definition stands in the same type as a body."""
        around = self._grounds.surveys[one.file].containers[one.place]
        if around == body.container or not around or not body.container:
            return around == body.container
        longer, shorter = (around, body.container) if len(around) > len(body.container) else (body.container, around)
        return longer.endswith(f".{shorter}") and self._is_type(shorter.rpartition(".")[2])

    def _is_type(self, name: str) -> bool:
        known = self._types.get(name)
        if known is None:
            kind = self._grounds.kind
            known = self._types[name] = any(kind(one) in HOLDERS for one in self._grounds.spots.get(name, ()))
        return known

    def _is_in_reach(self, name: str, body: _Body, one: Spot, owner: str) -> bool:
        """The same of a name with nothing before it."""
        if name in body.own:
            return False
        if owner:
            around = body.container.rpartition(".")[2]
            return body.naming.members_around and (
                self._is_of_own(one, body)
                or (
                    owner in self._implementing.bases(around)
                    and self._implementing.is_nearest(owner, one.file, body.file)
                )
            )
        if one.file == body.file or (body.naming.folders and self._grounds.are_beside(one.file, body.file)):
            return True
        is_imported = name in self._imports(body.file)
        if is_imported or body.naming.names_imported:
            return is_imported
        if body.naming.one_program:
            return self._are_twins(self._defined(name, body.naming))
        return self._is_alone(one) and is_told_apart(name)

    def _imports(self, file: int) -> frozenset[str]:
        """The words of what a file imports."""
        known = self._imported.get(file)
        if known is None:
            imports = self._grounds.surveys[file].imports
            known = self._imported[file] = frozenset(name for words in imports for name in _NAMES.findall(words))
        return known

    def _defined(self, name: str, naming: Naming) -> Sequence[Spot]:
        """The definitions of a name; where a language declares what it links, those alone that have a body, if any has."""
        named = self._grounds.spots.get(name, ())
        if not naming.one_program or len(named) == 1:
            return named
        return [*filter(self._grounds.has_body, named)] or named

    def _owner(self, spot: Spot) -> str:
        """The type that a definition is a member of; "" for none."""
        known = self._owners.get(spot)
        if known is None:
            last = self._grounds.surveys[spot.file].containers[spot.place].rpartition(".")[2]
            is_member = last and (self._grounds.kind(spot) != "function" or self._is_type(last))
            known = self._owners[spot] = last if is_member else ""
        return known

    def _is_that_type(self, owner: str, one: Spot, body: _Body) -> bool:
        """Tells of several types of one name whether that of a definition is in reach."""
        types = [spot for spot in self._grounds.spots.get(owner, ()) if self._grounds.kind(spot) in HOLDERS]
        defining = {spot.file for spot in types}
        around = {self._grounds.surveys[spot.file].containers[spot.place] for spot in types}
        if len(defining) <= 1 or (len(around) == 1 and "" not in around) or one.file == body.file:
            return True
        own = stem(self._grounds.files[one.file].path)
        return body.file not in defining and own in self._imports(body.file)

    def _is_typed(self, variable: str, owner: str, one: Spot, body: _Body) -> bool:
        """Tells whether a variable is written with a type, or made by one, and a module before it is one of ours."""
        path = self._grounds.files[one.file].path
        for *before, last in map(_MARKS.split, body.types(variable)):
            is_ours = not before or "/" not in path or before[-1] in (*path.split("/"), stem(path))
            if owner in before or (last == owner and is_ours):
                return True
        return False

    def _is_alone(self, spot: Spot) -> bool:
        return len(self._grounds.spots[self._grounds.surveys[spot.file].names[spot.place]]) == 1

    @staticmethod
    def _is_called_after(call: _Call, owner: str) -> bool:
        """Tells whether what is called through is called like a type, or like its end where the name is told apart."""
        plain = call.before.strip("_").lower().replace("_", "")
        owner = OF_INTERFACE.sub("", owner)
        if len(plain) < LEAST_OF_TYPE or not owner.lower().endswith(plain):
            return False
        return len(plain) == len(owner) or is_told_apart(call.name)

    def _modules(self, spot: Spot) -> Iterable[str]:
        """The words for the module that a function stands in: a namespace, or the file, its folder, or its package."""
        container, path = self._grounds.surveys[spot.file].containers[spot.place], self._grounds.files[spot.file].path
        if container:
            return (container.rpartition(".")[2],)
        own, folder = stem(path), path.rpartition("/")[0].rpartition("/")[2]
        package = self._packages.get(spot.file, "")
        return (folder, package) if own in ROOTS else (own, folder, package)
