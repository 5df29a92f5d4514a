"""Finds callers, callees and tests of a definition: where code uses its name, and which names it uses itself.

Comments and strings use nothing (`skeleton.uses.sites`). No types are resolved; what a file imports, the class around a
use and what stands before it rule out homonyms, and each line says how it is known whose the name is
(`skeleton.uses.certainty`). Where nothing says so, `by name` stands there, and with how many definitions of that name it
might be; of a name that more than a few have, such lines are only counted.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from skeleton.formats import holds_code
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import FIELD, MEMBERS, TYPES, USABLE
from skeleton.names.packages import stands_within
from skeleton.names.targets import last_segment
from skeleton.uses.aliases import default_of
from skeleton.uses.candidates import IMPORTED, MOST_COMPARED, Candidate, Candidates
from skeleton.uses.certainty import Context
from skeleton.uses.families import Families
from skeleton.zoom.asked import EVERYWHERE, IN_TESTS, OUTSIDE_TESTS, Asked, stands_in_test
from skeleton.zoom.askers import MOST_HOMONYMS, Asker, Parts, answer_of, makes_values, verdicts_among
from skeleton.zoom.exports import passed_on
from skeleton.zoom.listing import Use, Used, lines_of_used, lines_of_uses
from workspace.cancellation import still_wanted
from workspace.names.tiers import Tier
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from skeleton.index.code_index import Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Holder
    from skeleton.uses.sites import Site
    from skeleton.zoom.symbols import SymbolTable

    Pair = tuple[IndexedFile, Definition]

_USABLE_OR_HELD: Final = USABLE | {FIELD}
"""The kinds that a field is weighed against: a class has one of a name."""

_ADDRESSED: Final = USABLE | {FIELD, "constant", "module"}
"""The kinds that are used by their addresses, where all is."""

_AT_ONCE: Final = 256
"""Files of which it is looked up together what stands in them."""

_KEPT_BYTES: Final = 32 << 20
"""Of sources that a call keeps because more may be asked of them."""


class Neighbours(StrEnum):
    """The neighbours that are shown beside a definition."""

    CALLERS = "callers"
    CALLEES = "callees"
    TESTS = "tests"


class References:
    """The uses of names in a folder; what was read of its files and found in them is kept while a call lasts.

    Args:
        table: the symbols of the folder.
        progress: is told of every file that is read to find who may use a name.
    """

    def __init__(self, table: SymbolTable, progress: Progress | None = None) -> None:
        self.table = table
        self._progress = progress
        self._contexts: dict[str, Context] = {}
        self._kept_bytes = 0
        self._candidates: dict[tuple[str, bool, str, frozenset[str]], Candidates] = {}
        self._defined: dict[str, dict[str, list[Definition]]] = {}
        self._families = Families(table.holders, table.symbols)
        self._passed: dict[tuple[str, str, str], frozenset[str]] = {}
        self._packages: dict[str, list[str]] = {}

    def callers(self, wanted: Sequence[Pair]) -> list[list[Pair]]:
        """Returns the innermost definitions that use some definitions, for each of them.

        Args:
            wanted: the definitions, each with its file.

        Returns:
            The callers of each: tests last; before them those of which it is sure, those of the same file first.
        """
        found = self.uses([(file, [one]) for file, one in wanted], EVERYWHERE)
        pairs = ([(use.file, use.user) for use in uses if use.user is not None] for uses, _ in found)
        return [[*{(file.path, user.start): (file, user) for file, user in each}.values()] for each in pairs]

    def callees(self, file: IndexedFile, one: Definition) -> list[Pair]:
        """Returns the definitions that one uses, those first of which it is sure, in the order in which it uses them."""
        return [(used.file, used.one) for used in self.used(file, [one])[0]]

    def used(self, file: IndexedFile, ones: Sequence[Definition]) -> tuple[list[Used], str]:
        """The definitions that others use, and what is to be said of names that say nothing.

        Args:
            file: the file of those that use them.
            ones: the parts of one definition: its clauses, its overloads, its signature.
        """
        (context,) = self._contexts_of([file])
        itself = self._parts(file, ones)
        found: dict[tuple[str, int], Used] = {}
        unsure: list[str] = []
        for name, sites in context.sites.inside(itself.ones).items():
            said = name.decode("utf-8", "replace")
            for used in self._behind_alias(context, said, sites):
                found.setdefault((used.file.path, used.one.start), used)
            candidates = self.candidates(said, file)
            others = [each for each in candidates.every if not itself.has(each.file, each.one)]
            told = False
            for site in sites if others else ():
                for meant, verdict, among in verdicts_among(context.verdicts(site, candidates), candidates):
                    if itself.has(meant.file, meant.one):
                        continue
                    if among > MOST_HOMONYMS:
                        told = True
                        continue
                    key = meant.file.path, meant.one.start
                    known = found.get(key)
                    if known is None or known.verdict.sureness < verdict.sureness:
                        found[key] = Used(cast("IndexedFile", meant.file), meant.one, verdict, among)
            if told and not any(used.one.name.encode() == name for used in found.values()):
                unsure.append(name.decode("utf-8", "replace"))
        sure = sorted(found.values(), key=lambda used: -used.verdict.sureness)
        shown = ", ".join(unsure[:12])
        return sure, f"many definitions are called so, and nothing says whose are: {shown}" if unsure else ""

    def _behind_alias(self, context: Context, name: str, sites: Sequence[Site]) -> Iterator[Used]:
        """The definitions that an import of a file gives a name to, which are called otherwise, where it is used so."""
        own = {site.at for site in sites}
        if not (context.sites.behind(name) or any(one.name == name for one in context.sites.by_default)):
            return
        if own.isdisjoint(site.at for site in context.bare(name)):
            return
        for original, words in context.sites.behind(name):
            candidates = self.candidates(original, context.file)
            verdicts = [(one, verdict) for one in candidates.every if (verdict := context.renamed(one, words))]
            most = max((verdict.agreeing for _, verdict in verdicts), default=0)
            found = [(one, verdict) for one, verdict in verdicts if verdict.agreeing == most]
            for meant, verdict in found[:MOST_HOMONYMS]:
                yield Used(cast("IndexedFile", meant.file), meant.one, verdict, len(found))
        for one in (one for one in context.sites.by_default if one.name == name):
            for file in self.table.files_of(one.path, context.file.path):
                meant = default_of(file.source, self.table.symbols([file])[0])
                if meant is not None and meant.name != name:
                    yield Used(file, meant, IMPORTED, 1)

    def uses(
        self,
        wanted: Sequence[tuple[IndexedFile, Sequence[Definition]]],
        asked: Asked,
    ) -> list[tuple[list[Use], str]]:
        """The uses of some definitions where they are asked for, and what is to be said of those that nothing speaks for.

        Every file that holds one of the names is read once.

        Args:
            wanted: the definitions, each with its file and in all its parts: its clauses, its overloads, its signature.
            asked: where.
        """
        askers = [self._askers(self._parts(file, ones)) for file, ones in wanted]
        of_word: dict[str, list[Asker]] = {}
        for asker in chain.from_iterable(askers):
            for word in asker.words:
                of_word.setdefault(word, []).append(asker)
        for context, names in still_wanted(self.holding([*of_word], asked.file)):
            for asker in dict.fromkeys(asker for name in names for asker in of_word[name]):
                asker.look(context, asked)
        return [answer_of(each, file.path) for each, (file, _) in zip(askers, wanted, strict=True)]

    def asked(self, which: Neighbours, file: IndexedFile, one: Definition) -> Asked:
        """The places that are asked for: tests for tests, all but tests for callers, unless the definition is for tests."""
        if which is Neighbours.TESTS:
            return IN_TESTS
        (context,) = self._contexts_of([file])
        return EVERYWHERE if stands_in_test(context, one) else OUTSIDE_TESTS

    def _known(self, path: str, name: str) -> Sequence[Definition]:
        """The definitions of a name in a file, if that was looked into."""
        return self._defined.get(path, {}).get(name, ())

    def _passed_on(self, path: str, here: str, name: str) -> frozenset[str]:
        """The files that define what a module gives out under a name, by the folder of the file that imports it."""
        key = path, here.rpartition("/")[0], name
        if key not in self._passed:
            is_package = path.startswith("@")
            self._passed[key] = self._of_package(path, name) if is_package else passed_on(self.table, path, here, name)
        return self._passed[key]

    def _of_package(self, package: str, name: str) -> frozenset[str]:
        """The files that define a name in a package, where a manifest here says that it is called so: `@fleet/buoy`."""
        if package not in self._packages:
            self._packages[package] = [one.package for one in self.table.behind_package(package)]
        folders = self._packages[package]
        defining = (file.path for file in self.table.holders(name)) if folders else ()
        return frozenset(path for path in defining if any(stands_within(path, folder) for folder in folders))

    def _parts(self, file: IndexedFile, ones: Sequence[Definition]) -> Parts:
        """Puts the parts of a definition together; for signatures apart from it (a type, a prototype) it stands itself."""
        coded = _with_code(ones)
        if not coded or naming_of(file.path, b"").clauses:
            every = self._by_name(file).get(ones[0].name, ())
            ones = [one for one in every if (one.path, one.kind) == (ones[0].path, ones[0].kind)] or ones
            coded = coded or _with_code(ones)
        return Parts(file, ones, sorted(coded or ones, key=lambda one: one.start))

    def _by_name(self, file: IndexedFile) -> dict[str, list[Definition]]:
        """The definitions of a file that code can use."""
        if file.path not in self._defined:
            (symbols,) = self.table.symbols([file])
            self._defined[file.path] = _by_name(symbols)
        return self._defined[file.path]

    def _askers(self, parts: Parts) -> list[Asker]:
        """Asks for the uses of a definition; of what makes values of a type, for those of the type that make one, too."""
        file, one = parts.file, parts.ones[0]
        types = self._by_name(file).get(last_segment(one.container), ()) if makes_values(one) else ()
        of_type = [each for each in types if each.path == one.container and each.kind in TYPES][:1]
        if not of_type:
            return [self._asker(parts)]
        candidates = self.candidates(of_type[0].name, file, of_type[0])
        made = Asker(Parts(file, of_type, of_type), candidates, self._families, makes=True)
        return [made] if one.name == of_type[0].name else [self._asker(parts), made]

    def _asker(self, parts: Parts) -> Asker:
        """Asks for the uses of a definition, which is among what its name may mean in any case."""
        one = parts.ones[0]
        candidates = self.candidates(one.name, parts.file, one if one.kind == FIELD else None)
        if not any(parts.has(each.file, each.one) for each in candidates.every):
            candidates = self.candidates(candidates.name, parts.file, parts.ones[0])
        return Asker(parts, candidates, self._families)

    def holding(
        self, names: Sequence[str], counts: Callable[[IndexedFile], bool]
    ) -> Iterator[tuple[Context, list[str]]]:
        """Gives each file that counts and may hold some names as words, with those names.

        Args:
            names: the names; an empty one is held by none.
            counts: whether a file is one that counts.
        """
        files: dict[str, IndexedFile] = {}
        held: dict[str, list[str]] = {}
        for name in filter(None, names):
            for file in filter(counts, self.table.holding(name.encode(), self._progress)):
                files.setdefault(file.path, file)
                held.setdefault(file.path, []).append(name)
        for context in self._contexts_of([*files.values()]):
            yield context, held[context.file.path]

    def _contexts_of(self, files: Sequence[IndexedFile]) -> Iterator[Context]:
        """Files, each ready to be asked whose the names in it are; as many stay so as a call may keep."""
        new = [file for file in files if file.path not in self._contexts]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            for file, sites in zip(some, self.table.sites(some), strict=True):
                context = Context(file, sites, self.table.known_parts, self._known, self._families, self._passed_on)
                if self._kept_bytes + len(sites.source) <= _KEPT_BYTES:
                    self._kept_bytes += len(sites.source)
                    self._contexts[file.path] = context
                yield context
        taken = {file.path for file in new}
        yield from [self._contexts[file.path] for file in files if file.path not in taken]

    def candidates(self, name: str, file: Holder, one: Definition | None = None) -> Candidates:
        """The definitions that a name may mean in a file.

        Args:
            name: the name.
            file: the file.
            one: a definition of that name in the file, which is among them in any case.
        """
        by_address = bool(naming_of(file.path, b"").addresses)
        kinds = _ADDRESSED if by_address else USABLE if one is None or one.kind != FIELD else _USABLE_OR_HELD
        holders = self.table.usable(name) if kinds is USABLE else self.table.holders(last_segment(name))
        of_file = file.path if len(holders) > MOST_COMPARED else ""
        key = name, file.tier is Tier.TESTS, of_file, kinds
        if key not in self._candidates:
            meant = self._meant_by(name, file, holders, kinds)
            self._candidates[key] = Candidates(name, meant[: MOST_COMPARED + 1], len(meant))
        found = self._candidates[key]
        if one is None or any(_is_same(each.file, each.one, file, one) for each in found.every):
            return found
        return Candidates(name, [Candidate(file, one), *found.every], found.count)

    def _meant_by(
        self, name: str, file: Holder, holders: Sequence[IndexedFile], kinds: frozenset[str]
    ) -> list[Candidate]:
        """The definitions that a name may mean in code, as many as are worth weighing; tests' own for tests alone."""
        nearest = sorted(holders, key=lambda each: (each.path != file.path, each.tier, each.path))
        kept = nearest[: MOST_COMPARED + 1]
        new = [holder for holder in kept if holder.path not in self._defined]
        for holder, symbols in zip(new, self.table.symbols(new), strict=True):
            self._defined[holder.path] = _by_name(symbols)
        named = ((holder, one) for holder in kept for one in self._defined[holder.path].get(name, ()))
        found = [Candidate(holder, one) for holder, one in named if one.kind in kinds]
        if file.tier is not Tier.TESTS:
            found = [each for each in found if each.file.tier is not Tier.TESTS] or found
        return self._without_clauses(_with_bodies(found))

    def _without_clauses(self, found: Sequence[Candidate]) -> list[Candidate]:
        """The same with the first of the clauses of each definition, or its type; the others say nothing more."""
        kept: dict[Candidate, None] = {}
        for file, one in found:
            same = (
                each for each in self._defined[file.path][one.name] if (each.path, each.kind) == (one.path, one.kind)
            )
            kept[Candidate(file, next(same) if naming_of(file.path, b"").clauses else one)] = None
        return [*kept]


