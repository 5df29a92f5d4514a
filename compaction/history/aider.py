r"""Reads the chat history of aider, a text of Markdown that grows with every chat.

    # aider chat started at 2025-04-07 03:59:01
    > Added src/a.py to the chat.
    #### Fix the port.
    It is 5432 there; I change it. (words of the model, with its edits in them)
    > Applied edit to src/a.py
    > Commit 1a2b3c4 fix: Use port 5433

What aider says stands in quotes, what the user says in headings of the fourth level, and all else is the model's. An edit counts
where aider says that it was applied, and has failed where it says that its lines are not in the file; of several chats all are
read, one behind the other. The plan of an architect stands there once more, as if the user had said it to the editor.
"""

from __future__ import annotations

import re
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from compaction.history.session import Answered, Session, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.values import JsonObject

_STARTED: Final = re.compile(r"\s*# aider chat started at \d{4}-")
_HEAD: Final = re.compile(
    r"^(?:(?P<path>[^\s`][^\n`]{0,300})\n)?(?P<fence>`{3,}+)[^\n]*\n(?:(?P<inside>[^\n<]{1,300})\n)?<{5,9} SEARCH\n",
    re.MULTILINE,
)
_PARTING: Final = re.compile(r"^={5,9}\n", re.MULTILINE)
_TAIL: Final = re.compile(r"^>{5,9} REPLACE\n(?P<fence>`{3,})", re.MULTILINE)
"""The lines around an edit, and between what it replaces and what takes its place."""

_APPLIED: Final = re.compile(r"Applied edit to (?P<path>.+)")
_UNFIT: Final = "The LLM did not conform to the edit format."
_UNMATCHED: Final = re.compile(
    r"## SearchReplace\w{0,40}: This SEARCH block failed to exactly match lines in (?P<path>.+)"
)
_TELLS_UNMATCHED: Final = re.compile(r"> # \d{1,4} SEARCH/REPLACE blocks? failed to match!")
_TOLD_UNMATCHED: Final = re.compile(
    r"[> ]{0,20}The SEARCH section must exactly match |> Tokens: |# aider chat started at |#### "
)
"""The first line in which aider tells of edits whose lines are not in the file, which it marks as its own alone, and the last."""

_REST_APPLIED: Final = re.compile(
    r"[> ]{0,20}(?:# The other \d{1,4} SEARCH/REPLACE blocks? were applied|Don't re-send them\.|Just reply with fixed versions of the blocks? )"
)
_COMMITTED: Final = re.compile(r"Commit (?P<id>[0-9a-f]{7,40}) (?P<subject>.+)")
_ADDED: Final = re.compile(r"Added (?P<path>\S.*?) to the chat\b")
_FAILED: Final = re.compile(r"(?:Unable to commit: )?Cmd\('git'\) failed due to: exit code\(\d{1,3}\)")
_RAN: Final = "cmdline: "
_DECLINED: Final = re.compile(r"Run shell commands?\? .{0,100}\]: (?:n|no|s|skip(?: all)?|d|don't)$", re.IGNORECASE)
_OF_AIDER: Final = re.compile(r".*\? \(Y\)es/|(?:Tokens: |Applied edit to |Commit [0-9a-f]{7}|Running |You can use /)")
"""The answer of a user who lets no command run, which stands above it, and the beginnings of other lines of aider."""

_MOST_TOLD: Final = 12
"""Lines that tell how a command of git failed."""

_COMMAND: Final = re.compile(
    r"/(?:\S+$|(?:add|drop|ls|tokens|model|clear|reset|undo|diff|help|settings|map|read-only|chat-mode|load|save)\b)"
)
"""Commands that are for aider and not for the model."""


_MODE: Final = re.compile(r"/(?:ask|code|architect) ")
"""The words before a question for another mode, which then stands there once more without it."""

_ARCHITECT: Final = " with architect edit format"
_ENOUGH: Final = 400
"""Characters by which the plan of an architect is known again."""


def read_aider(text: str) -> Session | None:
    """Return the messages of a chat history; None for any other text."""
    if not _STARTED.match(text):
        return None
    session = Session()
    runs = [(kind, [line for _, line in lines]) for kind, lines in groupby(_lines(text), key=lambda item: item[0])]
    runs = [(kind, lines) for kind, lines in runs if any(map(str.strip, lines))]
    asked, planned = "", set[str]()
    for place, (kind, lines) in enumerate(runs):
        following = runs[place + 1][1] if place + 1 < len(runs) and runs[place + 1][0] == "host" else []
        if kind == "user":
            words = "\n".join(lines).strip()
            is_plan = _ARCHITECT in text and _squeezed(words) in planned
            if words and not _COMMAND.match(words) and words != asked and not is_plan:
                session.messages.append(said("user", words))
                asked = words.partition(" ")[2] if _MODE.match(words) else ""
            planned.clear()
        elif kind == "model":
            planned.add(_squeezed("\n".join(lines)))
            _add_answer(session, "\n".join(lines).strip(), following)
        elif kind == "host" and (place == 0 or runs[place - 1][0] != "model"):
            session.add_calls([*_calls(lines, {})])
    return session


