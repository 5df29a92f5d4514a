"""The answer to a target that names nothing: where was looked, and what may have been meant."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from skeleton.languages.kinds import HOLDERS
from skeleton.names.targets import line_range, segments, stem, symbol_target, without_call
from skeleton.zoom.broken import whole_end
from skeleton.zoom.naming import best_first, is_spelt_like_a_path
from skeleton.zoom.suggesting import MOST_SUGGESTED
from workspace.errors import SymbolNotFoundError
from workspace.slips import folders_meant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.names.targets import SymbolTarget
    from skeleton.zoom.symbols import SymbolTable

_LONGEST_SAID: Final = 120
"""Characters of a name that an error repeats."""

_MOST_CLASSES: Final = 2
"""Classes that are suggested for a member which they do not have."""

_MOST_LINES: Final = 40
"""Lines that are suggested of a file that defines nothing."""

_AROUND: Final = (string.punctuation + string.whitespace).encode()
"""The signs that may stand around the words of a line, as of a heading."""

_LIKE_ENOUGH: Final = 80
_LIKE_ENOUGH_FOR_MODULES: Final = 60
"""Of 100, how like a path or a module has to be."""


def not_found(word: str, name: str, suggestions: Sequence[str], *, where: str = "") -> SymbolNotFoundError:
    """Returns the error that nothing has a name.

    Args:
        word: the kind of target: `symbol`, `function`, …
        name: all after it.
        suggestions: targets that exist, closest first.
        where: where was looked, as the end of a clause; "" for all there is.
    """
    hint = (
        f"Did you mean: {', '.join(suggestions)}?"
        if suggestions
        else "No name is close to it; get_context shows what there is."
    )
    if len(name) > _LONGEST_SAID:
        name = f"{name[:_LONGEST_SAID]}…"
    what = "Nothing" if word == "symbol" else f"No {word}"
    called = repr(name).replace("\\\\", "\\")
    return SymbolNotFoundError(f"{what} is called {called}{where}. {hint}", suggestions=tuple(suggestions))


def missed(wanted: SymbolTarget, table: SymbolTable, paths: Sequence[str], *, where: str) -> SymbolNotFoundError:
    """Returns the error that a target names no definition.

    Args:
        wanted: the target.
        table: the symbols that it was looked for among.
        paths: of the files, from the root on.
        where: as for `not_found`.
    """
    others = best_first(table.definitions(replace(wanted, word="symbol")), wanted) if wanted.kinds else []
    if others:
        kinds = " and ".join(
            f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in {one.kind: 0 for _, one in others}
        )
        targets = dict.fromkeys(f"symbol={file.address}::{one.path}" for file, one in others)
        return not_found(wanted.word, wanted.name, [*targets][:MOST_SUGGESTED], where=f"{where}, only {kinds}")
    members = best_first(table.members_in_module(wanted), wanted)
    if members:
        targets = dict.fromkeys(f"symbol={file.address}::{one.path}" for file, one in members)
        told = f"{where} by itself, but members of its module are"
        return not_found(wanted.word, wanted.name, [*targets][:MOST_SUGGESTED], where=told)
    *around, name = wanted.segments
    names = table.like(name, wanted.kinds, wanted.path, around)
    names = names or (table.like(name, (), wanted.path, around) if wanted.kinds else [])
    names = _with_classes(names, wanted, table) if around else names
    names = _near_the_file(names, wanted, paths) if wanted.path else names
    if wanted.word != "symbol" or wanted.path or not is_spelt_like_a_path(wanted.name):
        return not_found(wanted.word, wanted.name, names, where=where)
    files = [f"file={path}" for path in paths_like(wanted.name, paths)]
    folder = wanted.name.strip().removeprefix("./").rstrip("/")
    files = [*(f"{one}/" for one in folders_meant(folder, paths, nearly=False)), *files]
    suggestions = [*files, *names] if "/" in wanted.name else [*names, *files]
    if lines := line_range(wanted.name):
        return not_found("file", lines[0], suggestions[:MOST_SUGGESTED], where=where)
    return not_found(wanted.word, wanted.name, suggestions[:MOST_SUGGESTED], where=where)


def _with_classes(names: Sequence[str], wanted: SymbolTarget, table: SymbolTable) -> list[str]:
    """Suggestions with the classes that a target names before a member which they do not have, behind their own members."""
    place = f"{wanted.path}::" if wanted.path else ""
    owner = symbol_target("symbol", place + "::".join(wanted.segments[:-1]))
    pairs = [pair for pair in best_first(table.definitions(owner), owner) if pair[1].kind in HOLDERS]
    classes = [f"symbol={file.address}::{one.path}" for file, one in pairs if one.kind != "impl"]
    own = [name for name in names if any(name.startswith(f"{one}.") for one in classes)]
    return [*dict.fromkeys((*own, *classes[:_MOST_CLASSES], *names))][:MOST_SUGGESTED]


def _near_the_file(names: Sequence[str], wanted: SymbolTarget, paths: Sequence[str]) -> Sequence[str]:
    """Suggestions for a target behind a file that is there: those of the file and, elsewhere, what is called so exactly.

    The file itself is suggested where there is nothing of either.
    """
    files = [path for path in paths if f"/{path}".endswith(f"/{wanted.path}")]
    if len(files) != 1:
        return names
    here = [name for name in names if name.startswith(f"symbol={files[0]}::")]
    same = [name for name in names if segments(name.partition("::")[2].partition("~")[0])[-1:] == wanted.segments[-1:]]
    return [*dict.fromkeys((*here, *same))] or [f"file={files[0]}"]


def unread(wanted: SymbolTarget, file: IndexedFile, *, where: str) -> SymbolNotFoundError | None:
    """Returns the error that a name stands where its file cannot be parsed, or in one that defines nothing, as a notebook.

    The lines that it may mean are suggested. None where it does not stand there.

    Args:
        wanted: a target with a path.
        file: the file of that path.
        where: as for `not_found`.
    """
    if not file.facts.syntax_errors and file.definitions:
        return None
    name = without_call(wanted.segments[-1]).encode("utf-8", "surrogatepass")
    lines = file.source.split(b"\n")
    word = re.compile(rb"(?<!\w)" + re.escape(name) + rb"(?!\w)")
    held = [number for number, line in enumerate(lines) if word.search(line)]
    if not held:
        return None
    if not file.facts.syntax_errors:
        first = next((number for number in held if lines[number].strip(_AROUND) == name.strip(_AROUND)), held[0])
        told = f"{where}: {file.address} defines no names, but these lines hold it"
        return not_found(
            wanted.word, wanted.name, [f"file={file.address}:{first + 1}-{_part_end(lines, first)}"], where=told
        )
    first = min(held, key=lambda number: len(lines[number]) - len(lines[number].lstrip()))
    start = sum(map(len, lines[:first])) + first
    last = file.source.count(b"\n", 0, whole_end(file, start, start + len(lines[first]))) + 1
    told = f"{where} as far as {file.address} can be parsed, which has syntax errors"
    return not_found(wanted.word, wanted.name, [f"file={file.address}:{first + 1}-{last}"], where=told)


def _part_end(lines: Sequence[bytes], first: int) -> int:
    """The number of the last line of what begins with a line: its section below a heading, else its cell, list or paragraph."""
    start = lines[first]
    own = len(start) - len(start.lstrip())
    is_heading = start.startswith(b"#")
    last = first
    for number in range(first + 1, min(len(lines), first + _MOST_LINES)):
        line = lines[number]
        is_blank = not line.strip()
        if (is_blank or len(line) - len(line.lstrip()) < own) if not is_heading else line.startswith(b"#"):
            break
        last = last if is_blank else number
    return last + 1


def paths_like(name: str, paths: Sequence[str]) -> list[str]:
    """Returns the paths that a name is a slip of, closest first; the names of files are compared where it has no slash."""
    from rapidfuzz import fuzz, process  # serves names that nothing has

    wanted = (line_range(name) or (name,))[0].lower()
    known = [path.lower() if "/" in wanted else path.rpartition("/")[2].lower() for path in paths]
    close = process.extract(wanted, known, scorer=fuzz.ratio, score_cutoff=_LIKE_ENOUGH, limit=MOST_SUGGESTED)
    return [paths[place] for _, _, place in close]


def modules_like(name: str, paths: Sequence[str]) -> list[str]:
    """Returns the paths of the files whose module's name is like one."""
    from rapidfuzz import process  # likewise

    stems = ["/".join(stem(path)) for path in paths]
    wanted = name.replace("::", "/").replace(".", "/")
    close = process.extract(wanted, stems, score_cutoff=_LIKE_ENOUGH_FOR_MODULES, limit=MOST_SUGGESTED)
    return [paths[place] for _, _, place in close]
