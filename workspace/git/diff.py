"""What changed in a folder since some state of its repository: files, and lines of them.

The work tree is compared with a revision, or two revisions with each other; then the lines are those that the work tree
has now. What a caller names is resolved to the hash of a commit first, so nothing of it ever reaches another command of
git. No external diff, text conversion, filter or hook runs, whatever the repository's configuration says.
"""

from __future__ import annotations

import os
import re
import subprocess
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from workspace.errors import InvalidArgumentError
from workspace.git.files import run_git
from workspace.paths import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

WORKTREE = "worktree"
"""Stands for what is not committed yet: staged, unstaged and new."""

MAX_REVISION = 200
"""Characters of a revision or range."""

_DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--relative", "--ignore-submodules=all"),
    *("--find-renames", "--unified=0", "--inter-hunk-context=0", "--raw", "--patch", "-z", "--abbrev=40"),
)
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)


class ChangeKind(StrEnum):
    """What became of a file; the value is the mark that a reader sees."""

    NEW = "NEW"
    CHANGED = "CHANGED"
    RENAMED = "RENAMED"
    DELETED = "DELETED"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file.

    Attributes:
        path: the file, relative to the folder, as `workspace.paths.shown` writes it.
        kind: what became of it.
        old_path: where it was before, for a renamed one.
        lines: first and last lines that changed, counted from 1, in the file as it is now; where lines only went, the
            last is the one before the gap and the first the one after it.
    """

    path: str
    kind: ChangeKind
    old_path: str = ""
    lines: tuple[tuple[int, int], ...] = ()


class _Hunk(msgspec.Struct, frozen=True):
    old: int
    old_count: int
    new: int
    new_count: int

    @property
    def lines(self) -> tuple[int, int]:
        return (self.new, self.new + self.new_count - 1) if self.new_count else (self.new + 1, self.new)


def changes(folder: str, changed: str) -> tuple[Change, ...]:
    """Lists what changed in a folder, by path.

    Args:
        folder: a real absolute path in a work tree.
        changed: `worktree`; a revision, which is compared with the work tree; or a range of two, `main..topic`.

    Raises:
        InvalidArgumentError: there is no repository, or no such revision; or git cannot answer.
    """
    try:
        if _git(folder, "rev-parse", "--is-inside-work-tree").strip() != b"true":
            raise InvalidArgumentError("changed needs a work tree of git; the path is in none.")
        settings = _without_filters(folder)
        old, new = _ends(folder, changed.strip())
        if new is None:
            found = _compared(folder, settings, old)
            names = _git(folder, *_UNTRACKED).split(b"\0")
            listed = {_name(name): Change(path=_name(name), kind=ChangeKind.NEW) for name in names if name}
        else:
            later = _hunks(folder, settings, new)
            found = [_moved(change, later) for change in _compared(folder, settings, old, new)]
            listed = {}
    except subprocess.TimeoutExpired as error:
        raise InvalidArgumentError(
            f"git took more than {error.timeout:g} seconds to compare; name a nearer revision."
        ) from error
    except OSError as error:
        raise InvalidArgumentError(f"changed needs git, which could not be started ({error.strerror}).") from error
    listed |= {change.path: change for change in found}
    return tuple(listed[path] for path in sorted(listed))


def _ends(folder: str, changed: str) -> tuple[str, str | None]:
    """The commits or trees to compare; None for the work tree."""
    if changed == WORKTREE:
        head = run_git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if head.returncode == 0:
            return head.stdout.decode().strip(), None
        return _git(folder, "hash-object", "-t", "tree", "--stdin").decode().strip(), None
    first, dots, last = changed.partition("...") if "..." in changed else changed.partition("..")
    if not dots:
        return _commit(folder, changed), None
    old, new = _commit(folder, first or "HEAD"), _commit(folder, last or "HEAD")
    return (_git(folder, "merge-base", old, new).decode().strip() if dots == "..." else old), new


def _commit(folder: str, revision: str) -> str:
    sound = revision and not revision.startswith("-") and len(revision) <= MAX_REVISION and revision.isprintable()
    if sound:
        found = run_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if found.returncode == 0:
            return found.stdout.decode().strip()
    raise InvalidArgumentError(
        f"changed names no commit: {revision[:MAX_REVISION]!r}. Give 'worktree', a revision such as 'HEAD~1' or 'main', or a "
        "range such as 'main..topic'."
    )


def _without_filters(folder: str) -> tuple[tuple[str, str], ...]:
    """Settings that turn the filters of the repository's configuration off: git would run them on the work tree."""
    listed = run_git(
        folder, "config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"
    )
    names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return tuple((name, "false" if name.endswith(".required") else "") for name in dict.fromkeys(names))


