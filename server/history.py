"""The tool `compact_history` over the protocol: paths through the roots, the client's model through a resolver.

A server never sees its client's conversation, so it is handed one, as messages or as a file inside a root. Where the
client declares sampling and nobody else is to write the summary, the framework asks its model: on the newest protocol
the call is answered with a request and comes again, on older ones the request goes out in the middle of the call. The
resolver decides by compacting up to the prompt, so a history that needs no summary asks nobody. A client that declares
no sampling gets the extractive summary from the same call.
"""

# No postponed annotations here: the signatures of the tools are evaluated to make their schemas.

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve, Sample
from mcp.types import CallToolResult, CreateMessageResult, SamplingMessage, TextContent

from server import patience
from server.calls import Slots, run_call
from server.history_schemas import (
    AllFileTokens,
    ArchiveId,
    Attention,
    CompactedHistory,
    DryRun,
    Files,
    FileTokens,
    Force,
    ImageBytes,
    Images,
    InputFormat,
    KeepTail,
    Messages,
    OutputFormat,
    Pins,
    ReadTool,
    Recall,
    Redact,
    RestoreRoot,
    ShortResults,
    Strict,
    SummarizedBy,
    Summary,
    TargetTokens,
    TranscriptPath,
    WantedMode,
    WantedTrigger,
    Window,
)
from server.replies import as_unicode, encodable
from server.settings import Settings
from server.sharing import shared_store
from server.tenants import folder_of
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.files.opening import Refusal, read_regular
from workspace.git.revisions import is_in_revision
from workspace.roots import Roots

if TYPE_CHECKING:
    from compaction.history import (
        CompactionEngine,
        CompactionOptions,
        CompactionResult,
        FileLimits,
        FormatName,
        ImageLimits,
        ModelAnswer,
    )
    from compaction.history import Sample as Sampler

MAX_TRANSCRIPT_BYTES = 64 << 20
MAX_SUMMARY_TOKENS = 8_000


class PlainOptions(TypedDict, total=False):
    """The options of a compaction that need no reading; what a caller leaves out is as `CompactionOptions` has it."""

    summary: str | None
    files: "FileLimits"
    images: "ImageLimits"
    target_tokens: int | None
    context_window: int
    force: bool
    keep_tail_tokens: int
    instructions: str
    read_tool: str
    strict: bool
    dry_run: bool
    compress_results: bool


def history_engine(settings: Settings) -> "CompactionEngine":
    """Returns the engine with the user's archive, and with the endpoint that the settings name."""
    from compaction.history import Archive, CompactionEngine, Endpoint

    endpoint = (
        Endpoint(base_url=settings.summarizer_url, model=settings.summarizer_model, api_key=settings.summarizer_key)
        if _has_endpoint(settings)
        else None
    )
    archive = Archive(_archive_path(settings), elsewhere=shared_store(settings))
    return CompactionEngine(encoding=settings.encoding, archive=archive, endpoint=endpoint)


def _archive_path(settings: Settings) -> Path:
    """Returns the file in which histories are kept; each tenant has its own."""
    from compaction.history import default_archive_path

    path = default_archive_path()
    return path.parent / "tenants" / folder_of(settings.tenant) / path.name if settings.tenant else path


def read_transcript(path: str, roots: Roots) -> bytes:
    """Returns the bytes of a session file inside the roots, at most 64 MiB.

    Raises:
        UnreadableFileError: it is no regular file, or too large.
    """
    opened = read_regular(os.fspath(roots.resolve(path)), roots=roots, max_bytes=MAX_TRANSCRIPT_BYTES)
    if isinstance(opened, Refusal):
        raise UnreadableFileError(f"The transcript cannot be read: {opened.kind.value} ({opened.detail}).")
    return opened.raw


def _restore_root(path: str | None, roots: Roots) -> Path | None:
    """Returns the folder that files are restored from, None for none."""
    if path is None:
        return None
    folder = roots.resolve(path)
    if is_in_revision(os.fspath(folder)):
        raise InvalidArgumentError("`path` names a commit; files are restored from a folder on the disk.")
    if not folder.is_dir():
        raise InvalidArgumentError("`path` is a file; name the folder that the conversation worked in.")
    return folder


