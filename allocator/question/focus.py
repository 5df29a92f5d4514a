"""What a caller asks for by name: `focus` and `changed` become wishes, in the order in which they are to be granted.

A focus is a path, a folder, a glob of gitignore syntax, or a symbol: `src/a.py`, `src/`, `src/**/*.py`, `Config.load`,
`src/a.py::Config.load`. What it names comes first: the signatures of everything that is wished for, then the bodies, in
the caller's order, then the signatures of what uses them. A focus that names nothing is refused with names that exist.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from allocator.spend.needs import Wish
from allocator.spend.steps import Kind
from skeleton.index.weights import MISSING
from workspace.cancellation import still_wanted
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.files.ignore import Rule, parse_rule, verdict
from workspace.git.diff import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from allocator.show.views import FileViews
    from workspace.git.diff import Change

MOST_FOCUS = 100
"""Names in one focus."""

LONGEST_FOCUS = 4096
"""Characters of one of them: no path and no name is longer."""

MOST_USERS = 40
"""Definitions that use what is wished for, of which the signatures are shown."""

MOST_SUGGESTED = 8
SHORTEST_NAME = 3
"""Characters of a name that is looked for in other definitions: shorter ones are everywhere."""

_SEPARATORS = re.compile(r"::|#|->|\.")
_WILD = re.compile(r"[*?\[]")


class Aim(NamedTuple):
    """One thing that is wished for: a whole file, or a definition of it."""

    file: int
    place: int
    """In the outline, or -1 for the whole file."""


def aims_of(focus: Sequence[str], files: Sequence[FileViews]) -> list[Aim]:
    """Finds what a focus names.

    Args:
        focus: paths, globs and symbols.
        files: those of the call.

    Raises:
        InvalidArgumentError: there are too many names, or one is empty.
        SymbolNotFoundError: one names nothing; it carries names that exist.
    """
    if len(focus) > MOST_FOCUS:
        raise InvalidArgumentError(f"focus holds {len(focus)} names; at most {MOST_FOCUS} are allowed.")
    longest = max(map(len, focus), default=0)
    if longest > LONGEST_FOCUS:
        raise InvalidArgumentError(
            f"A name in focus is {longest:,} characters long; no path or symbol is longer than {LONGEST_FOCUS:,}."
        )
    found: dict[Aim, None] = {}
    for name in focus:
        named = _files_named(name.strip(), files) or _symbols_named(name.strip(), files)
        if not named:
            raise _unknown(name, files)
        found |= dict.fromkeys(named)
    return list(found)


def changed_aims(changes: Sequence[Change], files: Sequence[FileViews]) -> list[Aim]:
    """Finds the definitions that a diff touches; of a new file, and where lines outside definitions changed, the file.

    Args:
        changes: the diff, with lines of the files as they are now.
        files: those of the call.
    """
    places = {file.path: number for number, file in enumerate(files)}
    aims: dict[Aim, None] = {}
    for change in changes:
        number = places.get(change.path)
        if number is None or change.kind is ChangeKind.DELETED:
            continue
        file = files[number]
        touched = [aim for lines in change.lines for aim in _touched(file, number, lines)]
        if change.kind is ChangeKind.NEW or not file.weights.unit:
            touched = [Aim(number, -1)]
        aims |= dict.fromkeys(touched)
    return list(aims)


def wishes_of(aims: Sequence[Aim], files: Sequence[FileViews]) -> list[Wish]:
    """Puts what is wished for in order: signatures, bodies, and the signatures of what uses the definitions.

    Args:
        aims: what is wished for.
        files: those of the call.
    """
    first = [Wish(aim.file, aim.place, Kind.SKELETON if aim.place < 0 else Kind.SIGNATURE) for aim in aims]
    then = [Wish(aim.file, aim.place, Kind.TEXT if aim.place < 0 else Kind.BODY) for aim in aims]
    users = [Wish(aim.file, aim.place, Kind.SIGNATURE) for aim in _users(aims, files)]
    return [*first, *then, *users]


def _files_named(name: str, files: Sequence[FileViews]) -> list[Aim]:
    path = name.removeprefix("./").rstrip("/")
    exact = [number for number, file in enumerate(files) if file.path == path]
    if exact or not path:
        return [Aim(number, -1) for number in exact or range(len(files)) if exact or name in (".", "./")]
    inside = [number for number, file in enumerate(files) if file.path.startswith(f"{path}/")]
    if inside:
        return [Aim(number, -1) for number in inside]
    if _WILD.search(path):
        rule = parse_rule(os.fsencode(path))
        if rule is not None and rule.sound and not rule.negative:
            return [Aim(number, -1) for number, file in enumerate(files) if _matches(rule, file.path)]
    ending = [
        number for number, file in enumerate(files) if file.path.endswith(f"/{path}") or path.endswith(f"/{file.path}")
    ]
    return [Aim(number, -1) for number in ending]


def _matches(rule: Rule, path: str) -> bool:
    part, is_folder = os.fsencode(path), False
    while part:
        if verdict((rule,), part, is_folder=is_folder):
            return True
        part, is_folder = part.rpartition(b"/")[0], True
    return False


def _symbols_named(name: str, files: Sequence[FileViews]) -> list[Aim]:
    path, separator, symbol = name.partition("::")
    candidates: Iterable[int] = range(len(files))
    if separator and symbol:
        named = [aim.file for aim in _files_named(path, files)]
        candidates, name = (named, symbol) if named else (candidates, name)
    wanted = _segments(name.partition("=")[2] or name)
    if not wanted:
        return []
    found = [
        (len(segments) - len(wanted), Aim(number, place))
        for number in still_wanted(candidates)
        for place, segments in _definitions(files[number])
        if segments[-len(wanted) :] == wanted
    ]
    nearest = min((distance for distance, _ in found), default=0)
    return [aim for distance, aim in found if distance == nearest]


def _segments(qualified: str) -> tuple[str, ...]:
    return tuple(part for part in _SEPARATORS.split(qualified) if part)


def _definitions(file: FileViews) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The definitions that can be shown by themselves, and the parts of their names."""
    units = file.weights.unit
    for place, one in enumerate(file.definitions):
        if units[place] != MISSING:
            yield place, _segments(one.path)


