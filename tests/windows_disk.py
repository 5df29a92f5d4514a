r"""A disk as Windows has it, for code that runs elsewhere: put in the place of `os` and `Path` at the seams of a module.

Only what the system does is made up here: the case of names counts for nothing, dots and blanks at their ends are dropped,
some names are devices, and whoever looks at `\\server\share` has logged in there. Python's own `ntpath` and
`PureWindowsPath` do the rest, and what is tested runs as it stands.
"""

from __future__ import annotations

import ntpath
import os
import stat
from pathlib import PureWindowsPath
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

CWD = "C:\\work"
_FILE, _FOLDER = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755
_DEVICES = ("CON", "PRN", "AUX", "NUL", "COM1", "LPT1")


class WindowsDisk:
    """A disk.

    Args:
        files: their paths, with backslashes; the folders come with them.
        links: paths that lead to others.

    Attributes:
        contacted: every machine that was logged in at.
        opened: every device that was opened.
    """

    def __init__(self, files: Iterable[str], links: Mapping[str, str] | None = None) -> None:
        self._true: dict[str, str] = {}
        self._modes: dict[str, int] = {}
        for file in files:
            self._put(file, _FILE)
            for folder in PureWindowsPath(file).parents:
                self._put(str(folder), _FOLDER)
        self._links = {place.lower(): target for place, target in (links or {}).items()}
        for place in links or {}:
            self._put(place, stat.S_IFLNK | 0o777)
        self.contacted: list[str] = []
        self.opened: list[str] = []

    def _put(self, path: str, mode: int) -> None:
        self._true[path.lower()] = path
        self._modes[path.lower()] = mode

    def _key(self, path: str | os.PathLike[str]) -> str:
        text = ntpath.normpath(ntpath.join(CWD, os.fspath(path)))
        drive, rest = ntpath.splitdrive(text)
        if drive.startswith("\\\\"):
            self.contacted.append(drive.lower())
        names = [name.rstrip(". ").partition(":")[0] for name in rest.split("\\")]
        if names[-1].partition(".")[0].upper() in _DEVICES:
            self.opened.append(names[-1])
        return (drive + "\\".join(names)).lower()

    def realpath(self, path: str | os.PathLike[str]) -> str:
        """Follows links, and tells a path as the disk has it."""
        key = self._key(path)
        for _ in range(8):
            above = next((link for link in self._links if f"{key}\\".startswith(f"{link}\\")), None)
            if above is None:
                break
            key = self._key(self._links[above] + key[len(above) :])
        if key in self._true:
            return self._true[key]
        folder, name = ntpath.split(key)
        return ntpath.join(self._true.get(folder, folder), name)

    def lstat(self, path: str | os.PathLike[str]) -> os.stat_result:
        """Tells what is at a path."""
        mode = self._modes.get(self._key(path))
        if mode is None:
            raise FileNotFoundError(2, "nothing is there", os.fspath(path))
        return os.stat_result((mode, 1, 0, 1, 0, 0, 10, 1, 1, 1))

    def put_into(self, monkeypatch: pytest.MonkeyPatch, *modules: str) -> type[PureWindowsPath]:
        """Gives modules this disk and Windows' paths, and returns the class of those."""
        disk = self

        class WindowsPath(PureWindowsPath):
            def is_dir(self) -> bool:
                try:
                    return stat.S_ISDIR(disk.lstat(self).st_mode)
                except OSError:
                    return False

            def lstat(self) -> os.stat_result:
                return disk.lstat(self)

            def is_symlink(self) -> bool:
                return stat.S_ISLNK(disk.lstat(self).st_mode)

            @classmethod
            def home(cls) -> PureWindowsPath:
                return cls("C:\\Users\\me")

        path = SimpleNamespace(
            realpath=disk.realpath, normpath=ntpath.normpath, join=ntpath.join, relpath=ntpath.relpath
        )
        system = SimpleNamespace(
            sep="\\", path=path, lstat=disk.lstat, fspath=os.fspath, fsencode=_encoded, stat_result=os.stat_result
        )
        for module in modules:
            monkeypatch.setattr(f"{module}.os", system)
            monkeypatch.setattr(f"{module}.Path", WindowsPath, raising=False)
            monkeypatch.setattr(f"{module}.IS_WINDOWS", True, raising=False)
        monkeypatch.setattr("workspace.paths.os", SimpleNamespace(sep="\\"))
        return WindowsPath


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogatepass")
