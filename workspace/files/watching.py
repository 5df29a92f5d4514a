"""Hears of changes in some folders from the system's own queue: inotify, on Linux.

The kernel puts a change into the queue before the call that makes it returns. So who empties the queue knows of every
write that had ended by then: no thread stands between, and there is no moment in which a change is known to nobody. A
library that reads the queue in a thread of its own has such a moment (ADR 20).

The queue is bounded. When it was full, or a folder went, that is told instead of paths, and the folders have to be looked
at. What the queue is never told of has to be looked at otherwise: what another machine writes (such file systems are not
watched), a file written through a second name outside, and pages that are written through memory.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
import weakref
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Sequence

_MODIFIED, _STATUS, _MOVED, _CREATED, _DELETED = 0x2, 0x4, 0xC0, 0x100, 0x200
_SELF: Final = 0xC00  # the folder itself was deleted or moved
_LOST: Final = 0xE000  # it lies on what was unmounted, the queue was full, nothing is heard of it any more
_FOLDER: Final = 0x40000000
_ONLY_FOLDERS: Final = 0x01000000
_OF_FILES: Final = _MODIFIED | _STATUS
_ASKED: Final = _OF_FILES | _MOVED | _CREATED | _DELETED | _SELF | _ONLY_FOLDERS
_OVERFLOW: Final = 0x4000

_HEAD: Final = struct.Struct("iIII")
_PIECE: Final = 1 << 16
_MOST_BYTES: Final = 8 << 20
"""Read of one queue at a time: who writes faster than that is looked at instead."""

_LIMITS: Final = (
    (Path("/proc/sys/fs/inotify/max_queued_events"), "between two calls (fs.inotify.max_queued_events)"),
    (Path("/proc/sys/fs/inotify/max_user_watches"), "folders in all (fs.inotify.max_user_watches)"),
)
_MOUNTS: Final = Path("/proc/self/mountinfo")
_LOCAL: Final = frozenset(
    {"ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "ramfs", "overlay", "zfs", "f2fs", "bcachefs", "jfs", "nilfs2"}
)
"""File systems that only this machine writes to."""


class UnwatchableError(Exception):
    """Raised when folders cannot be watched; its text says why, as a clause.

    Attributes:
        limit: which limit of the system has to be raised, if that is all that is missing; else "".
    """

    def __init__(self, why: str, *, limit: str = "") -> None:
        super().__init__(why)
        self.limit = limit


class FolderWatch:
    """The changes of some folders from now on. One thread may ask at a time.

    Args:
        base: the folder that they lie in or are, a real absolute path.
        folders: all of them, absolute; what lies deeper is not watched.

    Attributes:
        was_full: whether the queue was full when it was last emptied.

    Raises:
        UnwatchableError: this system cannot, or has no room left for it, or other machines write there.
    """

    def __init__(self, base: str, folders: Sequence[str]) -> None:
        _refuse_elsewhere(base)
        system = _system()
        descriptor: int = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor < 0:
            raise _refused(errno.EMFILE)
        self._descriptor = descriptor
        self._close = weakref.finalize(self, os.close, descriptor)
        self._folders: dict[int, str] = {}
        self.was_full = False
        for folder in folders:
            number: int = system.inotify_add_watch(descriptor, os.fsencode(folder), _ASKED)
            if number < 0:
                self._close()
                raise _refused(errno.ENOSPC)
            self._folders[number] = folder

    def heard(self) -> frozenset[str] | None:
        """Empties the queue and returns the files whose content or status changed since the last time.

        Returns:
            Their absolute paths, as a folder and a name; None where that is not all: names came or went, or changes
            were lost.
        """
        self.was_full = False
        changed: set[str] = set()
        is_all = True
        left = _MOST_BYTES
        while left > 0:
            try:
                piece = os.read(self._descriptor, _PIECE)
            except BlockingIOError:
                return frozenset(changed) if is_all else None
            left -= len(piece)
            at = 0
            while at < len(piece):
                number, mask, _, length = _HEAD.unpack_from(piece, at)
                name = piece[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0")
                at += _HEAD.size + length
                self.was_full = self.was_full or bool(mask & _OVERFLOW)
                folder = self._folders.get(number)
                if folder is None or mask & (_MOVED | _CREATED | _DELETED | _SELF | _LOST):
                    is_all = False
                elif name and not mask & _FOLDER:
                    changed.add(f"{folder}/{os.fsdecode(name)}")
        self.was_full = True
        return None

    def close(self) -> None:
        """Ends the watch."""
        self._close()


@cache
def _system() -> ctypes.CDLL:
    """The functions of the system.

    Raises:
        UnwatchableError: it has none.
    """
    if not sys.platform.startswith("linux"):
        raise UnwatchableError("only Linux tells of changes without a gap")
    import ctypes  # servers alone, from their second call on

    system = ctypes.CDLL(None, use_errno=True)
    if not hasattr(system, "inotify_init1"):
        raise UnwatchableError("this system has no inotify")
    return system


def _refused(number: int) -> UnwatchableError:
    """Returns the error for the system's own number, or else for this one."""
    import ctypes  # as above

    found = ctypes.get_errno() or number
    limit = {errno.ENOSPC: "max_user_watches", errno.EMFILE: "max_user_instances"}.get(found, "")
    reason = os.strerror(found).lower()
    return UnwatchableError(f"{reason}: see fs.inotify.{limit}" if limit else reason, limit=limit)


def watching_in_words(folder: Path) -> str:
    """Says whether the system tells of changes in a folder, and how many at most, or why not."""
    try:
        FolderWatch(os.fspath(folder), [os.fspath(folder)]).close()
    except UnwatchableError as error:
        return f"every file is looked at in each call: {error}"
    limits = [f"{limit.read_text(encoding='ascii').strip()} {words}" for limit, words in _LIMITS if limit.is_file()]
    return f"the system tells of them{', up to ' if limits else ''}{' and '.join(limits)}"


def _refuse_elsewhere(base: str) -> None:
    """Refuses a folder that other machines may write to, or that holds such a one.

    Raises:
        UnwatchableError: it is one, or nobody tells.
    """
    try:
        lines = _MOUNTS.read_bytes().splitlines()
    except OSError:
        raise UnwatchableError("the system does not tell of its file systems") from None
    inside = os.path.join(base, "")  # noqa: PTH118 - paths of the system, as text
    own, kind = "", ""
    for line in lines:
        words, _, about = line.partition(b" - ")
        place = os.fsdecode(words.split()[4].decode("unicode_escape").encode("latin-1"))
        here = about.split()[0].decode("ascii", "replace")
        if inside.startswith(os.path.join(place, "")) and len(place) >= len(own):  # noqa: PTH118 - as above
            own, kind = place, here
        if place.startswith(inside) and here not in _LOCAL:
            raise UnwatchableError(f"a file system of the kind {here} lies in the folder")
    if kind not in _LOCAL:
        raise UnwatchableError(f"the folder lies on a file system of the kind {kind or 'unknown'}")
