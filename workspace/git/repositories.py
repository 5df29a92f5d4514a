"""Repositories by their names: `repo://team/name@revision:path` is a place that may be read.

A name stands for a folder of this machine, or for a repository of git at a revision. What is asked of a revision is read
from git's objects (`workspace.git.revisions`); a folder without one is read as it is on the disk. Nobody who asks learns
where a folder lies, nor which other names there are: a name that is not among these does not exist.
"""

from __future__ import annotations

import os
import re
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from workspace.errors import FractalContextError, InvalidArgumentError, OutsideRootsError, PathNotFoundError
from workspace.git.revisions import (
    PLACE,
    SEPARATOR,
    Repository,
    is_bare,
    is_in_revision,
    keeps_inside,
    opened,
    revision_at,
)
from workspace.paths import shown
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SCHEME: Final = "repo://"
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_MOST_TOLD: Final = 20
_LONGEST_TOLD: Final = 200
_DEPTH: Final = 3
"""Parts of a place in a commit before its path: the repository, the commit, and the name of the folder."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A repository that has a name.

    Attributes:
        name: as in `team/name`.
        folder: where it lies.
        revision: what is read where nobody names another; "" for the folder as it is, or `HEAD` of a bare repository.
        shared: whether objects that it borrows from another repository are read.
    """

    name: str
    folder: Path
    revision: str = ""
    shared: bool = False

    @property
    def title(self) -> str:
        """The name of its folder."""
        return self.name.rpartition("/")[2].removesuffix(".git") or "repository"


def is_name(text: str) -> bool:
    """Tells whether a text is of the form of a name."""
    return _NAME.fullmatch(text) is not None


def named_of(text: str) -> Named:
    """Reads `team/name=FOLDER` or `team/name=FOLDER@revision`; a folder of exactly that spelling comes first.

    Raises:
        InvalidArgumentError: it is not written so, or there is no such folder.
    """
    name, sign, place = text.partition("=")
    if not sign or not _NAME.fullmatch(name) or not place:
        raise InvalidArgumentError(
            f"{text!r} is no repository with a name; write team/name=FOLDER or team/name=FOLDER@REVISION."
        )
    folder, revision = Path(place), ""
    if not folder.is_dir() and "@" in place:
        before, _, revision = place.rpartition("@")
        folder = Path(before)
    if not folder.is_dir():
        raise InvalidArgumentError(f"The folder of {name} does not exist; give an existing one.")
    return Named(name=name, folder=Path(os.path.realpath(folder)), revision=revision)


