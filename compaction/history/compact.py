"""The engine of `compact_history`: makes of a long history a shorter one that the work can go on from.

    read -> survey -> (nothing to do?) -> summary -> files and images -> fit -> check -> result

The caller's history is never changed, and whatever goes wrong leaves it standing: a result that is not `compacted`
carries no messages. A model may write the summary, but what must not depend on a model does not: the user's messages,
the ledger, the files and the images are the work of code, and where no model answers, so is the summary.

    engine = CompactionEngine()
    result = engine.compact(messages, CompactionOptions(workspace=Path("/work/project")))
    if result.messages is not None:
        messages = result.messages
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from compaction.history.account import Account, account
from compaction.history.answers import failed
from compaction.history.authors import Sample, Written, section_writer, write_summary
from compaction.history.compose import holds_system
from compaction.history.file_tools import Operation, new_text, touches
from compaction.history.fitting import Candidate, Offer, fit_below
from compaction.history.images import newest_snapshots
from compaction.history.messages import (
    FormatName,
    Image,
    MalformedHistoryError,
    Opaque,
    Side,
)
from compaction.history.options import CompactionOptions, CompactionResult, Mode, Status, Summarizer, Trigger
from compaction.history.prompt import summary_prompt
from compaction.history.prose import no_shorter, shortened_prose
from compaction.history.recall import RECALL_TOKENS, recalled
from compaction.history.redaction import Redactor, keep_everything, without_secrets
from compaction.history.restore import restorable_files
from compaction.history.summary import (
    Rejection,
)
from compaction.history.survey import Survey, survey
from compaction.history.thresholds import SUMMARY_RESERVE, Thresholds, thresholds
from compaction.history.transcript import RawHistory, from_bytes, from_messages, parse
from compaction.history.user_messages import Verbatim
from workspace.errors import PathNotFoundError
from workspace.secrets.redaction import redact
from workspace.tokens import DEFAULT_ENCODING, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable

    from compaction.history.archive import Archive
    from compaction.history.endpoint import Endpoint

_FEWEST_MESSAGES = 2
_LEAST_PROMPT = 4_000
_MOST_NAMED = 20


class CompactionEngine:
    """Compacts histories.

    Args:
        encoding: the vocabulary that tokens are counted with.
        archive: where originals are kept; None keeps none.
        endpoint: the summarizer behind a URL, if there is one.
        redactor: takes secrets out of what is quoted, unless a call says `redact=False`.
    """

    def __init__(
        self,
        *,
        encoding: str = DEFAULT_ENCODING,
        archive: Archive | None = None,
        endpoint: Endpoint | None = None,
        redactor: Redactor = redact,
    ) -> None:
        self._counter = token_counter(encoding)
        self._archive = archive
        self._endpoint = endpoint
        self._redactor = redactor

    def compact(
        self, history: object, options: CompactionOptions | None = None, *, sample: Sample | None = None
    ) -> CompactionResult:
        """Compact a history.

        Args:
            history: a list of messages, a request object that holds one, or the bytes of a session file.
            options: how; see there.
            sample: asks the client's model, None where the client offers none.

        Returns:
            The new history, or why there is none; nothing about the messages is ever raised.
        """
        return self._made(history, options or CompactionOptions(), sample)[0]

    def compact_with_account(
        self, history: object, options: CompactionOptions | None = None
    ) -> tuple[CompactionResult, Account | None]:
        """Compact a history, and tell what became of each message; None where no new history was made.

        The arguments are those of `compact`.
        """
        options = options or CompactionOptions()
        result, found = self._made(history, options, None)
        if result.messages is None or found is None:
            return result, None
        target = options.output_format or found.transcript.format
        return result, account(found, result, target=target, count=self._counter.count)

    def _made(
        self, history: object, options: CompactionOptions, sample: Sample | None
    ) -> tuple[CompactionResult, Survey | None]:
        redactor = self._redactor if options.redact else keep_everything
        marks = thresholds(options.context_window)
        count = _Remembering(self._counter.count)
        try:
            raw = from_bytes(history) if isinstance(history, bytes) else from_messages(history)
            transcript = parse(raw, options.format)
        except MalformedHistoryError as error:
            detail, _ = redactor(str(error))
            failure = CompactionResult(
                status=Status.INVALID_INPUT, thresholds=marks, detail=detail, failed_at=error.index
            )
            return failure, None
        found = survey(without_secrets(transcript, redactor), options, count, standing=transcript.messages)
        before = sum(found.weights)
        nothing = _nothing_to_do(found, before, marks, options)
        base = CompactionResult(
            status=nothing[0] if nothing else Status.COMPACTED,
            thresholds=marks,
            tokens_before=before,
            detail=nothing[1] if nothing else "",
            warnings=_shown(redactor, *transcript.warnings, *found.warnings, *_system_warnings(found, options)),
        )
        if nothing:
            return base, found
        return self._compacted(raw, found, base, options, sample, count, redactor), found

    def restore(self, archive_id: str) -> bytes:
        """The original that a compaction put away, byte for byte.

        Raises:
            InvalidArgumentError: it is no archive id.
            PathNotFoundError: there is no such entry, or no archive.
        """
        if self._archive is None:
            raise PathNotFoundError("No archive is kept here; start with an archive to keep originals.")
        return self._archive.restore(archive_id)

    def recall(self, archive_id: str, wanted: str, *, tokens: int | None = None, redact_secrets: bool = True) -> str:
        """A part of an archived history: what was said and done at some of the user's messages.

        Args:
            archive_id: what a compaction gave.
            wanted: the number of a user message as section 6 counts them, or a range such as `3-5`.
            tokens: about how many the answer may have; None for 8000.
            redact_secrets: whether secrets are taken out.

        Raises:
            InvalidArgumentError: an argument is wrong, or there is no such message.
            PathNotFoundError: there is no such entry, or no archive.
        """
        redactor = self._redactor if redact_secrets else keep_everything
        content = self.restore(archive_id)
        return recalled(content, wanted, limit=tokens or RECALL_TOKENS, count=self._counter.count, redactor=redactor)

    def _compacted(
        self,
        raw: RawHistory,
        found: Survey,
        base: CompactionResult,
        options: CompactionOptions,
        sample: Sample | None,
        count: Callable[[str], int],
        redactor: Redactor,
    ) -> CompactionResult:
        def prompt() -> str:
            window = options.context_window
            limit = max(_LEAST_PROMPT, window - SUMMARY_RESERVE if window > 2 * SUMMARY_RESERVE else window // 2)
            return summary_prompt(
                found.summarised,
                limit=limit,
                count=count,
                redactor=redactor,
                instructions=options.instructions,
                shorten=shortened_prose if options.compress_results else no_shorter,
            )

        wants_host = options.summarizer is Summarizer.HOST and options.summary is None
        if options.mode is Mode.PROMPT or (wants_host and options.mode is Mode.COMPACT):
            return replace(
                base, status=Status.NEEDS_SUMMARY, prompt=prompt(), detail="Answer the prompt and call again."
            )
        written = write_summary(found, options, prompt=prompt, endpoint=self._endpoint, sample=sample, count=count)
        if isinstance(written, Rejection):
            status = Status.FAILED_TRUNCATED_SUMMARY if written.truncated else Status.FAILED_EMPTY_SUMMARY
            detail, _ = redactor(f"The summary cannot be used: {written.reason}.")
            return replace(base, status=status, detail=detail)
        archive_id, archive_warnings = self._store(raw, options)
        offer = self._offer(found, written, options, archive_id, redactor, count)
        ceiling = base.tokens_before - 1
        if options.target_tokens is not None:
            ceiling = min(ceiling, options.target_tokens)
        made = fit_below(offer, ceiling)
        later = _shown(redactor, *written.warnings, *archive_warnings)
        warnings = (*base.warnings, *later, *_secret_warnings(found, redactor))
        base = replace(base, warnings=warnings, archive_id=archive_id)
        return _checked(base, made, written, options)

    def _offer(
        self,
        found: Survey,
        written: Written,
        options: CompactionOptions,
        archive_id: str | None,
        redactor: Redactor,
        count: Callable[[str], int],
    ) -> Offer:
        target = options.output_format or found.transcript.format
        standing = {message.index for message in (*found.kept, *found.pending)}
        return Offer(
            survey=found,
            writer=section_writer(found, written, redactor, count),
            files=restorable_files(
                found.touches,
                workspace=options.workspace,
                limits=options.files,
                count=count,
                redactor=redactor,
                written=_written(found),
                hide_sensitive=options.redact,
            ),
            images=newest_snapshots(
                [message for message in found.transcript.messages if message.index not in standing],
                found.pairing,
                limits=options.images,
                redactor=redactor,
                can_show=lambda image: _can_show(image, found.transcript.format, target),
            ),
            read_tool=options.read_tool,
            unread=_shown(redactor, *found.transcript.unread),
            archive_id=archive_id,
            archive=f"{_under_home(self._archive.path)}" if self._archive is not None else "",
            target=target,
            fills=options.target_tokens is not None,
            continues=bool(found.pending) or (options.trigger is Trigger.AUTO and not found.ends_with_assistant),
            count=count,
        )

    def _store(self, raw: RawHistory, options: CompactionOptions) -> tuple[str | None, tuple[str, ...]]:
        if self._archive is None or options.dry_run:
            return None, ()
        try:
            return self._archive.store(raw.original), ()
        except (OSError, sqlite3.Error) as error:
            return None, (f"the original is not archived: {error}",)


def _written(found: Survey) -> dict[str, list[str]]:
    """Returns the texts that successful edits put into each file, in order."""
    texts: dict[str, list[str]] = {}
    for record in found.ledger.calls:
        text = new_text(record.call)
        if text and record.result is not None and not failed(record.result):
            for touch in touches(record.call):
                if touch.operation in {Operation.EDIT, Operation.WRITE}:
                    texts.setdefault(touch.path, []).append(text)
    return texts


def _under_home(path: Path) -> str:
    """A path as it is written by those whose home it lies in."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else path.as_posix()


