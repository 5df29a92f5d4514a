"""Reads calls that travel in the text: agents that answer with one command in a code block, or one call between tags.

SWE-agent and mini-swe-agent speak in the first way, SWE-agent and OpenHands in the second where a model calls no tools itself:

    assistant   I look at it. <function=bash><parameter=command>cat a.py</parameter></function>
    user        OBSERVATION: (or `EXECUTION RESULT of [bash]:`, and what it gave)

The messages stay what they are; only what they mean is read: the command becomes a call, and the message after it the answer
to that call, whoever is said to have written it. Behind a call between tags, only a message that says so is an answer.
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
_FUNCTION = re.compile(r"<function=(?P<name>[\w.-]{1,80})>(?P<body>.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(
    r"<parameter=(?P<key>[\w.-]{1,80})>\n?(?P<value>(?:(?!<parameter=).)*?)\n?</parameter>", re.DOTALL
)
_TOLD = re.compile(r"\A\s*(?:OBSERVATION:|EXECUTION RESULT of \[[^\]\n]{1,80}\]:)[ \t]*\n?")
"""The beginning of an answer to a call between tags."""

_ANSWER = re.compile(
    r"\(Open file: |\(Current directory: |<returncode>|^OBSERVATION:|^EXECUTION RESULT of \[|\bbash-\$\s*$"
)
_TRAILER = re.compile(r"\n?\(Open file: (?P<file>[^()\n]*)\)\n\(Current directory: [^)\n]*\)\n?bash-\$\s*$")
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
    waiting, is_tagged = "", False
    opened = ""
    for message in messages:
        text = _words(message)
        if message.side is Side.ASSISTANT and (said := _said(text, f"text_{message.index}", opened)) is not None:
            thought, call = said
            waiting, is_tagged = call.call_id, _FUNCTION.search(text) is not None
            blocks: tuple[Block, ...] = (Text(text=thought), call) if thought else (call,)
            made.append(replace(message, blocks=blocks))
        elif message.side is Side.USER and waiting and text and (_TOLD.match(text) or not is_tagged):
            trailer = _TRAILER.search(text)
            opened = trailer["file"] if trailer and trailer["file"] != "n/a" else opened
            answer = text[: trailer.start()] if trailer else text
            answer = _TOLD.sub("", answer, count=1) if is_tagged else answer
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
    commands = sum(1 for message in messages if message.side is Side.ASSISTANT and _calls(_words(message)))
    return matching >= max(_FEWEST, len(answers) * _SHARE * 0.6) and commands >= matching * _SHARE


def _words(message: Message) -> str:
    return "\n".join(block.text for block in message.blocks if isinstance(block, Text))


def _calls(text: str) -> bool:
    return _FUNCTION.search(text) is not None or bool(_last_command(text))


def _said(text: str, call_id: str, opened: str) -> tuple[str, ToolCall] | None:
    """The words of the agent beside its call, and the call; None where it makes none."""
    if (tagged := _FUNCTION.search(text)) is not None:
        arguments: JsonObject = {found["key"]: found["value"] for found in _PARAMETER.finditer(tagged["body"])}
        call = ToolCall(call_id=call_id, name=tagged["name"], arguments=arguments, made_up_id=True)
        return text[: tagged.start()].strip(), call
    command = _last_command(text)
    return (_COMMAND.sub("", text).strip(), _call(call_id, command, opened)) if command else None


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
    elif word == "submit" and not rest:
        name = word
    elif word in {"edit", "insert"} and opened:
        lines, _, text = rest.partition("\n")
        name = word
        arguments = {"path": opened, "lines": lines, "text": text.removesuffix(f"end_of_{word}").strip("\n")}
    return ToolCall(call_id=call_id, name=name, arguments=arguments, made_up_id=True)
