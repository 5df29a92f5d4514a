"""Gives a call that went on running the answer that came later, by another call or by a notice of the host.

    exec_command(./run_tests.sh)      Process running with session ID 7 … ok  unit_tests
    write_stdin(session_id=7)         Process exited with code 1 … Passed: 7, Failed: 1

    execute_bash(npm start)           … [The command has no new output after 10 seconds. …]
    execute_bash(C-c, is_input)       ^C [The command completed with exit code 130. CTRL+C was sent.]

What a command came to is told by the last of these answers alone, so it becomes the answer of the command, below its exit
code and with all that was put out; the call that only looked for more is none of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compaction.history.file_tools import short_name
from compaction.history.messages import CallRecord, Message, Side, Text
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.history.messages import ToolResult

NOTICE = "<task-notification>"
"""The beginning of a notice of Claude Code that a task in the background has ended."""

_STARTED = re.compile(
    r"Process running with session ID (?P<session>\w{1,40})|Script running with cell ID (?P<cell>\w{1,40})|Command running in background with ID: (?P<shell>\w{1,40})|"
    r"Async agent launched successfully\.\s+agentId: (?P<agent>\w{1,40})"
)
_LOOKERS = frozenset({"wait", "writestdin", "bashoutput", "taskoutput", "agentoutput", "agentoutputtool"})
_IDS = ("session_id", "cell_id", "bash_id", "shell_id", "task_id", "agentId", "agent_id")
_TYPED = ("chars", "input", "text")
_CODE = re.compile(r"(?:^Process exited with code |<exit_code>|\bexit code )(?P<code>-?\d{1,9})", re.MULTILINE)
_STATUS = re.compile(r"<status>(?P<status>\w+)</status>")
_FAILED = frozenset({"failed", "killed", "error", "stopped"})
_BODY_OF_CODEX = re.compile(r"^Output:\n?(?P<text>.*)\Z", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"<(?P<tag>stdout|stderr|output|result)>\n?(?P<text>(?:(?!<(?P=tag)>).)*?)\n?</(?P=tag)>", re.DOTALL)
_FIELD = re.compile(r"<(?P<key>task-id|status|summary)>(?P<value>[^<]*)</(?P=key)>")
_ENDED_NOTICE = "</task-notification>"
_HEAD = 600
_STILL = ("Process running with session ID ", "Script running with cell ID ")
_ENDED = re.compile(r"Script (?:completed|(?P<failed>failed|terminated))\n")
_LEFT_RUNNING = re.compile(
    r"\s*Command timed out after \d+ seconds?\. Running in (?:the )?background[^\n]*\n?(?:Log file:[^\n]*\n?)?"
)
"""The words of Cline about a command that it does not wait for any longer."""

_QUIET = re.compile(r"\[The command (?:has no new output|timed out) after [^\n]{1,500}\]\s*\Z")
_OVER = re.compile(r"\[The command completed with exit code (?P<code>-?\d{1,9})[^\n]{0,200}\]\s*\Z")
_BELOW = re.compile(r"\A\s*\[Below is the output of the previous command\.\]\n?")
_THE_SHELL = "the shell"
"""The words of OpenHands around what its one shell put out, and the name that this shell has here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Later:
    """An answer that came later.

    Attributes:
        code: the exit code that it tells, None for none.
        runs: whether what was called still runs.
    """

    text: str
    code: int | None
    runs: bool = False
    is_error: bool = False


def still_runs(text: str) -> bool:
    """Return whether an answer says that what was called goes on running."""
    is_left = _LEFT_RUNNING.match(text) is not None or _QUIET.search(text[-_HEAD:]) is not None
    return is_left or any(words in text[:_HEAD] for words in _STILL)


def put_out(text: str) -> str:
    """Return an answer without what the host says of a command that it does not wait for any longer."""
    if found := _QUIET.search(text, max(0, len(text) - _HEAD)) or _OVER.search(text, max(0, len(text) - _HEAD)):
        return _BELOW.sub("", text[: found.start()]).rstrip()
    return _LEFT_RUNNING.sub("", text, count=1) if _LEFT_RUNNING.match(text) else text