def _nothing_to_do(
    found: Survey, before: int, marks: Thresholds, options: CompactionOptions
) -> tuple[Status, str] | None:
    if not (found.has_new_turns or found.earlier or found.entries):
        return Status.NOOP_TOO_SHORT, "Neither the user nor the assistant has said anything."
    spoken = [message for message in found.transcript.messages if message.side is not Side.SYSTEM]
    if len(spoken) < _FEWEST_MESSAGES:
        return Status.NOOP_TOO_SHORT, "There are fewer than two messages."
    if unread := _unread(found):
        fault = f"No message of the history can be read: it holds items of the types {unread} alone."
        return Status.INVALID_INPUT, fault
    if not found.has_new_turns:
        return Status.NOOP_ALREADY_COMPACTED, "Nothing was said since the last compaction."
    if not found.summarised:
        return Status.NOOP_TOO_SHORT, "Everything is kept as it is, nothing is left to summarise."
    if options.trigger is Trigger.AUTO and not options.force and before < marks.auto:
        return Status.NOOP_BELOW_THRESHOLD, f"{before} tokens are below the threshold of {marks.auto}."
    return None


def _system_warnings(found: Survey, options: CompactionOptions) -> list[str]:
    source = found.transcript.format
    target = options.output_format or source
    if holds_system(source, target) or not any(message.side is Side.SYSTEM for message in found.head):
        return []
    return [f"messages of {target.value} hold no system prompt: it is left out, pass it on as it is"]