def compaction_options(
    settings: Settings,
    *,
    input_format: str = "auto",
    output_format: str = "auto",
    summarizer: str = "auto",
    mode: str = "compact",
    trigger: str = "manual",
    path: str | None = None,
    pin: Sequence[int] | None = None,
    redact: bool = True,
    **plain: Unpack[PlainOptions],
) -> "CompactionOptions":
    """Returns the options that a caller of `compact_history` or of the command line chose, as far as the settings allow.

    Args:
        settings: of the server or the command.
        input_format: of the history; `auto` to tell by its messages.
        output_format: of the new one; `auto` for the same.
        summarizer: who writes the summary.
        mode: `compact`, `prompt` or `extract`.
        trigger: `manual` or `auto`.
        path: the folder that files are restored from; None to name files only.
        pin: positions of messages that are kept as they are.
        redact: whether secrets are taken out; the settings may say that none are.
        plain: the others.

    Raises:
        InvalidArgumentError: the path is no folder on the disk, or as of `CompactionOptions`.
        OutsideRootsError: the path leads out of the roots.
    """
    from compaction.history import CompactionOptions, Mode, Summarizer, Trigger

    return CompactionOptions(
        format=_format_named(input_format),
        output_format=_format_named(output_format),
        summarizer=Summarizer(summarizer),
        mode=Mode(mode),
        workspace=_restore_root(path, settings.roots),
        trigger=Trigger(trigger),
        pin=tuple(pin or ()),
        redact=redact and not settings.no_redact,
        **plain,
    )


def _format_named(name: str) -> "FormatName | None":
    from compaction.history import FormatName

    return None if name == "auto" else FormatName(name)


