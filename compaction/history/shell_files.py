"""Tells the files that command lines show and write by name, as agents do that read and edit with a shell alone.

Only what a line surely does counts: a file is read where the line shows it and would say that it is not there, and written where
text is put into it. What a program makes of its own (a log, a build) is not told here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from compaction.history.programs import is_thrown_away
from compaction.history.shell import placed, simple_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.history.shell import SimpleCommand

_SHOW: Final = frozenset(
    {"cat", "head", "tail", "nl", "less", "more", "bat", "batcat", "sed", "get-content", "gc", "type"}
)
_SAY: Final = frozenset({"cat", "echo", "printf", "sed", "tee"})
"""Programs that give the text that they are given, so that what goes into a file was in the line."""

_TAKE_A_WORD: Final = frozenset(
    {"-n", "-c", "-e", "-f", "-s", "--lines", "--bytes", "--expression", "--file", "-totalcount", "-tail", "-first"}
)
_IN_PLACE: Final = re.compile(r"-[a-zA-Z]*i(?:\.\w+)?$|--in-place")
_SCRIPT: Final = re.compile(r"-[a-zA-Z]*e$|--expression|-f$|--file$")
_CONDITION: Final = re.compile(r"(?:^|[;\n])[^\S\n]*(?:then|else|elif)\b")
_FAULT: Final = re.compile(
    r"no such file|cannot (?:open|find)|not permitted|permission denied|read-only|is a directory", re.IGNORECASE
)
_NO_FILE: Final = re.compile(r"[$*?{<>]|^-?$|^\d+$|^/(?:dev|proc)/|/$")


def read_files(line: str, answer: str) -> list[str]:
    """Return the files that a line shows, from the folder that it begins in, but those that its answer says are not there.

    Args:
        line: of the call.
        answer: what it gave.
    """
    found: list[str] = []
    for command in _sure(line):
        is_shown = not command.writes and command.then != "||" and not _edits(command)
        if is_shown and command.program.lower() in _SHOW and (command.of_windows or command.program != "type"):
            found += _named(command)
    return _that_went(found, answer)


def written_files(line: str, answer: str) -> list[tuple[str, bool]]:
    """Return the files that a line puts text into, from the folder that it begins in, and whether it edits them in place.

    Args:
        line: of the call.
        answer: what it gave.
    """
    found: dict[str, bool] = {}
    commands = _sure(line)
    for place, command in enumerate(commands):
        if _edits(command):
            found |= dict.fromkeys(_named(command), True)
        elif command.program in _SAY and (command.program != "tee" or _is_fed(commands, place)):
            paths = [*command.writes, *(command.operands if command.program == "tee" else ())]
            found |= dict.fromkeys(_places(paths, command), False)
    return [(path, found[path]) for path in _that_went(list(found), answer)]


def _that_went(paths: Sequence[str], answer: str) -> list[str]:
    """The paths but those that a line of the answer names as not found or not allowed."""
    faults = [line for line in answer.splitlines() if _FAULT.search(line)] if paths else []
    return [path for path in dict.fromkeys(paths) if not any(path.rpartition("/")[2] in line for line in faults)]


def _sure(line: str) -> list[SimpleCommand]:
    """The commands of a line without those that run only on a condition."""
    if _CONDITION.search(line):
        return []
    commands = simple_commands(line)
    return [one for place, one in enumerate(commands) if not place or commands[place - 1].then != "||"]


def _edits(command: SimpleCommand) -> bool:
    return command.program in {"sed", "perl"} and any(map(_IN_PLACE.match, command.arguments))


def _is_fed(commands: Sequence[SimpleCommand], place: int) -> bool:
    """Tells whether a command gets its text from the line: of a here-document, or of a command that says it."""
    before = commands[place - 1] if place else None
    return before is None or before.then != "|" or before.program in _SAY


def _named(command: SimpleCommand) -> list[str]:
    """The operands of a command that name files: not the words of its options, nor the script of an editor."""
    paths: list[str] = []
    has_script = command.program not in {"sed", "perl"}
    option = ""
    for word in command.arguments:
        takes_it = _SCRIPT.match(option) or (
            option.lower() in _TAKE_A_WORD and (command.program, option) != ("sed", "-n")
        )
        if word.startswith("-") and len(word) > 1:
            option = word
            has_script = has_script or _SCRIPT.match(word) is not None
            continue
        if not takes_it and (has_script or not word):
            paths.append(word)
        has_script = has_script or bool(word)
        option = ""
    return list(_places(paths, command))


def _places(paths: Sequence[str], command: SimpleCommand) -> Iterator[str]:
    for path in paths:
        if not _NO_FILE.search(path) and not is_thrown_away(path) and re.search(r"\w", path):
            yield placed(path, command.folder)
