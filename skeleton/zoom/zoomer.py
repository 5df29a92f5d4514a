"""Zoom: the full text of a definition, read from disk at the time of the call.

A skeleton helps to find code; what is edited must be seen whole. `skeleton.names.targets` says how a thing is named, the
symbol table says where the name is defined, and what is shown are the bytes of the file as it is now: a file whose
stamp is not trusted is read again and compared by its content, so no offset is ever applied to other bytes than it was
taken from. What changed since this process showed it last is said to have changed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from msgspec.structs import replace

from skeleton.index.code_index import CodeIndex, Progress
from skeleton.index.indexed import IndexedFile
from skeleton.index.workers import Workers
from skeleton.names.packages import is_manifest, may_name_a_package, may_only_name_a_package
from skeleton.names.targets import (
    LONGEST_TARGET,
    PLACES,
    SymbolTarget,
    check_number,
    each_of,
    from_folder,
    in_braces,
    last_segment,
    line_range,
    split_word,
    symbol_target,
    without_call,
    without_scheme,
)
from skeleton.names.traced import placed, read_otherwise
from skeleton.zoom.answers import MOST_WHOLE, Match, ZoomResult, all_of, fitted, with_notes
from skeleton.zoom.completing import completed
from skeleton.zoom.exports import stands_for_folder
from skeleton.zoom.followed import Folders
from skeleton.zoom.lines import Files
from skeleton.zoom.matches import matches_of
from skeleton.zoom.misses import missed, not_found, unread
from skeleton.zoom.naming import best_first, is_rather_a_module
from skeleton.zoom.neighbours import Neighbours, References, neighbours_of
from skeleton.zoom.symbols import SymbolTable, may_be_given_out
from workspace.addresses import as_path
from workspace.cancellation import still_wanted
from workspace.errors import (
    FileChangedError,
    InvalidArgumentError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.files.reading import read_file
from workspace.files.scan import ScannedFile, scan
from workspace.model import Problem
from workspace.paths import shown, slashed
from workspace.tokens import DEFAULT_ENCODING, token_counter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from skeleton.outline.definitions import Definition
    from skeleton.zoom.followed import Folder
    from workspace.roots import Roots

    class FolderMap(Protocol):
        """Draws the map of a folder in at most so many tokens, as it is spelt from the path of a call on."""

        def __call__(self, path: str, folder: str, /, *, token_budget: int | None) -> str: ...


__all__ = ["Match", "ZoomResult", "Zoomer", "zoom"]

_BARE: Final = re.compile(r"[\w-]+")
_TRIES: Final = 3


def zoom(
    target: str | Sequence[str],
    path: str,
    *,
    roots: Roots,
    token_budget: int | None = None,
    line_numbers: bool = False,
    context: str = "",
    encoding: str = DEFAULT_ENCODING,
    redact: bool = True,
    progress: Progress | None = None,
) -> ZoomResult:
    """The exact source of what a target names; for one call. A program that makes many keeps a `Zoomer`.

    Args:
        target: a name, as `skeleton.names.targets` reads it, or several.
        path: the folder (or file) to look in.
        roots: where reading is allowed.
        token_budget: the most tokens that the text may have; None for no limit.
        line_numbers: put the file's line number before each line.
        context: `callers`, `callees` or `tests`: signatures of those beside the body; "" for none.
        encoding: what tokens are counted in.
        redact: whether secrets are taken out; the header then says `[REDACTED]`.
        progress: told how many files are looked at.

    Raises:
        InvalidArgumentError: the target is of no known form.
        PathNotFoundError: a file that the target names does not exist.
        UnreadableFileError: it cannot be read as text, or holds credentials by its nature.
        SymbolNotFoundError: no definition has the name; its suggestions do exist.
        OutsideRootsError: the path leads out of the roots.
        BudgetTooSmallError: not one line fits.
    """
    index = CodeIndex(roots, encoding=encoding, workers=Workers(0), redact=redact)
    return Zoomer(index, only_once=True).zoom(
        target, path, token_budget=token_budget, line_numbers=line_numbers, context=context, progress=progress
    )


class _Answered(NamedTuple):
    """The meaning of a target: how much more of it there is, lines about it, and what is told of all."""

    matches: list[Match]
    left: int = 0
    notes: Sequence[str] = ()
    told: str = ""
    is_one: bool = False
    """True if all of it is one definition, in several words, or of several signatures."""


class _Call:
    """The state that the targets of one call share.

    Attributes:
        base: the folder or file to look in.
        where: the same in words, as the end of a clause; "" for all there is.
        beside: the neighbours that are asked for.
        progress: is told how many files are looked at.
    """

    def __init__(self, base: Path, where: str, beside: Neighbours | None, progress: Progress | None) -> None:
        self.base = base
        self.where = where
        self.beside = beside
        self.progress = progress
        self._references: References | None = None

    @property
    def unasked(self) -> list[str]:
        """The line below what is not one definition that nobody looked for its neighbours; none where none are asked for."""
        return [f"=== {self.beside.value} not looked for: that takes one definition"] if self.beside is not None else []

    def references(self, table: SymbolTable) -> References:
        """The uses of names in the folder; what was read for one target serves the next."""
        if self._references is None or self._references.table is not table:
            self._references = References(table, self.progress)
        return self._references


class Zoomer:
    """Zooms into the folders of one index, and remembers their symbols between calls. Threads may share it.

    Args:
        index: knows the files.
        only_once: look at the files that hold the wanted name as text, rather than at all: faster for one call, slower
            for several. A name that is nowhere makes it look at all of them, for what to suggest.
    """

    def __init__(self, index: CodeIndex, *, only_once: bool = False) -> None:
        self._index = index
        self._files = Files(index)
        self._only_once = only_once
        self._folders = Folders(index)

    def zoom(
        self,
        target: str | Sequence[str],
        path: str,
        *,
        token_budget: int | None = None,
        line_numbers: bool = False,
        context: str = "",
        folder_map: FolderMap | None = None,
        progress: Progress | None = None,
    ) -> ZoomResult:
        """The exact source of what a target names; other arguments and errors as those of `zoom`.

        Of several targets each has its answer, and none costs another's place: what a later one may take is what is
        left, divided by those that are. One without an answer is told in its place; if all are, the error tells of each.
        One that is named twice is answered once.
        The path `.` means all roots, where there are several: what the first does not define is looked for in the next.
        Where a folder is meant, the answer is what `folder_map` draws; without it no target means one.
        """
        calls = self._calls(path, _neighbours(context), progress)
        base = calls[0].base
        target = without_scheme(target) if isinstance(target, str) else [*map(without_scheme, target)]
        given = [target] if isinstance(target, str) else target
        check_number(given)
        targets = list(
            dict.fromkeys(
                as_path(one) for each in given for one in self._several(each, base, is_alone=isinstance(target, str))
            )
        )
        check_number(targets)
        if not targets:
            raise InvalidArgumentError("No target is named; write for example target=Config.load.")

        def one(each: str, budget: int | None) -> ZoomResult:
            folder = each.strip().removeprefix("file=")
            if folder.endswith("/") or folder == ".":
                if folder_map is None:
                    raise InvalidArgumentError(
                        f"{folder!r} is a folder, of which nothing draws a map here; `ContextEngine.folder_map` does."
                    )
                return self._mapped(folder, path, calls[0], folder_map, budget)
            is_package = folder_map is not None and may_only_name_a_package(each)
            if is_package and (place := self._of_package(each, base)):
                return one(place, budget)
            try:
                return self._answer(each, calls, budget, line_numbers=line_numbers)
            except SymbolNotFoundError:
                if folder_map is None:
                    raise
                if self._files.is_folder(each, base):
                    return self._mapped(f"{each.strip()}/", path, calls[0], folder_map, budget)
                if not is_package and (place := self._of_package(each, base)):
                    return one(place, budget)
                raise

        if len(targets) == 1:
            return one(targets[0], token_budget)
        if isinstance(target, str) and "::" in targets[0]:
            with suppress(
                SymbolNotFoundError, InvalidArgumentError
            ):  # `code.hs::a, b` may be the name of one definition
                return one(target, token_budget)
        return all_of(targets, one, token_counter(self._index.encoding), token_budget)

    def _calls(self, path: str, beside: Neighbours | None, progress: Progress | None) -> list[_Call]:
        """A call for each folder that a path means, the first one first."""
        roots = self._index.roots
        base = roots.resolve(path)
        others = [root for root in roots.tried if root != base and roots.is_folder(root)] if path == "." else []
        address = roots.address(base)
        where = f" in {address!r} (leave `path` out to look in all of the root)" if address else ""
        if others:
            where = f" in any root: {roots.listed}"
        return [_Call(one, where, beside, progress) for one in (base, *others)]

    def _answer(
        self, target: str, calls: Sequence[_Call], token_budget: int | None, *, line_numbers: bool
    ) -> ZoomResult:
        """The answer of the first folder in which a target names something."""
        missed: list[SymbolNotFoundError] = []
        for call in calls:
            try:
                return self._zoom(target, call, token_budget, line_numbers=line_numbers)
            except SymbolNotFoundError as error:
                missed.append(error)
        raise next((error for error in missed if error.suggestions), missed[0])

    def _of_package(self, target: str, base: Path) -> str:
        """The path that the name of a package means; "" where it means none, or is a path itself."""
        name = target.strip().strip("`\"'").removeprefix("symbol=").removeprefix("module=")
        if self._files.is_spelt(name, base) or self._files.is_folder(name, base):
            return ""
        return self._files.of_package(name, base)

    def _mapped(
        self, folder: str, path: str, call: _Call, folder_map: FolderMap, token_budget: int | None
    ) -> ZoomResult:
        """The map of a folder, as it is spelt from the path of a call on, or by a link, or from another root on."""
        try:
            text = folder_map(path, folder, token_budget=token_budget)
        except PathNotFoundError as missed:
            place = self._files.found(folder.strip().rstrip("/"), call.base)
            if place is None or not self._index.roots.is_folder(place) or place == call.base:
                raise
            try:
                text = folder_map(os.fspath(place), "./", token_budget=token_budget)
            except PathNotFoundError:
                raise missed from None  # it tells the folder as the caller spells it
        counter = token_counter(self._index.encoding)
        notes = [*call.unasked, *self._other_roots(folder, path)]
        return ZoomResult(text=with_notes(text, notes, counter, token_budget), matches=(), counter=counter)

    def _other_roots(self, folder: str, path: str) -> list[str]:
        """A line that says which roots the map of the first does not draw; none where another folder is meant."""
        others = [shown(slashed(os.fspath(root))) for root in self._index.roots.tried[1:]]
        is_meant = path == "." and folder.strip() in {".", "./"}
        return [f"⋮ Other roots, each a `path`: {', '.join(others)}."] if is_meant and others else []

    def _zoom(self, target: str, call: _Call, token_budget: int | None, *, line_numbers: bool) -> ZoomResult:
        word, name = self._split(self._from_here(target, call.base), call.base)
        for tries_left in reversed(range(_TRIES)):
            try:
                matches, left, notes, told, is_one = self._found(word, name, call)
            except FileChangedError as error:
                folder = self._folders.of(call.base)
                folder.followed = folder.followed._replace(found=None)
                if not tries_left:
                    raise UnreadableFileError(
                        f"{error} changed each time it was read; call again when what writes to it has finished."
                    ) from error
            except SymbolNotFoundError as error:
                raise self._in_budget(word, name, error, call.where, token_budget) from None
            else:
                counter = token_counter(self._index.encoding)
                notes = notes or call.unasked
                text = fitted(
                    *(matches, counter, token_budget),
                    line_numbers=line_numbers,
                    notes=notes,
                    left=left,
                    told=told,
                    listed=notes if is_one else call.unasked,
                )
                return ZoomResult(text=text, matches=tuple(matches), counter=counter)
        raise AssertionError("the last try returns or raises")

    def _several(self, target: str, base: Path, *, is_alone: bool) -> list[str]:
        """The names in a list, and the paths that one with braces stands for, unless a file is called so."""
        if target.endswith("/") and len(each_of(target)) == len(in_braces(target)):
            return [target]  # folders that are one map
        names = each_of(target) if is_alone else in_braces(target) or [target]
        if len(names) == 1:
            return [target]
        roots = self._index.roots
        try:
            roots.resolve(self._split(target, base)[1], base=base if roots.is_folder(base) else base.parent)
        except (PathNotFoundError, InvalidArgumentError):
            return names
        return [target]

    def _split(self, target: str, base: Path) -> tuple[str, str]:
        return split_word(target, lambda name: self._files.is_spelt(name, base))

    def _from_here(self, target: str, base: Path) -> str:
        """A target as it is written from the folder of a call on."""
        roots = self._index.roots
        folder = base if roots.is_folder(base) else base.parent
        address = roots.address(folder)
        return from_folder(target, f"{address}/" if address else "", lambda name: roots.is_folder(folder / name))

    def _in_budget(
        self, word: str, name: str, error: SymbolNotFoundError, where: str, budget: int | None
    ) -> SymbolNotFoundError:
        """The error with as many suggestions as its text can have in a budget."""
        count = token_counter(self._index.encoding).count
        while budget is not None and error.suggestions and count(str(error)) > budget:
            error = not_found(word, name, error.suggestions[:-1], where=where)
        return error

    def completions(self, prefix: str, path: str, *, limit: int = 100, progress: Progress | None = None) -> list[str]:
        """Returns targets in a folder that begin with some letters, in any case: names of definitions, and paths.

        Args:
            prefix: the letters: `lo`, `Config.lo`, `src/a.py::Config.lo` or `src/`.
            path: the folder.
            limit: how many at most.
            progress: told how many files are looked at.
        """
        base = self._index.roots.resolve(path)
        if len(prefix) > LONGEST_TARGET:
            return []
        folder = self._folders.of(base)
        table, _ = self._folders.table(folder, base, progress)
        listed = folder.followed.found
        return completed(prefix, table, [file.path for file in listed.files] if listed is not None else [], limit)

    def _found(self, word: str, name: str, call: _Call) -> _Answered:
        """Returns what a target names."""
        base = call.base
        if word in PLACES and word != "module":
            return _Answered([self._files.at(name, base)])
        if word == "module":
            return _Answered(self._files.modules(name, base, where=call.where))
        place = self._files.spelt(name, base) if word == "symbol" and not placed(name) else None
        if place is not None:
            return _Answered([place])
        if word == "symbol" and line_range(name) and (places := self._files.ending(name, base)):
            return _Answered(places)  # no definition has lines in its name, so nothing has to be parsed
        wanted = symbol_target(word, name)
        folder = self._folders.of(base)
        try:
            found, told, table = self._definitions(folder, wanted, call)
        except SymbolNotFoundError:
            spelt = [name, *(f"{one.path}:{one.line}" for one in placed(name)[:1])]
            tries = (self._files.ending(one, base) for one in spelt if word == "symbol")
            places = next(filter(None, tries), list[Match]())
            if not places:
                raise
            return _Answered(places)
        if word == "symbol" and is_rather_a_module(name, found) and (places := self._files.ending(name, base)):
            return _Answered(places)
        matches, left = matches_of(found, self._index)
        is_one = len({(file.path, one.path) for file, one in found}) == 1
        is_listed = left or sum(not match.is_part for match in matches) > MOST_WHOLE
        if word == "symbol" and _BARE.fullmatch(name) and self._files.is_folder(name, base):
            told = f"{name}/ is a folder, too: zoom '{name}/' for its map"
        if call.beside is None or (is_listed and not is_one):
            return _Answered(matches, left, told=told)
        if table is None:
            table, _ = self._folders.table(folder, base, call.progress)
        notes = neighbours_of(call.beside, found, call.references(table))
        return _Answered(matches, left, notes, told, is_one)

    # Definitions

    def _definitions(
        self, folder: Folder, wanted: SymbolTarget, call: _Call
    ) -> tuple[list[tuple[IndexedFile, Definition]], str, SymbolTable | None]:
        """Returns what a target names, what is told of it, and the table that it was found in, if there is one of the whole folder."""
        base, progress = call.base, call.progress
        glances = self._only_once and call.beside is None  # neighbours take the table of all
        if glances and (found := self._glanced(wanted, base, progress)):
            return best_first(found, wanted), "", None
        table, listed = self._folders.table(folder, base, progress)
        found, told = table.found(wanted)
        if not found and not listed:
            table, _ = self._folders.table(folder, base, progress, anew=True)
            found, told = table.found(wanted)
        if not found:
            found = self._behind_link(wanted, base, table)
        if not found:
            listed_now = folder.followed.found
            paths = [file.address for file in listed_now.files] if listed_now is not None else []
            raise self._unread(wanted, call) or missed(wanted, table, paths, where=call.where)
        return best_first(found, wanted), told, table

    def _unread(self, wanted: SymbolTarget, call: _Call) -> SymbolNotFoundError | None:
        """The error of a name that stands in the file of its path where that cannot be parsed; None of any other."""
        place = self._files.found(wanted.path, call.base) if wanted.path else None
        if place is None or self._index.roots.is_folder(place):
            return None
        files, _ = self._index.files(scan(place, roots=self._index.roots))
        return unread(wanted, files[0], where=call.where) if files else None

    def _behind_link(
        self, wanted: SymbolTarget, base: Path, table: SymbolTable
    ) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names whose path is a link to a file."""
        place = self._files.found(wanted.path, base) if wanted.path else None
        if place is None or not place.is_relative_to(base):
            return []
        path = shown(place.relative_to(base).as_posix())
        return table.definitions(replace(wanted, path=path, name=f"{path}::{wanted.name.partition('::')[2]}"))

    def _glanced(
        self, wanted: SymbolTarget, base: Path, progress: Progress | None
    ) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names, of the files that hold its last part as text and those that may give it out.

        Nothing is returned where a file that does not hold it may have a say.
        """
        listed = scan(base, roots=self._index.roots)
        needles = [one.encode("utf-8", "surrogatepass") for one in _last_parts(wanted)]
        names_package = may_name_a_package(wanted.name)
        is_given_out = may_be_given_out(wanted) or names_package
        holding: list[ScannedFile] = []
        for number, file in enumerate(still_wanted(listed.files)):
            if progress is not None:
                progress(number, len(listed.files), file.path)
            gives_it_out = is_given_out and stands_for_folder(file.path)
            if (
                gives_it_out
                or (names_package and is_manifest(file.path))
                or (
                    not isinstance(read := read_file(file, roots=self._index.roots), Problem)
                    and any(needle in read.source for needle in needles)
                )
            ):
                holding.append(file)
        files, _ = self._index.files(replace(listed, files=tuple(holding)), progress=progress)
        table = SymbolTable(self._index).following(files, progress)
        if table.is_given_out_unseen(wanted):
            return []
        found, told = table.found(wanted)
        return [] if told else [*found]  # another file may hold what is named in full


def _last_parts(wanted: SymbolTarget) -> list[str]:
    """The names that what a target means may have."""
    readings = [one.name for one in (*placed(wanted.name), *read_otherwise(wanted.name)) if one.name]
    return [last_segment(without_call(wanted.segments[-1])), *(without_call(last_segment(one)) for one in readings)]


def _neighbours(context: str) -> Neighbours | None:
    if not context:
        return None
    try:
        return Neighbours(context)
    except ValueError as error:
        raise InvalidArgumentError(
            f"context is {context!r}; it must be one of: {', '.join(Neighbours)}, or be left out."
        ) from error
