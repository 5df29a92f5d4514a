"""Remembers a scan, and tells whether it is still true and which files have changed since.

To list a large folder anew takes longer than to look at the status of what is known. A file that comes, goes or is
renamed changes the folder that it lies in, so while no folder has changed, the listing is what it was, and only the
files' own stamps are compared. Whatever else decides on a listing (the files of ignore rules, git's index) is looked at
as well. In doubt the answer is no, and the folder is listed anew.

Where the system tells of changes (`workspace.files.watching`) the folders are not looked at from the third call on: only
what it has told of is, and the few files that more than one name leads to.
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
from workspace.files.watching import FolderWatch, UnwatchableError
from workspace.git.revisions import is_in_revision
from workspace.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workspace.roots import Roots

SETTLED_NS: Final = 2_000_000_000
"""The rest after which a time can be trusted: what was touched later may change again without a new time."""

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
        self._stands = is_in_revision(os.fspath(base))
        watched, beside = _folders(self.scan) if base.is_dir() else ([], [])
        self._folders = _stamps(watched)
        self._beside = _stamps(beside)
        newest = max((mtime or 0 for mtime in (self._folders | self._beside).values()), default=0)
        self._settled = base.is_dir() and newest <= began - SETTLED_NS
        self._watch: FolderWatch | None = None
        self._unwatchable = False
        self._lock = threading.Lock()  # of what follows; never held while a file is looked at
        self._turn = 1
        self._all_since = 1
        """The turn since which everything has to be looked at; 0 where what is due is known."""
        self._due: dict[int, int] = {}
        """The files that were heard of and not looked at yet, each with the turn."""
        self._shared: frozenset[int] = frozenset()
        """Those that have more than one name: who writes through another one is not heard."""
        self._numbers: dict[str, int] = {}

    @property
    def is_watched(self) -> bool:
        """Tells whether the system tells of what changes."""
        return self._watch is not None

    def current(self) -> Scan | None:
        """Returns the scan with the stamps of now; None where the folder must be listed anew."""
        if self._stands:  # a commit is what it is
            return self.scan
        if not self._settled or self._beside != _stamps(self._beside):
            return None
        # Made before everything is looked at, so that no change falls in between.
        watch = self._new_watch() if self._watch is None else None
        with self._lock:
            self._hear()
            since, due = self._all_since, dict(self._due)
        if since and self._folders != _stamps(self._folders):
            return None
        if not self._caught_up(range(len(self._looks)) if since else {*due, *self._shared}, anew=bool(since)):
            return None
        with self._lock:
            self._due = {number: turn for number, turn in self._due.items() if due.get(number) != turn}
            self._watch = self._watch or watch
            if self._watch is not None and self._all_since == since:
                self._all_since = 0
            return self.scan

    def _new_watch(self) -> FolderWatch | None:
        if self._unwatchable:
            return None
        try:
            return FolderWatch(os.fspath(self.scan.base), [*self._folders])
        except UnwatchableError as error:
            self._unwatchable = True
            _say(f"Every file of {self.scan.base} is looked at in each call: {error}.", is_mendable=bool(error.limit))
            return None

    def _hear(self) -> None:
        """Takes down what the system has told of; under the lock, so that no change is with another call alone."""
        self._turn += 1
        if self._watch is None:
            return
        changed = self._watch.heard()
        if changed is None:
            self._all_since = self._turn
            if self._watch.was_full:
                _say(
                    f"More changed in {self.scan.base} than the system keeps (fs.inotify.max_queued_events): every file is"
                    " looked at once.",
                    is_mendable=True,
                )
            return
        if changed and not self._numbers:
            self._numbers = {place: number for number, (place, _) in enumerate(self._looks)}
        self._due |= {self._numbers[place]: self._turn for place in changed if place in self._numbers}

    def _caught_up(self, numbers: Iterable[int], *, anew: bool) -> bool:
        """Brings the stamps of some files up to now; False where one of them is no such file any more."""
        moved: dict[int, tuple[tuple[int, int, int, int], os.stat_result]] = {}
        shared: set[int] = set()
        look = os.lstat
        try:
            for number in numbers:
                stop_if_cancelled()
                place, stamp = self._looks[number]
                status = look(place)
                if status.st_nlink > 1:
                    shared.add(number)
                if (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns) != stamp:
                    moved[number] = stamp, status
        except OSError:
            return False
        names = (self.scan.files[number].path.rpartition("/")[2] for number in moved)
        if not _RULE_FILES.isdisjoint(names) or not all(stat.S_ISREG(status.st_mode) for _, status in moved.values()):
            return False
        with self._lock:
            self._shared = frozenset(shared) if anew else self._shared | shared
            files = list(self.scan.files) if moved else []
            late: list[int] = []
            for number, (stamp, status) in moved.items():
                if self._looks[number][1] != stamp:
                    late.append(number)  # another call has looked as well, before or after this one
                    continue
                files[number] = replace(files[number], size=status.st_size, stamp=stamp_of(status))
                self._looks[number] = _look(files[number])
            if len(moved) > len(late):
                self.scan = replace(self.scan, files=tuple(files))
        return not late or self._caught_up(late, anew=False)


def _look(file: ScannedFile) -> tuple[str, tuple[int, int, int, int]]:
    """Returns the place of a file and its stamp, in the form that is compared fastest: there may be many."""
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

    def confirms(self, base: Path, files: Iterable[ScannedFile]) -> bool:
        """Looks at files of a scan that the system was to tell of, and forgets the scan where one has changed unheard.

        Nobody hears what is written through memory, or through another name outside. So whoever shows a file asks
        this first; False means that the folder is to be scanned again. Nothing is looked at where all was before.
        """
        place = os.fspath(base)
        with self._lock:
            known = self._known.get(place)
        if known is None or not known.is_watched or all(map(_is_as_it_was, files)):
            return True
        with self._lock:
            self._known[place] = None
        return False


def _is_as_it_was(file: ScannedFile) -> bool:
    try:
        return stamp_of(os.lstat(file.absolute)) == file.stamp
    except OSError:
        return False


_WARNED: Final[set[str]] = set()
"""The warnings that were given in this process: once is enough."""


def _say(text: str, *, is_mendable: bool) -> None:
    """Tells the log: what somebody can mend is a warning, the first time."""
    import logging  # servers alone, from their second call on

    level = logging.WARNING if is_mendable and text not in _WARNED else logging.INFO
    _WARNED.update([text] if level == logging.WARNING else ())
    logging.getLogger(__name__).log(level, text)


def _folders(found: Scan) -> tuple[list[str], list[str]]:
    """The folders of the listing and those that lie in them and have nothing listed; and what else decides on it."""
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
    return [*folders, *unlisted], [*rules, *(f"{git}/{name}" for name in _GIT_STATE if git)]


def _inside(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != ".git"]
    except OSError:
        return []


def _git_folder(base: str) -> str:
    """Returns the folder in which git keeps its records of a folder; "" where it has none."""
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
