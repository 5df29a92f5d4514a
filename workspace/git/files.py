"""Git's own list of the files of a folder.

Git knows best what belongs to a work tree: what is tracked, what every ignore file at every level says, what the user
ignores everywhere. It is asked once per work tree, as `workspace.git.running` asks it. Where it cannot answer, the caller
walks.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from workspace.git.running import GIT_SECONDS, Git
from workspace.paths import path_of

_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
_IGNORED = ("check-ignore", "-q", "--", ".")


class GitList(msgspec.Struct, frozen=True, kw_only=True):
    """Git's answer for one folder.

    Attributes:
        paths: relative to the folder, each once; a submodule or a nested repository is one path, a slash at its end
            or not. None when git gave no list.
        refusal: why there is no list, in words; "" when that is no problem, as the folder is in no work tree.
    """

    paths: tuple[str, ...] | None
    refusal: str = ""


def in_work_tree(folder: str) -> bool:
    """Tell whether `folder`, a real absolute path, or a folder above it has a `.git`."""
    place = Path(folder)
    return any(os.path.lexists(above / ".git") for above in (place, *place.parents))


def git_list(folder: str, *, seconds: float = GIT_SECONDS) -> GitList:
    """Return what git lists below `folder`: tracked files, and untracked ones that are not ignored.

    Paths of deleted files that are still in the index are among them. An ignored folder inside a work tree has no list:
    who asks for it means what lies in it.

    Args:
        folder: a real absolute path.
        seconds: how long git may take.
    """
    git = Git(folder, seconds=seconds)
    listing = git.ask(*_LIST)
    if listing.status:
        return GitList(paths=None, refusal=listing.refusal if listing.in_repository else "")
    if not listing.out and not git.ask(*_IGNORED).status:
        return GitList(paths=None)
    names = listing.out.split(b"\0")
    return GitList(paths=tuple(dict.fromkeys(path_of(name) for name in names if name)))
