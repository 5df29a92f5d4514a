"""The words and forms of calls that the main flow knows; how a language calls its query file says (`Naming`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from allocator.overview.importance import VALUES

if TYPE_CHECKING:
    from skeleton.languages.headers import Naming

ITSELF = frozenset({"self", "this", "cls", "Self", "static", "dup"})
ABOVE = frozenset({"super", "base", "parent"})

CALLING = frozenset({"call", "apply", "bind"})
"""Methods of these functions by which they are called."""

HOLDING = VALUES | {"module"}
"""Kinds that such a value may be of."""

DECLARING = re.compile(r"\.(?:d\.[cm]?ts|mli|pyi|rei)$")
"""The endings of files that declare what others hold: of TypeScript, OCaml and Python."""

_FUNCTION = re.compile(
    rb"\s*(?:=\s*)?(?:/\*[^*]*\*/\s*)?(?:async\b\s*)?(?:\(|function\b|[\w$]+\s*=>|[\w$.]+(?:<[^<>]*>)?\()"
)
"""The beginning of a value that may be called: a function, or what a call gives."""

_HANDLER = re.compile(rb"\bfunc ?\(")
"""A function in a value."""


def is_function(source: bytes, begin: int, end: int, naming: Naming) -> bool:
    """Tells of a value whether it may be called, by how it begins, or holds what is.

    Args:
        source: its file.
        begin: the first byte of the value.
        end: the byte behind it.
        naming: how its language uses names.
    """
    if naming.kept_handlers:
        return _HANDLER.search(source, begin, end) is not None
    return naming.function_values and _FUNCTION.match(source, begin) is not None


def is_told_apart(name: str) -> bool:
    """Tells whether a name is no common word, as methods of libraries have them, and none that a file keeps to itself."""
    return not name.startswith("_") and (not name[1:].islower() or "_" in name)
