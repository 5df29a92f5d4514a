"""What git remembers of a folder: the newest commits, each with its message and the files it touched.

A file that was changed lately, or in a commit about the same subject, is likely to be changed again. Git is asked as
`workspace.git.files` asks it: bounded in time, and nothing of the repository's runs.
"""

from __future__ import annotations

import os
import subprocess

import msgspec

from workspace.git.files import run_git
from workspace.paths import shown

MOST_COMMITS = 1000
MOST_PATHS = 100
"""A commit that touches more files than this says nothing about any of them."""
LOG_SECONDS = 5.0

_LOG = ("log", "-z", "--no-merges", "--no-renames", "--name-only", "--relative", "--format=%x1e%H%x1f%B%x1f")


class PastCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit without its changes.

    Attributes:
        message: as written.
        paths: the files it touched below the folder, relative to it.
    """

    message: str
    paths: tuple[str, ...]


def head_of(folder: str) -> str:
    """The hash of the commit that is checked out, or "" where there is none.

    Args:
        folder: a real absolute path.
    """
    try:
        found = run_git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", seconds=LOG_SECONDS)
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return found.stdout.decode("ascii", "replace").strip() if found.returncode == 0 else ""


def past_commits(folder: str, *, most: int = MOST_COMMITS, seconds: float = LOG_SECONDS) -> tuple[PastCommit, ...]:
    """The newest commits that touched a folder, newest first, merges left out.

    Nothing is given where there is no repository, where git is missing, fails, or takes too long: history is welcome,
    and never needed.

    Args:
        folder: a real absolute path.
        most: how many commits are read.
        seconds: how long git may take.
    """
    try:
        told = run_git(folder, *_LOG, f"-n{most}", "HEAD", "--", ".", seconds=seconds)
    except (subprocess.TimeoutExpired, OSError):
        return ()
    if told.returncode:
        return ()
    found: list[PastCommit] = []
    for record in told.stdout.split(b"\x1e")[1:]:
        _, message, listed = record.split(b"\x1f", 2)
        names = [name for name in listed.split(b"\0") if name.strip(b"\n")]
        paths = tuple(shown(os.fsdecode(name.lstrip(b"\n"))) for name in names) if len(names) <= MOST_PATHS else ()
        found.append(PastCommit(message=message.decode("utf-8", "replace"), paths=paths))
    return tuple(found)
