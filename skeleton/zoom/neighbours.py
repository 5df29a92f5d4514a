"""Finds callers, callees and tests of a definition: where code uses its name, and which names it uses itself.

Comments and strings use nothing (`skeleton.uses.sites`). No types are resolved; what a file imports, the class around a
use and what stands before it rule out homonyms, and each line says how it is known whose the name is
(`skeleton.uses.certainty`). Where nothing says so, `by name` stands there, and with how many definitions of that name it
might be; of a name that more than a few have, such lines are only counted.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Final, cast

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import FIELD, MEMBERS, USABLE
from skeleton.names.targets import last_segment, stem
from skeleton.uses.aliases import default_of, is_given_by_default, leads_to
from skeleton.uses.candidates import IMPORTED, MOST_COMPARED, Candidate, Candidates, Meant, Sureness, Verdict
from skeleton.uses.certainty import Context
from skeleton.uses.families import Families
from skeleton.zoom.asked import EVERYWHERE, IN_TESTS, OUTSIDE_TESTS, Asked, stands_in_test
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

_MOST_HOMONYMS: Final = 4
"""Of a use that may be of more definitions than this, no one is listed: it says nothing about whose it is."""

_MOST_STANDING: Final = 8
"""Of a use of an interface that more definitions than this may stand for, no one is listed."""

_ABOVE_ITSELF: Final = frozenset([("super",), ("base",), ("parent",)])
"""Receivers whose member is the base's own: no other stands for it."""

_WEIGHED: Final = frozenset(["imported", "module named"])
"""Reasons that say how well a definition fits, and nothing where others are not looked at."""

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
                for meant, verdict, among in _verdicts(context.verdicts(site, candidates), candidates):
                    if itself.has(meant.file, meant.one):
                        continue
                    if among > _MOST_HOMONYMS:
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
            for meant, verdict in found[:_MOST_HOMONYMS]:
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
        askers = [self._asker(self._parts(file, ones)) for file, ones in wanted]
        of_word: dict[str, list[_Asker]] = {}
        for asker in askers:
            for word in asker.words:
                of_word.setdefault(word, []).append(asker)
        for context, names in still_wanted(self.holding([*of_word], asked.file)):
            for asker in dict.fromkeys(asker for name in names for asker in of_word[name]):
                asker.look(context, asked)
        return [asker.answer() for asker in askers]

    def asked(self, which: Neighbours, file: IndexedFile, one: Definition) -> Asked:
        """The places that are asked for: tests for tests, all but tests for callers, unless the definition is for tests."""
        if which is Neighbours.TESTS:
            return IN_TESTS
        (context,) = self._contexts_of([file])
        return EVERYWHERE if stands_in_test(context, one) else OUTSIDE_TESTS

    def _known(self, path: str, name: str) -> Sequence[Definition]:
        """The definitions of a name in a file, if that was looked into."""
        return self._defined.get(path, {}).get(name, ())

    def _parts(self, file: IndexedFile, ones: Sequence[Definition]) -> _Parts:
        """Puts the parts of a definition together; for signatures apart from it (a type, a prototype) it stands itself."""
        coded = _with_code(ones)
        if not coded or naming_of(file.path, b"").clauses:
            every = self._by_name(file).get(ones[0].name, ())
            ones = [one for one in every if (one.path, one.kind) == (ones[0].path, ones[0].kind)] or ones
            coded = coded or _with_code(ones)
        return _Parts(file, ones, sorted(coded or ones, key=lambda one: one.start))

    def _by_name(self, file: IndexedFile) -> dict[str, list[Definition]]:
        """The definitions of a file that code can use."""
        if file.path not in self._defined:
            (symbols,) = self.table.symbols([file])
            self._defined[file.path] = _by_name(symbols)
        return self._defined[file.path]

    def _asker(self, parts: _Parts) -> _Asker:
        """Asks for the uses of a definition, which is among what its name may mean in any case."""
        one = parts.ones[0]
        candidates = self.candidates(one.name, parts.file, one if one.kind == FIELD else None)
        if not any(parts.has(each.file, each.one) for each in candidates.every):
            candidates = self.candidates(candidates.name, parts.file, parts.ones[0])
        return _Asker(parts, candidates, self._families)

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
                context = Context(file, sites, self.table.known_parts, self._known, self._families)
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


class _Parts:
    """The parts of one definition, all in one file and of one qualified name: its clauses, its overloads, its signature.

    Args:
        file: the file.
        ones: the parts that are asked about.
        coded: what they stand for, by position: those of its parts that hold code, if there are any.
    """

    def __init__(self, file: IndexedFile, ones: Sequence[Definition], coded: Sequence[Definition]) -> None:
        self.file = file
        self.ones = coded
        self._starts = frozenset(one.start for one in (*ones, *coded))

    def has(self, file: Holder, one: Definition) -> bool:
        """Tells whether a definition is one of them."""
        return one.start in self._starts and file.path == self.file.path and one.path == self.ones[0].path


