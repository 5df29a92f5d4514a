"""The habits of languages in calling, as far as the main flow asks for them."""

from __future__ import annotations

import re

from allocator.overview.importance import VALUES

ITSELF = frozenset({"self", "this", "cls", "Self", "static", "dup"})
ABOVE = frozenset({"super", "base", "parent"})

IMPLICIT = frozenset({"java", "kotlin", "csharp", "cpp", "swift", "ruby", "scala", "dart"})
"""Languages in which a name alone may be a member of the class around."""

IMPORTING = frozenset({"python", "javascript", "typescript", "tsx", "vue", "svelte"})
"""Languages in which a name alone is none of another file unless it is imported."""

LINKED = frozenset({"c"})
"""Languages in which a name alone means the one function of that name that is seen everywhere."""

BARE = frozenset({"ruby"})
"""Languages that call without brackets, and in which the name of a method may end with a mark."""

FUNCTIONS_ARE_VALUES = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
"""Languages in which much of what is called is a value with a name."""

HANDLING = frozenset({"go"})
"""Languages in which a package keeps what others call for it in a value: `var root = &Command{Run: func() { serve() }}`."""

CALLING = frozenset({"call", "apply", "bind"})
"""Methods of these functions by which they are called."""

HOLDING = VALUES | {"module"}
"""Kinds that such a value may be of."""

DECLARING = re.compile(r"\.d\.[cm]?ts$")
"""The ending of files that declare what others hold."""

_FUNCTION = re.compile(
    rb"\s*(?:=\s*)?(?:/\*[^*]*\*/\s*)?(?:async\b\s*)?(?:\(|function\b|[\w$]+\s*=>|[\w$.]+(?:<[^<>]*>)?\()"
)
"""The beginning of a value that may be called: a function, or what a call gives."""

_HANDLER = re.compile(rb"\bfunc ?\(")
"""A function in a value."""


def is_function(source: bytes, begin: int, end: int, language: str) -> bool:
    """Tells of a value whether it may be called, by how it begins, or holds what is.

    Args:
        source: its file.
        begin: the first byte of the value.
        end: the byte behind it.
        language: that of the file.
    """
    if language in HANDLING:
        return _HANDLER.search(source, begin, end) is not None
    return language in FUNCTIONS_ARE_VALUES and _FUNCTION.match(source, begin) is not None


def is_told_apart(name: str) -> bool:
    """Tells whether a name is no common word, as methods of libraries have them, and none that a file keeps to itself."""
    return not name.startswith("_") and (not name[1:].islower() or "_" in name)
