r"""Reads transcripts of Cursor's agent: lines of a role and a message, without anything that the tools answered.

    {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>\nFix it.\n</user_query>"}]}}
    {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "Shell", "input": {"command": "make"}}]}}

The words of the user stand in an element of their own. What is attached beside them (a selection of code or of a terminal) the
user chose, and it stays with the words; the rest of a text on the user's side is the host's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.attached import selections
from compaction.history.formats.base import as_object, as_text
from compaction.history.session import Session, objects, said
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUERY, _QUERY_ENDS = "<user_query>", "</user_query>"
_LEFT_OUT = "[REDACTED]"
"""Stands in the place of what the model thought."""

_NO_ANSWERS = "Cursor keeps no answers of tools: how the calls of the transcript ended is not known"


def read_cursor(value: Json) -> Session | None:
    """Return the messages of a transcript of Cursor; None for any other value.

    Each call gets an empty answer, and the session says that there were none.

    Args:
        value: the lines of a file.
    """
    lines = objects(value)
    if not any(map(_is_message, lines)) or not all(_is_message(line) or "role" not in line for line in lines):
        return None
    session = Session()
    for number, line in enumerate(filter(_is_message, lines)):
        content = objects(as_object(line["message"]).get("content"))
        if line["role"] == "user":
            _add_words(session, "\n\n".join(as_text(block.get("text")) for block in content))
        else:
            _add_work(session, content, number)
    return session


def _is_message(line: JsonObject) -> bool:
    return (
        line.get("role") in {"user", "assistant"}
        and not {"type", "uuid", "content", "parts"} & set(line)
        and "content" in as_object(line.get("message"))
    )


def _add_words(session: Session, text: str) -> None:
    """Adds what the user said, and before it what the host said in the same text."""
    before, _, behind = text.partition(_QUERY)
    words, ends, after = behind.rpartition(_QUERY_ENDS)
    around = f"{before}{after}" if ends else text
    attached, told = selections(around)
    told = told.strip()
    if told and (ends or told.startswith("<")):
        session.injected.add(len(session.messages))
        session.messages.append(said("user", told))
    elif told:
        attached.append(told)
    if spoken := "\n".join(part for part in (*attached, words.removeprefix("\n").removesuffix("\n")) if part.strip()):
        session.messages.append(said("user", spoken))


def _add_work(session: Session, content: list[JsonObject], number: int) -> None:
    """Adds what the agent said and called, and the answers that are not known."""
    blocks = list(_blocks(content, number))
    if not blocks:
        return
    session.messages.append({"role": "assistant", "content": list[Json](blocks)})
    answers: list[Json] = [
        {"type": "tool_result", "tool_use_id": block["id"], "content": ""}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    if answers:
        session.messages.append({"role": "user", "content": answers})
        session.unread[:] = [_NO_ANSWERS]


def _blocks(content: list[JsonObject], number: int) -> Iterator[JsonObject]:
    for place, block in enumerate(content):
        if block.get("type") == "text" and (
            words := as_text(block.get("text")).strip().removesuffix(_LEFT_OUT).rstrip()
        ):
            yield {"type": "text", "text": words}
        elif block.get("type") == "tool_use":
            given = block.get("input")
            arguments: JsonObject = given if isinstance(given, dict) else {"input": given}
            call_id = as_text(block.get("id")) or f"line_{number}_{place}"
            yield {"type": "tool_use", "id": call_id, "name": as_text(block.get("name")), "input": arguments}
