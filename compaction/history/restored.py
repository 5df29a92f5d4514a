"""The files that a new history restores: the fate of each, and the one text that the reader gets of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from compaction.history.envelope import fenced
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMED = 12


class FileStatus(StrEnum):
    """The fates of a touched file."""

    EMBEDDED = "embedded"
    REFERENCED = "referenced"
    MISSING = "missing"
    OUTSIDE = "outside"
    BINARY = "binary"
    SENSITIVE = "sensitive"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """The limits of restoring: files whole (and as many again at lower levels), tokens of one, tokens of all."""

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
        opened: the definitions that stand in full in a skeleton.
        text: what is embedded.
    """

    path: str
    status: FileStatus
    tokens: int = 0
    reason: str = ""
    level: CompressionLevel = CompressionLevel.FULL
    opened: tuple[str, ...] = ()
    text: str = ""

    def as_json(self) -> dict[str, str | int]:
        """The file without its text."""
        shown_as: dict[str, str | int] = {"path": self.path, "status": self.status.value, "tokens": self.tokens}
        if self.status is FileStatus.EMBEDDED:
            shown_as["level"] = self.level.value
        if self.opened:
            shown_as["in_full"] = ", ".join(self.opened)
        if self.reason:
            shown_as["reason"] = self.reason
        return shown_as


def files_text(files: Sequence[RestoredFile], read_tool: str) -> str:
    """The references, the announcements and the embedded files, as the one text that the reader gets."""
    parts: list[str] = []
    references = [file for file in files if file.status is FileStatus.REFERENCED]
    if references:
        reasons = dict.fromkeys(file.reason for file in references)
        listed = "\n".join(
            f"- {', '.join(file.path for file in references if file.reason == reason)} ({reason})" for reason in reasons
        )
        parts.append(f"Files that the work touched, by reference only. Call `{read_tool}` to see one:\n{listed}")
    gone = [file for file in files if file.status is FileStatus.MISSING]
    if gone:
        listed = "\n".join(f"- {file.path}: {file.reason}" for file in gone[:_MOST_NAMED])
        parts.append(f"Files that are not there any more:\n{listed}{_more(gone)}")
    others = [
        file for file in files if file.status not in {FileStatus.EMBEDDED, FileStatus.REFERENCED, FileStatus.MISSING}
    ]
    if others:
        listed = "\n".join(f"- {file.path}: {_why(file)}" for file in others[:_MOST_NAMED])
        parts.append(f"Files that are not shown:\n{listed}{_more(others)}")
    parts += [_embedded_text(file, read_tool) for file in files if file.status is FileStatus.EMBEDDED]
    return "\n\n".join(parts)


def _why(file: RestoredFile) -> str:
    """The status of a file with the reason, which may begin with the same word."""
    return file.reason if file.reason.startswith(file.status.value) else f"{file.status.value}, {file.reason}"


def _more(files: Sequence[RestoredFile]) -> str:
    return f"\n- and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""


def _embedded_text(file: RestoredFile, read_tool: str) -> str:
    if file.level is CompressionLevel.FULL:
        note = f" ({file.reason})" if file.reason else ""
        head = f"### {file.path} [complete, as it is on disk now]{note}"
    else:
        opened = f"; in full: {', '.join(file.opened)}" if file.opened else ""
        reason = f"{file.reason}; " if file.reason else ""
        head = f"### {file.path} [SKELETON:{file.level.value}{opened}] ({reason}call `{read_tool}` for other bodies)"
    return f"{head}\n{fenced(file.text)}"
