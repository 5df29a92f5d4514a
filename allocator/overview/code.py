"""The code of files as calls are looked for in it: without its texts, and with the types that pointers hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skeleton.languages.headers import language_name_of, naming_of
from skeleton.languages.sketches import hidden, sketch_patterns
from skeleton.uses.typed import types_of
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_OF_FILE = 64_000
"""Bytes of a file in which the types of fields are looked for."""

_NO_CODE = re.compile(
    rb"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'|//[^\n]*|/\*(?:(?!/\*).)*?\*/|#(?!\[)[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)
"""Texts and comments of languages that nothing else is known of."""

_HELD = re.compile(
    r"(?<![\w:])(?=[\w:]++<)(?:::)?(?:\w+::){0,4}(?:unique_ptr|shared_ptr|weak_ptr|Arc|Rc|Box|Mutex|RwLock|RefCell|Option|Lazy)<\s*+(?:dyn\s++)?(?=[^<>;\n]*+>)((?:\w+::)*[A-Z]\w*)[^<>;\n]*>+"
)
"""A type that only holds another, through which that is called."""

_RENAMED = re.compile(
    rb"\n[ \t]*+(?:(?:import[ \t]+)?(\w+)[ \t]+\"(?:[^\"\n]*/)?([A-Za-z]\w*)\""
    rb"|(?:pub[ \t]+)?(?:from|import|use)\b[^\n;]*?\b(\w+)[ \t]+as[ \t]+(\w+))"
)
"""A name that a file gives what it imports, before or behind the last part of what that is called; from the line break on."""


class Code:
    """The code of a file.

    Args:
        path: the file.
        source: its bytes.

    Attributes:
        naming: how its language uses names.
    """

    def __init__(self, path: str, source: bytes) -> None:
        self._language = language_name_of(path)
        self.naming = naming_of(path, b"")
        self.source = source
        self._types: dict[str, frozenset[str]] = {}

    def without_texts(self, begin: int, end: int) -> bytes:
        """A part of it, with nothing in its texts, and line breaks for its comments."""
        part = self.source[begin:end]
        patterns = sketch_patterns(self._language) if self._language else None
        if patterns is None or not patterns.hides or patterns.embeds is not None:
            return _NO_CODE.sub(b" ", part)
        is_comment = patterns.comments.match
        return hidden(patterns.hides).pattern.sub(lambda found: b"\n" if is_comment(found[0]) else b'""', part)

    @lazy
    def text(self) -> str:
        """The beginning of the file likewise, where the types of fields are looked for."""
        return with_held(self.without_texts(0, MOST_OF_FILE).decode("utf-8", "replace"))

    def types(self, variable: str) -> frozenset[str]:
        """The types that a variable is written with in it."""
        known = self._types.get(variable)
        if known is None:
            known = self._types[variable] = types_of(variable, self.text)
        return known

    @lazy
    def renamed(self) -> Mapping[str, str]:
        """The names of imports that the file knows under others, by these."""
        found = _RENAMED.findall(b"\n" + self.source[:MOST_OF_FILE])
        return {(new or later).decode(): (old or earlier).decode() for new, old, earlier, later in found}


def with_held(text: str) -> str:
    """A text with the types in the place of what only holds them: `Box<Store>` becomes `Store`."""
    return _HELD.sub(r"\1", text)
