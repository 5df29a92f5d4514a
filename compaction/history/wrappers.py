"""Finds the program that the words of a command run, behind others that only start it, and the line that a shell is given.

`sudo timeout 9 .venv/bin/pytest -q` and `uv run python -m pytest -q` run `pytest -q`; `bash -lc LINE`, `eval LINE` and
`powershell -Command LINE` run a line, which is a command line again.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*\+?=")
"""The beginning of a word that sets a variable for the command behind it."""

_MOST: Final = 8
"""Programs before the one that they run."""

_SHELLS: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
SHELLS_OF_WINDOWS: Final = frozenset({"powershell", "pwsh", "cmd"})
_GIVES_A_LINE: Final = frozenset({"-command", "-c", "/c", "/k"})
"""The words before the line of one of those, in lower case."""

_VARIABLE: Final = re.compile(r"\$[\w:.]{1,200}(?:[+-]?=(?P<value>.*))?", re.DOTALL)
_OPERATORS: Final = frozenset({"-f", "-join", "-split", "-replace", "-match", "+", "="})
"""The words of PowerShell between two values, which no command stands before."""

_PYTHON: Final = re.compile(r"python[\d.]*$")
_PLAIN_WRAPPERS: Final = "time nohup command exec builtin setsid stdbuf unbuffer chronic caffeinate"
"""Programs that run the one that is named behind them, and have no option that takes a word."""

_TAKES_A_LINE: Final = {
    "nix-shell": ("--run", "--command"),
    "su": ("-c", "--command"),
    "script": ("-c", "--command"),
}
"""Programs that are given a line to run, and the options that it stands behind."""

_COMMAND_BEHIND: Final = {
    "nix develop": ("-c", "--command"),
    "nix shell": ("-c", "--command"),
    "guix shell": ("--",),
    "mise x": ("--",),
    "devbox run": ("--",),
}
"""Programs that run the command that stands behind one of these words."""

_WRAPPERS: Final = {
    "sudo": "-u -g -p -C -D -h",
    "doas": "-u",
    "env": "-u -C -S",
    "nice": "-n",
    "ionice": "-c -n",
    "timeout": "-s -k --signal --kill-after",
    "xvfb-run": "-s -n",
    "uv run": "--with --python -p --extra --group --project --directory --env-file --package",
    "uvx": "--with --python -p --from",
    "conda run": "-n -p --name --prefix",
    "npx": "-p --package",
    "coverage run": "--source --omit --include --rcfile",
    "xargs": "-a -d -E -I -L -n -P -s",
} | dict.fromkeys(
    (
        *_PLAIN_WRAPPERS.split(), "poetry run",
        "pipenv run", "pdm run", "hatch run", "rye run", "pixi run", "pipx run", "bunx", "pnpm exec", "pnpm dlx", "yarn exec",
        "yarn dlx", "npm exec", "bundle exec", "mise exec",
    ),
    "",
)  # fmt: skip
"""Programs that run the one that is named behind them, and their options that take a word."""


def behind_values(words: list[str]) -> list[str]:
    """Return the words of a command of PowerShell without the variable that takes what it gives; [] where they are a value alone."""
    for _ in range(_MOST):
        if not words or (found := _VARIABLE.match(words[0])) is None:
            break
        is_set = words[1:2] in (["="], ["+="])
        words = words[2:] if is_set else [value, *words[1:]] if (value := found["value"]) else []
        if len(words) == 1:
            return []
    return [] if words[1:2] and words[1] in _OPERATORS else words


def program_name(word: str) -> str:
    """Return the name of a program: without its folder, but for a script that is named like the shell's own `test`."""
    name = posixpath.basename(word).rpartition("\\")[2]
    if name.lower().endswith((".exe", ".cmd", ".bat")):
        name = name[:-4]
    return word if name == "test" else name


def given_line(words: Sequence[str]) -> str | None:
    """Return the line that a shell is started with, None where the words start none."""
    if not words:
        return None
    name = program_name(words[0])
    if name.lower() in SHELLS_OF_WINDOWS:
        places = [place for place, word in enumerate(words) if word.lower() in _GIVES_A_LINE]
        return " ".join(words[places[0] + 1 :]) if places else None
    if name == "eval":
        return " ".join(words[1:])
    if name in _TAKES_A_LINE:
        return " ".join(_behind_word(words, _TAKES_A_LINE[name])[:1]) or None
    if name not in _SHELLS:
        return None
    for place, word in enumerate(words[1:], start=1):
        if not word.startswith("-"):
            return None
        if not word.startswith("--") and word.endswith("c"):
            return words[place + 1] if place + 1 < len(words) else None
    return None


def behind_wrappers(words: Sequence[str]) -> Sequence[str]:
    """Return the words from the program on that others (`sudo`, `timeout`, `uv run`, `python -m`) only start."""
    for _ in range(_MOST):
        while words and ASSIGNMENT.match(words[0]):
            words = words[1:]
        if not words:
            break
        name = program_name(words[0])
        if _PYTHON.match(name):
            inner = _of_module(words)
        elif name in _WRAPPERS:
            inner = _behind_options(words[1:], _WRAPPERS[name])[name == "timeout" :]
        elif (pair := " ".join((name, *words[1:2]))) in _WRAPPERS:
            inner = _behind_options(words[2:], _WRAPPERS[pair])
        elif pair in _COMMAND_BEHIND:
            inner = _behind_word(words, _COMMAND_BEHIND[pair])
        else:
            break
        if not inner:
            break
        words = inner
    return words


def _behind_word(words: Sequence[str], marks: Sequence[str]) -> Sequence[str]:
    """The words behind the first of some marks, none where none of them stands there."""
    return next((words[place + 1 :] for place, word in enumerate(words) if word in marks), ())


def _of_module(words: Sequence[str]) -> Sequence[str]:
    for place, word in enumerate(words[1:], start=1):
        if word == "-m":
            return words[place + 1 :]
        if not word.startswith("-") and words[place - 1] not in {"-X", "-W"}:
            break
    return ()


def _behind_options(words: Sequence[str], with_word: str) -> Sequence[str]:
    taking = with_word.split()
    while words and words[0].startswith("-"):
        if words[0] == "--":
            return words[1:]
        words = words[2 if words[0] in taking else 1 :]
    return words
