"""Reads messages from a caller's input: a list, a request that holds one, or the bytes of a session file.

A caller's list must be right, and an error names the message that is not. A session file is read as far as it can be: what
is no message is left out, and a warning names its line.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

from compaction.history.aider import read_aider
from compaction.history.answers import without_echo
from compaction.history.applications import read_conversation
from compaction.history.cline import with_xml_calls
from compaction.history.exported import read_exported
from compaction.history.formats import FORMATS, Notes, detect
from compaction.history.formats.base import as_object, compact_json
from compaction.history.hosts import read_session
from compaction.history.lines import Line, unwrapped
from compaction.history.messages import (
    FormatName,
    MalformedHistoryError,
    Message,
    ToolResult,
    Transcript,
    name_results,
)
from compaction.history.protocols import with_calls
from compaction.history.screen import read_screen
from compaction.history.session import Session
from compaction.history.specstory import read_specstory
from compaction.values import Json, JsonObject
from workspace.cancellation import still_wanted

_LIST_KEYS = ("messages", "contents", "input", "history", "traj")
_SYSTEM_KEYS = ("system", "instructions", "systemInstruction", "system_instruction")
_DEEPEST = 200
_MOST_NAMED, _FEW_NAMED = 20, 6
_DECODER = json.JSONDecoder()
_VALUE = re.compile(r"^[{\[]", re.MULTILINE)
_REMINDER = re.compile(r"(?<!\n)\n*<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>\s*", re.DOTALL)
_READ = (
    "What is read are the session files of Claude Code, Codex, Gemini CLI, OpenHands, Cline, aider and others as these "
    "wrote them, and a list of messages in JSON, each with role and content."
)
_COLOUR = re.compile(r"\x1b\[[\d;?]{0,40}[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHistory:
    """Messages as JSON, before any format is read into them.

    Attributes:
        lines: the messages, with what their host says of them.
        original: what goes into the archive: the bytes of the file, or the list as JSON.
        is_file: whether they are of a session file, in which a message that cannot be used is left out with a warning.
        unread: those of the warnings that tell what cannot be read and is left out.
    """

    lines: tuple[Line, ...]
    original: bytes
    is_file: bool = False
    warnings: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def messages(self) -> list[JsonObject]:
        """The messages alone."""
        return [line.message for line in self.lines]


def from_messages(given: object) -> RawHistory:
    """Check a caller's list, or a request object that holds one.

    Raises:
        MalformedHistoryError: it is no list of JSON objects.
    """
    values, warnings = _listed(_checked(given))
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            fault = f"Message {index} cannot be used: it is {type(value).__name__}, expected an object."
            raise MalformedHistoryError(fault, index=index)
    unread: list[str] = []
    if (session := read_conversation(values)) is not None:
        lines = _lines_of(session)
        more = ["the messages are of no API: the new history is of one that has what they hold"]
    else:
        lines, more, unread = unwrapped([(number, as_object(value)) for number, value in enumerate(values, start=1)])
    original = compact_json([line.message for line in lines]).encode("utf-8", "surrogatepass")
    return RawHistory(lines=tuple(lines), original=original, warnings=(*warnings, *more, *unread), unread=tuple(unread))


def from_bytes(raw: bytes) -> RawHistory:
    """Read a session file: one JSON value, or one a line, or Markdown of aider or SpecStory, or an export of a host.

    Raises:
        MalformedHistoryError: it is neither.
    """
    original = raw
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # as PowerShell writes what a program puts out
        raw = raw.decode("utf-16", "replace").encode("utf-8", "replace")
    text = raw.decode("utf-8-sig", "replace")
    begins = text.lstrip()[:1]
    marked = text.replace("\r\n", "\n") if begins not in {"{", "["} else ""
    if (
        chat := read_aider(marked) or read_specstory(marked) or read_exported(marked) or read_screen(marked)
    ) is not None:
        unread = tuple(chat.unread)
        return RawHistory(lines=tuple(_lines_of(chat)), original=original, is_file=True, warnings=unread, unread=unread)
    value, numbers, torn = _value(raw)
    checked = _json(value, 0, None)
    checked = as_object(as_object(checked).get("values")) or checked
    session = read_session(checked)
    if session is not None:
        unread = (*torn, *session.unread)
        return RawHistory(
            lines=tuple(_lines_of(session)), original=original, is_file=True, warnings=unread, unread=unread
        )
    if isinstance(checked, dict) and not set(checked) & set(_LIST_KEYS):
        checked = list[Json]([checked])
    values, warnings = _listed(checked)
    numbers = numbers or list(range(1, len(values) + 1))
    odd = [number for number, item in zip(numbers, values, strict=True) if not isinstance(item, dict)]
    objects = [(number, item) for number, item in zip(numbers, values, strict=True) if isinstance(item, dict)]
    lines, more, unknown = unwrapped(objects)
    if objects and not lines and not any({"type", "role"} & set(item) for _, item in objects):
        raise MalformedHistoryError(f"The transcript holds no message: {_fields(objects[0][1])}. {_READ}", index=0)
    no_objects = [f"value {number} of the transcript is no object and is left out" for number in odd]
    return RawHistory(
        lines=tuple(lines),
        original=original,
        is_file=True,
        warnings=(*torn, *warnings, *no_objects, *more, *unknown),
        unread=(*torn, *no_objects, *unknown),
    )


def _lines_of(session: Session) -> list[Line]:
    return [Line(message=message, injected=place in session.injected) for place, message in enumerate(session.messages)]


def _value(raw: bytes) -> tuple[object, list[int], tuple[str, ...]]:
    """The one value of a file, or the list of those of its lines with their numbers; and warnings of lines that cannot be read."""
    try:
        text = raw.decode("utf-8-sig")
        if (begun := _begun(text)) is not None:
            return begun[0], [], begun[1]
        return json.loads(text), [], ()
    except RecursionError as error:
        raise MalformedHistoryError("The transcript is nested too deeply.") from error
    except UnicodeDecodeError as error:
        fault = f"The transcript is not UTF-8: {error.reason} at byte {error.start}."
    except ValueError:
        fault = ""
    return _lines(raw.removeprefix(BOM_UTF8), fault)


def _begun(text: str) -> tuple[object, tuple[str, ...]] | None:
    """The one value that words of a program stand before, as where its log went into the same file, and a warning of them."""
    if text.lstrip()[:1] in {"{", "["} or (begin := _VALUE.search(text)) is None:
        return None
    try:
        value, end = _DECODER.raw_decode(text, begin.start())
    except ValueError:
        return None
    if text[end:].strip():
        return None
    last = text.count("\n", 0, begin.start())
    return value, (
        f"{'line 1' if last == 1 else f'lines 1-{last}'} of the transcript, before its value, cannot be read",
    )


def _lines(raw: bytes, fault: str) -> tuple[list[object], list[int], tuple[str, ...]]:
    """The objects of a file that has one a line, the numbers of their lines, and warnings of the lines that hold something else.

    Only a line feed ends a line: other separators may stand inside a string. A line with several values gives all of them.
    """
    found: list[object] = []
    numbers: list[int] = []
    skipped: list[int] = []
    for number, line in enumerate(still_wanted(raw.split(b"\n")), start=1):
        try:
            for value in _objects(line.decode()):
                found.append(value)
                numbers.append(number)
        except (ValueError, TypeError, RecursionError) as error:
            fault = fault or f"The transcript is neither JSON nor JSONL: line {number} cannot be read ({error})."
            skipped.append(number)
    if not found:
        fault = fault or "The transcript is neither JSON nor JSONL: it holds no object."
        raise MalformedHistoryError(f"{fault} {_READ}", index=0)
    named = [f"line {number} of the transcript cannot be read and is left out" for number in skipped[:_MOST_NAMED]]
    if more := skipped[_MOST_NAMED:]:
        named.append(f"lines {_ranges(more)} of it cannot be read either")
    return found, numbers, tuple(named)


def _objects(line: str) -> Iterator[object]:
    """The objects of a line.

    Raises:
        ValueError: something that is no JSON stands behind them.
        TypeError: a value that is no object does.
        RecursionError: one is nested too deeply.
    """
    position, end = 0, len(line.rstrip())
    while position < end:
        position = len(line) - len(line[position:].lstrip())
        value, position = _DECODER.raw_decode(line, position)
        if not isinstance(value, dict):
            raise TypeError(f"it holds a value of type {type(value).__name__}, no object")
        yield cast("object", value)


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in their order as text, those in a row as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _checked(given: object) -> Json:
    """The value as JSON: exact types, no cycles, no more than 200 levels deep; of the state of a graph its values."""
    if isinstance(given, Mapping):
        mapping = cast("Mapping[object, object]", given)
        inner = mapping.get("values")
        mapping = cast("Mapping[object, object]", inner) if isinstance(inner, Mapping) else mapping
        return {str(key): _json(value, 1, None) for key, value in mapping.items() if key in _LIST_KEYS + _SYSTEM_KEYS}
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return [_json(value, 1, index) for index, value in enumerate(cast("Sequence[object]", given))]
    raise MalformedHistoryError(f"The history is {type(given).__name__}, expected a list of messages.")


def _json(value: object, depth: int, index: int | None) -> Json:
    where = "The history" if index is None else f"Message {index}"
    if depth > _DEEPEST:
        raise MalformedHistoryError(f"{where} cannot be used: it is nested deeper than {_DEEPEST} levels.", index=index)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        return {str(key): _json(item, depth + 1, index) for key, item in mapping.items()}
    if isinstance(value, (list, tuple)):
        items = cast("Sequence[object]", value)
        return [_json(item, depth + 1, index if index is not None else None) for item in items]
    raise MalformedHistoryError(f"{where} cannot be used: it holds a {type(value).__name__}, not JSON.", index=index)


def _listed(value: Json) -> tuple[list[Json], tuple[str, ...]]:
    """The values of a list, or of the one that a request object holds, and warnings of what stands beside it.

    Raises:
        MalformedHistoryError: it is neither.
    """
    warnings: tuple[str, ...] = ()
    if isinstance(value, dict):
        key = next((key for key in _LIST_KEYS if key in value), None)
        if key is None or not isinstance(value[key], list):
            raise MalformedHistoryError(f"The history is an object without a list under {', '.join(_LIST_KEYS)}.")
        if any(value.get(system) for system in _SYSTEM_KEYS):
            warnings = ("the system prompt of the request is not part of the messages: pass it on as it is",)
        value = value[key]
    if not isinstance(value, list):
        raise MalformedHistoryError(f"The history is {type(value).__name__}, expected a list of messages.")
    return value, warnings


def parse(raw: RawHistory, wanted: FormatName | None) -> Transcript:
    """Read the messages in the format asked for, or in the one they show.

    Raises:
        MalformedHistoryError: a message cannot be used; of a file: none can.
    """
    name = wanted or detect(raw.messages)
    lines, notes = raw.lines, Notes(is_lenient=raw.is_file)
    messages = FORMATS[name].parse(raw.messages, notes)
    left_out: list[str] = []
    if notes.faults:
        left_out = _left_out(lines, notes.faults)
        lines = tuple(line for place, line in enumerate(lines) if place not in notes.faults)
        notes = Notes()
        messages = FORMATS[name].parse([line.message for line in lines], notes)
    marked = [
        replace(message, injected=line.injected, is_summary=line.is_summary, is_refusal=line.is_refusal)
        if line.injected or line.is_refusal
        else message
        for message, line in zip(messages, lines, strict=True)
    ]
    read = [_without_reminders(message) for message in with_xml_calls(with_calls(marked))]
    return Transcript(
        format=name,
        messages=name_results(read),
        warnings=(*raw.warnings, *left_out, *notes.all()),
        unread=(*raw.unread, *left_out),
    )


def _left_out(lines: Sequence[Line], faults: Mapping[int, str]) -> list[str]:
    """Warnings of the lines of a file that are no messages.

    Raises:
        MalformedHistoryError: none of them is one.
    """
    if len(faults) == len(lines):
        first = lines[0].message
        why = next(iter(faults.values())) if {"role", "type", "parts"} & set(first) else _fields(first)
        raise MalformedHistoryError(f"The transcript holds no message: {why}. {_READ}", index=0)
    named = [
        f"{_where(lines[place], place)} of the transcript is left out: {fault}"
        for place, fault in islice(faults.items(), _MOST_NAMED)
    ]
    if more := [lines[place].number for place in islice(faults, _MOST_NAMED, None)]:
        named.append(f"lines {_ranges(more)} of it are left out as well")
    return named


def _fields(value: JsonObject) -> str:
    return f"its first value has the fields {', '.join(islice(value, _FEW_NAMED))}"


def _where(line: Line, place: int) -> str:
    return f"line {line.number}" if line.number else f"message {place}"


def _without_reminders(message: Message) -> Message:
    """Returns a message of tool answers without what the host wrote into it, commands that it repeats, and colours of a terminal."""
    blocks = tuple(
        replace(block, text=_COLOUR.sub("", _REMINDER.sub("", without_echo(block.text))))
        if isinstance(block, ToolResult)
        else block
        for block in message.blocks
    )
    return replace(message, blocks=blocks) if blocks != message.blocks else message


def parse_native(messages: Iterable[JsonObject], name: FormatName) -> tuple[Message, ...]:
    """Read messages rendered here back into the inner model: what is served is weighed the way its source was."""
    return tuple(FORMATS[name].parse(list(messages), Notes()))
