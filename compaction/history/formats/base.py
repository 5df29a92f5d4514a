"""The common parts of the five parsers: lenient readers of JSON and of messages, warnings, data URLs, pairing.

The rule for bad input: where the rest can be used the fault is a warning that names the message; where
it cannot, `MalformedHistoryError` names it. A parser therefore asks for a value with one of the readers below instead
of indexing into what it hopes is there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compaction.history.messages import (
    Block,
    FormatName,
    Image,
    MalformedHistoryError,
    Message,
    Opaque,
    Side,
    Text,
    ToolCall,
)
from compaction.values import Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

_MOST_WARNINGS, _MOST_ALIKE = 50, 5
_DATA_URL = re.compile(r"data:(?P<type>[\w.+/-]*)(?:;[\w=.-]+)*;base64,", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Notes:
    """Collects warnings while one history is parsed.

    Attributes:
        index: the message being read.
        is_lenient: whether messages that cannot be used are left out, instead of ending it.
        faults: what is wrong with those, by their index.
    """

    index: int = 0
    is_lenient: bool = False
    faults: dict[int, str] = field(default_factory=dict[int, str])
    lines: list[str] = field(default_factory=list[str])
    beyond: int = 0
    alike: Counter[str] = field(default_factory=Counter[str])

    def warn(self, what: str) -> None:
        """Add one warning about the message being read; after the fifth that says the same they are counted."""
        self.alike[what] += 1
        if self.alike[what] > _MOST_ALIKE:
            return
        if len(self.lines) < _MOST_WARNINGS:
            self.lines.append(f"message {self.index}: {what}")
        else:
            self.beyond += 1

    def fail(self, what: str) -> MalformedHistoryError:
        """The error for a message that cannot be used, which `faults` gains."""
        self.faults[self.index] = what
        return MalformedHistoryError(f"Message {self.index} cannot be used: {what}.", index=self.index)

    def all(self) -> tuple[str, ...]:
        """Every warning, with counts of those that say the same and of those beyond the fiftieth."""
        alike = [f"{times - _MOST_ALIKE} more: {what}" for what, times in self.alike.items() if times > _MOST_ALIKE]
        more = (f"{self.beyond} more warnings about the input are left out",) if self.beyond else ()
        return (*self.lines, *alike, *more)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFormat:
    """The form in which one API writes a conversation.

    Attributes:
        parse: the messages of a list of JSON objects.
        render: the native messages that say these blocks; opaque blocks are left out.
    """

    name: FormatName
    parse: Callable[[list[JsonObject], Notes], list[Message]]
    render: Callable[[Side, tuple[Block, ...]], list[JsonObject]]


def as_object(value: Json) -> JsonObject:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str:
    """The value if it is a string, else ""."""
    return value if isinstance(value, str) else ""


def first(source: JsonObject, *keys: str) -> Json:
    """The value of the first key that is there: formats spell the same field in camel and in snake case."""
    return next((source[key] for key in keys if key in source), None)


def compact_json(value: Json) -> str:
    """JSON without spaces, non-ASCII as it is; keys in the order they came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def object_from_json(text: str, notes: Notes) -> JsonObject:
    """Arguments that travel as a JSON string. What is no object is kept under `input`, with a warning."""
    if not text.strip():
        return {}
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        notes.warn("the arguments of a tool call are not valid JSON")
        return {"input": text}
    if isinstance(value, dict):
        return value
    notes.warn("the arguments of a tool call are no JSON object")
    return {"input": value}


def arguments_object(given: Json, notes: Notes) -> JsonObject:
    """Arguments that travel as an object. What is none is kept under `input`, with a warning."""
    if isinstance(given, dict):
        return given
    notes.warn("the arguments of a tool call are no object")
    return {} if given is None else {"input": given}


def image_from_url(url: str, source: Json) -> Image:
    """An image whose URL may carry its data."""
    found = _DATA_URL.match(url)
    if found is None:
        return Image(media_type="", url=url, source=source)
    return Image(media_type=found["type"], data=url[found.end() :], source=source)


def data_url(image: Image) -> str:
    """The URL under which an image can be shown where only URLs are taken."""
    return f"data:{image.media_type or 'image/png'};base64,{image.data}" if image.data else image.url


