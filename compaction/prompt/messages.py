"""Compresses messages of any API between their `<compress>` markers.

Only what a caller has marked is touched: instructions, questions and answers around it keep every byte, and a system or
developer message loses its markers and nothing else. Texts are taken where they stand, part by part, so a block opens
and closes within one part. What was shortened goes out between our marks and is left alone when it comes back.

    made = compress_messages(messages, {"rate": 0.5}, engine=CompressionEngine.get_instance())
    send(made.messages)
    log(made.metrics)
    originals = uncompress(made.messages, made.store)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Protocol, cast

from compaction.prompt.adapters import FormatAdapter, named_adapters
from compaction.prompt.markers import Block, Marked, is_marked, mark, marked_spans, split_blocks
from compaction.prompt.model import (
    BYTE_ORDER_MARK,
    DEFAULT_RATE,
    LEAST_TOKENS,
    EngineName,
    missed_target,
    ratio_saved,
    unheard,
)
from compaction.prompt.places import Path, text_places, with_texts
from compaction.prompt.store import Verbatim, VerbatimStore, digest
from workspace.errors import InvalidArgumentError
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from compaction.prompt.model import CompressedResult, Progress
    from compaction.values import Json, JsonObject

_UNTOUCHED_ROLES = frozenset({"system", "developer"})
_STAGE = "compressing"


class ContextCompressor(Protocol):
    """A compressor of a block: `engine.CompressionEngine`, or anything with its main method."""

    def compress_context(
        self,
        text: str,
        rate: float = DEFAULT_RATE,
        target_token: int = -1,
        preserve_code_blocks: bool = True,
        *,
        engine: EngineName | str = EngineName.AUTO,
        adapters: Sequence[FormatAdapter] | None = None,
        progress: Progress = unheard,
    ) -> CompressedResult:
        """See `engine.CompressionEngine.compress_context`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageConfig:
    """The settings for the compression of messages (Zipper seed, section 5.3).

    Attributes:
        enabled: off, markers are taken away and nothing else is done.
        rate: what part of the tokens of each block stays, above 0 and up to 1.
        target_tokens: tokens for all blocks together, shared by their size; None leaves it to the rate.
        preserve_code_blocks: whether fenced code in a block stays.
        engine: what shortens the prose.
        adapters: the adapters to ask, or their names; None for all.
        agent, iteration: whose call this is, passed on into the metrics.

    Raises:
        InvalidArgumentError: a value is out of its range, or a name is unknown.
    """

    enabled: bool = True
    rate: float = DEFAULT_RATE
    target_tokens: int | None = None
    preserve_code_blocks: bool = True
    engine: str = EngineName.AUTO.value
    adapters: Sequence[FormatAdapter | str] | None = None
    agent: str | None = None
    iteration: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.rate <= 1.0:
            raise InvalidArgumentError(f"rate is {self.rate}; give the part of the tokens that stays, such as 0.5.")
        if self.target_tokens is not None and self.target_tokens <= 0:
            raise InvalidArgumentError(f"target_tokens is {self.target_tokens}; give a positive number of tokens.")
        if self.engine not in set(EngineName):
            raise InvalidArgumentError(f"There is no engine {self.engine!r}; there are {', '.join(EngineName)}.")
        self.resolved_adapters()

    @classmethod
    def of(cls, given: Mapping[str, object] | MessageConfig | None) -> MessageConfig:
        """Return the configuration that a mapping describes, `target_token` being `target_tokens`, -1 for none.

        Raises:
            InvalidArgumentError: it names something that there is not, or a value is wrong.
        """
        if isinstance(given, MessageConfig):
            return given
        values = dict(given or {})
        if "target_token" in values:
            target = values.pop("target_token")
            values.setdefault("target_tokens", None if target == -1 else target)
        known = {known.name for known in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise InvalidArgumentError(f"There is no setting {unknown[0]!r}; there are {', '.join(sorted(known))}.")
        return cls(**values)  # pyright: ignore[reportArgumentType] - wrong types are the caller's, as for any function

    def resolved_adapters(self) -> tuple[FormatAdapter, ...] | None:
        """Return the adapters themselves, None for all.

        Raises:
            InvalidArgumentError: there is no adapter of a name.
        """
        if self.adapters is None:
            return None
        found: list[FormatAdapter] = []
        for adapter in self.adapters:
            if isinstance(adapter, str):
                found += named_adapters([adapter], keep_fences=self.preserve_code_blocks)
            else:
                found.append(adapter)
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedMessages:
    """The result of a call. It unpacks as the pair of the Zipper seed: `messages, metrics = …`.

    Attributes:
        messages: the messages to send; the caller's own are not changed.
        metrics: those of the seed's section 5.7, counted over the blocks alone: `original_tokens`,
            `compressed_tokens`, `compression_ratio` (the part that was saved), `compression_time_ms`, and `agent` and
            `iteration` where the caller gave them.
        store: the originals, for `uncompress`.
        warnings: what the caller should know or mend.
        trace: every decision, each with its message: `0: adapter:yaml`.
    """

    messages: list[JsonObject]
    metrics: dict[str, Json]
    store: VerbatimStore
    warnings: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[object]:
        yield self.messages
        yield self.metrics


@dataclass(slots=True, kw_only=True)
class _Place:
    """A text with markers, and where it stands."""

    message: int
    path: Path
    text: str
    marked: Marked
    may_change: bool


@dataclass(slots=True, kw_only=True)
class _Tally:
    """The counts and notes of a call."""

    original: int = 0
    compressed: int = 0
    warnings: dict[str, None] = field(default_factory=dict[str, None])
    trace: list[str] = field(default_factory=list[str])


def compress_messages(
    messages: Sequence[JsonObject],
    config: Mapping[str, object] | MessageConfig | None = None,
    *,
    engine: ContextCompressor,
    progress: Progress = unheard,
) -> CompressedMessages:
    """Shorten what stands between `<compress>` markers (Zipper seed, section 5.1).

    Args:
        messages: of any API (see `places`).
        config: how; a mapping as in the seed's section 5.3, or a `MessageConfig`.
        engine: what shortens a block.
        progress: told of blocks done, blocks in all and the stage, and by the engine of its own steps; what it raises
            ends the call.

    Raises:
        InvalidArgumentError: a message is no object, or a setting is wrong; the message names it.
    """
    wanted = MessageConfig.of(config)
    places = [place for index, message in enumerate(_checked(messages)) for place in _marked_places(index, message)]
    tally = _Tally()
    if not any(block.compressible for place in places for block in place.marked.blocks):
        tally.warnings["No text is marked with <compress>…</compress>, so nothing was compressed."] = None
    return _compressed(list(messages), places, wanted, engine, progress, tally)


def compress_text(
    text: str,
    config: Mapping[str, object] | MessageConfig | None = None,
    *,
    engine: ContextCompressor,
    progress: Progress = unheard,
) -> CompressedMessages:
    """Shorten one text: what it marks, or all of it where it marks nothing.

    A text that holds what was compressed already, and marks nothing else, stays: that is what makes a second call on the
    result of a first one change nothing.

    Returns:
        One message, whose `content` is the text.

    Raises:
        InvalidArgumentError: a setting is wrong.
    """
    marked = split_blocks(text)
    tally = _Tally()
    is_whole = not any(block.compressible for block in marked.blocks)
    if is_whole and marked_spans(text) and not is_marked(text):
        tally.warnings[
            "A part of the text was compressed already; put what else may go into <compress>…</compress>."
        ] = None
    elif is_whole:
        marked = Marked(blocks=(Block(text=text, compressible=True),), warnings=marked.warnings)
    message: JsonObject = {"role": "user", "content": text}
    place = _Place(message=0, path=("content",), text=text, marked=marked, may_change=True)
    return _compressed([message], [place], MessageConfig.of(config), engine, progress, tally, is_text=True)


def _checked(messages: object) -> Sequence[JsonObject]:
    if not isinstance(messages, Sequence) or isinstance(messages, (str, bytes)):
        raise InvalidArgumentError(f"The messages are {type(messages).__name__}; give a list of objects.")
    for index, message in enumerate(cast("Sequence[object]", messages)):
        if not isinstance(message, dict):
            raise InvalidArgumentError(f"Message {index} is {type(message).__name__}; give an object with its content.")
    return cast("Sequence[JsonObject]", messages)


def _marked_places(index: int, message: JsonObject) -> Iterator[_Place]:
    may_change = message.get("role") not in _UNTOUCHED_ROLES
    for path, text in text_places(message):
        marked = split_blocks(text)
        if marked.warnings or marked.plain != text:
            yield _Place(message=index, path=path, text=text, marked=marked, may_change=may_change)


def _compressed(
    messages: list[JsonObject],
    places: Sequence[_Place],
    config: MessageConfig,
    engine: ContextCompressor,
    progress: Progress,
    tally: _Tally,
    *,
    is_text: bool = False,
) -> CompressedMessages:
    """Shortens the blocks of all places; where `is_text`, the caller gave one text and knows of no messages."""
    started = time.perf_counter()
    targets = _targets(places, config.target_tokens)
    total = sum(block.compressible for place in places for block in place.marked.blocks)
    done = 0
    texts: dict[int, dict[Path, str]] = {}
    entries: list[Verbatim] = []
    for place in places:
        made: list[str] = []
        for warning in place.marked.warnings:
            tally.warnings[warning if is_text else f"message {place.message}: {warning}"] = None
        for block in place.marked.blocks:
            if block.compressible:
                progress(done, total, _STAGE)
            done += block.compressible
            made.append(_shortened(block, place, config, engine, targets.get(id(block), -1), progress, tally))
        text = "".join(made)
        if text != place.text:
            texts.setdefault(place.message, {})[place.path] = text
            is_known = any(is_marked(part) for part in made)
            entries.append(
                Verbatim(
                    message=place.message,
                    path=place.path,
                    digest=digest(text),
                    is_marked=is_known,
                    original=place.text,
                )
            )
    progress(total, total, _STAGE)
    is_told = tally.compressed == tally.original or (is_text and total == 1)
    if config.target_tokens is not None and config.enabled and not (is_told and tally.warnings):
        system = "" if is_text else " and those of system messages"
        reason = f"texts of fewer than {LEAST_TOKENS} tokens{system} stay as they are."
        for warning in missed_target(config.target_tokens, tally.compressed, reason):
            tally.warnings[f"All marked texts together: {warning}"] = None
    metrics: dict[str, Json] = {
        "original_tokens": tally.original,
        "compressed_tokens": tally.compressed,
        "compression_ratio": round(ratio_saved(tally.original, tally.compressed), 4),
        "compression_time_ms": round((time.perf_counter() - started) * 1000, 3),
    }
    owner: dict[str, Json] = {"agent": config.agent, "iteration": config.iteration}
    return CompressedMessages(
        messages=[with_texts(message, texts.get(index, {})) for index, message in enumerate(messages)],
        metrics={key: value for key, value in owner.items() if value is not None} | metrics,
        store=VerbatimStore(entries=tuple(entries)),
        warnings=tuple(tally.warnings),
        trace=tuple(tally.trace),
    )


def _targets(places: Sequence[_Place], tokens: int | None) -> dict[int, int]:
    """The tokens for each block, by its identity: small blocks stay as they are, the others share what is left."""
    if tokens is None:
        return {}
    blocks = [block for place in places if place.may_change for block in place.marked.blocks if block.compressible]
    weights = {id(block): token_counter().count(block.text) for block in blocks}
    small = sum(weight for weight in weights.values() if weight < LEAST_TOKENS)
    large = sum(weights.values()) - small
    return {
        key: max(1, round((tokens - small) * weight / large))
        for key, weight in weights.items()
        if weight >= LEAST_TOKENS
    }


def _shortened(
    block: Block,
    place: _Place,
    config: MessageConfig,
    engine: ContextCompressor,
    target: int,
    progress: Progress,
    tally: _Tally,
) -> str:
    if not block.compressible:
        return block.text
    core = block.text.strip().removeprefix(BYTE_ORDER_MARK).lstrip()
    before = token_counter().count(core)
    tally.original += before
    if not core or not place.may_change or not config.enabled or is_marked(core):
        tally.compressed += before
        tally.trace.append(f"{place.message}: {_untouched(core, place, config)}")
        return block.text
    result = engine.compress_context(
        core,
        rate=config.rate,
        target_token=target,
        preserve_code_blocks=config.preserve_code_blocks,
        engine=config.engine,
        adapters=config.resolved_adapters(),
        progress=progress,
    )
    for warning in result.warnings:
        tally.warnings[warning] = None
    tally.trace += [f"{place.message}: {decision}" for decision in result.trace]
    known = result.text == core or is_marked(result.text)
    made = _with_line_ends_of(core, result.text if known else mark(result.text, _form(result.trace)))
    after = token_counter().count(made)
    if after >= before or result.text == core or not made.strip():
        tally.compressed += before
        return block.text
    tally.compressed += after
    start = block.text.index(core)
    return f"{block.text[:start]}{made.strip()}{block.text[start + len(core) :]}"


def _with_line_ends_of(text: str, made: str) -> str:
    """Return what was made of a text with the line ends of that, where all of them are those of Windows."""
    if text.count("\r\n") != text.count("\n") or "\n" not in text:
        return made
    return made.replace("\r\n", "\n").replace("\n", "\r\n")


def _form(trace: Sequence[str]) -> str:
    """The adapter of a text that is all of one format, "" for any other."""
    decisions = [decision for decision in trace if not decision.startswith(("engine:", "adapter_refused:"))]
    return decisions[0].removeprefix("adapter:") if len(decisions) == 1 and "adapter:" in decisions[0] else ""


def _untouched(core: str, place: _Place, config: MessageConfig) -> str:
    if not core:
        return "empty"
    if not place.may_change:
        return "system"
    return "marked" if config.enabled else "off"
