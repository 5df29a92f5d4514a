"""The ledger of a conversation, kept by code: file operations, errors, the plan, the calls in flight.

Nothing here is a judgement. How a call ended is told by its answer (`outcomes`); a file was touched when a call that names it
did not fail; the plan is the newest list of steps that any tool was given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.answers import excerpt, failed, flat
from compaction.history.attached import attached_files
from compaction.history.code_shown import shown_code
from compaction.history.file_tools import Operation, Touch, lies_in, put_back, short_name, touches
from compaction.history.formats.base import as_list, as_object, as_text, compact_json
from compaction.history.messages import Block, CallRecord, Message, Pairing, Side, Text, ToolCall, ToolResult, turns
from compaction.history.outcomes import Ending, ending_of, is_shell
from compaction.history.shell import command_text, simple_commands
from compaction.history.shell_files import read_files, written_files
from compaction.values import Json
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_STEP_KEYS = ("content", "step", "title", "description", "task", "text", "name", "subject")
_LIST_KEYS = frozenset({"todos", "todoList", "todo_list", "plan", "steps", "tasks", "items", "task_list", "taskList"})
_PROGRESS = "task_progress"
"""The argument of any call of Cline that holds the steps."""

FOLDER_KEYS = ("workdir", "cwd", "working_directory", "workingDirectory", "dir_path")
"""The arguments of a call that name the folder it is made in."""
_FOLDER = re.compile(
    r"<cwd>(?P<folder>(?:[A-Za-z]:[\\/]|/)[^<\n]{1,400})</cwd>|"
    r"# Current Working Directory \((?P<of_cline>(?:[A-Za-z]:[\\/]|/)[^)\n]{1,400})\)|"
    r"\(Current directory: (?P<of_swe_agent>/[^)\n]{1,400})\)|"
    r"[Ww]orking directory(?: is now)?:? '?(?P<of_others>(?:[A-Za-z]:[\\/]|/)[^'\n]{1,400})"
)
"""The places in which hosts tell the folder that is worked in."""

_SUBJECT = 200
"""Characters in which a call is named."""

_WHOLE = re.compile(r"/|[A-Za-z]:[\\/]")
"""The beginning of a path from the root on."""

_DONE = frozenset({"completed", "complete", "done", "cancelled", "canceled", "finished"})
_CHECKBOX = re.compile(r"^[^\S\n]*[-*] \[(?P<mark>[ xX~-])\] (?P<text>.+)$", re.MULTILINE)


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
    """All of it, in the order it happened.

    Attributes:
        folders: the absolute paths of folders that the agent is told to work in, or that its calls do.
    """

    calls: tuple[CallRecord, ...]
    files: tuple[FileTouch, ...]
    failures: tuple[Failure, ...]
    plan: tuple[Step, ...]
    in_flight: tuple[CallRecord, ...]
    folders: tuple[str, ...] = ()


def build_ledger(messages: Sequence[Message], pairing: Pairing) -> Ledger:
    """Read the ledger off a history."""
    files: list[FileTouch] = []
    plan: tuple[Step, ...] = ()
    attached = deque(_attached(messages))
    for record in (*pairing.calls, None):
        while attached and (record is None or attached[0][0] < record.turn):
            turn, path = attached.popleft()
            touch = Touch(path=path, operation=Operation.READ)
            files.append(FileTouch(touch=touch, turn=turn, order=files[-1].order + 1 if files else 0))
        if record is None or (record.result is not None and failed(record.result)):
            continue
        back = put_back(record.call) if record.result is not None else ()
        if back:
            files = [known for known in files if not _is_back(known.touch, back)]
        for touch in (
            (*_by_command(record), *touches(record.call), *_shown(record)) if record.result is not None else ()
        ):
            order = files[-1].order + 1 if files else 0
            files.append(FileTouch(touch=touch, turn=record.turn, order=order))
        if (found := steps(record.call)) is not None:
            plan = found
    return Ledger(
        calls=pairing.calls,
        files=tuple(files),
        failures=_failures(messages, pairing.calls),
        plan=plan,
        in_flight=in_flight(messages, pairing),
        folders=_folders(messages, pairing.calls),
    )


def _folders(messages: Sequence[Message], calls: Sequence[CallRecord]) -> tuple[str, ...]:
    given = (as_text(record.call.arguments.get(key)) for record in calls for key in FOLDER_KEYS)
    told = (
        next(folder for folder in found.groups() if folder)
        for message in messages
        if message.side is not Side.ASSISTANT
        for block in message.blocks
        if isinstance(block, Text)
        for found in matches(_FOLDER, block.text)
    )
    gone = (
        folder
        for record in calls
        if is_shell(record.call.name)
        for command in simple_commands(command_text(record.call.arguments, "command", "cmd"))
        if command.program == "cd"
        for folder in command.operands[:1]
    )
    return tuple(dict.fromkeys(folder.rstrip("/\\") for folder in (*given, *told, *gone) if _WHOLE.match(folder)))


def _attached(messages: Sequence[Message]) -> Iterator[tuple[int, str]]:
    """The files that messages of the user's side hold, each with its message."""
    for message in messages:
        for block in message.blocks if message.side is Side.USER else ():
            if isinstance(block, Text):
                yield from ((message.index, path) for path in attached_files(block.text))


