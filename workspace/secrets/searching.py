"""Prepares a text for the search for secrets: the fixed texts of all rules are found in one pass.

Nearly every rule has fixed texts that a secret cannot do without, and most texts hold few of them. One automaton
(`ahocorasick_rs`) tells which, in a tenth of the time that a search for each takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from ahocorasick_rs import BytesAhoCorasick, Implementation

from workspace.cancellation import stop_if_cancelled
from workspace.stepping import STEP

if TYPE_CHECKING:
    from collections.abc import Iterable


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
