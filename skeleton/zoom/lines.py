"""The files, and the lines of files, that a target names, as they are on disk now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from skeleton.formats.above import is_prose, section
from skeleton.names.packages import places_of_package, says_a_package
from skeleton.names.targets import check_range, line_range
from skeleton.zoom.answers import Match
from skeleton.zoom.misses import modules_like, not_found
from skeleton.zoom.naming import Place, is_spelt_like_a_path, modules, places_ending
from workspace.errors import FractalContextError, InvalidArgumentError, PathNotFoundError, UnreadableFileError
from workspace.files.reading import read_file, read_lines
from workspace.files.scan import scan
from workspace.model import Problem, ProblemKind
from workspace.paths import from_word
from workspace.secrets.redaction import RedactedFile, redacted_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from skeleton.index.code_index import CodeIndex
    from workspace.files.reading import SourceFile
    from workspace.files.scan import ScannedFile


def _unreadable(name: str, problem: Problem) -> UnreadableFileError:
    """The error of a file that cannot be shown, with what can be where it is only too large."""
    lines = f" Lines of it can: file={problem.path}:1-200." if problem.kind is ProblemKind.TOO_LARGE else ""
    return UnreadableFileError(
        f"{name!r} cannot be shown: {problem.kind}{problem.detail and f' ({problem.detail})'}.{lines}"
    )


class Files:
    """The files of the roots of one index.

    Args:
        index: knows the files.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._roots = index.roots

    def found(self, path: str, base: Path) -> Path | None:
        """Returns the place of a path, from the folder of a call on or from a root on; None where nothing is there."""
        try:
            return self._roots.resolve(from_word(path), base=self._folder(base))
        except FractalContextError:
            return None

    def is_folder(self, path: str, base: Path) -> bool:
        """Tells whether a path is that of a folder."""
        place = self.found(path.strip(), base)
        return place is not None and self._roots.is_folder(place)

    def is_spelt(self, name: str, base: Path) -> bool:
        """Tells whether a name is the path of a file, or of lines or a section of one."""
        ranged = line_range(name)
        places = (self.found(path, base) for path in (name, *(ranged or ())[:1]))
        is_file = any(place is not None and not self._roots.is_folder(place) for place in places)
        return is_file or self._section(name, base) is not None

    def _section(self, name: str, base: Path) -> tuple[str, int, int] | None:
        """Returns the path, and the first and last line, of a section of a document: `guide.md#setting-up`."""
        path, _, anchor = name.strip().partition("#")
        place = self.found(path, base) if anchor and is_prose(path) else None
        if place is None or self._roots.is_folder(place):
            return None
        listed = scan(place, roots=self._roots).files
        read = read_file(listed[0], roots=self._roots) if listed else None
        if read is None or isinstance(read, Problem):
            return None
        found = section(path, read.source.decode("utf-8", "replace").split("\n"), anchor)
        return (path, *found) if found else None

    def of_package(self, name: str, base: Path) -> str:
        """Returns the folder, or the file, that the name of a package means, by what manifests say; "" where it means none."""
        if not self._roots.is_folder(base):
            return ""
        listed = {file.path: file for file in scan(base, roots=self._roots).files}
        manifests = (
            (path, read.source)
            for path, file in listed.items()
            if says_a_package(path) and not isinstance(read := read_file(file, roots=self._roots), Problem)
        )
        for place in places_of_package(name, manifests):
            if place == ".":
                return "./"
            if self.is_folder(place, base):
                return f"{place}/"
            files = [path for path in listed if path == place or path.rpartition(".")[0] == place]
            if files:
                return min(files, key=len)
        return ""

    def spelt(self, name: str, base: Path) -> Match | None:
        """Returns the file, or the lines, that a bare name spells from the folder on; None where it spells none.

        A name without a slash and without an ending is a definition's before it is a file's.
        """
        if not is_spelt_like_a_path(name) and not name.startswith("."):
            return None
        try:
            return self.at(name, base)
        except (PathNotFoundError, InvalidArgumentError):
            return None

    def at(self, name: str, base: Path) -> Match:
        """Returns the file, or the lines, at a path, from the folder of a call on or from a root on.

        Raises:
            PathNotFoundError: nothing is there.
            InvalidArgumentError: it is a folder, the lines are no range, or the file has fewer.
            UnreadableFileError: the file cannot be shown.
            OutsideRootsError: the path leads out of the roots.
        """
        folder = self._folder(base)
        first, last = 1, 0
        try:
            found = self._roots.resolve(name, base=folder)
        except PathNotFoundError:
            ranged = line_range(name) or self._section(name, base)
            if ranged is None:
                raise
            path, first, last = ranged
            found = self._roots.resolve(path, base=folder)
            check_range(name, first, last)
        if self._roots.is_folder(found):
            raise InvalidArgumentError(f"{name!r} is a folder; zoom {name.rstrip('/') + '/'!r} for its map.")
        listed = scan(found, roots=self._roots)
        read = read_file(listed.files[0], roots=self._roots) if listed.files else listed.problems[0]
        if isinstance(read, Problem) and read.kind is ProblemKind.TOO_LARGE and last and listed.files:
            return self._some(listed.files[0], self._roots.address(found), first, last)
        if isinstance(read, Problem):
            raise _unreadable(name, read)
        return self._lines(listed.files[0], read, self._roots.address(found), first, last)

    def _some(self, file: ScannedFile, path: str, first: int, last: int) -> Match:
        """Some lines of a file that is too large to be read whole; as many of them as are read at once."""
        read = read_lines(file, first, last, roots=self._roots)
        if isinstance(read, Problem):
            raise _unreadable(path, read)
        if not read.count:
            told = f"has {read.number} lines; there is no line" if read.number < first else "has too much in line"
            raise InvalidArgumentError(f"{path!r} {told} {first}.")
        served = redacted_file(read.file) if self._index.redact else RedactedFile(file=read.file)
        lines = served.file.source.split(b"\n")
        text = b"\n".join(lines[read.first : read.first + read.count]) + b"\n"
        start = sum(map(len, lines[: read.first])) + read.first
        last = first + read.count - 1
        return Match(
            path=path,
            first_line=first,
            last_line=last,
            title="",
            target=f"file={path}:{first}-{last}",
            text=text.decode("utf-8", "replace"),
            md5="",
            redacted=served.touches(start, start + len(text)),
        )

    def ending(self, name: str, base: Path) -> list[Match]:
        """Returns the files whose path ends as a name does, or which are the module that it spells, or lines or sections of them."""
        listed = {file.path: file for file in scan(base, roots=self._roots).files}
        path, _, anchor = name.strip().partition("#")
        if not anchor or not is_prose(path):
            return self._matches_at(places_ending(name, [*listed]), listed)
        sections = (
            (place, found)
            for place, *_ in places_ending(path, [*listed])
            if (found := self._section(f"{place}#{anchor}", base)) is not None
        )
        return self._matches_at([Place(place, first, last) for place, (_, first, last) in sections], listed)

    def modules(self, name: str, base: Path, *, where: str) -> list[Match]:
        """Returns the files that are a module.

        Raises:
            SymbolNotFoundError: there is none; its suggestions exist. `where` says in which folder.
        """
        listed = {file.path: file for file in scan(base, roots=self._roots).files}
        if matches := self._matches_at(modules(name, [*listed]), listed):
            return matches
        close = [f"file={listed[path].address}" for path in modules_like(name, [*listed])]
        raise not_found("module", name, close, where=where)

    def _folder(self, base: Path) -> Path:
        return base if self._roots.is_folder(base) else base.parent

    def _matches_at(self, places: Sequence[Place], files: Mapping[str, ScannedFile]) -> list[Match]:
        return [
            self._lines(files[path], read, files[path].address, first, last)
            for path, first, last in places
            if not isinstance(read := read_file(files[path], roots=self._roots), Problem)
        ]

    def _lines(self, file: ScannedFile, read: SourceFile, path: str, first: int, last: int) -> Match:
        """Some lines of a file; `last` is 0 for its last."""
        served = redacted_file(read) if self._index.redact else RedactedFile(file=read)
        lines = served.file.source.split(b"\n")
        count = len(lines) - (lines[-1] == b"")
        if first > max(1, count):
            raise InvalidArgumentError(f"{path!r} has {count} lines; there is no line {first}.")
        last = min(last or count, count)
        text = b"\n".join(lines[first - 1 : last]) + (b"\n" if last < len(lines) else b"")
        start = sum(map(len, lines[: first - 1])) + first - 1
        return Match(
            path=path,
            first_line=first,
            last_line=last,
            title="",
            target=f"file={path}:{first}-{last}",
            text=text.decode("utf-8", "replace"),
            md5=read.md5,
            redacted=served.touches(start, start + len(text)),
            changed=self._index.shown.changed([(os.fspath(file.absolute), self._index.key(read))])[0],
        )
