"""The texts of a file at its levels: those that the engine (`skeleton.skeletonizer`) makes, and those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from skeleton.levels import CompressionLevel

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition, Outline


class Skeleton(msgspec.Struct, frozen=True, kw_only=True):
    """A file at one level.

    Attributes:
        text: what is shown, without a line break at its end where it is a skeleton.
        level: the level that is really given; a safer one than was asked for where that one could not be proven or
            would not be shorter.
        line_numbers: the source line (1-based) of every line of the text; 0 for a mark, `⋮ lines 3-9 as written`.
        definitions: the definitions that the text shows, by position.
        syntax_errors: the source does not parse cleanly.
        unproven: what the first level that was given up failed, or "".
    """

    text: str
    level: CompressionLevel
    line_numbers: tuple[int, ...]
    definitions: tuple[Definition, ...]
    syntax_errors: bool
    unproven: str

    @property
    def unmarked(self) -> str:
        """The text without marks: what was proven."""
        if all(self.line_numbers):
            return self.text
        return "\n".join(line for line, number in zip(self.text.split("\n"), self.line_numbers, strict=True) if number)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The qualified names of the definitions shown: `Config.load`."""
        return tuple(definition.path for definition in self.definitions)


class Skeletons(msgspec.Struct, frozen=True, kw_only=True):
    """A file at all its levels, each proven.

    Attributes:
        full, plus, skeleton: the file at L0, L1 and L2. A level that does not save is the one above.
        outline: what the file consists of; None where it is not code.
    """

    full: Skeleton
    plus: Skeleton
    skeleton: Skeleton
    outline: Outline | None

    def at(self, level: CompressionLevel) -> Skeleton:
        """The file at L0, L1 or L2; raises KeyError for L3, which shows nothing."""
        return {
            CompressionLevel.FULL: self.full,
            CompressionLevel.SKELETON_PLUS: self.plus,
            CompressionLevel.SKELETON: self.skeleton,
        }[level]
