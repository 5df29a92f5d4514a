"""Weighs a history in tokens: the words of its blocks, 1600 for an image, 4 for the frame of a message.

Base64 data and signatures are never counted as words: an image costs what a model charges for it, an opaque block
the words that can be read of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from compaction.history.formats.base import as_object, as_text, compact_json
from compaction.history.messages import Block, Image, Message, Opaque, Text, ToolCall, ToolResult

IMAGE_TOKENS = 1_600
MESSAGE_TOKENS = 4
OPAQUE_TOKENS = 16
"""A block that only its provider can read: what it costs a reader is not known, and its signature is no text."""

Counter: TypeAlias = Callable[[str], int]


def weigh(messages: Iterable[Message], count: Counter) -> int:
    """Tokens of the messages together."""
    return sum(weigh_message(message, count) for message in messages)


def weigh_message(message: Message, count: Counter) -> int:
    """Tokens of one message."""
    return MESSAGE_TOKENS + sum(weigh_block(block, count) for block in message.blocks)


def weigh_block(block: Block, count: Counter) -> int:
    """Tokens of one block."""
    match block:
        case Text(text=text):
            return count(text)
        case Image():
            return IMAGE_TOKENS
        case ToolCall():
            return count(block.name) + count(block.raw_arguments or compact_json(block.arguments))
        case ToolResult():
            return count(block.text) + IMAGE_TOKENS * len(block.images)
        case Opaque(text=text, source=source):
            words = text or as_text(as_object(source).get("thinking"))
            return count(words) if words else OPAQUE_TOKENS
