"""Tells which units of a text stand above others that mean little without them.

A heading, a line in bold, the head of a table, a line that ends in a colon, an item with deeper items below it: each leads
what follows, until something of its own depth comes. What stands below it needs it, but for a line that only announces it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from compaction.prose.units import BOLD, TABLE, Kind, Unit
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_DEEPER: Final = 16
"""The depths between two levels of headings, for lines in bold that stand in a row."""

_COLON: Final = (TABLE + 1) * _DEEPER
_ITEMS: Final = _COLON + 1
"""The depth of a line that ends in a colon, and that of an item without indentation."""

_SHORT: Final = 80
"""Characters up to which what stands below a line is hard to read without it, and the line says little without that."""

_VALUE: Final = re.compile(r"[^\s:]: +[^\s*_]")
"""A colon with something behind it: such a line in bold says something of its own."""

_LED: Final = frozenset({Kind.ITEM, Kind.ROW, Kind.CODE})


class Led(NamedTuple):
    """A unit in its place.

    Attributes:
        unit: as a heading where it only leads others.
        needs: the numbers of the units without which it means little.
        introduced: the number of the line above that only announces it, None for none.
        announces: whether it is such a line, which says nothing where nothing below it stands.
    """

    unit: Unit
    needs: tuple[int, ...]
    introduced: int | None
    announces: bool


def led(text: str, found: Sequence[Unit], says: Callable[[str], bool]) -> list[Led]:
    """Return the units with what stands above each of them.

    Args:
        text: any text.
        found: its units.
        says: whether a line that leads others says something of its own, however short it is.
    """
    depths = _depths(text, found)
    made: list[Led] = []
    stack: list[int] = []
    for number, unit in enumerate(still_wanted(found)):
        depth = depths[number]
        words = text[unit.start : unit.end]
        is_bare = depth >= _COLON and len(words) <= _SHORT and _ends_in_colon(words) and not says(words)
        while stack and _ends(text, unit, number, depth, stack[-1], depths[stack[-1]], found):
            stack.pop()
        needs = tuple(lead for lead in stack if depths[lead] != _COLON)
        introduced = next((lead for lead in reversed(stack) if depths[lead] == _COLON), None)
        if unit.kind is Kind.HEADING and unit.level == BOLD and (not depth or _VALUE.search(words)):
            unit = replace(unit, kind=Kind.LINE, level=0)
        elif is_bare and depth > _COLON:
            unit = replace(unit, kind=Kind.HEADING)
        made.append(Led(unit, needs, introduced, is_bare and depth == _COLON))
        if depth and (depth < _COLON or is_bare or (depth > _COLON and len(words) <= _SHORT)):
            stack.append(number)
    return made


def _depths(text: str, found: Sequence[Unit]) -> list[int]:
    """The depth of each unit that leads the next one, 0 for one that leads nothing."""
    depths: list[int] = []
    leads_on = False
    for number in still_wanted(range(len(found) - 1, -1, -1)):
        unit, following = found[number], found[number + 1] if number + 1 < len(found) else None
        depth = 0
        if unit.kind is Kind.HEADING and unit.level == BOLD:
            is_bold_next = following is not None and following.kind is Kind.HEADING and following.level == BOLD
            leads_on = leads_on if is_bold_next else following is not None and _is_led(following)
            depth = BOLD * _DEEPER if leads_on else 0
        elif unit.kind is Kind.HEADING:
            depth = unit.level * _DEEPER
        elif following is None or unit.kind not in {Kind.ITEM, Kind.SENTENCE, Kind.LINE}:
            depth = 0
        elif unit.kind is Kind.ITEM and following.kind is Kind.ITEM and following.level > unit.level:
            depth = _ITEMS + unit.level
        elif _is_led_by_colon(following) and _ends_in_colon(text[unit.start : unit.end]):
            is_item = unit.kind is Kind.ITEM
            depth = _ITEMS + unit.level if is_item and following.kind is Kind.CODE else 0 if is_item else _COLON
        depths.append(depth)
    depths.reverse()
    return _in_rows(found, depths)


def _in_rows(found: Sequence[Unit], depths: Sequence[int]) -> list[int]:
    """The depths, of lines in bold that stand in a row each deeper than the one before."""
    made: list[int] = []
    for number, depth in enumerate(depths):
        is_bold = depth == BOLD * _DEEPER and found[number].kind is Kind.HEADING
        in_row = is_bold and number > 0 and found[number - 1].level == BOLD and depths[number - 1] == depth
        made.append(min(made[-1] + 1, depth + _DEEPER - 1) if in_row else depth)
    return made


def _is_led(unit: Unit) -> bool:
    return unit.kind is not Kind.HEADING or unit.level == TABLE


def _is_led_by_colon(unit: Unit) -> bool:
    return unit.kind in _LED or (unit.kind is Kind.HEADING and unit.level == TABLE)


def _ends_in_colon(words: str) -> bool:
    return words.rstrip(" *_`").endswith((":", "："))


def _ends(text: str, unit: Unit, number: int, depth: int, lead: int, lead_depth: int, found: Sequence[Unit]) -> bool:
    """Tells whether a unit ends what a lead stands above."""
    if lead == number - 1 and _is_led(unit) and unit.kind is not Kind.HEADING:
        return False
    if unit.kind is Kind.HEADING and unit.level != TABLE:
        return lead_depth >= depth or lead_depth >= TABLE * _DEEPER
    if unit.kind is Kind.HEADING:
        return lead_depth >= _ITEMS or lead_depth == TABLE * _DEEPER
    if lead_depth < TABLE * _DEEPER:
        return False
    if lead_depth == TABLE * _DEEPER:
        return unit.kind is not Kind.ROW
    if number and "\n" not in text[found[number - 1].end : unit.start]:
        return False
    if lead_depth == _COLON:
        return unit.kind not in _LED
    words = text[unit.start : unit.end]
    indent = unit.level if unit.kind is Kind.ITEM else len(words) - len(words.lstrip())
    return indent <= found[lead].level