def with_later_answers(calls: Sequence[CallRecord], messages: Sequence[Message]) -> tuple[CallRecord, ...]:
    """Return the calls, each with its last answer, without those that only looked for more of another's.

    Args:
        calls: in the order they were made.
        messages: the conversation, for the notices of the host in it.
    """
    made: list[CallRecord | None] = list(calls)
    runs: dict[str, int] = {}
    for place, record in enumerate(calls):
        if record.result is None:
            continue
        at = _looked_at(record, runs)
        later = _later(record.result) if at is not None else None
        if at is not None and later is not None:
            made[at] = _joined(made[at], later, record.answered_at)
            made[place] = record if _types(record) else None
        elif started := _STARTED.search(record.result.text[:_HEAD]):
            runs[next(one for one in started.groups() if one)] = place
        elif _QUIET.search(record.result.text[-_HEAD:]):
            runs[_THE_SHELL] = place
    for message in messages:
        for task, later in _notices(message) if runs else ():
            if (at := runs.get(task)) is not None:
                made[at] = _joined(made[at], later, message.index)
    return tuple(record for record in made if record is not None)


def _looked_at(record: CallRecord, runs: dict[str, int]) -> int | None:
    """The place of the call whose output another call asks for; None where it asks for none."""
    if _is_input(record):
        return runs.get(_THE_SHELL)
    if short_name(record.call.name) not in _LOOKERS:
        return None
    given = (record.call.arguments.get(key) for key in _IDS)
    return next((runs[name] for value in given if (name := str(value)) in runs), None)


def _is_input(record: CallRecord) -> bool:
    """Tells whether a command of OpenHands is none, but keys for the one that runs."""
    return str(record.call.arguments.get("is_input")).lower() == "true"


def _types(record: CallRecord) -> bool:
    """Tells whether a call also gave something to what runs; keys that end it are nothing."""
    keys = ("command",) if _is_input(record) else _TYPED
    given = (str(record.call.arguments.get(key) or "").strip() for key in keys)
    return any(words and not words.startswith("C-") for words in given)


def _later(result: ToolResult) -> _Later | None:
    """An answer as one on what runs; None where it says neither that it runs nor how it ended."""
    head = result.text[:_HEAD]
    code = _OVER.search(result.text[-_HEAD:]) or _CODE.search(head)
    status, script = _STATUS.search(head), _ENDED.match(head)
    runs = still_runs(result.text)
    if code is None and status is None and script is None and not runs:
        return None
    ended = status["status"] if status else ""
    found = _BODY_OF_CODEX.search(result.text)
    text = found["text"] if found else "\n".join(part["text"] for part in matches(_PART, result.text))
    shown = put_out(result.text)
    return _Later(
        text=shown if shown != result.text else text,
        code=int(code["code"]) if code else None,
        runs=runs or ended == "running",
        is_error=ended in _FAILED or (script is not None and script["failed"] is not None),
    )


def _notices(message: Message) -> Iterator[tuple[str, _Later]]:
    """The tasks whose end a message tells, with what it says of each."""
    for block in message.blocks if message.side is Side.USER else ():
        if not isinstance(block, Text) or not block.text.lstrip().startswith(NOTICE):
            continue
        for notice in block.text.split(NOTICE)[1:]:
            body = notice.rpartition(_ENDED_NOTICE)[0]
            told = {found["key"]: found["value"].strip() for found in _FIELD.finditer(body[:_HEAD])}
            code = _CODE.search(told.get("summary", ""))
            result = body.partition("<result>")[2].rpartition("</result>")[0].strip()
            later = _Later(
                text=result or told.get("summary", ""),
                code=int(code["code"]) if code else None,
                is_error=told.get("status") in _FAILED,
            )
            yield told.get("task-id", ""), later


def _joined(record: CallRecord | None, later: _Later, index: int | None) -> CallRecord | None:
    """A call with a later answer: how it stands now, and below that what was put out, once."""
    if record is None or record.result is None:
        return record
    before = record.result.text
    found = _BODY_OF_CODEX.search(before)
    shown = found["text"] if found else put_out(before) if _QUIET.search(before[-_HEAD:]) else ""
    text = later.text if later.text.startswith(shown.strip()) else f"{shown.rstrip()}\n{later.text}"
    head = f"{_STILL[0]}?" if later.runs else f"Exit code: {later.code}" if later.code is not None else ""
    result = replace(
        record.result, text=f"{head}\nOutput:\n{text}".lstrip(), is_error=later.is_error or later.code not in {None, 0}
    )
    return replace(record, result=result, answered_at=index)