def neighbours_of(which: Neighbours, found: Sequence[Pair], references: References) -> list[str]:
    """Returns a heading and a line for each neighbour: its place, what stands there, and how it is known.

    Args:
        which: callers, callees, or the callers that are tests.
        found: what a target names. Those in one file with the same qualified name are one in other words.
        references: the uses of names in its folder.
    """
    parts: dict[tuple[str, str], list[Pair]] = {}
    for file, one in found:
        parts.setdefault((file.path, one.path), []).append((file, one))
    told: set[str] = set()
    lines: list[str] = []
    for pairs in parts.values():
        heading, *uses = _beside_one(which, pairs, references)
        new = [one for one in uses if which is Neighbours.CALLEES or one.rpartition(" [")[0] not in told]
        told.update(one.rpartition(" [")[0] for one in uses if one.endswith("]"))
        above = len(uses) - len(new)
        lines += [f"{heading}: {above} of those above" if above else heading, *new]
    return lines


def _beside_one(which: Neighbours, pairs: Sequence[Pair], references: References) -> list[str]:
    """The same of one definition in all its words."""
    file, one = pairs[0]
    if holds_code(file.path):
        return [f"=== {which.value} of {one.path} not looked for: the calls in a notebook are not read"]
    ones = [each for _, each in pairs]
    if which is Neighbours.CALLEES:
        used, unsure = references.used(file, ones)
        lines = lines_of_used(used)
    else:
        ((uses, unsure),) = references.uses([(file, ones)], references.asked(which, file, one))
        lines = lines_of_uses(uses)
    if unsure:
        lines.append(f"⋮ {unsure}")
    if not lines:
        is_partly = one.kind not in USABLE and one.kind != FIELD and which is not Neighbours.CALLEES
        only = ": only what is sure to mean it was looked for" if is_partly else ""
        in_tests = _in_tests(which, file, ones, references)
        return [f"=== no {which.value} of {one.path} found{in_tests}{only}"]
    return [f"=== {which.value} of {one.path}", *lines]


