"""Conditions of a preprocessor between which nothing is shown: `#if`, marks and `#endif` become one mark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from allocator.show.formats import MORE
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_OPENS: Final = re.compile(r"\s*#\s*(?:if|ifdef|ifndef)\b")
_GOES_ON: Final = re.compile(r"\s*#\s*(?:elif|elifdef|elifndef|else)\b")
_ENDS: Final = re.compile(r"\s*#\s*endif\b")
_MARK: Final = re.compile(rf"{re.escape(MORE)} (\d+) (definition|line)s?")

Lines = list[tuple[str, int]]
"""Lines with their numbers in the file, 0 for marks."""


def without_bare_conditions(
    lines: Sequence[str], numbers: Sequence[int], folded: Collection[int], is_exact: Callable[[str, int], bool]
) -> tuple[list[str], list[int]]:
    """Leaves out the conditions that hold nothing that is shown.

    Args:
        lines: what is shown of a file.
        numbers: the line of the file that each comes from; 0 for marks.
        folded: the numbers of those that come from a skeleton: a condition in a text that is shown exactly stays.
        is_exact: tells whether a line stands in the file as it is shown.
    """
    if not any(map(_OPENS.match, lines)):
        return [*lines], [*numbers]
    kept: Lines = []
    opened: list[int] = []
    for line, number in zip(lines, numbers, strict=True):
        kept.append((line, number))
        if number not in folded:
            continue
        if _OPENS.match(line):
            opened.append(len(kept) - 1)
        elif opened and _ENDS.match(line):
            begin = opened.pop()
            if all(_MARK.fullmatch(one) or (_GOES_ON.match(one) and at in folded) for one, at in kept[begin + 1 : -1]):
                kept[begin:] = [(one, 0) for one, _ in kept[begin:] if _MARK.fullmatch(one)]
    told = _joined(kept, is_exact)
    return [line for line, _ in told], [number for _, number in told]


def _joined(kept: Lines, is_exact: Callable[[str, int], bool]) -> Lines:
    """Makes one mark of those that stand together, and none where it would part nothing that looks whole."""
    told: Lines = []
    run: list[str] = []
    for line, number in (*kept, ("", 0)):
        if _MARK.fullmatch(line):
            run.append(line)
            continue
        if len(run) == 1:
            told.append((run[0], 0))
        elif run and told and is_exact(*told[-1]) and is_exact(line, number):
            told.append((_sum(run), 0))
        run = []
        told.append((line, number))
    return told[:-1]


def _sum(marks: Sequence[str]) -> str:
    found = [_MARK.fullmatch(mark) for mark in marks]
    parts = [(int(one[1]), one[2]) for one in found if one]
    kind = "definition" if any(kind == "definition" for _, kind in parts) else "line"
    return f"{MORE} {number_of(sum(count for count, one in parts if one == kind), kind)}"
