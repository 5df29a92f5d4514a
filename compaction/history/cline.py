"""Reads the calls that Cline and Roo Code keep in the text: XML in the agent's words, answers among the user's.

    assistant   I look at it. <read_file><path>src/auth.ts</path></read_file>
    user        [read_file for 'src/auth.ts'] Result:        (a block of its own, or the beginning of one)
    user        export const TIMEOUT = 5;                    (the next block of the same message)

An answer is one only behind a message that calls the tool that it names; in doubt a text is the user's. What the agent asks
and what it closes with are no calls but words, and what the user says to them are the user's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from compaction.history.messages import Block, Message, Side, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.values import Json, JsonObject

_ANSWER = re.compile(r"\[(?P<name>[a-z_]{3,40})(?: for [^\n]{0,4000})?\] Result:[ \t]*\n?")
_ARGUMENT = re.compile(r"<(?P<key>[a-z_]{2,40})>\n?(?P<value>.*?)\n?</(?P=key)>", re.DOTALL)
_PATH = re.compile(r"<path>\s*([^<\n]+?)\s*</path>")
_WORDS = {
    "ask_followup_question": "question", "attempt_completion": "result", "plan_mode_respond": "response",
    "new_task": "context",
}  # fmt: skip
"""Calls that speak to the user, and the argument that holds the words."""

_SAID = re.compile(r"<(?P<tag>answer|feedback|user_message)>\n?(?P<words>.*?)\n?</(?P=tag)>", re.DOTALL)
_FAULTS = re.compile(
    r"\s*(?:The tool execution failed|The user denied this operation|<error>|Error[: ]|\[ERROR\]|Missing value for required)"
)


def with_xml_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the calls and answers that their texts hold, where they are of Cline or Roo Code."""
    if any(isinstance(block, ToolCall | ToolResult) for message in messages for block in message.blocks):
        return tuple(messages)
    made = list(messages)
    for place in range(1, len(made)):
        before, message = made[place - 1], made[place]
        if before.side is not Side.ASSISTANT or message.side is not Side.USER:
            continue
        answered = _answered(message)
        if answered is not None and (call := _called(before, answered[1])) is not None:
            at, name, rest = answered
            spoken, arguments = call
            made[place - 1], made[place] = _paired(before, message, at, name, rest, spoken, arguments)
    return tuple(made)


def _answered(message: Message) -> tuple[int, str, str] | None:
    """The block of a message that begins an answer, the tool that it names, and the words behind that; None for none."""
    for at, block in enumerate(message.blocks):
        if isinstance(block, Text) and (found := _ANSWER.match(block.text)) is not None:
            return at, found["name"], block.text[found.end() :]
    return None


def _called(message: Message, name: str) -> tuple[str, JsonObject] | None:
    """The words before the last call of a tool in a message, and its arguments; None where it calls no such tool."""
    text = "\n\n".join(block.text for block in message.blocks if isinstance(block, Text))
    start, end = text.rfind(f"<{name}>"), text.rfind(f"</{name}>")
    if not 0 <= start < end:
        return None
    body = text[start + len(name) + 2 : end]
    arguments: JsonObject = {found["key"]: found["value"] for found in _ARGUMENT.finditer(body)}
    if "args" in arguments:
        paths: list[Json] = list(_PATH.findall(body))
        arguments = {"paths": paths} if paths else arguments
    return text[:start].strip(), arguments


def _paired(
    before: Message, message: Message, at: int, name: str, rest: str, spoken: str, arguments: JsonObject
) -> tuple[Message, Message]:
    """The two messages with a call and its answer, or with the words that they are."""
    blocks = list(message.blocks)
    following = blocks[at + 1] if at + 1 < len(blocks) else None
    takes_next = not rest.strip() and isinstance(following, Text)
    answer = following.text if takes_next and isinstance(following, Text) else rest
    behind = blocks[at + (2 if takes_next else 1) :]
    thought = [Text(text=spoken)] if spoken else []
    if name in _WORDS:
        words = arguments.get(_WORDS[name])
        said = [Text(text=found["words"]) for found in _SAID.finditer(answer)] or [Text(text=answer)]
        asked = [Text(text=words)] if isinstance(words, str) and words.strip() else []
        return _with(before, *thought, *asked), _with(message, *blocks[:at], *said, *behind)
    call = ToolCall(call_id=f"text_{before.index}", name=name, arguments=arguments, made_up_id=True)
    result = ToolResult(call_id=call.call_id, text=answer, is_error=_FAULTS.match(answer) is not None, made_up_id=True)
    return _with(before, *thought, call), _with(message, *blocks[:at], result, *behind)


def _with(message: Message, *blocks: Block) -> Message:
    return replace(message, blocks=blocks)
