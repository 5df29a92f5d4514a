"""The allowed roots: the one gate that every path of a caller goes through.

A path is taken as the caller wrote it, its links are followed to the end, and only then is it asked whether the place
lies inside a root, component by component, so that neither `..`, nor a link, nor a folder with a similar name
(`/work/repo-old` beside `/work/repo`) leads out. What lies outside is refused in one way, whether or not anything is
there: the answer must not tell what the disk holds. That something does not exist is said only of places inside.
"""

from __future__ import annotations

import os
import re
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from workspace.addresses import as_path
from workspace.errors import InvalidArgumentError, OutsideRootsError, PathNotFoundError
from workspace.paths import shown, slashed, unshown
from workspace.windows import IS_WINDOWS, misread, share, without_prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_PATH_BYTES = 4096
_QUOTED_CHARACTERS = 200


_WILD = re.compile(r"[*?]")
_QUALIFIED = re.compile(r"(?!\w+\.(?:jsonl?|log|md|txt)\Z)[^\W\d]\w*(?:\.[^\W\d]\w*)+")
"""A text that is the name of a definition, more likely than a path."""

_TRIES = 8
"""A link is followed so often while something else keeps replacing it."""


class Roots:
    """The folders that may be read, links in their own paths already followed.

    Attributes:
        paths: the real absolute folders, in the order given, each once.
    """

    __slots__ = ("_beginnings", "paths")

    paths: tuple[Path, ...]

    def __init__(self, roots: Iterable[Path | str]) -> None:
        found: dict[Path, None] = {}
        for root in roots:
            text = os.fspath(root)
            _check(text)
            real = _real(text)
            if not real.is_dir():
                raise InvalidArgumentError(f"The root {_quoted(text)} is not a folder; name one that exists.")
            found[real] = None
        if not found:
            raise InvalidArgumentError("No root is given; name at least one folder with --root.")
        self._take(found)

    def _take(self, folders: Iterable[Path]) -> None:
        self.paths = tuple(folders)
        self._beginnings = tuple(f"{os.fspath(root).rstrip('/')}/" for root in self.paths)

    @property
    def tried(self) -> tuple[Path, ...]:
        """The folders that a relative path may be meant from, in the order in which they are tried."""
        return self.paths

    @property
    def listed(self) -> str:
        """Those folders, as they are told to callers."""
        return ", ".join(map(_told, self.tried))

    def holds(self, real_path: Path) -> bool:
        """Tell whether a real absolute path (links followed, no `..`) is a root or lies inside one."""
        return ".." not in real_path.parts and any(real_path.is_relative_to(root) for root in self.paths)

    def holds_place(self, place: str) -> bool:
        """Tell the same of a real absolute path as the system itself writes it, with "/" and without empty parts.

        It is asked of every file that is opened, so no path is taken apart for it.
        """
        closed = f"{place}/"
        return closed.startswith(self._beginnings) and "/../" not in closed

    def is_folder(self, real_path: Path) -> bool:
        """Tell whether a folder lies at a real absolute path."""
        return real_path.is_dir()

    def current(self) -> tuple[Path, ...]:
        """Return the folders that are read now; raises nothing where one of them cannot be."""
        return self.paths

    def outermost(self, real_path: Path) -> Path:
        """Return the root with the shortest path that holds `real_path`.

        Raises:
            OutsideRootsError: no root holds it.
        """
        holding = [root for root in self.paths if self.holds(real_path) and real_path.is_relative_to(root)]
        if not holding:
            raise self._outside(os.fspath(real_path))
        return min(holding, key=lambda root: len(root.parts))

    def address(self, real_path: Path) -> str:
        """Return the path from its root on: of several roots that hold it the first one's; "" for the root itself.

        Raises:
            OutsideRootsError: no root holds it.
        """
        for root in self.paths:
            if real_path.is_relative_to(root):
                return "" if real_path == root else shown(real_path.relative_to(root).as_posix())
        raise self._outside(os.fspath(real_path))

    def resolve(self, path: str, *, base: Path | None = None) -> Path:
        """Return the real absolute path of an existing file or folder inside a root.

        An absolute path must lie inside a root. A relative one is tried against `base`, then against each root, and
        the first place that exists is taken. A path in the escaped form of `workspace.paths.shown` is understood where
        nothing has the name as it stands. `~` is not expanded; a `file:` address is the path in it.

        Args:
            path: what the caller wrote, at most 4096 bytes.
            base: the folder that a relative path is tried against first.

        Raises:
            InvalidArgumentError: the path is empty, too long, holds a NUL, cannot be a file name, or begins with `~`.
            OutsideRootsError: the path leads out of the roots, whether or not anything is there.
            PathNotFoundError: the path stays inside the roots and nothing is there.
        """
        path = as_path(path)
        _check(path)
        inside = False
        missed: list[Path] = []
        for spelling in dict.fromkeys((path, unshown(path))):
            told = not IS_WINDOWS or spelling == path  # what looks like an escape is mostly a separator there
            for candidate in self._candidates(spelling, base):
                if IS_WINDOWS and not self._may_be_looked_at(candidate):
                    inside = inside or (told and self.holds(Path(os.path.normpath(candidate))))
                    continue
                try:
                    real = self._real(candidate)
                except OSError:
                    continue
                if not self.holds(real):
                    continue
                inside = inside or told
                if self._exists(real):
                    return real
                missed.append(real)
        if inside:
            raise PathNotFoundError(
                f"{_quoted(path)} does not exist inside the allowed roots", hint=partial(self._hint, path, missed)
            )
        raise self._outside(path)

    def _hint(self, path: str, missed: Sequence[Path]) -> str:
        """The rest of a sentence that a path does not exist: the root that is gone, or all of several, and what was meant."""
        gone = next((root for root in self.tried if not self._exists(root)), None)
        if gone is not None:
            return f": {_told(gone)} is not there any more. Start with another --root, or bring it back."
        from workspace.slips import near  # for mistakes alone

        several = f" ({self.listed})" if len(self.tried) > 1 else ""
        if _WILD.search(path):
            return f"{several}. A path is no pattern; give that as `include`."
        slashes = [self._real(one) for one in self._candidates(slashed(path.replace("\\", "/")), None)]
        there = (one for one in slashes if "\\" in path and self.holds(one) and self._exists(one))
        slips = filter(None, (near(one, self.holds) for one in missed))
        found = next(chain(there, self._behind_its_name(path), slips), None)
        root = next((_told(one) for one in self.tried if one.name == path), "")
        meant = self.address(found) if found is not None else root
        return f"{several}. " + (f"Did you mean '{meant}'?" if meant else _other_form(path))

    def _behind_its_name(self, path: str) -> Iterator[Path]:
        """The places of a path that begins with the name of a root, as where it is written from the folder above."""
        name, _, rest = path.removeprefix("./").partition("/")
        for root in self.tried if rest.strip("/") else ():
            place = root / rest.lstrip("/")
            if root.name == name and (not IS_WINDOWS or self._may_be_looked_at(place)):
                real = self._real(place)
                if self.holds(real) and self._exists(real):
                    yield real

    def _real(self, candidate: Path) -> Path:
        return _real(candidate)

    def _exists(self, real: Path) -> bool:
        return _exists(real)

    def _may_be_looked_at(self, candidate: Path) -> bool:
        """Tells whether Windows opens what a path spells, and only where a root lies: it logs in at other machines."""
        text = os.fspath(candidate)
        near = {share(os.fspath(root)) for root in self.paths} | {""}
        return not misread(text) and share(text) in near

    def _candidates(self, path: str, base: Path | None) -> Iterator[Path]:
        if IS_WINDOWS:
            path = without_prefix(path)
        if Path(path).is_absolute():
            yield Path(path)
            return
        if base is not None:
            yield base / path
        for root in self.paths:
            yield root / path

    def _outside(self, path: str) -> OutsideRootsError:
        if not self.paths:
            return OutsideRootsError(
                "No folder may be read: none was named, and the home folder, what holds it and the whole disk are not taken"
                " without a word. Start with --root and a folder, or in the folder of the project."
            )
        allowed = ", ".join(map(_told, self.paths))
        return OutsideRootsError(
            f"{_quoted(path)} lies outside the allowed roots ({allowed}); "
            "to allow it, start with --root and the folder that holds it."
        )