def _by_command(record: CallRecord) -> list[Touch]:
    """The files that a command line shows and writes by name, where it went well."""
    line = command_text(record.call.arguments, "command", "cmd") if is_shell(record.call.name) else ""
    if not line or record.result is None or ending_of(record) is not Ending.ENDED:
        return []
    written = written_files(line, record.result.text)
    return [
        *(Touch(path=path, operation=Operation.READ) for path in read_files(line, record.result.text)),
        *(Touch(path=path, operation=Operation.EDIT if is_edit else Operation.WRITE) for path, is_edit in written),
    ]


def _shown(record: CallRecord) -> list[Touch]:
    """The files of which a call was shown lines by the names of what they define."""
    paths = dict.fromkeys(block.read for block in shown_code(record) if block.read)
    return [Touch(path=path, operation=Operation.READ) for path in paths]


def _is_back(touch: Touch, back: Sequence[str]) -> bool:
    return touch.operation is Operation.DELETE and any(lies_in(path, touch.path) for path in back)


def steps(call: ToolCall) -> tuple[Step, ...] | None:
    """The steps that a to-do or plan call sets, or that a call brings along, () where it clears the list; None for any other call."""
    name = short_name(call.name)
    is_of_plans = any(word in name for word in ("todo", "plan", "task", "checklist"))
    is_cleared = False
    for key, value in call.arguments.items() if is_of_plans or _PROGRESS in call.arguments else ():
        if not is_of_plans and key != _PROGRESS:
            continue
        found = tuple(step for item in as_list(value) if (step := _step(item)) is not None)
        if found:
            return found
        boxes = tuple(
            Step(text=box["text"].strip(), status="completed" if box["mark"] in "xX" else "pending")
            for box in _CHECKBOX.finditer(as_text(value))
        )
        if boxes:
            return boxes
        is_cleared = is_cleared or (key in _LIST_KEYS and value == [])
    return () if is_cleared else None


def _step(item: Json) -> Step | None:
    source = as_object(item)
    text = next((as_text(source[key]) for key in _STEP_KEYS if as_text(source.get(key)).strip()), "")
    status = as_text(source.get("status")) or ("completed" if source.get("completed") is True else "pending")
    return Step(text=" ".join(text.split()), status=status) if text else None


def in_flight(messages: Sequence[Message], pairing: Pairing) -> tuple[CallRecord, ...]:
    """Calls of the last assistant turn that no result has answered, if nothing but results and other calls came after them."""
    grouped = turns(messages)
    while grouped and grouped[-1][0].side is Side.USER:
        if not all(isinstance(block, ToolResult) for message in grouped[-1] for block in message.blocks):
            return ()
        grouped.pop()
    if not grouped or grouped[-1][0].side is not Side.ASSISTANT:
        return ()
    spoken = [message.index for message in grouped[-1] for block in message.blocks if _is_said(block)]
    last = {message.index for message in grouped[-1] if message.index >= max(spoken, default=0)}
    return tuple(record for record in pairing.calls if record.turn in last and record.result is None)


def _is_said(block: Block) -> bool:
    return isinstance(block, Text) and bool(block.text.strip())


def target(call: ToolCall, most: int = _SUBJECT) -> str:
    """Returns the subject of a call: its file, or its command, without the middle where it has more than `most` characters."""
    touched = touches(call)
    if touched:
        return touched[0].path
    told = ("query", "pattern", "url", "path")
    for value in (command_text(call.arguments, "command", "cmd", "script"), *map(call.arguments.get, told)):
        if isinstance(value, str) and value.strip():
            return flat(value, most)
    return flat(compact_json(call.arguments), most) if call.arguments else ""


def describe(call: ToolCall, most: int = _SUBJECT) -> str:
    """A call in one line, its subject in at most so many characters."""
    about = target(call, most)
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
        if ending_of(record) is Ending.ENDED:
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
