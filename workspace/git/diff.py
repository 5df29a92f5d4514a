"""The changes of a folder since some state of its repository: files, and lines of them.

The work tree is compared with a revision, or two revisions with each other; then the lines are those that the work tree
has now. What a caller names is resolved to the hash of a commit first, so nothing of it ever reaches another command of
git. No external diff, text conversion, filter or hook runs, whatever the repository's configuration says.
"""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from workspace.errors import InvalidArgumentError
from workspace.git.revisions import revision_at
from workspace.git.running import FILTERS, GIT_SECONDS, SHALLOW, Git, GitAnswer, turned_off
from workspace.paths import path_of, shown, unshown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workspace.git.revisions import Revision

WORKTREE = "worktree"
"""Stands for what is not committed yet: staged, unstaged and new."""

MAX_REVISION = 200
"""Characters of a revision or range."""

MOST_CONTENT_BYTES = 4 << 20
MOST_KEPT_BYTES = 64 << 20
"""Bytes of one content that the repository keeps, and of all that are read at once."""

_DIFF = (
    *("-z", "--raw", "--patch", "--no-abbrev", "--unified=0", "--inter-hunk-context=0", "--no-color"),
    *(
        "--no-ext-diff",
        "--no-textconv",
        "--submodule=short",
        "--ignore-submodules=dirty",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ),
)
_RENAMES = ("--find-renames", "-l1000")
_INDEX = ("ls-files", "-z", "--stage")
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")
_EMPTY_TREE = ("hash-object", "-t", "tree", "--stdin")
_OF_HEAD = re.compile(r"(?:HEAD|@)(?=$|[~^])")
_NOTHING_FOUND = 1
_NO_WORK_TREE = "changed needs a work tree of git; the path is in none. Without git, since tells what changed from one answer to the next."
"""The exit status of commands that look for something, where there is none."""

_ENTRY = re.compile(rb":([0-7]+) ([0-7]+) ([0-9a-f]+) [0-9a-f]+ ([A-Z])[0-9]*\0([^\0]+)\0")
_LINK = b"160000"
"""The mode of a submodule."""

_LINKED = re.compile(rb"160000 ([0-9a-f]+) 0\t([^\0]+)\0")
_SECOND = re.compile(rb"([^\0]+)\0")
_BLOB = re.compile(rb"^([0-9a-f]+) blob ([0-9]+)$", re.MULTILINE)
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_SECTION = re.compile(rb"^diff --git ([^\n]*)\n", re.MULTILINE)
_MOVED_TO = re.compile(rb"^rename to ([^\n]*)\n", re.MULTILINE)
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
_CONTROLS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


class ChangeKind(StrEnum):
    """The change of a file; the value is the mark that a reader sees."""

    NEW = "NEW"
    CHANGED = "CHANGED"
    RENAMED = "RENAMED"
    DELETED = "DELETED"


class Removed(NamedTuple):
    """Lines that are no longer in a file, or read otherwise now."""

    before: int
    """The line of the file as it is now that they stood before, counted from 1; one more than it has at its end."""
    first: int
    """The first of them in the file as it was, counted likewise."""
    lines: int
    """The number of these lines."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One file that changed.

    Attributes:
        path: the file, relative to the folder, as `workspace.paths.shown` writes it.
        kind: what became of it.
        old_path: where it was before, for a renamed one.
        lines: first and last lines that changed, counted from 1, in the file as it is now; where lines only went, the
            last is the one before the gap and the first the one after it.
        removed: the lines that went.
        old: the hash of the file's content as it was, for `contents`; "" where there was none.
        submodule: the path of the submodule that keeps it, relative to the folder; "" for the repository itself.
        has_moved_on: whether the file on disk is not as it was at the end of the range, so that its lines are guesses.
    """

    path: str
    kind: ChangeKind
    old_path: str = ""
    lines: tuple[tuple[int, int], ...] = ()
    removed: tuple[Removed, ...] = ()
    old: str = ""
    submodule: str = ""
    has_moved_on: bool = False

    @property
    def amount(self) -> int:
        """The number of lines that came and went."""
        return self.came + sum(one.lines for one in self.removed)

    @property
    def came(self) -> int:
        """The number of lines that came."""
        return sum(max(0, last - first + 1) for first, last in self.lines)


class _Hunk(msgspec.Struct, frozen=True):
    old: int
    old_count: int
    new: int
    new_count: int

    @property
    def lines(self) -> tuple[int, int]:
        return (self.new, self.new + self.new_count - 1) if self.new_count else (self.new + 1, self.new)

    @property
    def removed(self) -> Removed:
        return Removed(self.lines[0], self.old, self.old_count)