class UnnamedRoots(Roots):
    """The roots of a process that nobody has named any for: the folder it runs in, until its client declares others.

    A folder that is too wide is never one of them, so there may be none.

    Args:
        folder: the working directory.
    """

    __slots__ = ("_own",)

    def __init__(self, folder: Path) -> None:
        real = _real(folder)
        self._own = () if is_too_wide(real) else (real,)
        self._take(self._own)

    def declare(self, folders: Iterable[str]) -> list[str]:
        """Takes the folders that a client declares instead, links in their paths followed.

        Args:
            folders: absolute paths; where none of them can be taken, the folder of the process is read, and none declared before.

        Returns:
            Those that were passed over: they are no folders, or too wide.
        """
        taken: dict[Path, None] = {}
        passed: list[str] = []
        for folder in folders:
            try:
                _check(folder)
                real = _real(folder)
                is_taken = real.is_dir() and not is_too_wide(real)
            except (InvalidArgumentError, OSError):
                passed.append(folder)
                continue
            if is_taken:
                taken[real] = None
            else:
                passed.append(folder)
        self._take(taken or self._own)
        return passed


def is_too_wide(folder: Path) -> bool:
    """Tell whether a real absolute folder is the whole disk, the user's home or what holds it."""
    if folder == folder.parent:
        return True
    try:
        return _real(Path.home()).is_relative_to(folder)
    except (RuntimeError, OSError):  # a user without a home
        return False


