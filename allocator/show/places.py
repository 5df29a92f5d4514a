"""The small form of the map: the folders of which something is shown, and one line for all others.

It stands before what a question brings, so that what is not shown can be asked for:

    src/flask/ 5 of 24 files
    src/flask/json/ 1 of 3
    nothing of: docs/ 40, examples/ 22

Folders that are too many for their room are told by those that they lie in.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from allocator.show.framing import largest
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FROM_BUDGET = 700
"""Tokens of budget up to which no place is told."""

PART = 30
"""Tokens of budget beyond that, for each of which places may take one."""

MOST = 400
"""Tokens that they take at the most."""

MOST_WAYS = 1 << 14
"""Folders of which it is remembered what they lie in: the same ones are told of by every call."""

HERE = "./"
"""The name of the call's own folder."""


def room_for_places(budget: int) -> int:
    """Gives the tokens that places may take under a budget of so many; it grows by no more than the budget does."""
    return min(MOST, max(0, budget - FROM_BUDGET) // PART)


def folders_of(paths: Sequence[str]) -> Counter[str]:
    """Counts the files of each folder."""
    return Counter(map(_folder, paths))


def places(held: Counter[str], shown: Sequence[str], fits: Callable[[str], bool]) -> str:
    """Tells where what is shown lies, as finely as there is room for.

    Args:
        held: the files of each folder.
        shown: of those of which something is shown.
        fits: tells whether there is room for a text.

    Returns:
        Lines with their breaks; "" where all is shown, or nothing fits.
    """
    if len(shown) == held.total():
        return ""
    of = folders_of(shown)
    rest = _rest(held, of)
    for depth in range(max((folder.count("/") for folder in of), default=0), 0, -1):
        lines = _lines(_down_to(held, depth), _down_to(of, depth))
        if fits(_text(lines, rest, 0)):
            return _text(lines, rest, largest(len(rest), lambda count, lines=lines: fits(_text(lines, rest, count))))
    return ""


def _text(lines: Sequence[str], rest: Counter[str], count: int) -> str:
    """The lines of what is shown, and one of the rest that names so many folders."""
    return "".join(f"{line}\n" for line in (*lines, *([_told(rest, count)] if rest else ())))


def _told(rest: Counter[str], count: int) -> str:
    named = sorted(rest, key=lambda folder: (-rest[folder], folder))
    said = [f"{folder} {rest[folder]}" for folder in named[:count]]
    left = named[count:]
    if left:
        said.append(
            f"{number_of(len(left), 'more folder' if said else 'folder')} {sum(rest[folder] for folder in left)}"
        )
    return f"nothing of: {', '.join(said)}"


def _lines(held: Counter[str], of: Counter[str]) -> list[str]:
    """A line for each folder of which something is shown."""
    return [
        f"{folder} {of[folder]} of {held[folder]}{'' if number else ' files'}"
        for number, folder in enumerate(sorted(of))
    ]


def _rest(held: Counter[str], of: Counter[str]) -> Counter[str]:
    """The files of the folders that hold nothing shown, each by the outermost such folder that it lies in."""
    around = {above for folder in of for above in _way(folder)}
    rest: Counter[str] = Counter()
    for folder, number in held.items():
        bare = next((above for above in _way(folder) if above not in around), None)
        if bare is not None:
            rest[bare] += number
    return rest


def _folder(path: str) -> str:
    folder = path.rpartition("/")[0]
    return f"{folder}/" if folder else HERE


@lru_cache(MOST_WAYS)
def _way(folder: str) -> tuple[str, ...]:
    """A folder and those around it, the outermost first."""
    names = folder.split("/")[:-1]
    return tuple([f"{'/'.join(names[:depth])}/" for depth in range(1, len(names) + 1)])


def _down_to(folders: Counter[str], depth: int) -> Counter[str]:
    """Counts what lies deeper with the folder of a depth that it lies in."""
    found: Counter[str] = Counter()
    for folder, number in folders.items():
        found[_way(folder)[:depth][-1]] += number
    return found
