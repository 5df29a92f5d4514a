"""Suggests paths that a reader may mean who has typed the beginning of one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workspace.errors import FractalContextError
from workspace.files.listing import VERSION_CONTROL_FOLDERS
from workspace.git.repositories import SCHEME, NamedRoots
from workspace.git.revisions import revision_at
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
    if isinstance(roots, NamedRoots):
        return _of_names(typed, roots)
    found: dict[str, None] = {}
    for root in roots.paths:
        found |= dict.fromkeys(_inside(typed, root, roots))
    return sorted(found)


def _of_names(typed: str, roots: NamedRoots) -> list[str]:
    """Returns what may be meant where roots have names: a name, a revision behind it, or a path behind that."""
    head, colon, below = typed.removeprefix(SCHEME).partition(":")
    if typed.startswith(SCHEME) and colon:
        try:
            root = roots.resolve(f"{SCHEME}{head}")
        except FractalContextError:
            return []
        return sorted(f"{SCHEME}{head}:{path}" for path in _inside(below, root, roots))
    names = roots.suggested(typed)
    try:
        return names if typed.startswith(SCHEME) else [*sorted(_inside(typed, roots.resolve("."), roots)), *names]
    except FractalContextError:
        return names


def _inside(typed: str, root: Path, roots: Roots) -> list[str]:
    place, slash, beginning = typed.rpartition("/")
    try:
        folder = roots.resolve(place or ("/" if slash else "."), base=root)
    except FractalContextError:
        return []
    return [place + slash + name for name in _names(folder, beginning, roots)]


def _names(folder: Path, beginning: str, roots: Roots) -> list[str]:
    names: list[str] = []
    found = revision_at(os.fspath(folder))
    if found is not None:
        revision, below = found
        held = ((shown(name), is_folder) for name, is_folder in revision.names(below)[:MAX_ENTRIES])
        return [name + "/" * is_folder for name, is_folder in held if _is_told(name, beginning)]
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(MAX_ENTRIES), entries, strict=False):
                name = shown(entry.name)
                if not _is_told(name, beginning):
                    continue
                if entry.is_symlink() and not roots.holds(folder.joinpath(entry.name).resolve()):
                    continue
                names.append(name + ("/" if entry.is_dir() else ""))
    except OSError:
        return names  # no folder, or none that may be listed: nothing to suggest
    return names


def _is_told(name: str, beginning: str) -> bool:
    hidden = name.startswith(".") and not beginning.startswith(".")
    return not hidden and name.startswith(beginning) and name not in VERSION_CONTROL_FOLDERS
