"""Asks git for commits, their changes, and the trees before them. Nothing is ever written to a repository."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_FIELDS = "%x1e%H%x1f%P%x1f%B%x1f"
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+", re.MULTILINE)


class HistoryError(Exception):
    """A repository is not there, or git refuses; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit with one parent.

    Attributes:
        name: its hash.
        parent: that of its parent.
        message: subject and body, as written.
        changed: paths of the files that it touched.
    """

    name: str
    parent: str
    message: str
    changed: tuple[str, ...]


def git(repository: Path, *arguments: str) -> bytes:
    """Returns the output of a git command.

    Raises:
        HistoryError: git failed.
    """
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False)
    if done.returncode:
        raise HistoryError(f"git {arguments[0]} failed in {repository}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def locate(histories: Path, name: str) -> Path:
    """Returns the history of `owner/name`: `DIR/owner+name/repo`, `DIR/owner+name`, `DIR/name` or `DIR/name.git`.

    Raises:
        HistoryError: it is in none of these places.
    """
    owner, _, project = name.partition("/")
    for place in (f"{owner}+{project}/repo", f"{owner}+{project}", project, f"{project}.git"):
        if (histories / place).is_dir():
            return histories / place
    raise HistoryError(f"{name} is not in {histories}: clone it there with its history, or leave it out")


def commits(repository: Path, most: int) -> list[Commit]:
    """The newest commits of the main line that are no merges, newest first.

    Args:
        repository: a work tree or a bare git directory.
        most: how many are read.
    """
    told = git(
        repository,
        "log",
        "-z",
        "--no-merges",
        "--no-renames",
        "--name-only",
        f"-n{most}",
        f"--format={_FIELDS}",
        "HEAD",
    ).decode("utf-8", "replace")
    found: list[Commit] = []
    for record in told.split("\x1e")[1:]:
        name, parents, message, rest = record.split("\x1f", 3)
        if len(parents.split()) != 1:
            continue
        paths = tuple(path.strip("\n") for path in rest.split("\0") if path.strip("\n"))
        found.append(Commit(name=name, parent=parents, message=message.strip(), changed=paths))
    return found


def touched(repository: Path, before: str, after: str, path: str) -> set[int]:
    """The lines of a file that another commit has otherwise, white space aside, and those on either side of lines that it adds.

    Args:
        repository: a work tree or a bare git directory.
        before: the commit whose lines they are.
        after: the other commit.
        path: of the file in both.
    """
    found: set[int] = set()
    told = git(repository, "diff", "-U0", "-w", "--no-color", "--no-ext-diff", before, after, "--", path)
    for first, count in _HUNK.findall(told):
        start, length = int(first), int(count or 1)
        found.update(range(start, start + length) if length else (start, start + 1))
    return found


def blob(repository: Path, commit: str, path: str) -> bytes | None:
    """A file as it was in a commit; None if it was not there."""
    done = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "blob", f"{commit}:{path}"], capture_output=True, check=False
    )
    return None if done.returncode else done.stdout


def export(repository: Path, commit: str, target: Path) -> None:
    """Writes the tree of a commit below a folder, as a work tree of git that has the history up to there.

    The objects stay where they are; nothing is written to the repository. A file whose content the repository lacks (a
    partial copy) is left out.
    """
    target.mkdir(parents=True)
    git(target, "init", "-q")
    objects = git(repository, "rev-parse", "--path-format=absolute", "--git-path", "objects").decode().strip()
    (target / ".git/objects/info/alternates").write_text(f"{objects}\n", encoding="utf-8")
    git(target, "update-ref", "--no-deref", "HEAD", commit)
    listed = git(repository, "ls-tree", "-r", "-z", commit).split(b"\0")
    rows = [(row.split(b"\t")[0].split(), row.split(b"\t", 1)[1]) for row in listed if row]
    files = [(name, path) for (mode, kind, name), path in rows if kind == b"blob" and mode != b"120000"]
    asked = b"".join(name + b"\n" for name, _ in files)
    told = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "--batch"], input=asked, capture_output=True, check=True
    ).stdout
    position = 0
    for _, path in files:
        end = told.index(b"\n", position)
        head = told[position:end].split()
        position = end + 1
        if head[-1] == b"missing":
            continue
        place = target / os.fsdecode(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(told[position : position + int(head[2])])
        position += int(head[2]) + 1
    git(target, "read-tree", "HEAD")
