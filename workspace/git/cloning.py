"""Fetches repositories of other people by git's own client so that nothing of them runs and nobody is asked anything.

One commit is fetched, without its history, tags and submodules. Hooks and templates are off; the files are written with
none of the user's settings in force, so that no filter (LFS among them) has a command; symbolic links become small text
files. A fetch that grows or takes too long is ended, and what a commit holds is counted before any of it is written.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from workspace.errors import InvalidArgumentError, RepositoryFetchError
from workspace.git.running import WHOLE, Git
from workspace.windows import misread

if TYPE_CHECKING:
    from collections.abc import Callable

    from workspace.git.running import GitAnswer

_KEPT: Final = 8
"""Clones that stay in the cache."""

_UNFINISHED: Final = ".new-"
_OLD_SECONDS: Final = 86_400.0
"""After so long nobody fetches into an unfinished clone any more."""

_SHORTHAND: Final = "github:"
_ADDRESS: Final = re.compile(r"(?P<place>(?:https?://[^@\s/]+|file://)/[^@\s]*[^@\s/])(?:@(?P<rev>\S+))?")
_NO_NAME: Final = re.compile(r"[^\w.+-]+")
_MOST_CHARACTERS: Final = 2048
"""Of an address."""
_SHOWN_CHARACTERS: Final = 80
"""Of one that is none."""
_ON_GITHUB: Final = re.compile(r"github:(?P<place>[\w.-]+/[\w.-]+)(?:@(?P<rev>\S+))?")
_REVISION: Final = re.compile(r"[A-Za-z0-9_][\w./+-]*")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_LOOK_SECONDS: Final = 0.2
_NOT_OURS: Final = (
    ("core.symlinks", "false"),
    ("core.autocrlf", "false"),
    ("core.protectHFS", "true"),  # the cache may lie on any file system
    ("core.protectNTFS", "true"),
    ("core.bigFileThreshold", "64m"),  # larger ones are not held as a whole
    ("advice.detachedHead", "false"),
)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a repository.

    Attributes:
        fetched: bytes that are fetched.
        written: bytes of all files.
        files: their number.
        seconds: for all of it.
        piece: bytes that git takes at once for one object while it unpacks it.
    """

    fetched: int = 512 << 20
    written: int = 1 << 30
    files: int = 200_000
    seconds: float = 300.0
    piece: int = 256 << 20


class Address(msgspec.Struct, frozen=True):
    """A repository elsewhere.

    Attributes:
        url: as git takes it.
        revision: a branch, a tag or a whole commit; "" for what the repository shows by itself.
    """

    url: str
    revision: str

    @property
    def name(self) -> str:
        """The last part of its address, as a name of a folder on any system."""
        last = _NO_NAME.sub("-", self.url.rstrip("/").rpartition("/")[2].removesuffix(".git")).strip(".")
        return "repository" if not last or misread(last) else last


class Clone(msgspec.Struct, frozen=True):
    """A repository on this machine.

    Attributes:
        folder: that holds its files.
        commit: which of its states.
        is_new: whether it was fetched for this call.
    """

    folder: Path
    commit: str
    is_new: bool


