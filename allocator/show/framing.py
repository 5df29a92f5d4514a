"""Frames and weighs views of files: the cost of a block, and the most of a file that a room holds.

A `Portion` is a view of a file in the frame of a format, with its exact cost in tokens. Where a view is too large for
its room, a part of it is found by trying: a head or a blend line by line, a selection definition by definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from allocator.show.edits import EditedSelection
from allocator.show.elision import Selection
from allocator.show.formats import Block, Format, as_written
from allocator.show.views import LARGEST_BLOCK, SHORT_LINE, Count, FileViews, View, blend, head
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Portion(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it is shown, framed and weighed.

    Attributes:
        file: the file.
        level: the level it counts as.
        view: the lines shown.
        text: the framed block.
        cost: its tokens.
    """

    file: FileViews
    level: CompressionLevel
    view: View
    text: str
    cost: int

    @property
    def elided(self) -> bool:
        """True if some of the file's definitions are left out."""
        return self.view.selection is not None and self.view.selection.shown is not None


class Framer:
    """Frames and weighs views in one format.

    Args:
        layout: the format.
        count: counts tokens.
        line_numbers: whether each line starts with its number in the source.
        terse: whether selections go without what the path or the text says as well.
    """

    def __init__(self, layout: Format, count: Count, *, line_numbers: bool = False, terse: bool = False) -> None:
        self.layout = layout
        self.count = count
        self._line_numbers = line_numbers
        self._terse = terse

    def portion(self, file: FileViews, level: CompressionLevel, view: View) -> Portion:
        """Frames a view of a file and counts the tokens of the block."""
        block = Block(
            path=file.address,
            level=level,
            lines=self._numbered(view) if self._line_numbers else self._told_apart(file, level, view),
            marks=(*file.notes, *view.marks),
            md5=file.md5,
            original_tokens=file.original_tokens,
            shown_tokens=self._tokens(file, level, view),
            language=file.language,
        )
        text = self.layout.frame(block)
        return Portion(file=file, level=level, view=view, text=text, cost=self.count(self.layout.cost_text(text)))

    def _told_apart(self, file: FileViews, level: CompressionLevel, view: View) -> tuple[str, ...]:
        """The lines of a view, those of the file told from those that stand for others."""
        is_whole = level is CompressionLevel.FULL and not file.removed
        if is_whole and not self.layout.is_open:
            return view.lines
        rows = zip(view.lines, view.numbers, strict=True)
        return tuple(as_written(line) if number else line for line, number in rows)

    def _tokens(self, file: FileViews, level: CompressionLevel, view: View) -> int:
        """The tokens of a view without a frame; those of a whole level are known."""
        if level is CompressionLevel.FULL:
            return file.original_tokens
        if not self.layout.tells_size:
            return 0
        if view.partial or view.selection is not None:
            return self.count("".join(f"{line}\n" for line in view.lines))
        return file.facts.tokens[level.depth]

    def floor(self, file: FileViews, view: View) -> Portion | None:
        """The smallest head of a view, which counts as L2; None if it shows the view whole.

        It tells that the file is there: where the first line is a long one, none is shown.
        """
        if not view.lines:
            return None
        short = len(view.lines[0]) <= SHORT_LINE
        if short and len(view.lines) == 1:
            return None
        return self.portion(file, CompressionLevel.SKELETON, head(view, 1 if short else 0))

    def longest_head(self, file: FileViews, view: View, room: int) -> Portion | None:
        """The longest head of a view that costs no more than `room` tokens; None if not one line fits."""
        return most_within(
            len(view.lines) - 1, room, lambda lines: self.portion(file, CompressionLevel.SKELETON, head(view, lines))
        )

    def widest_blend(self, base: Portion, detailed: View, name: str, room: int) -> Portion | None:
        """The blend over a block that shows most and costs no more than `room` tokens; None if there is none.

        Args:
            base: the block.
            detailed: the view that its first lines are taken from.
            name: what that view is called in the mark.
            room: tokens that the new block may cost.
        """
        return most_within(
            len(detailed.lines) - 1,
            room,
            lambda lines: self.portion(base.file, base.level, blend(base.view, detailed, lines, name)),
        )

    def selected(self, file: FileViews, level: CompressionLevel, selection: Selection) -> Portion:
        """Frames a selection of a file's definitions; one that leaves some out counts as L2."""
        if self._terse:
            selection = replace(selection, terse=True, told=file.told)
        counts_as = level if selection.shown is None else CompressionLevel.SKELETON
        if isinstance(selection, EditedSelection):
            return self.portion(file, counts_as, file.selected(level, selection))
        return self._known(file, level, selection, counts_as, lambda: file.selected(level, selection))

    def whole(self, file: FileViews, level: CompressionLevel) -> Portion:
        """Frames a level of a file."""
        return self._known(file, level, None, level, lambda: file.view(level))

    def _known(
        self,
        file: FileViews,
        level: CompressionLevel,
        selection: Selection | None,
        counts_as: CompressionLevel,
        view: Callable[[], View],
    ) -> Portion:
        """Frames a view, which an earlier call may have framed already, where the call itself says nothing of the file."""
        if file.notes or file.removed:
            return self.portion(file, counts_as, view())
        key = file.file.key, file.address, level, selection, self.layout, self._line_numbers
        if (found := file.known_blocks.find(key)) is not None:
            shown, text, cost = found
            return Portion(file=file, level=counts_as, view=shown, text=text, cost=cost)
        made = self.portion(file, counts_as, view())
        if len(made.text) <= LARGEST_BLOCK:
            file.known_blocks.keep(key, (made.view, made.text, made.cost))
        return made

    def widest_selection(
        self, file: FileViews, level: CompressionLevel, order: Sequence[int], room: int
    ) -> Portion | None:
        """The most definitions of a file that can be shown in `room` tokens; None if not one can be.

        As many signatures as fit come first, then what stands outside definitions.

        Args:
            file: the file.
            level: the level that signatures are taken from.
            order: the definitions, by their places in the outline, the most important first.
            room: tokens that the block may cost.
        """

        def made(selection: Selection) -> Portion:
            return self.selected(file, level, selection)

        units = file.units(level)
        order = [place for place in order if place in units.of]
        widest = most_within(len(order), room, lambda number: made(Selection(shown=frozenset(order[:number]))))
        every = Selection(shown=frozenset(order))
        if widest is None or widest.view.selection is None or widest.view.selection.shown != every.shown:
            return widest
        return most_within(units.loose, room, lambda number: made(replace(every, loose=number))) or widest

    @staticmethod
    def _numbered(view: View) -> tuple[str, ...]:
        return tuple(
            " ".join(part for part in (str(number or ""), line) if part)
            for line, number in zip(view.lines, view.numbers, strict=True)
        )


def most_within(limit: int, room: int, made: Callable[[int], Portion]) -> Portion | None:
    """The portion made of the most of something, up to a limit, that a room holds; None if not one of it fits.

    Args:
        limit: how many of it there are.
        room: tokens that the portion may cost.
        made: makes the portion of so many.
    """
    best: Portion | None = None

    def fits(number: int) -> bool:
        nonlocal best
        portion = made(number)
        if portion.cost <= room:
            best = portion
        return portion.cost <= room

    largest(limit, fits)
    return best


def largest(limit: int, fits: Callable[[int], bool]) -> int:
    """Finds the largest number from 1 to `limit` that fits, or 0, with few and small tries.

    Small numbers are tried first, so that where trying costs more the larger the number is, the cost stays close to
    that of the answer. What fits must fit all the more for smaller numbers, or nearly so: the answer itself is always
    one that was tried.
    """
    low, high = 0, 1
    while high <= limit and fits(high):
        low, high = high, high * 2
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