def _in_tests(which: Neighbours, file: IndexedFile, ones: Sequence[Definition], references: References) -> str:
    """The number of places in tests that use what nothing else does; "" for none, or where another question was asked."""
    if which is not Neighbours.CALLERS:
        return ""
    ((uses, unsure),) = references.uses([(file, ones)], IN_TESTS)
    count = sum(len(use.places) for use in uses)
    if not count:
        return f" outside of tests, where {unsure}" if unsure else ""
    return f" outside of tests; {number_of(count, 'place')} in tests: context tests"


def _by_name(definitions: Sequence[Definition]) -> dict[str, list[Definition]]:
    by_name: dict[str, list[Definition]] = {}
    for one in definitions:
        if one.kind in _ADDRESSED:
            by_name.setdefault(one.name, []).append(one)
    return by_name


def _with_bodies(found: list[Candidate]) -> list[Candidate]:
    """The same without declarations of what is defined beside them: a header's, a type's constructor."""
    defined = {
        (each.owner, each.one.kind) for each in found if each.one.body < each.one.end and each.one.kind in USABLE
    }
    typed = {each.one.name for each in found if each.one.kind not in MEMBERS}
    return [
        each
        for each in found
        if (each.one.body < each.one.end or (each.owner, each.one.kind) not in defined)
        and not (each.one.kind == "constructor" and each.one.name in typed)
    ]


def _with_code(ones: Sequence[Definition]) -> list[Definition]:
    return [one for one in ones if one.body < one.end]


def _is_same(file: Holder, one: Definition, other_file: Holder, other: Definition) -> bool:
    return file.path == other_file.path and one.start == other.start and one.path == other.path
