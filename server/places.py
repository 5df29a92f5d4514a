"""The place that a command looks at, and the root that follows from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from server.options import asked_settings
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    import argparse

    from server.settings import Settings


def place_of(asked: argparse.Namespace) -> tuple[Settings, str]:
    """Returns the settings of a command that looks at code, and the absolute path that it looks at.

    Raises:
        InvalidArgumentError: no path is named, and the working directory is too wide to be meant without a word.
    """
    if asked.path is not None:
        return asked_settings(asked, roots=[folder_of(asked.path)]), str(Path(asked.path).absolute())
    settings = asked_settings(asked)
    if not settings.roots.paths:
        raise InvalidArgumentError(
            f"{Path.cwd()} holds more than a project; name the folder to look at, or . if you mean all of it."
        )
    return settings, str(settings.roots.paths[0])


def folder_of(path: str) -> str:
    """Returns the folder that a path stands for as a root: itself, or the one that holds the file."""
    named = Path(path).absolute()
    return str(named if named.is_dir() else named.parent)
