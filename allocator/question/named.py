"""The wishes of a reader whose query names definitions: of each its signature, then what a budget can hold of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allocator.spend.steps import LONG, Kind, Wish
from skeleton.index.weights import MISSING
from skeleton.languages.kinds import CALLABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.show.views import FileViews

SHORT = 200
"""Tokens of what is no function up to which all of it is shown."""


def wishes_of_names(named: Sequence[tuple[int, int]], files: Sequence[FileViews], *, is_all: bool) -> list[Wish]:
    """Returns wishes for definitions that a query names: all signatures first, then texts, of long ones an excerpt.

    Args:
        named: for each the place of its file, and its own in the outline.
        files: those of the call.
        is_all: whether the query consists of names: then functions are shown in full, however long they are.
    """
    units = ((file, files[file].weights.unit[place]) for file, place in named)
    shown = [(file, unit) for file, unit in dict.fromkeys(units) if unit != MISSING]
    texts = (
        Wish(file, unit, kind)
        for file, unit in shown
        if (kind := _text_of(files[file], unit, is_all=is_all)) is not None
    )
    return [*(Wish(file, unit, Kind.SIGNATURE) for file, unit in shown), *texts]


def _text_of(file: FileViews, unit: int, *, is_all: bool) -> Kind | None:
    """Returns the kind of text that is shown of a definition besides its signature."""
    tokens = file.weights.full[unit]
    if file.definitions[unit].kind not in CALLABLE:
        return Kind.BODY if tokens <= SHORT else None
    return Kind.BODY if is_all or tokens < LONG else Kind.EXCERPT