def _compared(folder: str, settings: Sequence[tuple[str, str]], *commits: str) -> list[Change]:
    """What differs between two commits, or between one and the work tree."""
    answer = _git(folder, *_DIFF, *commits, "--", settings=settings)
    raw, sections = _parted(answer)
    found: list[Change] = []
    for (status, paths), section in zip(raw, sections, strict=False):
        lines = tuple(hunk.lines for hunk in _read(section))
        path = _name(paths[-1])
        if status == b"D":
            found.append(Change(path=path, kind=ChangeKind.DELETED))
        elif status == b"R":
            found.append(Change(path=path, kind=ChangeKind.RENAMED, old_path=_name(paths[0]), lines=lines))
        else:
            kind = ChangeKind.NEW if status in {b"A", b"C"} else ChangeKind.CHANGED
            found.append(Change(path=path, kind=kind, lines=lines if kind is ChangeKind.CHANGED else ()))
    return found


def _parted(answer: bytes) -> tuple[list[tuple[bytes, list[bytes]]], list[bytes]]:
    """The entries of the raw listing, each with its paths, and the sections of the patch, in the same order."""
    raw: list[tuple[bytes, list[bytes]]] = []
    at = 0
    while answer.startswith(b":", at):
        end = answer.index(b"\0", at)
        status = answer[at:end].rpartition(b" ")[2][:1]
        at = end + 1
        paths: list[bytes] = []
        for _ in range(2 if status in {b"R", b"C"} else 1):
            end = answer.index(b"\0", at)
            paths.append(answer[at:end])
            at = end + 1
        if status != b"U":  # what a merge left open is listed once more with its other state
            raw.append((status, paths))
    patch = answer[at:].lstrip(b"\0")
    starts = [match.start() for match in _SECTION.finditer(patch)]
    return raw, [patch[start:end] for start, end in zip(starts, [*starts, len(patch)][1:], strict=True)]


def _read(section: bytes) -> list[_Hunk]:
    return [
        _Hunk(*(1 if number is None else int(number) for number in found.groups())) for found in _HUNK.finditer(section)
    ]


def _hunks(folder: str, settings: Sequence[tuple[str, str]], commit: str) -> dict[str, list[_Hunk]]:
    """How the lines of every file moved from a commit to the work tree, by the path in the commit."""
    raw, sections = _parted(_git(folder, *_DIFF, "--no-renames", commit, "--", settings=settings))
    return {_name(paths[0]): _read(section) for (_, paths), section in zip(raw, sections, strict=False)}


def _moved(change: Change, later: dict[str, list[_Hunk]]) -> Change:
    """A change with its lines as the work tree has them now."""
    hunks = later.get(change.path, ())
    return replace(
        change, lines=tuple((_moved_line(first, hunks), _moved_line(last, hunks)) for first, last in change.lines)
    )


def _moved_line(line: int, hunks: Sequence[_Hunk]) -> int:
    moved = line
    for hunk in hunks:
        if hunk.old + max(hunk.old_count, 1) - 1 < line:
            moved += hunk.new_count - hunk.old_count
        elif hunk.old_count and hunk.old <= line:
            return hunk.new
    return moved


def _name(name: bytes) -> str:
    return shown(os.fsdecode(name))


def _git(folder: str, *arguments: str, settings: Sequence[tuple[str, str]] = ()) -> bytes:
    done = run_git(folder, *arguments, settings=settings)
    if done.returncode != 0:
        if b"not a git repository" in done.stderr:
            raise InvalidArgumentError("changed needs a work tree of git; the path is in none.")
        raise InvalidArgumentError(
            f"git could not compare (exit status {done.returncode}); check the revision or leave changed out."
        )
    return done.stdout
