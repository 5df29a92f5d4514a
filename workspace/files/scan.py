"""Finds the set of files of a folder that a call is about.

`scan` lists the paths (`workspace.files.listing`), keeps those that `include` and `exclude` allow, and looks at each one with
one `lstat`. Regular files make the set. A link to a file inside the roots stands for that file once: under the file's own
place if that is in the set, else under the link's name. Everything else that has a name is a `Problem`, so that nothing
is left out in silence; only what a rule excludes, and what vanishes between the listing and the look, is not named.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from workspace.cancellation import stop_if_cancelled
from workspace.errors import InvalidArgumentError
from workspace.files.globs import translate
from workspace.files.ground import ground_of
from workspace.files.ignore import Rule, parse_rule, verdict
from workspace.files.listing import VERSION_CONTROL_FOLDERS, list_paths
from workspace.files.opening import special_kind
from workspace.model import Problem, ProblemKind
from workspace.paths import shown
from workspace.roots import MAX_PATH_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workspace.files.ground import Ground
    from workspace.git.revisions import Status
    from workspace.roots import Roots

MAX_GLOBS = 256
MAX_GLOB_BYTES = 1024


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """The status of a file, which tells without reading it that it is still the same.

    Attributes:
        mtime_ns: when the content last changed, in nanoseconds.
        size: bytes.
        inode: the file's number in its file system.
        ctime_ns: when content or status last changed, in nanoseconds; nobody can set it back.
    """

    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int


class ScannedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One regular file of a scan.

    Attributes:
        path: relative to `Scan.base`, with forward slashes, escaped as by `workspace.paths.shown`.
        address: likewise relative to the root that holds the base: what callers are told, and may send back.
        absolute: its real place, links followed.
        size: bytes.
        stamp: its stamp at the time of the scan.
    """

    path: str
    address: str
    absolute: Path
    size: int
    stamp: Stamp


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a folder.

    Attributes:
        base: the real absolute folder that paths are relative to.
        prefix: the base from its root on, with a slash at its end; "" for the root itself.
        files: sorted by the UTF-8 bytes of their paths.
        problems: what has a name but is no file of the set, sorted likewise.
    """

    base: Path
    prefix: str
    files: tuple[ScannedFile, ...]
    problems: tuple[Problem, ...]


def stamp_of(status: os.stat_result | Status) -> Stamp:
    """Return the stamp that a file's status makes."""
    return Stamp(mtime_ns=status.st_mtime_ns, size=status.st_size, inode=status.st_ino, ctime_ns=status.st_ctime_ns)