def _unknown(name: str, files: Sequence[FileViews]) -> SymbolNotFoundError:
    import difflib  # serves mistakes alone

    wanted = name.rpartition("::")[2].strip().lower()
    names: dict[str, str] = {}
    for file in still_wanted(files):
        names.setdefault(file.path.lower(), file.path)
        names.setdefault(file.path.rpartition("/")[2].lower(), file.path)
        for _, segments in _definitions(file):
            names.setdefault(segments[-1].lower(), f"{file.path}::{'.'.join(segments)}")
    last = _segments(wanted)[-1:] or (wanted,)
    close = [
        *difflib.get_close_matches(wanted, still_wanted(names), n=MOST_SUGGESTED, cutoff=0.6),
        *difflib.get_close_matches(last[0], still_wanted(names), n=MOST_SUGGESTED, cutoff=0.6),
    ]
    suggestions = tuple(dict.fromkeys(names[one] for one in close))[:MOST_SUGGESTED]
    hint = (
        f"Did you mean: {', '.join(suggestions)}?" if suggestions else "get_context without focus shows what there is."
    )
    return SymbolNotFoundError(
        f"focus names {name!r}, which is no file, glob or symbol here. {hint}", suggestions=suggestions
    )


def _touched(file: FileViews, number: int, lines: tuple[int, int]) -> Iterator[Aim]:
    """The innermost definitions that some lines touch; the file where there are none around them."""
    first, last = lines
    units = file.units_of_skeleton
    hit = {at for at, unit in enumerate(units.units) if first <= unit.source_last and last >= unit.source_first}
    around = {outer for at in hit for outer in units.around(at)}
    innermost = sorted(hit - around)
    for at in innermost:
        yield Aim(number, units.units[at].definitions[0])
    if not innermost:
        yield Aim(number, -1)


def _users(aims: Sequence[Aim], files: Sequence[FileViews]) -> list[Aim]:
    """The definitions that name one of those wished for, tests last."""
    names = {
        name.encode()
        for aim in aims
        if aim.place >= 0 and len(name := files[aim.file].definitions[aim.place].name) >= SHORTEST_NAME
    }
    if not names:
        return []
    pattern = re.compile(rb"(?<![\w])(?:" + b"|".join(map(re.escape, sorted(names))) + rb")(?![\w])")
    wished = set(aims)
    found: dict[Aim, None] = {}
    for number in sorted(range(len(files)), key=lambda number: files[number].tier):
        file = files[number]
        if not file.weights.unit or (number, -1) in wished:
            continue
        for aim in _naming(file, number, pattern):
            if aim not in wished:
                found[aim] = None
        if len(found) >= MOST_USERS:
            break
    return list(found)[:MOST_USERS]


def _naming(file: FileViews, number: int, pattern: re.Pattern[bytes]) -> Iterator[Aim]:
    """The innermost definitions of a file in which a name stands, but for those of that name."""
    source, units = file.source.source, file.units_of_skeleton
    at = line = 0
    line = 1
    for match in still_wanted(pattern.finditer(source)):
        line += source.count(b"\n", at, match.start())
        at = match.start()
        inside = [unit for unit in units.units if unit.source_first <= line <= unit.source_last]
        if inside:
            place = inside[-1].definitions[0]
            if file.definitions[place].name.encode() != match[0]:
                yield Aim(number, place)
