"""Kinds of definitions, as query files call them, and those groups of them that a reader of code tells apart."""

from __future__ import annotations

from typing import Final

CALLABLE: Final = frozenset({"constructor", "function", "macro", "method"})
"""Kinds that hold code to run."""

TYPES: Final = frozenset({"class", "enum", "interface", "struct", "trait", "type"})
"""Kinds that values are of."""

CLASS: Final = "class"
"""The kind of them whose full name may be written where it is defined, as `Admin::Page` of Ruby."""

USABLE: Final = CALLABLE | TYPES
"""Kinds that code calls or makes."""

MEMBERS: Final = frozenset({"constructor", "method"})
"""Kinds that are used through an object or a class."""

FIELD: Final = "field"
"""The kind of what objects hold."""

OF_OBJECTS: Final = MEMBERS | {FIELD}
"""Kinds that are always members: functions and constants may stand alone."""

NAMED_HOLDERS: Final = TYPES | {"module"}
"""Kinds that hold other definitions under a name of their own."""

HOLDERS: Final = NAMED_HOLDERS | {"impl"}
"""Kinds that hold other definitions."""

OF_METHODS: Final = TYPES - {"type"} | {"impl"}
"""A function that is a member of one of these is a method."""
