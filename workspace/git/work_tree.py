"""Asks git about a work tree without reading it: the trees of its newest commits, and the files that are as they were.

Git's index holds the status of every tracked file beside the name of its content, so that it tells in a tenth of a second
which of 25,000 files are what was checked out. It is asked for the content itself, not believed beyond that: whatever a
filter, an encoding or a person's hint to git may hide is left out.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from workspace.beside import Beside
from workspace.git.running import Git
from workspace.paths import path_of, shown

NEWEST: Final = 64
"""Commits whose trees are told."""

_STRICT: Final = (("core.checkStat", "default"), ("core.trustctime", "true"), ("core.ignoreStat", "false"))
_HIDING: Final = ("filter", "working-tree-encoding")
"""Attributes by which a file on disk may differ from its content in git and still have its size."""

_PLAIN_FILE: Final = re.compile(rb"H 100(?:644|755) ([0-9a-f]{40,64}) 0\t(.*)", re.DOTALL)
"""As `ls-files -v -s` tells one: cached, neither skipped nor said to be unchanged, a regular file, without a conflict."""


class WorkTree(msgspec.Struct, frozen=True, kw_only=True):
    """The tracked files below a folder that are as they were checked out.

    Attributes:
        contents: the name of each content in git, in bytes, by the path below the folder, as `workspace.paths.shown`
            gives it.
        changed: how many tracked files are not.
    """

    contents: dict[str, bytes]
    changed: int


def newest_trees(folder: str) -> list[str]:
    """Returns the names of the trees that a folder had in the newest commits, the newest first; empty without git.

    A folder below the top of its repository has the one of the newest commit alone.

    Args:
        folder: a real absolute path.
    """
    git = Git(folder)
    prefix = git.ask("rev-parse", "--show-prefix")
    if prefix.status:
        return []
    asked = ("rev-parse", "HEAD:./") if prefix.out.strip() else ("log", f"--max-count={NEWEST}", "--format=%T")
    told = git.ask(*asked)
    return [] if told.status else list(dict.fromkeys(told.out.decode("ascii", "replace").split()))


def unchanged(folder: str) -> WorkTree:
    """Returns the tracked files below a folder that are as they were checked out; none where git does not tell.

    Args:
        folder: a real absolute path.
    """
    git = Git(folder)
    asked = Beside(lambda: git.ask("diff-files", "-z", "--name-only", "--relative", settings=_STRICT))
    listed = git.ask("ls-files", "-z", "-v", "-s", settings=_STRICT)
    changed = asked.outcome()
    if listed.status or changed.status:
        return WorkTree(contents={}, changed=0)
    rows = [row for row in listed.out.split(b"\0") if row]
    found = {match[2]: match[1] for row in rows if (match := _PLAIN_FILE.fullmatch(row)) is not None}
    told = git.ask("check-attr", "-z", "--stdin", *_HIDING, fed=b"\0".join(found) + b"\0")
    if told.status:
        return WorkTree(contents={}, changed=0)
    words = told.out.split(b"\0")
    hiding = {words[at] for at in range(0, len(words) - 2, 3) if words[at + 2] not in {b"unspecified", b"unset"}}
    edited = set(filter(None, changed.out.split(b"\0")))
    left_out = hiding | edited
    kept = {path: name for path, name in found.items() if path not in left_out}
    return WorkTree(
        contents={shown(path_of(path)): bytes.fromhex(name.decode("ascii")) for path, name in kept.items()},
        changed=len(edited),
    )
