"""Tells whose a name is where it is used: how sure it is that one of several definitions of the name is meant.

No types are worked out. What is written decides: the class around, what a file imports, what stands before the name.
Some of that says for certain which definition is meant, or that one cannot be; where nothing does, the name is all
there is, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from skeleton.index.indexed import IndexedFile
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import CALLABLE, FIELD, HOLDERS, MEMBERS, TYPES
from skeleton.languages.visibility import gives_out, keeps, says_private
from skeleton.names.targets import segments
from skeleton.uses.as_methods import as_method
from skeleton.uses.bases import bases_of
from skeleton.uses.candidates import BY_NAME, INHERITED, Candidate, Candidates, Meant, Sureness, Verdict, last_part
from skeleton.uses.extensions import Extensions
from skeleton.uses.imports import LED, Imports, PassedOn
from skeleton.uses.passed import among_overloads, rules_out
from skeleton.uses.places import alike_from_the_end, places_of
from skeleton.uses.sites import UNKNOWN
from skeleton.uses.spaces import Spaces
from skeleton.uses.types_at import ITSELF, TypesAt
from skeleton.uses.variables import Variables
from workspace.cancellation import still_wanted
from workspace.lazy import lazy
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skeleton.outline.definitions import Definition
    from skeleton.uses.families import Families
    from skeleton.uses.sites import Site, Sites

_LEAST_PATH: Final = 2
"""Words of a type that tell it from another of its last name, as `Annotatable.Builder` does."""

_CLASSES: Final = frozenset(["class", "clazz", "cls", "constructor", "ctor", "klass", "static", "type"])
"""The names of variables, in small letters, that hold a type."""

_ABOVE: Final = frozenset(["super", "base", "parent"])
_MODULE_ITSELF: Final = frozenset(["crate", "self", "super"])
_OF_THEIR_OWN: Final = frozenset(["class", "enum", "impl", "interface", "struct"])
"""Kinds of types whose members no other type has, unless it inherits them."""

_WITH_NOTHING_ABOVE: Final = frozenset(
    (
        *("ABC", "AutoCloseable", "Callable", "Cloneable", "Closeable", "Codable", "Comparable", "Equatable"),
        *("Generic", "Hashable", "IComparable", "IDisposable", "IEquatable", "Iterable", "NamedTuple", "Protocol"),
        *("Runnable", "Sendable", "Serializable", "object"),
    )
)
"""Interfaces of standard libraries that inherit from none that has members to speak of."""


@lru_cache(maxsize=16_384)
def _mixes_of(path: str) -> str:
    return naming_of(path, b"").mixes


class Context:
    """A file that uses names, and what it says about whose they are.

    Args:
        file: the file.
        sites: its text.
        known_parts: the names of folders and files in the folder that is looked at: what an import of something in it
            holds one of.
        known: gives what a file of candidates, by its path, defines under a name.
        families: which types inherit from which.
        passed_on: gives the files that a module has something from that it gives out.
    """

    def __init__(
        self,
        file: IndexedFile,
        sites: Sites,
        known_parts: AbstractSet[str],
        known: Callable[[str, str], Sequence[Definition]],
        families: Families,
        passed_on: PassedOn,
    ) -> None:
        self.file = file
        self.sites = sites
        self._known = known
        self._families = families
        self._folder = file.path.rpartition("/")[0]
        self._bases: dict[tuple[int, str], list[str]] = {}
        self._imports = Imports(file.path, sites, known_parts, passed_on)
        self._variables = Variables(sites)
        self._spaces = Spaces(file, sites)
        self._types = TypesAt(file.path, sites, families, self._imports, lambda name: known(file.path, name))
        self._extensions = Extensions(file.path, sites, self._imports, self._spaces, families, self._types)
        self._meant: dict[Candidates, list[Meant]] = {}

    def meant(self, candidates: Candidates) -> list[Meant]:
        """The uses of a name in the file, in order, each with what it may mean; worked out once."""
        if candidates not in self._meant:
            sites = still_wanted(self.sites.of(candidates.name.encode()))
            found = [Meant(site, self.verdicts(site, candidates)) for site in sites]
            for alias, words in self.sites.aliases(candidates.name):
                found += self._renamed(alias, words, candidates)
            self._meant[candidates] = sorted(found, key=lambda meant: meant.site.at)
        return self._meant[candidates]

    def _renamed(self, alias: str, words: frozenset[str], candidates: Candidates) -> Iterator[Meant]:
        """The uses of what an import calls otherwise: nothing but the import says whose they are."""
        verdicts = [(one, self.renamed(one, words)) for one in candidates.every]
        most = max((verdict.agreeing for _, verdict in verdicts if verdict is not None), default=0)
        found = [(one, verdict) for one, verdict in verdicts if verdict is not None and verdict.agreeing == most]
        is_type = any(one.one.kind in HOLDERS for one, _ in found)
        for site in self.bare(alias, is_type=is_type) if found else ():
            yield Meant(site, found)

    def bare(self, name: str, *, is_type: bool = False) -> list[Site]:
        """The uses of a name that an import gives something: with nothing before it, and no variable, unless it is a type."""
        sites = still_wanted(self.sites.of(name.encode()))
        return [site for site in sites if not site.receiver and (is_type or not self._variables.has(site, name))]

    def renamed(self, candidate: Candidate, words: frozenset[str]) -> Verdict | None:
        """Returns the verdict on a definition that an import calls otherwise, by the words that say where it comes from."""
        if candidate.is_member or candidate.one.container or not self._mixes_with(candidate.file.path):
            return None
        return self._imports.verdict([words], candidate)

    def imports_of(self, candidate: Candidate, candidates: Candidates) -> list[int]:
        """The places of imports that name a definition and none of the others of its name."""
        named = [] if candidate.is_member else self.sites.importing(candidates.name)
        found = [(one, verdict) for one in candidates.every if named and (verdict := self._imports.verdict(named, one))]
        most = max((verdict.agreeing for _, verdict in found), default=0)
        if [one for one, verdict in found if verdict.agreeing == most] != [candidate]:
            return []
        return self.sites.imported_at(candidates.name.encode())

    def verdicts(self, site: Site, candidates: Candidates) -> list[tuple[Candidate, Verdict]]:
        """The definitions that a use may mean, those alone of which it is most sure."""
        is_other = self.sites.qualifies(site, candidates.name) or (
            not site.receiver and self._variables.has(site, candidates.name)
        )
        found = [
            (one, verdict)
            for one in candidates.every
            if not (is_other and one.one.kind not in HOLDERS)
            and (verdict := self._verdict(site, one, candidates)) is not None
        ]
        most = max(((verdict.sureness, verdict.agreeing) for _, verdict in found), default=(Sureness.BY_NAME, 0))
        meant = [(one, verdict) for one, verdict in found if (verdict.sureness, verdict.agreeing) == most]
        if len(meant) > 1 and site.called and self.sites.naming.overloads:
            return among_overloads(meant, site, self.sites, self._types.of_argument, self._families.above)
        return meant

    def _verdict(self, site: Site, candidate: Candidate, candidates: Candidates) -> Verdict | None:
        """Returns the certainty that a definition is meant; None where it cannot be."""
        if not self._mixes_with(candidate.file.path) or self._is_out_of_reach(site, candidate):
            return None
        if candidate.one.container and not site.receiver and self.sites.stands_behind(site, b"::"):
            return None  # what stands in nothing is meant: `::Process`
        if addresses := naming_of(candidate.file.path, b"").addresses:
            return self._by_address(site, candidate, addresses) if self.sites.naming.addresses else None
        if site.receiver and candidate.is_extension:
            found = self._extensions.verdict(site, candidate, candidates)
        elif self._families.is_parameter(candidate.owner):
            found = BY_NAME if site.called and site.receiver else None
        elif candidate.is_member:
            found = self._of_member(site, candidate, candidates)
        elif site.receiver:
            found = self._through_module(site, candidate)
        else:
            found = self._of_bare(site, candidate, candidates)
        must_be_sure = candidate.file.tier is Tier.TESTS and self.file.tier is not Tier.TESTS
        if candidate.is_field:
            must_be_sure = must_be_sure or (site.called and candidates.has_methods)
        elif not site.called and candidate.one.kind not in HOLDERS:
            must_be_sure = True
        is_passed = must_be_sure and not candidate.is_field and site.receiver and self.sites.stands_behind(site, b"::")
        least = Sureness.BY_NAME if not must_be_sure else Sureness.LIKELY if is_passed else Sureness.SURE
        if found is None or found.sureness < least:
            return None
        if found.sureness == Sureness.SURE and not candidate.is_extension:
            return found
        return None if self._is_hidden(site, candidate) or rules_out(candidate, site, self.sites) else found

    def _is_hidden(self, site: Site, candidate: Candidate) -> bool:
        """Tells whether a definition says that other files do not see it; tests may look into what they test all the same."""
        file, one = candidate
        is_tested = file.tier is not self.file.tier is Tier.TESTS
        if is_tested or file.path == self.file.path or not isinstance(file, IndexedFile):
            return False
        if candidate.owner and (candidate.owner == site.owner or self.inherits(site, candidate.owner)):
            return False  # a class in several files, or what it takes in
        return says_private(file.path, file.source[one.signature : one.body], one.name)

    def _mixes_with(self, path: str) -> bool:
        """Tells whether code of this file may use what the language of another defines."""
        own, other = self.sites.naming.mixes, _mixes_of(path)
        return own == other or not own or not other

    def _is_out_of_reach(self, site: Site, candidate: Candidate) -> bool:
        """Tells whether a type cannot be meant: a name for a type has to be qualified outside of what it stands in."""
        one = candidate.one
        if one.kind != "type":
            return False
        if self.sites.naming.types_apart and site.user is not None and site.at >= site.user.body:
            return True
        if site.receiver or not one.container or site.owner == candidate.owner:
            return False
        return not any(other.path == one.container for other in site.around)

    def _by_address(self, site: Site, candidate: Candidate, addresses: Mapping[str, str]) -> Verdict | None:
        """Of what is used by its address alone: `var.size`, `local.size`, `data.disk.main`, `module.disk.size` of what that gives out."""
        folder, holder = candidate.file.path.rpartition("/")[0], candidate.owner
        if folder != self._folder:
            is_given = holder == "output" and len(site.receiver) == 2 and site.receiver[0] == "module"
            return BY_NAME if is_given else None
        short = next((word for word, long in addresses.items() if long == holder), holder)
        return Verdict(Sureness.SURE, "same module") if site.receiver in ((short,), ("data", short)) else None

    # Members

    def _of_member(self, site: Site, candidate: Candidate, candidates: Candidates) -> Verdict | None:
        if not (site.called or candidate.is_field) and self._is_field_beside(candidate):
            return None
        owner, around = candidate.owner, site.owner
        last = self.sites.original(site.receiver[-1]) if site.receiver else ""
        lent = self._lent(site, candidates) if not site.receiver else frozenset[str]()
        if lent:
            return Verdict(Sureness.SURE, "class around") if owner in lent else self._of_type(lent, owner)
        if not site.receiver and not self._may_stand_bare(site, candidate):
            return self._bare_member(site, candidate) if not candidate.is_field else None
        if not site.receiver or (last in ITSELF and len(site.receiver) == 1):
            if around and around == owner:
                return Verdict(Sureness.SURE, "same class", candidate.file.path == self.file.path)
            if around and around in candidates.owners:
                return None
            if not site.receiver and self._is_around(site, candidate, candidates):
                return Verdict(Sureness.SURE, "class around", 1)
            return self._inherited(site, owner, candidate.one.container) or (
                BY_NAME if site.receiver else self._bare_member(site, candidate)
            )
        if last in _ABOVE:
            found = self._inherited(site, owner, candidate.one.container)
            is_own = owner == around and (found is None or found.agreeing < _LEAST_PATH)
            return None if is_own else found or BY_NAME
        if owner and last == owner:
            alike = alike_from_the_end(site.receiver, segments(candidate.one.container))
            return Verdict(Sureness.SURE, "class named", 2 * LED * alike + self._seen(site, candidate))
        if last in candidates.owners or self._imports.is_foreign(site.receiver):
            return None
        found = self._of_type([last], owner) or self._by_receiver(site, candidate, candidates)
        is_a_value = not last[:1].isupper() and last.lower() not in _CLASSES
        return None if found is BY_NAME and is_a_value and candidate.is_of_type_alone else found

    def _seen(self, site: Site, candidate: Candidate) -> int:
        """Returns how well the type that a member stands in is one that the file imports by name, or sees into its namespace."""
        if not (named := self.sites.importing(candidate.owner)):
            return int(bool(self._spaces.reason(site, candidate)))
        found = self._imports.verdict(named, candidate, candidate.owner)
        return found.agreeing if found is not None else 0

    def _lent(self, site: Site, candidates: Candidates) -> frozenset[str]:
        """The types of the object of the nearest block around that have a member of a name; none if no block around has."""
        for types in self._types.of_blocks(site):
            if any(owner in types or self._of_type(types, owner) for owner in candidates.owners):
                return types
        return frozenset()

    def _is_field_beside(self, candidate: Candidate) -> bool:
        """Tells whether the class of a method has a field of its name, which is meant where nothing is called."""
        named = self._known(candidate.file.path, candidate.one.name)
        return any(one.kind == FIELD and one.container == candidate.one.container for one in named)

    def _is_around(self, site: Site, candidate: Candidate, candidates: Candidates) -> bool:
        """Tells whether a member is one of a class further out, and none that the class around has from one above."""
        if not self._families.above(site.owner).keys().isdisjoint(candidates.owners):
            return False
        if candidate.file.path != self.file.path and not self._spaces.may_share(candidate):
            return False
        return any(one.kind in HOLDERS and one.path == candidate.one.container for one in site.around)

    def _may_stand_bare(self, site: Site, candidate: Candidate) -> bool:
        """Tells whether a member may be used where a name stands with nothing before it."""
        if candidate.is_field:
            return self.sites.naming.bare_members
        innermost = site.around[-1] if site.around else None
        return not self.sites.naming.held_members or innermost is None or innermost.kind in HOLDERS

    def _bare_member(self, site: Site, candidate: Candidate) -> Verdict | None:
        """Of a member that is used without anything before it, outside its class."""
        named = self.sites.importing(candidate.one.name)
        if any(candidate.owner in words for words in named):
            return Verdict(Sureness.SURE, "imported")
        is_open = self.sites.naming.mixed_in and site.called and self.file.tier is not Tier.TESTS
        if is_open and self._families.may_meet(site, candidate):
            return BY_NAME
        is_held = self.sites.naming.held_members
        if named or is_held or candidate.file.path != self.file.path or self._own(candidate.one.name):
            return None
        return BY_NAME

    def _by_receiver(self, site: Site, candidate: Candidate, candidates: Candidates) -> Verdict | None:
        """Of a member of something that has a name: by the type it is said to have, or by how it is called."""
        last, owner = site.receiver[-1], candidate.owner
        typed = self._types.at(site)
        if not last and not typed.own:
            return BY_NAME
        if owner in typed.own:
            said = last or self._types.called_before(site)
            return Verdict(Sureness.SURE, f"{said} is typed so", self._fit_of_type(candidate, typed.own))
        if owner in typed.foreign or any(not self._families.is_parameter(one) for one in typed.own & candidates.owners):
            return None
        if found := self._of_type(typed.own, owner):
            return found
        plain = last.strip("_$@").lower().replace("_", "")
        is_of_others = any(len(one) > 1 and one[0].isupper() for one in typed.own) and not any(
            self._families.knows(one) for one in typed.own
        )
        outside = typed.outside
        is_made = self.sites.is_made_at(site)
        is_static = not is_made and not typed.own and self._is_type_of_others(site)
        if is_static or (is_made and not typed.own and self._types.is_of_others(last)):
            outside = frozenset([last])
        if outside and self._is_of_its_own(candidate, outside, are_made=typed.are_made or is_made or is_static):
            return None
        if len(plain) > 2 and owner.lower().endswith(plain) and not is_of_others:
            return Verdict(Sureness.LIKELY, f"likely: {last}")
        return None if not self._families.above(owner) and self._types.is_of_language(site) else BY_NAME

    def _is_type_of_others(self, site: Site) -> bool:
        """Tells whether a type from outside stands before a name, and no variable: a member of that itself is meant."""
        (first, *others) = site.receiver
        if others or first.isupper() or not self._types.is_of_others(first):
            return False
        return bool(self.sites.importing(first)) or not self._variables.has(site._replace(called=False), first)

    def _fit_of_type(self, candidate: Candidate, types: Collection[str]) -> int:
        """Returns how well a member is that of a type which is named, where files define several types of that name."""
        outermost, *further = segments(candidate.one.container)
        named = self.sites.importing(outermost)
        path = candidate.file.path
        is_near = path.rpartition("/")[0] == self._folder or self._spaces.is_around(candidate)
        found = self._imports.verdict(named, candidate, outermost) if named else None
        agreeing = found.agreeing if found is not None else int(is_near and not named)
        around = len({outermost, *further[:-1]}.intersection(types))
        return (2 * around + (path == self.file.path)) * 2 * LED + agreeing

    def _is_of_its_own(self, candidate: Candidate, types: Collection[str], *, are_made: bool) -> bool:
        """Tells whether a member is one of a class that has nothing to do with some types from outside the folder.

        What a trait or a module says, or gives to a type, any type may have.

        Args:
            candidate: the member.
            types: the types.
            are_made: whether a value is of no type below these.
        """
        owner = candidate.owner
        own = {one.kind for one in self._known(candidate.file.path, owner) if one.kind in HOLDERS}
        kinds = own or self._families.kinds(owner)
        above = self._families.above(owner).keys()
        if not kinds or not kinds <= _OF_THEIR_OWN or candidate.extends_a_type or not above.isdisjoint(types):
            return False
        return (
            are_made
            or "impl" in kinds
            or all(self._families.knows(base) or base in _WITH_NOTHING_ABOVE for base in above)
        )  # a base from outside may inherit it

    def inherits(self, site: Site, owner: str) -> bool:
        """Tells whether a class around inherits from another."""
        return self._inherited(site, owner) is not None

    def _inherited(self, site: Site, owner: str, container: str = "") -> Verdict | None:
        """Of a member of what a class around inherits from: the nearest is meant, and of a nested one what stands in the same."""
        if not owner:
            return None
        written = [base for one in site.around if one.kind in HOLDERS for base in self._bases_of(one)]
        inside = segments(container)
        alike = max(
            (alike_from_the_end(segments(base), inside) for base in written if last_part(base) == owner), default=0
        )
        found = self._of_type([site.owner], owner) or self._of_type(map(last_part, written), owner)
        return (found or INHERITED)._replace(agreeing=alike) if alike or owner in map(last_part, written) else found

    def _of_type(self, types: Iterable[str], owner: str) -> Verdict | None:
        """Of a member of what one of some types inherits from."""
        found = {one: distance for one in types if one and (distance := self._families.above(one).get(owner))}
        return INHERITED._replace(agreeing=-min(found.values()), types=frozenset(found)) if owner and found else None

    def _bases_of(self, one: Definition) -> list[str]:
        key = one.start, one.name
        if key not in self._bases:
            signature = self.sites.source[one.signature : one.body].decode("utf-8", "replace")
            self._bases[key] = bases_of(signature, one.name)
        return self._bases[key]

    # What is no member

    def _of_bare(self, site: Site, candidate: Candidate, candidates: Candidates) -> Verdict | None:
        file, one = candidate
        if file.path == self.file.path:
            is_in_reach = any(other.path == one.container for other in site.around)
            if not one.container or is_in_reach or one.kind in HOLDERS:
                return Verdict(Sureness.SURE, "same file", len(one.container) if is_in_reach else 0)
            return self._extensions.bare(candidate) if candidate.is_extension else None
        if self._own(one.name) or self._is_local(candidate) or _is_kept(candidate):
            return None
        around = site.owner
        own = [other for other in candidates.every if other.owner == around] if around else []
        if any(self._may_stand_bare(site, other) if other.is_member else candidate.owner != around for other in own):
            return None  # of what extends several types, that is meant which extends the one around
        named = self.sites.importing(one.name)
        if named:
            return None if self.sites.is_renamed(one.name) else self._imports.verdict(named, candidate)
        if self._has_to_import(candidate):
            return None
        if seen := self._spaces.verdict(site, candidate):
            return seen
        is_near = file.path.rpartition("/")[0] == self._folder
        if is_near and self.sites.naming.folders and not one.container:
            return Verdict(Sureness.SURE, "same module")
        return Verdict(Sureness.LIKELY, "likely: same folder") if is_near else BY_NAME

    def _has_to_import(self, candidate: Candidate) -> bool:
        """Tells whether the file would import a type of another module that it used, and does not."""
        file, one = candidate
        if not self.sites.naming.types_imported or one.kind not in TYPES or not self.sites.statements:
            return False
        is_near = file.path.rpartition("/")[0] == self._folder  # a package may be a folder
        return not (is_near or self._spaces.is_around(candidate) or self._spaces.imports_all) and gives_out(
            file.path, getattr(file, "source", b"")
        )

    def _is_local(self, candidate: Candidate) -> bool:
        """Tells whether a definition stands in a function: nothing outside of that can use it."""
        container = candidate.one.container
        around = self._known(candidate.file.path, candidate.owner) if container else ()
        return any(one.kind in CALLABLE and one.path == container for one in around)

    def _through_module(self, site: Site, candidate: Candidate) -> Verdict | None:
        """Of what is no member, behind a mark: the receiver is a module, a namespace or a class around it."""
        path = self.file.path
        if site.called and (found := as_method(site, candidate, self.sites, self._types, path)):
            return found
        receiver = tuple(part for part in site.receiver if part not in _MODULE_ITSELF)
        if not receiver:
            if site.receiver[-1] in ITSELF and site.receiver[-1] != "self":
                return None
            near = candidate.file.path == self.file.path or candidate.file.path.startswith(f"{self._folder}/")
            return Verdict(Sureness.SURE, "same module") if near and self.sites.stands_behind(site, b"::") else None
        root, last = receiver[0], receiver[-1]
        if UNKNOWN in receiver or last in ITSELF or last in _ABOVE:
            return None
        if candidate.owner:
            alike = alike_from_the_end(receiver, segments(candidate.one.container))
            agreeing = 2 * LED * alike + self._seen(site, candidate) if candidate.owner == last else 0
            return Verdict(Sureness.SURE, "class named", agreeing) if agreeing else None
        if last not in places_of(candidate.file.path) and self._is_type(site, last, candidate):
            return None
        named = self.sites.importing(root)
        if named or self.sites.naming.folders:
            return self._imports.verdict(named, candidate, root)
        return Verdict(Sureness.SURE, "module named") if last in places_of(candidate.file.path) else None

    def _is_type(self, site: Site, name: str, candidate: Candidate) -> bool:
        """Tells whether the word before a name is a type: what stands outside of all is no member of it."""
        if any(one.kind in HOLDERS and not one.container for one in self._known(candidate.file.path, name)):
            return True
        is_known = not self._families.kinds(name).isdisjoint(TYPES)
        return name[:1].isupper() and (is_known or self.sites.source.endswith(b"::", 0, site.at))

    def _own(self, name: str) -> bool:
        """Tells whether the file defines a name itself, not as a member of something."""
        return name in self._own_names

    @lazy
    def _own_names(self) -> frozenset[str]:
        return frozenset(one.name for one in self.sites.definitions if one.kind not in MEMBERS)


def _is_kept(candidate: Candidate) -> bool:
    """Tells whether the module of a definition keeps it to itself."""
    file, one = candidate
    if one.container or not isinstance(file, IndexedFile):
        return False
    return keeps(file.path, file.source, file.source[one.signature : one.body], one.name)
