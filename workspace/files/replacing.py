"""Writes a folder as a whole, and replaces it later: all of it or nothing, and only what was written by this program.

The new content is built in a folder beside the old one and then takes its name in one step, so whoever looks, and
whatever interrupts, finds the old content or the new. A marker lists every file that was written, with its digest; it is
what allows a later run to replace the folder. Anything that is not on that list, or no longer as it was written, is
somebody else's: the folder is then left as it is, and the caller is told.

The marker is written line by line, each before its file, and locked while the folder is being built. So what an
interrupted run left behind is known for what it is, and removed by the next.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from workspace.errors import InvalidArgumentError
from workspace.paths import shown, slashed, unshown

if TYPE_CHECKING:
    from collections.abc import Generator

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

MARKER = ".fractal-context-mirror"
HEADER = "fractal-context mirror 1: every file below was written by it, and a later run may replace them\n"
MAX_MARKER_BYTES = 256 << 20
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NAMED = 3
"""The most files that a refusal names."""


class Replacement:
    """A folder that is being built, to take the place of another.

    Args:
        folder: where it is built; empty.
        marker: its open marker.
    """

    def __init__(self, folder: Path, marker: BinaryIO) -> None:
        self._folder = folder
        self._marker = marker

    def write(self, path: str, content: bytes) -> None:
        """Writes a file.

        Args:
            path: relative, as the system gives it.
            content: all of it.

        Raises:
            InvalidArgumentError: the path is the marker's own.
        """
        if path == MARKER:
            raise InvalidArgumentError(f"{MARKER} is the name of the mirror's own list; rename the file of that name.")
        self._marker.write(_line(path, content))
        self._marker.flush()
        place = self._folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as stream:
            stream.write(content)


@contextmanager
def replacing(target: Path) -> Generator[Replacement]:
    """Gives a folder to build, and puts it in the place of `target` when the block ends without an exception.

    Args:
        target: where the content shall be; a folder that is empty or was written by an earlier run, or nothing yet.

    Raises:
        InvalidArgumentError: the target is something else, or holds what no earlier run wrote; it is left as it is.
        OSError: the disk would not have it; the target is left as it is.
    """
    target = Path(os.path.realpath(target))
    written = _written_before(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(target)
    folder = Path(tempfile.mkdtemp(prefix=_prefix(target), dir=target.parent))
    try:
        with (folder / MARKER).open("xb") as marker:
            _lock(marker)
            marker.write(HEADER.encode())
            marker.flush()
            yield Replacement(folder, marker)
            if _written_before(target) != written:
                raise InvalidArgumentError(f"{target} was changed meanwhile and is left as it is; run again.")
            folder.chmod(0o777 & ~_mask())
            if fcntl is None:
                marker.close()  # Windows moves no folder in which a file is open
            _take_place(folder, target)
    finally:
        # Now the old content, or the new one where it could not take its place.
        _remove(folder)


def _written_before(target: Path) -> dict[str, str]:
    """Returns the files that an earlier run wrote, with their digests, after a look at every one of them.

    Raises:
        InvalidArgumentError: the target is no folder of ours.
    """
    try:
        status = target.lstat()
    except FileNotFoundError:
        return {}
    if not stat.S_ISDIR(status.st_mode):
        raise InvalidArgumentError(f"{target} is not a folder; name one that is empty or does not exist.")
    if not any(target.iterdir()):
        return {}
    listed = _listed(target)
    if listed is None:
        raise InvalidArgumentError(
            f"{target} is not empty and was not written by an earlier mirror, so it is left as it is; name another folder."
        )
    foreign = [path for path, digest in _found(target) if listed.get(path) != digest]
    if foreign:
        more = f" and {len(foreign) - _NAMED} more" if len(foreign) > _NAMED else ""
        names = ", ".join(shown(path) for path in foreign[:_NAMED])
        raise InvalidArgumentError(
            f"{target} holds what the mirror did not write, or what was changed since ({names}{more}), so it is left as it"
            " is; move that away, or name another folder."
        )
    return listed


def _listed(folder: Path) -> dict[str, str] | None:
    """Returns what the marker of a folder lists, None where it has none of ours."""
    try:
        with (folder / MARKER).open("rb") as stream:
            text = stream.read(MAX_MARKER_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if not text.startswith(HEADER):
        return None
    lines = (line.partition("  ") for line in text.removeprefix(HEADER).split("\n"))
    return {unshown(path): digest for digest, separator, path in lines if separator}


def _found(folder: Path) -> Generator[tuple[str, str]]:
    """Gives every file below a folder but the marker, and its digest; "" for what is no regular file. Follows no link."""
    for place, folders, files in os.walk(folder):
        if not folders and not files:
            yield slashed(os.path.relpath(place, folder)) + "/", ""  # an empty folder is somebody's too
        for name in [*files, *(each for each in folders if Path(place, each).is_symlink())]:
            path = Path(place, name)
            relative = slashed(os.path.relpath(path, folder))
            if relative != MARKER:
                regular = stat.S_ISREG(path.lstat().st_mode)
                yield relative, _digest(path.read_bytes()) if regular else ""


def _take_place(folder: Path, target: Path) -> None:
    """Gives `folder` the name of `target` in one step; what was there has the name of `folder` then."""
    try:
        folder.rename(target)  # nothing was there, or an empty folder
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
    else:
        return
    if _exchange(folder, target):
        return
    # Where the system cannot exchange two names there is a moment without a target, and the way back if it fails.
    aside = Path(tempfile.mkdtemp(prefix=_prefix(target), dir=target.parent))
    aside.rmdir()  # Windows renames to what is not there, alone
    target.rename(aside)
    try:
        folder.rename(target)
    except OSError:
        aside.rename(target)
        raise
    aside.rename(folder)


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges the names of two folders in one step, and tells whether the system could."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0


def _remove_leftovers(target: Path) -> None:
    """Removes what interrupted runs have left beside the target, but for runs that are at work."""
    for folder in target.parent.glob(_prefix(target).replace("[", "[[]") + "*"):
        if folder.is_symlink() or _listed(folder) is None:
            continue
        with (folder / MARKER).open("rb") as marker:
            if _lock(marker):
                _remove(folder)


def _remove(folder: Path) -> None:
    """Removes the files that the marker of a folder lists, and the folders that are empty then."""
    listed = _listed(folder)
    if listed is None:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        return
    for place, folders, files in os.walk(folder, topdown=False):
        for name in files:
            path = Path(place, name)
            if slashed(os.path.relpath(path, folder)) in listed and stat.S_ISREG(path.lstat().st_mode):
                path.unlink()
        for each in folders:
            inner = Path(place, each)
            if not inner.is_symlink() and not any(inner.iterdir()):
                inner.rmdir()
    if [path.name for path in folder.iterdir()] == [MARKER]:
        (folder / MARKER).unlink()
        folder.rmdir()


def _lock(stream: BinaryIO) -> bool:
    """Locks a file until it is closed or the process ends; False where another process has it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _prefix(target: Path) -> str:
    return f".{target.name}.mirror-"


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _line(path: str, content: bytes) -> bytes:
    return f"{_digest(content)}  {shown(path)}\n".encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
