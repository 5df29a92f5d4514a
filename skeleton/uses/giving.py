"""Reads which type a definition says that it gives: before its name, behind its parameters, or behind an arrow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.uses.written import MODIFIERS, Type, types_in

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

ARROW: Final = re.compile(r"(?:const|noexcept|async|throws|rethrows|suspend|override|\s)*(?:->|:(?!:))\s*")
_BEFORE: Final = re.compile(r"((?:[\w$]+(?:::|\.|\\))*[\w$]+(?:<[^;(){}=]*>)?(?:\[\])*)[&*?\s]+(?:[\w<>]+::)*\Z")
_NAMED: Final = re.compile(r"\s{0,9}\((?P<parts>[^()]{0,400}(?:\([^()]{0,200}\)[^()]{0,200}){0,4})\)")
_COMMA: Final = re.compile(r",(?![^()]*\)|[^\[\]]*\])")
_GIVEN_NAME: Final = re.compile(
    r"(?!(?:chan|func|interface|map|struct)\b)(?P<name>\w+)(?:\s+(?P<type>[^\s].*))?", re.DOTALL
)
"""Something that a function gives, in a language that writes the type behind the name."""

_NO_TYPES: Final = MODIFIERS | {
    *("def", "enum", "export", "fn", "fun", "func", "function", "get", "interface", "let", "pub", "set", "suspend"),
    *("template", "trait", "type", "val", "var", "void"),
    *("return", "new", "else", "await", "case", "in", "of", "not", "and", "or", "throw", "yield"),
}
_LONGEST: Final = 4000
"""Bytes behind the name of a definition that are read of its head."""

_PROPERTY: Final = re.compile(rb"@(?:\w+\.)*\w*property\b|\bget\s*\Z")
_LONGEST_PARAMETERS: Final = 400
"""Characters of the types that a definition takes as parameters."""

_VARIANCE: Final = frozenset(["class", "const", "in", "out", "reified", "typename"])
_OPENING_BEFORE: Final = re.compile(r"(?:\A|\s|\btemplate|\bimpl)<")
_BOUND: Final = (
    r"(?<![\w.]){0}\s{{0,9}}(?::(?!:)|(?<=\s)extends\s|<:|(?<=\s)(?=[A-Z*]))\s{{0,9}}"
    r"(?:(?:class|notnull|struct)\??\s{{0,9}},\s{{0,9}})?"
)
"""The mark behind a type, before those that it is said to be: `T: Shape`, `T extends Shape`, `T <: Shape`, `T Shape`."""

_MOST_BOUND: Final = re.compile(r",(?![^<>]*>)")
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
            return types_in(_without_names(rest))
    elif (arrow := re.match(r"\??\s*:(?!:)\s*", behind)) is not None:
        return types_in(behind[arrow.end() :])
    elif "\n" not in behind.strip() and (said := re.match(r"[ \t]+(?=[*\[\w])(?!\w+\s*=)", behind)):
        return types_in(behind[said.end() :])
    return said_before(before.rstrip("$"))


def _without_names(text: str) -> str:
    """The types that a function gives, without the names that they may have there: `(till *Till, err error)`, `(one, two Till)`."""
    given = _NAMED.match(text)
    if given is None:
        return text
    parts = [_GIVEN_NAME.fullmatch(part.strip()) for part in _COMMA.split(given["parts"])]
    if not any(part is not None and part["type"] for part in parts):
        return text
    types: list[str] = []
    for part in reversed(parts):
        types.append((part["type"] if part is not None else "") or (types[-1] if types else ""))
    return f"({', '.join(reversed(types))})"


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
    parts = _parts_in_brackets(source[end : end + _LONGEST_PARAMETERS].decode("utf-8", "replace").lstrip())
    names = ([word for word in re.findall(r"\w+", part) if word not in _VARIANCE] for part in parts)
    return [each[0] for each in names if each]


def takes_type(source: bytes, one: Definition, name: str) -> bool:
    """Tells whether the head of a definition takes a type of a name as a parameter."""
    before = source[one.start : one.name_start].decode("utf-8", "replace")
    return name in parameters_of(source, one) or re.search(_TAKES.format(re.escape(name)), before) is not None


def bounds_of(source: bytes, one: Definition, name: str) -> list[Type]:
    """The types that any type is of, or one of these, which a definition takes under a name: `Shape` of `fn draw<T: Shape>(it: T)`.

    Nothing where it takes none of that name, or takes any type.
    """
    before = source[one.signature : one.name_start].decode("utf-8", "replace")
    behind = source[one.name_start + len(one.name.encode()) : one.body][:_LONGEST].decode("utf-8", "replace")
    opening = _OPENING_BEFORE.search(before)
    parts = _parts_in_brackets(before[opening.end() - 1 :] if opening is not None else "")
    parts += _parts_in_brackets(behind.lstrip())
    if not any(re.match(rf"(?:\w+\s+)?{re.escape(name)}\b", part) for part in parts):
        return []
    clauses = (re.split(r"[;{]", clause, maxsplit=1)[0] for clause in re.split(r"\bwhere\s", behind)[1:])
    pattern = re.compile(_BOUND.format(re.escape(name)))
    said = (text[found.end() :] for text in (*parts, *clauses) if (found := pattern.search(text)))
    bounds = (_MOST_BOUND.split(text[:_LONGEST_PARAMETERS], maxsplit=1)[0] for text in said)
    return [type_ for text in bounds for bound in re.split(r"[+&]", text) for type_ in types_in(bound)]


def _parts_in_brackets(text: str) -> list[str]:
    """The parts, divided by commas, of what stands in the angle or square brackets that begin a text."""
    if text[:1] not in {"<", "["}:
        return []
    depth, start = 0, 1
    parts: list[str] = []
    for at, sign in enumerate(text[:_LONGEST_PARAMETERS]):
        if sign in "<[(":
            depth += 1
        elif sign in "])" or (sign == ">" and text[at - 1] not in "-="):
            depth -= 1
        if not depth or (sign == "," and depth == 1):
            parts.append(text[start:at].strip())
            start = at + 1
        if not depth:
            return parts
    return []


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
