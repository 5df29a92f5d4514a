"""The definitions that files are named after: the name of such a file says theirs too, and the map says it once.

Where every class has a file of its own, `Collection.php` holds `Collection`, and `SqlMapper.GridReader.cs` the
`GridReader` inside `SqlMapper`. The last of them is the file's *namesake*: its members stand behind the file's name.

A word in small letters says of most files only what they are about: whether `assemble.py` defines an `assemble` its name
does not tell, so the map does.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


NAMELESS = frozenset({"this", "exports", "module.exports"})
"""Names of what has none of its own: indexers of C#, and what a file of JavaScript is."""


class Named(NamedTuple):
    """A definition on the map.

    Attributes:
        file: the place of its file.
        container: the qualified name of what it stands in, or "".
        name: its own.
        is_own: whether it is a value that is not for others, as a private field.
    """

    file: int
    container: str
    name: str
    is_own: bool = False


def namesakes(names: Sequence[str], named: Sequence[Named]) -> Mapping[int, Sequence[str]]:
    """Returns the definitions whose names the names of files say, from the outermost to the namesake, by the file's place.

    Args:
        names: of all files.
        named: the definitions that the map may name.
    """
    inside: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    holding: defaultdict[int, set[str]] = defaultdict(set)
    for one in named:
        inside[one.file].add((one.container, one.name))
        holding[one.file].add(one.container)
    found: dict[int, list[str]] = {}
    for file, defined in inside.items():
        around = ""
        for part in filter(None, names[file].split(".")[:-1]):
            if part.islower() or ((around, part) not in defined and part not in holding[file]):
                break
            found.setdefault(file, []).append(part)
            around = part
    return found


def definitions_told(defined: Sequence[Named], called: Sequence[str]) -> str:
    """Tells the names of some definitions of a file as they stand behind its name, those of one container together.

    Args:
        defined: the definitions.
        called: those of the file that its name says; the members of the last stand right behind that.
    """
    members: dict[str, list[str]] = {}
    for one in defined:
        if one.container:
            members.setdefault(one.container, []).append(one.name)
        else:
            members.setdefault(one.name, [])
    own = members.pop(called[-1] if called else "", ())
    others = ", ".join(f"{name}{_held(inner)}" for name, inner in members.items())
    return f"{_held(own)}{': ' if others else ''}{others}"


def _held(members: Sequence[str]) -> str:
    """Members as they stand behind the name of what they stand in."""
    return f"({' '.join(members)})" if members else ""
