"""Reads session files of coding agents as messages of an API, without what each host writes around a message.

A host is known by the fields that nobody else uses. What it keeps for itself (states, snapshots, progress) is left out;
what it put into the conversation in the user's name is marked as injected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from compaction.history.applications import read_conversation
from compaction.history.copilot import read_copilot
from compaction.history.cursor import read_cursor
from compaction.history.formats.base import as_list, as_object, as_text, compact_json, plain_text
from compaction.history.panel import read_panel
from compaction.history.session import Session, blocks_of, objects, said
from compaction.history.streams import messages_of_events
from compaction.values import Json, JsonObject

Reader: TypeAlias = Callable[[Json], Session | None]


def read_session(value: Json) -> Session | None:
    """Return the messages of a host's session, None where no host is known that writes such a value."""
    return next((session for reader in _READERS if (session := reader(value)) is not None), None)


def _gemini_cli(value: Json) -> Session | None:
    """A chat file of Gemini CLI: one object with `projectHash`, its messages of types `user` and `gemini`."""
    source = as_object(value)
    if "messages" not in source or not {"projectHash", "sessionId"} & set(source):
        return None
    session = Session()
    for item in objects(source["messages"]):
        if as_text(item.get("type")) not in {"user", "gemini"}:
            continue
        content = item.get("content")
        parts: list[Json] = list[Json](
            list(content) if isinstance(content, list) else [{"text": as_text(content)}] if content else []
        )
        calls = objects(item.get("toolCalls"))
        for call in calls:
            shown: JsonObject = {"id": call.get("id"), "name": call.get("name"), "args": call.get("args")}
            parts.append({"functionCall": shown})
        if parts:
            session.messages.append({"role": "user" if item["type"] == "user" else "model", "parts": parts})
        answers = [answer for call in calls for answer in _gemini_answers(call)]
        if answers:
            session.messages.append({"role": "user", "parts": answers})
    return session


def _gemini_answers(call: JsonObject) -> list[Json]:
    found: list[Json] = [part for part in objects(call.get("result")) if "functionResponse" in part]
    if found or call.get("status") not in {"error", "cancelled"}:
        return found
    response: JsonObject = {"error": as_text(call.get("resultDisplay")) or as_text(call.get("status"))}
    return [{"functionResponse": {"id": call.get("id"), "name": call.get("name"), "response": response}}]


def _adk(value: Json) -> Session | None:
    """A session of the Agent Development Kit: events with an author and Gemini's content."""
    events = objects(as_object(value).get("events"))
    if not events or not all("author" in event for event in events):
        return None
    contents = [as_object(event.get("content")) for event in events if not event.get("partial")]
    return Session(
        [
            {"role": content.get("role") or "model", "parts": content["parts"]}
            for content in contents
            if content.get("parts")
        ]
    )


def _openhands(value: Json) -> Session | None:
    """Events of OpenHands: actions and observations with a source, paired by `cause`."""
    events = objects(as_object(value).get("history") if isinstance(value, dict) else value)
    known = [event for event in events if "source" in event and ("action" in event or "observation" in event)]
    if not known or len(known) < len(events) * 0.8:
        return None
    session = Session()
    ids: dict[str, str] = {}
    for event in known:
        if "observation" in event:
            _openhands_answer(event, ids, session)
        else:
            _openhands_action(event, ids, session)
    return session


_SILENT = frozenset({
    "change_agent_state", "null", "system", "recall", "start", "agent_state_changed", "condensation", "condensation_request"
})  # fmt: skip


