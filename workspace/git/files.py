"""Git's own list of the files of a folder.

Git knows best what belongs to a work tree: what is tracked, what every ignore file at every level says, what the user
ignores everywhere. It is asked once per work tree, in a process that is bounded in time, takes no locks, asks nobody
for anything and runs no code that the repository's configuration names. Where it cannot answer, the caller walks.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

GIT_SECONDS = 30
_GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")

# Set by git for its own children: with one of them a server that is started from a hook would list another repository.
_FOREIGN = frozenset(
    {
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_EXEC_PATH",
        "GIT_GLOB_PATHSPECS",
        "GIT_GRAFT_FILE",
        "GIT_ICASE_PATHSPECS",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NAMESPACE",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)


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
    try:
        listing = run_git(folder, *_LIST, seconds=seconds)
        if (
            not listing.stdout
            and listing.returncode == 0
            and run_git(folder, *_IGNORED, seconds=seconds).returncode == 0
        ):
            return GitList(paths=None)
    except subprocess.TimeoutExpired:
        return GitList(paths=None, refusal=f"git took more than {seconds:g} seconds to list the files")
    except OSError as error:
        return GitList(paths=None, refusal=f"git could not be started ({error.strerror})")
    if listing.returncode != 0:
        return GitList(paths=None, refusal=_refusal(listing))
    names = listing.stdout.split(b"\0")
    return GitList(paths=tuple(dict.fromkeys(os.fsdecode(name) for name in names if name)))


_IGNORED = ("check-ignore", "-q", ".")


def run_git(
    folder: str, *arguments: str, seconds: float = GIT_SECONDS, settings: Sequence[tuple[str, str]] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Runs git in a folder, bounded in time, with nothing of the repository's that would run other code.

    Args:
        folder: a real absolute path.
        arguments: the command and its arguments; none of them may come from a caller as it is.
        seconds: how long git may take.
        settings: configuration for this one run, names and values.

    Raises:
        subprocess.TimeoutExpired: git takes longer.
        OSError: git cannot be started.
    """
    return subprocess.run(
        [*_GIT, *arguments],
        cwd=folder,
        env=_environment(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=seconds,
        check=False,
    )


def _environment(settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return {
        **kept,
        **{f"GIT_CONFIG_KEY_{number}": name for number, (name, _) in enumerate(settings)},
        **{f"GIT_CONFIG_VALUE_{number}": value for number, (_, value) in enumerate(settings)},
        "GIT_CONFIG_COUNT": str(len(settings)),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def _refusal(listing: subprocess.CompletedProcess[bytes]) -> str:
    """Say why git failed without its own words, which name places outside the roots."""
    if b"not a git repository" in listing.stderr or b"must be run in a work tree" in listing.stderr:
        return ""
    if b"dubious ownership" in listing.stderr:
        return "git does not trust the owner of the repository (its setting safe.directory)"
    return f"git failed with exit status {listing.returncode}"
