"""Completion of the command line: scripts for shells, made by shtab from the parser that reads the call."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = ("bash", "fish", "powershell", "tcsh", "zsh")

_FILES = frozenset({"FILE", "OUT", "JSON"})
_FOLDERS = frozenset({"DIR", "SRC", "DST"})
_EITHER = "PATH"


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Makes the script that lets a shell complete the command line.

    Commands, options and choices are completed from the parser, file and folder names where an argument takes one.

    Args:
        parser: the parser of the whole command line.
        shell: one of `SHELLS`.

    Returns:
        The script, as `eval "$(fractal-context completion bash)"` takes it.
    """
    import shtab  # serves this command alone

    for action in _actions(parser):
        if action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # pyright: ignore[reportAttributeAccessIssue] - where shtab looks for it
        elif action.metavar == _EITHER or action.metavar in _FILES:
            action.complete = shtab.FILE  # pyright: ignore[reportAttributeAccessIssue] - as above
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yields the arguments of a parser and of all its commands."""
    for action in parser._actions:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - argparse lists them nowhere else
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - as above
            commands: dict[str, argparse.ArgumentParser] = {}
            commands |= action.choices  # pyright: ignore[reportUnknownMemberType] - generic in the class of the parsers
            for command in commands.values():
                yield from _actions(command)
