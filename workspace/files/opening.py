"""The one place where a user's file is opened.

What a scan saw may have changed by the time it is read: a link or a pipe may stand in the file's place, or a folder on
the way may have become a link. So nothing but a regular file is opened, no link is followed at the end, opening never
waits, and the open file is proven to be the one that lies at its path inside the roots before a byte of it is read.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.git.revisions import Status, is_in_revision, revision_at
from workspace.model import ProblemKind

if TYPE_CHECKING:
    from workspace.roots import Roots

_READ_BYTES = 16 << 10

_SPECIAL = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)

_OPENED = "/proc/self/fd"
"""The folder in which Linux tells the true paths of what is open."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a regular file, and its status from before the first byte was read."""

    raw: bytes
    status: os.stat_result | Status


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why a file was not read: the kind of the problem, and one clause about it."""

    kind: ProblemKind
    detail: str


def special_kind(mode: int) -> str:
    """Return in words what a file that is not regular is, "" for a regular one."""
    if stat.S_ISREG(mode):
        return ""
    return next((words for is_kind, words in _SPECIAL if is_kind(mode)), "of an unknown kind")


def read_regular(path: str, *, roots: Roots, max_bytes: int) -> Opened | Refusal:
    """Read a whole regular file inside the roots.

    Args:
        path: its real absolute path.
        roots: where it must lie.
        max_bytes: files beyond this size, in bytes, are refused without being read.
    """
    stop_if_cancelled()
    if is_in_revision(path):
        return _read_object(path, roots, max_bytes)
    try:
        refusal = _refused(os.lstat(path), max_bytes)
        if refusal is not None:
            return refusal
        descriptor = os.open(path, _open_flags())
        try:
            # Taken before reading: a write in the meantime then shows as a stamp that no longer holds.
            status = os.fstat(descriptor)
            refusal = _refused(status, max_bytes)
            if refusal is not None:
                return refusal
            if not _lies_inside(path, descriptor, status, roots):
                return Refusal(kind=ProblemKind.OUTSIDE, detail="its place has changed since it was found")
            raw = _read_bounded(descriptor, status.st_size, max_bytes)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Refusal(kind=ProblemKind.SPECIAL, detail="a link")
        return Refusal(kind=ProblemKind.UNREADABLE, detail=error.strerror or type(error).__name__)
    if raw is None:
        return Refusal(kind=ProblemKind.TOO_LARGE, detail=f"more than {max_bytes} bytes")
    return Opened(raw=raw, status=status)


def _read_object(path: str, roots: Roots, max_bytes: int) -> Opened | Refusal:
    """Reads a file of a commit."""
    try:
        found = revision_at(path) if roots.holds_place(path) else None
        if found is None:
            return Refusal(kind=ProblemKind.OUTSIDE, detail="it lies in no repository that may be read")
        revision, below = found
        status = revision.lstat(below)
        if (refusal := _refused(status, max_bytes)) is not None:
            return refusal
        raw = revision.read(below)
        if len(raw) > max_bytes:  # the ends of its lines are longer than git keeps them
            return _too_large(len(raw), max_bytes)
        return Opened(raw=raw, status=status)
    except OSError as error:
        return Refusal(kind=ProblemKind.UNREADABLE, detail=error.strerror or type(error).__name__)


@cache
def _open_flags() -> int:
    """Flags that a system lacks are not needed there: its links and pipes work differently."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return flags


def _refused(status: os.stat_result | Status, max_bytes: int) -> Refusal | None:
    special = special_kind(status.st_mode)
    if special:
        return Refusal(kind=ProblemKind.SPECIAL, detail=special)
    if status.st_size > max_bytes:
        return _too_large(status.st_size, max_bytes)
    return None


def _too_large(size: int, max_bytes: int) -> Refusal:
    return Refusal(kind=ProblemKind.TOO_LARGE, detail=f"{size} bytes; at most {max_bytes} are read")


def _lies_inside(path: str, descriptor: int, status: os.stat_result, roots: Roots) -> bool:
    """Tells whether the file that was opened lies inside a root, wherever its path leads by now."""
    try:
        place = os.readlink(f"{_OPENED}/{descriptor}")  # noqa: PTH115 - two paths taken apart for each file
    except OSError:  # a system without
        real = os.path.realpath(path)
        return roots.holds(Path(real)) and os.path.samestat(os.lstat(real), status)
    return roots.holds_place(place)


def _read_bounded(descriptor: int, expected: int, max_bytes: int) -> bytes | None:
    """Read to the end, None when there is more than `max_bytes`: a file may grow, and a size of 0 may hide any amount.

    A read makes room for all that it asks for, so the first asks for what is expected, not for what is allowed; what
    comes behind that is mostly the end.
    """
    chunks: list[bytes] = []
    left, asked = max_bytes + 1, max(expected + 1, _READ_BYTES)
    while left > 0:
        chunk = os.read(descriptor, min(left, asked))
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        left, asked = left - len(chunk), _READ_BYTES
    return None
