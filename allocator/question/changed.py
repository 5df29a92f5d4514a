"""Orders the parts that a diff touches as a reader of the diff wants them.

    changed     every changed definition whole, with the lines that went where they stood; of what is larger than most, of
                one of which only the doc or comments changed, and outside of definitions, the lines that changed; what a
                query is about first, of code before tests, the most changed first; of new files of tests the signatures
    left over   what still names a definition that is gone, line by line, with the signatures around: `[STILL-NAMES:gone]`
    callers     signatures of what uses a definition whose signature changed
    tests       signatures of the tests that name a changed definition
    near        of what is larger than most, more lines around those that changed
    new tests   the definitions of new files of tests whole
    later       the whole of what is larger than most, the lines nearest to a change first, and of what has other docs and
                comments alone, the smaller first

Then there is nothing more. What no person writes (lock files, vendored and generated ones) and what cannot be shown is
told by name. A definition that is not there any more stands in the header: `[REMOVED:gone]`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple, cast

from allocator.question.around import MOST_CALLERS, MOST_TESTS, Aim, aim_at, is_of_tests, references_of, users
from allocator.show.call_files import known_files
from allocator.show.elision import NAMED, UNLISTED
from allocator.show.views import Edit
from allocator.spend.steps import Kind, Wish
from skeleton.languages.headers import comment_start_of
from skeleton.languages.kinds import USABLE
from skeleton.uses.remarks import Remarks
from skeleton.zoom.leftovers import GoneFile, left_over
from skeleton.zoom.matches import lines_at
from workspace.git.diff import ChangeKind
from workspace.names.tiers import Tier, is_written_by_hand, tier_of
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from allocator.show.views import FileViews
    from skeleton import Definition
    from skeleton.index.indexed import IndexedFile
    from skeleton.zoom.leftovers import LeftOver
    from skeleton.zoom.symbols import SymbolTable
    from workspace.git.diff import Change

    Before = tuple[bytes, tuple[Definition, ...]]
    """The earlier content of a file, and every definition that it held."""

LARGE = 1200
"""Tokens above which a definition, or a file without any, is not shown before the lines of it that changed."""

CONTEXT = 2
"""Unchanged lines that are shown on either side of a line that changed, where what it belongs to is not shown whole."""

NEAR = 20
"""Likewise, where there is more room."""

MOST_REMOVED = 24
"""Lines that went in one place which are shown; more are counted."""

MOST_COMPARED = 400
"""Files of which it is looked up what they said before."""

MOST_GONE = 60
"""Definitions that are gone of which it is looked up what still names them."""

MOST_LEFT_OVER = 12
"""Lines of one file that are shown because they name what is gone."""

MOST_ASKED = 30
"""Changed definitions whose users are looked for."""

_WORD = re.compile(r"\w+")
_ORDER = (Tier.CORE, Tier.TESTS, Tier.CONFIG, Tier.OTHER)


FIRST, CLOSE, NEW_TESTS, LATER = range(4)
"""The stages of what is shown of a diff; what is left over, callers and tests come behind the first."""


class Changed(NamedTuple):
    """The outcome of a diff: wishes, and what is told by name alone.

    Attributes:
        wishes: what is to be shown, in order.
        by_name: what is told by name alone: paths, each with what became of it.
        gone: the paths of deleted files, each with the mark that names what it defined.
    """

    wishes: list[Wish]
    by_name: list[str]
    gone: dict[str, str]


class _Part(NamedTuple):
    """A definition or a stretch that changed."""

    order: int
    amount: int
    file: int
    place: int
    """In the outline; -1 for the whole file, less for what is only an edit."""
    edit: int
    """Among the edits of its file, or -1."""
    stage: int
    """`FIRST`, or one of those behind it."""
    tokens: int = 0


def changed(
    diff: Sequence[Change],
    files: Sequence[FileViews],
    symbols: Callable[[], SymbolTable],
    before: Callable[[Sequence[Change]], Mapping[str, Before]],
    need: Callable[[int, int], float] | None = None,
) -> Changed:
    """Reads a diff, and has the files know what changed in them.

    Args:
        diff: the files that changed.
        files: those of the call; those that changed get their marks and edits.
        symbols: gives their symbols.
        before: gives what some files were, by the paths that they have now.
        need: gives how much a query is about a definition, by the place of its file and its own in the outline, or -1;
            None without one.
    """
    if not diff:
        return Changed([], [], {})
    places = {file.path: number for number, file in enumerate(known_files(files))}
    by_name: list[str] = []
    shown: list[tuple[int, Change]] = []
    for change in diff:
        number = places.get(change.path)
        if number is not None and is_written_by_hand(change.path) and not _is_made(files[number]):
            shown.append((number, change))
        elif change.kind is not ChangeKind.DELETED:
            by_name.append(f"{change.path} {_mark(change)}")
    known = before([change for change in diff if change.old][:MOST_COMPARED])
    parts = [part for number, change in shown for part in _parts(files, number, change, known.get(change.path))]
    asked = {(part.file, part.place): need(part.file, part.place) if need is not None else 0.0 for part in parts}
    parts.sort(
        key=lambda part: (
            -asked[part.file, part.place] / 2**part.order,
            part.order,
            -part.amount,
            part.file,
            part.place,
            part.edit,
        )
    )
    aims = dict.fromkeys(Aim(part.file, part.place) for part in parts if part.place >= 0)
    deleted = [change.path for change in diff if change.kind is ChangeKind.DELETED]
    went = {path: _gone(known[path], None) for path in deleted if path in known}
    gone = {path: _removed_mark(went.get(path, ())) for path in deleted}
    went |= {
        files[number].path: _gone(known[change.path], files[number]) for number, change in shown if change.path in known
    }
    stages = [[part for part in parts if part.stage == stage] for stage in range(LATER + 1)]
    new_tests = [part for part in stages[NEW_TESTS] if part.place >= 0]
    later = sorted(stages[LATER], key=lambda part: (part.tokens, part.file, part.place, part.edit < 0))
    wishes = [
        *(wish for part in stages[FIRST] for wish in _wishes(part, files)),
        *(Wish(part.file, part.place, Kind.SIGNATURE) for part in new_tests),
        *_left_over(went, files, symbols),
        *_used(list(aims), shown, files, known, symbols),
        *(wish for part in (*stages[CLOSE], *stages[NEW_TESTS], *later) for wish in _wishes(part, files)),
    ]
    return Changed(list(dict.fromkeys(wishes)), by_name, gone)


def _left_over(
    went: Mapping[str, Sequence[Definition]], files: Sequence[FileViews], symbols: Callable[[], SymbolTable]
) -> list[Wish]:
    """Returns wishes for what still names definitions that are gone, file by file, and marks it in the files."""
    held = [(GoneFile(path, tier_of(path)), one) for path, ones in went.items() for one in ones]
    gone = [(file, one) for file, one in held if file.tier is not Tier.TESTS and is_written_by_hand(file.path)]
    found = left_over(gone[:MOST_GONE], references_of(symbols())) if gone else []
    places = {file.path: number for number, file in enumerate(known_files(files))} if found else {}
    by_file: dict[int, list[LeftOver]] = {}
    for one in found:
        if one.file.path in places:
            by_file.setdefault(places[one.file.path], []).append(one)
    wishes: list[Wish] = []
    for number in sorted(by_file, key=lambda number: (files[number].tier, files[number].path)):
        file, held_here = files[number], sorted(by_file[number], key=lambda one: one.at)[:MOST_LEFT_OVER]
        lines = frozenset(lines_at([(one.file, one.at) for one in held_here]))
        users = dict.fromkeys(aim_at(files, number, one.user) for one in held_here if one.user is not None)
        wishes += [Wish(number, aim.place, Kind.SIGNATURE) for aim in users if aim.place >= 0]
        wishes.append(Wish(number, len(file.edits), Kind.LINES, len(lines)))
        file.edits = [*file.edits, Edit(lines=lines, gaps=frozenset())]
        named = dict.fromkeys(one.gone.path for one in held_here)
        file.notes = (*file.notes, _mark_of("STILL-NAMES", [*named]))
    return wishes


def _is_made(file: FileViews) -> bool:
    return file.file.basics.machine_made


def _mark(change: Change) -> str:
    if not change.amount:
        return f"[{change.kind}]"
    return f"[{change.kind}] [+{change.came} -{change.amount - change.came}]"


def _parts(files: Sequence[FileViews], number: int, change: Change, known: Before | None) -> list[_Part]:
    """Returns the parts of a file that changed, and marks them in the file."""
    file = files[number]
    units = [place for place, unit in enumerate(file.weights.unit) if unit == place]
    if change.kind is ChangeKind.NEW:
        full, whole = file.weights.full, file.weights.tokens[0]
        begun = NEW_TESTS if file.tier is Tier.TESTS and whole > LARGE else FIRST
        inside = [
            _Part(
                _order(file, one),
                file.weights.full_lines[one],
                number,
                one,
                -1,
                LATER if full[one] > LARGE else begun,
                full[one],
            )
            for one in units
        ]
        every = _Part(_order(file, -1), len(file.lines), number, -1, -1, LATER if whole > LARGE else FIRST, whole)
        return [one for one in inside if not _holds_others(file, one.place)] + [every]
    lines = known[0].decode("utf-8", "replace").split("\n") if known is not None else []
    removed: dict[int, tuple[str, ...]] = {}
    for one in change.removed:
        went = _stripped(lines[one.first - 1 : one.first - 1 + one.lines])
        more = (f"{number_of(len(went) - MOST_REMOVED, 'more line')} went",) if len(went) > MOST_REMOVED else ()
        removed[one.before] = (*removed.get(one.before, ()), *went[:MOST_REMOVED], *more)
    file.removed = {**file.removed, **removed}
    gone = _removed_mark(_gone(known, file)) if known is not None else ""
    old = f":{change.old_path}" if change.old_path else ""
    counts = f"+{change.came} -{change.amount - change.came}" if change.amount else ""
    file.notes = tuple(mark for mark in (f"{change.kind}{old}", counts, gone) if mark)
    return _touched(file, number, change)


def _order(file: FileViews, place: int) -> int:
    """The place of a part in the order of tiers; tests that stand beside code are tests."""
    return _ORDER.index(Tier.TESTS if is_of_tests(file, place) else file.tier)


def _stripped(lines: Sequence[str]) -> list[str]:
    """Lines without the empty ones at their ends."""
    held = [at for at, line in enumerate(lines) if line.strip()]
    return [*lines[held[0] : held[-1] + 1]] if held else []


def _touched(file: FileViews, number: int, change: Change) -> list[_Part]:
    """The definitions that changed and the stretches between them, each with how much of it did."""
    found = file.units_of_skeleton
    amounts: dict[int, int] = {}
    own: dict[int, set[int]] = {}
    gaps: dict[int, set[int]] = {}
    went = {one.before: one.lines for one in change.removed}
    touched = [(line, 1) for first, last in change.lines for line in range(first, last + 1)]
    owners = _Owners(file)
    remarks = _remarks(file)
    for line, amount in touched:
        owner = owners.of(line)
        amounts[owner] = amounts.get(owner, 0) + amount
        own.setdefault(owner, set()).add(line)
    for line, amount in went.items():
        owner = owners.of_gap(line, came=any(first == line <= last for first, last in change.lines))
        amounts[owner] = amounts.get(owner, 0) + amount
        gaps.setdefault(owner, set()).add(line)
    parts: list[_Part] = []
    edits: list[Edit] = [*file.edits]
    for owner, amount in sorted(amounts.items()):
        unit = found.units[owner] if owner >= 0 else None
        place = unit.definitions[0] if unit is not None else -1
        order = _order(file, place)
        tokens = file.weights.full[place] if place >= 0 else file.weights.tokens[0]
        is_whole = place >= 0 and not (_holds_others(file, place) and tokens > LARGE)
        lines, before = own.get(owner, set[int]()), gaps.get(owner, set[int]())
        is_later = tokens > LARGE or (is_whole and _is_remark(file, remarks, place, lines, before))
        if not is_whole or is_later:
            edits.append(edit_of(file, lines, before))
            parts.append(_Part(order, amount, number, place, len(edits) - 1, FIRST))
        if is_whole and unit is not None and tokens > LARGE:
            for beside, stage in ((NEAR, CLOSE), (len(file.lines), LATER)):
                edits.append(_wider(file, lines, before, beside, (unit.source_first, unit.source_last)))
                parts.append(_Part(order, amount, number, place, len(edits) - 1, stage, tokens))
        if is_whole:
            parts.append(_Part(order, amount, number, place, -1, LATER if is_later else FIRST, tokens))
    file.edits = edits
    return parts


def _remarks(file: FileViews) -> Remarks:
    source = file.source.source
    return Remarks(source, cast("IndexedFile", file.file).uses, comment_start_of(file.path, source))


def _is_remark(file: FileViews, remarks: Remarks, place: int, lines: set[int], gaps: set[int]) -> bool:
    """Tells whether nothing but the doc and comments of a definition changed."""
    one = file.definitions[place]
    docs = remarks.docs(one)
    if not lines <= docs | remarks.comments(one):
        return False
    return all(
        line in docs or line - 1 in docs or all(map(remarks.is_comment, file.removed.get(line, ()))) for line in gaps
    )


def edit_of(file: FileViews, lines: set[int], gaps: set[int]) -> Edit:
    """Returns a stretch with the lines around it.

    Args:
        file: the file.
        lines: the numbers of the lines that came.
        gaps: the numbers of the lines before which others stood.
    """
    shown = {
        near
        for line in (*lines, *gaps)
        for near in range(line - CONTEXT, line + CONTEXT + (line in lines))
        if 1 <= near <= len(file.lines)
    }
    return Edit(lines=frozenset(shown | {line for line in lines if line <= len(file.lines)}), gaps=frozenset(gaps))


def _wider(file: FileViews, lines: set[int], gaps: set[int], beside: int, inside: tuple[int, int]) -> Edit:
    """A stretch with more lines around it, of those of one definition, the nearest first."""
    first, last = inside[0], min(inside[1], len(file.lines))
    centres = sorted(lines | gaps)
    distance = {
        line: min(abs(line - near) for near in centres[max(0, at - 1) : at + 1])
        for line in range(first, last + 1)
        for at in (bisect_left(centres, line),)
    }
    order = sorted((line for line in distance if distance[line] <= beside), key=lambda line: (distance[line], line))
    return Edit(lines=frozenset(order), gaps=frozenset(gaps), order=tuple(order))


class _Owners:
    """The innermost unit of every line of a file."""

    def __init__(self, file: FileViews) -> None:
        self._owner = [-1] * (len(file.lines) + 2)
        for number, unit in enumerate(file.units_of_skeleton.units):
            for line in range(unit.source_first, min(unit.source_last, len(file.lines)) + 1):
                self._owner[line] = number

    def of(self, line: int) -> int:
        """The unit that a line belongs to; -1 for none."""
        return self._owner[line] if line < len(self._owner) else -1

    def of_gap(self, line: int, *, came: bool) -> int:
        """The unit that lines before a line belonged to: that of what came in their place, or of both sides."""
        here = self.of(line)
        return here if came or here == self.of(line - 1) else -1


def _holds_others(file: FileViews, place: int) -> bool:
    return place in file.weights.parent and any(
        parent == place and file.weights.unit[at] == at for at, parent in enumerate(file.weights.parent)
    )


def _wishes(part: _Part, files: Sequence[FileViews]) -> list[Wish]:
    if part.edit >= 0:
        head = [Wish(part.file, part.place, Kind.SIGNATURE)] if part.place >= 0 else []
        lines = len(files[part.file].edits[part.edit].lines)
        return [*head, Wish(part.file, part.edit, Kind.LINES, lines)]
    if part.place < 0:
        return [Wish(part.file, -1, Kind.TEXT)]
    return [Wish(part.file, part.place, Kind.SIGNATURE), Wish(part.file, part.place, Kind.BODY)]


def _used(
    aims: Sequence[Aim],
    shown: Sequence[tuple[int, Change]],
    files: Sequence[FileViews],
    known: Mapping[str, Before],
    symbols: Callable[[], SymbolTable],
) -> list[Wish]:
    """The signatures of what uses definitions with another signature than before, and of the tests of all."""
    code = [
        aim for aim in aims if _definition(files, aim).kind in USABLE and not is_of_tests(files[aim.file], aim.place)
    ]
    if not code:
        return []
    old = {
        number: {one.path: _signature(known[change.path][0], one) for one in known[change.path][1]}
        for number, change in shown
        if change.path in known
    }
    others = [
        aim
        for aim in code
        if (was := old.get(aim.file, {}).get(_definition(files, aim).path)) is not None
        and was != _signature(files[aim.file].source.source, _definition(files, aim))
    ]
    (callers, _), (_, tests) = users([others[:MOST_ASKED], code[:MOST_ASKED]], files, symbols())
    found = [*callers[:MOST_CALLERS], *tests[:MOST_TESTS]]
    return [Wish(aim.file, aim.place, Kind.SIGNATURE) for aim in found]


def _definition(files: Sequence[FileViews], aim: Aim) -> Definition:
    return files[aim.file].definitions[aim.place]


def _signature(source: bytes, one: Definition) -> bytes:
    """A signature, whatever its lines."""
    return b" ".join(source[one.signature : one.body].split())


def _gone(known: Before, file: FileViews | None) -> list[Definition]:
    """Returns the definitions that are there no more, without those that stood inside of them."""
    held: dict[str, Definition] = {}
    for one in known[1]:
        if one.kind in USABLE and one.name and UNLISTED.isdisjoint(one.path):
            held.setdefault(one.path, one)
    return [held[path] for path in gone_from(file, held)]


def gone_from(file: FileViews | None, names: Iterable[str]) -> list[str]:
    """Returns the names that a file defines no more, without those of what stood inside of others.

    Where the file could not be parsed whole, a name that still stands in it may be defined in what could not.

    Args:
        file: the file; None where it is gone itself.
        names: the name paths that it defined.
    """
    there = {one.path for one in cast("IndexedFile", file.file).symbols} if file is not None else set[str]()
    gone = dict.fromkeys(name for name in names if name not in there)
    if file is not None and gone and file.facts.syntax_errors:
        words = set(_WORD.findall(file.source.source.decode("utf-8", "replace")))
        gone = dict.fromkeys(name for name in gone if not words.issuperset(_WORD.findall(name.rpartition(".")[2])))
    return [path for path in gone if path.rpartition(".")[0] not in gone]


def _removed_mark(gone: Sequence[Definition]) -> str:
    return removed_mark([one.path for one in gone])


def removed_mark(names: Sequence[str]) -> str:
    """Returns the mark that names what a file does not define any more; "" for nothing."""
    return _mark_of("REMOVED", names) if names else ""


def _mark_of(word: str, names: Sequence[str]) -> str:
    more = (f"+{len(names) - NAMED}",) if len(names) > NAMED else ()
    return f"{word}:{','.join((*names[:NAMED], *more))}"
