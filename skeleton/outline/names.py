"""Reads the names of definitions off the nodes that hold them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

    from skeleton.languages.queries import Language

_CONTINUED = re.compile(r"\\\r?\n")
_PARTED = re.compile(r"(?<=\w):: (?=\w)")
"""A name that something was blanked in, as `inline` of `shop::inline v1`; a sign with blanks on both sides is none of a name."""


class Names:
    """The names in one text.

    Args:
        language: its language.
        parsed: the text that was parsed.

    Attributes:
        have_layers: True where a name may stand inside of a declarator or behind what qualifies it.
    """

    __slots__ = ("_declarators", "_marks", "_parsed", "_qualified", "have_layers")

    def __init__(self, language: Language, parsed: bytes) -> None:
        self._declarators = language.declarators
        self._qualified = language.qualified
        self._marks = language.name_marks
        self._parsed = parsed
        self.have_layers = bool(language.declarators or language.qualified)

    def one_line(self, node: tree_sitter.Node) -> str:
        """The text of a node with its white space folded."""
        start, end = node.byte_range
        text = self._parsed[start:end].decode("utf-8", "replace")
        if " " not in text and "\n" not in text:
            return text
        return _PARTED.sub("::", " ".join(_CONTINUED.sub(" ", text).split()))

    def name(self, node: tree_sitter.Node) -> str:
        """The text of a name, without the marks that a language may put around one."""
        text = self.one_line(node)
        return (text.strip(self._marks) or text) if self._marks else text

    def innermost(self, name: tree_sitter.Node) -> tuple[tree_sitter.Node, str]:
        """The name in a C declarator, and what qualifies it: `f` and `A.B` of `(*A::B<T>::f)(int)`."""
        container: list[str] = []
        while True:
            inner, kind = None, name.type
            if self._declarators and kind.endswith(self._declarators):
                inner = name.child_by_field_name(self._declarators) or next(reversed(name.named_children), None)
            elif kind in self._qualified:
                inner = name.child_by_field_name("name")
                if inner and (scope := name.child_by_field_name("scope")):
                    container.append(self.one_line(scope.child_by_field_name("name") or scope))
            if inner is None:
                return name, ".".join(container)
            name = inner
