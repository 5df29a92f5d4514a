"""Finds the texts of a message, whatever API it was written for.

A message is JSON, and its words stand at paths in it: `content`, `content[2].text`, `parts[0].functionResponse.response
.output`. The shapes are a table: Anthropic's blocks with tool results and documents, chat completions, items of the
Responses API, Gemini's parts, MCP's content with embedded resources. What a table does not name is not touched, and
neither is what a provider has signed or keeps to itself (thinking, reasoning, compaction, thought signatures), nor the
arguments of calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from compaction.values import Json, JsonObject

Path: TypeAlias = "tuple[str | int, ...]"

_HOLDERS = ("content", "parts", "output")
_TEXTS = frozenset({"text", "input_text", "output_text"})
_NESTED = frozenset({"tool_result", "search_result", "message"})
_ANSWERS = ("functionResponse", "function_response")
_SIGNED = ("signature", "thoughtSignature", "thought_signature", "encrypted_content")
_PRIVATE = frozenset({"thinking", "redacted_thinking", "reasoning", "compaction"})
_DEEPEST = 40


def text_places(message: JsonObject) -> Iterator[tuple[Path, str]]:
    """Give every text of a message that may be edited, in order, with its path."""
    if message.get("type") not in _PRIVATE:
        for key in _HOLDERS:
            if key in message:
                yield from _content(message[key], (key,))


def with_texts(message: JsonObject, texts: Mapping[Path, str]) -> JsonObject:
    """Return the message with other texts at these paths; only what lies on the way to one is copied."""
    made = dict(message)
    fresh: dict[Path, Json] = {(): made}
    for path, text in texts.items():
        for depth in range(1, len(path)):
            if path[:depth] not in fresh:
                holder = fresh[path[: depth - 1]]
                inner = _copied(_item(holder, path[depth - 1]))
                _put(holder, path[depth - 1], inner)
                fresh[path[:depth]] = inner
        _put(fresh[path[:-1]], path[-1], text)
    return made


def _content(value: Json, path: Path) -> Iterator[tuple[Path, str]]:
    if len(path) > _DEEPEST:
        return
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from _part(part, (*path, index))
    else:
        yield from _part(value, path)


def _part(part: Json, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(part, str):
        yield path, part
        return
    if not isinstance(part, dict) or part.get("thought") is True or any(key in part for key in _SIGNED):
        return
    kind = part.get("type")
    if kind in _TEXTS or kind is None:
        text = part.get("text")
        if isinstance(text, str):
            yield (*path, "text"), text
    if kind in _NESTED and "content" in part:
        yield from _content(part["content"], (*path, "content"))
    resource, source = part.get("resource"), part.get("source")
    if kind == "resource" and isinstance(resource, dict):
        yield from _part(resource.get("text"), (*path, "resource", "text"))
    if kind == "document" and isinstance(source, dict):
        key = {"text": "data", "content": "content"}.get(str(source.get("type")))
        if key is not None and key in source:
            yield from _content(source[key], (*path, "source", key))
    for key in _ANSWERS:
        answer = part.get(key)
        if isinstance(answer, dict):
            yield from _strings(answer.get("response"), (*path, key, "response"))


def _strings(value: Json, path: Path) -> Iterator[tuple[Path, str]]:
    """Every string in an answer, which has no fixed shape."""
    if isinstance(value, str):
        yield path, value
    elif len(path) > _DEEPEST:
        return
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _strings(inner, (*path, index))


def text_at(message: JsonObject, path: Path) -> str | None:
    """Return the text at a path, None where there is none."""
    value: Json = message
    for key in path:
        value = _inside(value, key)
    return value if isinstance(value, str) else None


def _inside(value: Json, key: str | int) -> Json:
    match value, key:
        case list(), int():
            return value[key] if 0 <= key < len(value) else None
        case dict(), str():
            return value.get(key)
        case _:
            return None


def _copied(value: Json) -> Json:
    return dict(value) if isinstance(value, dict) else list(cast("list[Json]", value))


# A path of `text_places` has a name where there is an object and a number where there is a list, so that one cast will do.


def _item(holder: Json, key: str | int) -> Json:
    return cast("dict[object, Json]", holder)[key]


def _put(holder: Json, key: str | int, value: Json) -> None:
    cast("dict[object, Json]", holder)[key] = value
