"""The options and the result of a compaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from compaction.history.images import ImageLimits, Snapshot
from compaction.history.messages import FormatName
from compaction.history.restored import FileLimits, RestoredFile
from compaction.history.sections import Section
from compaction.values import Json
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from pathlib import Path

    from compaction.history.thresholds import Thresholds
    from compaction.values import JsonObject

MAX_INSTRUCTIONS = 2_000


class Summarizer(StrEnum):
    """The authors of a summary."""

    AUTO = "auto"
    HOST = "host"
    ENDPOINT = "endpoint"
    SAMPLING = "sampling"
    EXTRACTIVE = "extractive"


class Mode(StrEnum):
    """The modes of a call: the compaction, the prompt for a summary, or a compaction without any model."""

    COMPACT = "compact"
    PROMPT = "prompt"
    EXTRACT = "extract"


class Trigger(StrEnum):
    """The causes of a call: a person, or the host because of a threshold."""

    MANUAL = "manual"
    AUTO = "auto"


class Status(StrEnum):
    """The outcomes of a compaction; on all but the first the caller's history still stands."""

    COMPACTED = "compacted"
    NEEDS_SUMMARY = "needs_summary"
    NOOP_BELOW_THRESHOLD = "noop_below_threshold"
    NOOP_TOO_SHORT = "noop_too_short"
    NOOP_ALREADY_COMPACTED = "noop_already_compacted"
    FAILED_EMPTY_SUMMARY = "failed_empty_summary"
    FAILED_TRUNCATED_SUMMARY = "failed_truncated_summary"
    FAILED_INFLATED = "failed_inflated"
    INVALID_INPUT = "invalid_input"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionOptions:
    """The arguments of `compact_history` besides the history itself.

    Attributes:
        format: None to tell by the messages.
        output_format: None for the same as the input.
        summary: the caller's own nine sections, None if it has none.
        workspace: the folder files are restored from, already inside the allowed roots; None to name files only.
        target_tokens: the most the new history may take; None for no ceiling but the old size.
        keep_tail_tokens: tokens of newest turns that are kept as they are.
        pin: positions of messages that are kept as they are.
        instructions: what to pay attention to, at most 2000 characters.
        read_tool: the tool that referenced files tell the reader to call.
        redact: whether secrets are taken out, and files that hold them not embedded.
        strict: whether an unusable model's text fails the call instead of falling back.
        dry_run: whether the archive is left alone.
        compress_results: whether long prose in tool results is shortened sentence by sentence for a summarizing model,
            where its middle would be cut out otherwise.

    Raises:
        InvalidArgumentError: a number is negative, the window is not positive, or the instructions are too long.
    """

    format: FormatName | None = None
    output_format: FormatName | None = None
    summarizer: Summarizer = Summarizer.AUTO
    summary: str | None = None
    mode: Mode = Mode.COMPACT
    workspace: Path | None = None
    files: FileLimits = field(default_factory=FileLimits)
    images: ImageLimits = field(default_factory=ImageLimits)
    target_tokens: int | None = None
    context_window: int = 200_000
    trigger: Trigger = Trigger.MANUAL
    force: bool = False
    keep_tail_tokens: int = 0
    pin: tuple[int, ...] = ()
    instructions: str = ""
    read_tool: str = "read_file"
    redact: bool = True
    strict: bool = False
    dry_run: bool = False
    compress_results: bool = False

    def __post_init__(self) -> None:
        numbers = {
            "max_files": self.files.files,
            "max_tokens_per_file": self.files.tokens_per_file,
            "file_token_budget": self.files.tokens,
            "max_images": self.images.images,
            "max_image_bytes": self.images.bytes_each,
            "keep_tail_tokens": self.keep_tail_tokens,
        }
        for name, value in numbers.items():
            if value < 0:
                raise InvalidArgumentError(f"{name} is {value}; give 0 or more.")
        if self.context_window <= 0:
            raise InvalidArgumentError(f"context_window is {self.context_window}; give the model's window in tokens.")
        if self.target_tokens is not None and self.target_tokens <= 0:
            raise InvalidArgumentError(f"target_tokens is {self.target_tokens}; give a positive number of tokens.")
        if len(self.instructions) > MAX_INSTRUCTIONS:
            raise InvalidArgumentError(
                f"instructions has {len(self.instructions)} characters; at most {MAX_INSTRUCTIONS} are allowed."
            )
        if not self.read_tool.strip() or "`" in self.read_tool or "\n" in self.read_tool:
            raise InvalidArgumentError("read_tool is not the name of a tool.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """The result of a compaction.

    Attributes:
        messages: the new history in the output format; None unless compacted.
        summary: the nine sections as one text, "" where there is none.
        sections: the text of each section.
        summary_source: who wrote it.
        prompt: the instruction for the host's model, with status `needs_summary`.
        tokens_before, tokens_after: of the whole history, in tokens; after is 0 where nothing was made.
        minimum_tokens: the least `target_tokens` that the same call can hold; 0 unless the target was below it.
        failed_at: index of the message that cannot be used, with status `invalid_input`.
        detail: one sentence on why, "" with status `compacted`.
    """

    status: Status
    thresholds: Thresholds
    messages: list[JsonObject] | None = None
    summary: str = ""
    sections: dict[Section, str] = field(default_factory=dict[Section, str])
    summary_source: Summarizer | None = None
    prompt: str = ""
    files: tuple[RestoredFile, ...] = ()
    images: tuple[Snapshot, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    minimum_tokens: int = 0
    archive_id: str | None = None
    failed_at: int | None = None
    detail: str = ""
    warnings: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """The result as JSON, with the names of the tool contract."""
        made: JsonObject = {
            "status": self.status.value,
            "messages": None if self.messages is None else list[Json](self.messages),
            "summary": self.summary,
            "sections": {section.value: self.sections.get(section, "") for section in Section} if self.sections else {},
            "summary_source": self.summary_source.value if self.summary_source else None,
            "files": [dict[str, Json](file.as_json()) for file in self.files],
            "images": [dict[str, Json](image.as_json()) for image in self.images],
            "tokens": {"before": self.tokens_before, "after": self.tokens_after},
            "thresholds": dict[str, Json](self.thresholds.as_json()),
            "archive_id": self.archive_id,
            "warnings": list[Json](self.warnings),
        }
        if self.prompt:
            made["prompt"] = self.prompt
        if self.detail:
            made["detail"] = self.detail
        if self.minimum_tokens:
            made["minimum_tokens"] = self.minimum_tokens
        if self.failed_at is not None:
            made["failed_at"] = self.failed_at
        return made
