"""Finds the packages of this application beside this one, whatever the working directory or PYTHONPATH hold.

Their names are common ones. A project that is looked at may have a `server` or a `tiktoken` of its own, and with
`PYTHONPATH=.`, or with `python -m`, Python looks there first: it would run code of that project. So a process of this
application takes the project out of its search path before anything else is imported, moves what else PYTHONPATH names
behind what is installed, and finds its own packages by their place alone.

Only processes of the application do so. In a program that imports it as a library nothing is changed.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - pathlib is loaded by few commands
"""The folder in which the packages stand side by side."""

PACKAGES = frozenset({"fractal_context", "server", "allocator", "compaction", "skeleton", "workspace"})
_SEARCH = "PYTHONPATH"
_SAFE = "PYTHONSAFEPATH"
_ROOTS = "FRACTAL_CONTEXT_ROOTS"
_INSTALLED = ("site-packages", "dist-packages")


class OwnPackages:
    """A finder for the packages of this application, which looks in one folder alone."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds one of the packages; None for any other module, and for what lies inside a package."""
        return PathFinder.find_spec(fullname, [HOME], target) if path is None and fullname in PACKAGES else None


def find_own_packages_first() -> None:
    """Makes this process, and those that it starts, safe from what they look at; called again it changes nothing."""
    if OwnPackages in sys.meta_path:
        return
    sys.meta_path.insert(0, OwnPackages)
    looked_at = list(_looked_at())
    named = [os.path.realpath(entry) for entry in os.environ.get(_SEARCH, "").split(os.pathsep) if entry]
    foreign = [entry for entry in named if not _is_ours(entry)]
    kept = [entry for entry in named if entry not in foreign or not _is_of(entry, looked_at)]
    elsewhere = {*foreign, *(folder for folder in looked_at if folder != HOME)}
    installed = [entry for entry in sys.path if entry and os.path.realpath(entry) not in elsewhere]
    sys.path[:] = dict.fromkeys([*installed, *kept])
    os.environ[_SAFE] = "1"  # no process that this one starts looks into its working directory first
    if kept:
        os.environ[_SEARCH] = os.pathsep.join(dict.fromkeys(kept))
    else:
        os.environ.pop(_SEARCH, None)


def _looked_at() -> Iterator[str]:
    """The folders that this process is about to look at, as far as they are known by now: links are followed."""
    words = [os.curdir, *sys.argv[1:], *os.environ.get(_ROOTS, "").split(os.pathsep)]
    for word in words:
        for folder in {word, word.rpartition("=")[2]} - {""}:
            if os.path.isdir(folder):  # noqa: PTH112 - pathlib is loaded by few commands
                yield os.path.realpath(folder)


def _is_ours(entry: str) -> bool:
    """Tells whether an entry of the search path holds this application, or what is installed beside its Python."""
    folder, _, name = entry.rpartition(os.sep)
    is_installed = name in _INSTALLED and f"{folder}{os.sep}".startswith(f"{sys.prefix}{os.sep}")
    return entry == HOME or is_installed


def _is_of(entry: str, folders: Sequence[str]) -> bool:
    """Tells whether an entry is one of some folders or lies in one; a folder that holds this application is no project."""
    for folder in folders:
        inside = os.path.join(folder, "")  # noqa: PTH118 - pathlib is loaded by few commands
        if entry == folder or (entry.startswith(inside) and not HOME.startswith(inside)):
            return True
    return False
