"""Tells how a call ended, by what its answer says: the only ground on which a summary claims a success.

An answer that is marked as an error, that refuses, or whose exit code is not zero has failed; one that says so in words has
failed too, where the words are the tool's own and not those of a file that it shows. What remains is quoted, never judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from compaction.history.answers import excerpt, failed, names_error, not_run, reports_failure, said_by_host, troubled
from compaction.history.code_shown import in_words, shown_code
from compaction.history.file_tools import Operation, operation_of, short_name
from compaction.history.programs import answers_no, masks, only_looks, only_tests, words_of_failure
from compaction.history.reports import tests_failed
from compaction.history.running import put_out, still_runs
from compaction.history.shell import command_text
from compaction.prose.sentences import score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.history.messages import CallRecord, ToolResult

_REFUSED = re.compile(
    r"\s*(?:the user (?:doesn't|does not) want to (?:proceed|take this action)|\[request interrupted by user|"
    r"(?:tool (?:use|call) |operation |the )?(?:was )?(?:rejected|denied|declined) by (?:the )?user|(?:the )?user (?:rejected|denied|"
    r"declined|cancelled))",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\s*The user doesn't want to (?:proceed with this tool use|take this action)[^\n]{0,250}? the user said:\s*(?P<words>.+)",
    re.DOTALL,
)
"""The sentence of a host before what its user typed, at the beginning of an answer."""

_NOT_SAID = (
    "The user wants to clarify these questions.",
    "Note: The user's next message may contain a correction",
)
_EXIT = re.compile(
    r"(?:^|\n)[^\S\n]*(?:\[?exit(?:ed with)? ?(?:code|status)[ :=]*|command exited with code |command failed with exit code |<returncode>|<exit_code>|process exited with code |"
    r"\"exit_code\": ?)(?P<code>-?\d+)",
    re.IGNORECASE,
)
_SHELL = re.compile(
    r"ipython|(?:run|execute|exec|in|local|shell|bash|zsh|pwsh|powershell|terminal|command|cmd|line)+(?:v?\d)?"
)
"""A short name made of the words that hosts name their shell by, and of nothing else."""

_LOOKERS = frozenset(
    {"grep", "glob", "search", "websearch", "webfetch", "fetch", "ls", "listdirectory", "list", "think"}
)
_TELLING = re.compile(
    r"\b\d+ (?:passed|failed|errors?|tests?|issues?|skipped|warnings?|files? changed)\b|^(?:ok|PASS|FAIL|FAILED)\b|->|\[[\w/.-]+ "
    r"[0-9a-f]{7,}\]|\b(?:success|created|updated|pushed|installed|done|complete|rebased|merged|deleted|removed)\w*",
    re.IGNORECASE | re.MULTILINE,
)
_SUMMARY = re.compile(
    r"\[[\w/.-]+(?: \([^)]{0,200}\))? [0-9a-f]{7,}\] |\b\d+ (?:passed|failed)\b|^(?:ok|PASS|FAIL|FAILED|OK)\b|^Tests?: |"
    r"\b\d+ issues?\b|(?<![0-9a-f])[0-9a-f]{7,}\.\.\.?[0-9a-f]{7,} |^(?:Successfully|Created|Done)\b"
)
_EMPTY = re.compile(r"\b0 (?:passed|tests?)\b(?!.{0,400}\b[1-9]\d* (?:passed|failed))")
"""A line on a run of no tests, as runners write one for each of their parts."""

_LOGGED = re.compile(r"\w=\S.{0,400} \w+=\S|\b(?:INFO|DEBUG|TRACE)\b")
_TAG = re.compile(r"</?\w+>")
_LINE = 200
_MOST_FOR_WORDS = 4.0
_HEAD, _ENDS = 200, 3_000


class Ending(StrEnum):
    """The endings of a call.

    Attributes:
        OPEN: nothing has answered it.
        REFUSED: the user did not let it run.
        FAILED: it came to nothing, or what it ran reported an error.
        ENDED: it was answered, and the answer names no error.
    """

    OPEN = "open"
    REFUSED = "refused"
    FAILED = "failed"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The ending of a call, and the line of its answer that says most; "" for none."""

    ending: Ending
    words: str = ""


def is_shell(name: str) -> bool:
    """Return whether a tool runs commands."""
    return _SHELL.fullmatch(short_name(name)) is not None


def is_look(record: CallRecord) -> bool:
    """Return whether a call only looks at something, so that what it shows is not about itself."""
    name = short_name(record.call.name)
    if is_shell(record.call.name):
        return only_looks(command_of(record))
    return name in _LOOKERS or operation_of(record.call) is Operation.READ


def command_of(record: CallRecord) -> str:
    """Return the command of a call that runs one, "" for any other."""
    return command_text(record.call.arguments)


