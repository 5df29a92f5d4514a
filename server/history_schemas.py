"""The arguments and the result of `compact_history` as models and clients see them (spec/compact_history.md)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

HistoryFormat = Literal["auto", "anthropic", "openai_chat", "openai_responses", "gemini", "mcp"]
SummarizerName = Literal["auto", "host", "endpoint", "sampling", "extractive"]
CompactionMode = Literal["compact", "prompt", "extract"]
TriggerName = Literal["manual", "auto"]

Messages = Annotated[list[Any] | None, Field(description="The history, as its API takes it. This or `transcript_path`")]
TranscriptPath = Annotated[
    str | None, Field(description='A session file (JSON or JSONL) inside a root. Example: "session.jsonl"')
]
ArchiveId = Annotated[str | None, Field(description="Gives back the original of an earlier compaction instead")]
InputFormat = Annotated[HistoryFormat, Field(description="Format of the history; auto tells by its fields")]
OutputFormat = Annotated[HistoryFormat, Field(description="Format of the result; auto is the same as the input")]
SummarizedBy = Annotated[
    SummarizerName, Field(description="Who writes the summary; auto takes the first that is available, in this order")
]
Summary = Annotated[
    str | None, Field(description="Your own summary with the nine headings that `mode=prompt` asks for")
]
WantedMode = Annotated[
    CompactionMode, Field(description="prompt returns the instruction for a summary; extract asks no model")
]
RestoreRoot = Annotated[str | None, Field(description='Folder that touched files are read from again. Example: "."')]
Files = Annotated[int, Field(ge=0, description="Files to restore, newest first; 0 for none")]
FileTokens = Annotated[int, Field(ge=0, description="Tokens of one restored file; a larger one becomes a skeleton")]
AllFileTokens = Annotated[int, Field(ge=0, description="Tokens of all restored files")]
Images = Annotated[int, Field(ge=0, description="Newest distinct images to restore")]
ImageBytes = Annotated[int, Field(ge=0, description="Bytes of one image; of a larger one only its origin is told")]
Force = Annotated[bool, Field(description="With `trigger=auto`: compact below the threshold too")]
Redact = Annotated[bool, Field(description="Take secrets out of what is quoted; user messages stay as they are")]
Strict = Annotated[bool, Field(description="Fail where a model's summary cannot be used")]
DryRun = Annotated[bool, Field(description="Archive nothing")]
TargetTokens = Annotated[int | None, Field(gt=0, description="The most tokens that the new history may take")]
Window = Annotated[int, Field(gt=0, description="The model's window in tokens, for `trigger=auto`")]
WantedTrigger = Annotated[TriggerName, Field(description="auto compacts only above the threshold")]
KeepTail = Annotated[int, Field(ge=0, description="Tokens of newest turns that stay as they are")]
Pins = Annotated[list[int] | None, Field(description="Positions of messages that stay as they are. Example: [0, 4]")]
Attention = Annotated[str, Field(max_length=2000, description="What the summary should pay attention to")]
ReadTool = Annotated[str, Field(description="The tool that shows a file which is only named")]

COMPACT_DESCRIPTION = (
    "Shortens a conversation so that the work can go on: a summary in nine sections with every user message word for"
    " word, the newest files as they are on disk now, the newest images. The original is archived. Nothing is changed"
    " in place: on any other status than `compacted` the history still stands."
)


def _without_titles(schema: dict[str, Any]) -> None:
    """Drops what a model pays tokens for and learns nothing from."""
    for described in (schema, *schema["properties"].values()):
        described.pop("title", None)
        described.pop("description", None)


class CompactedHistory(BaseModel):
    """The result of `compact_history`."""

    model_config = ConfigDict(json_schema_extra=_without_titles)

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
