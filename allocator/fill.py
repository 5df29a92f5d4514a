"""What an allocation leaves over is spent line by line.

Levels are coarse: the next one up may cost more than what is left. Then a part of it is shown. Cut files grow first,
because they lack the most; then skeletons show the first lines of their file at the next level up, the most important
file first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.views import Framer, Portion

TRIES = 16
"""Files that are tried: one absorbs nearly all, the others what its line lengths leave."""


def fill(
    shown: list[Portion | None],
    ladders: Sequence[Sequence[CompressionLevel]],
    framer: Framer,
    *,
    spare: int,
    enough: int,
) -> None:
    """Replaces portions by larger ones, in place, while tokens are left.

    Args:
        shown: a portion for every file that is shown, the most important first.
        ladders: for every file the levels worth using, the most detailed first.
        framer: frames and weighs.
        spare: tokens to spend.
        enough: tokens that may stay unspent.
    """
    for part_of_a_line in (False, True):
        cut = [index for index, portion in enumerate(shown) if portion and portion.cut]
        folded = [index for index, portion in enumerate(shown) if portion and _folded(portion, ladders[index])]
        for index in (cut if part_of_a_line else [*cut, *folded])[:TRIES]:
            portion = shown[index]
            if spare <= enough or portion is None:
                return
            grown = _grown(portion, ladders[index], framer, portion.cost + spare, part_of_a_line=part_of_a_line)
            if grown is not None and grown.cost > portion.cost:
                shown[index] = grown
                spare -= grown.cost - portion.cost


def _folded(portion: Portion, ladder: Sequence[CompressionLevel]) -> bool:
    return not portion.cut and portion.level is not ladder[0]


def _grown(
    portion: Portion, ladder: Sequence[CompressionLevel], framer: Framer, room: int, *, part_of_a_line: bool
) -> Portion | None:
    """The most of the next level up that costs no more than `room` tokens."""
    file = portion.file
    level = ladder[-1] if portion.cut else ladder[ladder.index(portion.level) - 1]
    view = file.view(level)
    whole = framer.portion(file, level, view)
    if whole.cost <= room:
        return whole
    if portion.cut:
        return framer.longest_head(file, view, room, part_of_a_line=part_of_a_line)
    name = "FULL" if level is CompressionLevel.FULL else level.value
    return framer.widest_blend(portion, view, name, room)
