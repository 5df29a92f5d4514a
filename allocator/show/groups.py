"""Lines around definitions that belong to none of them: `type (` and its `)` in Go, `if TYPE_CHECKING:` in Python.

Without them a definition does not read as what it is. They are known by how they are indented and what they end with, in
all languages alike: a line that opens a bracket or ends with a colon holds what stands deeper below it, up to a line
that closes the bracket. `else` and the like say nothing without the line before them, which is shown with them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skeleton.index.units import Units

_OPENS: Final = re.compile(r"[(\[{:]$")
_CLOSES: Final = re.compile(r"[)\]}]")
_GOES_ON: Final = re.compile(r"(?:[)\]}]\s*)?(?:else|elif|elsif|except|finally|catch)\b")
_LABEL: Final = re.compile(r"\w+:")
"""A line that names a part of a type, `public:`, or a word that opens a block by itself."""
_BLOCKS: Final = frozenset(("else:", "try:", "finally:"))

DEEPEST: Final = 8
"""Lines around a unit that are told, the nearest, and lines that one of them goes on from, likewise."""


class _Line(NamedTuple):
    """A line that belongs to no head: its row, how deep it stands, whether it opens a block, and what comes with it."""

    row: int
    depth: int
    opens: bool
    beside: tuple[int, ...]


def groups_of(lines: Sequence[str], units: Units) -> Mapping[int, tuple[int, ...]]:
    """Finds the lines of a skeleton that a reader needs around its units, besides those of other units.

    Args:
        lines: the skeleton.
        units: of the same skeleton.

    Returns:
        The rows of those lines, by the unit; units without any are left out.
    """
    found: dict[int, list[int]] = {}
    ends: dict[int, int] = {}
    first_rows = {unit.first: number for number, unit in reversed([*enumerate(units.units)])}
    above: list[_Line] = []
    for first, end, owner in units.runs:
        unit = units.units[owner] if owner >= 0 else None
        for row in range(first, end):
            text = lines[row].strip()
            if not text:
                continue
            depth = len(lines[row]) - len(lines[row].lstrip())
            before = None
            while above and above[-1].depth >= depth:
                before = above.pop()
            if row in first_rows and (rows := _rows(above, units, first_rows[row])):
                found[first_rows[row]] = rows
            if unit is None or unit.head < row < unit.last:
                before = before if before is not None and before.depth == depth else None
                if before is not None and _CLOSES.match(text):
                    ends[before.row] = row
                beside = (*before.beside, before.row) if before is not None and _GOES_ON.match(text) else ()
                above.append(_Line(row, depth, _opens(text), beside[-DEEPEST:]))
    return {unit: tuple(sorted({*rows, *(ends[row] for row in rows if row in ends)})) for unit, rows in found.items()}


def _rows(above: Sequence[_Line], units: Units, number: int) -> list[int]:
    """The rows of those lines that hold a unit and stand inside the unit around it."""
    around = units.units[number].parent
    first = units.units[around].first if around >= 0 else -1
    return [row for line in above[-DEEPEST:] if line.opens and line.row > first for row in (*line.beside, line.row)]


def _opens(text: str) -> bool:
    return _OPENS.search(text) is not None and (text in _BLOCKS or not _LABEL.fullmatch(text))
