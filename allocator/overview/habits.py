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

CALLING = frozenset({"call", "apply", "bind"})
"""Methods of these functions by which they are called."""

HOLDING = VALUES | {"module"}
"""Kinds that such a value may be of."""

DECLARING = re.compile(r"\.d\.[cm]?ts$")
"""The ending of files that declare what others hold."""
