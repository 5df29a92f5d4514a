"""The marks by which code says that nobody is to use a definition any more."""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = re.compile(
    rb"@(?:\w+\.)*[Dd]eprecated\b|\[\[?deprecated\b|\[(?:System\.)?Obsolete\b|@available\([^)\n]{0,400}\bdeprecated\b|\bDeprecated: "
    rb"|lifecycle(?:::badge\([\"']|-)(?:deprecated|superseded|defunct)"
)

_WORDS: Final = (b"eprecated", b"Obsolete", b"superseded", b"defunct")
"""Texts of which each mark holds one: these are looked for in a tenth of the time."""


def may_deprecate(source: bytes) -> bool:
    """Tells whether a source may hold such a mark."""
    return any(word in source for word in _WORDS)


def is_deprecated(source: bytes, start: int, end: int) -> bool:
    """Tells whether such a mark stands between two places of a source: above a definition, or in its signature."""
    return _MARK.search(source, start, end) is not None
