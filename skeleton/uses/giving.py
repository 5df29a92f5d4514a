"""Reads which type a definition says that it gives: before its name, behind its parameters, or behind an arrow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.uses.written import MODIFIERS, Type, types_in

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

ARROW: Final = re.compile(r"(?:const|noexcept|async|throws|rethrows|suspend|override|\s)*(?:->|:(?!:))\s*")
_BEFORE: Final = re.compile(r"((?:[\w$]+(?:::|\.|\\))*[\w$]+(?:<[^;(){}=]*>)?(?:\[\])*)[&*?\s]+(?:[\w<>]+::)*\Z")
_NO_TYPES: Final = MODIFIERS | {
    *("def", "enum", "export", "fn", "fun", "func", "function", "get", "interface", "let", "pub", "set", "suspend"),
    *("template", "trait", "type", "val", "var", "void"),
    *("return", "new", "else", "await", "case", "in", "of", "not", "and", "or", "throw", "yield"),
}
_LONGEST: Final = 4000
"""Bytes behind the name of a definition that are read of its head."""

_PROPERTY: Final = re.compile(rb"@(?:\w+\.)*\w*property\b|\bget\s*\Z")
_TAKES: Final = r"(?:\A|\s|\btemplate)<(?:[^<>()]*[\s,])?{0}\b[^<>()]*>"


def given_by(source: bytes, one: Definition) -> list[Type]:
    """The types that a function or a method says it gives; of a field, those that it has; none if it says nothing.

    Args:
        source: the file that it stands in.
        one: the definition.
    """
    end = one.name_start + len(one.name.encode())
    behind = source[end : max(end, min(one.body, end + _LONGEST))].decode("utf-8", "replace")
    before = source[one.signature : one.name_start].decode("utf-8", "replace")
    rest = _behind_parameters(behind)
    if rest is not None:
        if arrow := ARROW.match(rest):
            return types_in(rest[arrow.end() :])
        is_bare = one.kind == "method" and not before.strip()  # as an interface of Go asks for one
        if (is_bare or before.lstrip().startswith("func")) and rest.strip(" \t{"):  # a language that writes no arrow
            return types_in(rest)
    elif (arrow := re.match(r"\??\s*:(?!:)\s*", behind)) is not None:
        return types_in(behind[arrow.end() :])
    elif "\n" not in behind.strip() and (said := re.match(r"[ \t]+(?=[*\[\w])(?!\w+\s*=)", behind)):
        return types_in(behind[said.end() :])
    return said_before(before.rstrip("$"))


def said_before(text: str) -> list[Type]:
    """The types that a text ends in, before a name."""
    found = _BEFORE.search(text[-200:])
    return types_in(found[1]) if found is not None and found[1] not in _NO_TYPES else []


def is_property(source: bytes, one: Definition) -> bool:
    """Tells whether a method is used as a field is, with nothing behind its name."""
    return _PROPERTY.search(source[one.start : one.name_start]) is not None


def parameters_of(source: bytes, one: Definition) -> list[str]:
    """The names of the types that a definition takes as parameters, in their order: `T` of `class Ref<T>`."""
    end = one.name_start + len(one.name.encode())
    found = re.match(rb"\s*[<\[]([^<>\[\]{}()]*)[>\]]", source[end : end + 200])
    words = (re.findall(r"\w+", part) for part in found[1].decode("utf-8", "replace").split(",")) if found else ()
    names = ([word for word in each if word not in {"in", "out", "reified", "class", "typename"}] for each in words)
    return [each[0] for each in names if each]


def takes_type(source: bytes, one: Definition, name: str) -> bool:
    """Tells whether the head of a definition takes a type of a name as a parameter."""
    before = source[one.start : one.name_start].decode("utf-8", "replace")
    return name in parameters_of(source, one) or re.search(_TAKES.format(re.escape(name)), before) is not None


def _behind_parameters(text: str) -> str | None:
    """The text behind the brackets with the parameters; None where none begin the text."""
    begins = re.match(r"\s*(?:=\s*(?:async\s*)?(?:function\b\s*\*?\s*\w*)?)?(?:<[^()]*>|\[[^()\]]*\])?\s*\(", text)
    if begins is None:
        return None
    depth = 0
    for at in range(begins.end() - 1, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return text[at + 1 :]
    return ""
