"""Files of the conversation, read again from disk so that the work can go on (spec, rule 9).

The order of the steps is the point. Touched paths are resolved and filtered first, links followed and spellings made
one, and only then are the newest taken: five paths that cannot be shown must not starve five that can. A path is never
opened before it is known to be a regular file inside the workspace. What cannot be shown is named with its reason,
because an agent that is not told of a deleted file looks for it.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from compaction.history.envelope import fenced
from compaction.history.file_tools import Operation
from skeleton import CompressionLevel, language_of, skeletonize
from workspace.errors import InvalidArgumentError, OutsideRootsError, PathNotFoundError
from workspace.files.reading import SourceFile, read_file, sensitive_name
from workspace.files.scan import ScannedFile, stamp_of
from workspace.model import Problem, ProblemKind
from workspace.paths import shown
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.history.ledger import FileTouch
    from compaction.history.redaction import Redactor

_LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
_MOST_NAMED = 12


class FileStatus(StrEnum):
    """What became of a touched file."""

    EMBEDDED = "embedded"
    REFERENCED = "referenced"
    MISSING = "missing"
    OUTSIDE = "outside"
    BINARY = "binary"
    SENSITIVE = "sensitive"
    UNREADABLE = "unreadable"


_STATUS_OF = {
    ProblemKind.BINARY: FileStatus.BINARY,
    ProblemKind.OUTSIDE: FileStatus.OUTSIDE,
    ProblemKind.SENSITIVE: FileStatus.SENSITIVE,
    ProblemKind.TOO_LARGE: FileStatus.REFERENCED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """How much is restored: files, tokens of one, tokens of all."""

    files: int = 5
    tokens_per_file: int = 5_000
    tokens: int = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredFile:
    """One touched file.

    Attributes:
        path: relative to the workspace root, or as the conversation spelled it where it has no place there.
        tokens: of the text that is embedded; 0 when none is.
        reason: why it is not embedded whole, "" when it is.
        level: how much detail the text has.
        text: what is embedded.
    """

    path: str
    status: FileStatus
    tokens: int = 0
    reason: str = ""
    level: CompressionLevel = CompressionLevel.FULL
    text: str = ""

    def as_json(self) -> dict[str, str | int]:
        """The file without its text."""
        shown_as: dict[str, str | int] = {"path": self.path, "status": self.status.value, "tokens": self.tokens}
        if self.status is FileStatus.EMBEDDED:
            shown_as["level"] = self.level.value
        if self.reason:
            shown_as["reason"] = self.reason
        return shown_as

    def referenced(self, reason: str) -> RestoredFile:
        """The same file, named and not embedded."""
        return replace(self, status=FileStatus.REFERENCED, tokens=0, reason=reason, text="")


def restore_files(
    touches: Sequence[FileTouch],
    *,
    workspace: Path | None,
    limits: FileLimits,
    count: Callable[[str], int],
    redactor: Redactor,
    hide_sensitive: bool = True,
) -> tuple[RestoredFile, ...]:
    """The touched files, newest first: those that can be shown (at most `limits.files`), then the others.

    Args:
        touches: in the order they happened.
        workspace: the folder files are restored from; None names the newest without reading any.
        limits: 0 files restore none.
        count: counts tokens.
        redactor: takes secrets out of what is embedded.
        hide_sensitive: whether files that hold credentials by their nature are only named.
    """
    if limits.files <= 0:
        return ()
    newest = _newest_first(touches)
    if workspace is None:
        named = list(newest.values())[: limits.files]
        reason = "no workspace root was given"
        return tuple(
            RestoredFile(path=_label(touch.touch.path), status=FileStatus.REFERENCED, reason=reason) for touch in named
        )
    roots = Roots([workspace])
    found: list[tuple[str, Path]] = []
    refused: list[RestoredFile] = []
    seen: set[tuple[int, int]] = set()
    for touch in newest.values():
        place = _locate(touch, roots, hide_sensitive=hide_sensitive)
        if isinstance(place, RestoredFile):
            if all(other.path != place.path for other in refused):
                refused.append(place)
            continue
        path, real, identity = place
        if identity in seen or len(found) >= limits.files:
            continue
        source = _read(path, real, roots)
        if isinstance(source, RestoredFile) and source.status is not FileStatus.REFERENCED:
            refused.append(source)
            continue
        seen.add(identity)
        found.append((path, real))
        refused = [other for other in refused if other.path != path]
    room = limits.tokens
    restored: list[RestoredFile] = []
    for path, real in found:
        made = _embed(path, _read(path, real, roots), limits.tokens_per_file, room, count, redactor)
        room -= made.tokens
        restored.append(made)
    return (*restored, *refused)


def _newest_first(touches: Sequence[FileTouch]) -> dict[str, FileTouch]:
    newest: dict[str, FileTouch] = {}
    for touch in sorted(touches, key=lambda touch: touch.order, reverse=True):
        newest.setdefault(touch.touch.path, touch)
    return newest


def _label(path: str) -> str:
    return shown(path[:500])


def _locate(
    touch: FileTouch, roots: Roots, *, hide_sensitive: bool
) -> RestoredFile | tuple[str, Path, tuple[int, int]]:
    """The shown path, the real place and the identity of a regular file, or why there is none."""
    spelled = touch.touch.path
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
    """Whether nobody may see if a file is there: that is no file that is gone."""
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


def _embed(
    path: str,
    source: SourceFile | RestoredFile,
    per_file: int,
    room: int,
    count: Callable[[str], int],
    redactor: Redactor,
) -> RestoredFile:
    """The whole text, or the best skeleton that fits, or a reference."""
    if isinstance(source, RestoredFile):
        return source
    whole, secrets = redactor(source.source.decode("utf-8", "replace"), path)
    redacted = f"{secrets} secret{'' if secrets == 1 else 's'} redacted" if secrets else ""
    size = count(whole)
    if size <= min(per_file, room):
        return RestoredFile(path=path, status=FileStatus.EMBEDDED, tokens=size, text=whole, reason=redacted)
    shown = whole.encode("utf-8", "surrogatepass")
    language = language_of(path, shown)
    for level in _LEVELS if language is not None else ():
        skeleton = skeletonize(shown, language, level)
        if skeleton.level is CompressionLevel.FULL:
            continue
        tokens = count(skeleton.text)
        if tokens <= min(per_file, room):
            return RestoredFile(
                path=path,
                status=FileStatus.EMBEDDED,
                tokens=tokens,
                text=skeleton.text,
                level=skeleton.level,
                reason=", ".join(part for part in (f"the whole file has {size} tokens", redacted) if part),
            )
    reason = f"it has {size} tokens, {'more than fit into one file' if size > per_file else 'and no room is left'}"
    return RestoredFile(path=path, status=FileStatus.REFERENCED, reason=reason)


def files_text(files: Sequence[RestoredFile], read_tool: str) -> str:
    """The references, the announcements and the embedded files, as the one text that the reader gets."""
    parts: list[str] = []
    references = [file for file in files if file.status is FileStatus.REFERENCED]
    if references:
        listed = "\n".join(f"- {file.path} ({file.reason})" for file in references)
        parts.append(f"Files that the work touched, by reference only. Call `{read_tool}` to see one:\n{listed}")
    gone = [file for file in files if file.status is FileStatus.MISSING]
    if gone:
        listed = "\n".join(f"- {file.path}: {file.reason}" for file in gone[:_MOST_NAMED])
        parts.append(f"Files that are not there any more:\n{listed}{_more(gone)}")
    others = [
        file for file in files if file.status not in {FileStatus.EMBEDDED, FileStatus.REFERENCED, FileStatus.MISSING}
    ]
    if others:
        listed = "\n".join(f"- {file.path}: {file.status.value}, {file.reason}" for file in others[:_MOST_NAMED])
        parts.append(f"Files that are not shown:\n{listed}{_more(others)}")
    parts += [_embedded_text(file, read_tool) for file in files if file.status is FileStatus.EMBEDDED]
    return "\n\n".join(parts)


def _more(files: Sequence[RestoredFile]) -> str:
    return f"\n- and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""


def _embedded_text(file: RestoredFile, read_tool: str) -> str:
    if file.level is CompressionLevel.FULL:
        note = f" ({file.reason})" if file.reason else ""
        head = f"### {file.path} [complete, as it is on disk now]{note}"
    else:
        head = f"### {file.path} [SKELETON:{file.level.value}] ({file.reason}; call `{read_tool}` for its bodies)"
    return f"{head}\n{fenced(file.text)}"