def _openhands_action(event: JsonObject, ids: dict[str, str], session: Session) -> None:
    action, arguments = as_text(event.get("action")), as_object(event.get("args"))
    if action in _SILENT:
        return
    if action == "message":
        words = as_text(arguments.get("content")) or as_text(event.get("message"))
        role = "user" if event.get("source") == "user" else "assistant"
        if words:
            session.messages.append(said(role, words))
        return
    blocks: list[Json] = []
    thought = as_text(arguments.get("thought")) or as_text(arguments.get("final_thought"))
    if thought:
        blocks.append({"type": "text", "text": thought})
    if action == "finish":
        if blocks:
            session.messages.append({"role": "assistant", "content": blocks})
        return
    metadata = as_object(event.get("tool_call_metadata"))
    call_id = as_text(metadata.get("tool_call_id")) or f"event_{event.get('id')}"
    ids[str(event.get("id"))] = call_id
    kept: JsonObject = {
        key: item
        for key, item in arguments.items()
        if key not in _OPENHANDS_BOOKKEEPING and item is not False and item not in ("", None)
    }
    name = {"run": "execute_bash", "run_ipython": "ipython", "edit": "edit_file", "write": "write_file"}.get(
        action, action
    )
    blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": kept})
    session.messages.append({"role": "assistant", "content": blocks})


_OPENHANDS_BOOKKEEPING = frozenset({
    "thought", "final_thought", "confirmation_state", "is_confirmed", "security_risk", "impl_source", "hidden", "blocking", "keep_prompt",
    "is_static", "wait_for_response", "translated_ipython_code", "include_extra", "kernel_init_code",
})  # fmt: skip
"""Arguments that are not part of what was called: two calls are the same where all others are."""


def _openhands_answer(event: JsonObject, ids: dict[str, str], session: Session) -> None:
    call_id = ids.get(str(event.get("cause")))
    if call_id is None or event.get("observation") in _SILENT:
        return
    extras = as_object(event.get("extras"))
    metadata = as_object(extras.get("metadata"))
    code, behind = metadata.get("exit_code", extras.get("exit_code")), as_text(metadata.get("suffix"))
    failed = event.get("observation") == "error" or extras.get("error") is True or (isinstance(code, int) and code > 0)
    content = event.get("content")
    words = content if isinstance(content, str) else as_text(event.get("message"))
    if code == -1 or as_text(metadata.get("prefix")) or " was sent." in behind:
        words += behind
    session.messages.append(
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call_id, "content": words, "is_error": failed}],
        }
    )


def _swe_agent(value: Json) -> Session | None:
    """A trajectory of SWE-agent: its history, without the demonstrations that were shown before the task."""
    source = as_object(value)
    if "trajectory" not in source or "history" not in source:
        return None
    session = Session()
    for item in objects(source["history"]):
        if item.get("is_demo") or item.get("isDemo"):
            continue
        message: JsonObject = {
            key: item[key] for key in ("role", "content", "tool_calls", "tool_call_id") if item.get(key) is not None
        }
        numbers = as_list(item.get("tool_call_ids"))
        if item.get("role") == "tool" and numbers:
            message["tool_call_id"] = numbers[0]
            _name_the_open_file(session, plain_text(item.get("content")))
        message.setdefault("content", "")
        session.messages.append(message)
    status = as_text(as_object(source.get("info")).get("exit_status"))
    if status and session.messages and session.messages[-1].get("role") == "assistant":
        _end(session, status)
    return session


def _end(session: Session, status: str) -> None:
    """Adds what the host says of the end of a run as the answer to the call that ended it."""
    answer = f"OBSERVATION:\nexit_status: {status}"
    calls = objects(session.messages[-1].get("tool_calls"))
    session.messages += [{"role": "tool", "tool_call_id": call.get("id"), "content": answer} for call in calls]
    if not calls:
        session.messages.append({"role": "user", "content": answer})


_OPEN_FILE = re.compile(r"^\(Open file: (?P<path>/[^\n]{1,400})\)$", re.MULTILINE)
_EDITS = frozenset({"edit", "insert"})


def _name_the_open_file(session: Session, answer: str) -> None:
    """Gives an edit the path of the file that is open, which the answer to it names and the call itself does not."""
    found = _OPEN_FILE.search(answer)
    made = session.messages[-1] if session.messages else {}
    for call in objects(made.get("tool_calls")) if found is not None else ():
        function = as_object(call.get("function"))
        given = as_text(function.get("arguments"))
        if found is not None and function.get("name") in _EDITS and '"path"' not in given and given.startswith("{"):
            named = f'{{"path":{compact_json(found["path"])},{given[1:].lstrip()}'
            call["function"] = {**function, "arguments": named}