class NamedRoots(Roots):
    """Roots that are asked for by names.

    Args:
        repositories: those with names.
        folders: others, as in `Roots`; their paths are told to readers.
        is_private: whether a work tree may keep its objects nowhere but in itself, as where others own what lies beside.

    Attributes:
        names: in the order given.

    Raises:
        InvalidArgumentError: a name is given twice, or a folder cannot be read as it has to be.
    """

    __slots__ = ("_by_name", "_folders", "_is_private", "_objects", "names")

    def __init__(
        self, repositories: Iterable[Named], folders: Iterable[Path | str] = (), *, is_private: bool = False
    ) -> None:
        self._is_private = is_private
        self._by_name: dict[str, Named] = {}
        self._objects: dict[str, Repository] = {}
        for one in repositories:
            if one.name in self._by_name:
                raise InvalidArgumentError(f"Two repositories have the name {one.name}.")
            self._by_name[one.name] = one
            if one.revision or is_bare(one.folder):
                self._repository(one)
        self.names = tuple(self._by_name)
        self._folders = Roots(folders).paths if (folders := [*folders]) else ()
        on_disk = [one.folder for one in self._by_name.values() if not one.revision and not is_bare(one.folder)]
        self._take(dict.fromkeys([*self._folders, *on_disk]))

    def __reduce__(self) -> tuple[Callable[..., NamedRoots], tuple[tuple[Named, ...], tuple[Path, ...]]]:
        return partial(NamedRoots, is_private=self._is_private), (tuple(self._by_name.values()), self._folders)

    @property
    def tried(self) -> tuple[Path, ...]:
        """The folders that a relative path may be meant from: those without a name."""
        return self._folders

    # Where a place is

    def holds(self, real_path: Path) -> bool:
        """Tell whether a real absolute path is a root or lies inside one."""
        place = os.fspath(real_path)
        return self._is_ours(place) if is_in_revision(place) else super().holds(real_path)

    def holds_place(self, place: str) -> bool:
        """Tell the same of a place as the system itself writes it."""
        return self._is_ours(place) if is_in_revision(place) else super().holds_place(place)

    def is_folder(self, real_path: Path) -> bool:
        """Tell whether a folder lies at a real absolute path."""
        found = revision_at(os.fspath(real_path))
        if found is None:
            return super().is_folder(real_path)
        try:
            return stat.S_ISDIR(found[0].lstat(found[1]).st_mode)
        except OSError:
            return False

    def outermost(self, real_path: Path) -> Path:
        """Return the root with the shortest path that holds `real_path`; raises OutsideRootsError where none does."""
        root = _root_of(real_path)
        return super().outermost(real_path) if root is None or not self.holds(real_path) else root

    def address(self, real_path: Path) -> str:
        """Return the path from its root on, "" for the root itself; raises OutsideRootsError where none holds it."""
        root = _root_of(real_path)
        if root is None or not self.holds(real_path):
            return super().address(real_path)
        return "" if real_path == root else shown(real_path.relative_to(root).as_posix())

    def current(self) -> tuple[Path, ...]:
        """Return the folders that are read now, each repository at the revision that it shows by itself."""
        found = list(self._folders)
        for one in self._by_name.values():
            try:
                found.append(self._base(one, ""))
            except FractalContextError:
                continue  # it has no commit yet, or is damaged
        return tuple(dict.fromkeys(found))

    def _is_ours(self, place: str) -> bool:
        number = place[len(PLACE) + 1 :].partition(SEPARATOR)[0]
        return any(one.number == number for one in self._objects.values()) and ".." not in place.split(SEPARATOR)

    # What a caller names

    def resolve(self, path: str, *, base: Path | None = None) -> Path:
        """Return the real absolute path of an existing file or folder inside a root.

        Beside what `Roots.resolve` takes, `repo://team/name`, with `@revision` and `:path` behind it. A relative path
        is one of the repository of `base`; without a base, of the only one there is.

        Raises:
            InvalidArgumentError: the path or the revision is not of its form, or there is no telling whose path it is.
            OutsideRootsError: the path leads out of the roots, whether or not anything is there.
            PathNotFoundError: there is no such name, revision or file.
        """
        found = self._resolved(path, base)
        if self._is_private and not is_in_revision(os.fspath(found)):
            self._check_own(found)
        return found

    def _resolved(self, path: str, base: Path | None) -> Path:
        if not path.startswith(SCHEME):
            return super().resolve(path, base=base)
        if "\0" in path:
            raise InvalidArgumentError("The path holds a NUL character, which no file name can.")
        named, revision, below = self._parsed(path)
        root = self._base(named, revision)
        if below.startswith(("/", "\\")):
            raise OutsideRootsError(f"{_quoted(path)} leaves its repository; write a path from the top of it on.")
        return super().resolve(below or ".", base=root) if _is_plain(below) else self._outside_of(path)

    def suggested(self, typed: str) -> list[str]:
        """Returns the names, or behind a name the revisions, that a beginning may be meant to become."""
        head, at, beginning = typed.removeprefix(SCHEME).partition("@")
        if not typed.startswith(SCHEME) or not at:
            return [f"{SCHEME}{name}" for name in sorted(self.names) if f"{SCHEME}{name}".startswith(typed)]
        known = self._by_name.get(head)
        try:
            names = self._repository(known).names() if known is not None else []
        except InvalidArgumentError:  # a folder without a repository has no revisions
            return []
        return [f"{SCHEME}{head}@{name}" for name in names if name.startswith(beginning)]

    def _candidates(self, path: str, base: Path | None) -> Iterator[Path]:
        if Path(path).is_absolute():
            yield Path(path)
            return
        if base is not None:
            yield base / path
            yield (_root_of(base) or self.outermost(base)) / path
            return
        for folder in self._folders:
            yield folder / path
        if len(self.names) == 1:
            yield self._base(self._by_name[self.names[0]], "") / path
        elif not self._folders:
            raise InvalidArgumentError(f"{_quoted(path)} may be of any repository; {self._told()}.")

    def _real(self, candidate: Path) -> Path:
        found = revision_at(os.fspath(candidate))
        return super()._real(candidate) if found is None else Path(found[0].real(os.fspath(candidate)))

    def _exists(self, real: Path) -> bool:
        found = revision_at(os.fspath(real))
        if found is None:
            return super()._exists(real)
        try:
            return not stat.S_ISLNK(found[0].lstat(found[1]).st_mode)
        except OSError:
            return False

    def _parsed(self, path: str) -> tuple[Named, str, str]:
        """A repository, a revision and a path in it, of `repo://name@revision:path`."""
        text = path.removeprefix(SCHEME)
        head, _, below = text.partition(":")
        name, at, revision = head.partition("@")
        named = self._by_name.get(name)
        if named is None:
            raise PathNotFoundError(f"{_quoted(path)} names no repository that may be read; {self._told()}.")
        if at and not revision:
            raise InvalidArgumentError(
                f"{_quoted(path)} names no revision; write one behind the @, or leave the @ out."
            )
        return named, revision, below

    def _base(self, named: Named, revision: str) -> Path:
        """The root that a name stands for at a revision."""
        wanted = revision or named.revision or ("HEAD" if is_bare(named.folder) else "")
        if not wanted:
            return named.folder
        repository = self._repository(named)
        return Path(opened(repository, repository.commit(wanted), named.title).root)

    def _repository(self, named: Named) -> Repository:
        known = self._objects.get(named.name)
        if known is None:
            try:
                known = self._objects[named.name] = Repository(named.folder, shared=named.shared)
            except InvalidArgumentError as error:
                if named.shared:  # whoever asks has named the folder
                    raise
                # The name is known to who asks, and the folder is not to be.
                raise InvalidArgumentError(str(error).replace(shown(str(named.folder)), named.name)) from error
        return known

    def _check_own(self, place: Path) -> None:
        """Refuses a place that git would tell something else's history of: its repository lies elsewhere."""
        root = self.outermost(place)
        for folder in (place, *place.parents):
            if os.path.lexists(folder / ".git") and not keeps_inside(folder / ".git", root):
                raise OutsideRootsError("The repository of this folder lies elsewhere, which is not read.")
            if folder == root:
                return

    def _told(self) -> str:
        names = [f"{SCHEME}{name}" for name in self.names[:_MOST_TOLD]]
        more = f" and {len(self.names) - _MOST_TOLD} more" if len(self.names) > _MOST_TOLD else ""
        return f"name one of {', '.join(names)}{more}" if names else "none is open to you"

    def _outside_of(self, path: str) -> Path:
        raise OutsideRootsError(f"{_quoted(path)} leads out of its repository; write a path from the top of it on.")

    def _outside(self, path: str) -> OutsideRootsError:
        if self._folders:
            return super()._outside(path)
        return OutsideRootsError(f"{_quoted(path)} lies outside what may be read; {self._told()}.")


def _is_plain(below: str) -> bool:
    return not Path(below).is_absolute() and not is_in_revision(below)


def _root_of(place: Path) -> Path | None:
    """The root of a place in a commit; None for a place on the disk."""
    text = os.fspath(place)
    if not is_in_revision(text):
        return None
    return Path(PLACE, *text[len(PLACE) + 1 :].split(SEPARATOR)[:_DEPTH])


def _quoted(path: str) -> str:
    text = shown(path)
    return f"'{text}'" if len(text) <= _LONGEST_TOLD else f"'{text[:_LONGEST_TOLD]}…'"
