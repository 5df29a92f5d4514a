"""Splits the command line of a shell call into the simple commands that it runs, each with its words.

What a line runs stands at the beginning of its simple commands and nowhere else: not in quotes, in messages, in patterns that are
looked for or in here-documents. A line is read once, in one pass, by the grammar that the shells share (quotes, substitutions,
subshells, redirections, here-documents, comments); a line that is cut off, or that no shell would take, is read as far as it goes.
"""

from __future__ import annotations

import ntpath
import posixpath
import re
import shlex
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from compaction.history.wrappers import (
    ASSIGNMENT,
    SHELLS_OF_WINDOWS,
    behind_values,
    behind_wrappers,
    given_line,
    program_name,
)
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from compaction.values import JsonObject

_LONGEST, _DEEPEST = 40_000, 20
"""Characters of a line that are read, and substitutions within each other."""

_PIECE: Final = re.compile(
    r"""
    (?P<space>(?:[^\S\n]|\\\n)+)
    | (?P<newline>\n)
    | (?P<figures>\$?\(\([^()\n]{0,200}\)\))
    | (?P<opens>[$<>]?\()
    | (?P<redirect>&>>?|\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>))
    | (?P<operator>&&|\|\||\|&|;;&?|;&|[;|&)])
    | (?P<single>'[^']*'?)
    | (?P<escaped>\$'(?:[^'\\]|\\.)*'?)
    | (?P<double>\$?")
    | (?P<backquoted>`(?:[^`\\]|\\.)*`?)
    | (?P<escape>\\.?)
    | (?P<plain>[^\s'"\\$`;|&<>()]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_DOUBLE: Final = re.compile(
    r'(?P<end>")|(?P<figures>\$\(\([^()\n]{0,200}\)\))|(?P<opens>\$\()|(?P<backquoted>`(?:[^`\\]|\\.)*`?)|(?P<escape>\\.?)|'
    r'(?P<plain>[^"\\$`]+|.)',
    re.DOTALL,
)
_INSERTED: Final = "$(…)"
"""Stands in a word for what a substitution puts there."""

_RESERVED: Final = frozenset(
    {"do", "then", "else", "elif", "if", "while", "until", "!", "{", "}", "done", "fi", "esac"}
)
_HEADS: Final = frozenset({"for", "select", "case", "function"})
"""Words that a command may stand behind, and words that begin what is no command."""

_DRIVE: Final = re.compile(r"[A-Za-z]:(?:[\\/]|$)|\\\\")
"""The beginning of a path of Windows that is named in full."""

_OF_WINDOWS: Final = re.compile(
    r"""(?:^|[\s"'=(,])[a-z]:\\\w|>\s*nul\b|"""
    r"(?:^|[&|;(])\s*(?:del|erase|copy|xcopy|robocopy|move|ren|rd|md|findstr|taskkill|(?:add|clear|copy|foreach|get|move|new|remove|rename|"
    r"set|test|where)-[a-z]+)\s|(?:^|[;&|(])\s{0,4}\$[a-z]\w{0,80}\s{0,4}=[^=~]|(?:^|[\s&|;(])\.{1,2}\\[\w.]|\w\\[\w.-]{1,80}\.(?:exe|cmd|bat)\b",
    re.IGNORECASE,
)
"""The signs of a line for a shell of Windows, in which a backslash parts the names of a path."""

_HERE_STRINGS: Final = ("@'\n", '@"\n')
"""The beginnings of the texts that PowerShell takes as they are; each ends at its quote before an `@` on a line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleCommand:
    """One program that a line runs.

    Attributes:
        text: as it stands in the line, with the assignments before it and without what its output goes to.
        words: all of them, without quotes, assignments and redirections.
        program: the name of the program without its folder: of `sudo timeout 9 .venv/bin/pytest -q`, and of `python -m pytest`, `pytest`.
        arguments: the words behind it.
        folder: where it runs, as `cd` before it spells it; "" for the folder that the line begins in.
        writes: the files that its output is redirected to.
        then: the operator behind it; "" at the end.
        of_windows: whether a shell of Windows runs it.
    """

    text: str
    words: tuple[str, ...]
    program: str
    arguments: tuple[str, ...]
    folder: str = ""
    writes: tuple[str, ...] = ()
    then: str = ""
    of_windows: bool = False

    @property
    def operands(self) -> tuple[str, ...]:
        """The arguments that are no options; all behind `--`."""
        if "--" not in self.arguments:
            return tuple(word for word in self.arguments if not word.startswith("-"))
        end = self.arguments.index("--")
        return (*(word for word in self.arguments[:end] if not word.startswith("-")), *self.arguments[end + 1 :])


def command_text(arguments: JsonObject, *keys: str) -> str:
    """Return the command that a call's arguments hold, "" for none.

    A list of words is one line; of `["bash", "-lc", LINE]` it is the line.

    Args:
        arguments: of the call.
        keys: the names it may stand under, the first that holds one counts; by default those of every host.
    """
    for key in keys or ("command", "cmd", "script", "input", "code"):
        value = arguments.get(key)
        if isinstance(value, list):
            words = [part for part in value if isinstance(part, str)]
            given = given_line(words)
            value = given if given is not None else words[0] if len(words) == 1 else shlex.join(words)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


@lru_cache(maxsize=1_024)
def simple_commands(line: str) -> tuple[SimpleCommand, ...]:
    """Return what a line runs, in its order; what a substitution runs stands before the command that it is part of.

    Of a line of more than 40,000 characters, the rest is not read.
    """
    reader = _Reader(line[:_LONGEST])
    reader.read_all()
    return tuple(reader.found)


class _Reader:
    """Reads a line from its beginning to its end."""

    def __init__(self, line: str, folder: str = "", depth: int = 0, *, is_windows: bool = False) -> None:
        self.found: list[SimpleCommand] = []
        self._line, self._at = line, 0
        self._folder, self._before = folder, folder
        self._depth = depth
        self._is_windows = is_windows or _OF_WINDOWS.search(line) is not None
        self._bodies: list[tuple[str, bool]] = []
        self._given = ""
        self._clear()

    def _clear(self) -> None:
        self._words: list[str] = []
        self._word: list[str] | None = None
        self._redirect = ""
        self._writes: list[str] = []
        self._start: int = -1
        self._end: int = -1

    def read_all(self) -> None:
        """Read to the end; a bracket that closes nothing ends a command."""
        while self._at < len(self._line):
            self._script()

    def _script(self) -> None:
        """Reads to the bracket that ends a substitution, or to the end."""
        while self._at < len(self._line):
            stop_if_cancelled()
            if self._take_here_string():
                continue
            piece = _PIECE.match(self._line, self._at)
            if piece is None:
                break
            kind, text, start = piece.lastgroup, piece[0], self._at
            self._at = piece.end()
            if kind == "space":
                self._end_word()
            elif kind in {"newline", "operator"}:
                self._end_command(text, start)
                if kind == "newline":
                    self._skip_bodies()
                elif text == ")":
                    return
            elif kind == "redirect":
                self._end_word()
                self._end = start if self._end < 0 else self._end
                self._redirect = text.lstrip("0123456789")
            elif text.startswith("#") and self._word is None:
                end = self._line.find("\n", start)
                self._at = len(self._line) if end < 0 else end
                self._end = start if self._end < 0 else self._end
            elif text == "(" and not self._is_list():
                self._end_command("(", start)
                self._nested()
            elif self._is_windows and text[0] in "{}" and self._word is None:
                self._end_command(text[0], start)
                self._at = start + 1
            else:
                self._take(kind or "", text, start)
        self._end_command("", len(self._line))

    def _take_here_string(self) -> bool:
        """Takes a text that PowerShell is given as it is, and goes behind it; tells whether there is one here."""
        begin = self._line[self._at : self._at + 3]
        if begin not in _HERE_STRINGS or self._words or self._word is not None:
            return False
        end = self._line.find(f"\n{begin[1]}@", self._at + 2)
        self._given = self._line[self._at + 3 : end if end >= 0 else len(self._line)]
        self._at = len(self._line) if end < 0 else end + 3
        return True

    def _is_list(self) -> bool:
        """Tells whether a bracket begins the values of `name=(…)`."""
        return bool(self._word) and self._word[-1:][0].endswith("=")

    def _take(self, kind: str, text: str, start: int) -> None:
        """Adds a piece to the word that is being read."""
        if self._word is None:
            self._word = []
        if self._start < 0:
            self._start = start
        if kind == "double":
            self._quoted()
        elif kind in {"opens", "figures", "backquoted"}:
            self._substitution(kind, text)
        elif kind == "single":
            self._word.append(text.strip("'"))
        elif kind == "escaped":
            self._word.append(text[2:].removesuffix("'"))
        else:
            self._word.append(text[1:] if kind == "escape" and not self._is_windows else text)

    def _quoted(self) -> None:
        word = self._word if self._word is not None else []
        word.append("")
        while self._at < len(self._line) and (piece := _IN_DOUBLE.match(self._line, self._at)):
            stop_if_cancelled()
            kind, text = piece.lastgroup, piece[0]
            self._at = piece.end()
            if kind == "end":
                return
            if kind in {"opens", "figures", "backquoted"}:
                self._substitution(kind, text)
            else:
                escapes = {'"'} if self._is_windows else {'"', "\\", "$", "`", "\n"}
                word.append(text if kind == "plain" or text[1:] not in escapes else text[1:].strip("\n"))

    def _substitution(self, kind: str, text: str) -> None:
        word = self._word if self._word is not None else []
        if kind == "opens" and text == "(":
            made = len(self.found)
            self._nested()
            del self.found[made:]
        elif kind == "opens":
            self._nested()
        elif kind == "backquoted":
            self._also(text.strip("`"), ")")
        word.append(_INSERTED)

    def _nested(self) -> None:
        """Reads what stands in brackets: its folder is its own, and the command around it goes on behind it."""
        if self._depth >= _DEEPEST:
            return
        outer = self._words, self._word, self._redirect, self._writes, self._start, self._end
        folders = self._folder, self._before
        self._clear()
        self._depth += 1
        self._script()
        self._depth -= 1
        self._words, self._word, self._redirect, self._writes, self._start, self._end = outer
        self._folder, self._before = folders

    def _also(self, line: str, then: str, *, is_windows: bool = False) -> None:
        """Reads a line within the line."""
        if self._depth < _DEEPEST:
            reader = _Reader(line, self._folder, self._depth + 1, is_windows=is_windows)
            reader.read_all()
            if reader.found:
                reader.found[-1] = replace(reader.found[-1], then=then)
            self.found += reader.found

    def _skip_bodies(self) -> None:
        """Goes behind the here-documents that the line before has begun."""
        for delimiter, is_indented in self._bodies:
            while self._at < len(self._line):
                stop_if_cancelled()
                end = self._line.find("\n", self._at)
                end = len(self._line) if end < 0 else end
                row = self._line[self._at : end]
                self._at = min(end + 1, len(self._line))
                if (row.lstrip("\t") if is_indented else row) == delimiter:
                    break
        self._bodies.clear()

    def _end_word(self) -> None:
        if self._word is None:
            return
        word, self._word = "".join(self._word), None
        redirect, self._redirect = self._redirect, ""
        if redirect in {"<<", "<<-"}:
            self._bodies.append((word, redirect == "<<-"))
        elif not redirect:
            self._words.append(word)
        elif ">" in redirect and not (redirect == ">&" and (word.isdigit() or word == "-")) and word.lower() != "nul":
            self._writes.append(word)

    def _end_command(self, then: str, at: int) -> None:
        self._end_word()
        words, writes = self._words, tuple(self._writes)
        begin = max(self._start, 0)
        is_value = self._line[begin : begin + 1] in {"'", '"'} and not self._line[
            max(begin - 8, 0) : begin
        ].rstrip().endswith("&")
        text = (
            self._line[self._start : self._end if self._end > self._start else at].strip() if self._start >= 0 else ""
        )
        self._clear()
        if words and words[0] in _HEADS:
            return
        while words and (words[0] in _RESERVED or ASSIGNMENT.match(words[0])):
            words = words[1:]
        if self._is_windows:
            words = [] if is_value and len(words) == 1 else behind_values(words)
        runs = behind_wrappers(words)
        given = given_line(runs)
        if given == "-" and self._given:
            given, self._given = self._given, ""
        if given is not None:
            self._also(given, then, is_windows=program_name(runs[0]).lower() in SHELLS_OF_WINDOWS)
        elif runs or writes:
            program = program_name(runs[0]) if runs else ""
            made = SimpleCommand(
                text=text, words=tuple(words), program=program, arguments=tuple(runs[1:]),
                folder=self._folder, writes=writes, then=then, of_windows=self._is_windows,
            )  # fmt: skip
            self.found.append(made)
            self._move(made)

    def _move(self, made: SimpleCommand) -> None:
        if made.program not in {"cd", "pushd", "popd"}:
            return
        named = (word for word in made.operands if word.lower() != "/d")
        target = next(named, "" if made.program == "cd" else "-")
        back = made.program == "popd" or made.arguments[:1] == ("-",) or target == "-"
        here = self._before if back else placed(target or "~", self._folder)
        self._folder, self._before = here, self._folder


def placed(path: str, folder: str) -> str:
    """Return a path that a command in a folder names, from the folder that its line begins in; "" for that folder itself."""
    if _DRIVE.match(path):
        return path
    if _DRIVE.match(folder) and "\\" in folder:
        return ntpath.normpath(ntpath.join(folder, path))
    joined = path if path.startswith(("/", "~", "$")) else posixpath.join(folder, path)
    shown = posixpath.normpath(joined)
    return "" if shown == "." else shown
