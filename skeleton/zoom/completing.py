"""Completes targets that somebody has begun to type: each value begins as it was typed, in any case, and can be zoomed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.names.targets import segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.zoom.symbols import SymbolTable

_QUALIFIED: Final = re.compile(r"(?P<container>.*(?:::|->|[.#]))(?P<name>.*)", re.DOTALL)


def completed(typed: str, table: SymbolTable, paths: Sequence[str], limit: int) -> list[str]:
    """Returns targets that begin with some letters.

    Behind `src/a.py::` they are the definitions of the file, behind `Config.` the members of what is called so; with a
    slash they are paths, and else names of definitions.

    Args:
        typed: the letters.
        table: the symbols of the files.
        paths: of the files.
        limit: how many at most.
    """
    path, separator, rest = typed.partition("::")
    if separator and (file := table.at(path)) is not None:
        (definitions,) = table.symbols([file])
        inside = {one.path for one in definitions if one.path.lower().startswith(rest.lower())}
        return [f"{path}::{one}" for one in sorted(inside)[:limit]]
    if "/" in typed:
        return [one for one in paths if one.lower().startswith(typed.lower())][:limit]
    qualified = _QUALIFIED.fullmatch(typed)
    if qualified is None:
        return table.starting(typed, limit)
    members = _members(segments(qualified["container"]), qualified["name"].lower(), table)
    return [qualified["container"] + one for one in members[:limit]]


def _members(container: tuple[str, ...], beginning: str, table: SymbolTable) -> list[str]:
    """The names of what stands directly in a container and begins so, by name."""
    found: set[str] = set()
    for definitions in table.symbols(table.holders(container[-1]) if container else []):
        for one in definitions:
            *around, name = segments(one.path) or ("",)
            if tuple(around[-len(container) :]) == container and name.lower().startswith(beginning):
                found.add(name)
    return sorted(found)
