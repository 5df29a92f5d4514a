"""Reads what the panel of Cline and Roo Code shows (`ui_messages.json`), where the messages of the API are not at hand.

    {"ts": 1, "type": "say", "say": "text", "text": "Fix the port."}              (the first is the task)
    {"ts": 2, "type": "ask", "ask": "command", "text": "pytest -q"}
    {"ts": 3, "type": "say", "say": "command_output", "text": "1 failed"}
    {"ts": 4, "type": "say", "say": "user_feedback", "text": "The tests first."}

What the agent asks to do counts as done unless the user answers it at once, or the next request says that it was denied. What
tools answered is not shown but for commands and servers.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from compaction.history.formats.base import as_list, as_object, as_text, image_from_url
from compaction.history.session import Answered, Session, objects, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.values import Json, JsonObject

_SPOKEN: Final = {"text": "", "completion_result": "", "followup": "question", "plan_mode_respond": "response"}
"""The messages in which the agent speaks to the user, each with its field that holds the words."""

_TOOLS: Final = {
    "readFile": "read_file", "editedExistingFile": "replace_in_file", "appliedDiff": "apply_diff",
    "newFileCreated": "write_to_file",
}  # fmt: skip
_LOOKS: Final = frozenset({
    "searchFiles", "listFilesTopLevel", "listFilesRecursive", "listCodeDefinitionNames", "webFetch", "webSearch",
})  # fmt: skip
"""Tools whose content is what they found, and no argument."""

_DENIED: Final = "The user denied this operation."
_PROGRESS: Final = re.compile(r"^- \[(?P<mark>[ xX])\] (?P<what>[^\n]+)$", re.MULTILINE)


def read_panel(value: Json) -> Session | None:
    """Return the messages of a panel; None for any other value."""
    shown = objects(value)
    if not shown or not all("ts" in one and one.get("type") in {"say", "ask"} for one in shown):
        return None
    shown = [one for one in shown if one.get("partial") is not True and _kind(one) != "checkpoint_created"]
    session = Session()
    spoken = ""
    for place, one in enumerate(shown):
        kind, text = _kind(one), as_text(one.get("text"))
        if kind in {"task", "user_feedback"} or (kind == "text" and not session.messages):
            if blocks := [*_words(text), *_images(one)]:
                session.messages.append({"role": "user", "content": [*blocks]})
        elif kind in _SPOKEN:
            words = as_text(_held(text).get(_SPOKEN[kind])) or text
            if words.strip() and words != spoken:
                session.messages.append(said("assistant", words))
            spoken = words
        elif (call := _call(kind, text)) is not None:
            name, given = call
            found = as_text(given.pop("content", "")) if name in _LOOKS else ""
            answer, failed = _answer(shown[place + 1 :], asked=one.get("type") == "ask")
            session.add_calls([Answered(name, given, answer or found, failed)])
    return session


def _words(text: str) -> Iterator[JsonObject]:
    if text.strip():
        yield {"type": "text", "text": text}


def _images(one: JsonObject) -> Iterator[JsonObject]:
    """The images that the user put into a message, which the panel keeps as addresses with their data."""
    for url in as_list(one.get("images")):
        image = image_from_url(as_text(url), None)
        if image.data:
            source: JsonObject = {"type": "base64", "media_type": image.media_type, "data": image.data}
            yield {"type": "image", "source": source}


def _kind(one: JsonObject) -> str:
    return as_text(one.get("say")) or as_text(one.get("ask"))


def _held(text: str) -> JsonObject:
    try:
        return as_object(json.loads(text)) if text.startswith("{") else {}
    except (ValueError, RecursionError):
        return {}


def _call(kind: str, text: str) -> tuple[str, JsonObject] | None:
    """The name and the arguments of what is shown as a call; None where it is none."""
    held = _held(text)
    match kind:
        case "command":
            return "execute_command", {"command": text}
        case "tool" if held:
            name = as_text(held.pop("tool", ""))
            return _TOOLS.get(name, name), held
        case "use_mcp_server" if held:
            name = as_text(held.get("toolName")) or as_text(held.get("uri"))
            return name, _held(as_text(held.get("arguments")))
        case "task_progress":
            todos: list[Json] = [
                {"content": found["what"], "status": "pending" if found["mark"] == " " else "completed"}
                for found in _PROGRESS.finditer(text)
            ]
            return ("TodoWrite", {"todos": todos}) if todos else None
        case _:
            return None


def _answer(following: Sequence[JsonObject], *, asked: bool) -> tuple[str, bool]:
    """The answer of a call, and whether it failed, by what the panel shows next."""
    given: list[str] = []
    for one in following:
        kind, text = _kind(one), as_text(one.get("text"))
        if kind in {"command_output", "mcp_server_response"}:
            given.append(text)
        elif kind == "user_feedback" and asked and not given:
            return _DENIED, True
        elif kind == "api_req_started":
            is_denied = asked and not given and _DENIED in text
            return (_DENIED, True) if is_denied else ("\n".join(given), "".join(given[:1]).startswith("Error:"))
        elif kind != "mcp_server_request_started":
            break
    return "\n".join(given), "".join(given[:1]).startswith("Error:")
