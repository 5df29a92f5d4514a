"""The levels that a call lets files be shown at: its mode of skeletons, and the least and the most detail."""

from __future__ import annotations

from enum import StrEnum

from skeleton import CompressionLevel
from workspace.errors import InvalidArgumentError

_SHOWN = (CompressionLevel.FULL, CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)


class SkeletonMode(StrEnum):
    """The modes of skeletons, by when they stand in for files, in the words of the protocol."""

    AUTO = "auto"
    """As soon as there is a budget."""
    ENABLED = "enabled"
    """Every file starts as a skeleton; what fits is upgraded."""
    DISABLED = "disabled"
    """A file is full or dropped."""


def offered_levels(
    mode: SkeletonMode, *, min_level: CompressionLevel, max_level: CompressionLevel
) -> tuple[CompressionLevel, ...]:
    """Lists the levels at which a file may be shown, the most detailed first.

    Raises:
        InvalidArgumentError: there is none.
    """
    if max_level.depth > min_level.depth or max_level is CompressionLevel.DROP:
        message = f"max_level {max_level} must show something, and in no less detail than min_level {min_level}."
        raise InvalidArgumentError(message)
    if mode is SkeletonMode.DISABLED:
        if max_level is not CompressionLevel.FULL:
            message = f"skeleton='disabled' shows files in full only; it cannot be combined with max_level {max_level}."
            raise InvalidArgumentError(message)
        return (CompressionLevel.FULL,)
    return tuple(level for level in _SHOWN if max_level.depth <= level.depth <= min_level.depth)
