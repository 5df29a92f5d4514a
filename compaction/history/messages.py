"""The one inner model of a conversation, whatever API it was written for.

Five formats say the same few things: somebody speaks, a tool is called, a tool answers, an image is shown, and here and
there lies a block that only the provider can read. This module names those things once. Every block keeps the JSON it
was parsed from, so whatever is not rewritten goes out again exactly as it came in.

Three words are used with care. A *message* is one element of the caller's list (an item, in the Responses API). A
*turn* is a run of neighbouring messages of one side: parallel calls and their text, or all the results that answer
them. A *side* is who speaks to whom: tool results stand on the user's side in every format, although no user wrote
them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from compaction.values import Json, JsonObject
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class FormatName(StrEnum):
    """The formats a history is read from and written to (research, section 3)."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai_chat"
    OPENAI_RESPONSES = "openai_responses"
    GEMINI = "gemini"
    MCP = "mcp"


class Side(StrEnum):
    """The sides of a conversation."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class MalformedHistoryError(InvalidArgumentError):
    """One message cannot be used at all, so neither can the history.

    Attributes:
        index: the 0-based position of the message in the caller's list; None when the fault is in no one message.
    """

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words. `source` is the block as it came, None for a block made here."""

    text: str
    source: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture, by its base64 data or by reference.

    Attributes:
        media_type: such as `image/png`; "" when the reference does not tell.
        data: base64, "" when only a reference is known.
        url: where it lies instead, "" when `data` is there.
        native: the image in its own format when neither data nor URL is (a file id): it cannot move to another format.
    """

    media_type: str
    data: str = ""
    url: str = ""
    native: bool = False
    source: Json = None

    @property
    def byte_size(self) -> int:
        """The size of the decoded data, in bytes; 0 for a reference."""
        return len(self.data) * 3 // 4 - self.data[-2:].count("=") if self.data else 0

    @property
    def digest(self) -> str:
        """A hash that tells two pictures apart: of the content, or of the reference."""
        return sha256((self.data or self.url or repr(self.source)).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool is called.

    Attributes:
        arguments: as an object; a free-text argument (custom tools) stands under `input`.
        raw_arguments: the text the arguments were parsed from, "" when they came as an object.
        made_up_id: the format had no id here, `call_id` was made for pairing alone.
    """

    call_id: str
    name: str
    arguments: JsonObject = field(default_factory=dict[str, Json])
    raw_arguments: str = ""
    made_up_id: bool = False
    source: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool answers. `is_error` is what the format says; `ledger.failed` also reads the words."""

    call_id: str
    name: str = ""
    text: str = ""
    images: tuple[Image, ...] = ()
    is_error: bool = False
    made_up_id: bool = False
    source: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque:
    """A block that is passed on as it is or left out whole, never edited.

    Attributes:
        kind: its type in its own format, such as `thinking` or `compaction`.
        carries_history: the provider keeps earlier conversation in it, so it must stay at the head.
        text: what can be read of it, "" if nothing.
    """

    kind: str
    carries_history: bool = False
    text: str = ""
    source: Json = None


Block: TypeAlias = Text | Image | ToolCall | ToolResult | Opaque


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One element of the caller's list.

    Attributes:
        index: its 0-based position there.
        injected: the host itself marks it as not written by the user.
        is_summary: the host itself marks it as its summary of what was before.
        is_refusal: the host itself marks it as the user's refusal of a call, not as an answer by a tool.
        source: the element as it came.
    """

    index: int
    side: Side
    blocks: tuple[Block, ...]
    injected: bool = False
    is_summary: bool = False
    is_refusal: bool = False
    source: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A parsed history.

    Attributes:
        warnings: what is odd about it.
        unread: those that tell what cannot be read and is left out.
    """

    format: FormatName
    messages: tuple[Message, ...]
    warnings: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One call with the answer that closed it.

    Attributes:
        turn: index of the message that holds the call.
        answered_at: index of the message that holds the result, None while there is none.
    """

    call: ToolCall
    turn: int
    result: ToolResult | None = None
    answered_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """All calls in order, and the results that answer none of them."""

    calls: tuple[CallRecord, ...]
    stray_results: tuple[tuple[int, ToolResult], ...]


def pair_calls(messages: Iterable[Message]) -> Pairing:
    """Match every result to its call: by id, the oldest open call first where an id was used twice."""
    calls: list[CallRecord] = []
    open_calls: dict[str, list[int]] = {}
    strays: list[tuple[int, ToolResult]] = []
    for message in messages:
        for block in message.blocks:
            match block:
                case ToolCall():
                    open_calls.setdefault(block.call_id, []).append(len(calls))
                    calls.append(CallRecord(call=block, turn=message.index))
                case ToolResult():
                    waiting = open_calls.get(block.call_id)
                    if not waiting:
                        strays.append((message.index, block))
                        continue
                    at = waiting.pop(0)
                    calls[at] = CallRecord(
                        call=calls[at].call, turn=calls[at].turn, result=block, answered_at=message.index
                    )
                case _:
                    pass
    return Pairing(calls=tuple(calls), stray_results=tuple(strays))


def name_results(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Write into every result the name of the tool it comes from, where its format does not say it."""
    names = {id(record.result): record.call.name for record in pair_calls(messages).calls if record.result is not None}

    def named(block: Block) -> Block:
        name = names.get(id(block), "")
        return replace(block, name=name) if isinstance(block, ToolResult) and name and not block.name else block

    return tuple(
        replace(message, blocks=tuple(named(block) for block in message.blocks))
        if any(isinstance(block, ToolResult) for block in message.blocks)
        else message
        for message in messages
    )


def turns(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Group neighbouring messages of one side."""
    return [tuple(group) for _, group in groupby(messages, key=lambda message: message.side)]
