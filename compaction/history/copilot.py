"""Reads chats of GitHub Copilot as VS Code exports and keeps them: requests, each with the rounds of calls that answered it.

    {"requests": [{"message": {"text": …}, "response": […], "result": {"metadata": {
        "toolCallRounds": [{"response": …, "toolCalls": [{"id": "c1", "name": "read_file", "arguments": "{…}"}]}],
        "toolCallResults": {"c1": {"content": [{"value": …}]}}}}}]}

What a tool gave is a text, or a tree of elements whose leaves are texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text
from compaction.history.session import Session, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compaction.values import Json, JsonObject

_STOPPED = "[Request interrupted by user]"


def read_copilot(value: Json) -> Session | None:
    """Return a chat of Copilot in VS Code; None for any other value."""
    requests = objects(as_object(value).get("requests"))
    if not any("response" in request and "message" in request for request in requests):
        return None
    session = Session()
    for request in requests:
        asked = request.get("message")
        words = asked if isinstance(asked, str) else as_text(as_object(asked).get("text"))
        if words.strip():
            session.messages.append({"role": "user", "content": words})
        session.messages += _answered(request)
        result = as_object(request.get("result"))
        if as_object(result.get("errorDetails")).get("code") == "canceled" or request.get("isCanceled") is True:
            session.messages.append({"role": "user", "content": _STOPPED})
    return session


def _answered(request: JsonObject) -> Iterator[JsonObject]:
    """The messages that answer a request; where the rounds of calls are not kept, what was shown of them."""
    metadata = as_object(as_object(request.get("result")).get("metadata"))
    rounds, results = objects(metadata.get("toolCallRounds")), as_object(metadata.get("toolCallResults"))
    for one in rounds:
        calls = objects(one.get("toolCalls"))
        made: list[Json] = [
            {
                "id": as_text(call.get("id")),
                "type": "function",
                "function": {"name": as_text(call.get("name")), "arguments": as_text(call.get("arguments"))},
            }
            for call in calls
        ]
        said: JsonObject = {"role": "assistant", "content": as_text(one.get("response"))}
        if made or as_text(one.get("response")).strip():
            yield {**said, "tool_calls": made} if made else said
        for call in calls:
            if (answer := results.get(as_text(call.get("id")))) is not None:
                texts = [_flat(part.get("value")) for part in objects(as_object(answer).get("content"))]
                yield {"role": "tool", "tool_call_id": call["id"], "content": "\n".join(texts)}
    shown = "" if rounds else "".join(_shown(part) for part in objects(request.get("response")))
    if shown.strip():
        yield {"role": "assistant", "content": shown}


def _shown(part: JsonObject) -> str:
    """The words of a part of a shown answer; thoughts and progress have none."""
    if part.get("kind") == "inlineReference":
        reference = as_object(part.get("inlineReference"))
        return f"`{as_text(part.get('name')) or as_text(reference.get('path'))}`"
    return as_text(part.get("value")) if part.get("kind") in {None, "markdownContent"} else ""


def _flat(value: Json) -> str:
    """The text of what a tool gave."""
    if isinstance(value, str):
        return value
    node = as_object(value)
    if "node" in node:
        return _flat(node["node"]).removeprefix("\n")
    begin = "\n" if node.get("lineBreakBefore") is True else ""
    return f"{begin}{as_text(node.get('text'))}{''.join(map(_flat, as_list(node.get('children'))))}"
