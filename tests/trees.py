"""Real folders and real repositories for tests."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GIT_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def write_tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by their relative paths; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def git(folder: Path, *arguments: str, ok: tuple[int, ...] = (0,)) -> bytes:
    """Run git in a folder, with no configuration but the repository's own; return what it prints."""
    command = ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *arguments]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **GIT_ENVIRONMENT}, capture_output=True, check=False)
    assert done.returncode in ok, (command, done.stderr)
    return done.stdout


def make_repository(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a repository in which the files are committed; return its folder."""
    write_tree(folder, files)
    git(folder, "init", "-q")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "all")
    return folder


def commit_object(
    folder: Path, *, tree: str, parent: str = "", message: bytes, author: bytes = b"A <a@example.org>"
) -> str:
    """Write a commit as it is given, checked by nobody, into a repository; return its hash."""
    lines = [b"tree " + tree.encode(), *([b"parent " + parent.encode()] if parent else [])]
    lines += [role + b" " + author + b" 1700000000 +0000" for role in (b"author", b"committer")]
    content = b"\n".join(lines) + b"\n\n" + message
    command = ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"]
    environment = {**os.environ, **GIT_ENVIRONMENT}
    done = subprocess.run(command, cwd=folder, env=environment, input=content, capture_output=True, check=True)
    return done.stdout.decode().strip()
