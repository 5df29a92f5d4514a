"""Shows a commit as a folder, read from git's objects: there is no work tree, and nothing is written for it.

What lies in a commit has a place like any file, below a device (`PLACE`), where no file can be: whoever asks the system
about such a place hears that nothing is there, and can reach nothing else. `revision_at` finds the commit that a place
lies in. The places of a repository begin with a digest of where it really lies, so nobody's path is in them.

What is read is what a fresh checkout would write: ends of lines and encodings as the attributes of the same commit say,
links as links, submodules as empty folders. Nothing of the repository runs. An object that is missing or damaged costs
its own file, and a damaged folder what lies in it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import struct
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from workspace.cancellation import still_wanted
from workspace.errors import InvalidArgumentError, PathNotFoundError, UnreadableFileError
from workspace.git.objects import Objects, UnreadableObjectError
from workspace.git.running import FILTERS, SHALLOW, WHOLE, Git, turned_off
from workspace.paths import path_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PLACE: Final = os.path.join(os.path.abspath(os.devnull), "revisions")  # noqa: PTH100, PTH118 - compared with texts
SEPARATOR: Final = os.sep
_BEGINNING: Final = PLACE + SEPARATOR
_REVISION: Final = re.compile(r"[^\s:?*\[\\{}\x00-\x20\x7f-\x9f-][^\s:?*\[\\{}\x00-\x20\x7f-\x9f]*")
MAX_REVISION: Final = 200
"""Characters of a revision."""

_GITLINK: Final = 0o160000
_LINK: Final = 0o120000
_TREE: Final = 0o040000
_MISSING: Final = -1
_TREE_ENTRY: Final = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0", re.DOTALL)
_OBJECT: Final = re.compile(rb"([0-9a-f]+) ([a-z]+)(?: ([0-9]+))?\n")
_CONVERTS: Final = re.compile(rb"eol\s*=\s*crlf|ident|working-tree-encoding")
"""The attributes with which a checkout writes other bytes than the objects hold."""

_AS_WRITTEN: Final = (("core.autocrlf", "false"), ("core.eol", "lf"))
_ATTRIBUTES: Final = ".gitattributes"
_STAMP: Final = struct.Struct("<QQQ")
_HALF: Final = (1 << 63) - 1
_MOST_LINKS: Final = 40
_MOST_REVISIONS: Final = 8
_MOST_KNOWN: Final = 1_000_000
"""Sizes of files, and entries of folders, that are remembered of one repository."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The status of what lies in a commit, in the words of `os.stat_result`.

    Times and numbers stand for the content: the same ones mean the same content, and no file on disk has them.
    """

    st_mode: int
    st_size: int = 0
    st_ino: int = 0
    st_mtime_ns: int = 0
    st_ctime_ns: int = 0
    st_nlink: int = 1


class _Entry(msgspec.Struct, frozen=True, gc=False):
    mode: int
    name: str


class Repository:
    """The objects of one repository.

    Args:
        folder: the repository: a bare one, or a folder with a `.git`; a real absolute path.
        shared: whether what it borrows from elsewhere on this machine is read as well: the objects of another
            repository, or those of the first work tree. Only who named the repository may say so.

    Attributes:
        git_dir: where it keeps its objects.
        number: stands for it in places.

    Raises:
        InvalidArgumentError: there is no repository, or it borrows and may not.
    """

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        self.git_dir = _git_dir(folder, shared=shared)
        self.number = hashlib.sha256(os.fsencode(self.git_dir)).hexdigest()[:16]
        self.objects = Objects(self.git(), self.number)
        self._sizes: dict[str, int] = {}
        self._trees: dict[str, tuple[tuple[str, _Entry], ...]] = {}
        _KNOWN[self.number] = self

    def git(self, *, attributes: str = "") -> Git:
        """Git that looks at the objects alone, or at the attributes in a folder as well."""
        return Git(attributes or self.git_dir, repository=self.git_dir, attributes=attributes)

    def commit(self, revision: str) -> str:
        """Returns the hash of the commit that a revision names now.

        Raises:
            InvalidArgumentError: it is not written like one, or git cannot tell.
            PathNotFoundError: there is none.
        """
        if len(revision) > MAX_REVISION or not _REVISION.fullmatch(revision) or ".." in revision:
            raise InvalidArgumentError(
                f"{shown(revision[:MAX_REVISION])!r} is no revision; name a branch, a tag or a commit, with ~N or ^N behind it."
            )
        with _LOCK:
            is_known = any((self.number, revision) == key[:2] for key in _OPEN)
        if is_known:
            return revision
        answer = self.git().ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        found = answer.out.decode("ascii", "replace").strip()
        if answer.status < 0:
            raise InvalidArgumentError(f"The revision {shown(revision)!r} cannot be looked up: {answer.refusal}.")
        if answer.status or not WHOLE.fullmatch(found):
            raise PathNotFoundError(
                f"There is no commit {shown(revision)!r}; name a branch, a tag or a commit of the repository."
                f"{SHALLOW if self.git().is_shallow() else ''}"
            )
        return found

    def names(self) -> list[str]:
        """Returns the branches and tags, the newest first."""
        wanted = (
            "for-each-ref",
            "--count=1000",
            "--sort=-creatordate",
            "--format=%(refname)",
            "refs/heads",
            "refs/tags",
        )
        listed = self.git().ask(*wanted).out.decode("utf-8", "surrogateescape").splitlines()
        return [name.removeprefix("refs/heads/").removeprefix("refs/tags/") for name in listed]

    def walked(self, commit: str) -> tuple[dict[str, _Entry], list[str]]:
        """Returns what lies in a commit, by path, folders as well, and the folders that cannot be read."""
        found: dict[str, _Entry] = {}
        damaged: list[str] = []
        level = [("", f"{commit}^{{tree}}")]
        while level:
            self._learn([name for _, name in level if name not in self._trees])
            deeper: list[tuple[str, str]] = []
            for folder, name in still_wanted(level):
                if name not in self._trees:
                    damaged.append(folder)
                for last, entry in self._trees.get(name, ()):
                    path = f"{folder}/{last}" if folder else last
                    found[path] = entry
                    if entry.mode == _TREE:
                        deeper.append((path, entry.name))
            level = deeper
        self._measure({entry.name for entry in found.values() if entry.mode not in {_TREE, _GITLINK}})
        return found, damaged

    def size(self, name: str) -> int:
        """Returns the bytes of a content; below zero where it is missing."""
        if name not in self._sizes:
            self._measure([name])
        return self._sizes.get(name, _MISSING)

    def _learn(self, names: Sequence[str]) -> None:
        """Reads folders, all that are asked for at once; one that is damaged ends git, which then goes on behind it."""
        if len(self._trees) > _MOST_KNOWN:
            self._trees.clear()
        left = [*dict.fromkeys(names)]
        while left:
            out = self.git().ask("cat-file", "--batch", fed="".join(f"{name}\n" for name in left).encode()).out
            at = done = 0
            while (head := _OBJECT.match(out, at)) or out.find(b"\n", at) >= 0:
                name = left[done]
                done += 1
                if head is None or head[3] is None:  # "missing"
                    at = out.find(b"\n", at) + 1
                    continue
                end = head.end() + int(head[3])
                if len(out) < end:
                    break
                if head[2] == b"tree":
                    self._trees[name] = tuple(_entries(out[head.end() : end], len(head[1]) // 2))
                at = end + 1
            left = left[max(done, 1) :]

    def _measure(self, names: Iterable[str]) -> None:
        if len(self._sizes) > _MOST_KNOWN:
            self._sizes.clear()
        left = [name for name in names if name not in self._sizes]
        while left:
            out = self.git().ask("cat-file", "--batch-check", fed="".join(f"{name}\n" for name in left).encode()).out
            told = out.splitlines()
            for name, line in zip(left, told, strict=False):
                words = line.split(b" ")
                self._sizes[name] = int(words[2]) if len(words) == 3 and words[2].isdigit() else _MISSING
            left = left[max(len(told), 1) :]


class Revision:
    """One commit of a repository, as a folder.

    Attributes:
        repository: where it is kept.
        commit: its hash.
        root: its place.
        damaged: the folders in it that cannot be read.
    """

    def __init__(self, repository: Repository, commit: str, name: str) -> None:
        self.repository = repository
        self.commit = commit
        self.root = SEPARATOR.join((PLACE, repository.number, commit, name))
        self._entries, self.damaged = repository.walked(commit)
        if not self._entries and self.damaged:
            raise UnreadableFileError(
                f"The commit {commit[:12]} cannot be read: its objects are missing or damaged. Fetch the repository again."
            )
        self._attributes = b""
        self._objects = repository.objects
        self._convert()

    def paths(self, folder: str) -> Iterator[str]:
        """Yields the files and links below a folder, relative to it."""
        inside = f"{folder}/" if folder else ""
        for path, entry in still_wanted(self._entries.items()):
            if entry.mode not in {_TREE, _GITLINK} and path.startswith(inside):
                yield path[len(inside) :]

    def names(self, folder: str) -> list[tuple[str, bool]]:
        """Returns what lies in a folder itself: names, and whether each is a folder."""
        inside = f"{folder}/" if folder else ""
        return [
            (path[len(inside) :], entry.mode in {_TREE, _GITLINK})
            for path, entry in self._entries.items()
            if path.startswith(inside) and "/" not in path[len(inside) :]
        ]

    def lstat(self, below: str) -> Status:
        """Returns the status of what lies at a path.

        Raises:
            FileNotFoundError: nothing does.
        """
        if not below:
            return Status(st_mode=stat.S_IFDIR | 0o755)
        entry = self._entries.get(below)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if entry.mode in {_TREE, _GITLINK}:
            return Status(st_mode=stat.S_IFDIR | 0o755)
        kind = stat.S_IFLNK if entry.mode == _LINK else stat.S_IFREG
        digest = hashlib.blake2b(entry.name.encode() + self._attributes, digest_size=_STAMP.size).digest()
        first, second, third = _STAMP.unpack(digest)
        return Status(
            st_mode=kind | (entry.mode & 0o777),
            st_size=max(0, self.repository.size(entry.name)),
            st_ino=second,
            st_mtime_ns=-(first & _HALF),  # long ago, so nobody waits for it to settle
            st_ctime_ns=-(third & _HALF),
        )

    def read(self, below: str) -> bytes:
        """Returns the content of a file as a checkout would write it.

        Raises:
            OSError: nothing lies there, or its object cannot be read.
        """
        entry = self._entries.get(below)
        if entry is None or entry.mode in {_TREE, _GITLINK}:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        objects = self._objects if entry.mode != _LINK and "\n" not in below else self.repository.objects
        try:
            return objects.read(entry.name, below)
        except UnreadableObjectError as error:
            raise OSError(errno.EIO, str(error)) from error

    def real(self, place: str) -> str:
        """Follows the links in a place of this commit; one that leads out of it is given as where it leads to."""
        found: list[str] = []
        rest = place[len(self.root) :].split(SEPARATOR)[::-1]
        links = 0
        while rest:
            part = rest.pop()
            if part in {"", "."}:
                continue
            if part == "..":
                if not found:
                    return self._outside(rest)
                found.pop()
                continue
            found.append(part)
            entry = self._entries.get("/".join(found))
            if entry is None or entry.mode != _LINK:
                continue
            links += 1
            if links > _MOST_LINKS:
                break  # it never ends: what is left is a link
            try:
                target = path_of(self.repository.objects.read(entry.name))
            except UnreadableObjectError as error:
                raise OSError(errno.EIO, str(error)) from error
            if target.startswith("/"):
                return os.path.abspath(os.devnull)  # noqa: PTH100 - somewhere outside, wherever that is
            found.pop()
            rest += target.split("/")[::-1]
        return SEPARATOR.join((self.root, *found, *(part for part in rest[::-1] if part not in {"", "."})))

    def _outside(self, rest: Sequence[str]) -> str:
        """A way that leaves the folder may come back by its name, as in a checkout."""
        name = self.root.rpartition(SEPARATOR)[2]
        ahead = [part for part in rest[::-1] if part not in {"", "."}]
        if ahead[:1] == [name]:
            return self.real(SEPARATOR.join((self.root, *ahead[1:])))
        return os.path.abspath(os.devnull)  # noqa: PTH100 - as above

    def _convert(self) -> None:
        """Has contents converted where an attribute of this commit says so; git itself does it, by these attributes."""
        said: dict[str, bytes] = {}
        for path, entry in self._entries.items():
            if path.rpartition("/")[2] == _ATTRIBUTES and entry.mode not in {_TREE, _GITLINK, _LINK}:
                with suppress(UnreadableObjectError):
                    said[path] = self.repository.objects.read(entry.name)
        if not any(map(_CONVERTS.search, said.values())):
            return
        scratch = _Scratch(said)
        git = self.repository.git(attributes=scratch.folder)
        filters = turned_off(git.ask(*FILTERS).out)
        if not git.takes([name for name, _ in filters]):
            return  # a filter could not be kept from running: as the objects are
        self._attributes = hashlib.sha256(repr(sorted(said.items())).encode("utf-8", "surrogateescape")).digest()
        self._objects = Objects(
            git, (self.root, "converted"), converts=True, settings=(*_AS_WRITTEN, *filters), keeps=scratch
        )


class _Scratch:
    """A folder with files of attributes and nothing else, gone with the last who needs it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        import shutil  # few commits have attributes that matter
        import tempfile

        self.folder = tempfile.mkdtemp(prefix="fractal-context-")
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        for path, content in files.items():
            place = Path(self.folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def is_in_revision(place: str) -> bool:
    """Tells whether a place lies in a commit rather than on the disk."""
    return place.startswith(_BEGINNING)


def lasting(place: str) -> str:
    """Returns a place in a commit as all commits of the repository have it: without the commit."""
    number, _, rest = place.removeprefix(_BEGINNING).split(SEPARATOR, 2)
    return f"{_BEGINNING}{number}{SEPARATOR}{rest}"


def commit_of(place: str) -> str:
    """Returns the hash of the commit that a place lies in, "" of a place on the disk."""
    return place.removeprefix(_BEGINNING).split(SEPARATOR, 2)[1] if is_in_revision(place) else ""


def at_commit(place: str, commit: str) -> str:
    """Returns the same place in another commit of its repository; a place on the disk, or without a commit, as it is."""
    if not commit or not is_in_revision(place):
        return place
    number, _, rest = place.removeprefix(_BEGINNING).split(SEPARATOR, 2)
    return SEPARATOR.join((PLACE, number, commit, rest))


def revision_at(place: str) -> tuple[Revision, str] | None:
    """Returns the commit that a place lies in, and the path in it, with "/"; None for a place on the disk.

    Raises:
        UnreadableFileError: the commit cannot be read any more.
    """
    if not place.startswith(_BEGINNING):
        return None
    number, commit, name, below = (*place.removeprefix(_BEGINNING).split(SEPARATOR, 3), "", "", "")[:4]
    repository = _KNOWN.get(number)
    if repository is None or not name or not WHOLE.fullmatch(commit):
        return None
    return opened(repository, commit, name), below.replace(SEPARATOR, "/")


def opened(repository: Repository, commit: str, name: str) -> Revision:
    """Returns a commit as a folder of a name.

    Raises:
        UnreadableFileError: its objects are missing or damaged.
    """
    key = repository.number, commit, name
    with _LOCK:
        known = _OPEN.pop(key, None)
        if known is not None:
            _OPEN[key] = known
            return known
    made = Revision(repository, commit, name)
    with _LOCK:
        _OPEN[key] = made
        while len(_OPEN) > _MOST_REVISIONS:
            del _OPEN[next(iter(_OPEN))]
    return made


def is_bare(folder: Path) -> bool:
    """Tells of a folder whether it is a repository of git without a work tree: its files lie in its commits alone."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _git_dir(folder: Path, *, shared: bool) -> str:
    """Returns the folder in which a repository keeps its objects.

    Raises:
        InvalidArgumentError: nowhere, or not in the folder itself.
    """
    if shared:
        asked = Git(str(folder)).ask("rev-parse", "--path-format=absolute", "--git-common-dir")
        if asked.status:
            why = f": {asked.refusal}" if asked.in_repository else ""
            raise InvalidArgumentError(f"{shown(str(folder))} is in no repository of git that can be read{why}.")
        return os.path.realpath(path_of(asked.out.rstrip(b"\n")))
    place = folder if is_bare(folder) else folder / ".git"
    objects = place / "objects"
    if not objects.is_dir():
        raise InvalidArgumentError(
            f"{shown(str(folder))} is no repository of git: neither a bare one, nor with a .git."
        )
    packs = [*(objects / "pack").glob("*")] if (objects / "pack").is_dir() else []
    borrowed = [one for one in (place, *place.glob("*"), *objects.glob("*"), *packs) if one.is_symlink()]
    if (objects / "info" / "alternates").exists() or (place / "commondir").exists() or borrowed:
        raise InvalidArgumentError(
            f"{shown(str(folder))} borrows objects or refs from another place, which is not followed; clone it whole, with"
            " git clone --bare --no-local."
        )
    return os.path.realpath(place)


def keeps_inside(git: Path, root: Path) -> bool:
    """Tells whether a `.git`, a folder or a file that names one, keeps all of its objects below a root."""
    place = git
    if git.is_file():
        try:
            named = path_of(git.read_bytes()[:8192].partition(b"\n")[0].removeprefix(b"gitdir:").strip())
        except OSError:
            return False
        place = git.parent / named
    objects = place / "objects"
    parts = [place, objects, *([*place.glob("*"), *objects.glob("*"), *(objects / "pack").glob("*")])]
    if any(not Path(os.path.realpath(part)).is_relative_to(root) for part in parts):
        return False
    return not (objects / "info" / "alternates").exists() and not (place / "commondir").exists()


def _entries(raw: bytes, digest: int) -> Iterator[tuple[str, _Entry]]:
    """Reads a folder as git keeps it; what no checkout would write is passed over."""
    at = 0
    while head := _TREE_ENTRY.match(raw, at):
        at = head.end() + digest
        mode = int(head[1], 8)
        kind = mode & 0o170000
        name = head[2]
        if b"/" in name or name in {b".", b".."} or name.lower() == b".git":
            continue
        told = mode if kind in {_LINK, _GITLINK, _TREE} else stat.S_IFREG | (0o755 if mode & 0o100 else 0o644)
        yield path_of(name), _Entry(kind if kind in {_LINK, _GITLINK, _TREE} else told, raw[head.end() : at].hex())


_KNOWN: Final[dict[str, Repository]] = {}
"""The repositories that were named in this process, by their numbers."""

_OPEN: Final[dict[tuple[str, str, str], Revision]] = {}
_LOCK: Final = threading.Lock()
