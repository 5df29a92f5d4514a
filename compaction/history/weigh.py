"""What a history costs, in tokens: the words of its blocks, 1600 for an image, 4 for the frame of a message.

Base64 data and signatures are never counted as words: an image costs what a model charges for it, and an opaque block
what its JSON would cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from compaction.history.formats.base import compact_json
from compaction.history.messages import Block, Image, Message, Opaque, Text, ToolCall, ToolResult

IMAGE_TOKENS = 1_600
MESSAGE_TOKENS = 4
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
        case Opaque():
            return count(compact_json(block.source))
