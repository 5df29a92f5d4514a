"""Reads the calls that Cline and Roo Code keep in the text: XML in the agent's words, answers among the user's.

    assistant   I look at it. <read_file><path>src/auth.ts</path></read_file>
    user        [read_file for 'src/auth.ts'] Result:        (a block of its own, or the beginning of one)
    user        export const TIMEOUT = 5;                    (the next block of the same message)

Newer versions call in blocks of the API, and still answer in texts, one block an answer:

    assistant   {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "src/auth.ts"}}
    user        [read_file for 'src/auth.ts'] Result:        (and what it gave below, in the same block)

An answer is one only behind a message that calls the tool that it names; in doubt a text is the user's. What the agent asks
and what it closes with are no calls but words, and what the user says to them are the user's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from compaction.history.messages import Block, Message, Side, Text, ToolCall, ToolResult, pair_calls

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from compaction.values import Json, JsonObject

_ANSWER = re.compile(r"\[(?P<name>[a-z_]{3,40})(?: for .{0,8000}?)?\] Result:[ \t]*\n?", re.DOTALL)
_OPENING = re.compile(r"<(?P<key>[a-z_]{2,40})>\n?")
_CLOSING = re.compile(r"</(?P<key>[a-z_]{2,40})>")
_PATH = re.compile(r"<path>\s*+([^<\n]*[^<\s])\s*</path>")
_WORDS = {
    "ask_followup_question": "question", "attempt_completion": "result", "plan_mode_respond": "response",
    "new_task": "context",
}  # fmt: skip
"""Calls that speak to the user, and the argument that holds the words."""

_SAID = re.compile(
    r"<(?P<tag>answer|feedback|user_message)>\n?(?P<words>(?:(?!<(?P=tag)>).)*?)\n?</(?P=tag)>", re.DOTALL
)
_GIVEN = re.compile(
    r"\s*(?:(?:New instructions for task continuation|New message to respond to with \w{1,40} tool[^\n]{0,200}|"
    r"The user provided the following feedback):\s*)?<(?P<tag>feedback|user_message)>\n?(?P<words>.*)\n?</(?P=tag)>\s*",
    re.DOTALL,
)
"""A text that holds what the user typed, and nothing else but what the host announces it with."""

_OF_THE_HOST = re.compile(
    r"\s*(?:The user has provided feedback on the results\. Consider their input[^\n]*+|\(The user did not provide a new message\.[^\n]*\)|"
    r"\[The user has switched to \w+ MODE[^\n]*\]|Done)\s*"
)
_OF_A_COMMAND = re.compile(r"Command (?:failed with exit code \d|executed|timed out after |is still running)")
"""The beginning of what a command gave that the closing words bring along, in a block behind their answer."""

_NOT_RUN = re.compile(r"Tool \[(?P<name>\w{3,80})\] was not executed because ")
"""The answer to a further call of a message, where only the first is made."""

_FAULTS = re.compile(
    r"\s*(?:The tool execution failed|The user denied this operation|<error>|Error[: ]|\[ERROR\]|Missing value for required)"
)


def with_xml_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with the calls and answers that their texts hold, where they are of Cline or Roo Code."""
    if any(isinstance(block, ToolCall | ToolResult) for message in messages for block in message.blocks):
        return _with_answers(messages)
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