def plain_text(value: Json) -> str:
    """The words of a string, or of the text blocks of a list; anything else as JSON."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list():
            words = [
                plain_text(first(item, "text", "content")) if isinstance(item, dict) else plain_text(item)
                for item in value
            ]
            return "\n".join(word for word in words if word)
        case _:
            return compact_json(value)


def texts(blocks: tuple[Block, ...]) -> str:
    """The words of all text blocks, one block a paragraph."""
    return "\n\n".join(block.text for block in blocks if isinstance(block, Text) and block.text)


def argument_text(call: ToolCall) -> str:
    """Arguments for a format that carries them as a JSON string: the original text where there is one."""
    return call.raw_arguments or compact_json(call.arguments)


def safe_id(call_id: str) -> str:
    """An id in the alphabet that every API accepts."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call_id) or "call"


@dataclass(slots=True, kw_only=True)
class IdsByName:
    """Pairs calls and results where either may leave its id out: by id where both have one, else by name, in order."""

    made: int = 0
    known: set[str] = field(default_factory=set[str])
    waiting: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def call(self, name: str, call_id: str) -> str:
        """The id of a call, made where it has none."""
        if not call_id:
            self.made += 1
            call_id = safe_id(f"call_{self.made}_{name}")
        self.known.add(call_id)
        self.waiting.setdefault(name, []).append(call_id)
        return call_id

    def result(self, name: str, call_id: str) -> str:
        """The id of the call that a result answers: the one it names, or the oldest of its name that still waits."""
        queue = self.waiting.get(name, [])
        if call_id in self.known:
            if call_id in queue:
                queue.remove(call_id)
            return call_id
        return queue.pop(0) if queue else call_id


def read_messages(
    messages: list[JsonObject], notes: Notes, read: Callable[[JsonObject], tuple[Side, Sequence[Block]]]
) -> list[Message]:
    """Reads every message; `read` gives its side and its blocks."""
    parsed: list[Message] = []
    for index, source in enumerate(messages):
        notes.index = index
        try:
            side, blocks = read(source)
        except MalformedHistoryError:
            if not notes.is_lenient:
                raise
            continue
        parsed.append(Message(index=index, side=side, blocks=tuple(blocks), source=source))
    return parsed


def side_of(source: JsonObject, sides: Mapping[str, Side], notes: Notes, *, default: str = "") -> Side:
    """The side that a message's role stands for.

    Raises:
        MalformedHistoryError: the format has no such role.
    """
    side = sides.get(as_text(source.get("role")) or default)
    if side is None:
        kind = f", its type {source['type']!r}" if "role" not in source and "type" in source else ""
        raise notes.fail(f"its role is {source.get('role')!r}{kind}, expected one of {', '.join(sides)}")
    return side


def read_content(
    content: Json,
    notes: Notes,
    read: Callable[[JsonObject], Block],
    *,
    field: str = "content",
    expected: str = "text or a list of blocks",
) -> list[Block]:
    """Content as blocks: bare strings are text, objects are read by `read`, anything else in a list is left out.

    Raises:
        MalformedHistoryError: the content is no text and no list.
    """
    match content:
        case str():
            return [Text(text=content, source=content)]
        case None | []:
            notes.warn(f"it has no {field}")
            return []
        case list():
            return [block for item in content if (block := _block(item, notes, read)) is not None]
        case _:
            raise notes.fail(
                f"its {field} {'are' if field.endswith('s') else 'is'} {type(content).__name__}, expected {expected}"
            )


def _block(item: Json, notes: Notes, read: Callable[[JsonObject], Block]) -> Block | None:
    if isinstance(item, str):
        return Text(text=item, source=item)
    source = expect_object(item, notes)
    return read(source) if source else None


def passed_on(source: JsonObject, kind: str, known: Collection[str], notes: Notes, *, what: str) -> Opaque:
    """A block that is not read: it goes out as it came, with a warning where its kind is not known."""
    if kind not in known:
        notes.warn(f"unknown {what} {kind!r}")
    return Opaque(kind=kind or "unknown", source=source)


def expect_object(value: Json, notes: Notes) -> JsonObject | None:
    """A block must be an object; a bare string is taken for text by the callers, anything else is left out."""
    if isinstance(value, dict):
        return value
    notes.warn(f"a content block is {type(value).__name__}, not an object; it is left out")
    return None
