"""What an allocation leaves over is spent line by line.

Levels are coarse: the next one up may cost more than what is left. Then a part of it is shown, the most important file
first: a cut file grows, one with elided definitions shows more of them, a skeleton shows the first lines of its file at
the next level up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator.show.framing import Framer, Portion

if TYPE_CHECKING:
    Head = Callable[[int, int, bool], Portion | None]
    """Gives the part of a file's last level that so many tokens hold; the last argument: to the character."""

TRIES = 16
"""Files that are tried: one absorbs nearly all, the others what its line lengths leave."""


def fill(
    shown: list[Portion | None],
    whole: list[Portion | None],
    ladders: Sequence[Sequence[CompressionLevel]],
    framer: Framer,
    head: Head,
    *,
    spare: int,
    enough: int,
) -> None:
    """Replaces portions by larger ones, in place, while tokens are left.

    Args:
        shown: a portion for every file that is shown, the most important first.
        whole: the same without parts of steps, from which such parts are taken; kept up to date too.
        ladders: for every file the levels worth using, the most detailed first.
        framer: frames and weighs.
        head: shows the part of a file's last level that a room holds.
        spare: tokens to spend.
        enough: tokens that may stay unspent.
    """
    for part_of_a_line in (False, True):
        for index in _growing(whole, ladders)[:TRIES]:
            base, current = whole[index], shown[index]
            if spare <= enough or base is None or current is None:
                return
            grown = _grown(
                index, base, ladders[index], framer, head, current.cost + spare, part_of_a_line=part_of_a_line
            )
            if grown is not None and grown.cost > current.cost:
                shown[index] = grown
                spare -= grown.cost - current.cost
                if not grown.partial:
                    whole[index] = grown


def _growing(shown: Sequence[Portion | None], ladders: Sequence[Sequence[CompressionLevel]]) -> list[int]:
    return [
        index
        for index, portion in enumerate(shown)
        if portion is not None and (portion.cut or portion.elided or portion.level is not ladders[index][0])
    ]


def _grown(
    index: int,
    portion: Portion,
    ladder: Sequence[CompressionLevel],
    framer: Framer,
    head: Head,
    room: int,
    *,
    part_of_a_line: bool,
) -> Portion | None:
    """The most of the next level up that costs no more than `room` tokens."""
    file = portion.file
    in_part = portion.cut or portion.elided
    level = ladder[-1] if in_part else ladder[ladder.index(portion.level) - 1]
    view = file.view(level)
    whole = framer.portion(file, level, view)
    if whole.cost <= room:
        return whole
    if in_part:
        return head(index, room, part_of_a_line)
    name = "FULL" if level is CompressionLevel.FULL else level.value
    return framer.widest_blend(portion, view, name, room, part_of_a_line=part_of_a_line)
