"""The newest commits of a folder, each with its message and the files it touched.

A file that was changed lately, or in a commit about the same subject, is likely to be changed again. The commits are
listed first, and then shown in a form in which every part ends with a NUL or has a known length: neither messages, which
hold no NUL, nor names of files can be taken for anything else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.git.revisions import revision_at
from workspace.git.running import Git
from workspace.paths import path_of, shown

if TYPE_CHECKING:
    from workspace.git.revisions import Revision

MOST_COMMITS = 1000
MOST_PATHS = 100
"""A commit that touches more files than this says nothing about any of them."""
LOG_SECONDS = 5.0

_COMMIT = ("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD")
_LIST = ("rev-list", "--no-merges")
_SHOW = (
    *("diff-tree", "--stdin", "-z", "-r", "--root", "--raw", "--no-abbrev", "--no-renames"),
    *("--ignore-submodules=none", "--no-ext-diff", "--no-textconv", "--encoding=UTF-8", "--format=%H%x00%B%x00"),
)
_HEAD = re.compile(rb"([0-9a-f]{40,64})\0([^\0]*)\0[\0\n]*")
_ENTRY = re.compile(rb":[0-7]+ [0-7]+ [0-9a-f]+ [0-9a-f]+ [A-Z][0-9]*\0([^\0]+)\0")


class PastCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit without its changes.

    Attributes:
        message: as written.
        paths: the files it touched below the folder, relative to it.
    """

    message: str
    paths: tuple[str, ...]


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """The newest commits of a folder.

    Attributes:
        head: the hash of the commit that is checked out, or "" where there is none.
        commits: newest first, merges left out.
        refusal: why there are none, or not all of them, as a clause; "" where nothing is wrong.
    """

    head: str = ""
    commits: tuple[PastCommit, ...] = ()
    refusal: str = ""


NO_LOG = Log()


def newest(folder: str, known: Log = NO_LOG, *, most: int = MOST_COMMITS, seconds: float = LOG_SECONDS) -> Log:
    """The newest commits that touched a folder.

    History is welcome, and never needed: what git cannot tell is left out, and `Log.refusal` says why. Where there is no
    repository, or no commit yet, nothing is wrong.

    Args:
        folder: a real absolute path, or a place in a commit: then the history is that of the commit.
        known: what was told before; it is given back while the same commit is checked out.
        most: how many commits are read.
        seconds: how long git may take.
    """
    found = revision_at(folder)
    if found is not None:
        revision, below = found
        return known if known.head == revision.commit else _of_commit(revision, below, most, seconds)
    git = Git(folder, seconds=seconds)
    asked = git.ask(*_COMMIT)
    if asked.status:
        # Git says nothing and ends with 1 where nothing is committed yet.
        wrong = asked.in_repository and asked.status != 1
        return Log(refusal=asked.refusal if wrong else "")
    head = asked.out.decode("ascii", "replace").strip()
    if head == known.head:
        return known
    return _told(git, head, ".", "--relative", most)


def _of_commit(revision: Revision, below: str, most: int, seconds: float) -> Log:
    git = Git(revision.repository.git_dir, seconds=seconds, repository=revision.repository.git_dir)
    return _told(git, revision.commit, below or ".", f"--relative={below}/" if below else "--relative", most)


def _told(git: Git, head: str, path: str, relative: str, most: int) -> Log:
    listed = git.ask(*_LIST, f"-n{most}", head, "--", path)
    told = git.ask(*_SHOW, relative, fed=listed.out) if listed.out else listed
    return Log(head=head, commits=_read(told.out), refusal=listed.refusal or told.refusal)


def _read(told: bytes) -> tuple[PastCommit, ...]:
    """The commits of an answer, up to where it breaks off."""
    found: list[PastCommit] = []
    at = 0
    while head := _HEAD.match(told, at):
        stop_if_cancelled()
        at = head.end()
        names: list[bytes] = []
        while entry := _ENTRY.match(told, at):
            at = entry.end()
            names.append(entry[1])
        paths = tuple(shown(path_of(name)) for name in names) if len(names) <= MOST_PATHS else ()
        found.append(PastCommit(message=head[2].decode("utf-8", "replace"), paths=paths))
    return tuple(found)
