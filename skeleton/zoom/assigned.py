"""Finds members that no class declares, where its methods first set them: `self.width = 1`, `this.width = 1`, `@width = 1`.

Classes of Python, Ruby and JavaScript have most of what they hold by that. What is found is the statement, as a field.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from skeleton.languages.kinds import FIELD
from skeleton.outline.definitions import Definition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skeleton.index.indexed import IndexedFile

    Pair = tuple[IndexedFile, Definition]

_MOST_LINES: Final = 60
"""Lines of one statement."""

_OPENING: Final = re.compile(rb"[(\[{]")
_CLOSING: Final = re.compile(rb"[)\]}]")


@lru_cache(maxsize=64)
def _sets(name: str) -> re.Pattern[bytes]:
    """Returns what finds the beginning of a line that sets a member of the object at work."""
    called = re.escape(name.encode())
    return re.compile(
        rb"\n[ \t]*(?P<statement>(?:(?:self|this)\.|@)(?P<name>#?%b)(?!\w)(?:[ \t]*:[^=\n]{0,200})?[ \t]*(?:\|\|)?=(?![=~>]))"
        % called
    )


def assigned(classes: Iterable[Pair], name: str) -> list[Pair]:
    """Returns the statements that set a member first, one of each class that sets it.

    Args:
        classes: those that the member is asked of.
        name: of the member.
    """
    found: list[Pair] = []
    for file, one in classes:
        if (match := _sets(name).search(file.source, one.body, one.end)) is not None:
            start = match.start("statement")
            end = _end_of_statement(file.source, start, one.end)
            found.append((file, Definition(FIELD, name, one.path, start, end, start, end, match.start("name"))))
    return found


def _end_of_statement(source: bytes, start: int, end: int) -> int:
    """Returns the end of the lines that a statement takes: the first at which all its brackets are closed."""
    at, first = start, 0
    for _ in range(_MOST_LINES):
        at = source.find(b"\n", at, end)
        text = source[start : at if at >= 0 else end].rstrip()
        first = first or len(text)
        if len(_OPENING.findall(text)) <= len(_CLOSING.findall(text)):
            return start + len(text)
        if at < 0:
            break
        at += 1
    return start + first
