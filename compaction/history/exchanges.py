"""A history as exchanges: the user's words, the work on them, and the agent's answer in the end.

An exchange begins where the user speaks after the agent has done or said something; words of the user that come in one
run, or while the agent works, belong to the exchange that they fall into. What an earlier summary tells is no exchange: it
is carried over as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.history.envelope import is_acknowledgement
from compaction.history.file_tools import short_name
from compaction.history.formats.base import as_text
from compaction.history.messages import Side, Text, ToolCall
from compaction.history.origins import Origin

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from compaction.history.messages import Block, CallRecord, Message
    from compaction.history.origins import Passage


_CLOSES = frozenset({"submit", "finish"})
"""Calls by which agents hand in their work: nothing is to be said behind them."""


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One exchange.

    Attributes:
        first: the message that it begins with.
        requests: the numbers of the user's messages in it.
        calls: what was called, in order.
        said: the agent's words on the way, each with its message.
        answer: the agent's words after its last call, or with the call by which it hands its work in; "" where it has not answered.
        behind: the number of those words that stand behind its last call.
        interrupted: the message in which the host notes that the user stopped the agent; None where it was not, or went on.
    """

    first: int
    requests: list[int] = field(default_factory=list[int])
    calls: list[CallRecord] = field(default_factory=list["CallRecord"])
    said: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    answer: str = ""
    behind: int = 0
    interrupted: int | None = None


def exchanges(
    messages: Sequence[Message],
    said: Sequence[Passage],
    calls: Sequence[CallRecord],
    numbers: Sequence[int],
    stops: Collection[int] = (),
) -> list[Exchange]:
    """Return the exchanges of a history, oldest first.

    Args:
        messages: what is summarised.
        said: the user's passages, in order.
        calls: the calls with their answers.
        numbers: the number in section 6 of each passage of `said`.
        stops: the messages in which a host notes that the user stopped the agent.
    """
    words: dict[int, list[int]] = {}
    for passage, number in zip(said, numbers, strict=True):
        if passage.origin is Origin.USER:
            words.setdefault(passage.turn, []).append(number)
    made: dict[int, list[CallRecord]] = {}
    for record in calls:
        made.setdefault(record.turn, []).append(record)
    found: list[Exchange] = []
    current: Exchange | None = None
    for message in messages:
        spoken = words.get(message.index, [])
        if spoken and (current is None or current.calls or current.said or current.interrupted is not None):
            current = Exchange(first=message.index)
            found.append(current)
        if message.side is Side.ASSISTANT and current is None:
            current = Exchange(first=message.index)
            found.append(current)
        if current is None:
            continue
        current.requests += spoken
        if message.index in stops:
            current.interrupted = message.index
        if message.side is Side.ASSISTANT:
            current.interrupted = None
            spoken_at = [place for place, block in enumerate(message.blocks) if _is_said(block)]
            current.said += [(message.index, _text(message.blocks[place])) for place in spoken_at]
            if called := made.get(message.index):
                current.calls += called
                last = max(
                    (place for place, block in enumerate(message.blocks) if isinstance(block, ToolCall)), default=-1
                )
                current.behind = sum(place > last for place in spoken_at)
            else:
                current.behind += len(spoken_at)
    for exchange in found:
        _set_answer(exchange)
    return found


def _text(block: Block) -> str:
    return block.text.strip() if isinstance(block, Text) else ""


def _is_said(block: Block) -> bool:
    words = _text(block)
    return bool(words) and not is_acknowledgement(words)


def _set_answer(exchange: Exchange) -> None:
    last = exchange.calls[-1] if exchange.calls else None
    handed = ""
    if last is not None and not exchange.behind and short_name(last.call.name) in _CLOSES and last.result is not None:
        exchange.behind = sum(turn == last.turn for turn, _ in exchange.said)
        handed = as_text(last.call.arguments.get("message"))
    first = len(exchange.said) - exchange.behind
    exchange.answer = "\n\n".join(text for text in (*(text for _, text in exchange.said[first:]), handed) if text)
    exchange.said = exchange.said[:first]