def outcome(record: CallRecord) -> Outcome:
    """Return how a call ended, with the words of its answer."""
    ending = ending_of(record)
    if ending is Ending.FAILED and record.result is not None:
        owned = _owns_up(command_of(record), record.result.text) if is_shell(record.call.name) else ""
        if owned and not names_error(record.result.text):
            return Outcome(ending=ending, words=owned)
        return Outcome(ending=ending, words=excerpt(record.result.text))
    if ending is Ending.ENDED and record.result is not None:
        words = in_words(shown_code(record)) or telling_line(put_out(record.result.text))
        if still_runs(record.result.text):
            words = f"still ran when last looked at; last words: {words}" if words else "still ran when last looked at"
        return Outcome(ending=ending, words=words)
    return Outcome(ending=ending)


def ending_of(record: CallRecord) -> Ending:
    """Return how a call ended; its words take longer to find."""
    result = record.result
    if result is None:
        return Ending.OPEN
    if _REFUSED.match(result.text):
        return Ending.REFUSED
    if is_shell(record.call.name):
        return Ending.FAILED if _line_failed(record, result) else Ending.ENDED
    told = operation_of(record.call) is not Operation.READ and (
        _exit_code(result.text) not in {None, 0} or reports_failure(result.text)
    )
    return Ending.FAILED if told or failed(result) else Ending.ENDED


def _line_failed(record: CallRecord, result: ToolResult) -> bool:
    """Tells whether a command line failed: by its exit code where that speaks for all of it, else by what it said."""
    line = command_of(record)
    look = only_looks(line)
    code = _exit_code(result.text, head_only=look)
    if code in {None, 1} and answers_no(line) and not _says_why(result.text, is_coded=code is not None):
        return False
    if result.is_error or code not in {None, 0} or not_run(result.text):
        return True
    if _owns_up(line, result.text):
        return True
    if look or (code == 0 and not masks(line)):
        return False
    told = tests_failed(result.text) if only_tests(line) else None
    if still_runs(result.text):
        result = replace(result, text=put_out(result.text))
    return troubled(result) if told is None else told


def _owns_up(line: str, text: str) -> str:
    """The words that a line has for the case that it fails, where they stand in its answer; "" where it says none."""
    known = words_of_failure(line)
    said = [" ".join(one.split()) for one in text[-_ENDS:].split("\n")] if known else []
    return next((words for words in known if words in said), "")


def _exit_code(text: str, *, head_only: bool = False) -> int | None:
    """The exit code that an answer tells, above what the command said or, where that is not a file's, below it; None for none."""
    found = _EXIT.search(text[:_HEAD])
    if found is None and not head_only and (below := _EXIT.search(text[:_ENDS]) or _EXIT.search(text[-_ENDS:])):
        found = below if below["code"] != "0" else None
    return int(found["code"]) if found else None


def _says_why(text: str, *, is_coded: bool) -> bool:
    """Tells whether an answer says more than an exit code: anything, or with a code a line that names an error."""
    lines = [line for line in text.split("\n") if line.strip() and not _EXIT.match(line) and not said_by_host(line)]
    return names_error("\n".join(lines)) if is_coded else bool(lines)


@lru_cache(maxsize=2_048)
def telling_line(text: str) -> str:
    """Return the line of an answer that says most about how it went; "" where it says nothing."""
    ends = text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    lines = [" ".join(line.split()) for line in ends.split("\n") if re.search(r"\w", line) and not _EXIT.match(line)]
    lines = [line for line in lines if not said_by_host(line)]
    lines = [line for line in lines if not line.startswith(("<", "Shell cwd was reset"))] or [
        line for line in lines if _TAG.sub("", line).strip()
    ]
    if not lines:
        return ""
    best = lines[_most_telling(lines)]
    return best if len(best) <= _LINE else f"{best[:_LINE]}…"


def _most_telling(lines: Sequence[str]) -> int:
    """The place of the line that says most, the later the better; what its words are worth is asked where it can decide."""
    signs = [
        0.0
        if _LOGGED.search(line)
        else (12.0 * bool(_SUMMARY.search(line)) + 5.0 * bool(_TELLING.search(line)))
        * (0.5 if _EMPTY.search(line) else 1)
        for line in lines
    ]
    floors = [sign + place / len(lines) for place, sign in enumerate(signs)]
    best, most = 0, -_MOST_FOR_WORDS
    for place in sorted(range(len(lines)), key=floors.__getitem__, reverse=True):
        if floors[place] + _MOST_FOR_WORDS <= most:
            break
        line = lines[place]
        words = 0.0 if _LOGGED.search(line) else min(_MOST_FOR_WORDS, score(line[:_LINE]))
        if (worth := floors[place] + words) > most:
            best, most = place, worth
    return best


def said_while_refusing(text: str) -> str:
    """Return what an answer says that the user typed instead of letting a call run, "" for nothing.

    Whether it is the host that says so, and not the tool, cannot be told from the words: see `origins.passages`.
    """
    found = _SAID.match(text)
    if found is None:
        return ""
    words = found["words"].strip()
    for other in _NOT_SAID:
        words = words.split(other)[0].rstrip() if not words.startswith(other) else ""
    return words
