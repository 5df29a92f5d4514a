"""Follows the symbols of folders from call to call: what changed since the last one is looked at, and nothing else."""

from __future__ import annotations

import os
import threading
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from skeleton.zoom.symbols import SymbolTable
from workspace.files.rescan import RememberedScan

if TYPE_CHECKING:
    from pathlib import Path

    from skeleton.index.code_index import CodeIndex, Progress
    from workspace.files.scan import Scan

_MOST_FOLDERS: Final = 8
"""Folders whose symbols are remembered; the one that was not used for longest is forgotten."""


class Followed(NamedTuple):
    """The symbols of a folder as it was at some time."""

    found: Scan | None
    """The scan that they are of; None where nobody knows any more."""
    loose: frozenset[int]
    """The places of the files that may change again unseen, so that they are looked up in each call."""
    table: SymbolTable


class Folder:
    """One folder, as it is remembered: each attribute is replaced as a whole, so that threads may share it."""

    def __init__(self, index: CodeIndex) -> None:
        self.remembered: RememberedScan | None = None
        self.followed = Followed(None, frozenset(), SymbolTable(index))


class Folders:
    """The folders of one index whose symbols are remembered. Threads may share them.

    Args:
        index: knows the files.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._folders: dict[str, Folder] = {}
        self._lock = threading.Lock()

    def of(self, base: Path) -> Folder:
        """The state that is kept of a folder; of more than a few the one that was not used for longest is forgotten."""
        with self._lock:
            place = os.fspath(base)
            folder = self._folders.pop(place, None) or Folder(self._index)
            self._folders[place] = folder
            while len(self._folders) > _MOST_FOLDERS:
                del self._folders[next(iter(self._folders))]
            return folder

    def table(
        self, folder: Folder, base: Path, progress: Progress | None, *, anew: bool = False
    ) -> tuple[SymbolTable, bool]:
        """A folder's table as the folder is now, and whether the folder was listed anew for it."""
        remembered = folder.remembered
        found = remembered.current() if remembered is not None and not anew else None
        listed = found is None
        if found is None:
            folder.remembered = remembered = RememberedScan(base, self._index.roots)
            found = remembered.scan
        before = folder.followed
        if found is not before.found or before.loose:
            folder.followed = before = self._brought_up(before, found, progress)
        return before.table, listed

    def _brought_up(self, before: Followed, found: Scan, progress: Progress | None) -> Followed:
        """Brings a table up to a scan; where the same files are there, it looks at those that changed alone."""
        known = before.found.files if before.found is not None and len(before.found.files) == len(found.files) else ()
        new = [
            number
            for number, (file, old) in enumerate(zip_longest(found.files, known))
            if file is not old or number in before.loose
        ]
        part = found if len(new) == len(found.files) else replace(found, files=tuple(found.files[one] for one in new))
        files, problems = self._index.files(part, progress=progress)
        if part is not found and not problems and before.table.has_all(files):
            table = before.table.edited(files, progress)
        else:
            every = files if part is found else self._index.files(found, progress=progress)[0]
            table = before.table.following(every, progress)
        loose = frozenset(number for number in new if not self._index.is_settled(found.files[number]))
        return Followed(found, loose, table)