def scan(base: Path, *, roots: Roots, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Scan:
    """Return the files of a folder, or the one file that `base` is.

    Globs are of gitignore syntax, relative to the base, or begin with the absolute path of the base or of what holds it.
    One that matches a folder matches all below it; of several that match, the one that matches the longest part of the
    path decides, and of those the last: `["docs/", "!docs/api/"]` leaves `docs/api` out of what is matched. A file asked
    for by its own path is returned whatever the rules say.

    Args:
        base: a folder or a file inside the roots.
        roots: the allowed roots.
        include: only files that match are kept; empty for all.
        exclude: files that match are left out.

    Raises:
        InvalidArgumentError: a glob can match nothing, or there are too many of them, or one is too long.
        OutsideRootsError: the base lies outside the roots.
        PathNotFoundError: the base does not exist.
    """
    real = roots.resolve(os.fspath(base))
    included, excluded = _rules(include, "include", real), _rules(exclude, "exclude", real)
    keeps = _kept(included, excluded)
    if not roots.is_folder(real):
        return _examined(real.parent, [real.name], roots)

    def prunes(folder: str) -> bool:
        # A negated glob may bring back something deep inside, so only plain ones save the walk.
        return not any(rule.negative for rule in excluded) and bool(_chosen(excluded, folder, is_folder=True))

    listing = list_paths(os.fspath(real), roots=roots, prunes=prunes)
    return _examined(real, filter(keeps, listing.paths), roots, listing.problems)


def in_globs(base: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Callable[[str], bool]:
    """Return what tells of a path below a folder, which need not exist, whether `include` and `exclude` leave it in.

    Raises:
        InvalidArgumentError: a glob is not well formed.
    """
    return _kept(_rules(include, "include", base), _rules(exclude, "exclude", base))


def _kept(included: tuple[Rule, ...], excluded: tuple[Rule, ...]) -> Callable[[str], bool]:
    return lambda path: (not included or _chosen(included, path)) and not _chosen(excluded, path)


def _rules(globs: Sequence[str], argument: str, base: Path) -> tuple[Rule, ...]:
    if len(globs) > MAX_GLOBS:
        raise InvalidArgumentError(f"{argument} holds {len(globs)} globs; at most {MAX_GLOBS} are allowed.")
    return tuple(_rule(glob, argument, base) for glob in reversed(globs))


def _rule(glob: str, argument: str, base: Path) -> Rule:
    reason = _unsound(glob)
    text = glob.removeprefix("./") if reason else _below(glob.removeprefix("./"), base)
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) > MAX_GLOB_BYTES:
        raise InvalidArgumentError(
            f"A glob in {argument} is {len(encoded)} bytes long; at most {MAX_GLOB_BYTES} are allowed."
        )
    rule = None if reason else parse_rule(os.fsencode(text))
    if rule is None or not rule.sound:
        raise InvalidArgumentError(
            f"'{shown(glob)}' in {argument} matches nothing: {reason or 'it is not well formed'}; "
            "write a glob of gitignore syntax, such as 'src/**/*.py', 'docs/' or '!*.md'."
        )
    return rule


def _below(glob: str, base: Path) -> str:
    """A glob whose beginning is the absolute path of the base, or of what holds it, from the base on; any other as it stands."""
    sign = "!" if glob.startswith("!") else ""
    whole = glob.removeprefix(sign)
    literal = _literal(whole)
    # A slash at its beginning binds a glob to the base, so what has the same path inside the base is meant first.
    same = base if f"{whole}/".startswith(f"{base}/") else Path(*Path(literal).parts[:2])
    is_longer = len(literal) > 1 and Path(literal).is_absolute() and len(whole) <= MAX_GLOB_BYTES + MAX_PATH_BYTES
    if not is_longer or not base.is_dir() or os.path.lexists(f"{base}{same}"):
        return glob
    rest = _rest(whole, base)
    if rest is None:
        head, slash, name = literal.rpartition("/")
        rest = _rest(f"{os.path.realpath(head)}{slash}{name}{whole[len(literal) :]}", base) if head else None
    return glob if rest is None else f"{sign}/{rest}"


def _literal(glob: str) -> str:
    """The folders that a glob begins with before the first that holds a wildcard, with what stands behind the last slash of them."""
    found = re.match(r"(?:[^*?\[\\]*/)?(?:[^*?\[\\/]*\Z)?", glob)
    return found[0] if found else ""


def _rest(glob: str, base: Path) -> str | None:
    """The part of an absolute glob that is left for the paths below a folder; None where it matches nothing there."""
    parts = glob.rstrip("/").split("/")[1:]
    for name in base.as_posix().split("/")[1:]:
        if not parts:
            break
        if parts[0] == "**":
            return "/".join(parts)
        one = translate(os.fsencode(parts[0]), across_folders=False)
        if one.regex is None or re.match(one.regex, os.fsencode(name), re.DOTALL) is None:
            return None
        parts = parts[1:]
    return ("/".join(parts) + "/" * glob.endswith("/")) if parts else "*"


def _unsound(glob: str) -> str:
    if "\0" in glob or "\n" in glob:
        return "no path holds a NUL, and a glob is one line"
    if glob.startswith("#"):
        return r"a '#' at the beginning makes it a comment (write '\#')"
    if ".." in glob.split("/"):
        return "paths are relative to the folder and do not leave it"
    try:
        os.fsencode(glob)
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair"
    return ""


def _chosen(rules: tuple[Rule, ...], path: str, *, is_folder: bool = False) -> bool:
    """Tell what the rules say of the longest part of `path` that any of them matches."""
    part = os.fsencode(path) if rules else b""
    while part:
        decided = verdict(rules, part, is_folder=is_folder)
        if decided is not None:
            return decided
        part, is_folder = part.rpartition(b"/")[0], True
    return False


def _examined(base: Path, paths: Iterable[str], roots: Roots, problems: Iterable[Problem] = ()) -> Scan:
    """Look at each path and sort out what it is."""
    folder = os.path.join(base, "")  # noqa: PTH118 - as text: a path for each file is put together with it
    address = roots.address(base)
    prefix = f"{address}/" if address else ""
    ground = ground_of(folder)
    look = ground.lstat
    files: dict[str, ScannedFile] = {}
    links: list[str] = []
    found = [replace(problem, path=addressed(prefix, problem.path)) for problem in problems] if prefix else [*problems]
    for path in paths:
        stop_if_cancelled()
        absolute = folder + (path if os.sep == "/" else path.replace("/", os.sep))
        try:
            status = look(absolute)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            found.append(Problem(path=prefix + shown(path), kind=ProblemKind.UNREADABLE, detail=error.strerror or ""))
            continue
        if stat.S_ISLNK(status.st_mode):
            links.append(path)
        elif stat.S_ISREG(status.st_mode):
            files[absolute] = _scanned(path, prefix, absolute, status)
        else:
            found.append(
                Problem(path=prefix + shown(path), kind=ProblemKind.SPECIAL, detail=special_kind(status.st_mode))
            )
    for link in sorted(links, key=os.fsencode):
        followed = _followed(link, folder, prefix, roots, ground)
        if isinstance(followed, Problem):
            found.append(followed)
        elif followed is not None:
            files.setdefault(os.fspath(followed.absolute), followed)
    return Scan(
        base=base,
        prefix=prefix,
        files=tuple(sorted(files.values(), key=lambda file: file.path.encode())),
        problems=tuple(sorted(found, key=lambda problem: (problem.path.encode(), problem.kind, problem.detail))),
    )


def _followed(link: str, folder: str, prefix: str, roots: Roots, ground: Ground) -> ScannedFile | Problem | None:
    """Return the file that a link leads to; None for a link to a folder of which the scan speaks anyway."""

    def problem(kind: ProblemKind, detail: str) -> Problem:
        return Problem(path=prefix + shown(link), kind=kind, detail=detail)

    try:
        target = ground.real(folder + link)
    except OSError as error:  # it was replaced while it was followed
        return problem(ProblemKind.UNREADABLE, f"a link to what cannot be reached ({error.strerror})")
    if not roots.holds(Path(target)):
        return problem(ProblemKind.OUTSIDE, "a link that leads out of the roots")
    if not VERSION_CONTROL_FOLDERS.isdisjoint(Path(target).relative_to(roots.outermost(Path(target))).parts):
        return problem(ProblemKind.SPECIAL, "a link into a version control folder")
    try:
        status = ground.lstat(target)
    except OSError as error:
        return problem(ProblemKind.UNREADABLE, f"a link to what cannot be reached ({error.strerror})")
    if stat.S_ISREG(status.st_mode):
        return _scanned(link, prefix, target, status)
    if stat.S_ISDIR(status.st_mode) and os.path.join(target, "").startswith(folder):  # noqa: PTH118 - as above
        return None
    return problem(ProblemKind.SPECIAL, f"a link to {special_kind(status.st_mode)}, which is not followed")


def addressed(prefix: str, path: str) -> str:
    """Return the address of a path that is relative to the folder of a prefix; `.` is the folder itself."""
    return posixpath.normpath(prefix + path)


def _scanned(path: str, prefix: str, absolute: str, status: os.stat_result | Status) -> ScannedFile:
    told = shown(path)
    return ScannedFile(
        path=told,
        address=prefix + told if prefix else told,
        absolute=Path(absolute),
        size=status.st_size,
        stamp=stamp_of(status),
    )
