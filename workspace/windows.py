r"""Tells by its text alone, before a disk is asked, whether Windows takes a path for another file than it spells.

There a name may be a device (`NUL`, `aux.txt`), a colon leads to a stream of a file (`.env::$DATA`), dots and blanks at
the end of a name are dropped (`.env.` opens `.env`), and a path of two backslashes has the machine log in at another one
only to look (`\\server\share`). Nothing of this is asked on other systems, where all of it is a plain name.
"""

from __future__ import annotations

import ntpath
import os
from typing import Final

IS_WINDOWS: Final = os.name == "nt"

_DEVICES: Final = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{name}{digit}" for name in ("COM", "LPT") for digit in "123456789\u00b9\u00b2\u00b3"}
)
_NO_NAMES: Final = frozenset({"", ".", ".."})
_LONG_SHARE: Final = "\\\\?\\UNC\\"
_LONG: Final = "\\\\?\\"


def misread(path: str) -> str:
    """Returns why a path would not open the file of that name, as a clause; "" where it would.

    Args:
        path: with slashes of either kind, absolute or not.
    """
    drive, rest = ntpath.splitdrive(path.replace("/", "\\"))
    if drive.startswith(("\\\\.", "\\\\?")):
        return "it names a device"
    for name in rest.split("\\"):
        if name in _NO_NAMES:
            continue
        if ":" in name:
            return "a colon leads to a stream of a file"
        if name[-1] in ". ":
            return "a dot or a blank at the end of a name is dropped"
        if name.partition(".")[0].rstrip(" ").upper() in _DEVICES:
            return "it names a device"
    return ""


def without_prefix(path: str) -> str:
    r"""Returns a path without the sign that it may be long: `C:\a` of `\\?\C:\a`; any other as it is."""
    text = path.replace("/", "\\")
    if text[: len(_LONG_SHARE)].upper() == _LONG_SHARE:
        return "\\\\" + text[len(_LONG_SHARE) :]
    if text.startswith(_LONG) and text[len(_LONG) + 1 : len(_LONG) + 3] == ":\\":
        return text[len(_LONG) :]
    return path


def share(path: str) -> str:
    r"""Returns the machine and the share that a path leads to, in lower case: `\\server\share`; "" where it stays here."""
    drive = ntpath.splitdrive(without_prefix(path).replace("/", "\\"))[0].lower()
    return drive if drive.startswith("\\\\") else ""
