"""The habits of languages in calling, as far as the main flow asks for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from allocator.overview.importance import VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping

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

CALLING = frozenset({"call", "apply", "bind"})
"""Methods of these functions by which they are called."""

HOLDING = VALUES | {"module"}
"""Kinds that such a value may be of."""

DECLARING = re.compile(r"\.d\.[cm]?ts$")
"""The ending of files that declare what others hold."""

_TOGETHER = (
    "javascript typescript tsx vue svelte",
    "c cpp objc swift zig",
    "java kotlin scala",
    "elixir erlang",
    "ocaml ocaml_interface",
)
_FIRST: Mapping[str, str] = {name: row.split()[0] for row in _TOGETHER for name in row.split()}
"""Languages whose code calls that of another by its name, each with the first of those that do so."""


def spoken(language: str) -> str:
    """The name that stands for a language and those whose code calls its own by name."""
    return _FIRST.get(language, language)


def may_call(language: str, other: str) -> bool:
    """Tells whether code of a language may call what another one defines by its name."""
    return spoken(language) == spoken(other)
