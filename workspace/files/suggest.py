"""Paths that a reader may mean who has typed the beginning of one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workspace.errors import FractalContextError
from workspace.files.listing import VERSION_CONTROL_FOLDERS
from workspace.paths import shown

if TYPE_CHECKING:
    from pathlib import Path

    from workspace.roots import Roots

MAX_ENTRIES = 20_000
"""Entries of one folder that are looked at; what a larger one holds besides cannot be suggested."""


def suggested_paths(typed: str, roots: Roots) -> list[str]:
    """Returns the entries of the folder that `typed` is in, whose names begin as it ends.

    Args:
        typed: the beginning of a path, relative to a root.
        roots: the folders that may be read.

    Returns:
        Paths that begin with `typed`, in the order of their names; a folder ends in a slash. What begins with a dot is
        there only when the dot is typed; links that lead out of the roots and the folders of version control never are.
        Nothing where the folder does not exist or lies outside: what the disk holds there is not told.
    """
    place, slash, beginning = typed.rpartition("/")
    found: dict[str, None] = {}
    for root in roots.paths:
        try:
            folder = roots.resolve(place or ("/" if slash else "."), base=root)
        except FractalContextError:
            continue
        found |= dict.fromkeys(place + slash + name for name in _names(folder, beginning, roots))
    return sorted(found)


def _names(folder: Path, beginning: str, roots: Roots) -> list[str]:
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(MAX_ENTRIES), entries, strict=False):
                name = shown(entry.name)
                hidden = name.startswith(".") and not beginning.startswith(".")
                if hidden or not name.startswith(beginning) or name in VERSION_CONTROL_FOLDERS:
                    continue
                if entry.is_symlink() and not roots.holds(folder.joinpath(entry.name).resolve()):
                    continue
                names.append(name + ("/" if entry.is_dir() else ""))
    except OSError:
        return names  # no folder, or none that may be listed: nothing to suggest
    return names
