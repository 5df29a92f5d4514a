"""The messages of a session file as its reader gives them, in the form of an API that a format reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from compaction.history.formats.base import as_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.values import Json, JsonObject


class Answered(NamedTuple):
    """A call with its answer, as hosts write it down that keep no identifiers."""

    name: str
    given: JsonObject
    answer: str
    failed: bool = False


@dataclass(slots=True)
class Session:
    """The messages of a session file.

    Attributes:
        injected: positions of messages that no user wrote.
        unread: what the file does not hold or cannot be read of it, a clause each.
    """

    messages: list[JsonObject] = field(default_factory=list["JsonObject"])
    injected: set[int] = field(default_factory=set[int])
    unread: list[str] = field(default_factory=list[str])

    def add_calls(self, calls: Sequence[Answered]) -> None:
        """Adds calls that were made at once, each with its answer."""
        ids = [f"call_{len(self.messages)}_{place}" for place in range(len(calls))]
        used: list[Json] = [
            {"type": "tool_use", "id": call_id, "name": call.name, "input": call.given}
            for call_id, call in zip(ids, calls, strict=True)
        ]
        answers: list[Json] = [
            {"type": "tool_result", "tool_use_id": call_id, "content": call.answer, "is_error": call.failed}
            for call_id, call in zip(ids, calls, strict=True)
        ]
        if calls:
            self.messages.append({"role": "assistant", "content": used})
            self.messages.append({"role": "user", "content": answers})


def said(role: str, text: str) -> JsonObject:
    """A message of one text."""
    return {"role": role, "content": [{"type": "text", "text": text}]}


def blocks_of(content: Json) -> list[JsonObject]:
    """The blocks of a content that may be a bare text."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def objects(value: Json) -> list[JsonObject]:
    """The objects of a list."""
    return [item for item in as_list(value) if isinstance(item, dict)]