class _Compared(msgspec.Struct, frozen=True):
    """One entry of git's raw listing: what became of a file, its paths, and whether its mode is another one.

    Attributes:
        is_link: whether it is a submodule, now or before.
    """

    status: bytes
    paths: tuple[bytes, ...]
    has_other_mode: bool
    old: bytes
    is_link: bool = False


class _Asking(msgspec.Struct, frozen=True):
    """Git in the folder, and the settings that keep it from running filters.

    Attributes:
        head: the commit that is looked at, where it is no work tree.
        below: the folder in it.
    """

    git: Git
    settings: Sequence[tuple[str, str]] = ()
    head: str = ""
    below: str = ""

    @property
    def relative(self) -> str:
        """The option by which git tells paths relative to the folder."""
        return f"--relative={self.below}/" if self.below else "--relative"

    def told(self, *arguments: str) -> bytes:
        """Git's answer to a command that must succeed.

        Raises:
            InvalidArgumentError: it does not.
        """
        return _sound(self.git.ask(*arguments, settings=self.settings)).out


def changes(folder: str, changed: str, *, seconds: float = GIT_SECONDS) -> tuple[Change, ...]:
    """Lists what changed in a folder, by path.

    Args:
        folder: a real absolute path in a work tree, or a place in a commit, which stands for a work tree that has no
            changes of its own.
        changed: `worktree`; a revision, which is compared with the work tree; or a range of two, `main..topic`.
        seconds: how long git may take.

    Raises:
        InvalidArgumentError: there is no repository, or no such revision; or git cannot answer.
    """
    standing = revision_at(folder)
    if standing is not None:
        return _of_commit(*standing, changed.strip(), seconds)
    git = _work_tree(folder, seconds)
    asking = _Asking(git, _without_filters(git))
    old, new = _ends(asking, changed.strip())
    if new is None:
        found = _with_submodules(folder, asking, _compared(asking, "diff-index", old), seconds)
        names = asking.told(*_UNTRACKED).split(b"\0")
        listed = {_name(name): Change(path=_name(name), kind=ChangeKind.NEW) for name in names if name}
    else:
        later = _later(asking, new)
        found = [_moved(change, later) for change in _compared(asking, "diff-tree", "-r", old, new)]
        listed = {}
    listed |= {change.path: change for change in found}
    return tuple(listed[path] for path in sorted(listed))


def check_work_tree(folder: str) -> None:
    """Makes sure that `changes` can be asked of a folder, before anything else is done for a call.

    Raises:
        InvalidArgumentError: there is no repository, or git cannot answer.
    """
    if revision_at(folder) is None:
        _work_tree(folder, GIT_SECONDS)


def _work_tree(folder: str, seconds: float) -> Git:
    git = Git(folder, seconds=seconds)
    if _Asking(git).told("rev-parse", "--is-inside-work-tree").strip() != b"true":
        raise InvalidArgumentError(_NO_WORK_TREE)
    return git


def _of_commit(revision: Revision, below: str, changed: str, seconds: float) -> tuple[Change, ...]:
    place = revision.repository.git_dir
    asking = _Asking(Git(place, seconds=seconds, repository=place), head=revision.commit, below=below)
    old, new = _ends(asking, changed)
    now = revision.commit
    if new is None:
        found = _compared(asking, "diff-tree", "-r", old, now)
    else:
        later = _later(asking, new)
        found = [_moved(change, later) for change in _compared(asking, "diff-tree", "-r", old, new)]
    return tuple(sorted(found, key=lambda change: change.path))


def contents(folder: str, hashes: Sequence[str]) -> dict[str, bytes]:
    """Reads contents that the repository keeps; what is too large or cannot be read is left out.

    Args:
        folder: a real absolute path in a work tree.
        hashes: as `Change.old` has them.
    """
    standing = revision_at(folder)
    place = "" if standing is None else standing[0].repository.git_dir
    git = Git(place or folder, repository=place)
    asked = git.ask("cat-file", "--batch-check", fed="".join(f"{one}\n" for one in dict.fromkeys(hashes)).encode())
    wanted: list[bytes] = []
    left = MOST_KEPT_BYTES
    for name, size in _BLOB.findall(asked.out):
        left -= int(size)
        if int(size) <= MOST_CONTENT_BYTES and left >= 0:
            wanted.append(name)
    answer = git.ask("cat-file", "--batch", fed=b"".join(name + b"\n" for name in wanted)) if wanted else asked
    found: dict[str, bytes] = {}
    at = 0
    while wanted and (head := _BLOB.match(answer.out, at)):
        end = head.end() + 1 + int(head[2])
        found[head[1].decode("ascii")] = answer.out[head.end() + 1 : end]
        at = end + 1
    return found