class _Asker:
    """A definition whose uses are looked for, file by file."""

    def __init__(self, parts: _Parts, candidates: Candidates, families: Families) -> None:
        self.name = parts.ones[0].name
        self._parts = parts
        one = parts.ones[0]
        self._is_default = is_given_by_default(parts.file.source, one)
        """Imports may call it as they like."""
        self._candidates = candidates
        self._found: list[Use] = []
        self._unsure = 0
        self._families = families
        self._standing: dict[Candidate, list[Candidate]] = {}
        self._above: Counter[str] = Counter()

    @property
    def words(self) -> list[str]:
        """The words one of which every file holds that uses it: its name, or that of its module."""
        of_module = stem(self._parts.file.path)[-1:] if self._is_default else ()
        return [*dict.fromkeys((self.name, *of_module))]

    def _taken_by_default(self, context: Context) -> list[Meant]:
        """The uses in a file that imports it under another name, as what its module gives out."""
        file, one = self._parts.file, self._parts.ones[0]
        taken = context.sites.by_default if self._is_default else ()
        names = {by.name for by in taken if leads_to(by.path, context.file.path, file.path)} - {self.name}
        return [Meant(site, [(Candidate(file, one), IMPORTED)]) for name in names for site in context.bare(name)]

    def look(self, context: Context, asked: Asked) -> None:
        """Looks for uses in a file, in those places of it that are asked for."""
        users: dict[tuple[Definition | None, bool], list[tuple[Site, Verdict, int]]] = {}
        for site, found in (*context.meant(self._candidates), *self._taken_by_default(context)):
            if (site.user is not None and self._parts.has(context.file, site.user)) or not asked.place(context, site):
                continue
            own = [
                (verdict, among)
                for meant, verdict, among in _verdicts(found, self._candidates)
                if self._parts.has(meant.file, meant.one)
            ]
            for verdict, among in own[:1] or self._through(site, found):
                others = among - 1
                if own and others >= _MOST_HOMONYMS:
                    self._unsure += 1
                else:
                    by_name = verdict.sureness is Sureness.BY_NAME
                    users.setdefault((site.user, by_name), []).append((site, verdict, others + 1))
        for (user, _), held in users.items():
            _, verdict, among = max(held, key=lambda each: each[1].sureness)
            self._found.append(Use(context.file, user, tuple(site.at for site, _, _ in held), verdict, among))

    def _through(self, site: Site, found: Sequence[tuple[Candidate, Verdict]]) -> Iterator[tuple[Verdict, int]]:
        """Of a use of what another type says of a member that this one may stand for: an interface, a base.

        Yields:
            The verdict, and how many may; nothing where they are so many that the use says little: that is counted.
        """
        for above, verdict in found:
            is_told = verdict.sureness > Sureness.BY_NAME and site.receiver[-1:] not in _ABOVE_ITSELF
            every = self._standing_for(above) if is_told else []
            if not any(self._parts.has(one.file, one.one) for one in every):
                continue
            if len(every) > _MOST_STANDING:
                self._above[above.one.path] += 1
            else:
                yield Verdict(Sureness.LIKELY, f"through {above.owner}"), len(every)
            return

    def _standing_for(self, above: Candidate) -> list[Candidate]:
        if above not in self._standing:
            every = self._candidates.every
            self._standing[above] = [one for one in every if self._families.stands_for(one, above)]
        return self._standing[above]

    def answer(self) -> tuple[list[Use], str]:
        """The uses that were found: of the same file first, then tier by tier; and what is said of the others."""
        own = self._parts.file.path
        self._found.sort(
            key=lambda use: (
                *(use.file.tier is Tier.TESTS, -use.verdict.sureness),
                *(use.file.path != own, use.file.tier, use.file.path),
            )
        )
        told = [f"{count} more use {path}, which many types have of their own" for path, count in self._above.items()]
        if self._unsure:
            told.append(
                f"{number_of(self._unsure, 'more line')} {'uses' if self._unsure == 1 else 'use'} the name, and nothing says whose: "
                f"{self._candidates.count} definitions are called {self.name}"
            )
        return self._found, "\n⋮ ".join(told)


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


def _verdicts(
    found: Sequence[tuple[Candidate, Verdict]], candidates: Candidates
) -> Iterator[tuple[Candidate, Verdict, int]]:
    are_all = len(candidates.every) <= MOST_COMPARED
    count = len({(meant.file.path, meant.one.path) for meant, _ in found})  # overloads are one
    for meant, verdict in found:
        is_known = are_all or (verdict.sureness is Sureness.SURE and verdict.why not in _WEIGHED)
        yield meant, verdict, count if is_known else candidates.count


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
