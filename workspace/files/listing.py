"""The paths below a folder that belong to it: git's list in a work tree, a walk with ignore files elsewhere.

Both find every path that is no folder, links and sockets included; what they are is for `workspace.files.scan` to say. A
work tree may hold others (submodules, nested repositories), and a plain folder may hold work trees: each part is listed
by its own rule. A `.contextignore` (gitignore syntax, at every depth) holds in both cases, and the ones between the
allowed root and the folder hold too. Folder links are never followed; the folders in which version control systems keep
their own things are never entered.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.files.ignore import MAX_IGNORE_BYTES, IgnoreTree
from workspace.files.opening import Refusal, read_regular
from workspace.git.files import git_list, in_work_tree
from workspace.git.revisions import is_in_revision, revision_at
from workspace.git.running import GIT_SECONDS
from workspace.model import Problem, ProblemKind
from workspace.paths import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from workspace.git.revisions import Revision
    from workspace.roots import Roots

GIT_IGNORE = ".gitignore"
CONTEXT_IGNORE = ".contextignore"
_NO_NAMES = frozenset({"", ".", ".."})
VERSION_CONTROL_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", "_darcs", "CVS"})


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The paths that lie below a folder.

    Attributes:
        paths: relative to the folder, as the system gives them, no folders, each once, in no order.
        problems: folders and ignore files that could not be read, and work trees that git would not list.
    """

    paths: tuple[str, ...]
    problems: tuple[Problem, ...]


def list_paths(base: str, *, roots: Roots, prunes: Callable[[str], bool]) -> Listing:
    """Return the paths below `base`.

    Args:
        base: the folder, a real absolute path.
        roots: the outermost root that holds the base is where ignore files begin to be obeyed.
        prunes: tells of a folder, relative to `base`, that nothing below it is wanted, so that it is not walked.
    """
    lister = _Lister(base, roots, prunes)
    found = revision_at(base)
    if found is None:
        lister.list_folder("", as_work_tree=in_work_tree(base))
    else:
        lister.list_commit(*found)
    return Listing(paths=tuple(dict.fromkeys(lister.paths)), problems=tuple(lister.problems))


