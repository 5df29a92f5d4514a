"""The ledger of a conversation, kept by code: file operations, errors, the plan, the calls in flight.

Nothing here is a judgement. A call failed when its format says so, or when its answer opens with words that tools fail
with; a file was touched when a call that names it did not fail; the plan is the newest list of steps that any tool was
given. The words of an answer decide twice, at two strengths: `failed` asks whether the call itself came to nothing,
`troubled` whether what it ran reported an error.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.file_tools import Touch, short_name, touches
from compaction.history.formats.base import as_list, as_object, as_text, compact_json
from compaction.history.messages import CallRecord, Message, Pairing, Side, Text, ToolCall, ToolResult, turns
from compaction.values import Json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|\[?error\b\s*[:\]]|error (?:reading|writing|editing|opening|applying|executing|calling|"
    r"accessing|creating|finding|processing)\b|"
    r"failed(?: to\b|:)|enoent\b|eacces\b|eperm\b|permission denied|access denied|file not found|file does not exist|"
    r"no such file|could not (?:find|open|read|write|apply)\b|cannot (?:find|open|read|write|access)\b|"
    r"the user (?:doesn't want|does not want|rejected|denied|declined)|user (?:rejected|denied|declined|cancelled)|"
    r"operation (?:was )?(?:cancelled|rejected|denied)|tool (?:call|use) (?:was )?(?:rejected|denied|cancelled)|"
    r"invalid (?:arguments|params|parameters|patch)\b|no (?:replacement was performed|match(?:es)? found for old)|"
    r"(?:old_string|string to replace) (?:was )?not found|patch (?:failed|rejected)|path .{0,200}(?:does not exist|not "
    r"found)|file .{0,200}(?:does not exist|not found)\b|apply_patch verification failed|your proposed edit has introduced|traceback \(most recent)",
    re.IGNORECASE,
)
_TROUBLED = re.compile(
    r"\btraceback \(most recent|(?-i:[a-z](?:Error|Exception)\b)|\berror(?:\[\w+\])?: |^error\b|(?-i:\bERROR\b)|(?-i:\bFAILED\b)|"
    r"\b[1-9]\d* (?:failed|errors?|failing)\b|\bpanicked at\b|\bfatal: |npm ERR!|segmentation fault|"
    r"command not found|\bexit(?:ed with)? (?:code|status)[ :=]*[1-9]|assertion failed|undefined reference|\btimed out|"
    r"connection refused|permission denied|no such file or directory|\bcannot find\b|out of memory|(?-i:\bCONFLICT\b)",
    re.IGNORECASE | re.MULTILINE,
)
_TRIGGERS = (
    "error", "exception", "fail", "traceback", "panicked", "fatal", "npm err", "segmentation", "not found", "exit",
    "undefined ref", "timed out", "refused", "denied", "no such", "cannot find", "memory", "conflict",
)  # fmt: skip
"""One of these stands in every line that `_TROUBLED` finds: asking for them first is many times faster."""

_READ_HEAD, _READ_TAIL = 2_500, 4_500
"""Characters of an answer in which an error is looked for: what a program has to say stands at its ends."""

_EXCERPT_LINES, _EXCERPT_LINE = 3, 240
_ONLY_CODE = re.compile(
    r"\W*(?:command |process )?(?:exit(?:ed)?(?: with)?(?: code| status)?)[ :=]*\d+\W*$", re.IGNORECASE
)
"""A line that says that something failed, and not what."""
_STEP_KEYS = ("content", "step", "title", "description", "task", "text", "name", "subject")
_DONE = frozenset({"completed", "complete", "done", "cancelled", "canceled", "finished"})
_CHECKBOX = re.compile(r"^\s*[-*] \[(?P<mark>[ xX~-])\] (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTouch:
    """A file operation that did not fail.

    Attributes:
        order: rises with time; a later place inside one turn counts as later.
    """

    touch: Touch
    turn: int
    order: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error with the call that gave it.

    Attributes:
        excerpt: the lines that say what went wrong.
        fixed_at: turn of the later call of the same kind that went well, None if there was none.
        said_next: what the assistant said after it, "" if nothing.
    """

    record: CallRecord
    excerpt: str
    fixed_at: int | None = None
    said_next: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the newest plan; `status` as the tool spells it."""

    text: str
    status: str

    @property
    def done(self) -> bool:
        """True if nothing is left to do."""
        return self.status.lower().replace("-", "_") in _DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All of it, in the order it happened."""

    calls: tuple[CallRecord, ...]
    files: tuple[FileTouch, ...]
    failures: tuple[Failure, ...]
    plan: tuple[Step, ...]
    in_flight: tuple[CallRecord, ...]


def build_ledger(messages: Sequence[Message], pairing: Pairing) -> Ledger:
    """Read the ledger off a history."""
    files: list[FileTouch] = []
    plan: tuple[Step, ...] = ()
    for record in pairing.calls:
        if record.result is not None and not failed(record.result):
            for touch in touches(record.call):
                files.append(FileTouch(touch=touch, turn=record.turn, order=len(files)))
        plan = steps(record.call) or plan
    return Ledger(
        calls=pairing.calls,
        files=tuple(files),
        failures=_failures(messages, pairing.calls),
        plan=plan,
        in_flight=in_flight(messages, pairing),
    )