def address_of(text: str) -> Address:
    """Returns what `https://host/repo@revision` or `github:owner/name@revision` names.

    Raises:
        InvalidArgumentError: it is neither, or would send something over an open line.
    """
    found = _ON_GITHUB.fullmatch(text) or _ADDRESS.fullmatch(text)
    if found is None or len(text) > _MOST_CHARACTERS or not text.isprintable() or not _is_whole(found["place"]):
        shown = repr(text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…")
        raise InvalidArgumentError(
            f"{shown} is no address of a repository; write https://host/path or github:owner/name, with @revision behind"
            " it, and no password in it."
        )
    revision = found["rev"] or ""
    if revision and (not _REVISION.fullmatch(revision) or ".." in revision):
        raise InvalidArgumentError(f"'{revision}' is no branch, tag or commit.")
    if text.startswith(_SHORTHAND):
        return Address(f"https://github.com/{found['place'].removesuffix('.git')}.git", revision)
    url = urlsplit(found["place"])
    if url.scheme == "http" and url.hostname not in _LOOPBACK:
        raise InvalidArgumentError(f"'{found['place']}' would be fetched over an open line; write https.")
    return Address(found["place"], revision)


def _is_whole(place: str) -> bool:
    """Tells whether a place has a host and a port that can be, or needs none."""
    try:
        _ = urlsplit(place).port
    except ValueError:
        return False
    return True


def cloned(address: Address, cache: Path, limits: Limits | None = None) -> Clone:
    """Returns a repository as it is now, fetched unless the same commit was before.

    Args:
        address: which.
        cache: the folder under which clones are kept: the newest eight.
        limits: what it may take.

    Raises:
        RepositoryFetchError: it cannot be reached without a password, has no such revision, or is beyond the limits.
    """
    limits = limits or Limits()
    until = time.monotonic() + limits.seconds
    home = cache / "repositories"
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    transport = urlsplit(address.url).scheme
    # Who answers on this machine may not send git on to another one over an open line.
    settings = (*_NOT_OURS, ("http.followRedirects", "false")) if transport == "http" else _NOT_OURS

    def ask(folder: Path, *arguments: str, watch: Callable[[], str] | None = None, plain: bool = False) -> GitAnswer:
        left = max(0.0, until - time.monotonic())
        git = Git(str(folder), seconds=left, transports=transport, plain=plain, piece=limits.piece)
        return git.ask(*arguments, settings=settings, watch=watch)

    commit, wanted = _commit(address, ask(home, *_refs(address)))
    own = _own(home, address, commit)
    if (own / address.name).is_dir():
        os.utime(own)
        return Clone(own / address.name, commit, is_new=False)
    making = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=home))
    try:
        folder = making / address.name
        folder.mkdir()
        _answer(address, ask(folder, "init", "--quiet", "--template=", plain=True))
        fetch = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options")
        growth = _Growth(folder, limits.fetched)
        _answer(address, ask(folder, *fetch, address.url, wanted, watch=growth))
        if reason := growth.beyond():
            raise RepositoryFetchError(f"{address.url} cannot be fetched: {reason}.")
        commit = _answer(address, ask(folder, "rev-parse", "FETCH_HEAD^{commit}", plain=True)).decode().strip()
        own = _own(home, address, commit)  # a branch may have moved since it was asked for
        _count(address, _answer(address, ask(folder, "ls-tree", "-r", "-l", "-z", "FETCH_HEAD", plain=True)), limits)
        _answer(address, ask(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD", plain=True))
        if not own.exists():
            making.rename(own)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    _forget_old(home, own)
    return Clone(own / address.name, commit, is_new=True)


def _own(home: Path, address: Address, commit: str) -> Path:
    return home / f"{hashlib.sha256(address.url.encode()).hexdigest()[:16]}-{commit[:16]}"


def _refs(address: Address) -> tuple[str, ...]:
    names = (address.revision, f"{address.revision}^{{}}") if address.revision else ("HEAD",)
    return ("ls-remote", "--end-of-options", address.url, *names)


def _commit(address: Address, answer: GitAnswer) -> tuple[str, str]:
    """Returns the commit that is meant, and the name it is fetched by."""
    lines = [line.split("\t") for line in _answer(address, answer).decode("utf-8", "replace").splitlines()]
    found = {name: commit for commit, name in (line for line in lines if len(line) == 2)}
    if WHOLE.fullmatch(address.revision):
        return address.revision, address.revision
    for name in (f"refs/heads/{address.revision}", f"refs/tags/{address.revision}") if address.revision else ("HEAD",):
        if name in found:
            return found.get(f"{name}^{{}}", found[name]), name
    raise RepositoryFetchError(
        f"{address.url} has no branch or tag '{address.revision or 'HEAD'}'; a commit is named by all of its 40 digits."
    )


def _answer(address: Address, answer: GitAnswer) -> bytes:
    if answer.refusal:
        raise RepositoryFetchError(
            f"{address.url} cannot be fetched: {answer.refusal}. It has to be there, to need no password, and to keep to"
            " the limits; clone it yourself and name the folder otherwise."
        )
    return answer.out


def _count(address: Address, listed: bytes, limits: Limits) -> None:
    """Refuses a commit whose files would be too many or too large, before one of them is written."""
    sizes = [entry.partition(b"\t")[0].split()[3] for entry in listed.split(b"\0") if entry]
    written = sum(int(size) for size in sizes if size.isdigit())  # a submodule has none
    if len(sizes) > limits.files or written > limits.written:
        raise RepositoryFetchError(
            f"{address.url} holds {len(sizes):,} files of {written:,} bytes; at most {limits.files:,} files of"
            f" {limits.written:,} bytes are written. Clone it yourself, and name a folder in it."
        )


class _Growth:
    """Says when a folder has grown beyond a number of bytes; it looks a few times a second."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        self._next = 0.0

    def __call__(self) -> str:
        now = time.monotonic()
        if now < self._next:
            return ""
        self._next = now + _LOOK_SECONDS
        return self.beyond()

    def beyond(self) -> str:
        """Looks now, and returns what is wrong as a clause; "" where nothing is."""
        size = 0
        for place, _, names in os.walk(self._folder):
            for name in names:
                try:
                    size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - several times a second
                except OSError:
                    continue  # it has just got another name
        return f"more than {self._most:,} bytes came" if size > self._most else ""


def _forget_old(home: Path, newest: Path) -> None:
    """Removes all clones but the few that were asked for last."""
    found: list[tuple[float, Path]] = []
    for folder in home.iterdir():
        try:
            changed = folder.stat().st_mtime
        except OSError:
            continue
        if not folder.name.startswith(_UNFINISHED) or time.time() - changed > _OLD_SECONDS:
            found.append((changed, folder))
    for _, folder in sorted(found, reverse=True)[_KEPT:]:
        if folder != newest:
            shutil.rmtree(folder, ignore_errors=True)
