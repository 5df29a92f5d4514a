"""The text of JSON strings that stand one behind another, between a place in the first and one in the last of them.

So a notebook holds the code of a cell. No line of the file ends inside a string, but a string may hold many lines.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

_BETWEEN: Final = b", \t\r"
"""The characters around the strings of a line of the file."""

_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")


class Unquoted(NamedTuple):
    """The text of some JSON strings, and for each of its lines how many lines of the file stand above in which they do."""

    text: str
    rows: tuple[int, ...]


def unquoted(source: bytes, start: int, end: int) -> Unquoted | None:
    """Returns the text between two places inside JSON strings; None where something else stands between them."""
    rows: list[int] = []
    text: list[str] = []
    at_line_start = True
    for row, line in enumerate((b'"' + source[start:end] + b'"').split(b"\n")):
        try:
            strings: list[object] = json.loads(b"[" + line.strip(_BETWEEN) + b"]", strict=False)
        except ValueError:
            return None
        if not all(isinstance(one, str) for one in strings):
            return None
        held = "".join(map(str, strings))
        for piece in _LINES.findall(held):
            if at_line_start:
                rows.append(row)
            at_line_start = piece.endswith("\n")
        text.append(held)
    return Unquoted("".join(text), tuple(rows))
