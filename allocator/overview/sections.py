"""Tells of members whether they stand in a part of their type that is not for others: below `private:`, or a bare `private`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skeleton.languages.headers import language_name_of
from skeleton.languages.kinds import HOLDERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from allocator.overview.grounds import Grounds, Spot

LABELS: Mapping[str, re.Pattern[bytes]] = {
    language: re.compile(rb"^[ \t]*(public|protected|private)\b[\w \t]*:(?!:)", re.MULTILINE)
    for language in ("c", "cpp", "objc")
} | {"ruby": re.compile(rb"^[ \t]*(public|protected|private)[ \t]*$", re.MULTILINE)}
"""The lines behind which other members may use what is defined, by languages; headers may be taken for C."""

INDENTED = frozenset({"ruby"})
"""Languages in which such a line counts for what is indented as it is."""

OPEN = b"public"

_CLASS = re.compile(rb"\bclass\b")


def is_kept(grounds: Grounds, spot: Spot) -> bool:
    """Tells whether a member stands where its type keeps what is not for others; of one that is declared elsewhere, there.

    Args:
        grounds: the files.
        spot: the member.
    """
    survey = grounds.surveys[spot.file]
    language = language_name_of(grounds.files[spot.file].path) or ""
    owner = survey.containers[spot.place].rpartition(".")[2]
    if language not in LABELS or not owner:
        return False
    for one in (spot, *(one for one in grounds.spots[survey.names[spot.place]] if one != spot)):
        own = grounds.surveys[one.file]
        if own.containers[one.place].rpartition(".")[2] != owner:
            continue
        types = [
            place
            for place in range(one.place)
            if own.names[place] == owner and own.kinds[place] in HOLDERS and own.ends[place] > own.starts[one.place]
        ]
        if types:
            source = grounds.source(one.file)
            said = source[own.bodies[types[-1]] : own.starts[one.place]]
            line = said.rpartition(b"\n")[2]
            labels = [
                found[1]
                for found in LABELS[language].finditer(said)
                if language not in INDENTED or _indent(found[0]) == _indent(line)
            ]
            head = source[: own.starts[types[-1]]].rpartition(b"\n")[2]
            return labels[-1] != OPEN if labels else language not in INDENTED and _CLASS.search(head) is not None
    return False


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip())]
