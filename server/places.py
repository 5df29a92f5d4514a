"""The place that a command looks at, and the root that follows from it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from server.options import asked_settings
from workspace.addresses import path_at
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.paths import shown

if TYPE_CHECKING:
    import argparse

    from server.settings import Settings

OBJECTS = "git:"
"""The beginning of a commit of a repository of this machine: `git:FOLDER@REVISION:PATH`."""

SCHEME = "repo://"
ELSEWHERE = ("github:", "https://", "http://", "file://")
"""The beginnings of the address of a repository."""


def place_of(asked: argparse.Namespace) -> tuple[Settings, str]:
    """Returns the settings of a command that looks at code, and the absolute path that it looks at.

    A repository elsewhere is fetched into the cache first, and its folder is the one root; of a commit of a repository
    of this machine git's objects are read.

    Raises:
        RepositoryFetchError: it cannot be.
        InvalidArgumentError: no path is named, and the working directory is too wide to be meant without a word.
    """
    if asked.path is not None and _is_plain(path_at(asked.path)):
        asked.path = path_at(asked.path)
    if asked.path is not None and asked.path.startswith(ELSEWHERE):
        folder = _fetched(asked.path, asked_settings(asked, roots=[str(Path.cwd())]))
        return asked_settings(asked, roots=[folder]), folder
    if asked.path is not None and asked.path.startswith(OBJECTS):
        return _of_objects(asked.path, asked_settings(asked, roots=[str(Path.cwd())]))
    if asked.path is not None and asked.path.startswith(SCHEME):
        return asked_settings(asked), asked.path
    if asked.path is not None:
        return asked_settings(asked, roots=[folder_of(asked.path)]), str(Path(asked.path).absolute())
    settings = asked_settings(asked)
    if settings.repositories:
        return settings, "."
    if not settings.roots.paths:
        raise InvalidArgumentError(
            f"{Path.cwd()} holds more than a project; name the folder to look at, or . if you mean all of it."
        )
    return settings, str(settings.roots.paths[0])


def _of_objects(text: str, settings: Settings) -> tuple[Settings, str]:
    """Returns the settings whose one root is a commit, and its place; nothing of it is written anywhere.

    Raises:
        InvalidArgumentError: there is no such folder.
    """
    from workspace.git.repositories import Named, NamedRoots  # few look into commits

    said = text.removeprefix(OBJECTS)
    ends = [*(found.start() for found in re.finditer("@", said)), len(said)]
    end = next((end for end in ends if Path(said[:end] or ".").is_dir()), None)
    if end is None:
        raise InvalidArgumentError(f"{text} names no folder; write git:FOLDER@REVISION, or git:FOLDER@REVISION:PATH.")
    folder = Path(said[:end]).resolve()
    title = (folder.parent if folder.name == ".git" else folder).name.removesuffix(".git")
    revision, colon, below = said[end + 1 :].partition(":")
    named = Named(
        name=re.sub(r"[^\w.-]", "-", title) or "repository", folder=folder, revision=revision or "HEAD", shared=True
    )
    return replace(settings, roots=NamedRoots([named])), f"{SCHEME}{named.name}{colon}{below}"


def _is_plain(path: str) -> bool:
    """Tells whether something of this machine lies at a path, and no repository that could be fetched from there."""
    return Path(path).exists() and bool(path) and not any(Path(path, name).exists() for name in (".git", "HEAD"))


def _fetched(text: str, settings: Settings) -> str:
    """Fetches a repository, unless it is in the cache, and returns its folder."""
    from skeleton.index.cache import cache_folder  # few commands look elsewhere
    from workspace.git.cloning import address_of, cloned

    address = address_of(text)
    cache = cache_folder(settings.cache)
    if cache is None:
        raise InvalidArgumentError("A repository elsewhere is kept in the cache, which is off; leave --cache off out.")
    clone = cloned(address, cache)
    sys.stderr.write(f"{address.url} at {clone.commit[:12]}{'' if clone.is_new else ', from the cache'}.\n")
    return str(clone.folder)


def folder_of(path: str) -> str:
    """Returns the folder that a path stands for as a root: itself, or the one that holds the file."""
    named = Path(path).absolute()
    return str(named if named.is_dir() else named.parent)


def expect_writable(*files: Path | None) -> None:
    """Makes sure, before the work is done, that what it gives can be written.

    Args:
        files: to be written; None for one that was not asked for.

    Raises:
        UnreadableFileError: one is a folder, lies in none, or may not be written.
    """
    for file in filter(None, files):
        folder = file.absolute().parent
        told = f"'{shown(str(file))}' cannot be written"
        if file.is_dir():
            raise UnreadableFileError(f"{told}: it is a folder. Name a file in it.")
        if not folder.is_dir():
            raise UnreadableFileError(
                f"{told}: '{shown(str(folder))}' is no folder. Make it first, or name another file."
            )
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise UnreadableFileError(
                f"{told}: permission denied. Name a file elsewhere, or change who may write there."
            )


def text_of(file: Path) -> str:
    """The text of a file that a caller names besides what is looked at; bytes of no text are replaced.

    Raises:
        InvalidArgumentError: it cannot be read.
    """
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InvalidArgumentError(f"'{shown(str(file))}' cannot be read: {error.strerror}.") from error


def query_of(asked: argparse.Namespace) -> str:
    """The query as it was given: on the command line, on standard input, or in a file; bytes of no text are replaced.

    Raises:
        InvalidArgumentError: it was to be read, and nothing was there.
    """
    if asked.query_file is not None:
        given = text_of(asked.query_file)
    elif asked.query == "-":
        given = sys.stdin.buffer.read().decode("utf-8", "replace")
    else:
        return asked.query
    if not given.strip():
        place = "standard input" if asked.query_file is None else "the file of --query-file"
        raise InvalidArgumentError(f"The query is empty: {place} holds no word. Leave --query out for an overview.")
    return given
