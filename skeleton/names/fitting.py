"""Tells how well a qualified name fits a definition: by what it stands in, its file's path, and the namespace the file declares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import OF_OBJECTS
from skeleton.names.targets import EXACTLY, in_module, names_no_module, segments
from skeleton.outline.definitions import TAIL_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition


def namespace_of(file: IndexedFile) -> tuple[str, ...]:
    """The parts of the namespace that a file says its definitions are in; none where it says nothing."""
    if naming_of(file.path, b"").namespace is None:
        return ()
    source = file.source
    return tuple(part for part in re.split(r"[\\.]", naming_of(file.path, source).namespace_in(source)) if part)


def module_fit(file: IndexedFile, module: Sequence[str]) -> int:
    """Tells how well a file is a module, as `in_module` does; the namespace that it says it is in decides."""
    by_path = in_module(file.path, module)
    space = namespace_of(file)
    if not space or names_no_module(module):
        return by_path
    return EXACTLY if space[-len(module) :] == tuple(module) else int(bool(by_path) or in_order(module, space))


def size_returned(file: IndexedFile, parts: Sequence[str], one: Definition) -> int:
    """Tells how many parts at the end of a name a definition stands for, where it stands in what its file returns as a module.

    That has a name of its own there, which others do not use: `telescope.actions.close` for `actions.close` of the file
    `telescope/actions.lua`.

    Returns:
        0 where the name does not mean it so.
    """
    pattern = naming_of(file.path, b"").returned
    around, *own = segments(one.path)
    if pattern is None or not own or tuple(parts[-len(own) :]) != tuple(own) or len(own) == len(parts):
        return 0
    found = pattern.search(file.source)
    return len(own) if found is not None and found["name"].decode("utf-8", "replace") == around else 0


def in_declared(
    every: Sequence[tuple[IndexedFile, Definition, tuple[str, ...]]], wanted: tuple[str, ...]
) -> list[tuple[IndexedFile, Definition]]:
    """Returns those of some definitions, with the parts of their names, that a name means by the namespaces of their files.

    Where one has the whole name, that is meant and nothing in a longer namespace; with it what has the name without one,
    as in a language whose namespaces are definitions.
    """
    found: list[tuple[bool, tuple[IndexedFile, Definition]]] = []
    for file, one, parts in every:
        behind = len(wanted) - len(parts)
        if behind > 0 and wanted[behind:] == parts and (space := namespace_of(file))[-behind:] == wanted[:behind]:
            found.append((len(space) == behind, (file, one)))
    if not found:
        return []
    is_whole = any(whole for whole, _ in found)
    bare = [(file, one) for file, one, parts in every if parts[-len(wanted) :] == wanted]
    whole = [(file, one) for file, one in bare if len(segments(one.path)) == len(wanted)] if is_whole else bare
    return [pair for whole_one, pair in found if whole_one or not is_whole] + whole


def as_qualified(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Of the parts of a name those at its end that the qualified name of a definition holds in any case."""
    length, first = 0, len(parts) - 1
    while first > 0 and (length := length + len(parts[first - 1]) + 1) < TAIL_CHARACTERS:
        first -= 1
    return parts[first:]


def in_order(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Tells whether the parts of a name are among those of another, in the same order."""
    left = iter(parts)
    return all(part in left for part in wanted)


def size_within(parts: Sequence[str], one: Definition, of_file: Sequence[Definition]) -> int:
    """Tells how many parts at the end of a name a definition stands for by itself; those before them are its module.

    They are its whole qualified name, a receiver inside it left out or not. What it stands in may be missing where that
    is a module itself, or none that the file defines, as the receiver of an extension.

    Args:
        parts: of the name, with one for a module at least.
        one: the definition.
        of_file: all definitions of its file.

    Returns:
        0 where the name does not mean it: a member is not called by its module alone.
    """
    own = segments(one.path)
    most = min(len(own), len(parts) - 1)
    for size in range(most, 0, -1):
        written = tuple(parts[-size:])
        if own[0] == written[0] and own[-1] == written[-1] and in_order(written, own):
            return size
    size = next((size for size in range(most, 0, -1) if own[-size:] == tuple(parts[-size:])), 0)
    around = ".".join(own[:-size])
    kinds = {other.kind for other in of_file if other.path == around}
    is_free = kinds <= {"module"} and (bool(kinds) or one.kind not in OF_OBJECTS)
    return size if is_free or names_no_module(parts[:-size]) else 0
