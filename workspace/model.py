"""The small values that every floor shares."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

CONTINUED: Final = ""
"""The kind of a place in a text that continues the secret before it."""


class ProblemKind(StrEnum):
    """The reasons why a file is not shown as it is."""

    BINARY = "binary"
    TOO_LARGE = "too large"
    UNREADABLE = "unreadable"
    SPECIAL = "not a regular file"
    OUTSIDE = "outside the roots"
    SENSITIVE = "sensitive"
    REDACTED = "redacted"
    SYNTAX_ERRORS = "syntax errors"
    UNPROVEN = "skeleton not proven"
    STALE_CURSOR = "stale cursor"
    CUT_QUERY = "query cut"
    NOT_AS_IN_RANGE = "not as in the range"


OF_CALLS: Final = frozenset([ProblemKind.CUT_QUERY, ProblemKind.STALE_CURSOR, ProblemKind.NOT_AS_IN_RANGE])
"""Kinds of problems that are not of a file, but of what was asked."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong with one file, and what it cost.

    Attributes:
        path: the file, relative to the root, with forward slashes.
        kind: the class of the problem.
        detail: one clause for a reader: sizes in bytes, the system's own words, the check that failed.
    """

    path: str
    kind: ProblemKind
    detail: str = ""
