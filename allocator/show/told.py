"""Tells which signatures a path says already: `class Order` of `order.py`, `namespace Shop.Orders` below `Orders/`.

A member is shown below the signatures of what it stands in, so that a reader knows whose it is. Where the path in the
header says the same name, a small budget has better uses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MODULE: Final = "module"
"""The kind of what a folder may be named after."""

_PARTING = re.compile(r"[.:/\\]")
_JOINING = re.compile(r"[\W_]+")


def told_by(path: str, holders: Iterable[tuple[int, str, str]]) -> frozenset[int]:
    """Returns those of some definitions that a path names: a type by the file's name, a module also by a folder's.

    Args:
        path: the file.
        holders: the place, the kind and the name of each.
    """
    *folders, file = path.split("/")
    stem = _plain(file.partition(".")[0])
    above = {_plain(folder) for folder in folders}
    return frozenset(
        place
        for place, kind, name in holders
        if (last := _plain(_PARTING.split(name)[-1])) and (last == stem or (kind == MODULE and last in above))
    )


def _plain(name: str) -> str:
    """A name without what tells its words apart."""
    return _JOINING.sub("", name).lower()
