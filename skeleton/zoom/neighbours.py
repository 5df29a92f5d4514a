"""Callers, callees and tests of a definition: where code uses its name, and which names it uses itself.

Comments and strings use nothing (`skeleton.zoom.sites`). No types are resolved; what a file imports, the class around a
use and what stands before it rule out homonyms, and each line says how it is known whose the name is
(`skeleton.zoom.certainty`). Where nothing says so, `by name` stands there, and with how many definitions of that name it
might be; of a name that more than a few have, such lines are only counted.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.zoom.certainty import MEMBER_KINDS, Candidate, Candidates, Context, Verdict
from skeleton.zoom.matches import lines_at
from skeleton.zoom.sites import USABLE
from workspace.cancellation import still_wanted
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from skeleton.index.code_index import Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.zoom.sites import Site
    from skeleton.zoom.symbols import SymbolTable

_MOST_HOMONYMS: Final = 4
"""Of a use that may be of more definitions than this, no one is listed: it says nothing about whose it is."""

_MOST_COMPARED: Final = 40
"""Definitions of one name that a use is weighed against."""

_MOST_CHARACTERS: Final = 240
_MOST_LINES: Final = 5
"""Further uses in one caller of which the lines are told."""


class Neighbours(StrEnum):
    """The neighbours that are shown beside a definition."""

    CALLERS = "callers"
    CALLEES = "callees"
    TESTS = "tests"


class Use(NamedTuple):
    """One definition, or the statements of a file outside all, that use another."""

    file: IndexedFile
    user: Definition | None
    places: tuple[int, ...]
    """Where in the file, in bytes."""
    verdict: Verdict
    among: int
    """How many definitions it might be that are used."""


class Used(NamedTuple):
    """A definition that another uses."""

    file: IndexedFile
    one: Definition
    verdict: Verdict
    among: int


def neighbours_of(
    which: Neighbours, file: IndexedFile, one: Definition, table: SymbolTable, progress: Progress | None = None
) -> list[str]:
    """Returns a heading and a line for each neighbour: its place, what stands there, and how it is known.

    Args:
        which: callers, callees, or the callers that are tests.
        file: the file of the definition.
        one: the definition.
        table: the symbols of the folder.
        progress: is told of every file that is read to find callers.
    """
    if which is Neighbours.CALLEES:
        found, unsure = _callees(file, one, table)
        lines = _lines_of_used(found)
    else:
        uses, unsure = _uses(file, one, table, progress, lambda other: _counts(which, other, file))
        lines = _lines_of_uses(uses)
    if unsure:
        lines.append(f"⋮ {unsure}")
    if not lines:
        return [f"=== no {which.value} of {one.path} found"]
    return [f"=== {which.value} of {one.path}", *lines]


def callers(
    file: IndexedFile, one: Definition, table: SymbolTable, progress: Progress | None = None
) -> list[tuple[IndexedFile, Definition]]:
    """Returns the innermost definitions that use a definition.

    Args:
        file: the file of the definition.
        one: the definition.
        table: the symbols of the folder.
        progress: is told of every file that is read for it.

    Returns:
        The callers: tests last; before them those of which it is sure, those of the same file first.
    """
    uses, _ = _uses(file, one, table, progress, lambda _: True)
    return [(use.file, use.user) for use in uses if use.user is not None]


def callees(file: IndexedFile, one: Definition, table: SymbolTable) -> list[tuple[IndexedFile, Definition]]:
    """Returns the definitions that one uses, those first of which it is sure, in the order in which it uses them."""
    return [(used.file, used.one) for used in _callees(file, one, table)[0]]


def _callees(file: IndexedFile, one: Definition, table: SymbolTable) -> tuple[list[Used], str]:
    """The definitions that one uses, and what is to be said of names that say nothing."""
    (here,) = table.sites([file])
    context = Context(file, here, table.known_parts)
    found: dict[tuple[str, int], Used] = {}
    unsure: list[str] = []
    read: dict[str, dict[str, list[Definition]]] = {}
    for name, sites in here.inside(one).items():
        candidates = _candidates(name.decode("utf-8", "replace"), file, table, read)
        others = [each for each in candidates if not _is_same(each.file, each.one, file, one)]
        told = False
        for site in sites if others else ():
            for meant, verdict, among in _verdicts(context, site, candidates):
                if _is_same(meant.file, meant.one, file, one):
                    continue
                if among > _MOST_HOMONYMS:
                    told = True
                    continue
                key = meant.file.path, meant.one.start
                known = found.get(key)
                if known is None or known.verdict.sureness < verdict.sureness:
                    found[key] = Used(meant.file, meant.one, verdict, among)
        if told and not any(used.one.name.encode() == name for used in found.values()):
            unsure.append(name.decode("utf-8", "replace"))
    sure = sorted(found.values(), key=lambda used: -used.verdict.sureness)
    told_of = f"many definitions are called so, and nothing says whose are: {', '.join(unsure[:12])}" if unsure else ""
    return sure, told_of


def _uses(
    file: IndexedFile,
    one: Definition,
    table: SymbolTable,
    progress: Progress | None,
    counts: Callable[[IndexedFile], bool],
) -> tuple[list[Use], str]:
    """The uses of a definition in those files that count, and what is to be said of those that nothing speaks for."""
    word = one.name.encode()
    if not word:
        return [], ""
    others = sorted(
        filter(counts, table.holding(word, progress)),
        key=lambda each: (each.path != file.path, each.tier, each.path),
    )
    candidates = _candidates(one.name, file, table, {})
    if not any(_is_same(each.file, each.one, file, one) for each in candidates):
        candidates = [Candidate(file, one), *candidates]
    candidates = Candidates(candidates)
    found: list[Use] = []
    unsure = 0
    for other, sites in zip(others, table.sites(others), strict=True):
        context = Context(other, sites, table.known_parts)
        users: dict[Definition | None, list[tuple[Site, Verdict, int]]] = {}
        for site in still_wanted(sites.of(word)):
            if site.user is not None and _is_same(other, site.user, file, one):
                continue
            for meant, verdict, among in _verdicts(context, site, candidates):
                if not _is_same(meant.file, meant.one, file, one):
                    continue
                if among > _MOST_HOMONYMS:
                    unsure += 1
                else:
                    users.setdefault(site.user, []).append((site, verdict, among))
        for user, held in users.items():
            _, verdict, among = max(held, key=lambda each: each[1].sureness)
            found.append(Use(other, user, tuple(site.at for site, _, _ in held), verdict, among))
    found.sort(key=lambda use: (use.file.tier is Tier.TESTS, -use.verdict.sureness))
    told = (
        f"{unsure} more lines use the name, and nothing says whose: {len(candidates)} definitions are called {one.name}"
    )
    return found, told if unsure else ""


def _verdicts(
    context: Context, site: Site, candidates: Sequence[Candidate]
) -> Iterator[tuple[Candidate, Verdict, int]]:
    found = context.verdicts(site, candidates)
    for meant, verdict in found:
        yield meant, verdict, len(found) if len(candidates) <= _MOST_COMPARED else len(candidates)


def _by_name(definitions: Sequence[Definition]) -> dict[str, list[Definition]]:
    by_name: dict[str, list[Definition]] = {}
    for one in definitions:
        if one.kind in USABLE:
            by_name.setdefault(one.name, []).append(one)
    return by_name


def _candidates(
    name: str, file: IndexedFile, table: SymbolTable, known: dict[str, dict[str, list[Definition]]]
) -> list[Candidate]:
    """The definitions that a name may mean in code, as many as are worth weighing; tests' own for tests alone.

    What is read of a file for it is kept in `known`.
    """
    holders = sorted(table.usable(name), key=lambda each: (each.path != file.path, each.tier, each.path))
    kept = holders[: _MOST_COMPARED + 1]
    new = [holder for holder in kept if holder.path not in known]
    known |= {holder.path: _by_name(symbols) for holder, symbols in zip(new, table.symbols(new), strict=True)}
    found = [Candidate(holder, one) for holder in kept for one in known[holder.path].get(name, ())]
    if file.tier is not Tier.TESTS:
        found = [each for each in found if each.file.tier is not Tier.TESTS] or found
    return _with_bodies(found)


def _with_bodies(found: list[Candidate]) -> list[Candidate]:
    """The same without declarations of what is defined beside them: a header's, a type's constructor."""
    defined = {
        (each.owner, each.one.kind) for each in found if each.one.body < each.one.end and each.one.kind in USABLE
    }
    typed = {each.one.name for each in found if each.one.kind not in MEMBER_KINDS}
    return [
        each
        for each in found
        if (each.one.body < each.one.end or (each.owner, each.one.kind) not in defined)
        and not (each.one.kind == "constructor" and each.one.name in typed)
    ]


def _counts(which: Neighbours, other: IndexedFile, file: IndexedFile) -> bool:
    """Whether what a file holds is asked for: tests for tests, all but tests for callers, unless the file is one."""
    if which is Neighbours.TESTS:
        return other.tier is Tier.TESTS
    return other.tier is not Tier.TESTS or file.tier is Tier.TESTS


def _is_same(file: IndexedFile, one: Definition, other_file: IndexedFile, other: Definition) -> bool:
    return file.path == other_file.path and one.start == other.start and one.path == other.path


def _lines_of_uses(uses: Sequence[Use]) -> list[str]:
    numbers = iter(lines_at([(use.file, at) for use in uses for at in use.places]))
    lines: list[str] = []
    for use in uses:
        first, *more = dict.fromkeys(next(numbers) for _ in use.places)
        inside = f" in {use.user.path}" if use.user is not None else ""
        others = f" (also {', '.join(map(str, more[:_MOST_LINES]))}{', …' if len(more) > _MOST_LINES else ''})"
        text = _cut(_line_around(use.file.source, use.places[0]))
        lines.append(f"{use.file.path}:{first}{inside}: {text}{others if more else ''} {_how(use.verdict, use.among)}")
    return lines


def _lines_of_used(found: Sequence[Used]) -> list[str]:
    numbers = lines_at([(used.file, used.one.signature) for used in found])
    return [
        f"{used.file.path}:{number} {used.one.path}: "
        f"{_cut(used.file.source[used.one.signature : used.one.body])} {_how(used.verdict, used.among)}"
        for used, number in zip(found, numbers, strict=True)
    ]


def _how(verdict: Verdict, among: int) -> str:
    return f"[{verdict.why}, 1 of {among}]" if among > 1 else f"[{verdict.why}]"


def _line_around(source: bytes, at: int) -> bytes:
    start = source.rfind(b"\n", 0, at) + 1
    end = source.find(b"\n", at)
    return source[max(start, at - _MOST_CHARACTERS // 2) : end if end >= 0 else len(source)]


def _cut(text: bytes) -> str:
    shown = " ".join(text.decode("utf-8", "replace").split())
    return f"{shown[:_MOST_CHARACTERS]}…" if len(shown) > _MOST_CHARACTERS else shown
