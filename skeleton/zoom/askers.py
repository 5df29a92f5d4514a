"""Asks one file after another where a definition is used, and puts together what was found.

Of what makes a value of a type (`__init__`, `constructor`, what is called like its class) the type is asked for: code
makes a value by that name.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from skeleton.names.targets import segments, stem
from skeleton.uses.aliases import is_given_by_default, leads_to
from skeleton.uses.candidates import IMPORTED, MOST_COMPARED, Candidate, Candidates, Meant, Sureness, Verdict
from skeleton.zoom.listing import Use
from workspace.names.tiers import Tier
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.uses.candidates import Holder
    from skeleton.uses.certainty import Context
    from skeleton.uses.families import Families
    from skeleton.uses.sites import Site
    from skeleton.zoom.asked import Asked

MOST_HOMONYMS: Final = 4
"""Of a use that may be of more definitions than this, no one is listed: it says nothing about whose it is."""

_MOST_STANDING: Final = 8
"""Of a use of an interface that more definitions than this may stand for, no one is listed."""

_ABOVE_ITSELF: Final = frozenset([("super",), ("base",), ("parent",)])
"""Receivers whose member is the base's own: no other stands for it."""

_OR_ANOTHER: Final = ", this overload or another"
"""Said of a use that may mean an overload which is not asked for, too."""

_WEIGHED: Final = frozenset(["imported", "module named"])
"""Reasons that say how well a definition fits, and nothing where others are not looked at."""

_MAKERS: Final = frozenset(["__construct", "__init__", "__new__", "constructor", "init", "initialize"])
"""Names of what makes a value, where code calls the type for that."""

_MAKES_BEFORE: Final = re.compile(rb"\bnew\s+(?:[\w\\]+(?:\.|::|\\))*\Z|\bmake_(?:shared|unique)<\s*(?:\w+::)*\Z")
_WINDOW: Final = 100
"""Bytes before a name in which that is said."""

_MAKES_BEHIND: Final = re.compile(rb"\.new\b")


def makes_values(one: Definition) -> bool:
    """Tells whether a definition runs where a value of its type is made."""
    if not one.container or one.kind not in {"constructor", "method"}:
        return False
    return one.name in _MAKERS or (one.kind == "constructor" and one.name == segments(one.container)[-1])


class Parts:
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


