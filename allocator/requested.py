"""Reads how a context is to be made, from the words of a call."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from allocator.fileset import ContextRequest
from allocator.show.formats import FormatName
from allocator.spend.offered import SkeletonMode, offered_levels
from skeleton import CompressionLevel
from workspace.errors import InvalidArgumentError
from workspace.tokens import parse_budget

_Choice = TypeVar("_Choice", bound=StrEnum)


def requested(
    token_budget: int | str | None,
    skeleton: str,
    min_level: str,
    max_level: str,
    format_name: str,
    *,
    line_numbers: bool,
    summary: bool,
) -> ContextRequest:
    """Checks how a context is to be made.

    Raises:
        InvalidArgumentError: an argument is not of its form, or no level is between the least and the most.
    """
    request = ContextRequest(
        token_budget=parse_budget(token_budget),
        mode=_chosen(SkeletonMode, skeleton, "skeleton"),
        min_level=_chosen(CompressionLevel, min_level, "min_level"),
        max_level=_chosen(CompressionLevel, max_level, "max_level"),
        format=_chosen(FormatName, format_name, "format"),
        line_numbers=line_numbers,
        summary=summary,
    )
    offered_levels(request.mode, min_level=request.min_level, max_level=request.max_level)
    return request


def _chosen(choices: type[_Choice], value: str, argument: str) -> _Choice:
    """Finds one of a few names.

    Raises:
        InvalidArgumentError: there is none like it; the message lists them.
    """
    try:
        return choices(value)
    except ValueError as error:
        names = ", ".join(choices)
        raise InvalidArgumentError(f"{argument} is {value!r}; it must be one of: {names}.") from error
