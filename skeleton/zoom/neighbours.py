"""Callers, callees and tests of a definition, found by names.

No types are resolved: a word of the body that is the name of a function, method or type is taken for a use of it. Where
one definition alone has the name that is right; where several do, each is listed, those in the same file first, and the
list says that it goes by name.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from skeleton.zoom.matches import lines_at
from skeleton.zoom.symbols import USABLE
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from skeleton.index.code_index import Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition
    from skeleton.zoom.symbols import SymbolTable

_WORD = re.compile(rb"[^\W\d]\w*")
_MEMBER_MARKS: Final = (b".", b"->", b"::")
"""What stands before the name of a member of something; a bare word is a method only of its own file."""

_MOST_HOMONYMS: Final = 4
"""Of a name that more definitions than this have, no one is listed: it says nothing about whom is called."""

_MOST_CHARACTERS: Final = 240


class Neighbours(StrEnum):
    """The neighbours that are shown beside a definition."""

    CALLERS = "callers"
    CALLEES = "callees"
    TESTS = "tests"


def neighbours_of(
    which: Neighbours, file: IndexedFile, one: Definition, table: SymbolTable, progress: Progress | None = None
) -> list[str]:
    """Returns a heading and a line for each neighbour: its place and its signature.

    Args:
        which: callers, callees, or the callers that are tests.
        file: the file of the definition.
        one: the definition.
        table: the symbols of the folder.
        progress: is told of every file that is read to find callers.
    """
    if which is Neighbours.CALLEES:
        found = _callees(file, one, table)
    else:
        found = _callers(file, one, table, progress, lambda other: _counts(which, other, file))
    numbers = lines_at([(holder, other.signature) for holder, other in found])
    lines = [_line(holder, other, number) for (holder, other), number in zip(found, numbers, strict=True)]
    if not lines:
        return [f"=== no {which.value} of {one.path} found by name"]
    return [f"=== {which.value} of {one.path}, found by name", *lines]


def _callees(file: IndexedFile, one: Definition, table: SymbolTable) -> list[tuple[IndexedFile, Definition]]:
    """The definitions that the body names, in the order in which it names them."""
    words: dict[bytes, bool] = {}
    for match in _WORD.finditer(file.source, one.body, one.end):
        of_something = file.source[max(0, match.start() - 2) : match.start()].endswith(_MEMBER_MARKS)
        words[match.group()] = words.get(match.group(), False) or of_something
    holders = {word: table.usable(word.decode("utf-8", "replace")) for word in words}
    for word, of_something in words.items():
        if of_something and _says_nothing(holders[word], file):
            holders[word] = []
    needed = {holder.path: holder for some in holders.values() for holder in some}
    symbols = {
        path: _by_name(definitions) for path, definitions in zip(needed, table.symbols([*needed.values()]), strict=True)
    }
    found: list[tuple[IndexedFile, Definition]] = []
    for word, of_something in words.items():
        homonyms = [
            (holder, other)
            for holder in holders[word]
            for other in symbols[holder.path].get(word, ())
            if (of_something or other.kind != "method" or holder.path == file.path)
            and not _is_same(holder, other, file, one)
        ]
        near = [pair for pair in homonyms if pair[0].path == file.path]
        homonyms = near or [pair for pair in homonyms if pair[0].tier is not Tier.TESTS] or homonyms
        if len(homonyms) <= _MOST_HOMONYMS:
            found += homonyms
    return found


def _by_name(definitions: Iterable[Definition]) -> dict[bytes, list[Definition]]:
    """Returns what code can use of some definitions, by name."""
    by_name: dict[bytes, list[Definition]] = {}
    for one in definitions:
        if one.kind in USABLE:
            by_name.setdefault(one.name.encode(), []).append(one)
    return by_name


def _says_nothing(holders: Sequence[IndexedFile], file: IndexedFile) -> bool:
    """Tells whether so many files define a name that none of them is listed."""
    if any(holder.path == file.path for holder in holders):
        return False
    return sum(holder.tier is not Tier.TESTS for holder in holders) > _MOST_HOMONYMS


def callers(
    file: IndexedFile, one: Definition, table: SymbolTable, progress: Progress | None = None
) -> list[tuple[IndexedFile, Definition]]:
    """Returns the innermost definitions whose body holds a definition's name as a word.

    Args:
        file: the file of the definition.
        one: the definition.
        table: the symbols of the folder.
        progress: is told of every file that is read for it.

    Returns:
        The callers: those of the same file first, tests last.
    """
    return _callers(file, one, table, progress, lambda _: True)


def _callers(
    file: IndexedFile,
    one: Definition,
    table: SymbolTable,
    progress: Progress | None,
    counts: Callable[[IndexedFile], bool],
) -> list[tuple[IndexedFile, Definition]]:
    """The callers in those files that count."""
    word = one.name.encode()
    if not word:
        return []
    others = sorted(
        filter(counts, table.holding(word, progress)),
        key=lambda each: (each.path != file.path, each.tier, each.path),
    )
    uses = re.compile(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)")
    return [
        (other, user)
        for other, symbols in zip(others, table.symbols(others), strict=True)
        for user in _users(other.source, symbols, uses)
        if not _is_same(other, user, file, one)
    ]


def _counts(which: Neighbours, other: IndexedFile, file: IndexedFile) -> bool:
    """Whether what a file holds is asked for: tests for tests, all but tests for callers, unless the file is one."""
    if which is Neighbours.TESTS:
        return other.tier is Tier.TESTS
    return other.tier is not Tier.TESTS or file.tier is Tier.TESTS


def _users(source: bytes, definitions: Sequence[Definition], uses: re.Pattern[bytes]) -> Iterable[Definition]:
    symbols = [each for each in definitions if each.kind in USABLE]
    names = {each.name_start for each in definitions}
    users: dict[Definition, None] = {}
    around: list[Definition] = []
    begun = 0
    for use in uses.finditer(source):
        at = use.start()
        if at in names:
            continue  # where something of that name is defined
        while begun < len(symbols) and symbols[begun].start <= at:
            one = symbols[begun]
            while around and around[-1].end <= one.start:
                around.pop()
            around.append(one)
            begun += 1
        while around and around[-1].end <= at:
            around.pop()
        user = next((each for each in reversed(around) if each.body <= at < each.end), None)
        if user is not None:
            users[user] = None
    return users


def _is_same(file: IndexedFile, one: Definition, other_file: IndexedFile, other: Definition) -> bool:
    return file.path == other_file.path and one.start == other.start and one.path == other.path


def _line(file: IndexedFile, one: Definition, line: int) -> str:
    signature = " ".join(file.source[one.signature : one.body].decode("utf-8", "replace").split())
    if len(signature) > _MOST_CHARACTERS:
        signature = f"{signature[:_MOST_CHARACTERS]}…"
    return f"{file.path}:{line} {one.path}: {signature}"