class Asker:
    """A definition whose uses are looked for, file by file.

    Args:
        parts: it.
        candidates: the definitions that its name may mean.
        families: which types inherit from which.
        makes: whether those uses of a type alone are asked for that make a value of it.
    """

    def __init__(self, parts: Parts, candidates: Candidates, families: Families, *, makes: bool = False) -> None:
        self.name = parts.ones[0].name
        self._parts = parts
        self._makes = makes
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
        users: dict[tuple[Definition | None, bool, bool], list[tuple[Site, Verdict, int]]] = {}
        for site, found in (*context.meant(self._candidates), *self._taken_by_default(context)):
            if self._makes and not self._is_made(context.sites.source, site):
                continue
            if (site.user is not None and self._parts.has(context.file, site.user)) or not asked.place(context, site):
                continue
            own = [
                (verdict, among)
                for meant, verdict, among in verdicts_among(found, self._candidates)
                if self._parts.has(meant.file, meant.one)
            ]
            if own and context.sites.naming.overloads and self._is_other_overload(found):
                own = [(own[0][0]._replace(why=f"{own[0][0].why}{_OR_ANOTHER}"), own[0][1])]
            for verdict, among in own[:1] or self._through(site, found):
                others = among - 1
                if own and others >= MOST_HOMONYMS:
                    self._unsure += 1
                else:
                    said = verdict.sureness is Sureness.BY_NAME, verdict.why.endswith(_OR_ANOTHER)
                    users.setdefault((site.user, *said), []).append((site, verdict, others + 1))
        for (user, _, _), held in users.items():
            _, verdict, among = max(held, key=lambda each: each[1].sureness)
            self._found.append(Use(context.file, user, tuple(site.at for site, _, _ in held), verdict, among))

    def _is_other_overload(self, found: Sequence[tuple[Candidate, Verdict]]) -> bool:
        """Tells whether a use may mean another definition of the same qualified name, which is not asked for."""
        file, one = self._parts.file, self._parts.ones[0]
        return any(
            each.file.path == file.path and each.one.path == one.path and not self._parts.has(each.file, each.one)
            for each, _ in found
        )

    def _is_made(self, source: bytes, site: Site) -> bool:
        """Tells whether a value is made where the name of a type stands."""
        before = _MAKES_BEFORE.search(source, max(0, site.at - _WINDOW), site.at)
        behind = _MAKES_BEHIND.match(source, site.at + len(self.name.encode()))
        return site.called or before is not None or behind is not None

    def _through(self, site: Site, found: Sequence[tuple[Candidate, Verdict]]) -> Iterator[tuple[Verdict, int]]:
        """Of a use of what another type says of a member that this one may stand for: an interface, a base.

        Yields:
            The verdict, and how many may; nothing where they are so many that the use says little: that is counted.
        """
        for above, verdict in found:
            is_told = verdict.sureness > Sureness.BY_NAME and site.receiver[-1:] not in _ABOVE_ITSELF
            every = self._standing_for(above) if is_told else []
            every = [one for one in every if self._may_be_one_of(one, verdict.types, above)]
            if not any(self._parts.has(one.file, one.one) for one in every):
                continue
            if len(every) > _MOST_STANDING:
                self._above[above.one.path] += 1
            else:
                yield Verdict(Sureness.LIKELY, f"through {above.owner}"), len(every)
            return

    def _may_be_one_of(self, one: Candidate, types: Collection[str], above: Candidate) -> bool:
        """Tells whether a value of some types may be of the type of a member: no sibling of theirs is."""
        over = self._families.above(one.owner)
        return not types or above.owner not in over or any(each == one.owner or each in over for each in types)

    def _standing_for(self, above: Candidate) -> list[Candidate]:
        if above not in self._standing:
            every = self._candidates.every
            self._standing[above] = [one for one in every if self._families.stands_for(one, above)]
        return self._standing[above]

    def answer(self) -> tuple[list[Use], list[str]]:
        """The uses that were found, and what is said of the others."""
        told = [f"{count} more use {path}, which many types have of their own" for path, count in self._above.items()]
        if self._unsure:
            told.append(
                f"{number_of(self._unsure, 'more line')} {'uses' if self._unsure == 1 else 'use'} the name, and nothing says whose: "
                f"{self._candidates.count} definitions are called {self.name}"
            )
        return self._found, told


def answer_of(askers: Sequence[Asker], path: str) -> tuple[list[Use], str]:
    """The uses that some found of one definition: of its own file first, then tier by tier, the nearest first; and what is said of the others.

    Args:
        askers: those that asked for it.
        path: its file.
    """
    answers = [asker.answer() for asker in askers]
    found = [use for uses, _ in answers for use in uses]
    found.sort(
        key=lambda use: (
            *(use.file.tier is Tier.TESTS, -use.verdict.sureness),
            *(use.file.path != path, use.file.tier, -_folders_shared(use.file.path, path), use.file.path),
        )
    )
    return found, "\n⋮ ".join(line for _, told in answers for line in told)


def _folders_shared(one: str, other: str) -> int:
    """The number of folders that two files both lie in: those of one package have more of them in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def verdicts_among(
    found: Sequence[tuple[Candidate, Verdict]], candidates: Candidates
) -> Iterator[tuple[Candidate, Verdict, int]]:
    """The definitions that a use may mean, each with the verdict on it and the number of those that may be meant.

    A name that many types have says nothing, whichever of them have it for themselves alone.
    """
    are_all = len(candidates.every) <= MOST_COMPARED
    places = {(meant.file.path, meant.one.path) for meant, _ in found}  # overloads are one
    count = len(places)
    if found and found[0][1].sureness is Sureness.BY_NAME:
        places.update((each.file.path, each.one.path) for each in candidates.every if each.is_of_type_alone)
        count = len(places) if len(places) > MOST_HOMONYMS else count
    for meant, verdict in found:
        is_known = are_all or (verdict.sureness is Sureness.SURE and verdict.why not in _WEIGHED)
        yield meant, verdict, count if is_known else candidates.count
