"""Reads which types a type says it inherits from.

It says so in its head (`class Sub(Base)`, `class Sub : Base`), before `for` (`impl Draw for Pen`), in what it mixes in
(`include Draw`, `use Draw;`), or as a field with no name of its own. No types are resolved: a type is its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import FIELD, HOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

_LONGEST_HEAD: Final = 2000
"""Characters of a head that are read."""

_IMPLEMENTS: Final = re.compile(r"\bimpl\b(?>(.*)\bfor\s)[^{]*\Z", re.DOTALL)
_PARAMETERS: Final = re.compile(
    r"\s*(?:<[^(){}]*>\s*)?(?:(?:constructor|internal|private|protected|public|@\w+)\b\s*)*(?P<list>\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))"
)
_DECLARES: Final = re.compile(r":|\w\s+\w")

_TYPEDEF: Final = "typedef "
"""The beginning of a type that names the other one before itself: `typedef Till Counter`."""

_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*|#[^\n\[]*$", re.DOTALL | re.MULTILINE)
_OF_TYPES: Final = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|(?<=[\w>)\s])\{.*", re.DOTALL)
"""The arguments of a type, and a block: what is in them is not inherited from."""

_CONDITION: Final = re.compile(r"\b(?:where|when|permits)\b.*", re.DOTALL)
_MADE_WITH: Final = re.compile(r"(?<=\w)\s*\([^()]*\)")
"""The arguments that a base is made with: `Base(1, name)`."""

_SET: Final = re.compile(r"\w+\s*=(?!=)\s*[^,)]*")
_NAME: Final = re.compile(r"(?:[^\W\d][\w$]*\s*(?:\.|::|\\)\s*)*[^\W\d][\w$]*")
_WORDS: Final = frozenset(
    (
        *("abstract", "by", "class", "const", "extends", "final", "implements", "interface"),
        *("override", "private", "protected", "public", "struct", "virtual", "with"),
    )
)
"""Words of a head that name no type."""

_MIXED_IN: Final = re.compile(rb"^[ \t]+(?:include|prepend|extend|use)[ \t]+([A-Z\\][\w:\\, \t]*)", re.MULTILINE)
_IS_ANOTHER: Final = re.compile(rb"\w+\s*(?P<same>=)?\s*(?P<other>(?:\w+\.)?\w+)(?:\[[^\[\]]*\])?\s*\Z")
"""A type with a name of its own that is written as another one, and not as a slice, a map or a function of it."""
_EMBEDDED: Final = re.compile(rb"\s*\*?((?:\w+\.)?\w+)\s*(?:`[^`]*`\s*)?\Z")


def bases_in(file: IndexedFile, of_file: Sequence[Definition], one: Definition) -> Iterator[str]:
    """Yields the types that one says it inherits from, as they are written, in their order.

    Args:
        file: the file that it stands in.
        of_file: all definitions of the file.
        one: the type.
    """
    if one.kind not in HOLDERS:
        return
    source = file.source
    has_shapes = naming_of(file.path, b"").shapes
    if not has_shapes or one.kind != "type" or _has_members_of_another(source, of_file, one):
        yield from bases_of(source[one.signature : one.body].decode("utf-8", "replace"), one.name)
    if has_shapes:
        inside = (each for each in of_file if each.container == one.path and each.kind == FIELD)
        matches = (_EMBEDDED.match(source[each.signature : each.end]) for each in inside)
        yield from (found[1].decode("utf-8", "replace") for found in matches if found)
    else:
        for found in _MIXED_IN.finditer(source, one.body, one.end):
            yield from _NAME.findall(found[1].decode("utf-8", "replace"))


def _has_members_of_another(source: bytes, of_file: Sequence[Definition], one: Definition) -> bool:
    """Tells whether a type has the members of the one that it is written as: it is that one, or an interface like it.

    What is made like a struct, `type leaf node`, has none of its methods.
    """
    found = _IS_ANOTHER.match(source, one.name_start, one.body)
    if found is None or found["same"]:
        return found is not None
    other = found["other"].decode("utf-8", "replace")
    return any(each.kind == "interface" and each.name == other for each in of_file)


def bases_of(signature: str, name: str) -> list[str]:
    """Returns the types that a type says in its head that it inherits from, as they are written.

    Args:
        signature: the head, to where the body begins.
        name: of the type.
    """
    before, found, head = signature.partition(name)
    if not found:
        return []
    if before.startswith(_TYPEDEF):
        head = before.removeprefix(_TYPEDEF)
    elif implements := _IMPLEMENTS.search(before[-_LONGEST_HEAD:]):
        head = implements[1]
    elif listed := _PARAMETERS.match(head):  # what a class is made of is not what it inherits from; of Python it is
        behind = head[listed.end() :]
        head = behind if _DECLARES.search(listed["list"]) or behind.strip(" \t\r\n:{") else head
    head = _COMMENT.sub(" ", head[:_LONGEST_HEAD])
    while (plain := _OF_TYPES.sub(" ", head)) != head:
        head = plain
    head = _MADE_WITH.sub(" ", _SET.sub(" ", _CONDITION.sub("", head)))
    bases = (re.sub(r"\s", "", one) for one in _NAME.findall(head))
    return [one for one in bases if one not in _WORDS and one != name]
