"""The arguments and the result of `compact_history` as models and clients see them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from server.choices import HistoryFormat
from server.schemas import FOR_PROGRAMS

SummarizerName = Literal["auto", "host", "endpoint", "sampling", "extractive"]
CompactionMode = Literal["compact", "prompt", "extract"]
TriggerName = Literal["manual", "auto"]

Messages = Annotated[list[Any] | None, Field(description="As the API takes them; or give transcript_path")]
TranscriptPath = Annotated[str | None, Field(description="A session file")]
ArchiveId = Annotated[str | None, Field(description="Returns the original of that earlier result")]
Recall = Annotated[str | None, Field(description='User messages of it: "3-5"')]
InputFormat = HistoryFormat
OutputFormat = Annotated[HistoryFormat, WithJsonSchema({"type": "string", "description": "One of `format`"})]
SummarizedBy = SummarizerName
Summary = Annotated[str | None, Field(description="Your own, under the headings that mode=prompt tells")]
WantedMode = Annotated[CompactionMode, Field(description="extract asks no model")]
RestoreRoot = Annotated[str | None, Field(description="Folder to restore files from")]
Files = Annotated[int, Field(ge=0)]
FileTokens = Annotated[int, Field(ge=0), FOR_PROGRAMS]
AllFileTokens = Annotated[int, Field(ge=0), FOR_PROGRAMS]
Images = Annotated[int, Field(ge=0)]
ImageBytes = Annotated[int, Field(ge=0), FOR_PROGRAMS]
Force = Annotated[bool, FOR_PROGRAMS]
Redact = bool
Strict = Annotated[bool, FOR_PROGRAMS]
DryRun = Annotated[bool, Field(description="Archive nothing")]
ShortResults = bool
TargetTokens = Annotated[int | None, Field(gt=0, description="Ceiling, e.g. 20000")]
Window = Annotated[int, Field(gt=0), FOR_PROGRAMS]
WantedTrigger = Annotated[TriggerName, FOR_PROGRAMS]
KeepTail = Annotated[int, Field(ge=0, description="Newest turns kept as they are")]
Pins = Annotated[list[int] | None, Field(description="Indexes of messages kept as they are")]
Attention = Annotated[str, Field(max_length=2000, description="For the summary")]
ReadTool = Annotated[str, FOR_PROGRAMS]

COMPACT_DESCRIPTION = (
    "Shortens a conversation: a summary in nine sections, every user message word for word, the newest files and images"
    " again. The original is archived. On any status but `compacted` the history still stands."
)


COMPACT_RESULT: dict[str, Any] = {
    "type": "object",
    "properties": {"status": {"type": "string"}},
    "required": ["status"],
}
"""The schema of the result that a client is given: the one member to look at first. The whole is `CompactedHistory`."""


class CompactedHistory(BaseModel):
    """The result of `compact_history`."""

    status: str
    messages: list[dict[str, Any]] | None
    summary: str
    sections: dict[str, str]
    summary_source: str | None
    files: list[dict[str, Any]]
    images: list[dict[str, Any]]
    tokens: dict[str, int]
    thresholds: dict[str, int]
    archive_id: str | None
    warnings: list[str]
    prompt: str = ""
    detail: str = ""
    minimum_tokens: int = 0
    failed_at: int | None = None
    original: str = ""
