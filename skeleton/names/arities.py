"""Tells clauses of one function from functions of one name by how many parameters they take: `load/2` is not `load/3`.

It is asked in languages whose functions have clauses (`clauses` of `skeleton.languages.headers.Naming`): there a name and a
number of parameters are one function, and its clauses stand one behind the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import CALLABLE, HOLDERS
from skeleton.names.targets import without_arity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

    Pair = tuple[IndexedFile, Definition]

_MOST_READ: Final = 4000
"""Bytes of a signature that are read."""

_TOKEN: Final = re.compile(
    rb'"(?:[^"\\]|\\.){0,400}"|\'(?:[^\'\\]|\\.){0,400}\'|(?<!\w)[?$](?:\\.|[^\s\w])|<<|>>|\\\\|[()\[\]{},]'
    rb"|(?<=[\s,(])\w+[?!]?:(?=\s)",
    re.DOTALL,
)
"""Brackets, commas, defaults and labels of parameters; texts and characters as well, which hold none of these."""
_BEHIND_NAME: Final = re.compile(rb"['\"]?\s*\(")
_OPENING: Final = frozenset([b"(", b"[", b"{", b"<<"])
_CLOSING: Final = frozenset([b")", b"]", b"}", b">>"])
_DEFAULT: Final = b"\\\\"
_BINARY: Final = 2


class Arity(NamedTuple):
    """The fewest and the most parameters that a function takes: those with a default may be left out."""

    least: int
    most: int

    def meets(self, other: Arity) -> bool:
        """Tells whether something can be called with as many as is what has another."""
        return self.least <= other.most and other.least <= self.most


def of_arity(name: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Returns those of some definitions that take as many parameters as a name says, `load/2`; all where it says none.

    Definitions of languages without clauses, and those that are called so themselves, as a title of a test may be, stay.
    """
    plain = without_arity(name)
    if plain == name:
        return [*pairs]
    wanted = int(name[len(plain) + 1 :])
    asked = Arity(wanted, wanted)
    arities = [None if without_arity(one.name) != one.name else _arity(file, one) for file, one in pairs]
    chosen = {
        (file.path, one.path): arity
        for (file, one), arity in zip(pairs, arities, strict=True)
        if arity is not None and arity.meets(asked)
    }
    return [
        (file, one)
        for (file, one), arity in zip(pairs, arities, strict=True)
        if arity is None or arity.meets(asked) or ((of := chosen.get((file.path, one.path))) and arity.meets(of))
    ]


def is_clause(pair: Pair, following: Pair) -> bool:
    """Tells whether a definition is a clause of the function that the next of its qualified name in its file is one of, too."""
    (file, one), (_, behind) = pair, following
    if one.kind not in CALLABLE or one.kind != behind.kind:
        return False
    taken, next_taken = _arity(file, one), _arity(file, behind)
    return (
        taken is not None
        and next_taken is not None
        and taken.meets(next_taken)
        and not any(one.start < other.start < behind.start for other in file.symbols if other.kind in HOLDERS)
    )


def _arity(file: IndexedFile, one: Definition) -> Arity | None:
    """The parameters of a definition; None where its language tells nothing apart by their number."""
    naming = naming_of(file.path, b"")
    if not naming.clauses or naming.brackets_group:
        return None
    start = one.name_start
    text = file.source[start : min(one.body, start + _MOST_READ)]
    if not re.match(r"\W", one.name) or one.name.startswith(("'", '"')):
        behind = _BEHIND_NAME.match(text, len(one.name.encode()))
        return _counted(text, behind.end()) if behind is not None else Arity(0, 0)
    before = file.source[one.signature : start].split()
    return Arity(_BINARY, _BINARY) if len(before) >= _BINARY else Arity(1, 1)


def _counted(text: bytes, start: int) -> Arity:
    """The parameters between a bracket, which ends at an offset, and the one that closes it."""
    depth = 1
    commas = defaults = 0
    is_labelled = False  # what has labels is one parameter, the last
    at = start
    for token in _TOKEN.finditer(text, start):
        found = token[0]
        if found in _OPENING:
            depth += 1
        elif found in _CLOSING:
            depth -= 1
            if not depth:
                at = token.start()
                break
        elif depth == 1:
            commas += found == b"," and not is_labelled
            defaults += found == _DEFAULT
            is_labelled = is_labelled or found.endswith(b":")
    most = commas + 1 if text[start:at].strip() else 0
    return Arity(max(0, most - defaults), most)
