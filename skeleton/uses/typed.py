"""Reads the types that code gives its variables, as text: what is written before a name, behind it, or what it is made of."""

from __future__ import annotations

import re
from typing import Final

_TYPE_BEFORE: Final = re.compile(r"((?:\w+(?:\.|::))*[A-Z]\w*)(?:<[^<>;]*>)?[&*? \t]+(?:const[ \t]+)?\Z")
_TYPE_BEHIND: Final = re.compile(
    r"\s*(?::\s*|:?=\s*(?:new\s+|await\s+|&)?)[&*]*(?:mut\s+|dyn\s+|impl\s+|(?:any|some|inout)[ \t]+)?((?:\w+(?:\.|::))*\w+)"
    r"|[ ]\*?((?:\w+\.)*[A-Z]\w*)|[ ]\*([a-z]\w*)(?=[ \t]*[\n,)])"
)
_BETWEEN: Final = re.compile(r"[&*?\s]")
"""The characters between a type and the variable behind it."""

_WINDOW: Final = 200
"""Characters before a variable in which its type is written."""

_LONGEST_SPACE: Final = 8
"""Characters in which a colon before a type is looked for."""

_TYPE: Final = r"(?:\w+(?:\.|::))*[A-Z]\w*"
_ARGUMENTS: Final = r"(?:<[^;\n]{0,80}>)?\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?!\s*[.\[?])"
"""The arguments of a call, of whose result nothing is asked."""

_MADE: Final = (
    r"(?<![\w.])NAME\s*(?::[^=\n]{0,80})?:?=\s*(?:await\s+)?"
    rf"(?:new\s+({_TYPE}){_ARGUMENTS}|&?({_TYPE})\s?\{{|({_TYPE}::[a-z]\w*){_ARGUMENTS})"
)
_CALLED: Final = rf"(?<![\w.])NAME\s*(?::[^=\n]{{0,80}})?=\s*((?:[a-z_]\w*\.)*[A-Z]\w*){_ARGUMENTS}"
_SAID: Final = (
    rf"(?<![\w.])NAME\s*:\s*[&*]*(?:'\w+\s+)?(?:(?:mut|dyn|impl|any|some|inout)\s+)*({_TYPE})(?![\w(])"
    rf"|(?<![\w.:])({_TYPE})(?:<[^<>;]*>)?[&*? \t]+(?:const[ \t]+)?NAME(?!\w)"
)

_IN_WORD: Final = re.compile(r"\w")
_GAP: Final = "&*? \t"
"""The characters that may stand between a type and a variable on its line."""
_CONST: Final = "const"


def made_of(name: str, text: str, *, by_call: bool = False) -> frozenset[str]:
    """The types that a text makes a variable of, as they are written: of these it is, whatever it is said to be.

    Args:
        name: the variable.
        text: says so.
        by_call: whether a call of a type makes a value.
    """
    found = _every(_MADE, name, text)
    return found | _every(_CALLED, name, text) if by_call else found


def said_of(name: str, text: str) -> frozenset[str]:
    """The types that a text says outright that a variable has, as they are written."""
    return _every(_SAID, name, text)


def _every(pattern: str, name: str, text: str) -> frozenset[str]:
    if name not in text:
        return frozenset()
    matches = re.finditer(pattern.replace("NAME", re.escape(name)), text)
    return frozenset(found[found.lastindex or 0] for found in matches)


def types_of(name: str, text: str) -> frozenset[str]:
    """The types that a text gives a variable, or what it makes it of, as they are written: with modules before them."""
    found: set[str] = set()
    read = at = 0
    is_capital = name[:1].isupper()
    while (at := text.find(name, max(at, read))) >= 0:
        end = at + len(name)
        before = None
        if at > read and _BETWEEN.match(text, at - 1) and not _IN_WORD.match(text, end):
            before = _type_before(text, max(read, at - _WINDOW), at)
        if before is not None:
            found.add(before[1])
            read = end
        elif (
            (at == 0 or not _IN_WORD.match(text, at - 1))
            and not (is_capital and _is_a_type_at(text, at))
            and (behind := _TYPE_BEHIND.match(text, end))
        ):
            found.add(behind[1] or behind[2] or behind[3])
            read = behind.end()
        at += 1
    return frozenset(found)


def _is_a_type_at(text: str, at: int) -> bool:
    """Tells whether a name is the type of what stands before it: `fun open(): Till = make()` gives `Till` no value."""
    return text[max(0, at - _LONGEST_SPACE) : at].rstrip().endswith(":")


def _type_before(text: str, start: int, end: int) -> re.Match[str] | None:
    """Finds the type that a part of a text ends with; its last word says where none can be."""
    said = text[start:end].rstrip(_GAP)
    last = said[-1:]
    if last == ">" or said.endswith(_CONST):
        return _TYPE_BEFORE.search(text, start, end)
    if not (last.isalnum() or last == "_"):
        return None
    begin = max(start + said.rfind(" ") + 1, start + said.rfind("\n") + 1)
    return _TYPE_BEFORE.search(text, begin, end)
