"""The words of a file, definition by definition: all that a ranking knows of what a file says.

Words are taken as they are written, identifiers whole (`load_config`, `HTTPServer`); how they are split, stemmed and
weighed is the business of whoever reads them, so that another ranking needs no new reading. Each word is told apart by
where it stands: in a definition's name, in what stands above it (doc comment, attributes), in its signature or in its
body. A word counts for the innermost definition around it. What stands in none (imports, statements of a module, all of
a text file) counts for one more unit, the rest of the file.

The result depends on the bytes alone, not on the path, and is plain: texts and arrays of bytes that can be stored, sent
to another process and read into arrays without a loop.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from skeleton.outline.definitions import Definition

SHORTEST_WORD = 2
LONGEST_WORD = 64
"""Characters of a word: a longer one is a digest or data."""
MOST_BYTES = 400_000
"""The bytes that are read of a file; words further down are left out (definitions keep their names)."""
MOST_COUNTED = 255
"""The most times that a word counts in one place."""

WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")
"""The pattern of a word."""

_APART = bytes(byte if byte >= 0x80 or chr(byte).isalnum() or byte == ord("_") else ord(" ") for byte in range(256))
"""The same as a table for `bytes.translate`: blanks for what is no part of a word."""


class Place(IntEnum):
    """The places of a definition in which a word can stand."""

    NAME = 0
    DOC = 1
    """Above it: its doc comment and the attributes on lines of their own."""
    SIGNATURE = 2
    BODY = 3


class Terms(NamedTuple):
    """The words of a file: for each unit and word, how often the word stands in each place of the unit.

    Units are the file's definitions by index; one more, the last, is the rest of the file.
    """

    words: tuple[str, ...]
    """Each word once, as written."""
    units: bytes
    """The unit of each entry: 32 bits, in the machine's order (`array("I")`); ascending."""
    indices: bytes
    """The word of each entry, as an index into `words`: likewise."""
    counts: bytes
    """Four bytes for each entry: how often the word is in the unit's name, above it, in its signature, in its body."""


def terms_of(source: bytes, definitions: Sequence[Definition]) -> Terms:
    """Counts the words of a file for each of its definitions.

    Args:
        source: the file.
        definitions: those of its sketch, by position, of equal starts the outer first; empty for a file without.
    """
    places = _Places(source[:MOST_BYTES].translate(_APART), definitions)
    known: dict[bytes, int] = {}
    number = known.setdefault
    units, indices, counts = array("I"), array("I"), array("I")
    for unit, words_of_places in enumerate(places.words()):
        here: dict[bytes, int] = {}
        for place, words in enumerate(words_of_places):
            if words:
                _count(here, words, place)
        words = [word for word in here if SHORTEST_WORD <= len(word) <= LONGEST_WORD]
        units.extend([unit] * len(words))
        indices.extend([number(word, len(known)) for word in words])
        counts.extend([here[word] for word in words] if len(words) < len(here) else here.values())
    if sys.byteorder == "big":
        counts.byteswap()
    listed = tuple(word.decode("utf-8", "replace") for word in known)
    return Terms(listed, units.tobytes(), indices.tobytes(), counts.tobytes())


def _words(text: bytes) -> list[bytes]:
    return text.translate(_APART).split()


def _count(counts: dict[bytes, int], words: Sequence[bytes], place: int) -> None:
    """Adds how often each word stands in a place of a unit: a byte for each place, the first the lowest."""
    one, known = 1 << 8 * place, counts.get
    if len(words) <= MOST_COUNTED:
        for word in words:
            counts[word] = known(word, 0) + one
    else:
        for word, times in Counter(words).items():
            counts[word] = known(word, 0) + min(times, MOST_COUNTED) * one


class _Places:
    """The words of a text by the definition that they count for, and by the place in that.

    Args:
        text: with blanks for what is no part of a word.
        definitions: as for `terms_of`.
    """

    def __init__(self, text: bytes, definitions: Sequence[Definition]) -> None:
        self._text = text
        self._definitions = definitions
        self._rest: list[bytes] = []
        self._docs: list[list[bytes]] = [[] for _ in definitions]
        self._signatures: list[list[bytes]] = [[] for _ in definitions]
        self._bodies: list[list[bytes]] = [[] for _ in definitions]
        self._cut()

    def words(self) -> Iterator[tuple[Sequence[bytes], ...]]:
        """Yields the words of each unit, in the order of `Place`."""
        names = (_words(definition.name.encode()) for definition in self._definitions)
        yield from zip(names, self._docs, self._signatures, self._bodies, strict=True)
        yield (), (), (), self._rest

    def _cut(self) -> None:
        """Cuts the text into stretches of which each belongs to the innermost definition."""
        definitions, length, position = self._definitions, len(self._text), 0
        around: list[int] = []
        for unit, definition in enumerate(definitions):
            begins = definition.start
            while around and (end := definitions[around[-1]].end) <= begins:
                self._take(position, min(end, length), around.pop())
                position = max(position, end)
            self._take(position, min(begins, length), around[-1] if around else -1)
            position = max(position, begins)
            around.append(unit)
        for unit in reversed(around):
            end = definitions[unit].end
            self._take(position, min(end, length), unit)
            position = max(position, end)
        self._take(position, length, -1)

    def _take(self, start: int, end: int, unit: int) -> None:
        """Takes the words of a stretch of one unit, -1 for the rest; signature and body begin new places."""
        if start >= end:
            return
        text = self._text
        if unit < 0:
            self._rest += text[start:end].split()
            return
        definition = self._definitions[unit]
        start = max(start, definition.start)
        for words, until in ((self._docs, definition.signature), (self._signatures, definition.body)):
            if start < until:
                words[unit] += text[start : min(until, end)].split()
                if until >= end:
                    return
                start = until
        self._bodies[unit] += text[start:end].split()
