"""The words of a file, definition by definition: all that a ranking knows of what a file says.

Words are taken as they are written, identifiers whole (`load_config`, `HTTPServer`); how they are split, stemmed and
weighed is the business of whoever reads them, so that another ranking needs no new reading. Each word is told apart by
where it stands: in a definition's name, in what stands above it (doc comment, attributes), in its signature or in its
body. A word counts for the innermost definition around it. What stands in none (imports, statements of a module, all of
a text file) counts for one more unit, the rest of the file.

The result depends on the bytes and their language alone, not on the path, and is plain: texts and arrays of bytes that can be stored, sent
to another process and read into arrays without a loop.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple

from skeleton.languages.headers import naming_in
from skeleton.outline.definitions import Definition, head_of

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

_LEFT_OUT: Final = -1
"""The number of every word that does not count."""
_TOO_SHORT: Final = {bytes([byte]): _LEFT_OUT for byte in range(256)}

_Unit = tuple[list[bytes], list[bytes], list[bytes], list[bytes]]
"""The pieces of text that hold the words of a unit, by their `Place`."""


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
    tests: bytes = b""
    """For each definition 1 where it stands in a test beside what that tests, else 0; empty where none does."""


def terms_of(source: bytes, definitions: Sequence[Definition], language: str | None = None) -> Terms:
    """Counts the words of a file for each of its definitions.

    Args:
        source: the file.
        definitions: those of its sketch, by position, of equal starts the outer first; empty for a file without.
        language: the name of its language, which says where tests may stand; None for one that is not known.
    """
    units = _units(source[:MOST_BYTES].translate(_APART), definitions)
    terms, too_long = _counted(units, _TOO_SHORT)
    if too_long:
        terms, _ = _counted(units, _TOO_SHORT | dict.fromkeys(too_long, _LEFT_OUT))
    finds = naming_in(language).tests
    return terms if finds is None else terms._replace(tests=_tests(source, definitions, finds))


def _tests(source: bytes, definitions: Sequence[Definition], finds: re.Pattern[bytes]) -> bytes:
    """Tells of each definition whether it is a test or stands in one.

    Args:
        source: the file.
        definitions: as for `terms_of`.
        finds: finds something in the head of a test, as the query file of the language says.
    """
    found = bytearray(len(definitions))
    end = 0
    for place, definition in enumerate(definitions):
        if definition.start >= end and finds.search(head_of(source, definition)):
            end = definition.end
        found[place] = definition.start < end
    return bytes(found) if end else b""


def _counted(units: Sequence[_Unit], left_out: dict[bytes, int]) -> tuple[Terms, list[bytes]]:
    """Counts the words of units.

    All words of all files are counted here, and most of the time goes into telling which word each is: so every one is
    looked up once, and what is counted are numbers.

    Args:
        units: for each, what holds its words.
        left_out: words that do not count.

    Returns:
        The words, and those among them that are too long: few files have any, and of these they are counted again.
    """
    known = defaultdict(count().__next__, left_out)
    number = known.__getitem__
    places, numbers, counts = list[bytes](), list[int](), list[int]()
    for index, unit in enumerate(units):
        here: dict[int, int] = {}
        so_far, one = here.get, 1  # a byte for each place, the first the lowest
        for pieces in unit:
            if pieces:
                words = (pieces[0] if len(pieces) == 1 else b" ".join(pieces)).split()
                if len(words) <= MOST_COUNTED:
                    for word in map(number, words):
                        here[word] = so_far(word, 0) + one
                else:
                    often = Counter(map(number, words))
                    if max(often.values()) > MOST_COUNTED:
                        often = {word: min(times, MOST_COUNTED) for word, times in often.items()}
                    for word, times in often.items():
                        here[word] = so_far(word, 0) + times * one
            one <<= 8
        here.pop(_LEFT_OUT, None)
        places.append(index.to_bytes(4, sys.byteorder) * len(here))
        numbers += here
        counts += here.values()
    in_bytes = array("I", counts)
    if sys.byteorder == "big":
        in_bytes.byteswap()
    listed = [*known][len(left_out) :]
    terms = Terms(
        words=tuple(b" ".join(listed).decode("utf-8", "replace").split(" ")) if listed else (),
        units=b"".join(places),
        indices=array("I", numbers).tobytes(),
        counts=in_bytes.tobytes(),
    )
    return terms, [word for word in listed if len(word) > LONGEST_WORD]


def _units(text: bytes, definitions: Sequence[Definition]) -> list[_Unit]:
    """Cuts a text into stretches of which each belongs to the innermost definition; one more unit has the rest.

    Args:
        text: with blanks for what is no part of a word.
        definitions: as for `terms_of`.
    """
    units: list[_Unit] = [([one.name.encode().translate(_APART)], [], [], []) for one in definitions]
    rest: list[bytes] = []
    length, position = len(text), 0
    around: list[Definition] = []
    own: list[_Unit] = []
    for unit, definition in zip(units, definitions, strict=True):
        begins = definition.start
        while around and around[-1].end <= begins:
            ended = around.pop()
            _take(own.pop(), ended, text, position, min(ended.end, length))
            position = max(position, ended.end)
        if around:
            _take(own[-1], around[-1], text, position, min(begins, length))
        elif position < begins:
            rest.append(text[position:begins])
        position = max(position, begins)
        around.append(definition)
        own.append(unit)
    while around:
        ended = around.pop()
        _take(own.pop(), ended, text, position, min(ended.end, length))
        position = max(position, ended.end)
    if position < length:
        rest.append(text[position:])
    return [*units, ([], [], [], rest)]


def _take(unit: _Unit, definition: Definition, text: bytes, start: int, end: int) -> None:
    """Takes a stretch of a definition into its unit; signature and body begin new places."""
    _, _, _, begin, _, signature, body, _ = definition
    _, docs, signatures, bodies = unit
    if start < begin:
        start = begin
    for pieces, until in ((docs, signature), (signatures, body)):
        if start < until:
            if start >= end:
                return
            pieces.append(text[start : min(until, end)])
            start = until
    if start < end:
        bodies.append(text[start:end])
