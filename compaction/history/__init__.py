"""Compaction of conversations: see `compact.CompactionEngine`."""

from __future__ import annotations

from compaction.history.account import Account, Became
from compaction.history.archive import Archive, default_archive_path
from compaction.history.compact import CompactionEngine, Sample
from compaction.history.endpoint import Endpoint, SummarizerError
from compaction.history.images import ImageLimits
from compaction.history.messages import FormatName
from compaction.history.options import (
    CompactionOptions,
    CompactionResult,
    Mode,
    Status,
    Summarizer,
    Trigger,
)
from compaction.history.restored import FileLimits, FileStatus
from compaction.history.sections import Section
from compaction.history.summary import ModelAnswer

__all__ = [
    "Account",
    "Archive",
    "Became",
    "CompactionEngine",
    "CompactionOptions",
    "CompactionResult",
    "Endpoint",
    "FileLimits",
    "FileStatus",
    "FormatName",
    "ImageLimits",
    "Mode",
    "ModelAnswer",
    "Sample",
    "Section",
    "Status",
    "Summarizer",
    "SummarizerError",
    "Trigger",
    "default_archive_path",
]