def _pi(value: Json) -> Session | None:
    """A session of pi: lines of type `message` with calls and results of its own; its first lines may be cut off."""
    lines = objects(value)
    if not any("message" in line for line in lines):
        return None
    if not any(line.get("type") == "session" for line in lines[:3]) and not any(
        "toolCallId" in as_object(line.get("message")) and line.get("type") == "message" for line in lines
    ):
        return None
    session = Session()
    for line in lines:
        if line.get("type") == "compaction" and line.get("summary"):
            session.messages.append(
                {
                    "role": "user",
                    "content": f"<conversation_summary>\n{plain_text(line['summary'])}\n</conversation_summary>",
                }
            )
            continue
        message = as_object(line.get("message"))
        content = message.get("content")
        role = message.get("role")
        if role == "toolResult":
            block: JsonObject = {
                "type": "tool_result",
                "tool_use_id": message.get("toolCallId"),
                "content": plain_text(content),
                "is_error": message.get("isError") is True,
            }
            session.messages.append({"role": "user", "content": [block]})
        elif role in {"user", "assistant"}:
            blocks = [made for item in blocks_of(content) if (made := _pi_block(item)) is not None]
            if blocks:
                session.messages.append({"role": role, "content": list[Json](blocks)})
    return session


def _pi_block(item: JsonObject) -> JsonObject | None:
    match item.get("type"):
        case "text":
            return {"type": "text", "text": as_text(item.get("text"))} if as_text(item.get("text")).strip() else None
        case "toolCall":
            given = item.get("arguments")
            arguments: JsonObject = given if isinstance(given, dict) else {"input": compact_json(given)}
            return {
                "type": "tool_use",
                "id": as_text(item.get("id")),
                "name": as_text(item.get("name")),
                "input": arguments,
            }
        case "image":
            return {
                "type": "image",
                "source": {"type": "base64", "media_type": item.get("mimeType"), "data": item.get("data")},
            }
        case _:
            return None


def _goose(value: Json) -> Session | None:
    """A session of Goose: its lines, or an export of it, whose calls and answers are blocks of their own types."""
    lines = objects(as_object(value).get("conversation") if isinstance(value, dict) else value)
    contents = [objects(line.get("content")) for line in lines]
    if not any(block.get("type") in {"toolRequest", "toolResponse"} for content in contents for block in content):
        return None
    session = Session()
    for line, content in zip(lines, contents, strict=True):
        blocks = [made for item in content if (made := _goose_block(item)) is not None]
        if blocks and line.get("role") in {"user", "assistant"}:
            session.messages.append({"role": line["role"], "content": list[Json](blocks)})
    return session


def _goose_block(item: JsonObject) -> JsonObject | None:
    call, result = as_object(item.get("toolCall")), as_object(item.get("toolResult"))
    match item.get("type"):
        case "toolRequest":
            called = as_object(call.get("value")) or call
            given: JsonObject = {"name": as_text(called.get("name")), "input": as_object(called.get("arguments"))}
            return {"type": "tool_use", "id": as_text(item.get("id")), **given}
        case "toolResponse":
            value = result.get("value")
            answer = as_object(value).get("content", value)
            failed = result.get("status") == "error" or as_object(value).get("isError") is True
            words = plain_text(answer) or as_text(result.get("error"))
            return {
                "type": "tool_result",
                "tool_use_id": as_text(item.get("id")),
                "content": words,
                "is_error": failed,
            }
        case _:
            return _pi_block(item)


def _events(value: Json) -> Session | None:
    messages = messages_of_events(value)
    return Session(messages) if messages is not None else None


_READERS: tuple[Reader, ...] = (
    _gemini_cli,
    _adk,
    _swe_agent,
    _openhands,
    _pi,
    _goose,
    read_cursor,
    read_copilot,
    read_panel,
    _events,
    read_conversation,
)