def _other_form(path: str) -> str:
    """The advice to who named something by a path at which nothing is, and nothing like it."""
    if "::" in path or _QUALIFIED.fullmatch(path):
        return "Check the spelling; if it is a definition, name it in `focus`, or zoom it."
    return "Check the spelling."


def _check(text: str) -> None:
    if not text:
        raise InvalidArgumentError("The path is empty; give a file or a folder, '.' for the root itself.")
    if "\0" in text:
        raise InvalidArgumentError("The path holds a NUL character, which no file name can.")
    try:
        size = len(os.fsencode(text))
    except UnicodeEncodeError:
        raise InvalidArgumentError("The path holds half of a surrogate pair, which no file name can.") from None
    if size > MAX_PATH_BYTES:
        raise InvalidArgumentError(f"The path is {size} bytes long; at most {MAX_PATH_BYTES} are allowed.")
    if text.startswith("~"):
        raise InvalidArgumentError(
            f"{_quoted(text)} begins with '~', which is not expanded; write the folder out, "
            "or put './' before a name that truly begins so."
        )


def _real(path: Path | str) -> Path:
    """The real path of what may not exist; a link that is replaced while it is followed is followed anew.

    Raises:
        OSError: it was replaced each time.
    """
    for _ in range(_TRIES - 1):
        try:
            return Path(os.path.realpath(path))
        except OSError:
            continue
    return Path(os.path.realpath(path))


def _exists(real: Path) -> bool:
    try:
        real.lstat()
    except OSError:
        return False
    # A chain of links that never ends is left unresolved: there is nothing to read at its end.
    return not real.is_symlink()


def _told(root: Path) -> str:
    return shown(slashed(os.fspath(root)))


def _quoted(path: str) -> str:
    text = shown(slashed(path))
    return f"'{text}'" if len(text) <= _QUOTED_CHARACTERS else f"'{text[:_QUOTED_CHARACTERS]}…'"
