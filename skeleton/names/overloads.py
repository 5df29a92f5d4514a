"""Tells apart definitions of one name: by their signatures, the labels of their arguments, and by which are one in several parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.formats import holds_code
from skeleton.formats.json_strings import unquoted
from skeleton.languages.kinds import CALLABLE
from skeleton.names.arities import is_clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

    Pair = tuple[IndexedFile, Definition]

_LONGEST: Final = 120
"""Characters of a signature in a list."""

_MOST_READ: Final = 2000
"""Bytes of a signature that are read."""

_OVERLOAD: Final = re.compile(rb"@(?:\w+\.)*overload\b")
_LABELLED: Final = re.compile(r"\((?P<labels>(?:\w+:)+)\)\Z")
_LABEL: Final = re.compile(r"\s*(?:@\w+\s+)*(\w+)")
_OPENING: Final = "([{<"
_CLOSING: Final = ")]}>"


def signature_of(file: IndexedFile, one: Definition) -> str:
    """Returns the signature of a definition on one line, cut where it is long."""
    end = min(one.body, one.signature + _MOST_READ)
    held = unquoted(file.source, one.signature, end) if holds_code(file.path) else None
    text = held.text if held else file.source[one.signature : end].decode("utf-8", "replace")
    line = " ".join(text.split()).rstrip("{:=; ")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def next_parts(pairs: Sequence[Pair]) -> list[Definition | None]:
    """Returns for each of some definitions the next of its name, where both are one: it is a signature of what is defined there.

    So are the overloads of Python and TypeScript, which have no bodies of their own, and the clauses of a function.
    """
    names = {one.path for _, one in pairs}
    files = {file.path: file for file, _ in pairs}
    following: dict[tuple[str, Definition], Definition] = {}
    for path, file in files.items():
        last: dict[str, Definition] = {}
        for one in file.symbols:
            if (name := one.path) in names:
                if name in last:
                    following[path, last[name]] = one
                last[name] = one
    return [
        behind
        if (behind := following.get((file.path, one))) is not None
        and (_is_part((file, one), (file, behind)) or is_clause((file, one), (file, behind)))
        else None
        for file, one in pairs
    ]


def _is_part(pair: Pair, following: Pair) -> bool:
    (file, one), (_, behind) = pair, following
    if one.kind not in CALLABLE or one.start >= behind.start:
        return False
    if _OVERLOAD.search(file.source, one.start, one.signature):
        return True
    between = file.source[one.end : behind.start].strip(b"; \t\r\n")
    return not between and one.body >= one.end


def labelled(name: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Returns those of some definitions whose arguments have the labels of a name: `bind(host:port:)`; all where it has none.

    Args:
        name: as it is written.
        pairs: the definitions that are called so without the labels.
    """
    found = _LABELLED.search(name)
    if found is None:
        return [*pairs]
    wanted = found["labels"].split(":")[:-1]
    return [(file, one) for file, one in pairs if _labels(file, one) == wanted]


def _labels(file: IndexedFile, one: Definition) -> list[str]:
    """The labels of the parameters in a signature, each the first word of its parameter."""
    text = file.source[one.name_start : min(one.body, one.name_start + _MOST_READ)].decode("utf-8", "replace")
    text = text.replace("->", "  ")
    labels, depth, is_new = list[str](), 0, False
    for at, character in enumerate(text):
        if character in _OPENING:
            depth += 1
            is_new = depth == 1 and character == "(" and not labels
            start = at + 1
        elif character in _CLOSING:
            depth -= 1
            if not depth and character == ")":
                return labels
            continue
        elif character == "," and depth == 1:
            is_new, start = bool(labels), at + 1
        else:
            continue
        if is_new and (label := _LABEL.match(text, start)) is not None:
            labels.append(label[1])
            is_new = False
    return labels
