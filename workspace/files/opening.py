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
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.git.revisions import Status, is_in_revision, revision_at
from workspace.model import ProblemKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from workspace.roots import Roots

_READ_BYTES = 16 << 10

_CHUNK = 1 << 20
"""Bytes of a file of which lines are read that are looked at together."""

_AROUND = 64 << 10
"""Bytes before such lines and behind them that are read as well, and of the beginning of their file."""

_MOST_PASSED = 1 << 30
"""Bytes of a file of which some lines are read, at most."""

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
    return _read(path, roots, max_bytes, lambda file, size: _read_bounded(file, size, max_bytes))


class Stretch(NamedTuple):
    """Some lines of a file, and those around them and at its beginning which tell what they hold.

    Attributes:
        above: lines above them: the first of the file, and the last before them; all where these are few.
        lines: the lines themselves; less than was asked for where the file ends or they are too many bytes.
        below: lines below them.
        number: the last line that was read, or the first where that is too much; the last of all where the first is not there.
    """

    above: bytes
    lines: bytes
    below: bytes
    number: int


def read_stretch(path: str, *, roots: Roots, first: int, last: int, max_bytes: int) -> Stretch | Refusal:
    """Read some lines of a regular file of any size, and no more of it into memory than these and a little around them.

    Args:
        path: its real absolute path.
        roots: where it must lie.
        first: the line to begin with, counted from 1.
        last: the line to end with.
        max_bytes: of the lines, at most.
    """
    found: list[Stretch] = []

    def read(file: int, _: int) -> bytes:
        found.append(_stretch(file, first, last, max_bytes))
        return b""

    if is_in_revision(path):
        return Refusal(kind=ProblemKind.TOO_LARGE, detail="it lies in a commit, of which files are read whole")
    opened = _read(path, roots, _MOST_PASSED, read)
    return opened if isinstance(opened, Refusal) else found[0]


def _stretch(file: int, first: int, last: int, max_bytes: int) -> Stretch:
    """Reads on, a piece after the other, to the lines that are wanted, and these."""
    head = above = rest = b""
    passed = size = 0
    while passed < first - 1 and (chunk := os.read(file, _CHUNK)):
        stop_if_cancelled()
        count = min(chunk.count(b"\n"), first - 1 - passed)
        passed += count
        at = _behind_lines(chunk, count) if passed == first - 1 else len(chunk)
        head += chunk[: min(at, _AROUND - len(head))]
        above, rest, size = above + chunk[:at], chunk[at:], size + at
        if size > 2 * _AROUND:
            above = above[-_AROUND:]
    if passed < first - 1:
        return Stretch(b"", b"", b"", passed + (above != b"" and not above.endswith(b"\n")))
    if size > 2 * _AROUND:
        above = head[: head.rfind(b"\n") + 1] + above[above.find(b"\n") + 1 :]
    pieces, size, lines, wanted = [rest], len(rest), rest.count(b"\n"), last - first + 1
    while (lines <= wanted or size < _AROUND) and size <= max_bytes + _AROUND and (chunk := os.read(file, _CHUNK)):
        stop_if_cancelled()
        pieces.append(chunk)
        size, lines = size + len(chunk), lines + chunk.count(b"\n")
    rest = b"".join(pieces)
    end = _behind_lines(rest, wanted) if lines >= wanted else len(rest)
    if end > max_bytes:
        end = rest.rfind(b"\n", 0, max_bytes) + 1
    text = rest[:end]
    number = passed + text.count(b"\n") + (rest != b"" and not text.endswith(b"\n"))
    return Stretch(above, text, rest[end : end + _AROUND], number)


def _behind_lines(text: bytes, count: int) -> int:
    """The place behind so many lines of a text that has them."""
    at = 0
    for _ in range(count):
        at = text.index(b"\n", at) + 1
    return at


def _read(path: str, roots: Roots, max_bytes: int, read: Callable[[int, int], bytes | None]) -> Opened | Refusal:
    """Opens a regular file inside the roots and has it read, by its descriptor and size; None where that is too much."""
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
            raw = read(descriptor, status.st_size)
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
