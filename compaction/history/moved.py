"""Finds the files of a session that was recorded elsewhere: the same project under the path of another machine.

No place outside the workspace is looked at: what lies there is nobody's business, and would tell nothing of another machine.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_FEWEST: Final = 2
"""Nested files that must be found below a folder of another name for it to be the project."""

_MOST_PATHS: Final = 400
_DEEPEST: Final = 40


def moved(paths: Collection[str], workspace: Path) -> dict[str, str]:
    """Return where paths from a root on lie in the workspace, each as its path from there.

    The recorded folder of the project is the one below which most files of the session are found again in the workspace: it
    is called like the workspace, or several nested files are found. None is where a path of the session lies in the workspace,
    which was recorded here.

    Args:
        paths: as they were recorded; relative ones are not looked at.
        workspace: the folder that files are restored from.
    """
    here = workspace.resolve()
    if any(Path(path).is_relative_to(root) for path in paths for root in (here, workspace.absolute())):
        return {}
    parts = {path: _parts(path) for path in [*paths][:_MOST_PATHS] if path.startswith("/") or _DRIVE.match(path)}
    found: dict[tuple[str, ...], list[int]] = {}
    for steps in {steps for steps in parts.values() if len(steps) <= _DEEPEST and ".." not in steps}:
        for depth in range(1, len(steps)):
            if _is_file(here.joinpath(*steps[depth:])):
                found.setdefault(steps[:depth], []).append(len(steps) - depth)
    told = {
        folder: len(below)
        for folder, below in found.items()
        if folder[-1] == here.name or sum(depth > 1 for depth in below) >= _FEWEST
    }
    best = max(told, key=lambda folder: (told[folder], -len(folder), folder), default=None)
    if best is None:
        return {}
    return {
        path: "/".join(steps[len(best) :])
        for path, steps in parts.items()
        if steps[: len(best)] == best and len(steps) > len(best)
    }


def _parts(path: str) -> tuple[str, ...]:
    pieces = re.split(r"[\\/]", path) if _DRIVE.match(path) else path.split("/")
    return tuple(piece for piece in pieces if piece not in {"", "."})


def _is_file(place: Path) -> bool:
    try:
        return place.is_file()
    except (OSError, ValueError):
        return False