def history_tool(settings: Settings) -> Callable[..., Any]:
    """Returns the tool function for the roots of one server."""
    slots = Slots()

    def given_history(messages: list[Any] | None, transcript_path: str | None) -> object:
        if (messages is None) == (transcript_path is None):
            raise InvalidArgumentError("Give either `messages` or `transcript_path`.")
        return messages if transcript_path is None else read_transcript(transcript_path, settings.roots)

    async def sampled(
        ctx: Context[Any, Any],
        messages: list[Any] | None,
        transcript_path: str | None,
        archive_id: str | None,
        format: str,  # noqa: A002 - the argument's public name
        summarizer: str,
        summary: str | None,
        mode: str,
        context_window: int,
        trigger: str,
        force: bool,
        keep_tail_tokens: int,
        pin: list[int] | None,
        instructions: str,
        redact: bool,
        compress_results: bool,
    ) -> Sample | None:
        """Asks the client's model where nobody else writes the summary and one is needed."""
        capabilities = ctx.client_capabilities
        wanted = summarizer == "sampling" or (summarizer == "auto" and not _has_endpoint(settings))
        if capabilities is None or capabilities.sampling is None or not wanted:
            return None
        if summary is not None or mode != "compact" or archive_id is not None:
            return None
        if ctx.request_state is not None and not ctx.input_responses:
            return None  # the client was asked, and comes again without an answer

        def work(_: object) -> "CompactionResult":
            options = compaction_options(
                settings,
                input_format=format,
                mode="prompt",
                context_window=context_window,
                trigger=trigger,
                force=force,
                keep_tail_tokens=keep_tail_tokens,
                pin=pin,
                instructions=instructions,
                redact=redact,
                compress_results=compress_results,
            )
            return history_engine(settings).compact(given_history(messages, transcript_path), options)

        prompt = (await run_call(work, report=ctx.report_progress, slots=slots, seconds=settings.time_limit)).prompt
        if not prompt:
            return None
        patience.ask(settings.time_limit)
        asked = SamplingMessage(role="user", content=TextContent(text=as_unicode(prompt)))
        return Sample([asked], max_tokens=MAX_SUMMARY_TOKENS, temperature=0.0)

    async def compact_history(
        ctx: Context[Any, Any],
        sampled_summary: Annotated[Any, Resolve(sampled)],
        messages: Messages = None,
        transcript_path: TranscriptPath = None,
        archive_id: ArchiveId = None,
        recall: Recall = None,
        format: InputFormat = "auto",  # noqa: A002 - the argument's public name
        output_format: OutputFormat = "auto",
        summarizer: SummarizedBy = "auto",
        summary: Summary = None,
        mode: WantedMode = "compact",
        path: RestoreRoot = None,
        max_files: Files = 5,
        max_tokens_per_file: FileTokens = 5_000,
        file_token_budget: AllFileTokens = 50_000,
        max_images: Images = 3,
        max_image_bytes: ImageBytes = 5_000_000,
        target_tokens: TargetTokens = None,
        context_window: Window = 200_000,
        trigger: WantedTrigger = "manual",
        force: Force = False,
        keep_tail_tokens: KeepTail = 0,
        pin: Pins = None,
        instructions: Attention = "",
        read_tool: ReadTool = "read_file",
        redact: Redact = True,
        strict: Strict = False,
        dry_run: DryRun = False,
        compress_results: ShortResults = False,
    ) -> Annotated[CallToolResult, CompactedHistory]:
        """Returns the compacted history, or why there is none."""
        patience.hear()

        def work(_: object) -> dict[str, Any]:
            from compaction.history import FileLimits, ImageLimits, ModelAnswer

            engine = history_engine(settings)
            if archive_id is not None and (messages is not None or transcript_path is not None):
                raise InvalidArgumentError(
                    "`archive_id` asks for what is in the archive: leave `messages` and `transcript_path` out, or it."
                )
            if archive_id is None and recall is not None:
                raise InvalidArgumentError("`recall` is a part of an archive: give its `archive_id` too.")
            if archive_id is not None:
                redacts = redact and not settings.no_redact
                original = (
                    engine.restore(archive_id).decode("utf-8", "surrogatepass")
                    if recall is None
                    else engine.recall(archive_id, recall, tokens=target_tokens, redact_secrets=redacts)
                )
                return _empty("restored") | {"original": original, "archive_id": archive_id}
            options = compaction_options(
                settings,
                input_format=format,
                output_format=output_format,
                summarizer=summarizer,
                summary=summary,
                mode=mode,
                path=path,
                files=FileLimits(files=max_files, tokens_per_file=max_tokens_per_file, tokens=file_token_budget),
                images=ImageLimits(images=max_images, bytes_each=max_image_bytes),
                target_tokens=target_tokens,
                context_window=context_window,
                trigger=trigger,
                force=force,
                keep_tail_tokens=keep_tail_tokens,
                pin=pin,
                instructions=instructions,
                read_tool=read_tool,
                redact=redact,
                strict=strict,
                dry_run=dry_run,
                compress_results=compress_results,
            )
            answer: ModelAnswer | None = None
            if isinstance(sampled_summary, CreateMessageResult):
                content = sampled_summary.content
                text = content.text if isinstance(content, TextContent) else ""
                answer = ModelAnswer(text=text, truncated=sampled_summary.stop_reason == "maxTokens")
            history = given_history(messages, transcript_path)
            if answer is None:
                return engine.compact(history, options).as_json()
            return engine.compact(history, options, sample=_returning(answer)).as_json()

        made = encodable(await run_call(work, report=ctx.report_progress, slots=slots, seconds=settings.time_limit))
        text = TextContent(text=json.dumps(made, ensure_ascii=False))
        return CallToolResult(content=[text], structured_content=made)

    return compact_history


def _returning(answer: "ModelAnswer") -> "Sampler":
    """A sampler that gives the answer the framework has already fetched."""

    def sample(prompt: str) -> "ModelAnswer":
        del prompt
        return answer

    return sample


def _has_endpoint(settings: Settings) -> bool:
    return bool(settings.summarizer_url and settings.summarizer_model)


def _empty(status: str) -> dict[str, Any]:
    return {
        "status": status,
        "messages": None,
        "summary": "",
        "sections": {},
        "summary_source": None,
        "files": [],
        "images": [],
        "tokens": {},
        "thresholds": {},
        "warnings": [],
    }
