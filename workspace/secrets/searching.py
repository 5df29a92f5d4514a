"""A text that is searched for secrets: its fixed texts, all found in one pass, and its expressions, tried step by step.

Nearly every rule has fixed texts that a secret cannot do without, and most texts hold few of them. One automaton
(`ahocorasick_rs`) tells which, in a tenth of the time that a search for each takes. Both it and the expressions are
native code, which cannot be stopped, so a long text is handed to them in steps with a look at the call's token between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from ahocorasick_rs import BytesAhoCorasick, Implementation

from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

STEP: Final = 1 << 17
"""Bytes between two looks: the slowest expression, on what was made for it, takes less than a tenth of a second for them."""

_REACH: Final = 1 << 16
"""Bytes behind a step that an expression may look at before it is known where its match ends; no secret is as long."""

_AHEAD: Final = 1 << 10
"""Bytes behind a match that may have a say in it."""


class FixedTexts:
    """Some fixed texts, looked for all at once.

    Args:
        texts: none of them empty.
    """

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._texts = sorted(set(texts))
        self._longest = max(map(len, self._texts))
        self._automaton = BytesAhoCorasick(self._texts, implementation=Implementation.DFA)

    def held_by(self, source: bytes) -> frozenset[bytes]:
        """Returns those of them that stand in a text."""
        found: set[int] = set()
        for start in range(0, len(source), STEP):
            stop_if_cancelled()
            step = source if len(source) <= STEP else source[start : start + STEP + self._longest]
            found.update([match[0] for match in self._automaton.find_matches_as_indexes(step, overlapping=True)])
        return frozenset([self._texts[number] for number in found])


class Searched(msgspec.Struct, frozen=True, kw_only=True):
    """A text that is searched.

    Attributes:
        source: as it is.
        lowered: in lower case.
        extension: of its file, in lower case and without the dot.
        held: the fixed texts of all rules that stand in it, in lower case.
    """

    source: bytes
    lowered: bytes
    extension: str
    held: frozenset[bytes]


def matches(
    pattern: re.Pattern[bytes], source: bytes, start: int = 0, end: int | None = None
) -> Iterator[re.Match[bytes]]:
    """Finds what `finditer` finds, with a look at the call's token after every `STEP` bytes.

    Args:
        pattern: does not match the empty text.
        source: the text.
        start, end: the part of it that is searched; what stands before it may be looked at, what stands behind it not.

    Raises:
        CallCancelledError: nobody waits for the call any more.
    """
    end = len(source) if end is None else end
    while end - start > STEP + _REACH:
        stop_if_cancelled()
        behind = start + STEP
        match = pattern.search(source, start, behind + _REACH)
        if match is not None and match.start() < behind and match.end() > behind + _REACH - _AHEAD:
            start = match.start()  # it may go on behind what was looked at, or end otherwise for what stands there
            match = pattern.match(source, start, end)
            if match is None:
                start += 1
                continue
        if match is None or match.start() >= behind:
            start = behind
            continue
        yield match
        start = match.end()
    stop_if_cancelled()
    yield from pattern.finditer(source, start, end)
