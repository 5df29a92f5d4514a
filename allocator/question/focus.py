"""Finds the files and definitions that a caller's `focus` names.

A focus is a path, a folder, a glob of gitignore syntax, or any name that a zoom takes: `src/a.py`, `src/`,
`src/**/*.py`, `src/a.py:10-40`, `Config.load`, `src/a.py::Config.load`. What it names comes first, and then what stands
around it (`allocator.question.around`). A focus that names nothing is refused with names that exist.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from allocator.question.around import Aim, aim_at, touched
from allocator.show.call_files import known_files
from skeleton.names.targets import each_of, from_folder, segments, without_call
from skeleton.zoom.answers import MOST_WHOLE
from skeleton.zoom.naming import meaning
from workspace.addresses import as_path
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.files.ignore import Rule, parse_rule, verdict
from workspace.paths import from_word, slashed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from allocator.show.views import FileViews
    from skeleton.zoom.naming import Place
    from skeleton.zoom.symbols import SymbolTable

MOST_FOCUS = 100
"""Names in one focus."""

MOST_SUGGESTED = 8
MOST_PATHS = 3
"""Of those suggested, how many are files."""

ALIKE = 75
"""Of a hundred: how alike the name of a file must be to be suggested."""

LONGEST_SAID = 120
"""Characters of a name that an error repeats."""

_WILD = re.compile(r"[*?\[]")


def aims_of(
    focus: Sequence[str], files: Sequence[FileViews], table: SymbolTable, folder: str, prefix: str
) -> list[Aim]:
    """Finds what a focus names.

    Of a name that several definitions have, those are meant that a zoom would show: the first few, public ones first.

    Args:
        focus: paths, globs, and names as `skeleton.zoom.naming` reads them.
        files: those of the call.
        table: their symbols.
        folder: the absolute path that theirs are relative to.
        prefix: the folder from its root on, as what is named may begin.

    Raises:
        InvalidArgumentError: there are too many names, or one is empty.
        SymbolNotFoundError: one names nothing; it carries names that exist.
    """
    if len(focus) > MOST_FOCUS:
        raise InvalidArgumentError(
            f"focus holds {len(focus)} names; at most {MOST_FOCUS} are allowed. Name folders or globs in their place."
        )
    places = {file.path: number for number, file in enumerate(known_files(files))}

    def holds(inner: str) -> bool:
        return any(path.startswith(f"{inner.rstrip('/')}/") for path in places)

    found: dict[Aim, None] = {}
    for entry in focus:
        whole = entry.strip()
        for name in [whole] if from_folder(whole, prefix, holds) in places else each_of(whole):
            spelt = _from(folder, as_path(name))
            named = _named(from_folder(spelt, prefix, holds), files, places, table, folder)
            if not named:
                raise _unknown(name, files, table)
            found |= dict.fromkeys(named)
    return list(found)


def _from(folder: str, name: str) -> str:
    """A name without the absolute path of the folder of the call before it."""
    whole = f"{slashed(folder).rstrip('/')}/"
    spelt = slashed(name)
    return spelt[len(whole) :] or "." if f"{spelt}/".startswith(whole) else name


def _named(
    name: str, files: Sequence[FileViews], places: Mapping[str, int], table: SymbolTable, folder: str
) -> list[Aim]:
    path = from_word(name).removeprefix("./").rstrip("/")
    if not path or path == ".":
        return [Aim(number, -1) for number in places.values()] if name else []
    is_path = "/" in name
    grouped = _folder_or_glob(path, files) if is_path or _WILD.search(path) else []
    if grouped:
        return grouped
    meant = meaning(name, table, [*places], folder)
    aims = [aim for place in meant.places for aim in _at(place, files, places)]
    held = [(places[file.path], one) for file, one in meant.definitions if file.path in places]
    aims += [aim_at(files, number, one, has_constants=True) for number, one in held[:MOST_WHOLE]]
    return aims or ([] if is_path else _folder_or_glob(path, files))


def _folder_or_glob(path: str, files: Sequence[FileViews]) -> list[Aim]:
    """The files inside a folder, or those that a glob of gitignore syntax matches."""
    inside = [Aim(number, -1) for number, file in enumerate(known_files(files)) if file.path.startswith(f"{path}/")]
    rule = parse_rule(os.fsencode(path)) if not inside and _WILD.search(path) else None
    if rule is not None and rule.sound and not rule.negative:
        return [Aim(number, -1) for number, file in enumerate(known_files(files)) if _matches(rule, file.path)]
    return inside


def _at(place: Place, files: Sequence[FileViews], places: Mapping[str, int]) -> list[Aim]:
    """A file, or the definitions that lines of it touch."""
    number = places[place.path]
    if (place.first, place.last) == (1, 0) or not files[number].weights.unit:
        return [Aim(number, -1)]
    return [*touched(files[number], number, (place.first, place.last), has_constants=True)]


def _matches(rule: Rule, path: str) -> bool:
    part, is_folder = os.fsencode(path), False
    while part:
        if verdict((rule,), part, is_folder=is_folder):
            return True
        part, is_folder = part.rpartition(b"/")[0], True
    return False


def _unknown(name: str, files: Sequence[FileViews], table: SymbolTable) -> SymbolNotFoundError:
    from rapidfuzz import process  # serves mistakes alone

    short = name[:LONGEST_SAID]
    ends = {file.address: file.path.rpartition("/")[2].lower() for file in known_files(files)}
    close = process.extract(short.rpartition("/")[2].lower(), ends, score_cutoff=ALIKE, limit=MOST_PATHS)
    parts = segments(without_call(short)) or (short,)
    suggestions = (*(path for _, _, path in close), *table.like(parts[-1]))[:MOST_SUGGESTED]
    hint = (
        f"Did you mean: {', '.join(suggestions)}?" if suggestions else "get_context without focus shows what there is."
    )
    said = short if short == name else f"{short}…"
    return SymbolNotFoundError(
        f"focus names {said!r}, which is no file, glob or symbol here. {hint}", suggestions=suggestions
    )
