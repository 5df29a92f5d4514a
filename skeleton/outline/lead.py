"""The lead of a member: the doc comment and the attributes directly above it, as the walk over a scope meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Lead:
    """The comments and attributes directly above a member."""

    __slots__ = ("_attribute_end", "attribute_start", "reach", "runs")

    def __init__(self) -> None:
        self.runs: list[list[int]] = []
        """Starts of comments, in runs without a blank line or an attribute between them."""
        self.attribute_start = -1
        self._attribute_end = -1
        self.reach = -1

    def comment(self, source: bytes, start: int, end: int) -> None:
        """Adds a comment; one behind an attribute on its line is about that, and no doc of what follows."""
        if self._attribute_end >= 0 and source.find(b"\n", self._attribute_end, start) < 0:
            return
        apart = self.reach < 0 or source.count(b"\n", self.reach, start) > 1
        if apart or source.endswith(b"*/", 0, self.reach):
            self.runs.append([start])
        else:
            self.runs[-1].append(start)
        self.reach = end

    def attribute(self, start: int, end: int) -> None:
        """Adds an attribute on lines of its own."""
        self._attribute_end = end
        if self.attribute_start < 0:
            self.attribute_start = start
        self.reach = -1

    def run_above(self, source: bytes, parsed: bytes, comments: dict[int, int], start: int) -> list[int]:
        """The last run, if it touches what starts there or the attributes of it.

        Args:
            source: the text that is shown.
            parsed: the text that was parsed.
            comments: the end of each comment by its start.
            start: where the member starts.
        """
        if not self.runs:
            return []
        end = comments[self.runs[-1][-1]]
        touched = self.attribute_start if self.attribute_start > end else start
        near = source.count(b"\n", end, touched) <= 1 or _is_over_blanked(source, parsed, end, touched)
        return self.runs[-1] if near else []

    def runs_above(self, source: bytes, parsed: bytes, comments: dict[int, int], start: int) -> Iterator[list[int]]:
        """The last run, if it touches what starts there, and those above it as long as each touches the one below.

        The arguments are those of `run_above`.
        """
        below = self.run_above(source, parsed, comments, start)
        if below:
            yield below
        for run in reversed(self.runs[:-1] if below else ()):
            if source.count(b"\n", comments[run[-1]], below[0]) > 1 or self._is_parted(run, below):
                return
            yield run
            below = run

    def _is_parted(self, above: list[int], below: list[int]) -> bool:
        """Tells whether an attribute stands between two runs."""
        return above[-1] < self.attribute_start < below[0]


def _is_over_blanked(source: bytes, parsed: bytes, end: int, start: int) -> bool:
    """Tells whether lines that were blanked are all that parts a comment from a member, as far from one as from the other."""
    if parsed[end:start].strip():
        return False
    _, *between, _ = source[end:start].split(b"\n")
    above, below = bool(between[0].strip()), bool(between[-1].strip())
    return above == below and (above or any(map(bytes.strip, between)))