def _unread(found: Survey) -> str:
    """The types of what a history holds, where none of it can be read; "" where something can."""
    blocks = [block for message in found.transcript.messages for block in message.blocks]
    kinds = {block.kind: None for block in blocks if isinstance(block, Opaque) and not block.carries_history}
    return ", ".join(islice(kinds, _MOST_NAMED)) if all(isinstance(block, Opaque) for block in blocks) else ""


def _checked(base: CompactionResult, made: Candidate, written: Written, options: CompactionOptions) -> CompactionResult:
    if options.target_tokens is not None and made.tokens > options.target_tokens and made.tokens < base.tokens_before:
        return replace(
            base,
            status=Status.INVALID_INPUT,
            minimum_tokens=made.tokens,
            detail=f"target_tokens is {options.target_tokens}; this history needs at least {made.tokens}.",
        )
    if made.tokens >= base.tokens_before:
        return replace(
            base,
            status=Status.FAILED_INFLATED,
            detail=f"The shortest form has {made.tokens} tokens, the history {base.tokens_before}.",
        )
    return replace(
        base,
        messages=made.messages,
        summary=made.summary,
        sections=made.sections,
        summary_source=written.source,
        files=made.files,
        images=made.images,
        tokens_after=made.tokens,
    )


def _shown(redactor: Redactor, *warnings: str) -> tuple[str, ...]:
    return tuple(redactor(warning)[0] for warning in warnings)


def _secret_warnings(found: Survey, redactor: Redactor) -> list[str]:
    return [
        f"user message {entry.number} seems to hold a secret; it is kept as the user wrote it"
        for entry in found.entries
        if isinstance(entry, Verbatim) and redactor(entry.text)[1]
    ]


def _can_show(image: Image, source: FormatName, target: FormatName) -> bool:
    if source is target:
        return True
    return not image.native and (bool(image.data) or target is not FormatName.MCP)


class _Remembering:
    """Counts every long text once: the steps of fitting share most of their parts."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._count(text)
        return known
