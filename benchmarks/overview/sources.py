"""The repositories of the measurement, and the facts of their files."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tomllib
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.indexed import IndexedFile
from skeleton.index.records import Aspect, Definitions
from skeleton.index.workers import Workers
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from skeleton import Definition

HERE = Path(__file__).parent

PROSE = re.compile(
    r"(^|/)(docs?|documentation|man|site|website)/|\.(md|mdx|markdown|rst|adoc|txt|texi|html)$|(^|/)(readme|changes|changelog|news|history)[^/]*$",
    re.IGNORECASE,
)
"""Paths of what documents a project."""

NEWS = re.compile(
    r"change|news|history|release|licen[cs]e|authors|contribut|security|thanks|upgrad|migrat", re.IGNORECASE
)
"""Paths of prose that tells of the past or of people."""


def repositories(*groups: str) -> list[str]:
    """The names of repositories, by group; one that only `flows.toml` has gives none."""
    table: Mapping[str, Mapping[str, str]] = tomllib.loads((HERE / "repositories.toml").read_text(encoding="utf-8"))
    return [name for group in groups for name in table.get(group, ())]


def main_definitions() -> Mapping[str, Sequence[str]]:
    """The definitions that a newcomer should meet first, by repository."""
    return tomllib.loads((HERE / "main_definitions.toml").read_text(encoding="utf-8"))


class Known:
    """The files of one folder.

    Args:
        folder: it.
        index: what is known of them.
    """

    def __init__(self, folder: Path, index: CodeIndex) -> None:
        self.folder = folder
        self.index = index
        self.files, _ = index.files(scan(folder, roots=index.roots))

    @cached_property
    def _definitions(self) -> Mapping[str, Sequence[Definition]]:
        loaded = self.index.load(self.files, Aspect.OUTLINE, Definitions)
        return {file.path: one.definitions for file, one in zip(self.files, loaded, strict=True)}

    def definitions(self, file: IndexedFile) -> Sequence[Definition]:
        """The definitions of a file."""
        return self._definitions[file.path]

    def text(self, file: IndexedFile) -> str:
        """The text of a file."""
        return file.source.decode("utf-8", "replace")


@contextmanager
def known(folder: Path, cache: Path) -> Generator[Known]:
    """Gives what is known of a folder, kept in a cache from run to run."""
    cache.mkdir(parents=True, exist_ok=True)
    index = CodeIndex(Roots([folder]), cache=Cache(cache / "cache.sqlite3"), workers=Workers(0))
    try:
        yield Known(folder, index)
    finally:
        index.close()


def git(folder: Path, *command: str) -> str:
    """Returns the output of a command of git."""
    done = subprocess.run(["git", "-C", str(folder), *command], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def cache_key(folder: Path) -> str:
    """Stands for the files of a work tree at its commit."""
    status = git(folder, "rev-parse", "HEAD") + git(folder, "ls-files", "-s")
    return f"{folder.name}-{hashlib.sha256(status.encode()).hexdigest()[:12]}"


def checkout(source: Path, place: Path, revision: str, *, prose: bool = True) -> Path:
    """Makes a work tree of a revision, with or without the prose of the project.

    Args:
        source: a repository.
        place: where the work tree comes to lie; what is there is used as it is.
        revision: the commit.
        prose: whether what documents the project stays.
    """
    if place.exists():
        return place
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(place)], check=True)
    try:
        git(place, "update-ref", "--no-deref", "HEAD", git(place, "rev-parse", revision).strip())
        git(place, "read-tree", "HEAD")
        if not prose:
            told = [path for path in git(place, "ls-files").splitlines() if PROSE.search(path)]
            for first in range(0, len(told), 200):
                git(place, "rm", "-q", "--cached", "--", *told[first : first + 200])
        git(place, "checkout-index", "-a", "-f")
    except subprocess.CalledProcessError:
        shutil.rmtree(place)
        raise
    return place
