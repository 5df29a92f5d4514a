"""One conversation, written the way each of the five APIs writes it.

The builders here are by hand and know nothing of the renderers under test, so a renderer cannot vouch for a parser.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field

from compaction.history import FormatName
from compaction.values import Json, JsonObject

ALL_FORMATS = tuple(FormatName)


def picture(seed: int, size: int = 24) -> str:
    """Base64 of a made-up PNG; different for each seed."""
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + seed.to_bytes(4, "big") * max(1, size // 4)).decode()


@dataclass(frozen=True, kw_only=True)
class User:
    text: str = ""
    image: str = ""


@dataclass(frozen=True, kw_only=True)
class Said:
    text: str


@dataclass(frozen=True, kw_only=True)
class Call:
    id: str
    name: str
    arguments: JsonObject = field(default_factory=dict[str, Json])
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    id: str
    text: str = "ok"
    image: str = ""
    error: bool = False


Step = User | Said | Call | Result


def write(name: FormatName, *steps: Step) -> list[JsonObject]:
    """The messages of a conversation; neighbouring calls are one turn, and so are their results."""
    return _WRITERS[name](list(steps))


def used(call_id: str, tool: str, arguments: JsonObject, answer: str = "ok", *, image: str = "") -> tuple[Step, Step]:
    """A call and its answer."""
    return Call(id=call_id, name=tool, arguments=arguments), Result(id=call_id, text=answer, image=image)


def _role(step: Step) -> str:
    return "assistant" if isinstance(step, (Said, Call)) else "user"


def _grouped(steps: list[Step]) -> list[list[Step]]:
    groups: list[list[Step]] = []
    for step in steps:
        if groups and type(step) in {Call, Result} and type(groups[-1][0]) is type(step):
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _text(text: str, kind: str = "text") -> list[Json]:
    return [{"type": kind, "text": text}] if text else []


def _anthropic_image(data: str) -> JsonObject:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def _anthropic(steps: list[Step]) -> list[JsonObject]:
    messages: list[JsonObject] = []
    for group in _grouped(steps):
        content: list[Json] = []
        for step in group:
            match step:
                case User():
                    content += _text(step.text)
                    content += [_anthropic_image(step.image)] if step.image else []
                case Said():
                    content.append({"type": "text", "text": step.text})
                case Call():
                    content += _text(step.text)
                    content.append({"type": "tool_use", "id": step.id, "name": step.name, "input": step.arguments})
                case Result():
                    inner: list[Json] = [{"type": "text", "text": step.text}]
                    inner += [_anthropic_image(step.image)] if step.image else []
                    content.append(
                        {"type": "tool_result", "tool_use_id": step.id, "content": inner, "is_error": step.error}
                    )
        messages.append({"role": _role(group[0]), "content": content})
    return messages


def _openai_chat(steps: list[Step]) -> list[JsonObject]:
    messages: list[JsonObject] = []
    for group in _grouped(steps):
        first = group[0]
        if isinstance(first, Call):
            calls: list[Json] = [
                {
                    "id": step.id,
                    "type": "function",
                    "function": {"name": step.name, "arguments": json.dumps(step.arguments)},
                }
                for step in group
                if isinstance(step, Call)
            ]
            messages.append({"role": "assistant", "content": first.text or None, "tool_calls": calls})
            continue
        for step in group:
            match step:
                case User() if step.image:
                    parts = _text(step.text)
                    parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{step.image}"}})
                    messages.append({"role": "user", "content": parts})
                case Result():
                    text = f"Error: {step.text}" if step.error else step.text
                    messages.append({"role": "tool", "tool_call_id": step.id, "content": text})
                case User() | Said():
                    messages.append({"role": _role(step), "content": step.text})
                case Call():
                    raise AssertionError
    if any(isinstance(step, Result) and step.image for step in steps):
        return _with_images_after_results(messages, steps)
    return messages


def _with_images_after_results(messages: list[JsonObject], steps: list[Step]) -> list[JsonObject]:
    """A tool message holds text alone here: hosts show its picture in a user message behind it."""
    images = {step.id: step.image for step in steps if isinstance(step, Result) and step.image}
    made: list[JsonObject] = []
    for message in messages:
        made.append(message)
        image = images.get(str(message.get("tool_call_id", "")))
        if image:
            part: JsonObject = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{image}"}}
            made.append({"role": "user", "content": [part]})
    return made


def _openai_responses(steps: list[Step]) -> list[JsonObject]:
    items: list[JsonObject] = []
    for step in steps:
        match step:
            case User():
                content = _text(step.text, "input_text")
                if step.image:
                    url = f"data:image/png;base64,{step.image}"
                    content.append({"type": "input_image", "image_url": url, "detail": "auto"})
                items.append({"type": "message", "role": "user", "content": content})
            case Said():
                part: JsonObject = {"type": "output_text", "text": step.text, "annotations": []}
                items.append(
                    {
                        "type": "message",
                        "id": f"msg_{len(items)}",
                        "status": "completed",
                        "role": "assistant",
                        "content": [part],
                    }
                )
            case Call():
                items.append(
                    {
                        "type": "function_call",
                        "call_id": step.id,
                        "name": step.name,
                        "arguments": json.dumps(step.arguments),
                    }
                )
            case Result():
                text = f"Error: {step.text}" if step.error else step.text
                output: Json = text
                if step.image:
                    url = f"data:image/png;base64,{step.image}"
                    output = [
                        {"type": "input_text", "text": text},
                        {"type": "input_image", "image_url": url, "detail": "auto"},
                    ]
                items.append({"type": "function_call_output", "call_id": step.id, "output": output})
    return items


def _gemini(steps: list[Step]) -> list[JsonObject]:
    names = {step.id: step.name for step in steps if isinstance(step, Call)}
    contents: list[JsonObject] = []
    for group in _grouped(steps):
        parts: list[Json] = []
        for step in group:
            match step:
                case User():
                    if step.text:
                        parts.append({"text": step.text})
                    if step.image:
                        parts.append({"inlineData": {"mimeType": "image/png", "data": step.image}})
                case Said():
                    parts.append({"text": step.text})
                case Call():
                    parts.append({"functionCall": {"name": step.name, "args": step.arguments}})
                case Result():
                    key = "error" if step.error else "output"
                    answer: JsonObject = {"name": names.get(step.id, "lost"), "response": {key: step.text}}
                    if step.image:
                        answer["parts"] = [{"inlineData": {"mimeType": "image/png", "data": step.image}}]
                    parts.append({"functionResponse": answer})
        contents.append({"role": "model" if _role(group[0]) == "assistant" else "user", "parts": parts})
    return contents


def _mcp(steps: list[Step]) -> list[JsonObject]:
    messages: list[JsonObject] = []
    for group in _grouped(steps):
        content: list[Json] = []
        for step in group:
            match step:
                case User():
                    content += _text(step.text)
                    image: JsonObject = {"type": "image", "data": step.image, "mimeType": "image/png"}
                    content += [image] if step.image else []
                case Said():
                    content.append({"type": "text", "text": step.text})
                case Call():
                    content.append({"type": "tool_use", "id": step.id, "name": step.name, "input": step.arguments})
                case Result():
                    inner: list[Json] = [{"type": "text", "text": step.text}]
                    shown: JsonObject = {"type": "image", "data": step.image, "mimeType": "image/png"}
                    inner += [shown] if step.image else []
                    content.append(
                        {
                            "type": "tool_result",
                            "toolUseId": step.id,
                            "content": inner,
                            "isError": step.error,
                        }
                    )
        one = content[0] if len(content) == 1 and isinstance(group[0], (User, Said)) else content
        messages.append({"role": _role(group[0]), "content": one})
    return messages


_WRITERS = {
    FormatName.ANTHROPIC: _anthropic,
    FormatName.OPENAI_CHAT: _openai_chat,
    FormatName.OPENAI_RESPONSES: _openai_responses,
    FormatName.GEMINI: _gemini,
    FormatName.MCP: _mcp,
}


def long_session(rounds: int = 12) -> list[Step]:
    """A session of coding work, long enough that compacting it pays."""
    steps: list[Step] = [
        User(text="Fix the login bug in `src/auth.py`. Never touch the migrations. Keep port 5433 free.")
    ]
    for number in range(rounds):
        steps += used(
            f"c{number}", "read_file", {"file_path": f"src/module_{number}.py"}, f"line of code {number}\n" * 120
        )
        steps.append(Said(text=f"I decided to keep module_{number} because it takes {number + 3} ms."))
        steps.append(User(text=f"Fine. Requirement {number}: the limit must stay at {number * 7 + 11}."))
    steps.append(Said(text="The login bug is fixed; next I will write the release note."))
    return steps