def _ends(asking: _Asking, changed: str) -> tuple[str, str | None]:
    """The commits or trees to compare; None for the work tree."""
    if changed == WORKTREE and asking.head:
        return asking.head, None
    if changed == WORKTREE:
        head = _found(asking, "HEAD", kind="")  # whether the commit can be read is for the comparison to say
        return head or asking.told(*_EMPTY_TREE).decode("ascii", "replace").strip(), None
    first, dots, last = changed.partition("...") if "..." in changed else changed.partition("..")
    if not dots:
        return _commit(asking, changed), None
    old, new = _commit(asking, first or "HEAD"), _commit(asking, last or "HEAD")
    return (_fork(asking, old, new) if dots == "..." else old), new


def _fork(asking: _Asking, old: str, new: str) -> str:
    """The commit at which two parted."""
    answer = asking.git.ask("merge-base", old, new)
    if answer.status == _NOTHING_FOUND:
        raise InvalidArgumentError("changed names two commits without a common ancestor; write two dots for three.")
    return _sound(answer).out.decode("ascii", "replace").strip()


def _commit(asking: _Asking, revision: str) -> str:
    revision = _OF_HEAD.sub(asking.head, revision) if asking.head and _OF_HEAD.match(revision) else revision
    sound = revision and not revision.startswith("-") and len(revision) <= MAX_REVISION and revision.isprintable()
    if sound and (found := _found(asking, revision)):
        return found
    raise InvalidArgumentError(
        f"changed names no commit: {revision[:MAX_REVISION]!r}. Give 'worktree' (staged or not), a revision such as 'HEAD~1' or "
        f"'main', or a range such as 'main..topic'.{SHALLOW if sound and asking.git.is_shallow() else ''}"
    )


def _found(asking: _Asking, revision: str, kind: str = "^{commit}") -> str:
    """The hash of the commit that a revision names, "" for none."""
    answer = asking.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}{kind}")
    if answer.status < 0:
        _sound(answer)
    return "" if answer.status else answer.out.decode("ascii", "replace").strip()


def _without_filters(git: Git) -> tuple[tuple[str, str], ...]:
    """Settings that turn the filters of the repository's configuration off: git would run them on the work tree."""
    listed = git.ask(*FILTERS)
    filters = turned_off(b"" if listed.status == _NOTHING_FOUND else _sound(listed).out)
    if not git.takes([name for name, _ in filters]):
        raise InvalidArgumentError(
            "changed cannot be told: the repository configures a filter whose name holds a '=', and only git 2.31 and newer can be"
            " kept from running it. Rename the filter, or use a newer git."
        )
    return filters


def _compared(asking: _Asking, command: str, *commits: str) -> list[Change]:
    """Returns what differs between two commits, or between one and the work tree."""
    entries, sections = _parted(asking.told(command, *_DIFF, asking.relative, *_RENAMES, *commits, "--"))
    found: dict[bytes, Change] = {}
    for entry in entries:
        section = sections.get(entry.paths[-1])
        hunks = [] if entry.is_link else _read(section or b"")
        lines = tuple(hunk.lines for hunk in hunks)
        removed = tuple(hunk.removed for hunk in hunks if hunk.old_count)
        old = entry.old.decode("ascii")
        path = _name(entry.paths[-1])
        if entry.status == b"D":
            change = Change(path=path, kind=ChangeKind.DELETED, old=old)
        elif entry.status == b"R":
            change = Change(
                path=path,
                kind=ChangeKind.RENAMED,
                old_path=_name(entry.paths[0]),
                lines=lines,
                removed=removed,
                old=old,
            )
        elif entry.status in {b"A", b"C"}:
            change = Change(path=path, kind=ChangeKind.NEW)
        elif section is None and not entry.has_other_mode and entry.status == b"M":
            continue  # it was touched, and is as it was: the plumbing does not look before it lists
        else:
            change = Change(path=path, kind=ChangeKind.CHANGED, lines=lines, removed=removed, old=old)
        if entry.status != b"U" or entry.paths[-1] not in found:  # what a merge left open is listed once more
            found[entry.paths[-1]] = change
    return list(found.values())


def _parted(answer: bytes) -> tuple[list[_Compared], dict[bytes, bytes]]:
    """The entries of the raw listing, and the sections of the patch by the path that the file has now."""
    entries: list[_Compared] = []
    at = 0
    while entry := _ENTRY.match(answer, at):
        at = entry.end()
        old_mode, new_mode, old, status, path = entry.groups()
        paths = (path,)
        if status in {b"R", b"C"} and (second := _SECOND.match(answer, at)):
            at = second.end()
            paths = (path, second[1])
        entries.append(_Compared(status, paths, old_mode != new_mode, old, _LINK in {old_mode, new_mode}))
    patch = answer[at:].lstrip(b"\0")
    starts = list(_SECTION.finditer(patch))
    ends = [*(start.start() for start in starts), len(patch)][1:]
    sections: dict[bytes, bytes] = {}
    for start, end in zip(starts, ends, strict=True):
        path = _path_of(start[1], patch[start.end() : end])
        sections[path] = sections.get(path, b"") + patch[start.end() : end]
    return entries, sections