def failed(result: ToolResult) -> bool:
    """Tells whether the call itself came to nothing: refused, not found, denied."""
    if result.is_error:
        return True
    start = result.text[:400]
    if start.lstrip().startswith("{") and re.match(
        r'\s*\{\s*"(?:error|is_?error)"\s*:(?!\s*(?:null|false|""|\{\}))', start
    ):
        return True
    return _FAILED.match(start) is not None


def troubled(result: ToolResult) -> bool:
    """Tells whether the command that the call ran reported an error, or the call failed."""
    return failed(result) or next(_troubled_lines(result.text), None) is not None


def excerpt(text: str) -> str:
    """The lines of an answer that say what went wrong, at most three: the first ones that name an error."""
    lines = list(_troubled_lines(text))
    if all(_ONLY_CODE.match(line) for line in lines):
        others = [line.strip() for line in _ends(text).splitlines() if line.strip() and line.strip() not in lines]
        lines += others[-(_EXCERPT_LINES - 1) :] if lines else others
    elif "Traceback (most recent call last)" in lines[0] and len(lines) > 1:
        lines = lines[1:]
    if len(lines) > _EXCERPT_LINES:
        lines = [*lines[: _EXCERPT_LINES - 1], lines[-1]]
    return " / ".join(line[:_EXCERPT_LINE] for line in dict.fromkeys(lines))


def _troubled_lines(text: str) -> Iterator[str]:
    ends = _ends(text)
    lowered = ends.lower()
    present = [word for word in _TRIGGERS if word in lowered]
    if not present:
        return
    for line in ends.splitlines():
        lowered = line.lower()
        for word in present:
            if word in lowered:
                if _TROUBLED.search(line):
                    yield line.strip()
                break


def _ends(text: str) -> str:
    if len(text) <= _READ_HEAD + _READ_TAIL:
        return text
    return f"{text[:_READ_HEAD]}\n{text[-_READ_TAIL:]}"


def steps(call: ToolCall) -> tuple[Step, ...]:
    """The steps that a to-do or plan call sets; () for any other call."""
    name = short_name(call.name)
    if not any(word in name for word in ("todo", "plan", "task", "checklist")):
        return ()
    for value in call.arguments.values():
        found = tuple(step for item in as_list(value) if (step := _step(item)) is not None)
        if found:
            return found
        boxes = tuple(
            Step(text=box["text"].strip(), status="completed" if box["mark"] in "xX" else "pending")
            for box in _CHECKBOX.finditer(as_text(value))
        )
        if boxes:
            return boxes
    return ()


def _step(item: Json) -> Step | None:
    source = as_object(item)
    text = next((as_text(source[key]) for key in _STEP_KEYS if as_text(source.get(key)).strip()), "")
    status = as_text(source.get("status")) or ("completed" if source.get("completed") is True else "pending")
    return Step(text=" ".join(text.split()), status=status) if text else None


def in_flight(messages: Sequence[Message], pairing: Pairing) -> tuple[CallRecord, ...]:
    """Calls of the last assistant turn that no result has answered, if nothing but results came after it."""
    grouped = turns(messages)
    while grouped and grouped[-1][0].side is Side.USER:
        if not all(isinstance(block, ToolResult) for message in grouped[-1] for block in message.blocks):
            return ()
        grouped.pop()
    if not grouped or grouped[-1][0].side is not Side.ASSISTANT:
        return ()
    last = {message.index for message in grouped[-1]}
    return tuple(record for record in pairing.calls if record.turn in last and record.result is None)


def target(call: ToolCall) -> str:
    """Returns the subject of a call: its file, or the start of its command."""
    touched = touches(call)
    if touched:
        return touched[0].path
    for key in ("command", "cmd", "script", "query", "pattern", "url", "path"):
        value = call.arguments.get(key)
        if isinstance(value, list):
            value = " ".join(as_text(part) for part in value)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:200]
    return compact_json(call.arguments)[:200] if call.arguments else ""


def describe(call: ToolCall) -> str:
    """A call in one line."""
    about = target(call)
    return f"{call.name}({about})" if about else call.name


def _kind_of_work(call: ToolCall) -> tuple[str, str]:
    about = target(call)
    return short_name(call.name), " ".join(about.split()[:2]) if not touches(call) else about


def _failures(messages: Sequence[Message], calls: Sequence[CallRecord]) -> tuple[Failure, ...]:
    said = [
        (message.index, block.text)
        for message in messages
        if message.side is Side.ASSISTANT
        for block in message.blocks
        if isinstance(block, Text) and block.text.strip()
    ]
    said_at = [index for index, _ in said]
    going_well: dict[tuple[str, str], int] = {}
    failures: list[Failure] = []
    for record in reversed(calls):
        if record.result is None or record.answered_at is None:
            continue
        work = _kind_of_work(record.call)
        if not troubled(record.result):
            going_well[work] = record.turn
            continue
        next_words = bisect_right(said_at, record.answered_at)
        failures.append(
            Failure(
                record=record,
                excerpt=excerpt(record.result.text),
                fixed_at=going_well.get(work),
                said_next=said[next_words][1] if next_words < len(said) else "",
            )
        )
    return tuple(failures[::-1])
