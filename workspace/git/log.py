"""The newest commits of a folder, each with its message and the files it touched.

A file that was changed lately, or in a commit about the same subject, is likely to be changed again. The commits are
listed first, and then shown in a form in which every part ends with a NUL or has a known length: neither messages, which
hold no NUL, nor names of files can be taken for anything else.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from workspace.cancellation import stop_if_cancelled
from workspace.git.revisions import revision_at
from workspace.git.running import Git
from workspace.own_code import digest_of
from workspace.paths import path_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workspace.git.revisions import Revision

KIND: Final = 202
"""Of logs among what is kept; no aspect of a file has it."""

MOST_COMMITS = 1000
MOST_PATHS = 100
"""A commit that touches more files than this says nothing about any of them."""
LOG_SECONDS = 5.0

_COMMIT = ("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD")
_SHAPE = ("rev-parse", "--is-shallow-repository", "--show-prefix", "--git-path", "info/grafts")
_LIST = ("rev-list", "--no-merges")
_SHOW = (
    *("diff-tree", "--stdin", "-z", "-r", "--root", "--raw", "--no-abbrev", "--no-renames"),
    *("--ignore-submodules=none", "--no-ext-diff", "--no-textconv", "--encoding=UTF-8", "--format=%H%x00%B%x00"),
)
_HEAD = re.compile(rb"([0-9a-f]{40,64})\0([^\0]*)\0[\0\n]*")
_ENTRY = re.compile(rb":[0-7]+ [0-7]+ [0-9a-f]+ [0-9a-f]+ [A-Z][0-9]*\0([^\0]+)\0")


class Keeping(Protocol):
    """A store of logs, for other processes and replicas; none of its methods raises: `skeleton.index.store.FactStore`."""

    def read(self, kind: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Returns the values that are kept for some keys."""
        ...

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Keeps values, each with its kind and key."""
        ...


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

_COMMITS: Final = msgspec.msgpack.Decoder(tuple[PastCommit, ...])


def newest(
    folder: str,
    known: Log = NO_LOG,
    *,
    most: int = MOST_COMMITS,
    seconds: float = LOG_SECONDS,
    keeping: Keeping | None = None,
) -> Log:
    """The newest commits that touched a folder.

    History is welcome, and never needed: what git cannot tell is left out, and `Log.refusal` says why. Where there is no
    repository, or no commit yet, nothing is wrong.

    Args:
        folder: a real absolute path, or a place in a commit: then the history is that of the commit.
        known: what was told before; it is given back while the same commit is checked out.
        most: how many commits are read.
        seconds: how long git may take.
        keeping: where it stands what git told others of the same commit; None for nowhere.
    """
    found = revision_at(folder)
    if found is not None:
        revision, below = found
        return known if known.head == revision.commit else _of_commit(revision, below, most, seconds, keeping)
    git = Git(folder, seconds=seconds)
    asked = git.ask(*_COMMIT)
    if asked.status:
        # Git says nothing and ends with 1 where nothing is committed yet.
        wrong = asked.in_repository and asked.status != 1
        return Log(refusal=asked.refusal if wrong else "")
    head = asked.out.decode("ascii", "replace").strip()
    if head == known.head:
        return known
    return _told_once(git, head, ".", "--relative", most, keeping)


def _of_commit(revision: Revision, below: str, most: int, seconds: float, keeping: Keeping | None) -> Log:
    git = Git(revision.repository.git_dir, seconds=seconds, repository=revision.repository.git_dir)
    relative = f"--relative={below}/" if below else "--relative"
    return _told_once(git, revision.commit, below or ".", relative, most, keeping)


def _told_once(git: Git, head: str, path: str, relative: str, most: int, keeping: Keeping | None) -> Log:
    """Has git tell the log, unless another process was told it."""
    key = b"" if keeping is None else _key(git, head, path, relative, most)
    if keeping is None or not key:
        return _told(git, head, path, relative, most)
    value = keeping.read(KIND, [key]).get(key)
    if value is not None:
        try:
            return Log(head=head, commits=_COMMITS.decode(value))
        except msgspec.DecodeError:
            pass  # it is told and kept anew
    log = _told(git, head, path, relative, most)
    if not log.refusal:
        keeping.write([(KIND, key, msgspec.msgpack.encode(log.commits))])
    return log


def _key(git: Git, head: str, path: str, relative: str, most: int) -> bytes:
    """Returns what stands for a log wherever the commit is; b"" where the repository does not hold all before it."""
    shape = git.ask(*_SHAPE)
    told = shape.out.decode("utf-8", "surrogateescape").splitlines()
    if shape.status or len(told) != 3 or told[0] != "false" or Path(git.folder, told[2]).exists():
        return b""
    asked = "\0".join((head, told[1], path, relative, str(most)))
    return hashlib.blake2b(
        digest_of(Path(__file__)) + asked.encode("utf-8", "surrogateescape"), digest_size=16
    ).digest()


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