class _Lister:
    """One listing on its way."""

    def __init__(self, base: str, roots: Roots, prunes: Callable[[str], bool]) -> None:
        self.paths: list[str] = []
        self.problems: list[Problem] = []
        self._base = base
        self._roots = roots
        self._top = top = os.fspath(roots.outermost(Path(base)))
        self._prunes = prunes
        self._above = os.path.relpath(base, top).replace(os.sep, "/") if base != top else ""
        self._git_rules = IgnoreTree(self._reader(GIT_IGNORE), self._above)
        self._context_rules = IgnoreTree(self._reader(CONTEXT_IGNORE), self._above)
        self._straight: dict[str, bool] = {"": True}
        self._seconds_for_git = GIT_SECONDS

    def list_folder(self, folder: str, *, as_work_tree: bool) -> None:
        """List what lies in `folder`, relative to the base, and in the folders below it."""
        waiting = [(folder, as_work_tree)]
        while waiting:
            stop_if_cancelled()
            folder, as_work_tree = waiting.pop()
            listed = self._from_git(folder) if as_work_tree else None
            waiting.extend(self._walked(folder) if listed is None else listed)

    def list_commit(self, revision: Revision, folder: str) -> None:
        """List what lies in a folder of a commit: all of it is tracked, so no rule of git leaves any out."""
        for path in revision.paths(folder):
            if VERSION_CONTROL_FOLDERS.isdisjoint(path.split("/")[:-1]) and not self._context_ignores(
                path, is_folder=False
            ):
                self.paths.append(path)
        inside = f"{folder}/" if folder else ""
        for place in revision.damaged:
            if place.startswith(inside) or place == folder:
                detail = "the folder cannot be listed (its object in the repository is missing or damaged)"
                told = shown(place.removeprefix(inside)) if place != folder else "."
                self.problems.append(Problem(path=told, kind=ProblemKind.UNREADABLE, detail=detail))

    def _from_git(self, folder: str) -> list[tuple[str, bool]] | None:
        """Take git's list of a folder; return the folders in it that git leaves to us, None if there is no list."""
        began = time.monotonic()
        answer = git_list(self._absolute(folder), seconds=self._seconds_for_git)
        self._seconds_for_git -= time.monotonic() - began  # of all work trees in the folder together
        if answer.paths is None:
            if answer.refusal:
                detail = f"{answer.refusal}; the folder was walked instead, obeying its ignore files"
                self.problems.append(Problem(path=shown(folder) or ".", kind=ProblemKind.UNREADABLE, detail=detail))
            return None
        folders: list[tuple[str, bool]] = []
        for listed in answer.paths:
            stop_if_cancelled()
            if not _NO_NAMES.isdisjoint(listed.rstrip("/").split("/")):
                continue  # a damaged index may say so; the folder itself would be listed without an end
            path = _joined(folder, listed.rstrip("/"))
            above = path.rpartition("/")[0]
            if not self._is_straight(above) or not VERSION_CONTROL_FOLDERS.isdisjoint(above.split("/")):
                continue
            if self._is_folder(path):
                if not self._context_ignores(path, is_folder=True):
                    folders.append((path, os.path.lexists(self._absolute(path) + "/.git")))
            elif not self._context_ignores(path, is_folder=False):
                self.paths.append(path)
        return folders

    def _walked(self, folder: str) -> list[tuple[str, bool]]:
        """Take what a folder itself holds; return the folders in it."""
        try:
            with os.scandir(self._absolute(folder)) as entries:
                held = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            detail = f"the folder cannot be listed ({error.strerror})"
            self.problems.append(Problem(path=shown(folder) or ".", kind=ProblemKind.UNREADABLE, detail=detail))
            return []
        folders: list[tuple[str, bool]] = []
        for name, is_folder in held:
            path = _joined(folder, name)
            if name == ".git" or (is_folder and name in VERSION_CONTROL_FOLDERS):
                continue
            if self._git_ignores(path, is_folder=is_folder) or self._context_ignores(path, is_folder=is_folder):
                continue
            if not is_folder:
                self.paths.append(path)
            elif not self._prunes(path):
                folders.append((path, os.path.lexists(self._absolute(path) + "/.git")))
        return folders

    def _git_ignores(self, path: str, *, is_folder: bool) -> bool:
        return self._git_rules.ignores(_joined(self._above, path), is_folder=is_folder)

    def _context_ignores(self, path: str, *, is_folder: bool) -> bool:
        return self._context_rules.ignores(_joined(self._above, path), is_folder=is_folder)

    def _is_straight(self, folder: str) -> bool:
        """Tell whether no folder on the way is a link by now: the index may still list files that lie behind one."""
        unknown: list[str] = []
        while (known := self._straight.get(folder)) is None:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        for below in reversed(unknown):
            is_link = os.path.islink(self._absolute(below))  # noqa: PTH114 - a Path for each of many folders
            known = self._straight[below] = known and not is_link
        return known

    def _is_folder(self, path: str) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(self._absolute(path)).st_mode)
        except OSError:
            return False

    def _absolute(self, path: str) -> str:
        return _joined(self._base, path) if path else self._base

    def _reader(self, name: str) -> Callable[[str], bytes]:
        def read(folder: str) -> bytes:
            absolute = _joined(_joined(self._top, folder) if folder else self._top, name)
            if not is_in_revision(absolute) and not os.path.lexists(absolute):
                return b""
            content = read_regular(absolute, roots=self._roots, max_bytes=MAX_IGNORE_BYTES)
            if not isinstance(content, Refusal):
                return content.raw
            if is_in_revision(absolute) and content.detail == os.strerror(errno.ENOENT):
                return b""
            path = shown(os.path.relpath(absolute, self._base).replace(os.sep, "/"))
            detail = f"{content.detail}; the rules in it are not obeyed"
            self.problems.append(Problem(path=path, kind=content.kind, detail=detail))
            return b""

        return read


def _joined(folder: str, name: str) -> str:
    if not folder:
        return name
    return f"{folder}{name}" if folder.endswith("/") else f"{folder}/{name}"