def _path_of(names: bytes, section: bytes) -> bytes:
    """The path that the section of a patch is about: both names are the same, or the new one stands on its own line."""
    head = section.partition(b"\n@@ ")[0]
    moved = _MOVED_TO.search(head)
    if moved is not None:
        return _unquoted(moved[1])
    first = quoted[0] if (quoted := _QUOTED.match(names)) else names[: len(names) // 2]
    return _unquoted(first).removeprefix(b"a/")


def _unquoted(name: bytes) -> bytes:
    quoted = _QUOTED.fullmatch(name)
    return _ESCAPE.sub(_character, quoted[1]) if quoted else name


def _character(escape: re.Match[bytes]) -> bytes:
    octal, control = escape.groups()
    return bytes([int(octal, 8) & 0xFF]) if octal else _CONTROLS.get(control, control)


def _read(section: bytes) -> list[_Hunk]:
    return [
        _Hunk(*(1 if number is None else int(number) for number in found.groups())) for found in _HUNK.finditer(section)
    ]


def _with_submodules(folder: str, asking: _Asking, found: Sequence[Change], seconds: float) -> list[Change]:
    """Returns changes with those inside of submodules that are checked out; of one that cannot be looked into its name."""
    listed = {_name(path): commit.decode("ascii") for commit, path in _LINKED.findall(asking.told(*_INDEX))}
    known = {change.path: change for change in found}
    inside: list[Change] = []
    for path, commit in listed.items():
        place = Path(os.path.realpath(Path(folder) / unshown(path)))
        if not place.is_relative_to(folder) or not os.path.lexists(place / ".git"):
            continue
        change = known.get(path)
        try:
            ours = changes(str(place), (change.old if change is not None else "") or commit, seconds=seconds)
        except InvalidArgumentError:
            inside.append(known.pop(path, Change(path=path, kind=ChangeKind.CHANGED)))
            continue
        inside += [
            replace(
                one,
                path=f"{path}/{one.path}",
                old_path=f"{path}/{one.old_path}" if one.old_path else "",
                submodule=f"{path}/{one.submodule}" if one.submodule else path,
            )
            for one in ours
        ]
    return [*known.values(), *inside]


class _Later(NamedTuple):
    """The differences of the work tree from a commit.

    Attributes:
        hunks: how the lines of every file moved, by the path in the commit.
        paths: the files that are not as they are in the commit.
    """

    hunks: Mapping[str, Sequence[_Hunk]]
    paths: frozenset[str]


def _later(asking: _Asking, commit: str) -> _Later:
    words = ("diff-tree", "-r", *_DIFF, asking.relative, "--no-renames", commit, asking.head)
    if not asking.head:
        words = ("diff-index", *_DIFF, asking.relative, "--no-renames", commit, "--")
    entries, sections = _parted(asking.told(*words))
    hunks = {_name(path): _read(section) for path, section in sections.items()}
    touched = {path for one in entries for path in one.paths if one.status != b"M" or one.has_other_mode}
    return _Later(hunks, frozenset(hunks) | frozenset(map(_name, touched)))


def _moved(change: Change, later: _Later) -> Change:
    """A change with its lines as the work tree has them now."""
    hunks = later.hunks.get(change.path, ())
    return replace(
        change,
        has_moved_on=change.path in later.paths,
        lines=tuple((_moved_line(first, hunks), _moved_line(last, hunks)) for first, last in change.lines),
        removed=tuple(one._replace(before=_moved_line(one.before, hunks)) for one in change.removed),
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
    return shown(path_of(name))


def _sound(answer: GitAnswer) -> GitAnswer:
    """An answer that is one.

    Raises:
        InvalidArgumentError: it is none.
    """
    if not answer.status:
        return answer
    if not answer.in_repository:
        raise InvalidArgumentError(_NO_WORK_TREE)
    if not answer.is_there:
        advice = "Install git, or put its folder on the search path (PATH) that this program is started with"
    elif answer.status < 0:
        advice = "Name a nearer revision"
    else:
        advice = "Mend what git says"
    raise InvalidArgumentError(
        f"changed needs git, and it cannot compare: {answer.refusal}. {advice}, or leave changed out."
    )
