"""The messages of a session file as its reader gives them, in the form of an API that a format reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject


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


def said(role: str, text: str) -> JsonObject:
    """A message of one text."""
    return {"role": role, "content": [{"type": "text", "text": text}]}


def blocks_of(content: Json) -> list[JsonObject]:
    """The blocks of a content that may be a bare text."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)


def objects(value: Json) -> list[JsonObject]:
    """The objects of a list."""
    return [item for item in as_list(value) if isinstance(item, dict)]
