"""Takes secrets out of a history: whatever a summary quotes or a restored file holds passes through one function.

The detector is the one for files (`workspace.secrets.redaction`). It reads the history at the entrance, before anything is cut
to an excerpt: half a token has no shape any more, and would pass. Messages that stay in the new history stay as they
were, and so does what the user wrote: section 6 keeps it byte for byte, and a warning names the message instead.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from compaction.history.formats.base import as_object, compact_json
from compaction.history.messages import Opaque, Side, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from compaction.history.messages import Block, Message, Transcript
    from compaction.values import Json, JsonObject


class Redactor(Protocol):
    """Takes a text, and the path of the file where it is one; gives it back without secrets, and how many there were."""

    def __call__(self, text: str, path: str = "") -> tuple[str, int]: ...  # noqa: D102 - the class says it


def keep_everything(text: str, path: str = "") -> tuple[str, int]:
    """The redactor of `redact=false`."""
    del path
    return text, 0


def without_secrets(transcript: Transcript, redactor: Redactor) -> Transcript:
    """The history as it may be quoted: everything but the words on the user's side without secrets.

    What a block was parsed from stays with it, so a message that is passed on goes out as it came.
    """
    return replace(transcript, messages=tuple(_message(message, redactor) for message in transcript.messages))


def _message(message: Message, redactor: Redactor) -> Message:
    blocks = tuple(_block(block, message.side, redactor) for block in message.blocks)
    changed = any(new is not old for new, old in zip(blocks, message.blocks, strict=True))
    return replace(message, blocks=blocks) if changed else message


def _block(block: Block, side: Side, redactor: Redactor) -> Block:
    match block:
        case Text() if side is Side.ASSISTANT:
            text, found = redactor(block.text)
            return replace(block, text=text) if found else block
        case ToolResult():
            text, found = redactor(block.text)
            return replace(block, text=text) if found else block
        case Opaque() if block.text:
            text, found = redactor(block.text)
            return replace(block, text=text) if found else block
        case ToolCall():
            return _call(block, redactor)
        case _:
            return block


def _call(call: ToolCall, redactor: Redactor) -> ToolCall:
    raw, in_raw = redactor(call.raw_arguments)
    arguments = cast("JsonObject", _strings(call.arguments, redactor))
    written, found = redactor(compact_json(arguments))  # once more for what the name of an argument gives away
    if found:
        try:
            arguments = as_object(json.loads(written))
        except ValueError:  # a mark took a part of the notation with it
            arguments = cast("JsonObject", {name: f"[REDACTED:{len(written)} characters]" for name in arguments})
    if arguments == call.arguments and not in_raw:
        return call
    return replace(call, arguments=arguments, raw_arguments=raw)


def _strings(value: Json, redactor: Redactor) -> Json:
    match value:
        case str():
            return redactor(value)[0]
        case list():
            return [_strings(item, redactor) for item in value]
        case dict():
            return {key: _strings(item, redactor) for key, item in value.items()}
        case _:
            return value
