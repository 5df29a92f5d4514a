r"""Reads the text of a session as the terminal of Claude Code shows it, which its `/export` writes.

    ❯ Use port 5433.                    (`>` of old; `!` before a command that the user ran)
    ⏺ I look at the file first.         (or `●`)
    ⏺ Bash(pytest -q)
      ⎿  Error: Exit code 1
         1 failed in 0.4s
         … +12 lines (ctrl+o to expand)
      Read 2 files (ctrl+o to expand)
    ✻ Brewed for 1m 21s

Lines are as wide as the terminal was, and of what tools were given and answered a part is shown; both stay as they are. What
the user ran and what the host answered to its own commands is no part of the conversation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from compaction.history.session import Answered, Session, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.values import Json, JsonObject

_BEGINNING: Final = 3_000
_STARTED: Final = re.compile(r"Claude Code v\d|Welcome to Claude Code!")
_SPEAKS: Final = re.compile(r"^[⏺●] ", re.MULTILINE)
_MARK: Final = re.compile(r"(?P<mark>[❯>!⏺●]) (?P<words>.*)|(?P<aside>[✻✢✶✽✳·※*∴☰] ).*")
_ANSWER: Final = re.compile(r"  ⎿[  ]{0,3}(?P<words>.*)")
_COLLAPSED: Final = re.compile(r"  \S.*\(ctrl\+[a-z] to (?:expand|see all|show thinking)[^)\n]{0,40}\)$")
_NAMED: Final = re.compile(
    r"(?P<name>Update Todos|[A-Z][A-Za-z]{1,30}|[\w.:-]{1,60} - [\w.:-]{1,60} \(MCP\))(?:\((?P<given>.*)\))?\Z"
)
_COMMAND: Final = re.compile(r"/[\w:-]+(?: .*)?\Z")
_TASK: Final = re.compile(r"(?P<mark>[☐☒◻✔■□])\s{1,3}(?P<what>.+)")
_DONE: Final = frozenset("☒✔")
_FAILED: Final = re.compile(r"Error\b")
_REFUSALS: Final = (
    (
        re.compile(r"User rejected |No \(tell Claude what to do differently\)"),
        "The user doesn't want to proceed with this tool use.",
    ),
    (re.compile(r"Interrupted ·"), "[Request interrupted by user for tool use]"),
)
"""The words of the screen for calls that the user did not let happen, and those of the session file."""

_NOT_WHOLE: Final = "an export of a terminal holds a part of what tools were given and answered"
_NAMES: Final = {
    "Update Todos": "TodoWrite",
    "Update": "Edit",
    "Create": "Write",
    "Search": "Grep",
    "Fetch": "WebFetch",
    "List": "LS",
}
"""The tools that the terminal calls by another name than the session file."""

_ARGUMENTS: Final = {"Bash": "command", "Grep": "pattern", "Glob": "pattern", "WebFetch": "url"} | dict.fromkeys(
    ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "LS"), "file_path"
)
"""The argument that is shown of a tool; others show a description."""


class _Block(NamedTuple):
    """Lines that belong together: the sign before them, the first lines, and what stands below `⎿`."""

    mark: str
    head: list[str]
    answers: list[str]


def read_screen(text: str) -> Session | None:
    """Return the messages of a terminal's text; None for any other text."""
    if not _STARTED.search(text[:_BEGINNING]) or not _SPEAKS.search(text):
        return None
    session = Session(unread=[_NOT_WHOLE])
    blocks = [*_blocks(text.split("\n"))]
    for place, block in enumerate(blocks):
        words = "\n".join(block.head).strip()
        if block.mark in {"❯", ">"}:
            is_answered = place + 1 < len(blocks) and blocks[place + 1].mark in {"⏺", "●"} and not block.answers
            if words and (is_answered or not _COMMAND.match(words)):
                session.messages.append(said("user", words))
        elif block.mark in {"⏺", "●"}:
            _add(session, words, block)
    return session


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """The blocks of a text; what stands before the first one is the head of the screen."""
    block: _Block | None = None
    for raw in lines:
        line = raw.rstrip()
        begun = _MARK.match(line)
        answer = _ANSWER.match(line)
        if begun is not None:
            if block is not None:
                yield block
            block = _Block(begun["mark"] or "", [begun["words"] or ""], [])
        elif block is None:
            continue
        elif answer is not None:
            block.answers.append(answer["words"])
        elif _COLLAPSED.match(line):
            continue
        elif block.answers and (line.startswith("     ") or not line):
            block.answers.append(line[5:])
        else:
            block.head.append(line.removeprefix("  "))
    if block is not None:
        yield block


def _add(session: Session, words: str, block: _Block) -> None:
    """Adds what the agent says, or a call with what is shown of its answer."""
    lines = [line.strip() for line in block.head if line.strip()]
    named = _NAMED.match((" " if words.startswith("Bash(") else "").join(lines)) if block.answers else None
    answer = "\n".join(block.answers).strip()
    if named is None:
        if words:
            session.messages.append(said("assistant", words))
        return
    name = _NAMES.get(named["name"], named["name"])
    told = next((told for shown, told in _REFUSALS if shown.match(answer)), "")
    failed = bool(told) or _FAILED.match(answer) is not None
    session.add_calls([Answered(name, _given(name, named["given"] or "", answer), told or answer, failed)])


def _given(name: str, shown: str, answer: str) -> JsonObject:
    """The arguments of a tool, as far as they are shown."""
    if name == "TodoWrite":
        todos: list[Json] = [
            {"content": task["what"].strip(), "status": "completed" if task["mark"] in _DONE else "pending"}
            for task in _TASK.finditer(answer)
        ]
        return {"todos": todos}
    key = _ARGUMENTS.get(name, "description")
    return {key: shown.partition(" · ")[0] if key == "file_path" else shown} if shown else {}
