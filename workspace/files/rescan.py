"""A scan that is remembered: is it still true, and which files have changed since?

To list a large folder anew takes longer than to look at the status of what is known. A file that comes, goes or is
renamed changes the folder that it lies in, so while no folder has changed, the listing is what it was, and only the
files' own stamps are compared. Whatever else decides on a listing (the files of ignore rules, git's index) is looked at
as well. In doubt the answer is no, and the folder is listed anew.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from workspace.cancellation import stop_if_cancelled
from workspace.files.scan import Scan, ScannedFile, scan, stamp_of
from workspace.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workspace.roots import Roots

SETTLED_NS: Final = 2_000_000_000
"""What was last touched less than this before it was looked at may change again without a new time."""

MOST_FOLDERS: Final = 8
"""Folders whose scans are remembered; the one that was not asked about for longest is forgotten."""

_RULE_FILES: Final = frozenset({".gitignore", ".ignore", ".contextignore"})
_GIT_STATE: Final = ("index", "info/exclude", "HEAD")
_MOST_UNLISTED: Final = 4096
_MOST_POINTER_BYTES: Final = 8192


class RememberedScan:
    """One folder's scan, and what must not have changed for it to be true.

    Args:
        base: a folder or a file inside the roots.
        roots: the allowed roots.

    Raises:
        OutsideRootsError: the base lies outside the roots.
        PathNotFoundError: the base does not exist.
    """

    def __init__(self, base: Path, roots: Roots) -> None:
        began = time.time_ns()
        self.scan = scan(base, roots=roots)
        self._looks = [_look(file) for file in self.scan.files]
        self._folders = _stamps(_folders(self.scan)) if base.is_dir() else {}
        newest = max((mtime or 0 for mtime in self._folders.values()), default=0)
        self._settled = base.is_dir() and newest <= began - SETTLED_NS

    def current(self) -> Scan | None:
        """Returns the scan with the stamps of now; None where the folder must be listed anew."""
        if not self._settled or self._folders != _stamps(self._folders):
            return None
        moved: dict[int, os.stat_result] = {}
        look = os.lstat
        try:
            for number, (place, stamp) in enumerate(self._looks):
                stop_if_cancelled()
                status = look(place)
                if (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns) != stamp:
                    moved[number] = status
        except OSError:
            return None
        if moved:
            files = list(self.scan.files)
            for number, status in moved.items():
                file = files[number]
                if not stat.S_ISREG(status.st_mode) or file.path.rpartition("/")[2] in _RULE_FILES:
                    return None
                files[number] = replace(file, size=status.st_size, stamp=stamp_of(status))
                self._looks[number] = _look(files[number])
            self.scan = replace(self.scan, files=tuple(files))
        return self.scan


def _look(file: ScannedFile) -> tuple[str, tuple[int, int, int, int]]:
    """Where a file lies, and its stamp, in the form that is compared fastest: there may be many."""
    stamp = file.stamp
    return os.fspath(file.absolute), (stamp.mtime_ns, stamp.size, stamp.inode, stamp.ctime_ns)


class RememberedScans:
    """Scans of the folders that are asked about again and again. It may be used by several threads.

    The first scan of a folder is only noted, and the second one remembered: who asks once pays for no memory.

    Args:
        roots: the allowed roots.
    """

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self._known: dict[str, RememberedScan | None] = {}
        self._lock = threading.Lock()

    def scan(self, base: Path) -> Scan:
        """Returns the scan of a folder, as `workspace.files.scan.scan` does.

        Raises:
            OutsideRootsError: the base lies outside the roots.
            PathNotFoundError: the base does not exist.
        """
        place = os.fspath(base)
        with self._lock:
            was_asked, known = place in self._known, self._known.get(place)
        found = known.current() if known is not None else None
        if found is None:
            known = RememberedScan(base, self._roots) if was_asked else None
            found = known.scan if known is not None else scan(base, roots=self._roots)
        with self._lock:
            self._known.pop(place, None)
            self._known[place] = known
            while len(self._known) > MOST_FOLDERS:
                del self._known[next(iter(self._known))]
        return found


def _folders(found: Scan) -> list[str]:
    """The folders of the listing, those that lie in them and have nothing listed, and what git decides by."""
    base = os.fspath(found.base)
    folders: set[str] = {base}
    for file in found.files:
        folder = os.path.dirname(file.absolute)  # noqa: PTH120 - a Path for each of 25000 files takes too long
        while folder not in folders and folder.startswith(base):
            folders.add(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120 - as above
    unlisted = [inner for folder in folders for inner in _inside(folder) if inner not in folders]
    for folder in unlisted:
        if len(unlisted) < _MOST_UNLISTED:
            unlisted += _inside(folder)
    rules = [f"{folder}/{name}" for folder in _upwards(base) for name in _RULE_FILES]
    git = _git_folder(base)
    return [*folders, *unlisted, *rules, *(f"{git}/{name}" for name in _GIT_STATE if git)]


def _inside(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != ".git"]
    except OSError:
        return []


def _git_folder(base: str) -> str:
    """Where git keeps what it knows of a folder; "" where it knows nothing."""
    place = next((f"{folder}/.git" for folder in _upwards(base) if os.path.lexists(f"{folder}/.git")), "")
    linked = _pointer(place) if place else ""  # of a work tree that is not the first
    return os.path.normpath(os.path.join(os.path.dirname(place), linked)) if linked else place  # noqa: PTH118, PTH120 - as above


def _pointer(place: str) -> str:
    """The folder that a file in the place of a `.git` folder names; "" where it is no such file."""
    try:
        if not stat.S_ISREG(os.stat(place).st_mode):  # noqa: PTH116 - a path of the system
            return ""
        with open(place, "rb") as file:  # noqa: PTH123 - as above
            first = file.read(_MOST_POINTER_BYTES).partition(b"\n")[0]
    except OSError:
        return ""
    return "" if b"\0" in first else path_of(first.removeprefix(b"gitdir:").strip())


def _upwards(folder: str) -> Iterable[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120 - as above
        if above == folder:
            return
        folder = above


def _stamps(folders: Iterable[str]) -> dict[str, int | None]:
    stamps: dict[str, int | None] = {}
    for folder in folders:
        stop_if_cancelled()
        try:
            stamps[folder] = os.stat(folder).st_mtime_ns  # noqa: PTH116 - as above
        except OSError:
            stamps[folder] = None
    return stamps
