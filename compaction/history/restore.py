"""Reads files of the conversation again from disk so that the work can go on.

The order of the steps is the point. Touched paths are resolved and filtered first, links followed and spellings made
one, and only then are the newest taken: five paths that cannot be shown must not starve five that can. A path is never
opened before it is known to be a regular file inside the workspace. What cannot be shown is named with its reason,
because an agent that is not told of a deleted file looks for it.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compaction.history.file_tools import Operation
from compaction.history.moved import moved
from compaction.history.opened import with_opened
from compaction.history.restored import FileLimits, FileStatus, RestoredFile
from skeleton import CompressionLevel, language_of, skeletons
from workspace.errors import InvalidArgumentError, OutsideRootsError, PathNotFoundError
from workspace.files.reading import SourceFile, read_file, sensitive_name
from workspace.files.scan import ScannedFile, stamp_of
from workspace.model import Problem, ProblemKind
from workspace.paths import shown
from workspace.roots import Roots
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from compaction.history.ledger import FileTouch
    from compaction.history.redaction import Redactor


_STATUS_OF = {
    ProblemKind.BINARY: FileStatus.BINARY,
    ProblemKind.OUTSIDE: FileStatus.OUTSIDE,
    ProblemKind.SENSITIVE: FileStatus.SENSITIVE,
    ProblemKind.TOO_LARGE: FileStatus.REFERENCED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Restorable:
    """One file that can be shown.

    Attributes:
        edited: whether the work changed it.
        whole: all of it, None where it is too large for one file.
        lower: what can stand for it in fewer tokens, the fullest first; the last is a reference.
    """

    edited: bool
    whole: RestoredFile | None
    lower: tuple[RestoredFile, ...]

    @property
    def reference(self) -> RestoredFile:
        """The file by name."""
        return self.lower[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restorables:
    """The files that can be restored, as far as the tokens go.

    Attributes:
        files: those that can be shown, the newest first.
        refused: those that cannot, each with its reason.
        limits: as they were asked for.
    """

    files: tuple[Restorable, ...] = ()
    refused: tuple[RestoredFile, ...] = ()
    limits: FileLimits

    def within(self, tokens: int | None = None) -> tuple[RestoredFile, ...]:
        """The files at the levels that so many tokens hold; None for as many as were asked for.

        Where the newest `limits.files` fit in whole, they are shown so. Else what was edited comes first, each file at a lower
        level before any is shown whole. Of as many files again, those that were edited are shown at lower levels; section 3 names the
        others.
        """
        room = self.limits.tokens if tokens is None else min(tokens, self.limits.tokens)
        most = self.limits.files
        fits = sum(file.whole.tokens if file.whole else file.lower[0].tokens for file in self.files[:most]) <= room
        places = list(range(len(self.files)))
        if not fits:
            places.sort(key=lambda place: (not self.files[place].edited, place))
        chosen = {place: self.files[place].reference for place in places}

        def take(place: int, version: RestoredFile) -> bool:
            nonlocal room
            more = version.tokens - chosen[place].tokens
            if more > room:
                return False
            room -= more
            chosen[place] = version
            return True

        edited = [place for place in places if self.files[place].edited]
        for place in edited if not fits else ():
            any(take(place, version) for version in self.files[place].lower)
        for place in places[:most]:
            whole = self.files[place].whole
            any(take(place, version) for version in ((whole,) if whole else self.files[place].lower))
        told = [place for place in places if place < most or self.files[place].edited]
        for place in told:
            if chosen[place].status is not FileStatus.EMBEDDED:
                any(take(place, version) for version in self.files[place].lower)
        shown = [place for place in told if place < most or chosen[place].status is FileStatus.EMBEDDED]
        return (*(chosen[place] for place in shown), *self.refused)


def restorable_files(
    touches: Sequence[FileTouch],
    *,
    workspace: Path | None,
    limits: FileLimits,
    count: Callable[[str], int],
    redactor: Redactor,
    written: Mapping[str, Sequence[str]],
    hide_sensitive: bool = True,
) -> Restorables:
    """The touched files, newest first: those that can be shown (twice `limits.files` at most), then the others.

    Args:
        touches: in the order they happened.
        workspace: the folder files are restored from; None names the newest without reading any.
        limits: 0 files restore none.
        count: counts tokens.
        redactor: takes secrets out of what is embedded.
        written: for each path as it was spelled, what edits put into it, in order.
        hide_sensitive: whether files that hold credentials by their nature are only named.
    """
    if limits.files <= 0:
        return Restorables(limits=limits)
    newest = _newest_first(touches)
    if workspace is None:
        there = [touch for touch in newest.values() if touch.touch.operation is not Operation.DELETE]
        named = there[: limits.files]
        reason = "no workspace root was given"
        return Restorables(
            refused=tuple(
                RestoredFile(path=_label(touch.touch.path), status=FileStatus.REFERENCED, reason=reason)
                for touch in named
            ),
            limits=limits,
        )
    roots = Roots([workspace])
    here = moved(newest, workspace)
    found: dict[tuple[int, int], tuple[str, Path]] = {}
    spelled: dict[tuple[int, int], list[str]] = {}
    refused: list[RestoredFile] = []
    for touch in newest.values():
        place = _locate(touch, here.get(touch.touch.path, touch.touch.path), roots, hide_sensitive=hide_sensitive)
        if isinstance(place, RestoredFile):
            if all(other.path != place.path for other in refused):
                refused.append(place)
            continue
        path, real, identity = place
        if identity in found:
            spelled[identity].append(touch.touch.path)
            continue
        if len(found) >= limits.files * 2:
            continue
        source = _read(path, real, roots)
        if isinstance(source, RestoredFile) and source.status is not FileStatus.REFERENCED:
            refused.append(source)
            continue
        found[identity] = path, real
        spelled[identity] = [touch.touch.path]
        refused = [other for other in refused if other.path != path]
    edited = {touch.touch.path for touch in touches if touch.touch.operation in {Operation.EDIT, Operation.WRITE}}
    return Restorables(
        files=tuple(
            _versions(
                path,
                _read(path, real, roots),
                limits,
                count,
                redactor,
                edited=any(name in edited for name in spelled[identity]),
                written=[text for name in spelled[identity] for text in written.get(name, ())],
            )
            for identity, (path, real) in found.items()
        ),
        refused=tuple(refused),
        limits=limits,
    )


def _newest_first(touches: Sequence[FileTouch]) -> dict[str, FileTouch]:
    newest: dict[str, FileTouch] = {}
    for touch in sorted(touches, key=lambda touch: touch.order, reverse=True):
        newest.setdefault(touch.touch.path, touch)
    return newest


def _label(path: str) -> str:
    return shown(path[:500])


def _locate(
    touch: FileTouch, spelled: str, roots: Roots, *, hide_sensitive: bool
) -> RestoredFile | tuple[str, Path, tuple[int, int]]:
    """The shown path, the real place and the identity of a regular file, or why there is none."""
    root = next(iter(roots.paths), Path("/"))
    try:
        real = roots.resolve(spelled)
        status = real.lstat()
    except OutsideRootsError:
        return RestoredFile(path=_label(spelled), status=FileStatus.OUTSIDE, reason="it lies outside the workspace")
    except (PathNotFoundError, FileNotFoundError, NotADirectoryError):
        if _is_closed(root / spelled):
            reason = "a folder on the way may not be entered"
            return RestoredFile(path=_relative(spelled, root), status=FileStatus.UNREADABLE, reason=reason)
        gone = touch.touch.operation is Operation.DELETE
        reason = "it was deleted in the conversation" if gone else "it no longer exists"
        return RestoredFile(path=_relative(spelled, root), status=FileStatus.MISSING, reason=reason)
    except (InvalidArgumentError, OSError) as error:
        return RestoredFile(path=_label(spelled), status=FileStatus.UNREADABLE, reason=str(error)[:200])
    path = shown(os.path.relpath(real, root).replace(os.sep, "/"))
    if not stat.S_ISREG(status.st_mode):
        return RestoredFile(path=path, status=FileStatus.UNREADABLE, reason="it is not a regular file")
    if hide_sensitive and sensitive_name(_scanned(path, real, status), spelled):
        return RestoredFile(path=path, status=FileStatus.SENSITIVE, reason="files like this hold credentials")
    return path, real, (status.st_dev, status.st_ino)


def _is_closed(place: Path) -> bool:
    """Tells whether nobody may see if a file is there: such a file does not count as gone."""
    try:
        place.lstat()
    except PermissionError:
        return True
    except OSError:
        pass
    return False


def _relative(spelled: str, root: Path) -> str:
    normal = os.path.normpath(root / spelled)
    return shown(os.path.relpath(normal, root).replace(os.sep, "/"))[:500]


def _scanned(path: str, real: Path, status: os.stat_result) -> ScannedFile:
    return ScannedFile(path=path, address=path, absolute=real, size=status.st_size, stamp=stamp_of(status))


def _read(path: str, real: Path, roots: Roots) -> SourceFile | RestoredFile:
    try:
        status = real.lstat()
    except OSError as error:
        return RestoredFile(path=path, status=FileStatus.UNREADABLE, reason=error.strerror or "it cannot be reached")
    source = read_file(_scanned(path, real, status), roots=roots, hide_sensitive=False)  # `_locate` hides them
    if isinstance(source, Problem):
        kind = _STATUS_OF.get(source.kind, FileStatus.UNREADABLE)
        return RestoredFile(
            path=path, status=kind, reason=": ".join(part for part in (source.kind, source.detail) if part)
        )
    return source


def _versions(
    path: str,
    source: SourceFile | RestoredFile,
    limits: FileLimits,
    count: Callable[[str], int],
    redactor: Redactor,
    *,
    edited: bool,
    written: Sequence[str],
) -> Restorable:
    """A file whole, as a skeleton with what was edited in full, as a skeleton, and by name."""
    if isinstance(source, RestoredFile):
        return Restorable(edited=edited, whole=None, lower=(source,))
    whole, secrets = redactor(source.source.decode("utf-8", "replace"), path)
    redacted = f"{number_of(secrets, 'secret')} redacted" if secrets else ""
    size = count(whole)
    fits = size <= limits.tokens_per_file
    reason = f"it has {size} tokens, {'and no room is left' if fits else 'more than fit into one file'}"
    reference = RestoredFile(path=path, status=FileStatus.REFERENCED, reason=reason)
    shown = whole.encode("utf-8", "surrogatepass")
    language = language_of(path, shown)
    lower: list[RestoredFile] = []
    known = {whole}
    made = skeletons(shown, language) if language is not None else None
    defined = made.outline.definitions if made is not None and made.outline is not None else ()
    for skeleton in (made.plus, made.skeleton) if made is not None else ():
        if skeleton.level is CompressionLevel.FULL:
            continue
        opened = with_opened(whole, skeleton, defined, written, count=count, most=limits.tokens_per_file)
        for text, names in dict.fromkeys(((opened.text, opened.names), (skeleton.text, ()))):
            tokens = count(text)
            if text in known or not tokens <= limits.tokens_per_file or tokens >= size:
                continue
            known.add(text)
            lower.append(
                RestoredFile(
                    path=path,
                    status=FileStatus.EMBEDDED,
                    tokens=tokens,
                    text=text,
                    level=skeleton.level,
                    opened=names,
                    reason=", ".join(part for part in (f"the whole file has {size} tokens", redacted) if part),
                )
            )
    lower.sort(key=lambda version: (not version.opened, version.level.value, -version.tokens))
    embedded = RestoredFile(path=path, status=FileStatus.EMBEDDED, tokens=size, text=whole, reason=redacted)
    return Restorable(edited=edited, whole=embedded if fits else None, lower=(*lower, reference))
