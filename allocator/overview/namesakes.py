"""The definitions that files are named after: the name of such a file says theirs too, and the map says it once.

Where every class has a file of its own, `Collection.php` holds `Collection`, and `SqlMapper.GridReader.cs` the
`GridReader` inside `SqlMapper`. The last of them is the file's *namesake*: its members stand behind the file's name.

A word in small letters says of most files only what they are about: whether `assemble.py` defines an `assemble` its name
does not tell, so the map does. Where every function has a folder of its own, `addDays/index.ts` holds `addDays`: there the
name of the folder tells it, and beside several such ones `add/index.ts` holds `add`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


NAMELESS = frozenset({"this", "exports", "module.exports"})
"""Names of what has none of its own: indexers of C#, and what a file of JavaScript is."""


NAMED_AFTER_FOLDERS = frozenset({"index", "mod", "init", "__init__"})
"""Names of files, without what stands behind the point, that say nothing but that they stand for their folder."""


HABIT = 3
"""Folders of one folder whose names tell a definition, in more than a word in small letters: words do there, too."""


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


def told_by_folders(paths: Sequence[str], named: Sequence[Named]) -> Mapping[int, str]:
    """Returns the folders whose names say definitions of the file that stands for them, by the places of these.

    Args:
        paths: of all files.
        named: the definitions that the map may name.
    """
    folders: dict[int, str] = {}
    for file in {one.file for one in named}:
        folder, _, name = paths[file].rpartition("/")
        if name.partition(".")[0] in NAMED_AFTER_FOLDERS:
            folders[file] = folder
    told = {
        place: folders[one.file]
        for place, one in enumerate(named)
        if one.file in folders and not one.container and one.name == folders[one.file].rpartition("/")[2]
    }
    around = Counter(folder.rpartition("/")[0] for folder in {*told.values()} if not _is_word(folder))
    return {
        place: folder
        for place, folder in told.items()
        if not _is_word(folder) or around[folder.rpartition("/")[0]] >= HABIT
    }


def _is_word(folder: str) -> bool:
    """Tells whether a folder is called by a word in small letters."""
    return folder.rpartition("/")[2].islower()


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
