"""Reads conversations as applications keep them: messages of the AI SDK, of opencode, of Continue and of Claude.ai.

    AI SDK, shown   {"role": "assistant", "parts": [{"type": "tool-bash", "toolCallId": "c1", "input": …, "output": …}]}
    AI SDK, sent    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "bash", …}]}
    opencode        {"info": {"role": "assistant"}, "parts": [{"type": "tool", "tool": "bash", "callID": "c1", "state": …}]}
    Continue        {"message": {"role": "assistant", "toolCalls": […]}, "contextItems": […]}
    Claude.ai       {"chat_messages": [{"sender": "human", "text": "…"}]}

A message that holds calls, their answers and what was said behind them becomes several, as the APIs have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text, compact_json, first, plain_text
from compaction.history.messages import MalformedHistoryError
from compaction.history.session import Session, blocks_of, objects
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant", "system": "system", "tool": "user"}
_IMAGES = ("image", "file")
_OF_CONTINUE = "builtin_"


def read_conversation(value: Json) -> Session | None:
    """Return the conversation of an application; None for any other value.

    Args:
        value: its messages, or an object that holds them.

    Raises:
        MalformedHistoryError: there are several conversations.
    """
    items = objects(_listed(value))
    return next((session for read in _READERS if (session := read(items)) is not None), None)


def _listed(value: Json) -> Json:
    source = as_object(value)
    if "chat_messages" in source:
        return list[Json]([source])
    return first(source, "messages", "history") if source else value


def _of_parts(items: Sequence[JsonObject]) -> Session | None:
    """Messages of the AI SDK or of opencode, which keep parts."""
    roles = [_SPEAKERS.get(_role(item)) for item in items]
    if not any(_is_part(part) for item in items for part in _parts(item)) and not (
        items and all(roles) and all(map(_is_typed, items))
    ):
        return None
    session = Session()
    for item, role in zip(items, roles, strict=True):
        if role is not None:
            _add(session, role, _parts(item))
    return session


def _role(item: JsonObject) -> str:
    return as_text(item.get("role")) or as_text(as_object(item.get("info")).get("role"))


def _parts(item: JsonObject) -> list[JsonObject]:
    return blocks_of(item.get("parts") or item.get("content"))


def _is_part(part: JsonObject) -> bool:
    """Tells whether a part is of a kind that no API has."""
    kind = as_text(part.get("type"))
    return bool({"toolCallId", "callID", "toolInvocation"} & set(part)) or kind == "step-start"


def _is_typed(item: JsonObject) -> bool:
    """Tells whether a message has parts with types, which those of Gemini have not."""
    return "parts" in item and all(part.get("type") for part in objects(item["parts"]))


def _add(session: Session, role: str, parts: Sequence[JsonObject]) -> None:
    """Adds what the parts of a message say: texts and calls in their order, the answers behind the calls."""
    content: list[Json] = []
    answers: list[Json] = []
    made_up = [part for part in parts if part.get("synthetic") is True]

    def flush() -> None:
        nonlocal content, answers
        if content:
            session.messages.append({"role": role, "content": content})
        if answers:
            session.messages.append({"role": "user", "content": answers})
        content, answers = [], []

    for part in parts:
        if part in made_up:
            continue
        call, answer = _call(part), _answer(part)
        if answers and call is None and answer is None:
            flush()
        content += [call] if call is not None else []
        answers += [answer] if answer is not None else []
        if call is None and answer is None and (block := _block(part)) is not None:
            content.append(block)
    flush()
    if made_up:
        session.injected.add(len(session.messages))
        blocks: list[Json] = [block for part in made_up if (block := _block(part)) is not None]
        session.messages.append({"role": role, "content": blocks})


def _block(part: JsonObject) -> JsonObject | None:
    kind = part.get("type")
    if kind == "text" and as_text(part.get("text")).strip():
        return {"type": "text", "text": part["text"]}
    url = as_text(first(part, "url", "image", "data"))
    media_type = as_text(first(part, "mediaType", "mimeType", "mime")) or ("image/png" if kind == "image" else "")
    if kind not in _IMAGES or not media_type.startswith("image/") or not url:
        return None
    head, _, data = url.partition(";base64,")
    if url.startswith(("http:", "https:")):
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data or head}}


def _called(part: JsonObject) -> JsonObject:
    """A part of a call or an answer with its fields at the top, whatever they stand in."""
    return {**part, **as_object(part.get("toolInvocation")), **as_object(part.get("state"))}


def _call(part: JsonObject) -> JsonObject | None:
    source = _called(part)
    kind = as_text(part.get("type"))
    call_id = as_text(first(source, "toolCallId", "callID"))
    if not call_id or kind == "tool-result":
        return None
    name = as_text(first(source, "toolName", "tool")) or kind.removeprefix("tool-")
    return {"type": "tool_use", "id": call_id, "name": name, "input": as_object(first(source, "input", "args"))}


def _answer(part: JsonObject) -> JsonObject | None:
    source = _called(part)
    call_id = as_text(first(source, "toolCallId", "callID"))
    error = first(source, "errorText", "error")
    output = first(source, "output", "result")
    if not call_id or part.get("type") == "tool-call" or (output is None and error is None):
        return None
    given = as_object(output)
    is_typed = "value" in given and "type" in given
    is_error = bool(error) or source.get("isError") is True or as_text(given.get("type")).startswith("error")
    said = given["value"] if is_typed else output
    text = plain_text(error) or (said if isinstance(said, str) else _words(said))
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}


def _words(value: Json) -> str:
    """The texts of a list of parts; anything else as JSON."""
    texts = [as_text(part.get("text")) for part in objects(value) if part.get("type") == "text"]
    return "\n".join(texts) if texts else compact_json(value)


def _of_continue(items: Sequence[JsonObject]) -> Session | None:
    messages = [as_object(item.get("message")) for item in items]
    if not any("toolCalls" in message or "contextItems" in item for item, message in zip(items, messages, strict=True)):
        return None
    return Session([made for message in messages if (made := _chat_message(message))])


def _chat_message(message: JsonObject) -> JsonObject:
    """A message of Continue as one of chat completions: the fields are spelled otherwise."""
    if as_text(message.get("role")) not in {"user", "assistant", "system", "tool"}:
        return {}
    content = message.get("content")
    parts: list[Json] = [
        {"type": "image_url", "image_url": part["imageUrl"]} if "imageUrl" in part else part
        for part in objects(content)
    ]
    made: JsonObject = {"role": message["role"], "content": parts if isinstance(content, list) else content}
    if message["role"] == "tool":
        made["tool_call_id"] = message.get("toolCallId")
    calls: list[Json] = []
    for call in objects(message.get("toolCalls")):
        function = as_object(call.get("function"))
        name = as_text(function.get("name")).removeprefix(_OF_CONTINUE)
        calls.append({**call, "function": {**function, "name": name}})
    return {**made, "tool_calls": calls} if calls else made


def _of_claude_ai(items: Sequence[JsonObject]) -> Session | None:
    """The one conversation of an export of Claude.ai."""
    found = [list(_turns(item)) for item in items if "chat_messages" in item]
    spoken = [turns for turns in found if turns]
    if not found and all("sender" in item for item in items) and items:
        spoken = [list(_turns({"chat_messages": list[Json](items)}))]
    if len(spoken) > 1:
        raise MalformedHistoryError(f"The file holds {len(spoken)} conversations of Claude.ai; give one of them.")
    return Session(spoken[0]) if spoken else None


def _turns(conversation: JsonObject) -> Iterator[JsonObject]:
    for message in objects(conversation.get("chat_messages")):
        role = _SPEAKERS.get(as_text(message.get("sender")))
        texts = [as_text(part.get("text")) for part in objects(message.get("content")) if part.get("type") == "text"]
        words = "\n\n".join(text for text in texts if text.strip()) or as_text(message.get("text"))
        attached = [as_text(as_object(one).get("extracted_content")) for one in as_list(message.get("attachments"))]
        said = "\n\n".join(text for text in (words, *attached) if text.strip())
        if role is not None and said:
            yield {"role": role, "content": said}


_READERS: tuple[Callable[[Sequence[JsonObject]], Session | None], ...] = (
    _of_parts,
    _of_continue,
    _of_claude_ai,
)