def _with_answers(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with the answers that their texts give to calls which no block answers."""
    open_calls = [record for record in pair_calls(messages).calls if record.result is None]
    waiting: dict[int, list[ToolCall]] = {}
    for record in open_calls:
        waiting.setdefault(record.turn, []).append(record.call)
    made = list(messages)
    is_found, ran = False, set[str]()
    for place in range(1, len(made)):
        calls = waiting.get(made[place - 1].index, [])
        if calls and made[place].side is Side.USER:
            before = len(calls)
            made[place] = _with(made[place], *_read_answers(made[place].blocks, calls, ran))
            is_found |= len(calls) < before
    if not is_found:
        return tuple(messages)
    spoken = {record.call.call_id for record in open_calls if _words_of(record.call)}
    made = [_with(message, *_typed(message.blocks)) if message.side is Side.USER else message for message in made]
    return tuple(
        _with(message, *(one for block in message.blocks for one in _spoken(block, spoken, ran))) for message in made
    )


def _typed(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks of the user's side, texts that hold what was typed as those words alone, once, and without what the host adds."""
    typed = set[str]()
    for block in blocks:
        if isinstance(block, Text) and (given := _GIVEN.fullmatch(block.text)) is not None:
            words = given["words"].strip("\n")
            if words not in typed:
                typed.add(words)
                yield Text(text=words)
        elif not isinstance(block, Text) or block.text == "Done" or not _OF_THE_HOST.fullmatch(block.text):
            yield block


def _read_answers(blocks: Sequence[Block], calls: list[ToolCall], ran: set[str]) -> list[Block]:
    """Blocks of the user's side with the answers among them.

    The calls that they answer are taken off the list; closing words whose command was answered are added to `ran`, by their ids.
    """
    made: list[Block] = []
    empty: ToolResult | None = None
    closing: ToolCall | None = None
    for block in blocks:
        text = block.text if isinstance(block, Text) else ""
        answer = _ANSWER.match(text)
        found = answer or _NOT_RUN.match(text)
        call = next((one for one in calls if found is not None and f"_{one.name}".endswith(f"_{found['name']}")), None)
        if found is not None and call is not None:
            calls.remove(call)
            rest = text[found.end() :] if answer else text
            result = ToolResult(
                call_id=call.call_id,
                name=call.name,
                text=rest,
                is_error=answer is None or _FAULTS.match(rest) is not None,
            )
            is_spoken = bool(_words_of(call))
            closing = call if is_spoken and _command_of(call) else None
            empty = None if rest.strip() or is_spoken else result
            made += _said(rest) if is_spoken else [result]
        elif empty is not None and text and not text.startswith("<environment_details>"):
            made[-1] = replace(empty, text=text, is_error=_FAULTS.match(text) is not None)
            empty = None
        elif closing is not None and _OF_A_COMMAND.match(text):
            made.append(ToolResult(call_id=closing.call_id, name="execute_command", text=text))
            ran.add(closing.call_id)
            closing = None
        else:
            made.append(block)
    return made


def _said(answer: str) -> list[Block]:
    """The words of the user in an answer to a question or to the closing words."""
    found: list[Block] = [Text(text=said["words"]) for said in _SAID.finditer(answer)]
    return found or ([Text(text=answer)] if answer.strip() and not _OF_THE_HOST.fullmatch(answer) else [])


def _words_of(call: ToolCall) -> str:
    words = call.arguments.get(_WORDS.get(call.name, ""))
    return words if isinstance(words, str) and words.strip() else ""


def _command_of(call: ToolCall) -> str:
    command = call.arguments.get("command")
    return command if isinstance(command, str) else ""


def _spoken(block: Block, spoken: Collection[str], ran: Collection[str]) -> Iterator[Block]:
    """The words of a call that speaks to the user, and the command that it brings along; any other block as it is."""
    if not isinstance(block, ToolCall) or block.call_id not in spoken:
        yield block
        return
    if block.call_id in ran:
        yield ToolCall(call_id=block.call_id, name="execute_command", arguments={"command": _command_of(block)})
    yield Text(text=_words_of(block))


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
    arguments: JsonObject = dict(_elements(body))
    if "args" in arguments:
        paths: list[Json] = list(_PATH.findall(body))
        arguments = {"paths": paths} if paths else arguments
    return text[:start].strip(), arguments


def _elements(body: str) -> Iterator[tuple[str, str]]:
    """The names and the contents of the elements of a text, each up to the first end of its name."""
    ends: dict[str, list[int]] = {}
    for found in _CLOSING.finditer(body):
        ends.setdefault(found["key"], []).append(found.start())
    place = 0
    while (opening := _OPENING.search(body, place)) is not None:
        key, place = opening["key"], opening.end()
        behind = bisect_left(known := ends.get(key, []), place)
        if behind < len(known):
            yield key, body[place : known[behind]].removesuffix("\n")
            place = known[behind] + len(f"</{key}>")


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
        asked = [Text(text=words)] if isinstance(words, str) and words.strip() else []
        return _with(before, *thought, *asked), _with(message, *blocks[:at], *_said(answer), *behind)
    call = ToolCall(call_id=f"text_{before.index}", name=name, arguments=arguments, made_up_id=True)
    result = ToolResult(call_id=call.call_id, text=answer, is_error=_FAULTS.match(answer) is not None, made_up_id=True)
    return _with(before, *thought, call), _with(message, *blocks[:at], result, *behind)


def _with(message: Message, *blocks: Block) -> Message:
    return replace(message, blocks=blocks)
