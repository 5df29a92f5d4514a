"""Turns needs and reasons that are known by the sketches of files into those for their outlines.

A ranking reads sketches (`skeleton.sketch`), and what is shown goes by outlines. A definition of one is that of
the other whose name starts at the same byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from allocator.ranking.why import Reason
from allocator.spend.needs import need_of_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from allocator.ranking.rows import Rows
    from allocator.spend.needs import Explaining
    from allocator.spend.needs import Reason as AnyReason


class Outlined:
    """Needs and reasons for the definitions of outlines.

    Args:
        starts: for each file where the names of its sketch start.
        outline: gives where the names of the outline of the file at a place start.
        needs: for each file those for the definitions of its sketch.
        reasons: tells why, by places in the sketch; None where nothing does.
    """

    def __init__(
        self,
        starts: Rows,
        outline: Callable[[int], Sequence[float]],
        needs: Rows,
        reasons: Explaining | None,
    ) -> None:
        self._starts = starts
        self._outline = outline
        self._needs = needs
        self._reasons = reasons

    def needs(self, file: int) -> Sequence[float]:
        """The needs for the definitions of the outline of the file at a place."""
        outline, starts, needs = self._outline(file), self._starts[file], self._needs[file]
        if tuple(outline) == starts:
            return needs
        known = dict(zip(starts, needs, strict=True))
        unseen = need_of_unseen(needs, otherwise=1.0)
        return [known.get(start, unseen) for start in outline]

    def places(self, named: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """The definitions of outlines whose names start at some places of files, in order; those that have none are left out.

        Args:
            named: the place of each file, and that in it.
        """
        outlines = ((file, start, self._outline(file)) for file, start in named)
        return [(file, outline.index(start)) for file, start, outline in outlines if start in outline]

    def of(self, file: int, definition: int) -> AnyReason:
        """The reason of one definition, by the place of its file and its own among the definitions of the outline."""
        start = self._outline(file)[definition]
        starts = self._starts[file]
        if self._reasons is None or start not in starts:
            return Reason(file=file, definition=definition, weight=0.0, parts=(), words=(), callers=())
        return self._reasons.of(file, starts.index(start))