def _squeezed(text: str) -> str:
    """The beginning of a text, without its blanks."""
    return "".join(text[: 2 * _ENOUGH].split())[:_ENOUGH]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines with whose they are: aider ends those that are not the model's with two spaces."""
    is_told = False
    for line in text.split("\n"):
        is_told = is_told or _TELLS_UNMATCHED.match(line) is not None
        is_last = is_told and _TOLD_UNMATCHED.match(line) is not None
        is_told = is_told and not is_last
        if line.startswith("#### ") and line.endswith("  "):
            yield "user", line[5:].rstrip()
        elif is_told or (is_last and not line.startswith("# ")) or _REST_APPLIED.match(line):
            yield "host", line.lstrip("> ").rstrip()
        elif line.startswith("> ") and line.endswith("  "):
            yield "host", line[2:].rstrip()
        elif _STARTED.match(line):
            yield "start", line
        else:
            yield "model", line


def _add_answer(session: Session, text: str, told: Sequence[str]) -> None:
    """Adds what the model said, without the edits that were applied, and these as calls."""
    applied = {_plain(found["path"]) for line in told if (found := _APPLIED.match(line))}
    edits: dict[str, list[JsonObject]] = {}
    words, done = "", 0
    for one in _edits(text):
        if one.path in applied:
            edits.setdefault(one.path, []).append({"path": one.path, "old_str": one.old, "new_str": one.new})
            words, done = words + text[done : one.start], one.end
    words += text[done:]
    if words.strip():
        session.messages.append(said("assistant", words.strip()))
    session.add_calls([*_calls(told, edits)])


class _Edit(NamedTuple):
    """An edit that the model wrote, and where it stands."""

    start: int
    end: int
    path: str
    old: str
    new: str


def _edits(text: str) -> Iterator[_Edit]:
    """Yields the edits of a text; each begins with the last head before its tail, so every line is looked at once."""
    done = 0
    for tail in _TAIL.finditer(text):
        heads = [*_HEAD.finditer(text, done, tail.start())]
        head = heads[-1] if heads else None
        done = tail.end()
        parting = _PARTING.search(text, head.end(), tail.start()) if head is not None else None
        if head is not None and parting is not None and head["fence"] == tail["fence"]:
            path = _plain(head["path"] or head["inside"] or "")
            yield _Edit(
                head.start(), done, path, text[head.end() : parting.start()], text[parting.end() : tail.start()]
            )


def _calls(told: Sequence[str], edits: dict[str, list[JsonObject]]) -> Iterator[Answered]:
    """The calls that lines of aider tell, each answered by a line, or by those of a failure."""
    unmatched = [line for line in told if _UNMATCHED.match(line)]
    for place, line in enumerate(told):
        if (found := _APPLIED.match(line)) is not None:
            path = _plain(found["path"])
            yield from (Answered("edit_file", made, line) for made in edits.get(path) or [{"path": path}])
        elif (found := _UNMATCHED.match(line)) is not None:
            yield Answered("edit_file", {"path": _plain(found["path"])}, line.removeprefix("## "), failed=True)
        elif line.startswith(_UNFIT) and not unmatched:
            why = [one for one in told[place + 1 : place + 3] if one and not one.startswith("https://")]
            yield Answered("edit_file", {}, "\n".join([line, *why[:1]]), failed=True)
        elif (found := _COMMITTED.match(line)) is not None:
            yield Answered("commit", {"message": found["subject"]}, line)
        elif _DECLINED.match(line) is not None:
            above = takewhile(lambda one: one.strip() and not _OF_AIDER.match(one), reversed(told[:place]))
            if command := "\n".join(reversed([*above])):
                yield Answered("bash", {"command": command}, "The user declined to run it.", failed=True)
        elif (found := _ADDED.match(line)) is not None:
            yield Answered("read_file", {"path": _plain(found["path"])}, line)
        elif _FAILED.match(line) is not None:
            tail = told[place + 1 : place + _MOST_TOLD]
            ends = (at for at, one in enumerate(tail, start=1) if one.endswith("'"))
            ran = next((one for one in tail if one.startswith(_RAN)), "").removeprefix(_RAN)
            answer = "\n".join([line, *tail[: next(ends, 0)]])
            yield Answered("bash", {"command": ran.partition(" -m ")[0] or "git"}, answer, failed=True)


def _plain(path: str) -> str:
    """A path with the strokes that aider writes on Windows where its model wrote the path, and no others."""
    return path.strip().replace("\\", "/")
