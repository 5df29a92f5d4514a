"""Reads calls that travel in the text: agents that answer with one command in a code block, and get its output back.

SWE-agent and mini-swe-agent speak so. The messages stay what they are; only what they mean is read: the command becomes a
call, and the message after it the answer to that call, whoever is said to have written it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from compaction.history.messages import Block, Message, Side, Text, ToolCall, ToolResult
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.values import JsonObject

_COMMAND = re.compile(r"```(?:bash|sh|shell)?\n(?P<command>.*?)\n?```", re.DOTALL)
_ANSWER = re.compile(r"\(Open file: |\(Current directory: |<returncode>|^OBSERVATION:|\bbash-\$\s*$")
_TRAILER = re.compile(r"\n?\(Open file: (?P<file>[^)\n]*)\)\n\(Current directory: [^)\n]*\)\n?bash-\$\s*$")
_FAULTS = re.compile(
    r"\s*(?:ERROR: |Your proposed edit has introduced|Please always provide EXACTLY ONE action|Your command cannot contain|"
    r"Usage: |\[?Error)"
)
_FEWEST = 2
_SHARE = 0.5


def with_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the calls that their texts make, where the conversation is of such a protocol."""
    if not _is_spoken(messages):
        return tuple(messages)
    made: list[Message] = []
    waiting = ""
    opened = ""
    for message in messages:
        text = _words(message)
        if message.side is Side.ASSISTANT and (command := _last_command(text)):
            waiting = f"text_{message.index}"
            call = _call(waiting, command, opened)
            thought = _COMMAND.sub("", text).strip()
            blocks: tuple[Block, ...] = (Text(text=thought), call) if thought else (call,)
            made.append(replace(message, blocks=blocks))
        elif message.side is Side.USER and waiting and text:
            trailer = _TRAILER.search(text)
            opened = trailer["file"] if trailer and trailer["file"] != "n/a" else opened
            answer = text[: trailer.start()] if trailer else text
            failed = _FAULTS.match(answer) is not None
            made.append(
                replace(message, blocks=(ToolResult(call_id=waiting, text=answer, is_error=failed, made_up_id=True),))
            )
            waiting = ""
        else:
            made.append(message)
    return tuple(made)


def _is_spoken(messages: Sequence[Message]) -> bool:
    if any(isinstance(block, ToolCall | ToolResult) for message in messages for block in message.blocks):
        return False
    answers = [message for message in messages if message.side is Side.USER][1:]
    matching = sum(1 for message in answers if _ANSWER.search(_words(message)))
    commands = sum(1 for message in messages if message.side is Side.ASSISTANT and _last_command(_words(message)))
    return matching >= max(_FEWEST, len(answers) * _SHARE * 0.6) and commands >= matching * _SHARE


def _words(message: Message) -> str:
    return "\n".join(block.text for block in message.blocks if isinstance(block, Text))


def _last_command(text: str) -> str:
    found = list(still_wanted(_COMMAND.finditer(text)))
    return found[-1]["command"].strip() if found else ""


def _call(call_id: str, command: str, opened: str) -> ToolCall:
    """The call that a command is: files that SWE-agent's own commands touch are known by their path."""
    word, _, rest = command.partition(" ")
    arguments: JsonObject = {"command": command}
    name = "bash"
    if word in {"open", "create"} and rest.split():
        name = word
        arguments = {"path": rest.split()[0].strip("\"'"), "at": " ".join(rest.split()[1:])}
    elif word == "edit" and opened:
        lines, _, text = rest.partition("\n")
        name = "edit"
        arguments = {"path": opened, "lines": lines, "text": text.removesuffix("end_of_edit").strip("\n")}
    return ToolCall(call_id=call_id, name=name, arguments=arguments, made_up_id=True)
