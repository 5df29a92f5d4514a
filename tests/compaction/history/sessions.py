"""Small sessions in the form of Claude Code, and their hand-over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history import CompactionEngine, CompactionOptions, CompactionResult, Mode, Status

if TYPE_CHECKING:
    from compaction.values import JsonObject

FILLER = "The module reads its configuration once and keeps it for the life of the process, as the manual says. " * 40


def said(role: str, text: str) -> JsonObject:
    """A message of one text."""
    return {"role": role, "content": [{"type": "text", "text": text}]}


def called(number: int, name: str, arguments: JsonObject, answer: str, *, is_error: bool = False) -> list[JsonObject]:
    """A call and its answer."""
    use: JsonObject = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
    result: JsonObject = {
        "type": "tool_result",
        "tool_use_id": f"toolu_{number}",
        "content": answer,
        "is_error": is_error,
    }
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def compacted(history: object, target: int | None = None) -> CompactionResult:
    """The hand-over of a conversation, made without a model."""
    result = CompactionEngine().compact(history, CompactionOptions(mode=Mode.EXTRACT, target_tokens=target))
    assert result.status is Status.COMPACTED, result.detail
    return result


def session(*middle: JsonObject) -> list[JsonObject]:
    """Messages behind a request that is not done."""
    return [said("user", "Make the build work again."), said("assistant", FILLER), *middle]
