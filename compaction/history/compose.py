"""Puts the new history together.

    head          system and developer messages where the format has such, and blocks in which the provider keeps earlier history: as they were
    summary       user
    (receipt)     assistant
    attachments   user: references, files, images
    kept          pinned and newest turns, as they were
    pending       the turn whose call is not answered, as it was

Between two turns of one side stands a fixed short line of the other side, so roles alternate everywhere without one
rule for each combination. What was there before is never edited: it is passed on, or written anew by the output format
when that is another one.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.envelope import ACKNOWLEDGEMENT, ATTACHMENTS_RECEIVED, BETWEEN, Tag, seal
from compaction.history.formats import FORMATS
from compaction.history.formats.base import as_list, as_object
from compaction.history.messages import Block, FormatName, Message, Opaque, Side, Text, turns
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MERGED_UNDER = {FormatName.ANTHROPIC: "content", FormatName.GEMINI: "parts", FormatName.MCP: "content"}
"""The formats in which one turn is one message, and the field that holds its blocks."""

_WITHOUT_SYSTEM = frozenset({FormatName.GEMINI, FormatName.MCP})
"""The formats that give a system prompt beside the messages: among them it would be words of the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parts of a new history.

    Attributes:
        head: messages that stay first.
        summary: the sealed summary with its resume line.
        attachments: blocks of the one message that restores files and images; () for none.
        kept: messages that stand as they were, in their order.
        pending: the messages of the turn in flight, with the results that did arrive.
        ends_with_assistant: whether the next turn is the user's.
    """

    head: tuple[Message, ...]
    summary: str
    attachments: tuple[Block, ...]
    kept: tuple[Message, ...]
    pending: tuple[Message, ...]
    ends_with_assistant: bool


def holds_system(source: FormatName, target: FormatName) -> bool:
    """Tell whether system messages of one format can stay at the head of a history in another."""
    return source is target or target not in _WITHOUT_SYSTEM


def compose(plan: Plan, *, source: FormatName, target: FormatName) -> list[JsonObject]:
    """The messages of the new history in the target format."""
    made: list[JsonObject] = []
    systems = [message for message in plan.head if message.side is Side.SYSTEM]
    for message in systems if holds_system(source, target) else ():
        made += _native((message,), source, target)
    last: Side | None = None
    carriers = [message for message in plan.head if message.side is not Side.SYSTEM]
    for side, native, receipt in _turns(plan, carriers, source, target):
        if not native:
            continue
        if side is last:
            made += FORMATS[target].render(*_filler(side, receipt))
        made += native
        last = side
    if plan.ends_with_assistant and last is Side.USER:
        made += FORMATS[target].render(*_filler(Side.USER, bool(plan.attachments) and not plan.kept))
    return made


def _turns(
    plan: Plan, carriers: Sequence[Message], source: FormatName, target: FormatName
) -> Iterable[tuple[Side, list[JsonObject], bool]]:
    """Every turn with its side, and whether what it follows is the attachments."""
    render = FORMATS[target].render
    for turn in turns(carriers):
        yield turn[0].side, _carried(turn, source, target), False
    yield Side.USER, render(Side.USER, (Text(text=plan.summary),)), False
    if plan.attachments:
        yield Side.USER, render(Side.USER, plan.attachments), False
    after_attachments = bool(plan.attachments)
    for run in _runs(plan.kept):
        yield run[0].side, _native(run, source, target), after_attachments
        after_attachments = False
    for turn in turns(plan.pending):
        yield turn[0].side, _native(turn, source, target), after_attachments
        after_attachments = False


def _runs(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Turns, cut also where messages between two of them were left out."""
    runs: list[list[Message]] = []
    for message in messages:
        last = runs[-1][-1] if runs else None
        if last is not None and last.side is message.side and last.index + 1 == message.index:
            runs[-1].append(message)
        else:
            runs.append([message])
    return [tuple(run) for run in runs]


def _filler(side: Side, after_attachments: bool) -> tuple[Side, tuple[Block, ...]]:
    if side is Side.USER:
        return Side.ASSISTANT, (Text(text=ATTACHMENTS_RECEIVED if after_attachments else ACKNOWLEDGEMENT),)
    return Side.USER, (Text(text=seal(Tag.ATTACHMENTS, BETWEEN)),)


def _native(run: Sequence[Message], source: FormatName, target: FormatName) -> list[JsonObject]:
    if source is not target:
        blocks = tuple(block for message in run for block in message.blocks)
        return FORMATS[target].render(run[0].side, blocks)
    native = [deepcopy(as_object(message.source)) for message in run]
    under = _MERGED_UNDER.get(target)
    if len(native) == 1 or under is None:
        return native
    if target is FormatName.MCP and any(_has_results(message) for message in native):
        return native
    merged: JsonObject = {**native[0], under: [block for message in native for block in _blocks(message.get(under))]}
    return [merged]


def _blocks(content: Json) -> list[Json]:
    """Content as a list of blocks: a bare string or a bare block is the only one of its message."""
    match content:
        case list():
            return content
        case str() if content:
            return [{"type": "text", "text": content}]
        case dict():
            return [content]
        case _:
            return []


def _has_results(message: JsonObject) -> bool:
    return any(as_object(block).get("type") == "tool_result" for block in as_list(message.get("content")))


def _carried(turn: Sequence[Message], source: FormatName, target: FormatName) -> list[JsonObject]:
    """The blocks of a turn that carry the provider's own history, alone, unchanged; nothing in another format."""
    if source is not target:
        return []
    blocks = [
        deepcopy(block.source)
        for message in turn
        for block in message.blocks
        if isinstance(block, Opaque) and block.carries_history
    ]
    if source is FormatName.OPENAI_RESPONSES:
        return [as_object(block) for block in blocks]
    carried: JsonObject = {"role": Side.ASSISTANT.value, "content": blocks[-1:]}
    return [carried] if blocks else []
